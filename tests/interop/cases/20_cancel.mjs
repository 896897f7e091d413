// Stop means stop (cancellation), as a user of the SDK sees it: an AbortSignal, and what follows.
// Contract: [cancel.wire.notification]
import assert from 'node:assert/strict';
import { eventually, fastest, kPatience, Peer, within } from '../harness.mjs';

// From the abort to the end of the client's stream the requirement is 100 ms; here is slack, and one attempt of five has to
// keep it, for a machine that is busy with other things. What is measured is printed. A warning names a call that has not
// ended 3 s after its abort.
const kBounds = { streamMs: 300, warnings: 0 };
const kHangupMs = 1000;
const kNever = 120_000; // of a call that is stopped long before

let peer;

const warnings = async () => (await peer.status()).counters.abort_warnings_total;

// Cancels a call once it runs; the stream must end in time. `begin(n)` gives the arguments of the attempt n and what to
// wait for before the abort: {args, started, measure}; `measure()` gives figures beside the stream's, for `bounds`.
function stop(note, name, begin, bounds = {}) {
  return fastest({ ...kBounds, ...bounds }, async (n) => {
    const { args, started = (id) => peer.running(id), measure = () => ({}) } = await begin(n);
    const before = await warnings();
    const stopped = await peer.cancel(name, args, started);
    note(`${name}: stream ended ${stopped.streamMs} ms after the abort; done after ${stopped.endedMs} ms`);
    return { ...stopped, ...(await measure()), warnings: (await warnings()) - before };
  });
}

