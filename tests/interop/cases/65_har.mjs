// A recording that others read: it keeps to HAR 1.2, by the schema of har-validator.
// Contract: [tool.har]
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import validator from 'har-validator';
import { Peer } from '../harness.mjs';

const { har: validate } = validator;

export default {
  'a HAR file keeps to HAR 1.2, with pages, bodies, failures and redirects': async (world, note) => {
    const served = await world.start(['--caps', 'network']);
    try {
      const peer = await Peer.connect(served, 'recording');
      const call = (name, args) => peer.call(name, args);
      const { site } = world;
      await call('browser_har', { action: 'start' });
      await call('browser_navigate', { url: site.url('/iframes') });
      await call('browser_navigate', { url: site.url('/plain?password=secret&x=1') });
      const script = `async () => {
        await fetch('/api/json', { headers: { Authorization: 'Bearer secret' } }).then((r) => r.text());
        await fetch('/api/echo', { method: 'POST', body: '{"token":"secret"}', headers: { 'Content-Type': 'application/json' } });
        await fetch('/redirect?to=/plain').catch(() => 0);
        await fetch('/image.png').then((r) => r.arrayBuffer());
        await fetch('/reset').catch(() => 0);
        new Image().src = '/never?har';
      }`;
      await call('browser_evaluate', { function: script });
      const { structuredContent: saved } = await call('browser_har', { action: 'stop', filename: 'all' });
      const file = readFileSync(saved.path, 'utf8');
      const har = JSON.parse(file);
      await validate(har).catch(({ errors }) => assert.fail(JSON.stringify(errors, null, 1)));
      const entries = new Map(har.log.entries.map((entry) => [new URL(entry.request.url).pathname, entry]));
      assert.equal(entries.get('/api/json').response.status, 200);
      assert.ok(JSON.parse(entries.get('/api/json').response.content.text));
      assert.equal(entries.get('/image.png').response.content.encoding, 'base64');
      assert.ok(entries.get('/reset').response._error.startsWith('net::ERR_'));
      assert.ok(har.log.pages.length === 2 && har.log.pages[1].pageTimings.onLoad > 0);
      assert.ok(har.log.entries.every(({ pageref }) => har.log.pages.some(({ id }) => id === pageref)));
      assert.ok(har.log.entries.every(({ time, timings }) => time >= 0 && timings.wait >= 0));
      assert.ok(
        !file.includes('Bearer secret') && !file.includes('password=secret') && file.includes('[value hidden]'),
      );
      assert.ok(!entries.get('/api/echo').request.postData.text.includes('secret'));
      note(`${har.log.entries.length} entries, ${file.length} characters`);
      await peer.leave();
    } finally {
      await served.end('SIGTERM');
    }
  },

  // Contract: [tool.route] [tool.accepted-names]
  'the names and arguments of @playwright/mcp add, list and remove routes': async (world) => {
    const served = await world.start(['--caps', 'network']);
    try {
      const peer = await Peer.connect(served, 'routes');
      const { site } = world;
      await peer.call('browser_navigate', { url: site.url('/plain') });
      const mock = { status: 201, body: '{}', contentType: 'application/json' };
      await peer.call('browser_route', { pattern: '**/mocked', ...mock });
      await peer.call('browser_route', {
        pattern: '**/api/echo',
        headers: ['X-One: 1'],
        removeHeaders: 'accept-language',
      });
      assert.equal(await peer.evaluate("() => fetch('/mocked').then((r) => r.status)"), 201);
      assert.match(
        (await peer.call('browser_route_list', {})).words,
        /mocked => 201 application\/json, 2 bytes; 1 so far/,
      );
      assert.match((await peer.call('browser_unroute', { pattern: '**/mocked' })).words, /removed 1 route\b/);
      assert.match((await peer.call('browser_unroute', {})).words, /removed 1 route\b/);
      assert.equal(await peer.evaluate("() => fetch('/mocked').then((r) => r.status)"), 404);
      await peer.leave();
    } finally {
      await served.end('SIGTERM');
    }
  },
};
