// What suites of widgets show, as pages of theirs were found to.
import { delta, equal, has, hasNot, kPatience, ok, quiet, shown } from '../expect.mjs';

const act = (page, target, timeout = kPatience) => page.call('actionable', { target, timeout, callId: 1 });

export default {
  // [tool.snapshot]
  'the items of an open submenu are no part of the name of the item that holds it': async (page) => {
    const item = (role, words) => `<li role=${role} tabindex=-1>${words}</li>`;
    equal(
      await shown(
        page,
        `<ul role=menubar><li role=menuitem aria-expanded=true tabindex=0><div>Sales</div>
        <ul role=menu>${item('menuitem', 'Orders')}${item('menuitemradio', 'Invoices')}</ul></ul>`,
      ),
      `- menubar [ref=e1]:
  - menuitem "Sales" [expanded] [ref=e2]:
    - menu [ref=e3]:
      - menuitem "Orders" [ref=e4]
      - menuitemradio "Invoices" [ref=e5]`,
    );
  },

  // [tool.snapshot.cuts.items]
  'of a row that is cut the words stay, not the handle and the empty cell that all rows have': async (page) => {
    const cell = (inner) => `<td role=gridcell>${inner}</td>`;
    const row = (i) =>
      `<tr role=row><td role=gridcell style="cursor:move" class="is-locked drag-handle"><i class=icon></i></td>${cell('')}${cell(i)}${cell('Task ' + i)}${cell('Ann')}${cell(i * 3)}${cell('1/1/202' + i)}</tr>`;
    await page.load(
      `<!doctype html><style>.icon{display:inline-block;width:16px;height:16px;background:url(icon-of-a-handle-to-drag.svg)}</style>
      <div role=grid tabindex=0><table role=presentation>${[1, 2, 3, 4, 5].map(row).join('')}</table></div>`,
    );
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 1000 });
    for (let i = 1; i <= 5; i++) has(yaml, `gridcell "Task ${i}"`);
    hasNot(yaml, 'handle');
  },

  // [tool.snapshot.cuts]
  'what a calendar clips goes before the month that it shows': async (page) => {
    const day = (n) => `<td role=gridcell style="cursor:pointer">${n}</td>`;
    const weeks = Array.from(
      { length: 4 },
      (_, w) => `<tr>${[1, 2, 3, 4, 5, 6, 7].map((d) => day(w * 7 + d)).join('')}</tr>`,
    );
    const month = (name) =>
      `<div style="width:200px;flex:none"><table role=grid aria-label="${name}">${weeks.join('')}</table></div>`;
    await page.load(
      `<!doctype html><div style="width:200px;overflow:hidden"><div style="display:flex;width:600px;transform:translateX(-200px)">
      ${month('September')}${month('October')}${month('November')}</div></div>`,
    );
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 2600 });
    has(yaml, 'grid "September" [ref=e1] [clipped]: … 4 items');
    has(yaml, 'gridcell "28"');
    equal(yaml.match(/gridcell/g).length, 28);
  },

  // [tool.snapshot.delta]
  'a control is active whose script has put the focus on an empty element within it': async (page) => {
    const ring = '<span tabindex=-1 class=ring></span>';
    await shown(
      page,
      `<style>.ring{position:absolute;pointer-events:none}</style><div role=checkbox aria-checked=false tabindex=0 id=a>${ring} Agree</div><button id=b>${ring}Save</button>`,
    );
    const focus = (id) => page.main(`document.querySelector('#${id} .ring').focus()`);
    await focus('a');
    equal(await page.yaml({ mode: 'delta' }), '- checkbox "Agree" [active] [ref=e1]');
    await focus('b');
    equal(await page.yaml({ mode: 'delta' }), '- button "Save" [active] [ref=e2]');
    equal(await page.yaml(), '- checkbox "Agree" [ref=e1]\n- button "Save" [active] [ref=e2]');
  },

  // [tool.actionable]
  'a checkbox of no size is clicked at what is drawn for it, before a label elsewhere': async (page) => {
    await page.load(`<!doctype html><label for=i>Active</label><div onclick="event.preventDefault(); on.textContent = 'on'">
      <input type=checkbox role=switch id=i style="position:absolute;width:0;height:0;opacity:0;margin:0"><span id=on
      style="cursor:pointer;display:inline-block;width:40px;height:20px;background:silver"></span></div>`);
    const ready = await act(page, '#i');
    ok(ready.ok, ready.error);
    ok(await page.main(`document.elementFromPoint(${ready.x}, ${ready.y}).id === 'on'`));
    await quiet(page);
    await page.load(`<!doctype html><input type=checkbox id=i style="position:absolute;width:0;height:0;opacity:0"><button
      style="cursor:pointer">Delete</button><label for=i id=l>Active</label>`);
    const other = await act(page, '#i');
    ok(await page.main(`document.elementFromPoint(${other.x}, ${other.y}).id === 'l'`));
    await quiet(page);
  },

  // [tool.target.covered]
  'the field of a list is clicked through to the box that opens it, one that is disabled is not': async (page) => {
    const field = (states) => `<div onclick="0"><div style="padding:9px"><input readonly role=combobox
      aria-expanded=false aria-label=Country style="pointer-events:none" ${states}></div></div>`;
    await page.load(`<!doctype html>${field('id=a')}${field('id=b aria-disabled=true')}`);
    const ready = await act(page, '#a');
    ok(ready.ok, ready.error);
    await quiet(page);
    ok(!(await act(page, '#b', 300)).ok);
    await quiet(page);
  },

  // [tool.snapshot]
  'a box in a line of text is part of that line, boxes beside boxes are not': async (page) => {
    const box = (words) => `<span style="display:inline-block">${words}</span>`;
    const lines = await shown(
      page,
      `<div>Inbox${box(4)}</div><div>${box(7)}unread</div><div>Ann ${box(31)}${box('Bonn')}</div><div>Cleo <a href="/c">more</a> ${box('new')}</div>`,
    );
    has(lines, 'generic [ref=e1]: Inbox 4\n');
    has(lines, 'generic [ref=e2]: "7 unread"\n');
    has(lines, '- text: Ann\n');
    has(lines, ': "31"\n');
    has(lines, ': Bonn\n');
    has(lines, ': new');
  },

  // [tool.snapshot]
  'an item that is all link is one line also while the link has the focus': async (page) => {
    const tab = (id) =>
      `<li role=tab aria-labelledby=${id}><a href="#${id}-panel" id=${id} role=presentation tabindex=-1>${id}</a></li>`;
    await page.load(`<!doctype html><ul role=tablist>${tab('First')}${tab('Second')}</ul>`);
    const before = await page.yaml({});
    await page.main("document.querySelector('#Second').focus()");
    equal(await page.yaml({}), before.replace('tab "Second"', 'tab "Second" [active]'));
  },

  // [tool.snapshot.delta]
  'a page that is hidden from readers while a list without a role is open is inert, not told once more': async (
    page,
  ) => {
    const list =
      '<div tabindex=0 style="position:absolute;height:1px;left:0;right:0;top:0"></div><input type=search aria-label=Find><div role=listbox aria-label=Sizes><div role=option tabindex=-1>Small</div></div>';
    await page.load(`<!doctype html><div><div id=root><h1>Orders</h1><button>Size</button><p>Some words</p><ul><li>One<li>Two</ul></div></div>
      <div id=drop style="position:absolute;top:40px;left:200px"></div>`);
    await page.yaml({ mode: 'delta' });
    const opened = await delta(
      page,
      `drop.innerHTML = '${list}'; root.setAttribute('aria-hidden', 'true'); drop.querySelector('input').focus()`,
    );
    equal(
      opened,
      `- listbox "Sizes":
  - option "Small"
- searchbox "Find" [active]
- text: … inert now: heading "Orders" [level=1], button "Size", paragraph, list`,
    );
    equal(
      await delta(page, "root.removeAttribute('aria-hidden'); drop.innerHTML = ''"),
      '- removed: listbox "Sizes"\n- removed: searchbox "Find"',
    );
  },

  // [tool.snapshot]
  'a class that a kit has made of a component and a count is no hint': async (page) => {
    const lines = await shown(
      page,
      '<div class="StyledBox-sc-13pk1d4-0 jhEmyu" style="cursor:pointer;width:20px;height:20px"></div><div class="StyledBox-sc-13pk1d4-0 swatch" style="cursor:pointer;width:20px;height:20px"></div>',
    );
    hasNot(lines, 'Styled');
    hasNot(lines, 'jhEmyu');
    has(lines, '[class=swatch]');
  },

  // [tool.snapshot.marks]
  'a drawn control is covered by what lies over it, not by what is seen through its middle': async (page) => {
    const lines = (over) =>
      shown(
        page,
        `<svg width=300 height=200><rect width=300 height=200 fill=white></rect>
        <path role=option tabindex=0 aria-label=Block d="M10 10H150V30H40V90H150V110H10Z" fill=green></path>
        <g role=button tabindex=0 aria-label=Zoom transform="translate(200 0)"><clipPath id=c><rect width=30 height=30></rect></clipPath>
        <image width=90 height=120 clip-path="url(#c)"></image><rect width=30 height=30 fill=none></rect><circle cx=15 cy=15 r=12></circle></g></svg>${over}`,
      );
    hasNot(await lines(''), '[covered]');
    const ready = await act(page, 'path');
    ok(await page.main(`document.elementFromPoint(${ready.x}, ${ready.y}).tagName === 'path'`));
    await quiet(page);
    has(
      await lines('<div style="position:absolute;inset:0;background:white">Over it</div>'),
      /option "Block" \[ref=e\d+\] \[covered\][\s\S]*button "Zoom" \[ref=e\d+\] \[covered\]/,
    );
  },

  // [tool.snapshot]
  'what a list that is something else holds is no item of a list': async (page) => {
    const item = '<li><div role=menuitem tabindex=-1>Save</div></li>';
    equal(
      await shown(
        page,
        `<ul role=menu>${item}<li role=none>${item}</li></ul><ul role=radiogroup><li><input type=radio aria-label=Red></li></ul><ul role=list>${item}</ul>`,
      ),
      `- menu [ref=e1]:
  - menuitem "Save" [ref=e2]
  - menuitem "Save" [ref=e3]
- radiogroup [ref=e4]:
  - radio "Red" [ref=e5]
- list [ref=e6]:
  - listitem:
    - menuitem "Save" [ref=e7]`,
    );
  },
};
