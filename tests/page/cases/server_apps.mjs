// What applications that a server renders have shown: WordPress, MediaWiki, DokuWiki, Django's admin, Roundcube, Jupyter.
import { delta, equal, has, hasNot, kPatience, plain, shown } from '../expect.mjs';

export default {
  // [tool.snapshot.hidden] DokuWiki's popup, WordPress's media
  'what is placed by a box further out is not clipped by one of no height': async (page) => {
    const style = '<style>.z{overflow:hidden}.a{position:absolute;top:0;left:0;width:200px}.s{display:none}</style>';
    has(
      await plain(page, `${style}<div class="z"><div class="a"><p>Seen</p><button>Go</button></div></div>`),
      /Seen\n- .*"Go"$|Seen\n  - .*"Go"$/,
    );
    has(await plain(page, `${style}<div class="z" style="contain:size"><div class="a">Seen</div></div>`), 'Seen');
    // One that places what it holds clips it, and so does what is around the box that places.
    hasNot(await plain(page, `${style}<div class="z" style="translate:1px"><div class="a">Gone</div></div>`), 'Gone');
    hasNot(
      await plain(page, `${style}<div class="z" style="position:relative"><div class="a">Gone</div></div>`),
      'Gone',
    );
    hasNot(
      await plain(
        page,
        `${style}<div class="z" style="position:relative"><div class="z"><div class="a">Gone</div></div></div>`,
      ),
      'Gone',
    );
    hasNot(
      await plain(
        page,
        `${style}<div style="transform:scale(0);height:50px"><div class="z"><div class="a">Gone</div></div></div>`,
      ),
      'Gone',
    );
    hasNot(await plain(page, `${style}<div class="z" style="height:0"><p>Gone</p></div>`), 'Gone');
  },

  // [tool.snapshot.marks] WordPress's login, Django's lists
  'a link that is wrapped is not covered by what is around it': async (page) => {
    const html = (over) =>
      `<body style="margin:0;font:16px/1.5 monospace"><div style="width:220px;padding:10px">The password is incorrect. <a href="#lost">Lost your password?</a></div>${over}`;
    equal((await plain(page, html(''))).split('\n')[1], '- link "Lost your password?":');
    has(await plain(page, html('<div style="position:fixed;inset:0;background:#fff"></div>')), '[covered]');
  },

  // [tool.snapshot.marks] Gutenberg
  'a box elsewhere whose contents are fixed on the screen is not off-screen': async (page) => {
    const region = (style) =>
      `<div role="region" aria-label="Publish" tabindex="-1" style="position:fixed;top:-999px;width:200px;height:50px"><div style="${style}"><button>Send</button></div></div><p>x</p>`;
    hasNot(await plain(page, region('position:fixed;top:0;left:0')), 'off-screen');
    has(await plain(page, region('')), /region "Publish".* \[off-screen\]/);
  },

  // [tool.snapshot.hints] WordPress's tables
  'a column that would be sorted is not said to be': async (page) => {
    equal(
      await plain(
        page,
        `<table><tr><th class="sortable desc"><a href="#t">Title</a><th class="sorted asc"><a href="#d">Date</a><tr><td>1<td>2</table>`,
      ),
      `- table:
  - row:
    - columnheader:
      - link "Title":
        - /url: "#t"
    - columnheader [class=asc]:
      - link "Date":
        - /url: "#d"
  - row:
    - cell "1"
    - cell "2"`,
    );
  },

  // [tool.snapshot.hints] OOjs UI, Roundcube
  'a control tells the state of a box around it alone, and that it is disabled beside what else it says': async (
    page,
  ) => {
    equal(
      await plain(
        page,
        `<span class="tool tool-active"><a role="button" tabindex="0">Bold</a></span><div class="tools active"><button>Italic</button><button>Link</button></div>
        <button class="disabled" aria-expanded="false">More</button><button class="active" aria-expanded="true">Menu</button><button class="disabled" disabled>Off</button>`,
      ),
      `- button "Bold" [class=tool-active]
- generic:
  - button "Italic"
  - button "Link"
- button "More" [class=disabled]
- button "Menu" [expanded]
- button "Off" [disabled]`,
    );
  },

  // [tool.snapshot.hints] OOjs UI
  'an icon is called by the class that says which one it is': async (page) => {
    has(
      await plain(
        page,
        `<style>.oo-icon{display:inline-block;width:20px;height:20px;background:#000;cursor:pointer}</style><span class="oo-ui-iconElement-icon oo-icon oo-ui-icon-search" onclick="1"></span>`,
      ),
      '[icon=oo-ui-icon-search]',
    );
  },

  // [tool.snapshot.icons] Jupyter
  'the kind of file beside a link is told': async (page) => {
    const style = '<style>.item_icon::before{content:"\\f016"}</style>';
    const row = (icon) =>
      `<div><input type="checkbox" title="Pick"><i class="item_icon ${icon} fixed-width"></i><a href="#${icon}">x</a></div>`;
    const yaml = await plain(page, style + row('folder_icon') + row('notebook_icon'));
    has(yaml, '[icon=folder_icon]');
    has(yaml, '[icon=notebook_icon]');
  },

  // [tool.snapshot.marks] WordPress's media
  'what lay over a control is told to have gone': async (page) => {
    const yaml = await plain(
      page,
      `<button id="b">Save</button><button id="c">Undo</button><div id="spin" style="position:fixed;inset:0;background:#fff8"></div><p id="p">x</p>`,
    );
    has(yaml, 'button "Save" [covered]');
    await page.main('p.textContent = "y"');
    equal(await delta(page), '- paragraph: "y"');
    await page.main('spin.remove(); c.remove()');
    equal(await delta(page), '- removed: button "Undo"\n- text: … no longer covered: e1');
    equal(await page.yaml({ mode: 'delta' }), '- no changes since the last snapshot');
  },

  // [tool.snapshot.icons] Syncthing
  'icons between the numbers of a cell are told beside its name': async (page) => {
    const icon = (name) => `<span class="fa fa-${name}"></span>`;
    has(
      await plain(
        page,
        `<style>.fa::before{content:"\\f0c5"}</style><table><tr><td><span title="7 items">${icon('copy')} 3 ${icon('folder')} 4</span></table>`,
      ),
      'cell "3 4" [icon=fa-copy] [icon=fa-folder]',
    );
  },

  // [tool.snapshot.pointers] jQuery UI
  'of the corners that resize a box the lower right one is enough': async (page) => {
    const handle = (at) =>
      `<div class="handle" style="position:absolute;width:9px;height:9px;cursor:${at}-resize"></div>`;
    const box = (corners) =>
      `<div role="dialog" aria-label="D" style="width:90px;height:90px">Text${corners.map(handle).join('')}</div>`;
    equal((await plain(page, box(['nw', 'ne', 'sw', 'se']))).match(/-resize/g)?.length, 1);
    equal((await plain(page, box(['nw', 'ne']))).match(/-resize/g)?.length, 2);
  },

  // [tool.snapshot] Gutenberg
  'what stands for the text that an editor lacks is its placeholder, behind it too': async (page) => {
    const yaml = await plain(
      page,
      `<style>[data-ph]::after{content:attr(data-ph)}</style><h2 contenteditable role="document" aria-label="Block"><span data-ph="Write it" contenteditable="false"></span></h2>`,
    );
    equal(yaml, `- document "Block":\n  - /placeholder: Write it`);
  },

  // [tool.snapshot.delta] VisualEditor
  'text that is made bold in an editor is a change, and outside of it <b> is none': async (page) => {
    await shown(
      page,
      '<div contenteditable role="textbox"><p id="p">A kettle boils</p></div><p id="q">A <span>b</span> c</p>',
    );
    await page.main('p.innerHTML = "A <b>kettle</b> boils"; q.innerHTML = "A <b>b</b> c"');
    equal(
      await delta(page),
      `- textbox:
  - paragraph:
    - text: A
    - strong: kettle
    - text: boils`,
    );
  },

  // [tool.snapshot.delta] VisualEditor
  'of a selection that nobody sees nothing is told': async (page) => {
    await shown(
      page,
      `<div id="p" contenteditable style="position:absolute;width:9px;height:9px;opacity:0">paste</div><div id="q" contenteditable>seen</div>`,
    );
    await page.main('q.focus(); getSelection().selectAllChildren(q)');
    has(await delta(page), 'selected: "seen"');
    await page.main('p.focus(); getSelection().selectAllChildren(p)');
    hasNot(await delta(page), 'selected');
  },

  // [tool.snapshot.pre] CodeMirror, mails
  'text that a style sets as it is written keeps its lines, and what resets that does not': async (page) => {
    equal(
      await plain(
        page,
        `<style>.w{white-space:pre-wrap}.n{white-space:normal}</style><div role="presentation"><pre role="presentation">for x:</pre><pre role="presentation">    go(x)</pre></div>
        <div class="w">Dear Ann,\n\n  yours</div><div class="w"><p class="n">One   two\nthree</p></div><p>One   two\nthree</p>`,
      ),
      `- generic: "for x:"
- generic: "    go(x)"
- generic: "Dear Ann,\\n\\n  yours"
- paragraph: One two three
- paragraph: One two three`,
    );
  },

  // [tool.snapshot.hidden] Django's admin
  'a colour that is on its way from that of the background hides no text': async (page) => {
    await shown(
      page,
      `<style>a{color:#fff;transition:color 60s} h2{background:#000} .open{background:#fff} .open a{color:#000}</style><h2 id="h">More <a href="#m">Show</a></h2>`,
    );
    await page.main('h.className = "open"; h.getBoundingClientRect()');
    const yaml = await page.yaml({});
    has(yaml, /heading "More Show"/);
    hasNot(yaml, 'invisible');
  },

  // [tool.snapshot] Roundcube
  'a popup that a control owns is no part of its name, nor shown where it is not drawn': async (page) => {
    const html = (style, extra = '') =>
      `<ul role="toolbar"><li role="menuitem"><button aria-haspopup="true" aria-owns="m" ${extra}>Mark</button></li></ul>
      <div style="${style}"><ul id="m" role="menu"><li role="menuitem">As read</li></ul></div>`;
    equal(await plain(page, html('display:none')), '- toolbar:\n  - menuitem "Mark"');
    equal(
      await plain(page, html('', 'aria-expanded="true"')),
      `- toolbar:
  - menuitem "Mark":
    - button "Mark" [expanded]:
      - menu:
        - menuitem "As read"`,
    );
  },

  // [tool.target] WordPress
  'of several matches one that a person sees is taken before what only readers get': async (page) => {
    await shown(
      page,
      `<label style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"><input type="checkbox"> My story</label><a id="a" href="#s">My story</a>`,
    );
    for (const target of ['text=My story', ':has-text("My story") >> nth=-1'])
      equal((await page.call('actionable', { target, kind: 'click', timeout: kPatience })).describe, 'link "My story"');
  },

  // [tool.snapshot.hidden] Roundcube
  'an element of no size that holds nothing has no line, whatever it is called': async (page) => {
    equal(
      await plain(
        page,
        '<p>x<span title="Not flagged" aria-label="Not flagged"></span></p><span style="cursor:pointer;display:block;width:20px;height:20px" class="flag"><span title="Off"></span></span><div title="Bar" style="width:90px;height:9px"></div>',
      ),
      `- paragraph: x
- generic [class=flag] [cursor=pointer]
- generic "Bar"`,
    );
  },

  // [tool.snapshot.icons.controls] Kanboard's subtasks
  'a link that is drawn anew with another icon tells that': async (page) => {
    const style = '<style>.fa::before{content:"\\f005"}</style>';
    const row = (icon, name) =>
      `<tr><td><a href="#s"><i class="fa fa-${icon}" style="display:inline-block;width:16px"></i>${name}</a><td>admin</tr>`;
    await shown(page, `${style}<table id="t">${row('square-o', 'Paint')}${row('square-o', 'Clean')}</table>`);
    const drawn = (first) =>
      `document.querySelector('#t').innerHTML = \`${row(first, 'Paint')}${row('square-o added', 'Clean')}\``;
    const told = await delta(page, drawn('gears'));
    has(told, /link "Paint" \[icon=fa-gears\]/);
    hasNot(told, 'Clean');
    equal(await delta(page, drawn('gears')), '- no changes since the last snapshot');
    has(await delta(page, drawn('check-square-o')), /link "Paint" \[icon=fa-check-square-o\]/);
    has(await delta(page, drawn('square-o')), /link "Paint"(?! \[icon)/);
  },

  // Kanboard's columns
  'a row that has changed is told with the words that its naming cell does not share with those beside': async (
    page,
  ) => {
    const row = (id, name) => `<tr id="${id}"><td><button>Move</button> ${name}<td>5</tr>`;
    await shown(
      page,
      `<style>.hot { background: #ccc }</style><table>${row('a', 'Ready')}${row('b', 'Done')}${row('c', 'Late')}</table>`,
    );
    equal(await delta(page, 'b.className = "hot"'), '- table:\n  - row [class=hot]:\n    - cell: Done');
  },

  // FreshRSS, Kanboard
  'a label names the field of its own form where another form has one of the same id': async (page) => {
    const form = (title) =>
      `<form aria-label="${title}"><label for="c">Category</label><input id="c"><label for="w">Who</label><select id="w"><option>Ann</select></form>`;
    const yaml = await plain(page, form('First') + form('Second'));
    equal(
      yaml,
      ['First', 'Second']
        .map(
          (title) => `- form "${title}":\n  - textbox "Category"\n  - combobox "Who":\n    - option "Ann" [selected]`,
        )
        .join('\n'),
    );
    // What is ticked by a click on its label is the browser's.
    has(
      await plain(page, '<form><label for="t">Tick</label><input type="checkbox" id="t"></form>'.repeat(2)),
      /checkbox "Tick"\n[^]*checkbox$/,
    );
  },

  // [tool.snapshot.icons.controls] Tiny File Manager's tabs
  'a class of a control itself does not tell its icons, but for their colours': async (page) => {
    const style = '<style>.fa::before{content:"\\f005"} .hot .fa{color:red}</style>';
    const tab = '<li><a id="t" href="#t" class="active"><i class="fa fa-link"></i> From a URL</a></li>';
    await shown(page, `${style}<ul>${tab}<li><a href="#u" class="inactive">Files</a></ul>`);
    hasNot(await delta(page, 't.className = "inactive"'), 'fa-link');
    has(await delta(page, 't.className = "hot"'), '[icon=fa-link red]');
  },

  // [tool.snapshot] TinyMCE's menu of blocks, in Bludit
  'an item of a menu that is drawn as a heading is told once': async (page) => {
    const item = (name, inner) =>
      `<div role="menuitemcheckbox" tabindex="-1" aria-checked="false" aria-label="${name}"><span>${inner}</span></div>`;
    equal(
      await plain(
        page,
        `<div role="menu">${item('Heading 1', '<h1>Heading 1</h1>')}${item('Other', '<h2>Another</h2>')}</div>`,
      ),
      `- menu:
  - menuitemcheckbox "Heading 1"
  - menuitemcheckbox "Other":
    - heading "Another" [level=2]`,
    );
  },

  // Adminer's tables, in which the header under the mouse gets links
  'what is new in a header of a column is told with the words of that header': async (page) => {
    const head = (name) => `<th id="${name}"><a href="#${name}">${name}</a></th>`;
    const row = '<tr><td><a href="#e">edit</a></td><td>Chair</td><td>9</td><td>oak</td></tr>';
    await shown(
      page,
      `<table><tr><td><a href="#m">Modify</a></td>${head('name')}${head('price')}${head('note')}</tr>${row}${row}</table>`,
    );
    const told = await delta(
      page,
      `price.insertAdjacentHTML('beforeend', '<div><a href="#d" title="down">v</a></div>')`,
    );
    has(told, /header:\n *- text: price\n|header: *\n *- link "price"/);
    hasNot(told, /Modify|name|note/);
  },

  // MyBB's forms, a table of labels and their fields; what else a cell says stays
  'a cell that holds but the label of a field has no line': async (page) => {
    equal(
      await plain(
        page,
        `<table><tr><td><label for="h">Host:</label></td><td><input id="h"></td></tr>
         <tr><td><label for="p">PIN:</label> Leave it empty.</td><td><input id="p"></td></tr>
         <tr><td><label for="gone">Port:</label></td><td>80</td></tr>
         <tr><th><label for="n">Name:</label></th><td><input id="n"></td></tr></table>`,
      ),
      `- table:
  - row:
    - textbox "Host:"
  - row:
    - 'cell "PIN: Leave it empty."'
    - textbox "PIN:"
  - row:
    - cell "Port:"
    - cell "80"
  - row:
    - textbox "Name:"`,
    );
    has(await delta(page, 'n.value = "Ada"'), 'textbox "Name:": Ada');
    const renamed = await delta(page, 'document.querySelector("label").textContent = "Server:"');
    has(renamed, 'textbox "Server:"');
    hasNot(renamed, 'cell');
  },

  // MyBB's and WordPress's links, which have another key in each session
  'a link whose key alone is another is no change': async (page) => {
    const link = (key, id) =>
      `<a href="?action=read&my_post_key=${key}">Mark</a> <a href="?del=${id}&_wpnonce=${key}">Delete</a>`;
    await shown(page, `<div id="box">${link('5013bb0795', 7)}</div>`);
    equal(await delta(page, `box.innerHTML = '${link('bb07955013', 7)}'`), '- no changes since the last snapshot');
    const other = await delta(page, `box.innerHTML = '${link('bb07955013', 8)}'`);
    has(other, 'del=8');
    hasNot(other, 'Mark');
  },

  // Kanboard's counts of tasks
  'the texts around a hidden one that repeats the name are one': async (page) => {
    const style =
      '<style>.v{clip:rect(0 0 0 0);height:1px;margin:-1px;overflow:hidden;position:absolute;width:1px}</style>';
    equal(
      await plain(
        page,
        `${style}<div><span title="All tasks">(<span><span class="v">All tasks </span>1</span>)</span></div>`,
      ),
      '- generic "All tasks": (1)',
    );
  },
};
