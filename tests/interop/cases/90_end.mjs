// Shutdown: SIGTERM while calls run. The last file: the server doesn't come back.
import assert from 'node:assert/strict';
import { eventually, fastest, Peer } from '../harness.mjs';

const kShutdownMs = 5000;
const kNever = 120_000; // of a call that is aborted long before

export default {
  'SIGTERM: code 0 within 5 s, no browser and no profile remain': async ({ served, site, start, temp }, note) => {
    // A server of its own for each attempt after the first.
    await fastest({ ms: kShutdownMs, code: 0 }, async (n) => {
      const one = n === 0 ? served : await start();
      const peers = await Promise.all([Peer.connect(one, 'first'), Peer.connect(one, 'second')]);
      const path = (i) => `/never?end${n}-${i}`;
      const running = await Promise.all(
        peers.map((peer, i) => peer.start('browser_navigate', { url: site.url(path(i)), timeout: kNever })),
      );
      await Promise.all([site.request(path(0)), site.request(path(1))]);
      assert.equal(temp.profiles().length, 1);
      assert.ok(temp.processes([one.child.pid]).length > 0, 'the browser must be seen while it runs');
      const { code, ms } = await one.end('SIGTERM');
      note(`ended after ${ms} ms`);
      for (const { result } of running) await assert.rejects(result, /shut/i);
      await eventually('no process remains', () => temp.processes().length === 0);
      assert.deepEqual(temp.profiles(), []);
      await Promise.all(peers.map((peer) => peer.client.close()));
      return { ms, code };
    });
  },
};
