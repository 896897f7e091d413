// Shapes of the kits that companies make their applications with, and of spreadsheets that are drawn, driven as a whole.
import {
  begin,
  delta,
  equal,
  has,
  hasNot,
  kPatience,
  next,
  ok,
  plain,
  refOf,
  same,
  shown,
  withoutRefs,
} from '../expect.mjs';

// OpenUI5's select: the combobox is for readers alone, clipped to nothing below the label that is drawn in its place.
const kSelect = `<style>.s { position:relative; width:160px; height:36px; overflow:hidden; cursor:pointer; margin:40px }
    .s [role=combobox] { position:absolute; inset:0; font-size:0; clip:rect(1px,1px,1px,1px) }
    .s span { position:absolute; inset:0 } .s ul { visibility:hidden }</style>
  <div class="s" id="s" tabindex="-1"><div id="c" role="combobox" aria-haspopup="listbox" aria-expanded="false"
      aria-label="Size" tabindex="0">Small</div><span aria-hidden="true">Small</span>
    <ul role="listbox"><li role="option" aria-selected="true">Small<li role="option">Large</ul></div>
  <ul id="l" role="listbox" hidden><li role="option">Small<li role="option">Large</ul>`;

export default {
  // [tool.actionable]
  'a combobox for readers alone is pressed at what is drawn around it': async (page) => {
    const yaml = await shown(page, kSelect);
    has(yaml, /combobox "Size" \[ref=e\d+\]/);
    has(yaml, 'Small');
    hasNot(yaml, 'covered');
    const at = await page.call('actionable', { target: refOf(yaml, 'combobox'), timeout: kPatience, callId: 1 });
    ok(at.ok, at.error);
    // What lies over that covers it.
    const over = await shown(page, `${kSelect}<div style="position:fixed;inset:0;background:#fff">Wait</div>`);
    has(over, /combobox "Size" \[ref=e\d+\] \[covered\]/);
  },

  // [tool.select.made]
  'options are chosen in a combobox for readers alone, beside a list that only gives it its width': async (page) => {
    await page.load(`<!doctype html>${kSelect}`);
    equal((await begin(page, '#c', 'Large')).describe, 'combobox "Size"');
    equal((await next(page)).step, 'open');
    equal((await page.call('locate', { target: 'bridle:pointed' })).css, '#s');
    const coming = next(page);
    await page.main('c.ariaExpanded = true; c.setAttribute("aria-controls", "l"); l.hidden = false');
    const pick = await coming;
    same([pick.step, pick.label], ['pick', 'Large']);
  },

  // [tool.select.made] OpenUI5
  'what completes a text has a list, whatever it says that it opens': async (page) => {
    await page.load(`<!doctype html><div><input id="c" role="combobox" aria-haspopup="dialog" aria-autocomplete="both"
      aria-expanded="false" aria-label="City"><div aria-hidden="true"><span id="a" role="button" style="cursor:pointer">▾</span></div></div>
      <div id="d" role="dialog" hidden><ul role="listbox"><li role="option">Rome<li role="option">Oslo</ul></div>
      <input role="combobox" id="date" aria-haspopup="dialog" aria-label="Date">`);
    equal((await begin(page, '#c', 'Oslo')).describe, 'combobox "City"');
    has((await begin(page, '#date', 'x')).error, 'not a <select>, combobox or listbox');
    await begin(page, '#c', 'Oslo');
    equal((await next(page)).step, 'open');
    await page.main('c.focus()');
    // The click on the field has shown nothing: what opens it stands beside it.
    equal((await next(page)).step, 'open');
    equal((await page.call('locate', { target: 'bridle:pointed' })).css, '#a');
    const coming = next(page);
    await page.main('c.ariaExpanded = true; c.setAttribute("aria-controls", "d"); d.hidden = false');
    const pick = await coming;
    same([pick.step, pick.label], ['pick', 'Oslo']);
    // A list of several that closes with each choice is opened so again.
    await page.main('c.ariaExpanded = false; d.hidden = true; c.blur()');
    await page.main('d.firstElementChild.ariaMultiSelectable = "true"');
    await begin(page, '#c', 'Oslo', 'Rome');
    const shows = (is) => page.main(`c.ariaExpanded = ${is}; d.hidden = ${!is}`);
    for (const label of ['Rome', 'Oslo']) {
      equal((await next(page)).step, 'open');
      equal((await next(page)).step, 'open');
      equal((await page.call('locate', { target: 'bridle:pointed' })).css, '#a');
      const opening = next(page);
      await shows(true);
      equal((await opening).label, label);
      await shows(false);
    }
  },

  // [tool.snapshot.hints] Univer
  'a drawing that takes the focus says that it is one, and how large': async (page) => {
    const yaml = await shown(
      page,
      '<canvas id="sheet" tabindex="1" width="600" height="300"></canvas><canvas style="cursor:pointer" width="40" height="40"></canvas>',
    );
    has(yaml, /generic \[ref=e\d+\] \[looks=canvas 600x300\] \[id=sheet\]/);
  },

  // [tool.snapshot.hidden] TOAST UI's calendar, which lets no gap between its boxes by letters of no size
  'controls in a box whose letters have no size have letters of their own': async (page) => {
    const yaml = await shown(
      page,
      `<div style="font-size:0"><select aria-label="Hour"><option>9</select><input aria-label="Day"><button>Go</button>
        <select aria-label="Minute" style="font-size:0"><option>5</select> none</div>`,
    );
    has(yaml, /^ *- combobox "Hour" \[ref=e\d+\]:?$/m);
    has(yaml, /^ *- textbox "Day" \[ref=e\d+\]$/m);
    has(yaml, /^ *- button "Go" \[ref=e\d+\]$/m);
    hasNot(yaml, /Minute|none/);
  },

  // [tool.snapshot] TOAST UI's calendar
  'emphasis in a box of its own within a line is apart from the text that a space parts it from': async (page) => {
    const line = (gap) => plain(page, `<div><span><strong>09:00</strong>${gap}<span>Standup</span></span></div>`);
    for (const gap of [' ', '&nbsp;']) equal(await line(gap), '- strong: "09:00"\n- text: Standup');
    equal(await line(''), '- text: "09:00Standup"');
    equal(
      await plain(page, '<p>Eat <span>(<a href="#">eggs</a>)</span></p>'),
      await plain(page, '<p>Eat (<a href="#">eggs</a>)</p>'),
    );
  },

  // [tool.snapshot.delta] Univer
  'where most of the page is drawn an unchanged one is not said to be so': async (page) => {
    const changes = async (width) => {
      await shown(page, `<canvas width="${width}" height="600" tabindex="0"></canvas>`);
      return page.yaml({ mode: 'delta' });
    };
    equal(await changes(900), '- no changes since the last snapshot, but what a canvas draws is not in it');
    equal(await changes(100), '- no changes since the last snapshot');
  },

  // [tool.snapshot.delta] OpenUI5
  'what all rows begin with tells none from another': async (page) => {
    const row = (id, name, pay) =>
      `<tr><td role="gridcell" tabindex="-1"><input type="checkbox" aria-label="Select item"><td role="gridcell" tabindex="-1">${id}
        <td role="gridcell" tabindex="-1"><a href="#${id}">${name}</a><td role="gridcell" tabindex="-1" id="${id}">${pay}`;
    await shown(page, `<table role="grid">${row('SO1', 'Ann', 5)}${row('SO2', 'Bo', 6)}</table>`);
    await page.main('SO1.textContent = "7"');
    const told = await page.yaml({ mode: 'delta' });
    has(told, 'SO1');
    has(told, /"7"/);
    hasNot(told, 'Select item');
  },

  // [tool.snapshot.quiet] OpenUI5, whose popovers stand in a box without a size that hides what overflows it
  'aria-hidden text of a popover is shown, as the box around it that hides what overflows it places none of it': async (
    page,
  ) => {
    const popover = (place) =>
      `<div style="width:0;height:0;overflow:hidden"><div role="dialog" aria-label="Day" style="${place}"><div role="grid">
        <div role="row"><div role="columnheader"><span aria-hidden="true">Sun</span></div></div></div></div></div>`;
    has(await shown(page, popover('position:absolute;left:40px;top:40px')), /columnheader.*: Sun/);
    hasNot(await shown(page, popover('margin:40px;width:100px')), 'Sun');
  },

  // [tool.snapshot.hints] Storybook's list of stories
  'an item with several controls is chosen where its box says so, and the one beside it that it is not': async (
    page,
  ) => {
    const item = (text, is) =>
      `<div data-selected="${is}"><a href="#${text}">${text}</a><button aria-label="More"></button></div>`;
    const yaml = await shown(page, `<nav>${item('Docs', true)}${item('Primary', false)}</nav>`);
    has(yaml, /link "Docs" \[ref=e\d+\] \[data-selected\]/);
    has(yaml, /link "Primary" \[ref=e\d+\]:/);
    hasNot(yaml, /button "More".* \[data-selected\]/);
    // What all say tells none from another.
    hasNot(await shown(page, `<nav>${item('Docs', true)}${item('Primary', true)}</nav>`), 'data-selected');
  },

  // [tool.snapshot.hints] Docusaurus
  'a class for highlights that all have is no state, and hides none': async (page) => {
    const link = (text, is) =>
      `<li><a href="#${text}" class="toc-highlight ${is ? 'link--active' : ''}">${text}</a></li>`;
    const yaml = await shown(page, `<ul>${link('A', false)}${link('B', true)}${link('C', false)}</ul>`);
    hasNot(yaml, 'toc-highlight');
    has(yaml, /link "B" \[ref=e\d+\] \[class=link--active\]/);
    has(
      await shown(page, '<ul><li class="row-highlight"><a href="#">A</a><li><a href="#">B</a></ul>'),
      'row-highlight',
    );
  },

  // [tool.snapshot.delta] Jspreadsheet
  'a row of which only the state has changed is told with the cell that names it': async (page) => {
    const row = (id, name) => `<tr id="${id}"><td>${id}<td>5<td>${name}<td><input type="checkbox"><td>x</tr>`;
    await shown(
      page,
      `<style>.selected { background: #ccc }</style><table>${row('A1', 'Ann')}${row('A2', 'Bo')}<tr id="A3"><td>3<td><td></table>`,
    );
    const told = async (script) => {
      await page.main(script);
      return withoutRefs(await page.yaml({ mode: 'delta' }));
    };
    equal(await told('A1.className = "selected"'), '- table:\n  - row [class=selected]:\n    - cell "A1"');
    equal(await told('A1.className = ""'), '- table:\n  - row:\n    - cell "A1"');
    // One without words is told whole.
    has(await told('A3.className = "selected"'), /row \[class=selected\]:\n    - cell "3"/);
  },

  // [tool.snapshot] OpenUI5, Vaadin
  'that a row is selected is said once, that a cell of another one is by the cell': async (page) => {
    const cell = (text, is) => `<div role="gridcell" aria-selected="${is}">${text}</div>`;
    const row = (is, cells) => `<div role="row" aria-selected="${is}">${cells}</div>`;
    const yaml = await shown(
      page,
      `<div role="grid">${row(true, cell('A', true) + cell('B', true))}${row(false, cell('C', false) + cell('D', true))}</div>`,
    );
    has(yaml, /row \[selected\]/);
    for (const name of ['A', 'B', 'C']) has(yaml, new RegExp(`gridcell "${name}" \\[ref=e\\d+\\]$`, 'm'));
    has(yaml, /gridcell "D" \[selected\]/);
  },

  // Handsontable's boxes to tick
  'a cell that a grid draws anew is not told as gone too': async (page) => {
    const cell = (inner) => `<div role="gridcell" tabindex="-1">${inner}</div>`;
    await shown(
      page,
      `<div role="grid"><div role="row" id="row">${cell('Ada')}${cell('<input type="checkbox" checked aria-label="Checked">')}${cell('red')}</div></div>`,
    );
    const told = await delta(
      page,
      `row.children[1].outerHTML = ${JSON.stringify(cell('<input type="checkbox" aria-label="Unchecked">'))}`,
    );
    has(told, '- checkbox "Unchecked"');
    hasNot(told, 'removed');
    // What has nothing in its place has gone.
    has(await delta(page, 'row.children[1].remove()'), 'removed');
  },

  // [tool.snapshot.labels] DevExtreme's radio buttons
  'the words drawn beside a radio button that is called by them are left out': async (page) => {
    const item = (name) =>
      `<div class="i"><div role="radio" tabindex="-1" aria-checked="false" aria-label="${name}"><div class="c"></div></div><div>${name}</div></div>`;
    equal(
      await plain(
        page,
        `<style>.i { cursor: pointer; display: flex } .c { width: 10px; height: 10px; border: 1px solid }</style>
        <div role="radiogroup" aria-label="Size">${item('S')}${item('M')}</div>`,
      ),
      '- radiogroup "Size":\n  - radio "S"\n  - radio "M"',
    );
  },

  // [tool.snapshot.delta] EUI's tables
  'a row that has gone is not told by the box to tick that is called by its number': async (page) => {
    const row = (name, i) =>
      `<tr><td><input type="checkbox" aria-label="Select row ${i + 1}"><td>${name}<td><button>Actions</button>`;
    const rows = (names) => names.map(row).join('');
    await plain(page, `<table><tbody id="t">${rows(['Ada', 'Ben', 'Cleo'])}</table>`);
    const told = await delta(page, `t.innerHTML = \`${rows(['Dan', 'Eve', 'Finn'])}\``);
    has(told, '- removed: ["row: Ada", "row: Ben", "row: Cleo"]');
  },

  // [tool.actionable] EUI's range of two
  'the thumb of a slider that an input of the same slider lies over is taken hold of there': async (page) => {
    await shown(
      page,
      `<div style="position:relative;width:200px;height:20px"><div role="slider" tabindex="0" aria-label="From" aria-valuenow="20" id="t" style="position:absolute;left:40px;width:16px;height:16px;background:gray"></div>
       <input type="range" aria-hidden="true" tabindex="-1" style="position:absolute;inset:0;width:200px;margin:0;opacity:0.5"></div>`,
    );
    for (const kind of ['click', 'type', 'drag']) {
      const { ok: isReady, error } = await page.call('actionable', {
        target: '#t',
        kind,
        timeout: kPatience,
        callId: 1,
      });
      ok(isReady, error);
    }
  },

  // [tool.snapshot.labels] EUI's forms
  'a label that is invalid with its field has no line for that alone': async (page) => {
    await plain(page, '<label for="n" id="l">Name</label><input id="n"><p>Rest');
    equal(await delta(page, `l.ariaInvalid = n.ariaInvalid = 'true'`), '- textbox "Name" [invalid]');
  },
};
