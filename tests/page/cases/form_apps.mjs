// Shapes of a task board, of forms that a kit draws, and of a drawing board, driven as whole applications.
import { begin, delta, equal, has, hasNot, kPatience, next, ok, plain, refused, shown } from '../expect.mjs';

export default {
  // [tool.snapshot.hidden] Shoelace
  'what a rule of a shadow tree hides is hidden, there and where it is slotted': async (page) => {
    const yaml = await plain(
      page,
      `<p>Before</p><x-option id="o" role="option" tabindex="0">Apple</x-option><x-panel><i>slotted</i></x-panel><script>
       const define = (name, html) => customElements.define(name, class extends HTMLElement {
         connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = html; } });
       define('x-icon', '<svg width="16" height="16"><path d="M1 1h9v9z"/></svg>');
       define('x-option', '<style>div{cursor:pointer}.check{visibility:hidden;display:inline-block}</style><div>' +
         '<x-icon part="check" class="check" aria-hidden="true"></x-icon><slot></slot></div>');
       define('x-panel', '<style>div{visibility:hidden}</style><div>within <slot></slot></div>');</script>`,
    );
    equal(yaml, '- paragraph: Before\n- option "Apple"');
  },

  // [tool.snapshot.brief] Shoelace
  'a box is not called by what it stands in': async (page) => {
    const yaml = await plain(
      page,
      '<div id="drop"><button>Menu</button><div aria-labelledby="drop"><a href="#c">Cut</a><a href="#p">Paste</a></div></div>',
    );
    hasNot(yaml, 'Menu Cut');
  },

  // [tool.target] TinyMCE
  'an editor that stands for a hidden textarea is told by its text, not by its menus': async (page) => {
    await page.load(`<!doctype html><textarea style="display:none" id="t">Old</textarea><div role="application">
      <div role="menubar"><span role="menuitem" aria-haspopup="true" tabindex="0">File</span></div>
      <div contenteditable="true" role="textbox" aria-label="Text" tabindex="0">Old</div></div>`);
    await refused(page, { target: '#t', kind: 'click' }, 'use textbox "Text"');
  },

  // [tool.snapshot.brief] FullCalendar
  'the part of a cell that names it is not told again': async (page) => {
    const day = (n, more = '') =>
      `<td role="gridcell" tabindex="0" aria-labelledby="d${n}"><div><div><a id="d${n}" aria-label="May ${n}, 2026">${n}</a></div>${more}</div>`;
    const yaml = await shown(
      page,
      `<table role="grid"><tr role="row">${day(1)}${day(2, '<div>Standup</div>')}${day(3, '<b>3 more</b>')}
       <td role="gridcell" tabindex="0" aria-labelledby="d4"><a id="d4" href="#4" aria-label="May 4, 2026">4</a></tr></table>`,
    );
    equal(yaml.match(/May \d/g).length, 5);
    has(yaml, /gridcell "May 2, 2026" \[ref=e\d+\]: Standup/, /gridcell "May 3, 2026".*: 3 more/, 'link "May 4, 2026"');
  },

  // [tool.snapshot.brief] Leaflet
  'neighbours of one name tell their titles, where those differ': async (page) => {
    const pin = (title) => `<img role="button" tabindex="0" alt="Marker" title="${title}" width="20" height="20">`;
    const yaml = await shown(
      page,
      `<div id="pins">${pin('Tower')} ${pin('Palace')}</div><p>${pin('Marker')}${pin('Marker')}</p>`,
    );
    has(yaml, /button "Marker" \[ref=e\d+\]: Tower/, /button "Marker" \[ref=e\d+\]: Palace/);
    equal(yaml.match(/"Marker"/g).length, 4);
    hasNot(yaml, ': Marker');
    const more = await delta(page, `pins.insertAdjacentHTML('beforeend', '${pin('Museum')}')`);
    has(more, /button "Marker".*: Museum/);
    hasNot(more, 'Tower', 'Palace');
    await page.main('pins.lastElementChild.remove(); pins.lastElementChild.remove()');
    hasNot(await page.yaml(), 'Tower');
  },

  // [tool.snapshot.icons.controls] Angular Material
  'a class that tells of the focus alone is no other drawing of a control': async (page) => {
    await shown(
      page,
      '<button id="b"><svg width="16" height="16" class="lucide lucide-pen"><path d="M1 1h9v9z"/></svg> Rename</button><button id="c">Next</button>',
    );
    equal(await delta(page, 'b.className = "cdk-focused is-hovered"'), '- no changes since the last snapshot');
    equal(
      await delta(page, 'b.insertAdjacentHTML("beforeend", "<span class=\'mat-ripple button-ripple\'></span>")'),
      '- no changes since the last snapshot',
    );
    has(await delta(page, 'b.firstChild.setAttribute("class", "lucide lucide-x")'), 'button "Rename" [icon=lucide-x]');
  },

  // [tool.snapshot.hints] jQuery UI: that a day is not the chosen one says nothing of its being today
  'a highlight is told beside an attribute that says of another state that it is not': async (page) => {
    const yaml = await plain(
      page,
      `<table><tr><td><a href="#" aria-current="false">27</a><td><a href="#" class="ui-highlight" aria-current="false">28</a>
        <td><a href="#" aria-current="true">29</a></table>`,
    );
    has(yaml, 'link "28" [class=ui-highlight]');
    hasNot(yaml, /27.*\[class/);
    const list = await plain(
      page,
      '<ul role="listbox"><li role="option" aria-selected="false">A<li role="option" class="highlighted" aria-selected="true">B</ul>',
    );
    hasNot(list, 'class=');
  },

  // [tool.target] a calendar that is no part of the dialog whose shade lies over the page
  'of several that match the one that nothing covers is taken where a shade lies over the first': async (page) => {
    await page.load(`<!doctype html><a href="#" style="position:absolute;left:10px;top:10px" id="a">Done</a>
      <div id="shade" style="position:fixed;inset:0;background:#0009;z-index:1"></div>
      <button id="b" style="position:absolute;left:200px;top:200px;z-index:2">Done</button>`);
    equal((await page.call('locate', { target: 'text=Done' })).css, '#b');
    // What covers the first one alone may be scrolled away from it.
    await page.main('shade.style.inset = "0 0 auto 0"; shade.style.height = "60px"');
    equal((await page.call('locate', { target: 'text=Done' })).css, '#a');
  },

  // [tool.snapshot.hints] Angular Material
  'the part of a button that lights up as it is pressed is no icon, and a counted id calls nothing': async (page) => {
    const yaml = await plain(
      page,
      `<button class="mdc-icon-button" disabled><span class="mdc-icon-button__ripple"></span></button>
       <input type="checkbox" id="mat-box-7-input"><input type="checkbox" id="mat-box-8-input"><input type="checkbox" id="all-input">`,
    );
    hasNot(yaml, '[icon=');
    hasNot(yaml, 'mat-box');
    has(yaml, 'checkbox [id=all-input]');
  },

  // [tool.snapshot.labels] Element Plus
  'the drawn words of a label are not told beside the control that they name, whatever cursor they have': async (
    page,
  ) => {
    const yaml = await plain(
      page,
      `<label style="display:inline-block;position:relative"><input type="radio" name="r" style="opacity:0;position:absolute;z-index:-1">
        <span style="cursor:pointer;padding:9px">Sponsor</span></label>`,
    );
    equal(yaml, '- radio "Sponsor"');
  },

  // [tool.select.made] Element Plus
  'a list is opened by a box that has a size, where what holds the field has none': async (page) => {
    await page.load(`<!doctype html><style>.abs { position:absolute; top:50%; transform:translateY(-50%) }</style>
      <div id="box" style="cursor:pointer;width:300px;height:32px;position:relative;display:flex;align-items:center">
        <div style="position:relative;flex:1;display:flex"><div class="abs" style="opacity:0;width:100px">
          <input readonly role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-controls="l" id="c"></div>
          <div class="abs" style="width:280px">Select</div></div></div>
      <ul id="l" role="listbox" hidden><li role="option">Red<li role="option">Blue</ul>`);
    await begin(page, '#c', 'Blue');
    equal((await next(page)).step, 'open');
    equal((await page.call('locate', { target: 'bridle:pointed' })).css, '#box');
  },

  // [tool.select.made] Element Plus
  'that several may be chosen is told by what is around the list too': async (page) => {
    const load = (kind) =>
      page.load(`<!doctype html><button id="c" role="combobox" aria-expanded="true" aria-controls="l">Pick</button>
        <div class="dropdown ${kind}"><div><ul id="l" role="listbox"><li role="option">Red<li role="option">Blue</ul></div></div>`);
    await load('is-multiple');
    await begin(page, '#c', 'Red', 'Blue');
    equal((await next(page)).step, 'pick');
    await load('');
    await begin(page, '#c', 'Red', 'Blue');
    const one = await next(page);
    has(JSON.stringify(one), 'takes one value, not 2');
  },

  // [tool.snapshot.labels] Angular Material
  'a label in the frame around a made combobox is not told beside it': async (page) => {
    const yaml = await plain(
      page,
      `<div><div><div><label id="l"><span>Country</span></label></div></div>
        <div><div role="combobox" aria-labelledby="l" aria-expanded="false" tabindex="0"></div></div></div>`,
    );
    equal(yaml, '- combobox "Country"');
  },

  // [tool.snapshot.hidden-controls] select2
  'the label of a select calls the widget without a name that stands for it': async (page) => {
    const yaml = await plain(
      page,
      `<label for="s">Tags</label><select id="s" multiple tabindex="-1" aria-hidden="true" style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)"></select>
       <span><span role="combobox" aria-haspopup="true" aria-expanded="false" style="display:block;width:200px;height:30px"><input type="search" role="searchbox"></span></span>
       <label for="c">Colour</label><select id="c" tabindex="-1" aria-hidden="true" style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)"><option>Red</select>
       <span><span role="combobox" aria-haspopup="true" aria-expanded="false" tabindex="0" aria-labelledby="v"><span id="v" role="textbox" aria-readonly="true" title="Red">Red</span></span></span>`,
    );
    has(yaml, 'combobox "Tags"');
    hasNot(yaml, 'text: Tags');
    // What has a name of its own keeps it, beside the label.
    has(yaml, /text: Colour\n- combobox "Red"/);
  },

  // [tool.snapshot.hidden] Kanboard
  'a hidden text that says what its element is called is not told again': async (page) => {
    const hidden = 'style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(1px,1px,1px,1px)"';
    const yaml = await plain(
      page,
      `<strong title="Task count"><span ${hidden}>Task count</span>7</strong> open <a title="Prev" tabindex="0"><span ${hidden}>Prev</span></a>`,
    );
    has(yaml, 'strong "Task count": "7"');
    hasNot(yaml, 'hidden text');
    // In the cell of a table, whose name has it all, too.
    const cell = await plain(
      page,
      `<table><tr><th><a href="#">Backlog</a> <span><span title="Age in days"><span ${hidden}>Age in days</span>5</span></span></table>`,
    );
    has(cell, 'generic "Age in days": "5"');
  },

  // [tool.snapshot.delta] Tiptap
  'the empty cell of an editor that has the caret is named': async (page) => {
    const yaml = await shown(
      page,
      '<div contenteditable="true" id="ed" role="textbox"><table><tr><td id="a"><p>q</p><td id="b"><p><br></p></table><p id="p"><br></p></div>',
    );
    const line = await delta(page, 'ed.focus(); getSelection().collapse(b.firstChild, 0)');
    has(line, '… the caret is on an empty line');
    const [, ref] = /cell \[ref=(e\d+)\]$/m.exec(yaml);
    await page.main('getSelection().collapse(a.firstChild.firstChild, 1)');
    await page.yaml({ mode: 'delta' });
    await page.main('getSelection().collapse(b.firstChild, 0)');
    has(await page.yaml({ mode: 'delta' }), `- text: … the caret is on an empty line of cell [ref=${ref}]`);
    has(await delta(page, 'getSelection().collapse(p, 0)'), /an empty line$/m);
  },

  // [tool.snapshot.delta] Angular's drag and drop makes the card anew where it is dropped
  'what is new in one of several alike boxes is told with the heading of that': async (page) => {
    const box = (title, id, ...items) =>
      `<div><h3>${title}</h3><div id="${id}">${items.map((item) => `<div style="cursor:move" tabindex="0">${item}</div>`).join('')}</div></div>`;
    const board = (one, other) =>
      `<div style="display:flex">${box('To do', 'a', ...one)}${box('Done', 'b', ...other)}</div>`;
    await shown(page, board(['Pack', 'Weigh'], ['Print']));
    const lines = await delta(
      page,
      'a.firstChild.remove(); b.insertAdjacentHTML("afterbegin", "<div style=\'cursor:move\' tabindex=0>Pack</div>")',
    );
    has(lines, /heading "Done" \[level=3\]\n.*generic.*: Pack/);
    hasNot(lines, 'To do');
    // Where one box is alone, its heading says nothing more.
    await shown(page, `<div>${box('To do', 'a', 'Pack', 'Weigh')}</div>`);
    hasNot(await delta(page, 'a.insertAdjacentHTML("beforeend", "<div tabindex=0>Send</div>")'), 'heading');
  },

  // [tool.snapshot.labels]
  'a label for an id that nothing has calls the only field beside it': async (page) => {
    const group = (name, field) =>
      `<div><div><label for="${name}"><div>${name} <span>*</span></div></label></div><div><div>${field}</div></div></div>`;
    const yaml = await plain(
      page,
      `<form>${group('email', '<input name="email" id="gen-1">')}${group('last', '<textarea></textarea>')}
       ${group('two', '<input><input>')}${group('known', '<p id="known">Words</p><input>')}${group('tick', '<input type="checkbox">')}</form>`,
    );
    equal(
      yaml,
      `- form:
  - textbox "email *"
  - textbox "last *"
  - generic:
    - generic: two *
    - generic:
      - textbox
      - textbox
  - generic:
    - generic: known *
    - generic:
      - paragraph: Words
      - textbox
  - generic:
    - generic: tick *
    - checkbox`,
    );
    hasNot(await delta(page, 'document.querySelector("input").insertAdjacentHTML("afterend", "<input>")'), 'email *"');
  },

  // [tool.snapshot.labels] A kit that gives its id to the box around a field of another kit
  'a label for a box calls the only field in that': async (page) => {
    const around = (id, field) =>
      `<div id="${id}"><label for="${id}">${id}</label><div><i>Choose</i>${field}</div></div>`;
    const beside = (id, field) => `<div><label for="${id}">${id}</label><div id="${id}">${field}</div></div>`;
    const html = `<form>${around('author', '<input role="combobox">')}${beside('day', '<button>×</button><input>')}
      ${beside('two', '<input><input>')}${beside('tick', '<input type="checkbox">')}</form>`;
    equal(
      await plain(page, html),
      `- form:
  - generic:
    - text: Choose
    - combobox "author"
  - generic:
    - button "×"
    - textbox "day"
  - generic:
    - text: two
    - generic:
      - textbox
      - textbox
  - generic:
    - text: tick
    - checkbox`,
    );
    await page.call('actionable', { target: 'combobox "author"', timeout: kPatience });
  },

  // [tool.snapshot.labels] Arco, TDesign and Naive UI
  'a label for no id calls the only field behind it': async (page) => {
    const item = (label, field) => `<div><div><label>${label}</label></div><div><span>${field}</span></div></div>`;
    const html = `<form>${item('Name', '<input placeholder="Please enter">')}${item('<span>City</span><span> *</span>', '<input readonly>')}
      ${item('Express', '<button type="button" role="switch"></button>')}<div><input><label>kg</label></div>
      ${item('Two', '<input><input>')}${item('Fruit', '<label><input type="checkbox">Apple</label>')}${item('', '<input title="Code">')}</form>`;
    equal(
      await plain(page, html),
      `- form:
  - textbox "Name":
    - /placeholder: Please enter
  - textbox "City *" [readonly]
  - switch "Express"
  - generic:
    - textbox
    - text: kg
  - generic:
    - generic: Two
    - generic:
      - textbox
      - textbox
  - generic:
    - generic: Fruit
    - checkbox "Apple"
  - textbox "Code"`,
    );
    const found = await page.call('actionable', {
      target: 'textbox "City"',
      kind: 'none',
      timeout: kPatience,
      callId: 1,
    });
    ok(found.ok, found.error);
    has(await delta(page, `document.querySelector('label').textContent = 'Full name'`), 'textbox "Full name"');
  },

  // [tool.snapshot.labels] Naive UI
  'a placeholder that an element of its own draws over a field is told once': async (page) => {
    const html = `<div><label>Name</label><div><input placeholder="Please input"><div><span>Please input</span></div></div></div>`;
    equal(await plain(page, html), '- textbox "Name":\n  - /placeholder: Please input');
    has(await plain(page, html.replace('<span>Please', '<span>Never')), 'Never input');
  },

  // [tool.snapshot.labels] UI5
  'a text right before a field that is all of its name is left out': async (page) => {
    const label = (text) => `<x-label><span>${text}</span></x-label>`;
    const html = `<style>x-label,div{display:block}</style><div role="tabpanel">${label('Name')}<input aria-label="Name">${label('Land')}<div><input
      aria-label="Land"><i style="cursor:pointer;display:inline-block">v</i></div>${label('City')}<input aria-label="Town"></div>`;
    equal(
      await plain(page, html),
      `- tabpanel:
  - textbox "Name"
  - generic:
    - textbox "Land"
    - generic [cursor=pointer]: v
  - generic: City
  - textbox "Town"`,
    );
  },

  // [tool.snapshot.delta]
  'a message that comes in a small group is told with the field that it is about': async (page) => {
    const group = (name) =>
      `<div class="g"><label for="${name}">${name}</label><div><div><input id="${name}"></div></div></div>`;
    await shown(page, `<form>${['First', 'Last', 'City'].map(group).join('')}<button>Go</button></form>`);
    const told = await delta(
      page,
      `for (const g of [...document.querySelectorAll('.g')].slice(0, 2)) g.insertAdjacentHTML('beforeend', '<div><span>This field is required</span></div>')`,
    );
    equal(
      told,
      `- form:
  - textbox "First"
  - generic: This field is required
  - textbox "Last"
  - generic: This field is required`,
    );
  },
};
