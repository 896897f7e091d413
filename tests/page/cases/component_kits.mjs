// What Mantine, Chakra UI, Carbon, PatternFly and their like have shown.
import { delta, equal, has, hasNot, plain, shown } from '../expect.mjs';

export default {
  // [tool.snapshot.secrets]
  'a password that the page shows is told to be readable, as its own button may say nothing': async (page) => {
    const html = `<label>Password <input type="password" id="p" value="hunter2"></label><label>Word <input value="a"></label>`;
    equal(await plain(page, html), '- textbox "Password": "[value hidden]"\n- textbox "Word": a');
    equal(await delta(page, `p.type = 'text'`), '- textbox "Password" [revealed]: "[value hidden]"');
    equal(await delta(page, `p.type = 'password'`), '- textbox "Password": "[value hidden]"');
  },

  // [tool.snapshot.hints]
  'controls of one class without a name are told apart by a word of their author': async (page) => {
    const arrow = '<svg viewBox="0 0 9 9" width="9" height="9"><path d="M0 0l5 5"/></svg>';
    const html = `<style>span{cursor:pointer;display:inline-block;width:20px;height:20px}</style>
      <div><button class="head" data-direction="previous" data-index="1">${arrow}</button><button class="head" data-side="a">May</button>
      <button class="head" data-direction="next" data-index="2">${arrow}</button></div>
      <div><span class="step" data-direction="up">${arrow}</span><span class="step" data-direction="down">${arrow}</span></div>
      <div><button class="one" data-variant="plain">${arrow}</button><button class="two" data-variant="full">${arrow}</button></div>`;
    equal(
      await plain(page, html),
      `- generic:
  - button [data-direction=previous]
  - button "May"
  - button [data-direction=next]
- generic:
  - generic [data-direction=up] [cursor=pointer]
  - generic [data-direction=down] [cursor=pointer]
- generic:
  - button [class=one]
  - button [class=two]`,
    );
  },

  // [tool.snapshot.hints]
  'an id that a library has made is no name, though it looks like a word by chance': async (page) => {
    const button = (id) => `<button id="${id}" class="more"></button>`;
    const html = `<p>${['kit-2yg9wlhsw-target', 'kit-qnxaoncxq-target', 'kit-ogjwdwlxa-target', 'kit-3yg9wlhsw', 'kit-qnxaoncxr'].map(button).join('')}</p>
      <p>${button('menu::r1a::trigger')}${button('checkbox::rm::input')}${button('tab_r_1b_')}</p>
      <p>${button('row-settings-open')}${button('row-advanced-open')}${button('car:blue:lights')}</p>`;
    equal(
      await plain(page, html),
      `- paragraph:
  - button [class=more]
  - button [class=more]
  - button [class=more]
  - button [class=more]
  - button [class=more]
- paragraph:
  - button [class=more]
  - button [class=more]
  - button [class=more]
- paragraph:
  - button [id=row-settings-open]
  - button [id=row-advanced-open]
  - button [id=car:blue:lights]`,
    );
  },

  // [tool.snapshot.pointers]
  'what only shades the page behind a dialog is nothing to press, and has no line when it goes': async (page) => {
    const html = `<style>.shade{position:fixed;inset:0;background:#0008;cursor:pointer} .box{position:fixed;left:100px;top:100px;
        background:#fff} body{margin:0}</style><p>Page</p><button>Open</button><div id="d"></div>`;
    await shown(page, html);
    const open = (role) =>
      `d.innerHTML = '<div class="shade"></div><section class="box" ${role}><button>Apply</button></section>'`;
    equal(
      await delta(page, open('role="dialog" aria-label="Rename" aria-modal="true"')),
      '- dialog "Rename":\n  - button "Apply"',
    );
    equal(await delta(page, `d.innerHTML = ''`), '- removed: dialog "Rename"');
    has(await delta(page, open('')), 'generic [looks=black box] [class=shade] [cursor=pointer]');
  },

  // [tool.snapshot.brief]
  'a notice that is named by its own words says them once': async (page) => {
    equal(
      await plain(
        page,
        `<div role="status" aria-labelledby="t"><div><div id="t">Saved</div></div></div>
        <div role="alert" aria-labelledby="u v"><div><div id="u">Not saved</div><p id="v">No network</div></div></div>
        <div role="group" aria-labelledby="g"><div id="g">Align</div><button>Left</button></div>`,
      ),
      `- status "Saved"
- alert "Not saved No network":
  - generic: Not saved
  - paragraph: No network
- group "Align":
  - button "Left"`,
    );
  },

  // [tool.snapshot.delta]
  'a form that is not sent for a field which nobody sees says in what that field is': async (page) => {
    const html = `<style>.no{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)} body{margin:0}
        #s{position:absolute;top:100px;left:0;width:80px;height:20px}</style>
      <form><div role="group" aria-label="Code"><input aria-label="1 of 2" id="a"><input aria-label="2 of 2" id="b">
        <input class="no" aria-hidden="true" tabindex="-1" required id="h"></div><button id="s">Send</button></form>`;
    await shown(page, html);
    await page.main(`h.addEventListener('focus', () => b.focus()); 0`);
    await page.click(40, 110);
    has(
      await page.yaml({ mode: 'delta' }),
      /^- text: "?… at a hidden field in group \\?"Code\\?" \[ref=e\d+\] the browser says \\?"Please fill out this field\.\\?""?$/m,
    );
  },

  // [tool.snapshot.brief]
  'the state of a cell that holds one control alone is told on its line': async (page) => {
    const day = (n, cell, own) =>
      `<td role="gridcell" ${cell}><button aria-label="May ${n}, 2026" ${own}>${n}</button>`;
    equal(
      await plain(
        page,
        `<table role="grid" aria-label="May"><tr>${day(1, 'aria-current="date"', '')}${day(2, 'aria-disabled="true"', 'disabled')}
        ${day(3, '', '')}${day(4, 'aria-disabled="true"', '')}</table>`,
      ),
      `- grid "May":
  - row:
    - button "May 1, 2026" [current]
    - button "May 2, 2026" [disabled]
    - button "May 3, 2026"
    - button "May 4, 2026" [disabled]`,
    );
  },

  // [tool.snapshot.brief]
  'that a row is selected is not repeated at each of its cells': async (page) => {
    const row = (name, state) =>
      `<tr aria-selected="${state}"><td role="gridcell" aria-selected="${state}">${name}<td role="gridcell" aria-selected="${state}">5`;
    const html = `<table role="grid" aria-label="Pay">${row('Ada', true)}${row('Bob', false)}
      <tr><td role="gridcell" aria-selected="true">Cleo<td role="gridcell">7</table>`;
    equal(
      await plain(page, html),
      `- grid "Pay":
  - row [selected]:
    - gridcell "Ada"
    - gridcell "5"
  - row:
    - gridcell "Bob"
    - gridcell "5"
  - row:
    - gridcell "Cleo" [selected]
    - gridcell "7"`,
    );
  },

  // [tool.snapshot.hints]
  'the step that a page is at is told by an attribute of its author, once': async (page) => {
    const step = (n, name, state) => `<div class="item" ${state}><div ${state}>${n}</div><div>${name}</div></div>`;
    const html = `<div id="s">${step(1, 'Account', 'data-complete')}${step(2, 'Address', 'data-current')}${step(3, 'Pay', '')}</div>
      <section><div data-active>Alone</div></section>`;
    equal(
      await plain(page, html),
      `- generic:
  - generic:
    - generic: "1"
    - generic: Account
  - generic [data-current]:
    - generic: "2"
    - generic: Address
  - generic:
    - generic: "3"
    - generic: Pay
- generic: Alone`,
    );
  },

  // [tool.snapshot.marks]
  'a field whose label has a star that is no part of its name is required': async (page) => {
    const star = '<span aria-hidden="true"> *</span>';
    equal(
      await plain(
        page,
        `<label for="a">Name${star}</label><input id="a"><label for="b">Nick<span aria-hidden="true">*2</span></label><input id="b">
        <label>Age${star}<input required></label><label>Mail<input></label>`,
      ),
      `- textbox "Name" [required]
- text: "*2"
- textbox "Nick"
- textbox "Age" [required]
- textbox "Mail"`,
    );
    hasNot(await plain(page, `<button>Pay${star}</button>`), '[required]');
  },

  // [tool.snapshot.brief]
  'the sign in a combobox is no part of what it shows': async (page) => {
    const arrow = '<svg role="img" aria-label="Open menu" width="9" height="9"><path d="M0 0h9v9z"/></svg>';
    const html = `<div role="combobox" tabindex="0" aria-label="Region"><span id="v">Choose</span><div>${arrow}</div></div>
      <div role="combobox" tabindex="0" aria-label="Flag"><div>${arrow}</div></div>`;
    equal(await plain(page, html), '- combobox "Region": Choose\n- combobox "Flag": Open menu');
    equal(await delta(page, `v.textContent = 'Austria'; 0`), '- combobox "Region": Austria');
  },

  // [tool.snapshot.brief]
  'a menu that opens in its item is no part of the name of the item': async (page) => {
    const html = `<ul role="menu" aria-label="File"><li role="menuitem" tabindex="0">Export<ul role="menu" aria-label="Export as">
      <li role="menuitem" tabindex="-1">PDF</ul></ul>`;
    equal(
      await plain(page, html),
      `- menu "File":
  - menuitem "Export":
    - menu "Export as":
      - menuitem "PDF"`,
    );
  },

  // [tool.snapshot.brief]
  'a row that waits for details has no line while it has none': async (page) => {
    const html = `<table><tr><th>Name<th>Port<tr><td>Ada<td>1<tr><td colspan="2"><div id="d"></div><tr><td>Bob<td>
      <tr><td><td></table>`;
    equal(
      await plain(page, html),
      `- table:
  - row:
    - columnheader "Name"
    - columnheader "Port"
  - row:
    - cell "Ada"
    - cell "1"
  - row:
    - cell "Bob"
    - cell
  - row:
    - cell
    - cell`,
    );
    equal(await delta(page, `d.textContent = 'Details'; 0`), '- table:\n  - row:\n    - cell "Details"');
  },

  // [tool.snapshot.labels]
  'a field for files that only readers are told of is called hidden beside the button that stands for it': async (
    page,
  ) => {
    const html = `<style>.no{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}</style>
      <button>Add file</button><label class="no" for="f">Add file</label><input class="no" type="file" id="f" tabindex="-1">`;
    equal(await plain(page, html), '- button "Add file"\n- button "Add file" [hidden file input]');
    hasNot(await plain(page, '<input type="file" aria-label="Plain">'), 'hidden file input');
    hasNot(
      await plain(page, html.replace('<button>Add file</button><label class="no"', '<label')),
      'hidden file input',
    );
  },

  // [tool.target.nearest]
  'where the page is empty, the error says so': async (page) => {
    const told = async (html) => {
      await shown(page, html);
      const found = await page.call('actionable', { target: 'role=button[name="Save"]', timeout: 60, callId: 1 });
      return found.error;
    };
    has(await told('<div id="root"></div><script>1</script>'), 'The page is empty');
    hasNot(await told('<p>Text</p>'), 'empty');
    hasNot(await told('<canvas></canvas>'), 'empty');
    hasNot(await told('<frameset><frame src="about:blank"></frameset>'), 'empty');
  },

  // [tool.snapshot.brief]
  'an item of a menu and the box to tick in it are one line': async (page) => {
    const item = (name, state) =>
      `<li role="none"><label role="menuitem"><span><input type="checkbox" ${state}></span><span>${name}</span></label>`;
    const html = `<ul role="menu" aria-label="Level">${item('Debug', '')}${item('Info', 'checked id="c"')}</ul>`;
    equal(await plain(page, html), '- menu "Level":\n  - menuitem "Debug"\n  - menuitem "Info" [checked]');
    equal(await delta(page, `c.click()`), '- menu "Level":\n  - menuitem "Info"');
  },

  // [tool.snapshot.brief]
  'a cell that a script alone may focus is no line around the button in it': async (page) => {
    equal(
      await plain(
        page,
        `<table role="grid" aria-label="Repos"><tr><td role="gridcell" tabindex="-1"><button>Details</button>
        <td role="gridcell" tabindex="-1"><input type="checkbox" aria-label="Pick"><td role="gridcell" tabindex="0"><button>Edit</button>
        <td role="gridcell" tabindex="-1"><a href="/r">One</a></table>`,
      ),
      `- grid "Repos":
  - row:
    - button "Details"
    - checkbox "Pick"
    - gridcell:
      - button "Edit"
    - gridcell:
      - link "One":
        - /url: /r`,
    );
  },

  // [tool.snapshot.delta] Radix's menus beside sonner's toasts
  'what stays while a menu hides the page around it has not moved': async (page) => {
    const html = `<body><div id="root"><section aria-label="Toasts" aria-live="polite" id="a"></section><section aria-label="News" id="n">
      </section><h1 id="h">Shop</h1><div><div role="tablist" id="t"><button role="tab">One</button><button role="tab">Two</button></div>
      <div role="tabpanel" aria-label="One"><button id="b">Options</button><p role="status">Words</p></div></div></div></body>`;
    await shown(page, html);
    const open = `h.ariaHidden = t.ariaHidden = b.ariaHidden = 'true'; document.body.style.pointerEvents = 'none'; document.body.insertAdjacentHTML('beforeend',
      '<div id="p"><div role="menu" aria-label="Options" tabindex="-1"><div role="menuitem" tabindex="-1">Edit</div></div></div>'); p.firstChild.focus()`;
    equal(
      await delta(page, open),
      `- menu "Options" [active]:
  - menuitem "Edit"
- text: … inert now: button "Options", heading "Shop" [level=1], tablist`,
    );
    equal(
      await delta(
        page,
        `p.remove(); h.ariaHidden = t.ariaHidden = b.ariaHidden = null; document.body.style.pointerEvents = ''`,
      ),
      '- removed: menu "Options"',
    );
  },

  // [tool.snapshot.hidden] Base UI's portals
  'what an element owns that only readers are told of is no hidden text': async (page) => {
    const html = `<button>Font</button><span style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)" aria-owns="p"></span>
      <div id="p"><div role="listbox" aria-label="Fonts"><div role="option">Serif</div></div></div>`;
    equal(await plain(page, html), '- button "Font"\n- listbox "Fonts":\n  - option "Serif"');
  },

  // [tool.snapshot.hidden] Radix's segmented control
  'a control whose name is drawn by a copy that readers are not told of shows it': async (page) => {
    const html = `<style>.a{opacity:0} .b{position:absolute;left:0} button{position:relative}</style>
      <button><span><span class="a">Drafts</span><span class="b" aria-hidden="true">Drafts</span></span></button>
      <button><span class="a">Gone</span>&nbsp;<svg width="9" height="9"></svg></button>`;
    has(await plain(page, html), '- button "Drafts"\n');
  },

  // [tool.snapshot.quiet] Base UI's lists and dialogs
  'a page that is hidden from readers while its field has a list open is inert, and no text': async (page) => {
    const html = `<body><div id="root"><h1 id="h">Shop</h1><div id="t"><button>One</button><p>Words</p></div><div><p id="w">More</p>
      <input role="combobox" aria-label="Tags" aria-expanded="false" aria-controls="l" id="f"></div></div></body>`;
    await shown(page, html);
    const open = `h.ariaHidden = t.ariaHidden = w.ariaHidden = 'true'; f.ariaExpanded = 'true'; f.focus(); document.body.insertAdjacentHTML('beforeend',
      '<div id="p"><div role="listbox" id="l" aria-label="Tags"><div role="option">French</div></div></div>'); 0`;
    const told = await delta(page, open);
    has(told, '- option "French"');
    has(told, 'inert now: ');
    hasNot(told, '- text: One');
    hasNot(told, '- text: Words');
    hasNot(told, '- text: More');
    const closed = await delta(
      page,
      `p.remove(); h.ariaHidden = t.ariaHidden = w.ariaHidden = null; f.ariaExpanded = 'false'`,
    );
    equal(closed, '- combobox "Tags" [active]\n- removed: listbox "Tags"');
  },

  // [tool.snapshot.brief] Kendo's trees
  'a box to tick in an item that is called as the item is no second part of its name': async (page) => {
    const item = (name) =>
      `<li role="treeitem" aria-expanded="false" tabindex="-1"><input type="checkbox" aria-label="${name}"><span>${name}</span>`;
    equal(
      await plain(page, `<ul role="tree">${item('Sofas')}<li role="treeitem"><span>Bora</span> <span>Bora</span></ul>`),
      `- tree:
  - treeitem "Sofas" [collapsed]:
    - checkbox "Sofas"
  - treeitem "Bora Bora"`,
    );
  },

  // [tool.snapshot.brief] Kendo's calendar and grid
  'a cell whose words alone have the pointer of a link is one line': async (page) => {
    equal(
      await plain(
        page,
        `<style>span{cursor:pointer;display:block}</style><table role="grid"><tr><th aria-sort="ascending"><span>Price</span><th>Name<tr>
        <td role="gridcell" aria-selected="true" title="May 1"><span>1</span><td role="gridcell"><span>2</span> <i>x</i></table>`,
      ),
      `- grid:
  - row:
    - columnheader "Price" [sort=ascending] [cursor=pointer]
    - columnheader "Name"
  - row:
    - gridcell "1" [selected] [cursor=pointer]
    - gridcell:
      - generic [cursor=pointer]: "2"
      - text: x`,
    );
  },

  // [tool.actionable] Ionic's buttons
  'words in an element without a box are clicked in what is around them': async (page) => {
    await shown(
      page,
      `<style>body{margin:0} i,b{display:contents} #o{display:block;width:100px;height:20px} #in{position:absolute;left:200px;top:0;width:80px;height:20px}</style>
      <div id="o"><i id="i">Nov 20</i></div><b id="b"><span id="in">Go</span></b>`,
    );
    const at = async (target) => {
      const { ok: isReady, error, x, y } = await page.call('actionable', { target, timeout: 60_000, callId: 1 });
      return isReady ? `${Math.round(x)} ${Math.round(y)}` : error;
    };
    equal(await at('#i'), '50 10');
    equal(await at('#b'), '240 10');
  },
};
