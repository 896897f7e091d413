// Storage states, as files that Playwright reads and writes too.
// Contract: [tool.storage-state]
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { kLeanBrowser, Peer } from '../harness.mjs';

const kFill = `async () => {
  localStorage.name = location.origin;
  const open = indexedDB.open('books', 3);
  open.onupgradeneeded = () => {
    const store = open.result.createObjectStore('by id', { keyPath: 'id' });
    store.createIndex('tags', 'tags', { multiEntry: true });
    store.createIndex('both', ['id', 'title'], { unique: true });
    open.result.createObjectStore('log', { autoIncrement: true });
    open.result.createObjectStore('odd');
  };
  const db = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
  const change = db.transaction(['by id', 'log', 'odd'], 'readwrite');
  change.objectStore('by id').add({ id: 7, title: 'Emma', tags: ['old', 'novel'] });
  change.objectStore('log').add('first');
  const loop = { n: 12345678901234567890n, none: undefined, at: new Date(5), fits: /a+/gi }; loop.self = loop;
  change.objectStore('odd').add(loop, new Date(86400000));
  change.objectStore('odd').add([new Uint8Array([1, 2, 255]), new Float64Array([0.5]), -0, Infinity], [1, 'two']);
  await new Promise((resolve) => { change.oncomplete = resolve; });
  db.close();
}`;
const kLook = `async () => {
  const open = indexedDB.open('books');
  const db = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
  const get = (store, key) => new Promise((resolve) => {
    const request = db.transaction(store).objectStore(store).get(key);
    request.onsuccess = () => resolve(request.result);
  });
  const loop = await get('odd', new Date(86400000));
  const [bytes, floats, zero, far] = await get('odd', [1, 'two']);
  const seen = [localStorage.name, document.cookie, db.version, (await get('by id', 7)).title, await get('log', 1),
    String(loop.n), loop.self === loop, loop.at.getTime(), String(loop.fits), [...bytes].join(), floats[0], Object.is(zero, -0), far];
  db.close();
  return JSON.stringify(seen.map(String));
}`;
const seen = (origin) =>
  JSON.stringify(
    [
      origin,
      'plain=1',
      3,
      'Emma',
      'first',
      '12345678901234567890',
      true,
      5,
      '/a+/gi',
      '1,2,255',
      0.5,
      true,
      Infinity,
    ].map(String),
  );

async function withChromium(work) {
  const browser = await chromium.launch({
    executablePath: kLeanBrowser,
    chromiumSandbox: process.getuid() !== 0,
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

const sorted = (state) => ({
  cookies: state.cookies.toSorted((a, b) => a.name.localeCompare(b.name)),
  origins: state.origins.toSorted((a, b) => a.origin.localeCompare(b.origin)),
});

export default {
  'a state that bridle saved is what Playwright reads, and writes again': async (world) => {
    const served = await world.start(['--caps', 'storage']);
    try {
      const peer = await Peer.connect(served, 'storage');
      await peer.call('browser_navigate', { url: world.site.url('/set-cookie?name=plain&value=1') });
      await peer.evaluate(kFill);
      await peer.call('browser_navigate', { url: 'about:blank' });
      const saved = (await peer.call('browser_storage_state', { filename: 'state.json' })).structuredContent.path;
      const ours = JSON.parse(readFileSync(saved, 'utf8'));
      const theirs = await withChromium(async (browser) => {
        const context = await browser.newContext({ storageState: saved });
        const page = await context.newPage();
        await page.goto(world.site.url('/plain'));
        assert.equal(await page.evaluate(`(${kLook})()`), seen(world.site.origin));
        return context.storageState({ indexedDB: true });
      });
      assert.deepEqual(sorted(theirs), sorted(ours));

      // And back: what Playwright has written is loaded by another session.
      const other = await Peer.connect(served, 'storage');
      const { path } = (await other.call('browser_storage_state', {})).structuredContent;
      writeFileSync(join(dirname(path), 'theirs.json'), JSON.stringify(theirs));
      await other.call('browser_set_storage_state', { filename: 'theirs.json' });
      await other.call('browser_navigate', { url: world.site.url('/plain') });
      assert.equal(await other.evaluate(kLook), seen(world.site.origin));
      await peer.leave();
      await other.leave();
    } finally {
      await served.end('SIGTERM');
    }
  },

  '--storage-state: new sessions begin with it; a broken file ends the start with words': async (world) => {
    const file = join(world.temp.path, 'begin.json');
    const origin = world.site.origin;
    writeFileSync(
      file,
      JSON.stringify({ cookies: [], origins: [{ origin, localStorage: [{ name: 'theme', value: 'dark' }] }] }),
    );
    const served = await world.start(['--storage-state', file]);
    try {
      const peer = await Peer.connect(served, 'storage');
      await peer.call('browser_navigate', { url: world.site.url('/plain') });
      assert.equal(await peer.evaluate('localStorage.theme'), 'dark');
      await peer.leave();
    } finally {
      await served.end('SIGTERM');
    }
    writeFileSync(file, JSON.stringify({ cookies: [{ name: 'a' }], origins: [] }));
    await assert.rejects(world.start(['--storage-state', file]), /begin\.json: cookies\[0\] lacks "value"/);
  },
};
