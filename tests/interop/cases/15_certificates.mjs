// A certificate that nobody vouches for: an error that names it, unless the option says otherwise.
// Contract: [nav.certificates]
import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { selfSigned } from '../certificate.mjs';
import { Peer, Served } from '../harness.mjs';

async function secureSite() {
  const server = createServer(selfSigned(), (request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<title>Secure</title><p>secure</p>');
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `https://127.0.0.1:${server.address().port}/`,
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export default {
  'a certificate that is not valid is an error that names it': async ({ served }) => {
    const secure = await secureSite();
    const peer = await Peer.connect(served, 'certificates');
    try {
      assert.match(await peer.fails('browser_navigate', { url: secure.url }), /net::ERR_CERT_/);
    } finally {
      await peer.leave();
      secure.end();
    }
  },

  '--ignore-https-errors opens it': async ({ bridle, environment }) => {
    const secure = await secureSite();
    const served = await Served.start(bridle, ['--port', '0', '--ignore-https-errors'], environment);
    try {
      const peer = await Peer.connect(served, 'certificates');
      const { structuredContent: page } = await peer.call('browser_navigate', { url: secure.url });
      assert.equal(page.outcome, 'committed');
      assert.equal(page.title, 'Secure');
      await peer.leave();
    } finally {
      await served.end('SIGTERM');
      secure.end();
    }
  },
};
