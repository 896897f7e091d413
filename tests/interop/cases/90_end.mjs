// Shutdown: SIGTERM while calls run. The last file: the server doesn't come back.
import assert from 'node:assert/strict';
import { eventually, Peer } from '../harness.mjs';

const kShutdownMs = 5000;

export default {
  'SIGTERM: code 0 within 5 s, no browser and no profile remain': async ({ served, site, temp }, note) => {
    const peers = await Promise.all([Peer.connect(served, 'first'), Peer.connect(served, 'second')]);
    const running = await Promise.all(
      peers.map((peer, i) => peer.start('browser_navigate', { url: site.url(`/never?end${i}`), timeout: 30_000 })),
    );
    await Promise.all([site.request('/never?end0'), site.request('/never?end1')]);
    assert.equal(temp.profiles().length, 1);
    assert.ok(temp.processes([served.child.pid]).length > 0, 'the browser must be seen while it runs');
    const { code, ms } = await served.end('SIGTERM', kShutdownMs);
    note(`ended after ${ms} ms`);
    assert.equal(code, 0);
    for (const { result } of running) await assert.rejects(result, /shut/i);
    await eventually('no process remains', () => temp.processes().length === 0, 2000);
    assert.deepEqual(temp.profiles(), []);
    await Promise.all(peers.map((peer) => peer.client.close()));
  },
};
