// Shapes of applications that were driven as a whole: what a person does there works, and is seen in the same answer.
import { equal, has, hasNot, kPatience, ok, refOf, refused, shown } from '../expect.mjs';

const delta = (page) => page.yaml({ mode: 'delta' });
const place = (page, target) => page.call('actionable', { target, timeout: kPatience });
const refusal = (page, target, part) => refused(page, { target }, part);

export default {
  // [tool.snapshot.pointers] select2 4.0
  'the x of a chip is a target though its role is presentation': async (page) => {
    const yaml = await shown(
      page,
      `<style>li { cursor: default } .x { cursor: pointer }</style>
      <ul><li title="red"><span class="x" role="presentation">×</span>red</li></ul>`,
    );
    has(yaml, /generic \[ref=e\d+\] \[cursor=pointer\]: "×"/);
    has(yaml, 'red');
    // What only passes the cursor on to its parts is none.
    hasNot(
      await shown(page, '<div role="presentation" style="cursor:pointer"><button>Go</button></div>'),
      'cursor=pointer',
    );
  },

  // [tool.snapshot] PrimeVue's select with a filter
  'a field that owns its list leaves it where it stands': async (page) => {
    const html = (owner) => `${owner('l')}<ul id="l" role="listbox"><li role="option">Rome</ul>`;
    const owners = [
      (id) => `<input role="searchbox" aria-owns="${id}">`,
      (id) => `<input role="combobox" aria-owns="${id}">`,
      (id) => `<input aria-owns="${id}">`,
      (id) => `<div role="searchbox" contenteditable aria-owns="${id}">typed</div>`,
      (id) => `<div role="combobox" style="display:none" aria-owns="${id}"></div>`,
    ];
    for (const owner of owners) has(await shown(page, html(owner)), /^- listbox \[ref=e\d+\]:\n  - option "Rome"/m);
    // The list of no size that Ant Design has for assistive technology, beside the one that it draws, stays out.
    const list =
      '<div id="l" role="listbox" style="width:0;height:0;overflow:hidden"><div role="option">Rome</div></div>';
    hasNot(
      await shown(page, `<input role="combobox" aria-owns="l">${list}<div title="Rome">Rome</div>`),
      /listbox|option/,
    );
    // One whose children are shown has the list as one of them.
    const box = await shown(
      page,
      html((id) => `<div role="combobox" aria-label="City" aria-owns="${id}"><b>x</b></div>`),
    );
    has(box, /^ +- option "Rome"/m);
    has(box, /combobox "City".*:\n(.*\n)*  - listbox/);
  },

  // [tool.snapshot.delta] SlimSelect, Ant Design
  'a popup that could not be seen is told as it opens': async (page) => {
    const list = (role, item) =>
      `<button id="b">Open</button><div id="p" style="opacity:0"><div role="${role}" aria-label="Foods">
        <div role="${item}">Egg</div><div role="${item}">Spam</div></div></div>`;
    for (const [role, item] of [
      ['listbox', 'option'],
      ['menu', 'menuitem'],
    ]) {
      has(await shown(page, list(role, item)), /"Egg".* \[invisible\]/);
      await page.main('p.style.opacity = 1');
      const told = await delta(page);
      has(told, new RegExp(`^- ${role} "Foods" \\[ref=e\\d+\\]:\n  - ${item} "Egg"`));
      has(told, '"Spam"');
      hasNot(told, /invisible|button/);
      has(await delta(page), 'no changes');
      // That it closes is one line.
      await page.main('p.style.opacity = 0');
      has(await delta(page), new RegExp(`^- text: … now invisible: ${role} "Foods" \\[ref=e\\d+\\]$`));
    }
  },

  // [tool.snapshot.delta]
  'controls that come into sight with their text are told with it, those without are named': async (page) => {
    await shown(
      page,
      `<style>.u { opacity: 0 }</style><button id="b">Open</button><div id="p" class="u"><div><h3>Settings</h3><p>Of all</p></div>
        <button>Save</button><button>Close</button></div>`,
    );
    await page.main('p.className = ""');
    const told = await delta(page);
    for (const part of ['heading "Settings"', 'Of all', 'button "Save"', 'button "Close"']) has(told, part);
    hasNot(told, 'Open');
    // What a row's hover brings out was told with its words, and beside it nothing is new.
    const row = '<li>Ann <button class="u">Edit</button><button class="u">Delete</button></li>';
    await shown(
      page,
      `<style>.u { opacity: 0 } .over .u { opacity: 1 }</style><ul id="p">${row}${row}</ul><p id="t">x</p>`,
    );
    await page.main('p.className = "over"; t.textContent = "y"');
    const rows = await delta(page);
    equal(
      rows.replaceAll(/ \[ref=e\d+\]/g, ''),
      '- paragraph: "y"\n- text: … now visible: button "Edit", button "Delete", button "Edit", button "Delete"',
    );
    // So was what a list that is open shows of its options.
    const option = '<li role="option" aria-label="Ann">Ann <button class="u">x</button></li>';
    await shown(
      page,
      `<style>.u { opacity: 0 } .over .u { opacity: 1 }</style><ul role="listbox" id="p">${option}${option}</ul>`,
    );
    await page.main('p.className = "over"');
    has(await delta(page), /^- text: … now visible: button "x" \[ref=e\d+\], button "x" \[ref=e\d+\]$/);
  },

  // [tool.snapshot.delta] WordPress, DokuWiki
  'what a page moves out of the window and in again is named as it comes and goes': async (page) => {
    const items = Array.from({ length: 9 }, (_, i) => `<li><a href="#${i}">Item ${i}</a></li>`).join('');
    await shown(
      page,
      `<style>ul { position:absolute; top:-5000px } .over ul { top:20px }</style><nav id="p"><a href="#posts">Posts</a><ul>${items}</ul></nav>`,
    );
    await page.main('p.className = "over"');
    const links = Array.from({ length: 5 }, (_, i) => `link "Item ${i}"`).join(', ');
    equal((await delta(page)).replaceAll(/ \[ref=e\d+\]/g, ''), `- text: … now visible: ${links} and 4 more`);
    await page.main('p.className = ""');
    has(await delta(page), /^- text: … now invisible: link "Item 0"/);
    equal(await delta(page), '- no changes since the last snapshot');
  },

  // [tool.snapshot.pointers] MUI's chip, the tabs of many
  'the x of a control that can be clicked as a whole is a target': async (page) => {
    const svg = (attrs) =>
      `<svg width="16" height="16" style="cursor:pointer" ${attrs}><path d="M0 0h16v16H0z"/></svg>`;
    const chip = (attrs, text = 'One') =>
      `<div role="button" tabindex="0" style="display:inline-block;width:90px"><span>${text}</span>${svg(attrs)}</div>`;
    const target = /^  - (img|generic) \[ref=e\d+\].* \[cursor=pointer\]$/m;
    for (const attrs of [
      'aria-hidden="true" data-testid="CancelIcon"',
      'class="MuiChip-deleteIcon"',
      'aria-hidden="true" class="chip-close" focusable="false"',
    ]) {
      const yaml = await shown(page, chip(attrs));
      has(yaml, /^- button "One" \[ref=e\d+\]:/m);
      has(yaml, target);
    }
    has(await shown(page, chip('aria-label="Remove One"')), /^  - img "Remove One" \[ref=e\d+\] \[cursor=pointer\]/m);
    has(
      await shown(page, '<div role="tab" style="width:90px">File <span style="cursor:pointer">×</span></div>'),
      /^  - generic \[ref=e\d+\] \[cursor=pointer\]: "×"/m,
    );
    // An icon of the control's own, and one of a control that removes something itself, are none.
    for (const html of [
      chip('data-testid="HomeIcon"'),
      chip('data-testid="CancelIcon"', 'Remove it'),
      `<button aria-label="Close">${svg('class="icon-close"')}</button>`,
      `<button title="Close the box">Box ${svg('class="icon-close"')}</button>`,
      `<button style="cursor:pointer">Box <i class="icon-close">x</i></button>`,
    ])
      hasNot(await shown(page, html), 'cursor=');
  },

  // [tool.snapshot] WAI-ARIA: what takes the focus is a widget
  'a splitter that takes the focus has a ref and its value': async (page) => {
    const splitter = (attrs) =>
      `<div role="separator" aria-label="Split" aria-valuenow="30" ${attrs} style="width:9px;height:50px"></div>`;
    has(await shown(page, splitter('tabindex="0"')), /^- separator "Split" \[ref=e\d+\]: "30"$/m);
    has(await shown(page, splitter('tabindex="0" aria-valuetext="a third"')), /\[ref=e\d+\]: a third$/m);
    equal(await shown(page, splitter('')), '- separator "Split"');
    hasNot(await shown(page, '<p>a</p><hr><p>b</p>'), /separator.*ref/);
  },

  // [tool.snapshot.brief] Quasar
  'what only shows that a control has the focus has no line': async (page) => {
    const ring = (style) =>
      `<span tabindex="-1" class="focus-helper" style="position:absolute;inset:0;${style}"></span>`;
    const item = (style) =>
      `<ul role="tree"><li role="treeitem" tabindex="0" style="position:relative">${ring(style)}Root</li></ul>`;
    hasNot(await shown(page, item('pointer-events:none')), 'focus-helper');
    hasNot(await shown(page, item('pointer-events:none;opacity:0')), 'focus-helper');
    has(await shown(page, item('')), 'focus-helper');
  },

  // [tool.snapshot.delta] Sortable lists
  'what has moved is told with its words, though it has a ref': async (page) => {
    const entries = (n) =>
      Array.from({ length: n }, (_, i) => `<li>Item ${i} ${'of a long list '.repeat(4)}</li>`).join('');
    await shown(page, `<ul id="u">${entries(20)}</ul>`);
    await page.main('u.append(u.firstChild)');
    has(await delta(page), /- moved .*: "listitem \[ref=e\d+\]: Item 0 of a/);
  },

  // [tool.snapshot.pointers] SortableJS
  'the handle that an item is dragged by is a target': async (page) => {
    const yaml = await shown(
      page,
      `<style>.h { cursor: move } .card { cursor: grab; width: 300px } .i { display: block; width: 16px; height: 16px; cursor: grab } .card .i { background: red }</style>
      <ul><li><span class="h">☰</span> Alpha</li><li><i class="i"></i> Beta</li></ul><div class="card">A whole card<i class="i"></i></div>`,
    );
    has(yaml, /generic \[ref=e\d+\] \[cursor=move\]: "☰"/);
    has(yaml, /generic \[ref=e\d+\].* \[cursor=grab\]/);
    equal(yaml.match(/cursor=/g).length, 2, yaml);
  },

  // [tool.actionable] Shoelace's select of several values
  'a field that is drawn below its own widget is operated through it': async (page) => {
    const html = (style) =>
      `<div id="w" style="position:relative;width:200px;height:30px;background:white;${style}">
        <input role="combobox" aria-label="Tags" readonly style="position:absolute;inset:0;z-index:-1;opacity:0;border:0"></div>`;
    const yaml = await shown(page, html(''));
    hasNot(yaml, '[covered]');
    ok((await place(page, refOf(yaml, 'combobox "Tags"'))).ok);
    // Another one's box is in the way all the same.
    await shown(page, `${html('')}<div style="position:absolute;inset:0">Over it</div>`);
    await refusal(page, 'input', 'covered by <div');
  },

  // [tool.target.covered] choices.js, react-select
  'what covers a target is told as the snapshot calls it': async (page) => {
    const list = await shown(
      page,
      `<input aria-label="Extras"><div role="listbox" aria-label="City" style="position:absolute;inset:0;background:white">
        <div role="option" style="height:100%">Lisbon</div></div>`,
    );
    await refusal(page, 'input', `: that is option "Lisbon" [ref=${refOf(list, 'option')}]`);
    const box = await shown(
      page,
      `<div style="display:grid"><div style="grid-area:1/1" tabindex="-1">Add labels</div>
        <div style="grid-area:1/1"><input role="combobox" aria-label="Labels" style="width:9px"></div></div>`,
    );
    const around = `, which is around combobox "Labels" [ref=${refOf(box, 'combobox')}]: act on that in its place`;
    await refusal(page, refOf(box, 'Add labels'), around);
  },

  // [tool.snapshot] TinyMCE, CKEditor 4: the document of their frame
  'a document that is an editor as a whole has its body for a target, empty or not': async (page) => {
    const type = async (yaml, part) => ok((await page.call('focusForTyping', { target: refOf(yaml, part) })).ok);
    const body = (html) => `<body contenteditable="true" aria-label="Rich Text Area">${html}`;
    const empty = await shown(page, body('<p><br></p>'));
    has(empty, /^- generic "Rich Text Area" \[editable\] \[ref=e\d+\]$/);
    await type(empty, 'Rich Text');
    equal(await page.main('document.activeElement === document.body'), true);
    has(
      await shown(page, body('<p>Hello')),
      /^- generic "Rich Text Area" \[editable\] \[ref=e\d+\]:\n  - paragraph \[ref=e\d+\]: Hello/,
    );
    await shown(page, '<body>');
    await page.main('document.designMode = "on"');
    const designed = await page.yaml();
    has(designed, /^- generic \[editable\] \[ref=e\d+\]$/);
    await type(designed, 'editable');
    await page.main('document.designMode = "off"');
    hasNot(await page.yaml(), 'editable');
  },

  // [tool.snapshot.delta] Quill, TinyMCE
  'Enter in an editor is seen though the new line is empty': async (page) => {
    await shown(page, '<div contenteditable id="e"><p>Dear Ann</p></div>');
    const enter = 'e.insertAdjacentHTML("beforeend", "<p><br></p>"); getSelection().collapse(e.lastChild, 0)';
    await page.main('e.focus()');
    await delta(page);
    await page.main(enter);
    equal(await delta(page), '- text: … the caret is on an empty line');
    has(await delta(page), 'no changes');
    await page.main(enter);
    equal(await delta(page), '- text: … the caret is on an empty line');
  },

  // [tool.snapshot.delta] Monaco
  'text that a group has come around is neither new nor removed': async (page) => {
    await shown(
      page,
      '<p>Code</p><div role="code" aria-label=""><div id="a"><textarea aria-label="Editor"></textarea><div>one</div><div>two</div></div></div>',
    );
    await page.main(
      'a.insertAdjacentHTML("afterend", "<div role=listbox aria-label=Suggest><div role=option>abs</div></div>")',
    );
    const yaml = await delta(page);
    has(yaml, 'listbox "Suggest"');
    hasNot(yaml, 'one');
    hasNot(yaml, 'removed');
  },

  // [tool.snapshot.delta] SortableJS
  'an item that gets company in its list keeps its ref': async (page) => {
    const before = await shown(page, '<h2>Done</h2><div><div id="b"><div>Plan</div></div></div>');
    const ref = refOf(before, 'Plan');
    await page.main('b.insertAdjacentHTML("beforeend", "<div>Fix</div>")');
    const yaml = await delta(page);
    hasNot(yaml, 'removed');
    hasNot(yaml, 'Plan');
    has(yaml, 'Fix');
    equal(refOf(await page.yaml(), 'Plan'), ref);
    await page.main('b.lastChild.remove()');
    hasNot(await delta(page), 'Plan');
  },

  // [tool.snapshot.brief] Swagger UI, choices.js
  'a control that is named by its content tells its text once': async (page) => {
    page.next = 1;
    equal(
      await shown(
        page,
        `<div role="button" tabindex="0"><span class="m">GET</span><div><a href="#pet">/pet</a><div>Find a pet</div></div></div>
        <div role="listbox" aria-label="Extras"><div role="option">Wifi<button aria-label="Remove Wifi">×</button></div></div>`,
      ),
      `- button "GET /pet Find a pet" [ref=e1]:
  - link "/pet" [ref=e2]:
    - /url: "#pet"
- listbox "Extras" [ref=e3]:
  - option "Wifi Remove Wifi" [ref=e4]:
    - button "Remove Wifi" [ref=e5]: "×"`,
    );
    // Where its name comes to be its author's, what that lacks is told again.
    await page.main('document.querySelector("[role=button]").setAttribute("aria-label", "Look up")');
    has(await delta(page), 'Find a pet');
    has(await page.yaml(), 'Find a pet');
  },

  // [tool.snapshot] Quill's lists
  'the dot behind a number that only the style knows is no text': async (page) => {
    const yaml = await shown(
      page,
      '<style>li { counter-increment: n; list-style: none } li::before { content: counter(n) ". " } b::after { content: " (" counter(n) " left)" }</style><ol><li>one</li></ol><b>Few</b>',
    );
    has(yaml, /listitem \[ref=e\d+\]: one/);
    has(yaml, 'left)');
  },

  'text within a group that goes again is not removed, nor is text that gets a line of its own': async (page) => {
    const list = '<div id="l" role="listbox" aria-label="Suggest"><div role="option">abs</div></div>';
    await shown(
      page,
      `<p>Code</p><div role="code" id="c"><div><textarea aria-label="Editor"></textarea><div>one</div></div>${list}</div>`,
    );
    await page.main('l.remove()');
    const yaml = await delta(page);
    hasNot(yaml, 'one');
    has(yaml, 'removed: listbox "Suggest"');
    await shown(
      page,
      '<div role="tree"><div role="treeitem" aria-label="Trees" id="t"><div>All of them</div></div></div>',
    );
    await page.main('t.insertAdjacentHTML("beforeend", "<div role=group><div role=treeitem>Birch</div></div>")');
    const opened = await delta(page);
    has(opened, 'treeitem "Birch"');
    hasNot(opened, 'removed');
  },

  // [tool.snapshot.delta] TinyMCE, choices.js
  'all that goes with a group without a ref is told': async (page) => {
    const sink =
      '<div id="s"><div><div role="dialog" aria-label="Link"><button>Save</button></div></div><div role="menu"><div role="menuitem">a.test</div></div></div>';
    await shown(page, `<p>Text</p>${sink}`);
    await page.main('s.remove()');
    const yaml = await delta(page);
    has(yaml, 'removed: dialog "Link"');
    has(yaml, /removed: "?menu \[ref=e\d+\]: a.test/);
    await shown(page, '<p>Text</p><div id="s"><input type="search" aria-label="City"><button>Go</button></div>');
    await page.main('s.remove()');
    const field = await delta(page);
    has(field, /^- removed: e\d+, e\d+$/m);
  },

  // [tool.snapshot.delta] [tool.target.covered] Node-RED
  'what lies over a shade is told first, and by the error of what lies below': async (page) => {
    await shown(page, '<p>Loading</p>');
    const items = Array.from({ length: 80 }, (_, i) => `<li><button>Node ${i}</button></li>`).join('');
    await page.main(`document.body.insertAdjacentHTML('beforeend', \`<h2>Flows</h2><ul>${items}</ul>
      <div class="shade" style="position:fixed;inset:0;background:#0005"></div>
      <div style="position:fixed;top:50px;left:100px;background:white"><h3>Notifications</h3><p>May we?</p><button>Yes, do</button><button>No</button></div>\`)`);
    const yaml = await page.yaml({ mode: 'delta', budgetChars: 1200 });
    has(yaml, 'button "Yes, do" [ref=');
    has(yaml, 'button "No" [ref=');
    ok(yaml.length < 1400, yaml);
    await refusal(
      page,
      refOf(yaml, 'Node 0'),
      `covered by <div class="shade">; above that: button "Yes, do" [ref=${refOf(yaml, 'Yes, do')}], button "No" [ref=`,
    );
    // Also what no snapshot has shown yet.
    await page.main('document.querySelector("h3").insertAdjacentHTML("afterend", "<button>Later</button>")');
    await refusal(page, 'text=Node 0', '; above that: button "Later", button "Yes, do" [ref=');
  },

  // [tool.actionable] Shoelace's select of several values, once it has chips
  'a field below the chips of its own widget is operated through them, but not through their buttons': async (page) => {
    const html = (chip, more = '') =>
      `<div style="position:relative;width:200px;height:30px;background:white">
        <input role="combobox" aria-label="Tags" readonly style="position:absolute;inset:0;z-index:-1;opacity:0;border:0">
        <div style="position:absolute;inset:0">${chip}</div></div>${more}`;
    const yaml = await shown(page, html('<span style="position:absolute;inset:0">One</span>'));
    hasNot(yaml, '[covered]');
    ok((await place(page, refOf(yaml, 'combobox "Tags"'))).ok);
    await shown(page, html('<button style="position:absolute;inset:0">Remove</button>'));
    await refusal(page, 'input', 'covered by <div');
    await shown(page, html('', '<div style="position:absolute;inset:0">Over it</div>'));
    await refusal(page, 'input', 'covered by <div');
  },

  // [tool.snapshot] Shoelace's tree
  'an item of a tree that can be opened says so': async (page) => {
    const yaml = await shown(
      page,
      `<div role="tree"><div role="treeitem" aria-expanded="false" id="t" tabindex="0">Trees</div>
        <div role="treeitem" tabindex="-1">Fir</div></div><button aria-expanded="false">More</button>`,
    );
    has(yaml, /treeitem "Trees" \[collapsed\] \[ref=e\d+\]/);
    has(yaml, /treeitem "Fir" \[ref=e\d+\]/);
    has(yaml, /button "More" \[ref=e\d+\]/);
    await page.main('t.setAttribute("aria-expanded", "true"); 0');
    has(await delta(page), 'treeitem "Trees" [expanded]');
  },

  // [tool.snapshot.marks] Tom Select, and ARIA's own example of a combobox with a list
  'an option that only the keys are at is not called selected': async (page) => {
    const options = ['One', 'Two'].map((text) => `<li role="option" id="${text}">${text}</li>`).join('');
    await shown(
      page,
      `<div><div><span id="chosen"></span><input id="f" role="combobox" aria-label="Find"></div>
        <ul role="listbox">${options}</ul></div>`,
    );
    await page.main('f.focus(); f.setAttribute("aria-activedescendant", "Two"); Two.ariaSelected = "true"; 0');
    has(await delta(page), 'option "Two" [highlighted]');
    await page.main('chosen.textContent = "Two"; 0'); // by a click, and the list stays open
    has(await delta(page), 'option "Two" [selected] [highlighted]');
    await page.main('chosen.textContent = ""; f.value = "Tw"; 0');
    has(await delta(page), 'option "Two" [highlighted]');
    await page.main('f.value = "Two"; 0');
    has(await delta(page), 'option "Two" [selected] [highlighted]');
    await page.main('f.readOnly = true; f.value = ""; 0'); // a list that is opened by a button
    has(await page.yaml(), 'option "Two" [selected] [highlighted]');
  },

  // [tool.snapshot.delta] select2
  'the option that the arrow keys have come to is told': async (page) => {
    const options = ['One', 'Two', 'Three'].map((text) => `<li role="option" id="${text}">${text}</li>`).join('');
    await shown(page, `<input id="f" role="combobox" aria-label="Find"><ul role="listbox">${options}</ul>`);
    await page.main('f.focus(); 0');
    hasNot(await delta(page), 'highlighted');
    const arrow = (id) => page.main(`f.setAttribute("aria-activedescendant", "${id}"); 0`);
    await arrow('Two');
    const first = await delta(page);
    has(first, /option "Two" \[highlighted\] \[ref=e\d+\]/);
    hasNot(first, 'One');
    await arrow('Three');
    const second = await delta(page);
    has(second, 'option "Three" [highlighted]');
    hasNot(second, 'Two'); // only one has it
    equal((await page.yaml()).match(/highlighted/g).length, 1);
    await page.main('f.removeAttribute("aria-activedescendant"); 0');
    has(await delta(page), 'option "Three" [ref=');
    has(await delta(page), 'no changes');
  },

  // [tool.snapshot.delta] all of them
  'what has only lost the focus to another is not told again': async (page) => {
    await shown(
      page,
      '<button id="a">A</button><input id="b" aria-label="B"><div role="group" aria-label="G" tabindex="0" id="g">G <p>text</p></div>',
    );
    await page.main('a.focus(); 0');
    has(await delta(page), 'button "A" [active]');
    await page.main('b.focus(); 0');
    const moved = await delta(page);
    has(moved, 'textbox "B" [active]');
    hasNot(moved, '"A"');
    await page.main('g.focus(); b.value = "typed"; 0');
    const typed = await delta(page);
    has(typed, /textbox "B" \[ref=e\d+\]: typed/);
    has(typed, 'group "G" [active]');
    await page.main('b.focus(); 0');
    hasNot(await delta(page), 'group "G"');
    // Where nothing has it now, that is all there is to tell.
    await page.main('b.blur(); 0');
    has(await delta(page), /… the focus has left textbox "B" \[ref=e\d+\]/);
  },

  // [tool.snapshot.delta] Tabulator, AG Grid
  'new rows that a grid does not show are counted': async (page) => {
    const rows = (from, count) =>
      Array.from(
        { length: count },
        (_, i) => `<div role="row" style="height:30px"><div role="gridcell">Item ${from + i}</div></div>`,
      ).join('');
    await shown(
      page,
      `<div role="grid" aria-label="Cars" style="height:150px;overflow:auto"><div role="rowgroup" id="g">${rows(0, 40)}</div></div><p>end</p>`,
    );
    await page.main(`g.innerHTML = ${JSON.stringify(rows(100, 40))}; 0`);
    const yaml = await page.yaml({ mode: 'delta', budgetChars: 4000 });
    for (let i = 100; i < 105; i++) has(yaml, `"Item ${i}"`);
    hasNot(yaml, '"Item 120"');
    has(yaml, / {4}- text: … \d\d more rows off-screen/);
    hasNot(yaml, 'left out');
    ok(yaml.length < 1200, yaml);
    // A page's own rows are read by scrolling it, as all else below.
    await shown(page, '<div role="grid" aria-label="Cars"><div role="rowgroup" id="g"></div></div>');
    await page.main(`g.innerHTML = ${JSON.stringify(rows(100, 40))}; 0`);
    has(await page.yaml({ mode: 'delta', budgetChars: 9000 }), '"Item 139"');
  },

  // [tool.snapshot.brief] flatpickr
  'what is named by more than its text tells that once': async (page) => {
    const yaml = await shown(
      page,
      `<span tabindex="-1" aria-label="May 2, 2024">2</span><span tabindex="-1" aria-label="May 12, 2024">2</span>
      <span aria-label="Sum" tabindex="0">12</span>`,
    );
    has(yaml, /generic "May 2, 2024" \[ref=e\d+\]$/m);
    has(yaml, /generic "May 12, 2024" \[ref=e\d+\]: "2"$/m);
    has(yaml, /generic "Sum" \[ref=e\d+\]: "12"$/m);
  },

  // [nav.after-action.timers] AG Grid
  'what slides to another place is waited for, what stirs is not': async (page) => {
    await page.load(
      `<!doctype html><style>.row { height: 30px; width: 300px; transition: transform 900s linear }</style>
      <button>Go</button><div class="row" id="r"><b>Row</b></div>`,
    );
    const motion = async (transform) => {
      await page.call('watchAction');
      await page.main(`r.style.transform = '${transform}'; r.getAnimations().length`);
      const { motion: left } = await page.call('frames', { n: 1 });
      await page.main('for (const one of r.getAnimations()) one.finish(); 0');
      return left > 0;
    };
    equal(await motion('translateY(-2px)'), false);
    equal(await motion('scale(1.1)'), false);
    equal(await motion('translateY(90px)'), true);
    equal(await motion('translateX(-60%) translateY(90px)'), true);
    equal(await motion('none'), true);
  },

  // [tool.snapshot.marks] AG Grid
  'what is on its way to its place has no mark of where it is meanwhile': async (page) => {
    const row = (i) => `<div role="row" class="row" style="top:${i * 30}px"><div role="gridcell">Item ${i}</div></div>`;
    await shown(
      page,
      `<style>.row { position: absolute; height: 30px; width: 200px } .moves { transition: transform 1000s linear }</style>
      <div role="grid" aria-label="Cars" style="position:relative;height:300px;width:300px;overflow:hidden"><div role="rowgroup" id="g"></div></div>`,
    );
    await page.main(
      `g.innerHTML = ${JSON.stringify(Array.from({ length: 10 }, (_, i) => row(i)).join(''))};
      for (const one of g.children) one.style.transform = 'translateY(400px)';
      g.getBoundingClientRect();
      for (const one of g.children) { one.classList.add('moves'); one.style.transform = 'none'; }
      document.getAnimations().length`,
    );
    const yaml = await page.yaml({ mode: 'delta', budgetChars: 4000 });
    has(yaml, '"Item 9"');
    hasNot(yaml, 'off-screen');
    await page.main(
      'for (const one of document.getAnimations()) one.cancel(); g.firstChild.classList.remove("moves"); g.firstChild.style.transform = "translateY(400px)"; 0',
    );
    has(await page.yaml(), /gridcell "Item 0".*\[off-screen\]/);
  },

  // [tool.snapshot.pointers] Shoelace's tree
  'an item of a tree shows what opens it, and its own text once': async (page) => {
    const item = (state, text, kids = '') =>
      `<div role="treeitem" tabindex="-1" ${state}><div><div class="line"><div class="opens" aria-hidden="true"><i></i></div>
        <span>${text}</span></div><div role="group">${kids}</div></div></div>`;
    const yaml = await shown(
      page,
      `<style>.line { display: flex; cursor: pointer; width: 300px } .opens { cursor: pointer; width: 20px; height: 20px }</style>
      <div role="tree">${item('aria-expanded="false"', 'Trees')}${item('', 'Fir')}
        ${item('aria-expanded="true"', 'Herbs', item('', 'Mint'))}</div>`,
    );
    equal(yaml.match(/Trees/g).length, 1, yaml);
    equal(yaml.match(/Herbs/g).length, 1, yaml);
    equal(yaml.match(/Fir|Mint/g).length, 2, yaml);
    equal(yaml.match(/cursor=pointer/g).length, 2, yaml);
    has(
      yaml,
      /treeitem "Trees" \[collapsed\] \[ref=e\d+\]:\n {4}- generic \[ref=e\d+\] \[class=opens\] \[cursor=pointer\]\n/,
    );
    ok((await place(page, refOf(yaml, 'class=opens'))).ok);
  },

  // [tool.snapshot] CKEditor, Tiptap, Summernote, Trix
  'what is empty in an editor is drawn, and is a place to type': async (page) => {
    const html =
      '<table><tr><th><br></th><th>B</th></tr><tr><td><br></td><td>2</td></tr></table><ul><li><br></li></ul>';
    const yaml = await shown(page, `<div contenteditable="true" aria-label="Body">${html}</div>`);
    has(yaml, /columnheader \[ref=e\d+\]\n/);
    has(yaml, /listitem \[ref=e\d+\]/);
    ok((await place(page, refOf(yaml, 'cell [ref'))).ok);
    await page.main(`document.querySelector('td').textContent = 'x'`);
    await page.main(`document.querySelector('ul').append(document.createElement('li'))`);
    has(await delta(page), /listitem \[ref=e\d+\]/);
    const plain = await shown(page, html);
    hasNot(plain, 'listitem');
    has(plain, /- cell\n/);
    // Part of it may be kept from being edited, and what is edited within that once more.
    const inner = '<table contenteditable="false"><tr><td contenteditable="true"><br></td></tr></table>';
    has(await shown(page, `<div contenteditable="true">${inner}</div>`), /cell \[ref=e\d+\]/);
  },

  // [tool.snapshot] jspreadsheet
  'the empty cells of a grid that takes the focus can be clicked': async (page) => {
    const row = '<tr><td>Apples</td><td></td></tr>';
    const yaml = await shown(page, `<div tabindex="0"><table>${row}</table></div>`);
    has(yaml, /cell \[ref=e\d+\]/);
    await page.main('document.querySelector("div").removeAttribute("tabindex")');
    await page.main('document.querySelector("table").insertAdjacentHTML("beforeend", "<tr><td>Pears<td></tr>")');
    hasNot(await page.yaml(), /cell \[ref=e\d+\]/);
    // The arrows over a calendar hold nothing, and have a cursor.
    has(
      await shown(
        page,
        '<style>.next { cursor: pointer; width: 20px; height: 20px }</style><table><tr><td class="next"></td><td>May</td></tr></table>',
      ),
      /cell \[ref=e\d+\] \[class=next\] \[cursor=pointer\]/,
    );
  },

  // [tool.snapshot.hints] Tiptap, Trix, EditorJS
  'a state that only the look of a control tells is told by its class': async (page) => {
    const yaml = await shown(
      page,
      `<style>.is-active { background: #333; color: #fff } .box { display: inline-block; width: 20px; height: 20px; cursor: pointer }
        .item--checked .box { background: green }</style>
      <button id="b">Bold</button><button class="is-active" aria-pressed="true">Italic</button>
      <button class="text-current inactive">Link</button>
      <div class="item" id="i"><span class="box"></span><span>Milk</span></div><div class="is-active">Panel</div>`,
    );
    hasNot(yaml, /is-active|text-current|inactive/);
    await page.main('b.classList.add("is-active"); i.classList.add("item--checked"); 0');
    const after = await delta(page);
    has(after, /button "Bold" \[ref=e\d+\] \[class=is-active\]/);
    has(after, /\[class=item--checked\] \[cursor=pointer\]/);
    await page.main('b.className = ""; 0');
    has(await delta(page), /button "Bold" \[ref=e\d+\]$/m);
  },

  // [tool.snapshot.hidden] vanilla-jsoneditor
  'a background that is a custom property as a whole is seen behind a text': async (page) => {
    const yaml = await shown(
      page,
      `<style>.bar { background: var(--bar, #3883fa); color: #fff } .bar button { background: transparent; color: inherit; border: 0 }</style>
      <div class="bar"><button>table</button><p>Tip</p></div>`,
    );
    has(yaml, /button "table" \[ref=e\d+\]$/m);
    has(yaml, 'Tip');
  },

  // [tool.snapshot] CKEditor
  'characters that nobody sees are no text': async (page) => {
    const yaml = await shown(page, '<h3>\u2060\u2060<a href="/x">\u2060Hello</a></h3>');
    hasNot(yaml, /\u2060/);
    has(yaml, 'heading "Hello"');
    // Of a number that was put into a text of any direction (Fluent, PDF.js).
    await shown(page, '<select aria-label="Zoom"><option>Fit<option>\u2068150\u2069%</select>');
    ok((await page.call('select', { target: 'select', values: ['150%'] })).ok);
    has(await page.yaml(), 'option "150%" [selected]');
  },
};
