// What widget libraries make of controls, each as small as it can be.
// Contract: [tool.snapshot.hidden-controls] [tool.select.unseen] [tool.target.nearest]
import { equal, has, hasNot, kPatience, ok, refOf, same, shown, withoutRefs } from '../expect.mjs';

const kClip = 'position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden';
const delta = (page) => page.yaml({ mode: 'delta' });
const errorOf = async (page, target, args = {}) =>
  (await page.call('actionable', { target, timeout: kPatience, callId: 1, ...args })).error;

export default {
  // Contract: [tool.select.unseen]
  'a select whose widget does not follow it stays as it was, and the error names the widget': async (page) => {
    const yaml = await shown(
      page,
      `<select id="s" style="${kClip}"><option>Small<option>Large</select><span tabindex="0">Small</span>
      <select id="m" multiple style="${kClip}"><option>red<option>blue</select><span role="listbox" tabindex="0" style="display:block;height:9px"></span>
      <select id="n" style="${kClip}"><option>1<option>2</select><i tabindex="0" style="display:block;height:9px"></i>`,
    );
    const { error } = await page.call('select', { target: '#s', values: ['Large'] });
    has(error, `[ref=${refOf(yaml, 'Small')}], which stands for it, still shows "Small"`);
    has(error, 'Nothing was changed');
    // A list can be worked as a person would.
    equal((await page.call('select', { target: '#m', values: ['blue'] })).byWidget, true);
    same(await page.main('[s.value, m.value]'), ['Small', '']);
    // What shows no words can't be asked.
    ok((await page.call('select', { target: '#n', values: ['2'] })).ok);
    // One that follows late is waited for.
    await page.main(
      "s.onchange = () => setTimeout(() => { document.querySelector('span').textContent = s.value; }, 100)",
    );
    equal((await page.call('select', { target: '#s', values: ['Large'] })).selected[0].label, 'Large');
    equal(await page.main("document.querySelector('span').textContent"), 'Large');
  },

  // Contract: [tool.select.unseen] Multiple Select's button; Selectize's field, whose select holds only what is chosen
  'what stands for a hidden select is known by what it shows, and may offer more': async (page) => {
    const yaml = await shown(
      page,
      `<select id="a" style="${kClip}"><option>Small<option>Large</select><div><button>Small</button><p hidden><input type="radio" value="x"></p></div><hr>
      <select id="b" style="${kClip}"><option>Small<option>Large</select><div><button>Add</button></div><hr>
      <select id="c" style="${kClip}"><option>Small</select><div><input aria-label="Size" tabindex="0"></div><hr>
      <select id="d" style="${kClip}"></select><div><div role="combobox" tabindex="0" aria-label="Hue">Pick</div></div>`,
    );
    const choose = (target, value) => page.call('select', { target, values: [value] });
    has(
      (await choose('#a', 'Large')).error,
      `button "Small" [ref=${refOf(yaml, 'Small')}], which stands for it, still shows "Small".`,
    );
    equal(await page.main('a.value'), 'Small');
    await page.main("a.onchange = () => { document.querySelector('button').textContent = a.value; }");
    ok((await choose('#a', 'Large')).ok);
    ok((await choose('#b', 'Large')).changed);
    has(
      (await choose('#c', 'Large')).error,
      `textbox "Size" [ref=${refOf(yaml, 'Size')}], which stands for it, may offer more`,
    );
    equal((await choose('#d', 'red')).byWidget, true);
  },

  // Contract: [tool.target.nearest]
  'who acts on a hidden control is told of the widget at once': async (page) => {
    const yaml = await shown(
      page,
      `<label for="s">Country</label><select id="s" aria-hidden="true" tabindex="-1" style="${kClip}"><option>Spain</select><span><span role="combobox" tabindex="0">Spain</span></span>
      <div role="combobox" aria-label="City"><select id="c" hidden><option>Rome</select>Rome</div>
      <input id="d" type="hidden"><input value="May 1">
      <p><input id="h" type="hidden"><input name="own" aria-label="Own"></p>
      <select id="open"><option>Low<option>High</select>`,
    );
    has(await errorOf(page, '#s'), `[ref=${refOf(yaml, ': Spain')}] in its place`);
    const named = { target: 'role=combobox[name="Country"]', kind: 'none', timeout: kPatience, callId: 1 };
    equal((await page.call('actionable', named)).ref, refOf(yaml, ': Spain'));
    has(await errorOf(page, '#c'), 'combobox "City" [ref=');
    has(await errorOf(page, '#d', { kind: 'type' }), `[ref=${refOf(yaml, ': May 1')}] in its place`);
    equal(await errorOf(page, '#h'), '<input id="h"> is a hidden field.');
    has(
      await errorOf(page, 'text=High'),
      /is an option of combobox .* \[ref=e\d+\]: choose it with browser_select_option/,
    );
  },

  // Contract: [tool.target.nearest]
  'where no words are near, those of the same role are named': async (page) => {
    const yaml = await shown(page, '<p>Return</p><input id="a"><input type="checkbox" aria-label="Other">');
    const { error } = await page.call('actionable', {
      target: 'role=textbox[name="Return"]',
      timeout: kPatience,
      quiet: true,
      callId: 1,
    });
    has(error, `[ref=${refOf(yaml, 'textbox')}]`);
    hasNot(error, 'Other');
  },

  // Contract: [tool.type]
  'a custom element and a combobox are typed into by their only field': async (page) => {
    await page.load(`<!doctype html><x-field id="f"></x-field><x-pair id="p"></x-pair>
      <div id="c" role="combobox"><input type="search"><input hidden></div>`);
    await page.main(`for (const [name, html] of [['x-field', '<label>Name <input></label>'], ['x-pair', '<input><input>']])
      customElements.define(name, class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = html; } })`);
    for (const [target, read] of [
      ['#f', "f.shadowRoot.querySelector('input').value"],
      ['#c', "document.querySelector('[type=search]').value"],
    ]) {
      ok((await page.call('actionable', { target, kind: 'type', timeout: kPatience, callId: 1 })).ok);
      equal((await page.call('fill', { target, text: 'Ann' })).input, true);
      await page.send('Input.insertText', { text: 'Ann' });
      await page.call('endTyping');
      equal(await page.main(read), 'Ann');
    }
    has(await errorOf(page, '#p', { kind: 'type' }), 'is not an input');
  },

  // Contract: [tool.snapshot.labels]
  "a label around a custom element names the control in its shadow tree, and isn't said twice": async (page) => {
    await page.load(
      '<!doctype html><label><x-box></x-box> Newsletter</label><label for="d">Dark</label><x-box id="d"></x-box>',
    );
    await page.main(`customElements.define('x-box', class extends HTMLElement { static formAssociated = true;
      constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<input type="checkbox">'; } })`);
    const yaml = await page.yaml();
    has(yaml, 'checkbox "Newsletter"');
    has(yaml, 'checkbox "Dark"');
    hasNot(yaml, /text: .*(Newsletter|Dark)/);
  },

  // Contract: [tool.snapshot.brief]
  'a cell with one control, and an item that is all link, are one line': async (page) => {
    const html = `<table><tr><td><input type=checkbox aria-label="Pick"></td><td><a href="/a">Ann</a></td><td>4</td><td id=c><button>Edit</button></td></tr></table>
      <ul role=tablist><li role=tab tabindex=0 aria-selected=true><a href="#one">One</a></li><li role=tab id=t aria-labelledby=u><a href="#two" id=u>Two</a></li></ul>
      <ul role=menu><li role=menuitem><a href="/help">Help</a></li><li style="cursor:pointer"><div role=menuitem tabindex=-1>Quit</div></li></ul>`;
    const yaml = await shown(page, html);
    equal(
      yaml.replaceAll(/ \[ref=e\d+\]/g, ''),
      `- table:
  - row:
    - checkbox "Pick"
    - link "Ann":
      - /url: /a
    - cell "4"
    - button "Edit"
- tablist:
  - tab "One" [selected]
  - tab "Two"
- menu:
  - menuitem "Help":
    - /url: /help
  - menuitem "Quit"`,
    );
    // A click on the line's ref reaches what is within the item and the item itself.
    await page.main("t.onclick = (e) => (document.title = e.target.localName + ' in ' + e.currentTarget.id)");
    const place = await page.call('actionable', { callId: 1, target: refOf(yaml, 'tab "Two"'), timeout: kPatience });
    await page.main(`document.elementFromPoint(${place.x}, ${place.y}).click()`);
    equal(await page.main('document.title'), 'a in t');
    await page.main("c.append('or'); t.setAttribute('aria-selected', 'true')");
    equal(
      await delta(page),
      `- table [ref=e1]:
  - row:
    - link "Ann" [ref=e3]
    - cell:
      - button "Edit" [ref=e5]
      - text: or
- tablist [ref=e6]:
  - tab "Two" [selected] [ref=e8]`,
    );
  },

  // Contract: [tool.snapshot.brief]
  'a combobox of divs tells its value, and not its label again': async (page) => {
    const yaml = await shown(
      page,
      `<div role="combobox" aria-label="Size" tabindex="0"><div><div>Size</div></div><div></div></div>
      <div role="combobox" aria-label="Colour" tabindex="0"><div>Colour</div><div>Red</div></div>
      <div role="combobox" aria-label="City of London" tabindex="0"><div>London</div></div>`,
    );
    has(yaml, /combobox "Size" \[ref=e\d+\]$/m);
    has(yaml, /combobox "Colour" \[ref=e\d+\]: Red$/m);
    has(yaml, /combobox "City of London" \[ref=e\d+\]: London$/m);
  },

  // Contract: [tool.snapshot.hidden]
  'a picture in place of a text is no hidden text; nor is the name that a cell does not show': async (page) => {
    const yaml = await shown(
      page,
      `<button aria-label="Remove Ann" style="text-indent:-9999px;overflow:hidden;width:20px">Remove</button>
      <div role="grid"><div role="row"><span role="gridcell"><span style="${kClip}">sold</span><input type="checkbox" aria-label="sold"></span></div></div>
      <a href="#x" style="${kClip}">Skip to the text</a>`,
    );
    has(yaml, /button "Remove Ann" \[ref=e\d+\]$/m);
    hasNot(yaml, /gridcell.*\[hidden text\]/);
    has(yaml, /link "Skip to the text" .*\[hidden text\]/);
  },

  // Contract: [tool.snapshot.pointers]
  'what lies on a switch is a part of it, and elements that only guard the focus have no line': async (page) => {
    const yaml = await shown(
      page,
      `<div tabindex="0"></div><div style="cursor:pointer;position:relative;width:60px;height:30px"><input role="switch" type="checkbox" aria-label="Dark" style="position:absolute;inset:0;width:100%;height:100%;opacity:0">
        <span><span class="handle" style="cursor:pointer;position:absolute;left:5px;top:5px;width:20px;height:20px;background:red"></span></span></div>
      <div tabindex="0" class="pane" style="height:40px"></div><div tabindex="0"></div>`,
    );
    hasNot(yaml, 'handle');
    has(yaml, /^- switch "Dark"/m);
    equal(yaml.split('\n').filter((line) => /^- generic/.test(line)).length, 1, yaml);
  },

  // Contract: [tool.snapshot.quiet]
  'what a backdrop shuts off is no text': async (page) => {
    await shown(page, '<h1 id="h">Shop</h1><p>…</p>');
    await page.main(`h.setAttribute('aria-hidden', 'true'); document.body.insertAdjacentHTML('beforeend',
      '<div id="over" style="position:fixed;inset:0"><ul role="listbox" aria-label="Size"><li role="option">Small</li></ul></div>')`);
    const opened = await delta(page);
    has(opened, 'option "Small"');
    hasNot(opened, 'text: Shop');
    await page.main('over.remove()');
    has(await page.yaml(), 'text: Shop');
  },

  // Contract: [tool.snapshot.delta]
  'a menu that is closed is removed, not inert': async (page) => {
    await shown(page, '<button id="b">Menu</button><div id="m" style="display:none" aria-hidden="true"></div>');
    await page.main(
      "m.innerHTML = '<div role=menu aria-label=M><div role=menuitem>Cut</div></div>'; m.style.display = 'block'; m.removeAttribute('aria-hidden')",
    );
    has(await delta(page), 'menuitem "Cut"');
    await page.main("m.style.display = 'none'; m.setAttribute('aria-hidden', 'true')");
    const closed = await delta(page);
    has(closed, 'removed: menu "M"');
    hasNot(closed, 'inert');
  },

  // Contract: [tool.snapshot.delta]
  'a text that a field shows now is not removed': async (page) => {
    await shown(
      page,
      '<div><textarea id="t" aria-label="Code"></textarea><p id="l" aria-hidden="true">let x = 1;</p><p id="g" aria-hidden="true">bye</p></div>',
    );
    await page.main("t.value = 'let x = 1;\\nlet y;'; g.remove()");
    const yaml = await delta(page);
    has(yaml, 'let y;');
    hasNot(yaml, 'removed: text "let x');
    has(yaml, 'removed: text "bye"');
  },

  // Contract: [tool.snapshot]
  'what an empty editor draws in place of a text is its placeholder': async (page) => {
    const html = (text) =>
      `<style>.blank::before{content:attr(data-hint)}b::before{content:"> "}</style><div contenteditable="true" id="q" class="blank" data-hint="Write here">${text}</div>
      <div contenteditable="true" aria-label="Post" role="textbox"><p class="blank" data-hint="Say it"><br></p></div>`;
    const yaml = await shown(page, html('<p><br></p>'));
    has(yaml, '/placeholder: Write here');
    has(yaml, '/placeholder: Say it');
    hasNot(yaml, /\]: (Write here|Say it)$/m);
    has(await shown(page, html('<b>done</b>')), '> done');
  },

  // Contract: [tool.snapshot]
  'what would complete a text is none of it, and an empty hint is none': async (page) => {
    await shown(
      page,
      `<style>.tag::before{content:attr(data-placeholder)}.tag::after{content:attr(data-suggest);display:inline-block;opacity:.4}</style>
      <span contenteditable role="textbox" aria-label="Tag" id="tag" class="tag" data-placeholder="\u200b">bl</span>`,
    );
    await page.main("tag.dataset.suggest = 'ue'");
    has(await page.yaml(), /^- textbox "Tag" \[ref=e\d+\]: bl$/m);
    await page.main("tag.textContent = ''; tag.removeAttribute('data-suggest')");
    equal(withoutRefs(await page.yaml()), '- textbox "Tag"');
  },

  // Contract: [tool.snapshot]
  'an option that its list calls selected below a field that shows another is where the keys are': async (page) => {
    const option = (name, selected) => `<div role="option" aria-selected="${selected}">${name}</div>`;
    await shown(
      page,
      `<p><b>red</b> <span contenteditable role="textbox" aria-label="Tag" aria-autocomplete="both" id="tag">bl</span></p>
      <div role="listbox" style="position:absolute" id="list">${option('blue', true)}${option('black', false)}</div>`,
    );
    await page.main('tag.focus()');
    const typed = await page.yaml();
    has(typed, 'option "blue" [highlighted]');
    hasNot(typed, '[selected]');
    await page.main("tag.textContent = 'blue'");
    has(await page.yaml(), /option "blue" \[selected\] \[ref/);
    // A list of its own in the page, of which one is chosen.
    await page.main("tag.textContent = 'bl'; list.style.position = 'static'");
    has(await page.yaml(), /option "blue" \[selected\] \[ref/);
  },

  // Contract: [tool.snapshot.delta]
  'what is put beside a member of a group moves none of the others': async (page) => {
    await shown(
      page,
      `<h1>Order</h1><div><div id="city"><div><input aria-label="City"><button>Open</button></div></div>
      <div><span>Size</span><input aria-label="Size"></div><input type="checkbox" aria-label="Notify"><div><input aria-label="Fruit"><button>List</button></div><button>Order</button></div>`,
    );
    await page.main(`document.body.insertAdjacentHTML('beforeend', '<ul id="list" role="listbox" aria-label="Cities"><li role="option">Rome</li></ul>');
      city.setAttribute('aria-owns', 'list')`);
    const yaml = await delta(page);
    has(yaml, 'option "Rome"');
    hasNot(yaml, /moved|removed|Fruit|Notify/);
  },

  // Contract: [tool.type]
  'an editor that takes its text by EditContext is typed into, though it has no size': async (page) => {
    await page.load(
      '<!doctype html><div style="height:60px"><div id="e" role="textbox" aria-label="Code" tabindex="0" style="width:0;height:19px"></div><pre aria-hidden="true" id="p"></pre></div>',
    );
    await page.main(`const context = new EditContext({ text: 'old' }); e.editContext = context;
      context.addEventListener('textupdate', () => { p.textContent = context.text; })`);
    ok((await page.call('actionable', { target: '#e', kind: 'type', timeout: kPatience, callId: 1 })).ok);
    const ready = await page.call('fill', { target: '#e', text: 'new' });
    same([ready.input, ready.selectAll], [true, true]);
    await page.main('context.updateSelection(0, 3)'); // what such an editor does on Control+A
    await page.send('Input.insertText', { text: 'new' });
    equal((await page.call('endTyping')).kept, false);
    equal(await page.main('p.textContent'), 'new');
  },
};
