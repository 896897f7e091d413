// What components, editors and grids were answered with when they were driven once more.
import { equal, has, hasNot, kPatience, ok, shown } from '../expect.mjs';

const delta = (page) => page.yaml({ mode: 'delta' });
const found = async (page, target, kind = 'click') =>
  page.call('actionable', { target, kind, timeout: kPatience, callId: 1 });

export default {
  // [tool.target.words] swagger-ui, TinyMCE, FullCalendar, flatpickr
  'words that are no CSS, or that begin as a person reads them, name a control': async (page) => {
    await shown(
      page,
      `<title>Of the page</title><label>Title <input id="t"></label><table><tr><td>Cell</table><button id="b">Table</button>
       <button id="g">GET /pets List pets</button><button id="m">+2 more</button><button id="d" aria-label="December 9, 2026">9</button>
       <button id="i">Insert/edit link</button><button id="s">Source code</button><menu><li>menu</menu><button id="n">Menu</button>
       <style>#p { cursor: pointer; width: 60px } #p::after { content: 'Save' }</style><a id="p"></a>`,
    );
    for (const [target, id] of [
      ['Title', 't'],
      ['Table', 'b'],
      ['GET /pets List pets', 'g'],
      ['+2 more', 'm'],
      ['December 9, 2026', 'd'],
      ['Insert/edit link', 'i'],
      ['Source code', 's'],
      ['Menu', 'n'],
      ['Save', 'p'],
    ]) {
      const at = await found(page, target);
      ok(at.ok, `${target}: ${at.error}`);
      equal(await page.main(`document.elementFromPoint(${at.x}, ${at.y}).id`), id, target);
    }
    has((await found(page, '+3 more')).error, /^Nothing on the page matches "\+3 more"\. Nearest: button "\+2 more"/);
  },

  // [tool.target.words] TinyMCE's search
  'of several controls that words name the one is typed into that takes text; else they are told': async (page) => {
    await shown(page, '<label>Find <input></label><button>Find</button><button>Find all</button>');
    equal((await found(page, 'Find', 'type')).describe, 'textbox "Find"');
    has(
      (await found(page, 'Find')).error,
      /^2 controls are called "Find": give the ref of the one that is meant\. Nearest: textbox "Find" \[ref=e\d+\], button "Find" \[ref=e\d+\]/,
    );
  },

  // [tool.select.made] choices.js
  'what is offered by a select that a style draws in spite of its attribute is not taken for what is chosen': async (
    page,
  ) => {
    await page.load(
      `<style>select { display: inline-block; position: absolute; clip: rect(0, 0, 0, 0) }</style>
       <div role="combobox" aria-expanded="true" aria-controls="l" class="select-multiple"><select hidden multiple><option>C++<option>Go<option>Java</select>
       <input aria-label="Skills"><div role="listbox" id="l" aria-multiselectable="true"><div role="option">Java</div></div></div>`,
    );
    await page.call('beginChoice', { target: 'textbox', values: ['Go'] });
    const step = await page.call('choiceStep', { callId: 1, timeout: kPatience, quiet: true, last: true });
    equal(step.step, 'fail', JSON.stringify(step));
    has(step.words, 'has no option "Go"');
  },

  // [tool.snapshot.restyled] Material Web, CodeMirror, Monaco
  'how something is drawn is not told beside what was chosen or typed, nor a part of it as the whole': async (page) => {
    await shown(
      page,
      `<style>.on { background: yellow } .bar { width: 9px; height: 40px }</style><button id="s" role="switch" aria-checked="false">Dark</button>
       <div id="e" tabindex="0" style="height: 300px; cursor: pointer"><p id="n" aria-hidden="true" class="bar">1</p><p id="l" style="width: 40px">Line</p></div>`,
    );
    const drawn = async (script) => {
      await page.main(script);
      return delta(page);
    };
    hasNot(await drawn("s.focus(); s.ariaChecked = 'true'; s.classList.add('on')"), 'drawn otherwise');
    hasNot(await drawn("e.focus(); n.classList.add('on')"), 'drawn otherwise');
    has(
      await drawn("n.classList.remove('on'); l.classList.add('on')"),
      /now: paragraph \[ref=e\d+\]: yellow background"$/m,
    );
  },

  // [tool.snapshot.delta] Verdaccio's login: the button that was pressed is disabled, and the box around the dialog gets the focus
  'a box that gets the focus around what is there is told in a line, and not with all that it holds': async (page) => {
    await shown(
      page,
      `<div id="box" role="presentation" tabindex="-1"><div role="dialog" aria-label="Log in"><p>As a member</p><input aria-label="Name">
       <p id="m"></p><button id="b">Go</button></div></div><main><h1>Shop</h1><p>Goods</p></main>`,
    );
    await page.main("b.focus(); document.title = 'x'");
    await delta(page);
    await page.main("b.disabled = true; m.textContent = 'Wrong name'; box.focus()");
    const told = await delta(page);
    has(told, /generic \[active\] \[ref=e\d+\]: … around what was here/);
    has(told, 'Wrong name');
    has(told, 'button "Go" [disabled]');
    hasNot(told, 'As a member');
    hasNot(told, 'Name" [ref');
  },

  // [tool.snapshot.delta] swagger-ui, Material Web, OpenLayers
  'that the focus has gone is told where nothing else has changed, and in a line of its own': async (page) => {
    await shown(page, '<textarea id="t" aria-label="Text">Much of it</textarea><p id="p">One</p>');
    await page.main('t.focus()');
    await delta(page);
    await page.main("t.blur(); p.textContent = 'Two'");
    hasNot(await delta(page), 'textbox');
    await page.main('t.focus()');
    await delta(page);
    await page.main('t.blur()');
    equal((await delta(page)).replace(/e\d+/, 'e'), '- text: … the focus has left textbox "Text" [ref=e]');
    equal((await page.call('snapshot', { mode: 'delta', refStart: 100 })).changed, false);
  },

  // [tool.snapshot.delta] Summernote's source: 130 buttons of its bar
  'many controls that are disabled at once, and no longer, are named in one line': async (page) => {
    await shown(
      page,
      `<div id="bar" role="toolbar">${Array.from({ length: 20 }, (_, i) => `<button>Do ${i}</button>`).join('')}</div>
       <button id="c">Code</button><textarea id="t" hidden aria-label="Source">x = 1</textarea>`,
    );
    const all = (to) => `bar.querySelectorAll('button').forEach((b) => { b.disabled = ${to} })`;
    await page.main(`${all(true)}; t.hidden = false; c.textContent = 'Text'`);
    const told = await delta(page);
    has(told, '… disabled now: e2, e3, e4 and 17 more');
    has(told, 'textbox "Source"');
    hasNot(told, 'toolbar');
    await page.main(all(false));
    has(await delta(page), '… no longer disabled: e2, e3, e4 and 17 more');
    await page.main("bar.querySelectorAll('button')[3].disabled = true");
    has(await delta(page), 'button "Do 3" [disabled]');
  },

  // [tool.target.words] OpenLayers' `+`, Ark's calendar and tree, Cloudscape's select, Blueprint's fields
  'a control is named by what it shows and its title, too, and by what stands beside it': async (page) => {
    await shown(
      page,
      `<button title="Zoom in">+</button><button title="Zoom out">-</button><button aria-label="Switch to next month">Next</button>
       <button aria-label="next page">Next page</button><span id="l">Region</span><button id="b" aria-labelledby="l b">Paris</button>
       <label>Name (required) <input></label><ul role="tree"><li role="treeitem" tabindex="0">app.tsx</ul>`,
    );
    for (const [target, control] of [
      ['Zoom in', 'button "+"'],
      ['Next', 'button "Switch to next month"'],
      ['Region', 'button "Region Paris"'],
      ['Name', 'textbox "Name (required)"'],
      ['app.tsx', 'treeitem "app.tsx"'],
    ])
      equal((await found(page, target)).describe, control, target);
    ok(!(await found(page, 'div.tsx')).ok);
  },

  // [tool.snapshot.delta] a board that pragmatic-drag-and-drop's page draws anew
  'of a board that is drawn anew what has another column is told there, and no column as moved': async (page) => {
    await shown(
      page,
      `<div id="root"></div><p id="o"></p><script>
        const columns = { Todo: ['Write', 'Draw', 'Fix'], Doing: ['Look'], Done: [] };
        const render = () => { root.innerHTML = Object.entries(columns).map(([name, all]) => '<div><h2>' + name + ' ' + all.length + '</h2>' +
          all.map((text) => '<div draggable="true" style="cursor: grab">' + text + '</div>').join('') + '</div>').join('') };
        const move = (text, to) => { for (const name in columns) columns[name] = columns[name].filter((one) => one !== text); columns[to].unshift(text); o.textContent = text; render() };
        render()</script>`,
    );
    for (const [text, to] of [
      ['Write', 'Doing'],
      ['Fix', 'Todo'],
    ]) {
      await page.main(`move('${text}', '${to}')`);
      await delta(page);
    }
    for (const [text, to, count] of [
      ['Draw', 'Done', 'Done 1'],
      ['Look', 'Done', 'Done 2'],
    ]) {
      await page.main(`move('${text}', '${to}')`);
      const told = await delta(page);
      has(told, new RegExp(`- moved after heading "${count}" .*: "generic \\[ref=e\\d+\\]: ${text}"`));
      equal(told.match(/- moved/g).length, 1, told);
      for (const line of told.split('\n').filter((one) => one.includes('heading') && !one.includes('removed')))
        equal(told.split(line).length, 2, told);
    }
  },

  // [tool.snapshot.quiet] CodeMirror, Monaco, Ark's calendar
  'the numbers of lines and the days of a week are one line': async (page) => {
    const yaml = await shown(
      page,
      `<div>${Array.from({ length: 9 }, (_, i) => `<p aria-hidden="true">${i + 1}</p>`).join('')}<p aria-hidden="true">let x</p></div>
       <table role="grid"><tr>${['Sun', 'Mon', 'Tue'].map((day) => `<th aria-hidden="true">${day}</th>`).join('')}</tr></table>`,
    );
    has(yaml, '- text: "1 2 3 4 5 6 7 8 9"');
    has(yaml, '- text: let x');
    has(yaml, '- text: Sun Mon Tue');
  },

  // [tool.snapshot.brief] Blueprint's lists
  'an option that is all a box to focus or to press is one line': async (page) => {
    const yaml = await shown(
      page,
      `<style>.menu-active { background: blue }</style><ul role="listbox"><li role="option"><a tabindex="0" class="item menu-active"><div>Alien</div></a>
       <li role="option"><a tabindex="0" class="item"><div>Brazil</div></a></ul>`,
    );
    equal(
      yaml.replaceAll(/ \[ref=e\d+\]/g, ''),
      '- listbox:\n  - option "Alien" [class=menu-active]\n  - option "Brazil"',
    );
    equal((await found(page, 'option "Brazil"')).ok, true);
  },

  // [tool.actionable] PrimeVue's stars
  'a radio button of no size is pressed at what is drawn beside it, past what is drawn in other states': async (
    page,
  ) => {
    await shown(
      page,
      `<style>input { position: absolute; width: 1px; height: 1px; margin: -1px; clip: rect(0 0 0 0); overflow: hidden } span { cursor: pointer }
        .star { position: relative; display: inline-block; width: 16px; height: 16px } .full { display: none }</style>
       <span class="star"><input type="radio" aria-label="1 star"><b class="full">*</b><b id="off" style="position: absolute; inset: 0">.</b></span>`,
    );
    const at = await found(page, 'radio "1 star"');
    ok(at.ok, at.error);
    equal(await page.main(`document.elementFromPoint(${at.x}, ${at.y}).id`), 'off');
  },

  // [tool.snapshot.hints] Cloudscape's page buttons
  'an icon whose class a builder has made is called by what it draws': async (page) => {
    has(
      await shown(
        page,
        `<button><svg class="awsui_icon_h11ix_1ohfn_13" width="16" height="16" fill="none" stroke="black"><path d="m10 2-6 6 6 6"/></svg></button>`,
      ),
      /button \[ref=e1\] \[looks=chevron left\]/,
    );
  },

  // [tool.snapshot.delta] react-select
  'that what a page says to readers alone has gone is not told': async (page) => {
    await shown(
      page,
      `<div id="w"><span id="l" role="log" style="position: absolute; width: 1px; height: 1px; clip-path: inset(50%); overflow: hidden">3 results</span>
       <button id="b">Pick</button></div>`,
    );
    await page.main("l.remove(); b.textContent = 'Red'");
    hasNot(await delta(page), 'removed');
  },

  // [tool.target.words] Leaflet's layers, which the mouse shows
  'words name what has come since the last snapshot': async (page) => {
    await shown(page, '<button>Layers</button>');
    await page.main(
      `document.body.insertAdjacentHTML('beforeend', '<label><input type="checkbox"> Places</label><a href="#x">Other map</a>')`,
    );
    equal((await found(page, 'Places')).describe, 'checkbox "Places"');
    equal((await found(page, 'Other map')).describe, 'link "Other map"');
    // What a snapshot has told is meant before what it has left out, as the select that a widget stands for.
    await shown(
      page,
      `<label for="s">Size</label><select id="s" style="position: absolute; clip: rect(0 0 0 0); width: 1px; height: 1px" tabindex="-1"><option>S</select>
       <span role="combobox" tabindex="0" aria-label="Size" aria-expanded="false">S</span><span aria-label="May 5" style="cursor: pointer">5</span>`,
    );
    has((await found(page, 'Size')).describe, 'combobox "Size"');
    equal((await found(page, 'Size')).tag, 'span');
    ok((await found(page, 'May 5')).ok);
    // So do those of a box that takes the keys, or is dragged.
    await shown(
      page,
      '<div tabindex="0" aria-label="Ball">o</div><div draggable="true">Write it</div><div draggable="false">Read it</div>',
    );
    has((await found(page, 'Ball')).describe, '"Ball"');
    ok((await found(page, 'Write it')).ok);
    ok(!(await found(page, 'Read it')).ok);
  },

  // [tool.snapshot.pointers] Shoelace's dialog
  'a shade that only a script may focus has no line': async (page) => {
    const yaml = await shown(
      page,
      `<style>.shade { position: fixed; inset: 0; background: #0008 }</style><button>Under</button>
       <div style="position: fixed; inset: 0"><div class="shade" tabindex="-1"></div><div role="dialog" aria-label="Sure" style="position: absolute; top: 99px">Yes</div></div>`,
    );
    hasNot(yaml, 'class=shade');
    has(yaml, 'dialog "Sure"');
  },

  // [tool.snapshot.quiet] Monaco, whose text a page shows as it is saved
  'the lines of an editor stay where something beside it shows the same': async (page) => {
    await shown(
      page,
      `<div role="code"><textarea aria-label="Editor" style="width: 1px; height: 1px"></textarea><div role="presentation" aria-hidden="true"><div>let y = 2;</div>
       </div></div><pre id="o"></pre>`,
    );
    await page.main("o.textContent = 'let y = 2;'");
    const told = await delta(page);
    has(told, 'generic');
    hasNot(told, 'removed');
    has(await page.yaml(), '- text: let y = 2;');
  },

  // [tool.snapshot.hints] w2ui, whose icons are the letters of a font
  'a letter that what is called an icon draws in a font of its own is none of its words': async (page) => {
    const yaml = await shown(
      page,
      `<style>[class^=w-icon-]::before { font-family: w-font, serif; display: block } .w-icon-plus::before { content: 'K' }
       .w-icon-cross::before { content: 'E' } .first::before { content: 'A' }</style><div style="cursor: pointer"><span class="w-icon-plus"></span><div>New</div></div>
       <button><i class="w-icon-cross"></i></button><button><i class="w-icon-plus"></i> Add</button><p class="first"> item</p>`,
    );
    has(yaml, /generic \[ref=e\d+\] \[cursor=pointer\]: New/);
    has(yaml, /button \[ref=e\d+\] \[icon=w-icon-cross\]/);
    has(yaml, 'button "Add"');
    has(yaml, 'A item');
  },

  // [tool.snapshot.cuts] Node-RED's first question, over a page each part of which has a shade of its own
  'what lies over all parts of a page is shown first where there is no room': async (page) => {
    const part = (name) =>
      `<div style="position: relative; height: 300px; overflow: hidden">${Array.from({ length: 60 }, (_, i) => `<button>${name} ${i}</button><p>Text of ${name} ${i}</p>`).join('')}
       <div style="position: absolute; inset: 0; background: #0008"></div></div>`;
    const yaml = await shown(
      page,
      `${part('Left')}${part('Right')}<div style="position: fixed; top: 99px; left: 99px; background: white"><div><h2>Notify you?</h2><p>Each new version</p>
       <p>May be undone</p></div><div><button>Yes</button><button>No</button></div></div>`,
      { budgetChars: 600 },
    );
    has(yaml, 'Each new version');
    has(yaml, 'May be undone');
    has(yaml, 'button "No"');
  },

  // [tool.snapshot.hints] [tool.target.nearest] jQWidgets' tree, w2ui's bar
  "the line of a tree's item tells that it is chosen; what has no name is near by its words": async (page) => {
    const item = (id) => `<li role="treeitem"><div id="${id}" class="line">Item ${id}</div></li>`;
    await shown(
      page,
      `<style>.line-selected { background: #cde }</style><ul role="tree">${item('a')}${item('b')}</ul><div tabindex="-1"><div>New</div></div>`,
    );
    await page.main("b.className = 'line line-selected'");
    has(await delta(page), /treeitem "Item b" \[ref=e\d+\] \[class=line-selected\]/);
    has(
      (await page.call('actionable', { target: 'New', timeout: 60, callId: 1 })).error,
      /Nearest: <div> "New" \[ref=e\d+\]/,
    );
  },
};
