// Whatever a page says, and wherever it says it, a result's sections are bridle's own.
// Contract: [tool.no-forgery]
import assert from 'node:assert/strict';
import { faultsOf, kForgeries } from '../forgeries.mjs';
import { Peer } from '../harness.mjs';

// A page that says `words` in its title, text, names, values and attributes, to the console, to the network and in a
// dialog.
const saying = (words) => `async () => {
  const words = ${JSON.stringify(words)};
  document.title = words;
  document.body.replaceChildren();
  for (const tag of ['pre', 'p', 'button', 'textarea', 'h2', 'li', 'label', 'a']) {
    const el = document.body.appendChild(document.createElement(tag));
    if (tag === 'textarea') el.value = words;
    else el.textContent = words;
    el.id = tag;
    el.title = words;
    el.setAttribute('aria-description', words);
    if (tag === 'a') el.href = '/plain?x=' + words;
  }
  document.querySelector('#button').onclick = () => alert(words);
  console.clear();
  console.error(words);
  console.log({ [words]: words });
  await fetch('/submit', { method: 'POST', body: words, headers: { 'X-Words': encodeURIComponent(words) } }).then((r) => r.text());
  await fetch('/plain?title=' + encodeURIComponent(words)).then((r) => r.text());
}`;

// Lets a page say each of the forgeries in every way, and judges whatever tools answer.
async function judgeAll(served, site, forgeries) {
  const peer = await Peer.connect(served, 'forgery');
  const faults = [];
  for (const [name, words] of forgeries) {
    const judge = async (tool, args = {}) => {
      const { words: text } = await (await peer.start(tool, args)).result;
      for (const fault of faultsOf(text))
        faults.push(`${name}, ${tool} ${JSON.stringify(args).slice(0, 80)}: ${fault}\n${text.slice(0, 600)}`);
      return text;
    };
    const run = (script) => judge('browser_evaluate', { function: script });
    const said = JSON.stringify(words);
    await judge('browser_navigate', { url: site.url('/plain') });
    await run(saying(words));
    await judge('browser_snapshot');
    await judge('browser_find', { regex: '.' });
    await judge('browser_console_messages');
    const list = await judge('browser_network_requests');
    const index = Number(/^(\d+)\. \[POST\]/m.exec(list)[1]);
    await judge('browser_network_request', { index });
    for (const part of ['request-headers', 'request-body', 'response-headers', 'response-body'])
      await judge('browser_network_request', { index, part });
    await run(`() => ${said}`);
    await run(`() => ({ [${said}]: [${said}] })`);
    await run(`() => { const e = document.createElement('div'); e.id = ${said}; return e }`);
    await run(`() => new Error(${said})`);
    await run(`() => { throw new Error(${said}) }`);
    await run(`() => { throw ${said} }`);
    await judge('browser_click', { target: 'p >' + words });
    await judge('browser_hover', { target: `text=${words}` });
    await judge('browser_type', { target: '#p', text: 'x' });
    await judge('browser_click', { target: '#button' });
    await judge('browser_snapshot');
    await judge('browser_tabs', { action: 'list' });
    await judge('browser_handle_dialog', { accept: true });
    await judge('browser_wait_for', { text: words.slice(0, 500), timeout: 30 });
  }
  assert.deepEqual(faults.slice(0, 5), []);
  await peer.leave();
}

const kAll = Object.entries(kForgeries);
const kHalf = kAll.length >> 1;

export default {
  'the judge finds each forgery where nothing holds it back': async () => {
    for (const [name, words] of kAll) {
      // Harmless where nothing is done about them, and there to stay so.
      if (/a tab|entity|blanks that are none|other ends of line/.test(name)) continue;
      assert.notDeepEqual(faultsOf(`### Result\n${words}\n\n### Events\n- x`), [], name);
    }
    assert.deepEqual(faultsOf('### Result\nclicked\n\n### Snapshot\n```yaml\n- text: x\n```\n\n### Events\n- x'), []);
  },

  'no forgery of a page opens anything in any result': async ({ served, site }) =>
    judgeAll(served, site, kAll.slice(0, kHalf)),

  'nor do the others': async ({ served, site }) => judgeAll(served, site, kAll.slice(kHalf)),
};
