// What editors of diagrams, panels of administrators and planners have shown that are driven as whole applications.
import { delta, equal, has, hasNot, kPatience, plain, shown } from '../expect.mjs';

const kShape = (shape, more = '') => `<svg width="30" height="30" ${more}>${shape}</svg>`;

export default {
  // [tool.target]
  'what a line calls by the box around it is found by that line, by its role and by its words': async (page) => {
    has(
      await shown(page, '<p>Anna</p><span aria-label="Select this row"><input id="c" type="checkbox"></span>'),
      '- checkbox "Select this row" [ref=e2]',
    );
    for (const target of [
      'checkbox "Select this row"',
      'role=checkbox[name="Select this row"]',
      "getByRole('checkbox', {name: 'Select this row'})",
      'Select this row',
    ])
      equal((await page.call('actionable', { callId: 1, target, timeout: kPatience })).error ?? '', '', target);
  },

  // [tool.target.words]
  'words that boxes set apart are found as a line tells them': async (page) => {
    await shown(
      page,
      '<div style="cursor:pointer"><span style="display:inline-block">+</span><span style="display:inline-block;margin-left:4px">More Shapes</span></div>',
    );
    equal((await page.call('actionable', { callId: 1, target: '+ More Shapes', timeout: kPatience })).error ?? '', '');
  },

  // [tool.snapshot.quiet]
  'a button in a cell that readers are not told of is one that a mouse opens the row with': async (page) => {
    const button =
      '<div role="button" tabindex="-1" aria-hidden="true" aria-expanded="false" aria-label="Expand">›</div>';
    has(await plain(page, `<table><tr><th>Open<th>Name<tr><td>${button}<td>Anna</table>`), '- button "Expand": "›"');
    hasNot(await plain(page, `<div>${button}</div><p>Anna</p>`), 'Expand'); // a field has other ways to open its list
  },

  // [tool.snapshot.drawings]
  'a shape in a large drawing is told as one shape of it, not by the size of the drawing': async (page) => {
    equal(
      await plain(
        page,
        kShape('<rect x="5" y="5" width="60" height="40" fill="white"/>', 'style="width:600px;height:400px"'),
      ),
      '- img [looks=1 shape 600x400]',
    );
    equal(
      await plain(page, kShape('<rect width="590" height="400" fill="black"/>', 'style="width:600px;height:400px"')),
      '- img [looks=black rectangle 600x400]',
    );
  },

  // [tool.snapshot.delta]
  'a drawing in which there is something to click now has not gone': async (page) => {
    await shown(
      page,
      `<p>Plan</p>${kShape('<g id="g"><rect width="90" height="60" fill="white"/></g>', 'style="width:600px;height:400px"')}`,
    );
    equal(
      await delta(
        page,
        `g.insertAdjacentHTML('beforeend', '<g style="cursor:pointer"><rect x="99" width="20" height="20"/></g>')`,
      ),
      '- generic [looks=black rectangle 20x20] [cursor=pointer]',
    );
  },

  // [tool.snapshot.pointers]
  'a painted shape of a diagram that its author has made for the mouse has a ref': async (page) => {
    const shapes =
      '<rect width="500" height="300" fill="none" pointer-events="all"/><rect width="500" height="99" fill="transparent" pointer-events="all"/>' +
      '<rect x="9" y="60" width="90" height="60" fill="white" stroke="black" pointer-events="all"/><path d="M0 0h99" stroke="red" fill="red"/>' +
      '<path d="M99 0l6 6l-6 6z" fill="black" pointer-events="all"/>';
    equal(
      await plain(page, kShape(shapes, 'style="width:600px;height:400px"')),
      '- generic [looks=white rectangle 90x60] [cursor=pointer]',
    );
    hasNot(await plain(page, kShape(shapes)), 'cursor'); // an icon
  },

  // [tool.snapshot.brief]
  'an item of a menu that is a row of a table is one line': async (page) => {
    const row = (...cells) =>
      `<tr style="cursor:pointer">${cells.map((cell) => `<td style="padding:9px">${cell}`).join('')}`;
    const arrow =
      '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" width="9" height="9">';
    const menu = [
      row('', 'New...', ''),
      row('', 'Export as', arrow),
      '<tr><td><td colspan="2"><hr>',
      row('', 'Save', 'Ctrl+S'),
    ];
    equal(
      await plain(page, `<table>${menu.join('')}</table>`),
      `- table:
  - row [cursor=pointer]: New...
  - row [cursor=pointer]: Export as
  - separator
  - row [cursor=pointer]:
    - cell "Save"
    - cell "Ctrl+S"`,
    );
    const [gif] = /data:[^"]*/.exec(arrow);
    const ticked = row('', 'Grid').replace('padding:9px', `padding:9px;background-image:url(${gif})`);
    equal(
      await plain(page, `<table>${ticked}${row('', 'Rulers')}</table>`),
      '- table:\n  - row [looks=picture] [cursor=pointer]: Grid\n  - row [cursor=pointer]: Rulers',
    );
    await page.main(`document.querySelector('table').className = 'x'`);
    equal(await delta(page, `document.querySelector('table').className = 'y'`), '- no changes since the last snapshot');
    await page.main(`document.querySelector('table').insertAdjacentHTML('beforeend', '${row('', 'Guides')}')`);
    equal(await delta(page), '- table:\n  - row [cursor=pointer]: Guides');
    const icon = '<i class="fa fa-check"></i>';
    has(
      await plain(
        page,
        `<style>.fa::before{content:"\\f00c"}</style><table>${row(icon, 'Grid')}${row('', 'Rulers')}</table>`,
      ),
      'fa-check',
    );
    has(await plain(page, `<table>${row('a.txt', '3 KB')}${row('b.txt', '9 KB')}</table>`), '- cell "3 KB"'); // no menu
  },

  // [tool.snapshot.hints]
  'a box around a drawing of one plain shape is called by that': async (page) => {
    const box = (shape) => `<div style="cursor:pointer">${kShape(shape)}</div><p>and</p>`;
    equal(
      await plain(
        page,
        box('<rect y="8" width="28" height="14" fill="white" stroke="black"/>') +
          box('<rect width="20" height="20" rx="3" fill="white"/>') +
          box('<ellipse cx="9" cy="9" rx="8" ry="8" fill="white"/>') +
          box('<path d="M0 0h9v9z" fill="white"/>'),
      ),
      `- generic [looks=rectangle] [cursor=pointer]
- paragraph: and
- generic [looks=rounded square] [cursor=pointer]
- paragraph: and
- generic [looks=circle] [cursor=pointer]
- paragraph: and
- generic [cursor=pointer]
- paragraph: and`,
    );
  },

  // [tool.snapshot.delta]
  'what a slide brings into sight that was off-screen is told': async (page) => {
    const pane = (name) => `<div class="of-${name}" style="flex:0 0 300px"><button>${name}</button></div>`;
    const track = `<div id="t" style="display:flex">${['A', 'B', 'C'].map(pane).join('')}</div>`;
    has(
      await shown(page, `<div style="width:300px;overflow:hidden">${track}</div>`),
      '- button "B" [ref=e2] [off-screen]',
    );
    equal(await delta(page, 't.style.transform = "translateX(-300px)"'), '- text: … on screen now: e2');
    equal(await delta(page, 't.style.transform = "translateX(-600px)"'), '- text: … on screen now: e3');
    // What has been scrolled to is nothing new.
    await shown(page, `<div id="s" style="width:300px;overflow:auto">${track}</div>`);
    hasNot(await delta(page, 's.scrollLeft = 300'), 'on screen now');
  },

  // [tool.snapshot.clipped]
  "a kit's own elements are slides though their classes are not alike": async (page) => {
    const slide = (name, which) => `<x-slide class="${which}" style="flex:0 0 300px"><p>${name}</p></x-slide>`;
    const track = slide('One', 'is-active') + slide('Two', 'is-next') + slide('Three', '');
    has(
      await plain(page, `<div style="width:300px;overflow:hidden"><div style="display:flex">${track}</div></div>`),
      '- paragraph [clipped]: Two',
    );
  },
};
