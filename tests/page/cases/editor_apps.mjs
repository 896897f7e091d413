// What editors, spreadsheets and players have shown: Etherpad, xterm.js, Handsontable, GraphiQL (CodeMirror), video.js.
import { delta, equal, has, hasNot, kPatience, ok, plain, refused } from '../expect.mjs';

export default {
  // [tool.target.words] [tool.target.nearest] Quill
  'a line of a text that is written in is found by its words, and one of any text is named as near': async (page) => {
    await plain(
      page,
      '<div contenteditable="true"><p>First line</p><p id="q">Third line</p></div><div><p>Fourth line</p><p>Fifth one</p></div>',
    );
    const found = await page.call('actionable', { target: 'Third line', timeout: kPatience, callId: 1 });
    ok(found.ok, found.error);
    equal(found.describe, 'paragraph "Third line"');
    await refused(page, { target: 'Fourth line' }, /Nearest: (paragraph|<p>) "?Fourth line"?/);
  },

  // [tool.snapshot.delta] Quill, TinyMCE
  'how selected text and its line look in an editor is told where that changes, and the same is still selected': async (
    page,
  ) => {
    await page.load(
      '<div contenteditable="true" id="ed"><p id="p" style="color:black">Hello <strong><em id="e">big</em></strong> world</p><p id="q">Last</p></div><p id="out">x</p>',
    );
    await page.main('ed.focus(); getSelection().selectAllChildren(e)');
    await page.yaml({ mode: 'full' });
    has(await delta(page, 'e.style.color = "#e60000"'), '- text: … "big" is now in red');
    const wrapped =
      'e.innerHTML = "<span style=\\"text-decoration:underline\\">big</span>"; getSelection().selectAllChildren(e)';
    has(await delta(page, wrapped), '- text: … "big" is now underlined');
    const more = 'e.style.background = "#ffff00"; p.style.textAlign = "center"; p.style.fontSize = "30px"';
    has(await delta(page, more), '… "big" is now on yellow, 30px high; the line of the selection is now centered');
    has(await delta(page, 'e.style.background = ""'), '… "big" is now without a background');
    hasNot(await delta(page, 'getSelection().selectAllChildren(q)'), 'is now');
    const caret = 'getSelection().collapse(q.firstChild, 2)';
    hasNot(await delta(page, caret), 'is now');
    has(await delta(page, 'q.style.paddingLeft = "48px"'), '- text: … the line of the caret is now indented 48px more');
    equal(await delta(page, 'getSelection().collapse(q.firstChild, 3)'), '- no changes since the last snapshot');
    // The box to edit in may be placed anew as a whole, as over a shape whose name it takes.
    await page.main(`ed.innerHTML = ''; ed.focus()`);
    await page.yaml({ mode: 'delta' });
    hasNot(await delta(page, 'ed.style.paddingLeft = "5px"'), 'indented');
    await page.main(`ed.style.paddingLeft = ''; ed.innerHTML = '<p id="q">Last</p>'`);
    // What the tree tells by an element is told by that.
    await page.main('getSelection().selectAllChildren(q)');
    await page.yaml({ mode: 'delta' });
    hasNot(
      await delta(page, 'q.innerHTML = "<a href=#>Last</a>"; getSelection().selectAllChildren(q.firstChild)'),
      'is now',
    );
    await page.main('getSelection().selectAllChildren(out)');
    await page.yaml({ mode: 'delta' });
    hasNot(await delta(page, 'out.style.color = "red"'), 'is now');
  },

  // [tool.snapshot.hidden] Etherpad
  'a label that its author calls by its own words is told by its field': async (page) => {
    equal(
      await plain(
        page,
        '<p><input type="checkbox" id="a"><label for="a" aria-label="Line numbers" style="cursor:pointer">Line numbers</label><p><label for="b" aria-label="Name:">Name:</label><input id="b">',
      ),
      `- paragraph:
  - checkbox "Line numbers"
- paragraph:
  - textbox "Name:"`,
    );
  },

  // [tool.snapshot] Handsontable
  'an entry of a menu that is called by a line of dashes is what parts the others': async (page) => {
    const entry = (name) => `<li role="menuitem" aria-label="${name}"><div></div></li>`;
    const text = await plain(
      page,
      `<ul role="menu">${entry('Undo')}${entry('---------')}<li role="menuitem">Cut</li><li role="menuitem">———</li>${entry('-')}</ul>`,
    );
    equal(
      text,
      `- menu:
  - menuitem "Undo"
  - separator
  - menuitem "Cut"
  - separator
  - menuitem "-"`,
    );
  },

  // [tool.snapshot] CodeMirror
  'what a field holds for the keys of an editor alone, in a box of no height, is none of its value': async (page) => {
    const html = (box) =>
      `<div style="position:relative"><div style="overflow:hidden;position:relative;${box}"><textarea id="a" aria-label="Code" style="position:absolute;top:0;width:100px;height:1em"></textarea></div><pre id="b">two</pre></div>`;
    await plain(page, html('width:3px;height:0'));
    await page.main('a.value = "typed"; b.textContent = "two typed"');
    const text = await delta(page);
    hasNot(text, ': typed');
    has(text, 'two typed');
    await plain(page, html('width:300px;height:30px'));
    await page.main('a.value = "typed"');
    has(await delta(page), 'textbox "Code": typed');
  },

  // [tool.snapshot] Shaarli
  'a link to nothing has no URL': async (page) => {
    equal(
      await plain(page, '<a href="" onclick="return false">Delete</a><a href="?page=2">More</a>'),
      `- link "Delete"
- link "More":
  - /url: "?page=2"`,
    );
  },

  // [tool.actionable] uploads of many a page
  'a field for files that nobody sees is pressed and hovered over by its label, and without one says what to do':
    async (page) => {
      const label = 'style="display:inline-block;width:90px;height:30px;background:#ccc"';
      for (const html of [
        `<label for="f" ${label}>Upload</label><input id="f" type="file" style="display:none">`,
        `<label ${label}>Upload<input id="f" type="file" hidden></label>`,
        `<label for="f" ${label}>Upload</label><input id="f" type="file" style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">`,
      ]) {
        await page.load(html);
        for (const kind of ['click', 'hover']) {
          const ready = await page.call('actionable', { target: '#f', kind, timeout: kPatience, callId: 1 });
          ok(ready.ok, ready.error);
          equal(await page.main(`document.elementFromPoint(${ready.x}, ${ready.y}).tagName`), 'LABEL');
        }
      }
      await page.load('<button onclick="f.click()">Upload</button><input id="f" type="file" aria-label="File" hidden>');
      await refused(page, { target: '#f', kind: 'click' }, 'browser_file_upload');
    },

  // [tool.snapshot.hints] Handsontable
  'cells that a search marks among those of their column are told by what marks them': async (page) => {
    const row = (i, more = '') =>
      `<tr><td class="htLeft ${more}">Item ${i}</td><td class="num">${i}</td><td class="${i % 2 ? 'odd' : 'even'}">x</td></tr>`;
    const rows = (found) => Array.from({ length: 6 }, (_, i) => row(i, found.includes(i) ? 'hit' : '')).join('');
    const style = '<style>.hit{background:#d8f3e3} .odd{background:#eee} .mute{color:gray}</style>';
    await plain(page, `${style}<table><tbody id="b">${rows([])}</tbody></table>`);
    await page.main("[2, 3].forEach((i) => b.rows[i].cells[0].classList.add('hit'))");
    const text = await delta(page);
    has(text, 'cell "Item 2" [class=hit]');
    has(text, 'cell "Item 3" [class=hit]');
    hasNot(text, 'Item 4');
    await page.main("for (const { cells } of b.rows) cells[0].classList.remove('hit')");
    has(await delta(page), 'cell "Item 2"');
    await page.main("b.rows[1].cells[0].classList.add('mute')"); // which draws no other ground
    hasNot(await delta(page), 'class=');
  },

  // [tool.target] xterm.js
  'what is called by much text is called by none of its styles': async (page) => {
    const rules = '.row { color: red } '.repeat(400);
    await page.load(
      `<div class="term" tabindex="0" style="width:300px;height:100px"><style>${rules}</style><div>Welcome</div></div>`,
    );
    const ready = await page.call('actionable', { target: '.term', timeout: kPatience, callId: 1 });
    has(ready.describe, '"Welcome"');
  },

  // [tool.snapshot.delta] Monaco
  'lines of code that have gone are told beside the one that has come': async (page) => {
    const lines = ['sum(a, b) {', 'return a + b', '}', 'end'].map((line) => `<div>${line}</div>`).join('');
    const numbers = [1, 2, 3, 4].map((n) => `<div>${n}</div>`).join('');
    await plain(
      page,
      `<code><input aria-label="Code"><div id="n" aria-hidden="true">${numbers}</div><div id="c" aria-hidden="true">${lines}</div></code>`,
    );
    await page.main("c.innerHTML = '<div>let y</div>'; n.innerHTML = '<div>1</div>'");
    const text = await delta(page);
    has(text, '- text: let y');
    has(text, 'removed: ["text \\"sum(a, b) {\\"", "text \\"return a + b\\""');
    await page.main("c.innerHTML = '<div>let z</div>'");
    hasNot(await delta(page), 'removed');
  },

  // [tool.snapshot.delta] Monaco
  'a panel that is put away behind the edge of its box has gone, and is not inert': async (page) => {
    await plain(
      page,
      `<div style="position:relative;overflow:hidden;height:200px"><input aria-label="Code"><div id="d" role="dialog" aria-label="Find" style="position:absolute;top:0;right:0;height:40px;width:300px"><input aria-label="Find what"></div></div>`,
    );
    await page.main("d.ariaHidden = 'true'; d.style.transform = 'translateY(-50px)'");
    const text = await delta(page);
    has(text, 'removed: dialog "Find"');
    hasNot(text, 'inert');
    await page.main("d.ariaHidden = 'false'; d.style.transform = ''");
    has(await delta(page), 'textbox "Find what"');
    await page.main("d.ariaHidden = 'true'");
    has(await delta(page), 'inert now: dialog "Find"');
  },
};
