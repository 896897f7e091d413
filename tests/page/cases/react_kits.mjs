// What kits for React and jQuery have shown: grids, dialogs that grow, pagers, calendars, lists to choose from.
import { delta, equal, has, hasNot, kPatience, ok, plain, refused, shown } from '../expect.mjs';

export default {
  // [tool.snapshot] a data grid's headers, whose menus the mouse shows
  'the label of what is hidden is no part of a name': async (page) => {
    const header = (style) =>
      `<div role="grid"><div role="row"><div role="columnheader" style="cursor:pointer"><b>Age</b><div ${style}><button aria-label="Age column menu"></button><img alt="Sorted"></div></div></div></div>`;
    has(await plain(page, header('style="visibility:hidden;width:0"')), 'columnheader "Age" [cursor=pointer]');
    has(await plain(page, header('')), 'button "Age column menu"');
    has(
      await plain(
        page,
        '<button><span style="visibility:hidden" aria-label="Loading">x<b style="visibility:visible">Go</b></span></button>',
      ),
      'button "Go"',
    );
    const label = '<p id="l" style="visibility:hidden"><i aria-label="Town"></i></p><input aria-labelledby="l">';
    has(await plain(page, label), 'textbox "Town"');
  },

  // [tool.snapshot.brief] poppers that are called tooltips
  'a tooltip that holds controls is not called by all that they say': async (page) => {
    equal(
      await plain(page, '<div role="tooltip"><button>Delete</button><label>Value <input></label></div>'),
      '- tooltip:\n  - button "Delete"\n  - textbox "Value"',
    );
    equal(await plain(page, '<div role="tooltip">Delete <b>it</b></div>'), '- tooltip "Delete it"');
  },

  // [tool.snapshot] pagers whose buttons own the table
  'the rows of a table are not moved into a button that owns them': async (page) => {
    equal(
      await plain(
        page,
        `<div role="grid" aria-label="Orders"><table role="presentation" id="t"><tr><td role="gridcell">10248</td></tr></table></div>
         <div role="button" title="First page" aria-owns="t" tabindex="0"></div><button aria-owns="t">Next</button>`,
      ),
      '- grid "Orders":\n  - gridcell "10248"\n- button "First page"\n- button "Next"',
    );
  },

  // [tool.snapshot.delta] dialogs that grow as they come
  'what comes and grows to its size is not told as zoomed': async (page) => {
    await shown(page, '<button>Open</button><div id="was" style="width:900px;height:500px"></div>');
    const grown = `<div role="dialog" aria-label="Date" id="d" style="transform:scale(0.75);width:900px;height:500px"><button>OK</button></div>`;
    const told = await delta(
      page,
      `document.body.insertAdjacentHTML('beforeend', '${grown}'); d.style.transform = 'none'; 0`,
    );
    has(told, 'dialog "Date"');
    hasNot(told, 'zoomed');
  },

  // [tool.snapshot.hints] bootstrap's pickers
  'a day of another month is told by a short word among those of days': async (page) => {
    const cell = (names, day) => `<td class="${names}">${day}</td>`;
    const told = await plain(
      page,
      `<table><tr>${cell('old day', 31)}${cell('day', 1)}${cell('new day', 2)}${cell('weekend off ends available', 3)}${cell('new', 4)}</tr></table>`,
    );
    has(told, 'cell "31" [class=old]');
    has(told, /cell "1"\n/);
    has(told, 'cell "2" [class=new]');
    has(told, 'cell "3" [class=off]');
    has(told, /cell "4"$/);
  },

  // [tool.target] a list drawn for a select of no opacity
  'an option by its line is the one that is drawn, not that of a select that another widget is drawn for': async (
    page,
  ) => {
    await shown(
      page,
      `<style>select { position: absolute; bottom: 0; left: 50%; width: 0.5px; height: 100%; padding: 0; border: none; opacity: 0 } div { position: relative; width: 220px }</style>
       <div><select multiple><option>Apple<option>Banana</select><button role="combobox" aria-expanded="true" aria-label="Fruit">None</button>
       <div role="listbox"><a role="option" tabindex="0">Apple</a><a role="option" tabindex="0" id="b"><i></i><span>Banana</span></a></div></div>`,
    );
    const found = await page.call('actionable', { target: 'option "Banana"', timeout: kPatience, callId: 1 });
    ok(found.ok, found.error);
    equal(await page.main(`document.elementFromPoint(${found.x}, ${found.y}).closest('a').id`), 'b');
  },

  // [tool.target.words] lists of suggestions without roles
  'words alone name the one text to press that says just that': async (page) => {
    await shown(
      page,
      `<ul><li style="cursor:pointer"><div>Java</div></li><li style="cursor:pointer"><div id="j">JavaScript</div></li></ul><h2>Heading</h2><p style="cursor:pointer">Twice</p><p style="cursor:pointer">Twice</p>`,
    );
    const found = await page.call('actionable', { target: 'JavaScript', timeout: kPatience, callId: 1 });
    ok(found.ok, found.error);
    equal(await page.main(`document.elementFromPoint(${found.x}, ${found.y}).id`), 'j');
    for (const target of ['Heading', 'Twice']) {
      const none = await page.call('actionable', { target, timeout: 50, callId: 1 });
      ok(!none.ok, target);
    }
  },

  // [tool.snapshot.hidden-controls] controls in boxes for readers alone
  'a checkbox or a slider in a box that hides it is told without that': async (page) => {
    const hides =
      'style="clip-path:inset(50%);height:1px;margin:-1px;overflow:hidden;position:absolute;width:1px;white-space:nowrap"';
    const box = (control) => `<span ${hides}>${control}</span>`;
    equal(
      await plain(
        page,
        `<label style="display:block">${box('<input type="checkbox" id="c">')}<i style="display:inline-block;width:20px;height:20px;border:1px solid"></i> Subscribe</label>
         <div role="group" aria-labelledby="l"><label id="l">Opacity</label><div style="width:200px;height:20px;position:relative;background:#ccc">
         <div style="position:absolute;width:20px;height:20px;background:blue">${box('<input type="range" aria-labelledby="l" value="30">')}</div></div></div>
         ${box('<button>Dismiss</button>')}`,
      ),
      `- checkbox "Subscribe"
- slider "Opacity": "30"
- generic [hidden text]:
  - button "Dismiss"`,
    );
    const { x, y } = await page.call('actionable', { target: 'checkbox', timeout: kPatience, callId: 1 });
    await page.click(x, y);
    hasNot(await page.yaml({ mode: 'delta' }), 'scrolled');
    equal(await page.main('c.checked'), true);
  },

  // [tool.actionable] lists to sort by a handle
  'a handle that lets the mouse through to what is dragged by it is pressed there': async (page) => {
    const html = (draggable) =>
      `<ul role="grid"><li role="row" draggable="${draggable}"><div role="gridcell" style="display:contents"><button style="pointer-events:none">Drag</button> One</div></li></ul>`;
    await shown(page, html('true'));
    const ready = await page.call('actionable', {
      target: 'button "Drag"',
      kind: 'drag',
      timeout: kPatience,
      callId: 1,
    });
    ok(ready.ok, ready.error);
    await shown(page, html('false'));
    await refused(page, { target: 'button "Drag"', kind: 'drag' }, 'pointer-events is none');
  },

  // [tool.target] menus called after their own ellipsis
  'a name that ends with an ellipsis is first what is called so': async (page) => {
    await shown(page, '<button>Options and more</button><button id="b">Options…</button>');
    const found = await page.call('actionable', { target: 'button "Options…"', timeout: kPatience, callId: 1 });
    equal(found.describe, 'button "Options…"');
    equal(found.count, 1);
  },

  // [tool.snapshot.quiet] a tree's boxes, which readers get as the item's own state
  'the box of an item of a tree is told where a click on the item selects it': async (page) => {
    const item = (more) =>
      `<ul role="tree"><li role="treeitem" aria-checked="false" ${more}><span><input type="checkbox" aria-hidden="true" tabindex="-1"></span><span>Tables</span></li></ul>`;
    equal(await plain(page, item('aria-selected="false"')), '- tree:\n  - treeitem "Tables":\n    - checkbox');
    equal(await plain(page, item('')), '- tree:\n  - treeitem "Tables"');
    hasNot(
      await plain(
        page,
        `<div style="height:20px;overflow:hidden"><i style="display:block;height:60px"></i>${item('aria-selected="false"')}</div>`,
      ),
      'checkbox',
    );
  },

  // [tool.snapshot.brief] calendars that call their days by title
  'a day that is called by its title is one line with its cell': async (page) => {
    const day = (names, title) =>
      `<td role="gridcell" class="${names}"><span style="cursor:pointer" title="${title}">28</span></td>`;
    equal(
      await plain(
        page,
        `<table role="grid"><tr role="row">${day('k-other-month', 'Sunday, April 28, 2024')}${day('', 'Tuesday, May 28, 2024')}</tr></table>`,
      ),
      `- grid:
  - row:
    - gridcell "Sunday, April 28, 2024" [class=k-other-month] [cursor=pointer]
    - gridcell "Tuesday, May 28, 2024" [cursor=pointer]`,
    );
  },

  // [tool.snapshot.labels] widgets drawn for a hidden field
  'a label of a hidden field that calls what is drawn for it is told once': async (page) => {
    const html = (id) =>
      `<p><label for="f" id="l">Color</label> <span role="combobox" tabindex="0" aria-expanded="false" aria-labelledby="${id}">Black</span><input id="f" style="display:none"></p>`;
    equal(await plain(page, html('l')), '- paragraph:\n  - combobox "Color": Black');
    has(await plain(page, html('')), 'Color\n');
  },

  // [tool.snapshot.icons] a calendar's form
  'an icon is told by a class that says so in two letters': async (page) => {
    const button = (icon) =>
      `<button class="kit-popup-button"><i class="kit-icon ${icon}" style="display:inline-block;width:20px;height:20px"></i></button>`;
    equal(await plain(page, button('kit-ic-close')), '- button [icon=kit-ic-close]');
    equal(await plain(page, button('kit-basic-frame')), '- button [class=kit-popup-button]');
  },

  // [tool.actionable] a grid whose headers sort by an anchor without a link
  'a header whose only part to press is no control is pressed there': async (page) => {
    await shown(
      page,
      `<table><tr><th style="width:200px">Price<a id="s" style="display:inline-block;width:12px;height:12px;cursor:pointer"></a></th></tr></table>`,
    );
    const found = await page.call('actionable', { target: 'columnheader "Price"', timeout: kPatience, callId: 1 });
    ok(found.ok, found.error);
    equal(await page.main(`document.elementFromPoint(${found.x}, ${found.y}).id`), 's');
  },

  // [tool.snapshot.hints] a grid's buttons to sort
  'a part of a header that has sorted says which way by its class': async (page) => {
    const header = (names) =>
      `<table><tr><th>Price<a class="kit-btn-sorting ${names}" style="display:inline-block;width:12px;height:12px;cursor:pointer"></a></th></tr></table>`;
    has(await plain(page, header('')), '[class=kit-btn-sorting]');
    has(await plain(page, header('kit-btn-sorting-up')), '[class=kit-btn-sorting-up]');
  },

  // [tool.snapshot.brief] a calendar whose caption is for readers
  'a caption in a box for readers is not told beside the name that it gives': async (page) => {
    const hidden = 'style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"';
    equal(
      await plain(page, `<table><caption><span ${hidden}>Dates</span></caption><tr><th>Sun</th></tr></table>`),
      '- table "Dates":\n  - row:\n    - columnheader "Sun"',
    );
  },

  // [tool.snapshot] an editor of blocks, each of which is one by itself
  'a block that is edited by itself says so, whatever it is': async (page) => {
    equal(
      await plain(
        page,
        '<h2 contenteditable>My title</h2><p contenteditable>Text</p><ul><li contenteditable>One</li></ul><div contenteditable><h3>In it</h3><p contenteditable>Too</p></div>',
      ),
      `- heading "My title" [level=2] [editable]
- paragraph [editable]: Text
- list:
  - listitem [editable]: One
- generic [editable]:
  - heading "In it" [level=3]
  - paragraph: Too`,
    );
  },

  // [tool.snapshot.labels] a dialog that may ask for any kind of value
  'a field for files that a dialog keeps ready beside others is not told as one to upload by': async (page) => {
    const html = (others) =>
      `<div role="dialog" aria-label="Sure?"><input type="file" style="display:none">${others}<button>Yes</button></div>`;
    hasNot(
      await plain(page, html('<input style="display:none"><select hidden></select><textarea></textarea>')),
      'hidden file input',
    );
    has(await plain(page, html('<input type="hidden"><input style="display:none">')), '[hidden file input]');
  },
};
