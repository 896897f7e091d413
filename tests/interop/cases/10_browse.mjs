// The plain way: what a client sees while it browses.
// Contract: [tool.list]
import assert from 'node:assert/strict';
import { Peer } from '../harness.mjs';

const kCoreTools = [
  'browser_navigate',
  'browser_navigate_back',
  'browser_navigate_forward',
  'browser_reload',
  'browser_snapshot',
  'browser_click',
  'browser_type',
  'browser_press_key',
  'browser_evaluate',
  'browser_wait_for',
  'browser_tabs',
  'browser_take_screenshot',
  'browser_handle_dialog',
  'browser_resize',
  'browser_close',
  'browser_status',
  'browser_stop',
];

// The ref that a snapshot gives to the first line with `words`.
function refOf(snapshot, words) {
  const line = snapshot.split('\n').find((one) => one.includes(words));
  const ref = line?.match(/\[ref=((?:f\d+)?e\d+)\]/)?.[1];
  assert.ok(ref, `no ref for ${words} in:\n${snapshot}`);
  return ref;
}

let peer;

export default {
  'initialize agrees on the latest handshake revision': async ({ served }) => {
    peer = await Peer.connect(served, 'browsing');
    assert.equal(peer.transport.protocolVersion, '2025-11-25');
    assert.equal(peer.client.getServerVersion().name, 'bridle');
    assert.ok(peer.client.getServerCapabilities().tools);
    await peer.client.ping();
  },

  'the list has the core tools, each described': async () => {
    const { tools } = await peer.client.listTools();
    const names = tools.map((tool) => tool.name);
    assert.deepEqual(
      kCoreTools.filter((name) => !names.includes(name)),
      [],
    );
    assert.equal(new Set(names).size, names.length);
    for (const tool of tools) {
      assert.ok(tool.description, tool.name);
      assert.equal(tool.inputSchema.type, 'object', tool.name);
    }
  },

  'navigate tells where it ended, and shows the page': async ({ site }) => {
    const { structuredContent: page, words } = await peer.call('browser_navigate', {
      url: site.url('/redirect?to=/form'),
    });
    assert.equal(page.url, site.url('/form'));
    assert.equal(page.status, 200);
    assert.equal(page.title, 'Form');
    assert.equal(page.outcome, 'committed');
    assert.deepEqual(page.redirects, [site.url('/redirect?to=/form')]);
    assert.match(words, /textbox "Text"/);
  },

  'snapshot, type and click by ref': async ({ site }) => {
    await peer.call('browser_navigate', { url: site.url('/form') });
    const { words: snapshot } = await peer.call('browser_snapshot');
    await peer.call('browser_type', {
      target: refOf(snapshot, 'textbox "Text"'),
      element: 'the text field',
      text: 'Grüße, 世界',
    });
    assert.equal(await peer.evaluate('() => document.querySelector("#text").value'), 'Grüße, 世界');
    const { words } = await peer.call('browser_click', { target: refOf(snapshot, 'button "Submit"') });
    assert.match(words, /Page URL: .*\/submit/);
    assert.match(await peer.evaluate('() => document.querySelector("#echo").textContent'), /^text=Grüße, 世界$/m);
    const { structuredContent: back } = await peer.call('browser_navigate_back');
    assert.equal(back.url, site.url('/form'));
  },

  'a screenshot is a picture of the viewport': async ({ site }) => {
    await peer.call('browser_navigate', { url: site.url('/plain?title=Picture') });
    await peer.call('browser_resize', { width: 640, height: 480 });
    const { content } = await peer.call('browser_take_screenshot');
    const image = content.find((one) => one.type === 'image');
    assert.equal(image.mimeType, 'image/png');
    const bytes = Buffer.from(image.data, 'base64');
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [640, 480]);
  },

  'a dialog is told and answered': async ({ site }) => {
    await peer.call('browser_navigate', { url: site.url('/prompt-on-click') });
    const { words } = await peer.call('browser_click', { target: '#prompt' });
    assert.match(words, /### Modal state\n.*Your name\?/);
    await peer.call('browser_handle_dialog', { accept: true, promptText: 'Ada' });
    assert.equal(await peer.evaluate('() => document.querySelector("#out").textContent'), 'name: Ada');
  },

  'tabs open, are selected and close': async ({ site }) => {
    const { structuredContent: before } = await peer.call('browser_tabs', { action: 'list' });
    assert.equal(before.tabs.length, 1);
    const { structuredContent: opened } = await peer.call('browser_tabs', {
      action: 'new',
      url: site.url('/plain?title=Second'),
    });
    assert.deepEqual(
      opened.tabs.map((tab) => tab.current),
      [false, true],
    );
    assert.equal(await peer.evaluate('() => document.title'), 'Second');
    await peer.call('browser_tabs', { action: 'select', index: 0 });
    assert.equal(await peer.evaluate('() => document.title'), 'Prompt on click');
    const named = await peer.call('browser_evaluate', { function: '() => document.title', tab: opened.tabs[1].id });
    assert.equal(named.structuredContent.value, 'Second');
    const { structuredContent: closed } = await peer.call('browser_tabs', { action: 'close', index: 1 });
    assert.deepEqual(
      closed.tabs.map((tab) => tab.id),
      [before.tabs[0].id],
    );
  },

  'progress comes while a wait lasts': async () => {
    // Each second; a machine that stands still may come to the end of a short wait first.
    const seen = [];
    for (let time = 2.2; time < 40 && !seen.length; time *= 2) {
      await peer.call('browser_wait_for', { time }, { onprogress: (one) => seen.push(one.progress) });
    }
    assert.ok(seen.length > 0, 'no progress');
    assert.deepEqual(
      [...seen].sort((a, b) => a - b),
      seen,
    );
    assert.equal(new Set(seen).size, seen.length, 'progress must grow');
  },

  'wrong arguments are named; an unknown tool is a protocol error': async ({ site }) => {
    assert.match(await peer.fails('browser_navigate', { url: site.url('/plain'), waitUntill: 'load' }), /waitUntill/);
    assert.match(await peer.fails('browser_click', {}), /target/);
    assert.match(await peer.fails('browser_click', { target: 'e9999' }), /e9999/);
    await assert.rejects(peer.client.callTool({ name: 'browser_fly', arguments: {} }), { code: -32602 });
    assert.match(await peer.fails('browser_navigate', { url: 'http://127.0.0.1:1/' }), /ERR_/);
    await peer.client.close();
  },
};