export default {
  'a navigation that never answers: the web server sees its socket close': async ({ served, site }, note) => {
    peer = await Peer.connect(served, 'cancelling');
    await peer.call('browser_navigate', { url: site.url('/plain?title=Before') });
    const begin = (n) => {
      const path = `/never?cancel${n}`;
      let aborted = 0;
      return {
        args: { url: site.url(path), timeout: kNever },
        started: async () => {
          await site.request(path);
          aborted = await site.clock();
        },
        measure: async () => ({ hangupMs: (await site.hangup(path)).ms - aborted }),
      };
    };
    const { hangupMs } = await stop(note, 'browser_navigate', begin, { hangupMs: kHangupMs });
    note(`the site's socket closed ${hangupMs} ms after the abort`);
  },

  'the next call on the same tab succeeds and tells what was stopped': async ({ site }) => {
    const { words, structuredContent } = await peer.call('browser_evaluate', { function: '() => document.title' });
    assert.equal(structuredContent.value, 'Before');
    assert.match(words, /cancelled: .*\/never\?cancel/);
    const { structuredContent: page } = await peer.call('browser_navigate', { url: site.url('/plain?title=After') });
    assert.equal(page.title, 'After');
  },

  'a wait': async (_, note) => {
    await stop(note, 'browser_wait_for', () => ({ args: { time: kNever / 1000 } }));
    await stop(note, 'browser_wait_for', () => ({ args: { text: 'never to come', timeout: kNever } }));
    assert.equal(await peer.evaluate('() => 1 + 1'), 2);
  },

  'a script whose promise never settles: its signal is aborted': async ({ site }, note) => {
    await stop(note, 'browser_evaluate', (n) => {
      const script = `async () => {
        signal.addEventListener('abort', () => { window.aborted = true; });
        await fetch('/api/json?waiting${n}');
        await new Promise(() => {});
      }`;
      return { args: { function: script }, started: () => site.request(`/api/json?waiting${n}`) };
    });
    assert.equal(await peer.evaluate('() => window.aborted'), true);
  },

  'a script that loops for ever: the page lives again': async ({ site }, note) => {
    await stop(note, 'browser_evaluate', (n) => {
      const script = `() => {
        const request = new XMLHttpRequest();
        request.open('GET', '/api/json?looping${n}', false);
        request.send();
        for (;;) {}
      }`;
      return { args: { function: script }, started: () => site.request(`/api/json?looping${n}`) };
    });
    assert.equal(await peer.evaluate('() => 2 + 2'), 4);
  },

  'a call that still queues never starts': async ({ site }, note) => {
    const first = await peer.start('browser_navigate', { url: site.url('/held?key=queue'), timeout: kNever });
    await site.request('/held?key=queue');
    await stop(note, 'browser_navigate', () => ({
      args: { url: site.url('/plain?queued') },
      started: (id) => eventually('the second call queues', () => peer.row('requests', id)),
    }));
    await fetch(site.url('/__release?key=queue'));
    assert.equal((await first.result).structuredContent.status, 200);
    assert.deepEqual((await site.log('/plain?queued')).requests, []);
  },

  'a second client is not disturbed, though it uses the same ids': async ({ served, site }, note) => {
    const other = await Peer.connect(served, 'undisturbed');
    const running = await other.start('browser_navigate', { url: site.url('/held?key=other'), timeout: kNever });
    await site.request('/held?key=other');
    await peer.client.notification({ method: 'notifications/cancelled', params: { requestId: running.id } });
    await stop(note, 'browser_navigate', (n) => ({
      args: { url: site.url(`/never?other${n}`), timeout: kNever },
      started: () => site.request(`/never?other${n}`),
    }));
    assert.equal((await other.running(running.id)).state, 'running');
    await fetch(site.url('/__release?key=other'));
    assert.equal((await running.result).structuredContent.status, 200);
    await other.leave();
  },

  'browser_stop ends a call, whose result says so': async ({ site }) => {
    await fastest({ hangupMs: kHangupMs, timedOut: 0, warnings: 0 }, async (n) => {
      const path = `/never?stop${n}`;
      const before = await warnings();
      const running = await peer.start('browser_navigate', { url: site.url(path), timeout: kNever });
      await site.request(path);
      const at = await site.clock();
      const { structuredContent: stopped } = await peer.call('browser_stop', { request: running.id });
      assert.equal(stopped.wasCancelled, true);
      const { isError, words } = await running.result;
      assert.equal(isError, true);
      assert.match(words, /stop/i);
      const hangupMs = (await site.hangup(path)).ms - at;
      return { hangupMs, timedOut: Number(stopped.timedOut), warnings: (await warnings()) - before };
    });
  },

  'nothing is left behind': async ({ served }) => {
    const gauges = [
      'registry',
      'early_cancels',
      'waiters',
      'listeners',
      'pending_cdp',
      'queued',
      'tab_waiters',
      'aborting',
      'overdue',
    ];
    let counters;
    const left = () => gauges.filter((name) => counters[name] !== 0).map((name) => `${name}: ${counters[name]}`);
    await eventually('the counters return', async () => {
      ({ counters } = await peer.status());
      return left().length === 0;
    }).catch((error) => assert.fail(`${error.message}; left: ${left().join(', ')}`));
    assert.equal(counters.invalid_transitions_total, 0);
    // The tests above have judged the warnings of a slow abort.
    const late = /did not respond to abort signal/;
    const bad = served.log.split('\n').filter((line) => /^\S+ (error|warn) /.test(line) && !late.test(line));
    assert.deepEqual(bad, []);
  },

  'DELETE aborts the running work of its session': async ({ served, site }, note) => {
    const running = await peer.start('browser_navigate', { url: site.url('/never?delete'), timeout: kNever });
    await site.request('/never?delete');
    const at = await site.clock();
    await peer.transport.terminateSession();
    const { ms } = await site.hangup('/never?delete'); // long before the call's own time
    note(`the site's socket closed ${ms - at} ms after the DELETE`);
    assert.equal((await peer.ended(running.id)).state, 'aborted');
    const gone = await fetch(served.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'Mcp-Session-Id': peer.session,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    assert.equal(gone.status, 404);
    await peer.client.close();
    const outcome = running.result.then(
      () => 'answered',
      () => 'rejected',
    );
    assert.equal(await within(kPatience, 'the call ends with its client', outcome), 'rejected');
  },
};
