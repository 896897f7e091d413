// What the design systems of public services, kits and pages made by servers have shown: USWDS, Materialize, Redmine.
import { delta, equal, has, hasNot, kPatience, ok, plain, quiet, refused, shown, withoutRefs } from '../expect.mjs';

export default {
  // [tool.select.made] USWDS's combo box
  'a hidden select whose widget is a field beside it that stays empty is chosen in by that': async (page) => {
    const html = (script) =>
      `<div><select id="s" aria-hidden="true" tabindex="-1" style="position:absolute;left:-999em"><option value="">Pick<option value="a">Apple<option value="b">Plum</select>
       <input id="f" role="combobox" aria-label="Fruit" aria-expanded="false"><button>Open</button></div><script>${script}</script>`;
    const chosen = async (script) => {
      await page.load(html(script));
      return page.call('select', { target: '[role=combobox]', values: ['Plum'] });
    };
    equal((await chosen('')).byWidget, true);
    equal(await page.main('s.value'), '');
    const followed = await chosen('s.onchange = () => (f.value = s.selectedOptions[0].text)');
    equal(followed.byWidget, undefined);
    equal(await page.main('s.value'), 'b');
  },

  // [tool.actionable] USWDS's time picker, whose sign to clear it lies over its middle
  'a field whose middle is covered by a sign of its own is clicked beside that': async (page) => {
    const html = (over) =>
      `<div style="position:relative;width:160px;margin:40px"><input id="f" aria-label="Time" style="width:100%;height:40px;box-sizing:border-box"><span style="position:absolute;${over};background:#fff"><button id="x" aria-label="Clear">x</button></span></div>`;
    const sign = html('left:70px;top:8px;width:30px');
    hasNot(await plain(page, sign), 'covered');
    for (const kind of ['click', 'type']) {
      const ready = await page.call('actionable', { target: '#f', kind, timeout: kPatience, callId: 1 });
      ok(ready.ok, ready.error);
      equal(await page.main(`document.elementFromPoint(${ready.x}, ${ready.y}).id`), 'f');
    }
    has(await plain(page, html('inset:-4px')), 'textbox "Time" [covered]');
  },

  // [tool.forms] USWDS's tiles
  'a field that is named by the words of its label is told to be one to check': async (page) => {
    const checks = async (html, target) => {
      await page.load(html);
      const ready = await page.call('actionable', { target, kind: 'none', timeout: kPatience, callId: 1 });
      const { needsClick } = ready.checks ? await page.call('setChecked', { target, checked: true }) : {};
      return [ready.checks ?? false, needsClick].join();
    };
    const beside = '<input id="k" type="checkbox"><label for="k">Truth <span>A tile</span></label>';
    equal(await checks(beside, 'text=Truth'), 'true,true');
    equal(await checks(beside, 'text=A tile'), 'true,true');
    equal(await checks('<label><input type="radio"> <b>Plum</b></label>', 'text=Plum'), 'true,true');
    equal(
      await checks('<div role="switch" tabindex="0" aria-checked="true"><i>Dark</i></div>', 'text=Dark'),
      'true,false',
    );
    equal(await checks('<label for="n">Name</label><input id="n">', 'text=Name'), 'false,');
    equal(await checks('<label><input type="checkbox"> <button>More</button></label>', 'text=More'), 'false,');
  },

  // [tool.snapshot.delta] Redmine's issues
  'a row is told by the first cell that other rows do not have alike': async (page) => {
    const row = (kind, state, words) =>
      `<tr><td><input type="checkbox"><td>${kind}<td>${state}<td><a href="#">${words}</a><td>today`;
    await plain(
      page,
      `<table><tr><th><th>Kind<th>State<th>Subject<th>Date${row('Bug', 'New', 'Cut the hedge')}${row('Bug', 'New', 'Water it')}${row('Bug', 'Done', 'Mow')}</table>`,
    );
    const check = (i) => `document.querySelectorAll('input')[${i}].checked = true; 0`;
    const told = (cell) => `- table:\n  - row:\n    - checkbox [checked]\n    - ${cell}`;
    equal(await delta(page, check(0)), told('link "Cut the hedge"'));
    equal(await delta(page, check(2)), told('cell "Done"'));
    const edited = (more) =>
      `<table><tr><th>Name<th>Age<th><tr><td><input aria-label="Name" value="Ann"><td><input aria-label="Age" value="12"><td><button>Save</button>${more}</table>`;
    const edit = 'document.querySelector("input").value = "Bob"; 0';
    const said = async (more) => {
      await plain(page, edited(more));
      return delta(page, edit);
    };
    hasNot(await said('<button>Back</button>'), 'Save');
  },

  // [tool.select.unseen] Materialize's select, whose field follows it
  'a select that nobody sees does not get the focus as it is set': async (page) => {
    const html = (style) =>
      `<div><input id="f" readonly role="combobox" aria-label="Size"><div style="${style}"><select id="s" tabindex="-1"><option>Small<option>Large</select></div></div>
       <script>s.onchange = () => (f.value = s.value)</script>`;
    const focused = async (style) => {
      await page.load(html(style));
      await page.call('select', { target: '#s', values: ['Large'] });
      return page.main('[f.value, document.activeElement.id].join()');
    };
    equal(await focused('width:0;height:0;overflow:hidden'), 'Large,');
    equal(await focused(''), 'Large,s');
  },

  // [tool.type.slowly] a consent banner that takes the focus as it fades in
  'of keys it is told which other element got them, or that none has changed anything': async (page) => {
    const typed = async (html, script = '0') => {
      await page.load(html);
      const focus = await page.call('focusForTyping', { target: '#a', clear: true });
      ok(focus.ok, focus.error);
      await page.main(script);
      await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'x', code: 'KeyX', text: 'x' });
      await page.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'x', code: 'KeyX' });
      const { astray, kept } = await page.call('endKeys');
      return withoutRefs(`${astray},${kept}`);
    };
    const field =
      '<input id="a" value="old" maxlength="3"><div id="d" role="dialog" aria-label="Cookies" tabindex="-1">We use some</div>';
    equal(await typed(field), ',false');
    equal(await typed(field, 'd.focus(); 0'), 'dialog "Cookies",false');
    equal(await typed(field, 'getSelection().collapse(null); a.setSelectionRange(3, 3); 0'), ',true');
    equal(await typed(field, 'a.onkeydown = (e) => e.preventDefault(); 0'), ',false');
    await quiet(page);
  },

  // [tool.type] a code's fields
  'of a text that is longer than a field takes it is told how much that is': async (page) => {
    const most = async (html, text) => {
      await page.load(html);
      ok((await page.call('fill', { target: '#a', text })).ok);
      await page.send('Input.insertText', { text });
      return (await page.call('endTyping')).most;
    };
    equal(await most('<input id="a" maxlength="1">', '123456'), 1);
    equal(await most('<input id="a" maxlength="6">', '123456'), 0);
    equal(await most('<input id="a">', '123456'), 0);
  },

  // [tool.snapshot.delta] Vaadin's calendar beside its grid
  'what is in a shadow root is inert too, and comes back without a word': async (page) => {
    await plain(
      page,
      `<x-grid id="g"></x-grid><div id="d" role="dialog" aria-label="Calendar" hidden><button>Today</button></div>
       <script>g.attachShadow({ mode: 'open' }).innerHTML = '<table role="grid"><tr><td>Ann<td>12</table>'</script>`,
    );
    const opened = await delta(page, 'd.hidden = false; g.ariaHidden = "true"; 0');
    has(opened, '- text: … inert now: grid');
    hasNot(opened, 'removed');
    equal(await delta(page, 'd.hidden = true; g.ariaHidden = null; 0'), '- removed: dialog "Calendar"');
  },

  // [tool.snapshot.delta] a list of things to do, of which one was edited in its place
  'the words of an item that are new themselves are told once': async (page) => {
    await plain(
      page,
      '<ul><li class="done"><input type="checkbox"><label>Milk</label><button>Drop</button><li id="e"></ul>',
    );
    const set = (html) => delta(page, `e.innerHTML = '${html}'; 0`);
    const item = (words) => `<input type=checkbox><label>${words}</label><button>Drop</button>`;
    await set(item('Cat'));
    await set('<input class=edit value=Cat>');
    const told = await set(item('Dog'));
    equal(told.split('Dog').length - 1, 1, told);
  },

  // [tool.snapshot.marks] USWDS's tiles: the box to tick stands far to the left of the page
  'a checkbox that its label is drawn for is where that is': async (page) => {
    const html = (top) =>
      `<input type="checkbox" id="k" style="position:absolute;left:-999em"><label for="k" style="position:absolute;top:${top}px">Truth</label><button>Next</button>`;
    has(await plain(page, html(50)), /checkbox "Truth"$/m);
    has(await plain(page, html(5000)), 'checkbox "Truth" [off-screen]');
  },

  // [tool.snapshot.labels] [tool.actionable] Fomantic UI
  'a box to tick that a label right behind it lies over is called and pressed by that': async (page) => {
    const style = `<style>.b{position:relative;height:30px;width:200px} .b input{position:absolute;opacity:0;z-index:3;margin:0}
      .b label{position:relative;z-index:4;display:block;cursor:pointer;padding-left:20px}</style>`;
    const box = (type, name) => `<div class="b"><input type="${type}"><label>${name}</label></div>`;
    const yaml = await plain(
      page,
      style + box('checkbox', 'Public') + box('radio', 'Free') + '<input type="checkbox"> <label>Name</label><input>',
    );
    has(yaml, '- checkbox "Public"\n');
    has(yaml, '- radio "Free"\n');
    hasNot(yaml, 'covered');
    hasNot(yaml, 'generic "Public"');
    // A label between two fields may be that of the next one.
    has(yaml, '- checkbox\n');
    const { ok: isReady, error } = await page.call('actionable', {
      target: '.b input',
      guard: true,
      timeout: 60_000,
      callId: 1,
    });
    ok(isReady, error);
  },

  // [tool.snapshot.hints] Carbon's web components
  'a header that says in a word of its own by which way its column is sorted': async (page) => {
    const yaml = await plain(
      page,
      '<table><tr><th sort-direction="none">Name<th sort-direction="ascending">Port<tr><td>a<td>1</table>',
    );
    has(yaml, '- columnheader "Name"\n');
    has(yaml, '- columnheader "Port" [sort=ascending]\n');
    has(
      await delta(page, `document.querySelectorAll('th')[1].setAttribute('sort-direction', 'descending')`),
      '[sort=descending]',
    );
  },

  // [tool.snapshot.icons] SurveyJS
  'a tick that has no colour before its box is ticked is no icon': async (page) => {
    const box = (name) =>
      `<label><input type="checkbox" style="position:absolute;clip:rect(0,0,0,0);width:1px;height:1px"><span class="d"><svg width="16" height="16"><use href="#check"></use></svg></span><i>${name}</i></label>`;
    const yaml = await plain(
      page,
      `<style>label, .d { display: flex } use { fill: transparent } .on use { fill: green }</style><svg style="display:none"><symbol id="check" viewBox="0 0 16 16"><path d="M2 8l4 4 8-8"/></symbol></svg>
       ${box('Cheese')}<p class="on"><svg width="16" height="16"><use href="#check"></use></svg></p>`,
    );
    has(yaml, '- checkbox "Cheese"');
    equal(yaml.split('icon=check').length, 2);
  },

  // [tool.actionable] Fomantic UI's dropdowns, Carbon's fields for dates
  'a text below a field that paints nothing, and a sign over a field, are clicked in the field': async (page) => {
    const field = (more) => `<input ${more} style="position:absolute;inset:0;width:100%;box-sizing:border-box`;
    await shown(
      page,
      `<style>.box{position:relative;width:300px;height:40px}.t,.s{position:absolute;left:10px;top:10px}.s{pointer-events:none}</style>
       <div class="box">${field('aria-label="Country"')};z-index:2;background:none;border:0"><div class="t" id="t">Select Country</div></div>
       <div class="box">${field('aria-label="Due"')}"><b class="s" id="s">x</b></div>
       <div class="box">${field('aria-label="Painted"')};z-index:2;background:#eee"><div class="t" id="p">Behind</div></div>`,
    );
    for (const target of ['#t', '#s']) {
      const asked = { target, guard: true, timeout: 60_000, callId: 1 };
      const { ok: isReady, error } = await page.call('actionable', asked);
      ok(isReady, error);
    }
    has((await refused(page, { target: '#p' }, 'is covered by')).error, 'textbox "Painted"');
  },
};
