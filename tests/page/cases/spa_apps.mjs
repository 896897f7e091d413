// What applications of one page have shown that are driven by a mouse: editors of stories, drawings, maps and programs, consoles of
// servers.
import { delta, equal, shown } from '../expect.mjs';

export default {
  // [tool.snapshot.pointers]
  'the icon in a link that is an item of a tree is a part of it, the sign that unfolds an item is none': async (
    page,
  ) => {
    const icon = '<i style="display:inline-block;width:24px;height:24px;background:url(key.png)"></i>';
    equal(
      await shown(
        page,
        `<style>li i, [role=treeitem] { cursor: pointer }</style><ul role="tree" aria-label="Keys">
        <li role="none"><a href="#" role="treeitem" aria-level="1">${icon}users</a></li>
        <li><div role="treeitem" aria-level="1" aria-expanded="false"><i class="arrow"
          style="display:inline-block;width:24px;height:24px;background:url(key.png)"></i>carts</div></li></ul>`,
      ),
      `- tree "Keys" [ref=e1]:
  - treeitem "users" [level=1] [ref=e2]
  - treeitem "carts" [collapsed] [level=1] [ref=e3]:
    - generic [ref=e4] [icon=key.png] [cursor=pointer]`,
    );
  },

  // [tool.snapshot.delta]
  'a dialog without a name is gone by its heading, not by the button before that': async (page) => {
    await shown(
      page,
      '<p>Words</p><div id="d" role="dialog"><button>×</button><h2>Save as</h2><button>Ok</button></div>',
    );
    equal(await delta(page, 'd.remove()'), '- removed: "dialog: Save as"');
  },

  // [tool.snapshot.delta]
  'a field without a name is told with the text before it': async (page) => {
    const field = (label, id) =>
      `<div><span onclick="">${label}</span> <input type="number" id="${id}" value="0"></div>`;
    await shown(page, `<div>${field('X:', 'x')}${field('Y:', 'y')}</div><p>Wide <input id="w" value="1"> px</p>`);
    equal(
      await delta(page, 'x.value = y.value = 7; w.value = 2'),
      `- generic:
  - generic:
    - generic: "X:"
    - spinbutton: "7"
  - generic:
    - generic: "Y:"
    - spinbutton: "7"
- paragraph:
  - text: Wide
  - textbox: "2"`,
    );
    await shown(page, `<div>${field('X:', 'x')}<p>Wide <input id="w" aria-label="Wide" value="1"> px</p></div>`);
    equal(await delta(page, 'w.value = 2'), '- paragraph:\n  - textbox "Wide": "2"');
  },

  // [tool.target]
  'what is called by its picture too is known by its words': async (page) => {
    await shown(
      page,
      '<div role="menu"><div role="menuitem" tabindex="0"><img alt="icon" src="x.svg">Export</div></div>',
    );
    for (const target of ['menuitem "icon Export"', 'menuitem "Export"', 'Export'])
      equal((await page.call('describe', { target })).count, 1, target);
  },

  // [tool.snapshot.hints]
  'a title that a script shows as HTML is read by its words': async (page) => {
    const titled = (title) => `<div title="${title}" style="cursor:pointer">&nbsp;</div>`;
    equal(
      await shown(
        page,
        titled("<div class='tip'><b>Pen tool</b> <span class='key'>(P)</span></div>") +
          titled('Resize<br/>the drawing') +
          titled('less &lt;file&gt;'),
      ),
      `- generic "Pen tool (P)" [ref=e1] [cursor=pointer]
- generic "Resize the drawing" [ref=e2] [cursor=pointer]
- generic "less <file>" [ref=e3] [cursor=pointer]`,
    );
  },

  // [tool.snapshot.hints]
  'an item is the current one by a class that says so of what it is': async (page) => {
    const item = (name, more) => `<li class="layer-item ${more}" style="cursor:pointer">${name}</li>`;
    equal(
      await shown(page, `<ul>${item('Sky', 'current-layer-item')}${item('Sea', '')}</ul>`),
      `- list [ref=e1]:
  - listitem [ref=e2] [class=current-layer-item] [cursor=pointer]: Sky
  - listitem [ref=e3] [cursor=pointer]: Sea`,
    );
    const row = (name, more) => `<div><div class="menuRow ${more}" style="cursor:pointer">${name}</div></div>`;
    equal(
      await shown(page, row('Motion', 'rowSelected') + row('Looks', '')),
      `- generic [ref=e4] [class=rowSelected] [cursor=pointer]: Motion
- generic [ref=e5] [cursor=pointer]: Looks`,
    );
  },

  // [tool.snapshot.brief]
  'a button that is around a field to write in is not called by all that it holds': async (page) => {
    equal(
      await shown(
        page,
        `<div role="button" tabindex="0"><p>first line</p><p>second line</p><textarea aria-label="Code">x</textarea></div>
        <div role="button" tabindex="0">Drop files here <button>Browse</button></div>`,
      ),
      `- button [ref=e1]:
  - paragraph [ref=e2]: first line
  - paragraph [ref=e3]: second line
  - textbox "Code" [ref=e4]: x
- button "Drop files here Browse" [ref=e5]:
  - button "Browse" [ref=e6]`,
    );
  },
};
