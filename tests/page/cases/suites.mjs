// What suites of widgets show, as pages of theirs were found to.
import { equal, has, hasNot, shown } from '../expect.mjs';

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
    const weeks = Array.from({ length: 4 }, (_, w) => `<tr>${[1, 2, 3, 4, 5, 6, 7].map((d) => day(w * 7 + d)).join('')}</tr>`);
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
};
