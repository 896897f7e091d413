// Contract: [tool.forms]
import { equal, has, ok, same } from '../expect.mjs';

const fill = (page, target, text) => page.call('fill', { target, text });
const value = (page, selector) => page.main(`document.querySelector(${JSON.stringify(selector)}).value`);

export default {
  'fill sets values and tells the page': async (page) => {
    await page.load(
      '<!doctype html><label>Name <input id="a"></label><textarea id="t">old</textarea><div id="e" contenteditable>old</div><form><input name="value" id="clob"></form>',
    );
    await page.main(`window.log = []; for (const t of ['input', 'change']) addEventListener(t, (e) => log.push(e.type + ':' + e.target.id));
      Object.defineProperty(document.querySelector('#a'), 'value', { set() { throw new Error('tracked'); }, get() { return 'tracked'; }, configurable: true })`);
    ok((await fill(page, 'text=Name', 'Ann')).ok);
    await page.main('delete document.querySelector("#a").value');
    equal(await value(page, '#a'), 'Ann');
    equal((await fill(page, '#t', 'two\nlines')).value, 'two\nlines');
    ok((await fill(page, '#e', 'new words')).ok);
    equal(await page.main('e.textContent'), 'new words');
    same(
      (await page.main('log')).filter((x) => !x.endsWith(':e')),
      ['input:a', 'change:a', 'input:t', 'change:t'],
    );
    ok((await fill(page, '#e', '')).ok);
    equal(await page.main('e.textContent'), '');
  },

  'typed inputs take only what they understand': async (page) => {
    await page.load(`<!doctype html><input type="date" id="d" value="2024-01-01"><input type="time" id="t"><input type="datetime-local" id="l"><input type="month" id="m"><input type="week" id="w"><input type="color" id="c">
      <input type="number" id="n" value="1"><input type="range" id="r" min="0" max="10" step="2"><input type="checkbox" id="k"><input type="file" id="f"><input id="ro" readonly><input id="di" disabled><p id="p">x</p><input type="password" id="pw">`);
    for (const [id, good, bad, hint] of [
      ['d', '2024-12-31', '31.12.2024', 'YYYY-MM-DD'],
      ['t', '23:59', '24:99', 'HH:MM'],
      ['l', '2024-12-31T10:00', 'tomorrow', 'YYYY-MM-DDTHH:MM'],
      ['m', '2024-12', 'May', 'YYYY-MM'],
      ['w', '2024-W05', 'x', 'YYYY-Www'],
      ['c', '#00ff00', 'green', '#rrggbb'],
      ['n', '12.5', 'twelve', 'a number'],
      ['r', '4', '11', 'from 0 to 10'],
    ]) {
      ok((await fill(page, '#' + id, good)).ok, id);
      equal(await value(page, '#' + id), good);
      const refused = await fill(page, '#' + id, bad);
      equal(refused.ok, false, id);
      has(refused.error, hint);
      has(refused.error, bad);
      equal(await value(page, '#' + id), good);
    }
    has((await fill(page, '#d', '2024-02-31')).error, 'YYYY-MM-DD');
    has((await fill(page, '#k', 'x')).error, 'click it');
    has((await fill(page, '#f', 'x')).error, 'browser_file_upload');
    has((await fill(page, '#ro', 'x')).error, 'read-only');
    has((await fill(page, '#di', 'x')).error, 'disabled');
    has((await fill(page, '#p', 'x')).error, 'not an input');
    equal((await fill(page, '#pw', 'hunter2')).value, '[value hidden]');
  },

  'select: by value, by label, all or nothing': async (page) => {
    await page.load(`<!doctype html><select id="s"><option value="">Pick</option><option value="fr">France</option><option value="es">Spain</option><option value="de" disabled>Germany</option></select>
      <select id="m" multiple><option>S</option><option selected>M</option><option>L</option></select>`);
    await page.main('window.n = 0; addEventListener("change", () => n++)');
    const select = (target, ...values) => page.call('select', { target, values });
    same((await select('#s', 'fr')).selected, [{ label: 'France', value: 'fr' }]);
    same((await select('#s', 'Spain')).selected, [{ label: 'Spain', value: 'es' }]);
    equal((await select('#s', 'spain')).changed, false);
    equal(await page.main('n'), 2);
    const missing = await select('#s', 'Italy');
    has(missing.error, 'no option "Italy"');
    has(missing.error, '"France" (value "fr")');
    has((await select('#s', 'de')).error, 'disabled');
    has((await select('#s', 'fr', 'es')).error, 'one value');
    equal(await value(page, '#s'), 'es');
    same(
      (await select('#m', 'S', 'L')).selected.map((o) => o.label),
      ['S', 'L'],
    );
    equal((await select('#m', 'M', 'XL')).ok, false);
    equal(await page.main('Array.from(m.selectedOptions, (o) => o.text).join()'), 'S,L');
    same((await select('#m')).selected, []);
    has((await page.call('select', { target: 'body', values: ['x'] })).error, 'not a <select>');
  },

  'focus for typing': async (page) => {
    await page.load('<!doctype html><input id="a" value="old"><div id="e" contenteditable>old</div><p id="p">x</p>');
    const first = await page.call('focusForTyping', { target: '#a', clear: true });
    same([first.focused, first.empty], [true, false]);
    await page.send('Input.insertText', { text: 'new' });
    equal(await value(page, '#a'), 'new');
    await page.call('focusForTyping', { target: '#a' });
    await page.send('Input.insertText', { text: 'er' });
    equal(await value(page, '#a'), 'newer');
    await page.call('focusForTyping', { target: '#e', clear: true });
    await page.send('Input.insertText', { text: 'fresh' });
    equal(await page.main('e.textContent'), 'fresh');
    has((await page.call('focusForTyping', { target: '#p' })).error, "can't be typed");
  },

  'setChecked says whether to click': async (page) => {
    await page.load(
      '<!doctype html><input type="checkbox" id="a"><input type="radio" id="r" checked><div role="switch" aria-checked="true" id="s" tabindex="0">x</div><label id="l">L <input type="checkbox" checked></label>',
    );
    const ask = async (target, checked) => {
      const r = await page.call('setChecked', { target, checked });
      return r.ok ? r.needsClick : r.error;
    };
    equal(await ask('#a', true), true);
    equal(await ask('#a', false), false);
    equal(await ask('#s', false), true);
    equal(await ask('#l', true), false);
    has(await ask('#r', false), 'radio');
    has(await ask('body', true), 'no checkbox');
  },

  'the file input behind a button': async (page) => {
    await page.load(
      '<!doctype html><div><button id="b">Upload</button><input type="file" id="f" hidden></div><label id="l">x<input type="file" id="g"></label><section><div><div><div><div><p id="far">far</p></div></div></div></div></section>',
    );
    equal(await page.raw('__bridle.fileInput({ target: "#b" }).id'), 'f');
    equal(await page.raw('__bridle.fileInput({ target: "#l" }).id'), 'g');
    equal(
      await page.raw('(() => { try { __bridle.fileInput({ target: "#far" }); } catch (e) { return e.message; } })()'),
      'paragraph "far" is no file input and has none near it.',
    );
  },

  'what C++ wants to know of a file input, and emptying it': async (page) => {
    await page.load(
      '<!doctype html><input type="file" id="f" multiple aria-label="F"><input type="file" id="d" disabled aria-label="D">',
    );
    same(await page.callOn('#f', 'fileInputState'), { ok: true, describe: 'button "F"', multiple: true });
    equal((await page.callOn('#d', 'fileInputState')).error, 'button "D" is disabled.');
    const { root } = await page.send('DOM.getDocument');
    const { nodeId } = await page.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#f' });
    await page.send('DOM.setFileInputFiles', { nodeId, files: [process.argv[1]] });
    await page.main('window.log = []; f.oninput = f.onchange = (e) => log.push(e.type); 0');
    equal(await page.main('f.files.length'), 1);
    same(await page.callOn('#f', 'clearFiles'), { ok: true });
    equal(await page.main('f.files.length'), 0);
    await page.callOn('#f', 'clearFiles');
    same(await page.main('log'), ['input', 'change']);
  },
};
