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
};
