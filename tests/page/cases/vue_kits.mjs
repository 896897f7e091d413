// What PrimeVue, React-Admin, JSONForms and their like have shown.
import { delta, equal, has, hasNot, plain, refOf, refused, shown } from '../expect.mjs';

const kTick = '<svg viewBox="0 0 9 9" width="16" height="16" fill="currentColor"';

export default {
  // [tool.snapshot.icons]
  'an icon that is hidden from readers is told by what its author calls it': async (page) => {
    const icon = (more) => `<td><span>${kTick} aria-hidden="true" ${more}><path d="M0 0l5 5"/></svg></span></td>`;
    const html = `<table><tr><td>Posts${icon('aria-label="Yes"')}<td>Users${icon('data-testid="NoIcon" class="big"')}</tr></table>`;
    equal(
      await plain(page, html),
      `- table:
  - row:
    - cell "Posts"
    - cell [icon=Yes]
    - cell "Users"
    - cell [icon=NoIcon]`,
    );
  },

  // [tool.snapshot.brief]
  'a box that does no more than call the only field in it is one line with that': async (page) => {
    const box = (words) => `<span aria-label="Select Milk"><input type="checkbox">${words}</span>`;
    equal(await plain(page, box('')), '- checkbox "Select Milk"');
    has(await plain(page, box(' twice')), '- generic "Select Milk":\n  - checkbox');
    const unreached = box('').replace('type', 'tabindex="-1" type');
    has(await plain(page, unreached), '- generic "Select Milk":\n  - checkbox');
    has(await plain(page, box('<input type="radio">')), '- generic "Select Milk":\n  - checkbox');
    await shown(page, `<p>Milk</p>${box('')}<input type="checkbox" aria-label="Other">`);
    const renamed = `document.querySelector('span').setAttribute('aria-label', 'Select Bread')`;
    equal(await delta(page, renamed), '- checkbox "Select Bread"');
  },

  // [tool.snapshot.delta]
  'a row that has gone is told by what no other row has, though each begins alike': async (page) => {
    const row = (name) => `<tr tabindex="0"><td><input type="checkbox" aria-label="Select this row"><td>${name}</tr>`;
    await shown(page, `<table><tbody id="t">${['Ada', 'Grace', 'Linus'].map(row).join('')}</tbody></table>`);
    has(await delta(page, `t.rows[1].remove()`), 'removed: "row: Grace"');
  },

  // [tool.snapshot.brief]
  'a text that is the name of the item it stands in is told once, also where scripts may focus it': async (page) => {
    const html = `<style>a,.row{cursor:pointer}</style><ul role="menubar"><li role="menuitem" aria-label="File"><div><a tabindex="-1"><span>File</span></a></div></li>
      <li role="menuitem" aria-label="Help"><a tabindex="-1">Help <b>F1</b></a></li></ul>
      <ul role="tree"><li role="treeitem" aria-label="Docs" aria-expanded="false"><div class="row"><button>+</button><span>Docs</span></div></li></ul>`;
    equal(
      await plain(page, html),
      `- menubar:
  - menuitem "File"
  - menuitem "Help":
    - generic: Help F1
- tree:
  - treeitem "Docs" [collapsed]:
    - button "+"`,
    );
  },

  // [tool.snapshot.brief]
  'radio buttons that only show a value are told by the chosen one': async (page) => {
    const stars = (chosen) =>
      [1, 2, 3]
        .map((n) => `<input type="radio" readonly aria-label="${n} stars" ${n === chosen ? 'checked' : ''}>`)
        .join('');
    const html = (chosen) => `<table><tr><td>Milk<td><div>${stars(chosen)}</div></tr></table>`;
    has(await plain(page, html(2)), '- row:\n    - cell "Milk"\n    - radio "2 stars" [checked] [readonly]');
    has(await plain(page, html(0)), '- radiogroup [readonly]: … none of 3 checked');
    const free = await plain(page, html(2).replaceAll('readonly', ''));
    has(free, 'radio "1 stars"');
    has(free, 'radio "3 stars"');
  },

  // [tool.target.covered]
  'a radio button in a box of no size is clicked by what is drawn beside that box': async (page) => {
    const star = (
      n,
    ) => `<span class="s" onclick="this.querySelector('input').checked = true"><span class="h"><input type="radio" name="r"
      aria-label="${n} stars"></span>${kTick}><path d="M0 0h9v9z"/></svg></span>`;
    for (const more of ['', '.h input{transform:scale(0)}']) {
      const style = `<style>.s{display:inline-block;position:relative;cursor:pointer}svg{display:block}${more}
        .h{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0 0 0 0);opacity:0;pointer-events:none}</style>`;
      const yaml = await shown(page, style + '<p style="height:300px">' + star(1) + star(2));
      const { x, y, error } = await page.call('actionable', {
        target: refOf(yaml, '2 stars'),
        timeout: 500,
        callId: 1,
      });
      equal(error, undefined);
      await page.click(x, y);
      equal(await page.main(`document.querySelectorAll('input')[1].checked`), true);
    }
  },

  // [tool.snapshot.brief]
  'what is drawn in a part of a button that its author calls otherwise is told': async (page) => {
    const html = `<button><span aria-label="Index">1</span> <b aria-label="Open now">now</b></button>
      <div role="button" tabindex="0"><span aria-label="Index">2</span><button aria-label="Delete"></button></div>
      <button><span aria-label="Close">x</span></button>`;
    equal(
      await plain(page, html),
      `- button "Index Open now": "1"
- button "Index Delete":
  - text: "2"
  - button "Delete"
- button "Close"`,
    );
  },

  // [tool.snapshot.icons]
  'a word that a font of icons draws is no text where it stands in a box of its own': async (page) => {
    const icon = (word) =>
      `<i aria-hidden="true" style="font-family:'Material Icons'"><span aria-hidden="true">${word}</span><!----></i>`;
    const html = `<table><tr><td>Milk<td>${icon('check')}<td><button>${icon('edit')}</button></table><p><b><span>check</span></b></p>
      <label><div><input aria-label="Day"></div><div>${icon('event').replace('style="', 'style="cursor:pointer;')}</div></label>`;
    equal(
      await plain(page, html),
      `- table:
  - row:
    - cell "Milk"
    - cell [icon=check]
    - button [icon=edit]
- paragraph: check
- textbox "Day"
- generic [icon=event] [cursor=pointer]`,
    );
  },

  // [tool.snapshot.labels]
  "a label's words are told once, however deep in the label they stand beside its field": async (page) => {
    const html = `<label><div><div tabindex="-1"><div><div>Name</div><input aria-label="Name" value="Ada"></div></div><div>3 letters</div></div></label>`;
    equal(await plain(page, html), '- textbox "Name": Ada\n- generic: "3 letters"');
  },

  // [tool.snapshot.brief]
  'what is titled by all its words says them once': async (page) => {
    const html = `<p title="6 / page"><span>6 / page</span></p><div title="6 / page"><div>6 / page</div></div>`;
    equal(await plain(page, html), '- paragraph "6 / page"\n- generic "6 / page"');
  },

  // [tool.snapshot.hints]
  'a picture that is a part of a file is called by that part': async (page) => {
    const icon = (url) =>
      `<button><span style="display:inline-block;width:18px;height:18px;background:#000;mask:url('${url}')"></span></button>`;
    const html = icon('/icons/all.svg#check') + icon('/icons/all.svg?v=2#unchecked') + icon('/icons/one.svg');
    equal(await plain(page, html), '- button [icon=check]\n- button [icon=unchecked]\n- button [icon=one.svg]');
  },

  // [tool.snapshot.delta]
  'buttons that come into sight with words are told with these, and what stands beside them is not': async (page) => {
    const html = `<div><div><div id="left" style="opacity:0"><button>Clear</button></div><button id="del" style="opacity:0">Delete</button></div>
      <table><tr><th>Name<th>Age</tr><tr><td>Ada<td><input type="checkbox" id="c"></tr></table></div><p>End</p>`;
    await shown(page, html);
    const seen = await delta(
      page,
      `left.style.opacity = del.style.opacity = 1; c.checked = true; left.append('1 chosen')`,
    );
    equal(
      seen,
      `- generic:
  - generic:
    - generic:
      - button "Clear"
      - text: "1 chosen"
    - button "Delete"
  - table:
    - row:
      - cell "Ada"
      - checkbox [checked]`,
    );
  },

  // [tool.snapshot.delta]
  'a box that comes around one of many members of a group is not the group': async (page) => {
    const fields = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => `<input aria-label="${name}">`).join('');
    const html = `<form><div>${fields}<div id="w"><p>Links</p><button id="add">Add</button></div></div><div role="toolbar"><button>Save</button></div></form>`;
    await shown(page, html);
    const seen = await delta(
      page,
      `const box = document.createElement('div'); box.innerHTML = '<ul><li><input aria-label="Url"></li></ul><div></div>';
      box.lastChild.append(add, document.createElement('button')); box.lastChild.lastChild.textContent = 'Clear'; w.append(box)`,
    );
    has(seen, 'textbox "Url"');
    has(seen, 'button "Clear"');
    hasNot(seen, 'moved');
  },

  // [tool.snapshot.icons.controls]
  'a control whose class a library of styles makes anew has no other icon for that': async (page) => {
    const html = `<button id="b" class="css-1abc" disabled><span class="css-9x"><svg width="16" height="16" class="css-2def" data-testid="SaveIcon"><path d="M0 0h9v9z"/></svg></span>Save</button>`;
    equal(await plain(page, html), '- button "Save" [disabled]');
    const script = `b.className = 'css-7ghi'; b.firstChild.className = 'css-8jkl'; b.disabled = false`;
    equal(await delta(page, script), '- button "Save"');
  },

  // [tool.snapshot.drawings]
  'what a canvas holds for readers is told in its place': async (page) => {
    const row = (role, cells, more = '') =>
      `<tr role="row">${cells.map((cell) => `<td role="${role}" tabindex="-1" ${more}>${cell}</td>`).join('')}</tr>`;
    const html = `<canvas width="300" height="200" id="c"><table role="grid" aria-label="People"><thead role="rowgroup">${row('columnheader', ['Name', 'Age'])}</thead>
      <tbody role="rowgroup">${row('gridcell', ['Ada', '36'])}${row('gridcell', ['Grace', '85'])}</tbody></table></canvas>
      <canvas width="300" height="200"><p>Your browser is too old.</p></canvas>`;
    equal(
      await plain(page, html),
      `- generic [looks=canvas 300x200]:
  - grid "People":
    - row: Name | Age
    - row: Ada | 36
    - row: Grace | 85
- generic [looks=canvas 300x200]`,
    );
    const script = `const cell = c.querySelectorAll('td')[4]; cell.textContent = 'Linus'; cell.setAttribute('aria-selected', 'true')`;
    has(await delta(page, script), '- grid "People":\n    - row: Linus [selected] | 85');
    await refused(page, { target: 'text=Linus' }, /only describes what .*canvas.* draws: click that at a position/);
  },

  // [tool.select.unseen]
  'an option that the page keeps itself is told as selected, though the page sets the field back first': async (
    page,
  ) => {
    await page.load(`<!doctype html><select onchange="const { value } = this; this.value = 'p'; requestAnimationFrame(() => (this.value = value))">
      <option value="p">Normal<option value="h">Heading</select><select onchange="this.value = 'p'"><option value="p">Add<option value="h">One</select>`);
    const chosen = await page.call('select', { target: 'select >> nth=0', values: ['Heading'] });
    equal(chosen.selected[0].label, 'Heading');
    equal(chosen.now, undefined);
    equal((await page.call('select', { target: 'select >> nth=1', values: ['One'] })).now[0].label, 'Add');
  },

  // [tool.snapshot.hints] Element Plus, Bootstrap, Naive UI
  'a box to tick is not called by a class that says no more than that it is one': async (page) => {
    const boxes = [
      'el-checkbox__original',
      'form-check-input',
      'n-checkbox',
      'remember-checkbox',
      'x-switch-input row-picker',
    ];
    equal(
      await plain(page, boxes.map((classes) => `<input type="checkbox" class="${classes}">`).join('')),
      '- checkbox\n- checkbox\n- checkbox\n- checkbox [class=remember-checkbox]\n- checkbox [class=row-picker]',
    );
  },

  // [tool.snapshot.hints] Django's lists
  'the boxes to tick of the rows of a table are all called by their values, of one digit too': async (page) => {
    const row = (n) => `<tr><td><input type="checkbox" value="${n}" class="action-select"><td>Item ${n}`;
    const yaml = await plain(
      page,
      `<table><tr><th><th>Name${row(10)}${row(9)}</table><input type="checkbox" value="1" class="agree">`,
    );
    for (const told of ['checkbox [value=10]', 'checkbox [value=9]', 'checkbox [class=agree]']) has(yaml, told);
  },

  // [tool.snapshot.icons] TDesign's rating
  'the full star that a box of no width cuts off is not told': async (page) => {
    const star = (
      colour,
    ) => `<svg viewBox="0 0 24 24" width="24" height="24" class="icon icon-star" style="color:${colour}">
      <path fill="currentColor" d="M12 0L14 8L23 9L16 14L19 22L12 17L4 22L7 14L0 9L9 8Z"/></svg>`;
    const item = (width) =>
      `<li><div class="top" style="width:${width}">${star('#ed7b2f')}</div><div>${star('#e8e8e8')}</div></li>`;
    const style =
      '<style>.top{position:absolute;overflow:hidden;height:24px} li{position:relative;display:inline-block;cursor:pointer;width:24px}</style>';
    equal(
      await plain(page, `${style}<ul>${item('100%')}${item('0')}</ul>`),
      `- list:
  - listitem [icon=icon-star orange] [icon=icon-star] [cursor=pointer]
  - listitem [icon=icon-star] [cursor=pointer]`,
    );
    equal(
      await delta(page, `document.querySelectorAll('.top')[1].style.width = '100%'`),
      '- list:\n  - listitem [icon=icon-star orange] [icon=icon-star] [cursor=pointer]',
    );
  },
};
