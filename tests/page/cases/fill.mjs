// Contract: [tool.forms]
import { equal, has, kPatience, ok, same } from '../expect.mjs';

// What C++ does: the browser puts the text in where the script doesn't.
const fill = async (page, target, text) => {
  const filled = await page.call('fill', { target, text });
  if (!filled.input) return filled;
  const key = (type, more) => page.send('Input.dispatchKeyEvent', { type, ...more });
  const erase = { key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 };
  if (text === '') await Promise.all([key('rawKeyDown', erase), key('keyUp', erase)]);
  else {
    const down = filled.isField ? [key('rawKeyDown', { key: 'Unidentified', windowsVirtualKeyCode: 229 })] : [];
    await Promise.all([...down, page.send('Input.insertText', { text }), key('keyUp', { key: text.at(-1) })]);
  }
  return { ...filled, ...(await page.call('endTyping')) };
};
const heard = (page, ...types) =>
  page.main(
    `window.log = []; for (const t of ${JSON.stringify(types)}) document.addEventListener(t, (e) => log.push(t + ':' + (e.target.id || e.target.localName) + ':' + e.isTrusted), true); 0`,
  );
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
    ok((await fill(page, '#t', 'two\nlines')).ok);
    equal(await value(page, '#t'), 'two\nlines');
    ok((await fill(page, '#e', 'new words')).ok);
    equal(await page.main('e.textContent'), 'new words');
    same(
      (await page.main('log')).filter((x) => !x.endsWith(':e')),
      ['input:a', 'change:a', 'input:t', 'input:t', 'input:t', 'change:t'],
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
    await page.main(
      `p.setAttribute('role', 'slider'); p.tabIndex = 0; p.ariaValueMin = 0; p.ariaValueMax = 100; p.ariaValueNow = 20`,
    );
    has((await fill(page, '#p', '150')).error, /is a slider from 0 to 100, now at 20: it can't be set to "150"/);
    has((await fill(page, '#p', 'x')).error, /is a slider from 0 to 100, now at 20: it is set to a number, not "x"/);
    ok((await fill(page, '#pw', 'hunter2')).ok);
    equal(await value(page, '#pw'), 'hunter2');
  },

  // Contract: [tool.type.slider]
  'a slider of other elements gets the focus, and tells where it stands': async (page) => {
    await page.load(
      `<!doctype html><div id="s" role="slider" tabindex="0" aria-label="Size" aria-valuenow="2" aria-valuemin="0"
        aria-valuemax="4" aria-valuetext="Medium" aria-orientation="vertical"></div><input id="r" type="range">`,
    );
    const begun = await fill(page, '#s', ' 3.0 ');
    equal(begun.slider, true);
    equal(begun.wanted, 3);
    equal(begun.describe, 'slider "Size"');
    equal(await page.main('document.activeElement.id'), 's');
    const at = async (timeout) => {
      const { now, least, most, upright, focused, said, standing } = await page.call('sliderNow', { timeout });
      return [now, least, most, upright, focused, said, standing];
    };
    same(await at(0), [2, 0, 4, true, true, '2 ("Medium")', 'from 0 to 4, now at 2 ("Medium")']);
    // What has changed since it was last told is told at once, and what changes meanwhile as soon as it does.
    await page.main(`s.ariaValueNow = '2.50'; s.ariaValueText = null; s.ariaValueMax = null; s.ariaOrientation = null`);
    same(await at(kPatience), [2.5, 0, null, false, true, '2.50', 'now at 2.50']);
    await page.main(`s.ariaValueNow = '2.4999999999999716'`); // what a division leaves is not what is shown
    same((await at(kPatience)).slice(5), ['2.5', 'now at 2.5']);
    const later = at(kPatience);
    await page.main(`s.ariaValueNow = 3; r.focus()`);
    same((await later).slice(0, 1), [3]);
    equal((await page.call('sliderNow', { timeout: 0 })).focused, false);
    await page.main(`s.ariaValueNow = 'three'`);
    has((await page.call('sliderNow', { timeout: kPatience })).error, 'no number in aria-valuenow');
    await page.main('s.remove()');
    has((await page.call('sliderNow', { timeout: kPatience })).error, 'no longer on the page');
    // A native one is set by script.
    ok((await fill(page, '#r', '30')).ok);
    equal(await value(page, '#r'), '30');
    await page.load('<p>another document</p>');
    equal((await page.call('sliderNow', { timeout: kPatience })).left, true);
  },

  // Contract: [tool.type]
  'text comes by trusted events, with one change event': async (page) => {
    await page.load(
      '<!doctype html><input id="a" value="old"><textarea id="t">old</textarea><button id="b">x</button>',
    );
    await heard(page, 'beforeinput', 'input', 'keydown', 'keyup', 'change');
    const told = async (steps) => {
      await steps();
      await page.main('b.focus()');
      return (await page.main('log.splice(0)')).join(' ');
    };
    for (const id of ['a', 't']) {
      equal(
        await told(() => fill(page, '#' + id, 'new')),
        `keydown:${id}:true beforeinput:${id}:true input:${id}:true change:${id}:false keyup:${id}:true`,
      );
      equal(
        await told(() => fill(page, '#' + id, '')),
        `keydown:${id}:true beforeinput:${id}:true input:${id}:true change:${id}:false keyup:${id}:true`,
      );
      equal(await value(page, '#' + id), '');
    }
    // What is typed after it has a change event of its own.
    await fill(page, '#a', 'one');
    await page.send('Input.insertText', { text: ' two' });
    await page.main('log.length = 0; b.focus()');
    same(await page.main('log'), ['change:a:true']);
    equal((await page.call('stats')).listeners, 0);
  },

  'a page that keeps text out, or takes the focus away': async (page) => {
    await page.load(
      '<!doctype html><input id="no" value="old" onbeforeinput="event.preventDefault()"><input id="quiet" oninput="event.stopImmediatePropagation()"><input id="away" onfocus="other.focus()"><input id="other"><input id="late"><input id="empty" oninput="event.preventDefault()"><div id="own" contenteditable>old</div>',
    );
    await page.main(
      `own.onbeforeinput = (e) => { e.preventDefault(); own.textContent = 'mine: ' + e.data; }; late.onfocus = () => setTimeout(() => other.focus()); 0`,
    );
    await heard(page, 'change');
    equal((await fill(page, '#no', 'new')).kept, true);
    equal((await fill(page, '#empty', '')).kept, false);
    equal(await value(page, '#no'), 'old');
    same((await fill(page, '#quiet', 'new')).kept, false);
    same((await fill(page, '#own', 'new')).kept, false);
    equal(await page.main('own.textContent'), 'mine: new');
    ok((await fill(page, '#away', 'new')).ok);
    ok((await fill(page, '#late', 'new')).ok);
    same([await value(page, '#away'), await value(page, '#late'), await value(page, '#other')], ['new', 'new', '']);
    same(await page.main('log'), ['change:quiet:false', 'change:away:false', 'change:late:false']);
  },

  'a paragraph of a body that is edited, in a frame: the focus goes there': async (page) => {
    for (const inner of [
      '<body contenteditable><p id=p>one</p><p>two</p>',
      '<body><p id=p>one</p><p>two</p><script>document.designMode="on"</script>',
    ]) {
      await page.load(`<!doctype html><input id="out" value="out"><iframe></iframe>`);
      await page.main(
        `new Promise((r) => { const f = document.querySelector('iframe'); f.onload = r; f.srcdoc = ${JSON.stringify(inner).replaceAll('<', '\\x3c')}; out.focus(); })`,
      );
      const frame = [...page.mains.keys()].at(-1);
      await page.inject(frame);
      const filled = await page.call('fill', { target: '#p', text: 'new' }, frame);
      equal(filled.input, true);
      await page.send('Input.insertText', { text: 'new' });
      await page.call('endTyping', {}, frame);
      equal(await page.main('document.activeElement.localName'), 'iframe');
      equal(await page.main('frames[0].document.body.innerText'), 'new\n\ntwo');
      await page.send('Input.dispatchKeyEvent', {
        type: 'rawKeyDown',
        key: 'a',
        code: 'KeyA',
        windowsVirtualKeyCode: 65,
        modifiers: 2,
        commands: ['selectAll'],
      });
      equal(await page.main('String(frames[0].getSelection())'), 'new\n\ntwo');
    }
  },

  // Contract: [tool.select.unseen]
  'a select that nobody sees: set by itself, or by the widget that stands for it': async (page) => {
    await page.load(`<!doctype html><style>.clip{position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden}</style>
      <div style="height:3000px"></div><div><select id="s" class="clip"><option>Small<option>Large</select><span id="w" role="combobox" tabindex="0">Small</span></div>
      <div><select id="g" style="display:none"><option>One<option>Two</select><b id="x" role="combobox" tabindex="0">One</b></div><div id="far"><div><div><div role="combobox" id="z">z</div></div></div></div>
      <select id="plain"><option>A<option>B</select><div id="beside" role="combobox">b</div>`);
    await page.main(
      "addEventListener('change', ({ target }) => { if (target.nextElementSibling) target.nextElementSibling.textContent = target.value; })",
    );
    await heard(page, 'change');
    for (const [target, option] of [
      ['#s', 'Large'],
      ['#w', 'Small'],
      ['#g', 'Two'],
      ['#x', 'One'],
    ]) {
      const ready = await page.call('actionable', { target, kind: 'select', timeout: kPatience, callId: 1 });
      ok(ready.ok, ready.error);
      same(
        (await page.call('select', { target, values: [option] })).selected.map((o) => o.label),
        [option],
      );
    }
    same(await page.main('log'), ['change:s:false', 'change:s:false', 'change:g:false', 'change:g:false']);
    has((await page.call('select', { target: '#z', values: ['x'] })).error, 'not a <select>');
    has((await page.call('select', { target: '#beside', values: ['B'] })).error, 'not a <select>');
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
      '<!doctype html><div><button id="b">Upload</button><input type="file" id="f" hidden></div><label id="l">x<input type="file" id="g"></label><div><div><div><div><div><button id="deep">Browse</button></div></div></div></div><input type="file" id="h" hidden></div><section><div><div><div><div><p id="far">far</p></div></div></div></div></section>',
    );
    equal(await page.raw('__bridle.fileInput({ target: "#b" }).id'), 'f');
    equal(await page.raw('__bridle.fileInput({ target: "#l" }).id'), 'g');
    equal(await page.raw('__bridle.fileInput({ target: "#deep" }).id'), 'h');
    equal(
      await page.raw('(() => { try { __bridle.fileInput({ target: "#far" }); } catch (e) { return e.message; } })()'),
      'paragraph "far" is no file input and has none near it. Click what opens the file chooser, then give the files without a target.',
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

  // [tool.type] CodeMirror 5, Ace
  'an editor is typed into by its hidden field, and selects all that it holds itself': async (page) => {
    const field = (around, own, more = '') =>
      `<div style="height:60px;position:relative"><div style="${around}"><textarea aria-label="Code" style="${own}" ${more}></textarea></div><pre>old</pre></div>`;
    const clipped = [
      'position:relative;overflow:hidden;width:3px;height:0',
      'position:absolute;bottom:-1em;width:1000px;height:1em',
    ];
    const transparent = ['', 'opacity:0;width:8px;height:16px'];
    const seen = ['', 'width:200px;height:40px'];
    const lines = Array(20).fill('line').join('\n');
    for (const [styles, more, wanted] of [
      [clipped, '', true],
      [transparent, '', true],
      [transparent, 'aria-multiline="false"', false], // a terminal's
      [seen, '', false],
    ]) {
      await page.load('<!doctype html>' + field(...styles, more));
      ok((await page.call('actionable', { target: 'textarea', kind: 'type', timeout: kPatience, callId: 1 })).ok);
      equal((await page.call('fill', { target: 'textarea', text: 'new' })).selectAll, wanted);
      await page.call('endTyping');
      const focus = await page.call('focusForTyping', { target: 'textarea', clear: true });
      equal(focus.selectAll, wanted);
      // As a whole it would only be put in beside what the editor holds.
      if (wanted) equal((await page.call('fill', { target: 'textarea', text: lines })).input, true);
    }
  },
};
