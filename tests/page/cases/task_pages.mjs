// What pages of small tasks have shown: what a person does there at sight.
import { delta, equal, has, hasNot, kPatience, ok, plain, refused, shown } from '../expect.mjs';

export default {
  // [tool.actionable]
  'a drawing whose middle something else has is pressed well inside': async (page) => {
    const slice = `<path d="M0 0H100V100H0Z" onclick=""/><text x="45" y="55" font-size="20">H</text>`;
    await shown(page, `<style>body{margin:0}</style><svg width="100" height="100">${slice}</svg>`);
    const { x, y } = await page.call('actionable', { target: 'path', kind: 'click', timeout: kPatience, callId: 1 });
    ok(x > 20 && x < 80 && y > 20 && y < 80, `${x}, ${y}`);
  },

  // [tool.snapshot.hints]
  'what is pressed says the state of the one box that it holds': async (page) => {
    const side = (more, text) => `<div class="side"><div class="image${more}">${text}</div></div>`;
    const sides = `<style>.side{cursor:pointer}</style>${side('', 1)}${side(' active', 2)}`;
    equal(await plain(page, sides), '- generic [cursor=pointer]: "1"\n- generic [class=active] [cursor=pointer]: "2"');
  },

  // [tool.snapshot.hints]
  'of fields without a name those of several lines say so': async (page) => {
    equal(
      await plain(page, '<textarea>a</textarea><input value="b"><label>Notes <textarea></textarea></label>'),
      '- textbox [multiline]: a\n- textbox: b\n- textbox "Notes"',
    );
  },

  // [tool.snapshot.delta]
  'a group without a ref is left out around changes of what is known by its ref': async (page) => {
    await shown(page, `<div id="g"><p id="a">one</p><p id="b">two</p></div><p>end</p>`);
    equal(await delta(page, `a.textContent = 1; b.textContent = 2`), '- paragraph: "1"\n- paragraph: "2"');
    const more = `a.textContent = 'x'; g.insertAdjacentHTML('beforeend', '<p>three</p>')`;
    equal(await delta(page, more), '- generic:\n  - paragraph: x\n  - paragraph: three');
  },

  // [tool.snapshot.brief]
  'what is pressed as one and holds a few things has no groups in it': async (page) => {
    const icon = (name) => `<b class="icon-${name}" style="cursor:pointer" onclick=""></b>`;
    const row = (words) =>
      `<div class="row" style="cursor:pointer"><div>${words}</div><div>${icon('trash')}${icon('star')}</div></div>`;
    const few = '<p>Ann</p><p>Hello</p>';
    const lines = await plain(page, row(few) + row(few.repeat(4)));
    equal(lines.split('\n').filter((line) => /- generic:$/.test(line)).length, 2);
    has(lines, '- generic [cursor=pointer]:\n  - paragraph: Ann\n  - paragraph: Hello\n  - generic');
  },

  // [tool.snapshot.brief]
  'an item of a menu that opens another one says so': async (page) => {
    const item = (name, more = '') => `<li><div role="menuitem" tabindex="-1" ${more}>${name}</div></li>`;
    const opens = item('Open recent', 'id="o" aria-haspopup="true"');
    equal(
      await plain(page, `<ul role="menu">${item('New')}${opens}${item('Save', 'aria-haspopup="false"')}</ul>`),
      `- menu:
  - menuitem "New"
  - menuitem "Open recent" [haspopup]
  - menuitem "Save"`,
    );
    const bar = `<ul role="menubar">${item('File', 'aria-haspopup="menu"')}</ul>`;
    equal(await plain(page, bar), '- menubar:\n  - menuitem "File"');
    await shown(page, `<ul role="menu">${item('New')}${opens}</ul>`);
    equal(
      await delta(page, `o.setAttribute('aria-expanded', 'true')`),
      '- menu:\n  - menuitem "Open recent" [expanded]',
    );
  },

  // [tool.type.slider]
  'what is drawn as a slider without saying its number is told to be set by the mouse or the keys': async (page) => {
    const handle = '<div class="ui-slider"><span class="ui-slider-handle" tabindex="0">|</span></div>';
    await shown(page, `${handle}<p class="sliders">x</p>`);
    await refused(page, { target: 'span', kind: 'type' }, 'drawn as a slider, but has no number');
    await refused(page, { target: 'p', kind: 'type' }, "text can't be typed into it");
  },

  // [tool.snapshot.hidden]
  'an editor off the page that no key leads to has a line while it has the focus alone': async (page) => {
    const away = 'style="position:absolute;left:-9999px;height:1px;overflow:hidden"';
    const editor = (more) => `<p>Text</p><div id="e" contenteditable ${away} ${more}></div><button>Go</button>`;
    equal(await plain(page, editor('tabindex="-1"')), '- paragraph: Text\n- button "Go"');
    has(await plain(page, editor('')), '- generic [editable]');
    await shown(page, editor('tabindex="-1"'));
    has(await delta(page, `e.focus()`), 'generic [active] [editable]');
  },

  // [tool.snapshot.hints]
  'a button that its class alone names keeps that beside what it is in': async (page) => {
    const sign = '<svg viewBox="0 0 9 9" width="16" height="16"><path d="M1 1h4v4z"/></svg>';
    const button = (kind) => `<button class="${kind}">${sign}</button>`;
    const bar = `<style>.ql-active{color:blue}</style>${button('ql-bold')}${button('ql-italic')}`;
    await shown(page, bar);
    const press = `document.querySelector('.ql-bold').classList.add('ql-active')`;
    equal(await delta(page, press), '- button [class=ql-bold ql-active]');
    equal(await plain(page, button('btn active')), '- button [class=active]');
  },

  // [tool.snapshot]
  'an empty field for a date tells as what it takes one': async (page) => {
    const field = (type, more = '') => `<label>When <input id="i" type="${type}" ${more}></label>`;
    for (const [type, form] of Object.entries({ date: 'YYYY-MM-DD', time: 'HH:MM', month: 'YYYY-MM' }))
      equal(await plain(page, field(type)), `- textbox "When":\n  - /placeholder: ${form}`);
    equal(await plain(page, field('text')), '- textbox "When"');
    await shown(page, field('date'));
    equal(await delta(page, `i.value = '2026-02-03'`), '- textbox "When": "2026-02-03"');
  },

  // [tool.snapshot.delta] slices of a round menu whose lines are thicker under the mouse
  'a shape that is drawn larger by a pixel or two tells nothing': async (page) => {
    const arc = (x) => `<path d="M${x} 0 h40 v20 l-20 20 l-20 -20 Z" fill="red" style="cursor:pointer"/>`;
    has(await shown(page, `<svg id="s" width="200" height="90">${arc(10)}${arc(80)}</svg>`), '[looks=red shape 40x40]');
    const grow = (d) => delta(page, `s.lastChild.setAttribute('d', 'M80 0 h40 v20 l-20 ${d} l-20 -${d} Z')`);
    hasNot(await grow(22), 'red');
    has(await grow(40), '[looks=red shape 40x60]');
  },

  // [tool.snapshot.delta] dishes of a menu
  'what is new in one of several rows of boxes is told with the words that the row begins with': async (page) => {
    const dish = (name, signs, id = '') =>
      `<div><div><div><div>${name}</div>${signs}</div></div><div><span style="cursor:pointer">-</span><b id="${id}" style="display:inline-block"></b><span style="cursor:pointer">+</span></div></div>`;
    const marks = '<div><img alt="vegan" width="9" height="9"><img alt="nuts" width="9" height="9"></div>';
    await shown(page, `<div><h2>Starters</h2>${dish('Soup', marks)}${dish('Bread', marks, 'count')}</div>`);
    const lines = await delta(page, `count.textContent = '1'`);
    has(lines, 'Bread');
    hasNot(lines, 'Soup');
  },
};
