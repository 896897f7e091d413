// What component libraries draw that is neither text nor ARIA, as pages of theirs were found to.
import { delta, equal, has, hasNot, kPatience, plain, refused, shown, withoutRefs } from '../expect.mjs';

const kStyle = `<style>.fa::before,.icon::before{content:"\\f005"}.sign::before{content:"\\fc0f";font-family:"tabler-icons"}</style>`;
const read = async (page, html) => withoutRefs(await shown(page, kStyle + html));
const check = (colour) =>
  `<svg width="16" height="16" fill="currentColor" class="octicon octicon-check" style="color:${colour}"><path d="M1 8l5 5"/></svg>`;

export default {
  // Ionic's pages [tool.snapshot.hidden]
  'what one can scroll to in a fixed page is there': async (page) => {
    const yaml = await read(
      page,
      `<body style="margin:0;position:fixed;inset:0;overflow:hidden"><main style="position:absolute;inset:0;overflow-y:auto"><div style="height:900px">Top</div>
      <div style="position:relative;left:0;overflow:hidden"><button>Chip</button>words</div></main>
      <div style="position:fixed;top:-300px;height:9px">Gone</div><div style="position:fixed;top:2000px">Below</div>`,
    );
    has(yaml, 'button "Chip"');
    has(yaml, 'words');
    hasNot(yaml, /invisible\]|Gone|Below/);
  },

  // [tool.snapshot.icons]
  'a coloured icon beside nothing but a link is told, a plain one is not': async (page) => {
    equal(
      await read(
        page,
        `<table><tr><td><a href="#c">Bump</a> ${check('#1a7f37')}<td><a href="#d">Fix</a> ${check('inherit')}</table>
        <ul><li><div><a href="#e">Add</a>${check('red')}</div></li></ul>`,
      ),
      `- table:
  - row:
    - cell [icon=octicon-check green]:
      - link "Bump":
        - /url: "#c"
    - link "Fix":
      - /url: "#d"
- list:
  - listitem [icon=octicon-check red]:
    - link "Add":
      - /url: "#e"`,
    );
  },

  // [tool.snapshot.icons]
  'of several icons with text between them each stands where it is': async (page) => {
    equal(
      await read(
        page,
        `<p><span>${check('red')} Open</span> <span><i class="fa fa-x"></i> Merged</span> <span>Verified</span></p>`,
      ),
      '- paragraph: "[icon=octicon-check red] Open [icon=fa-x] Merged Verified"',
    );
  },

  // [tool.snapshot.hints] [tool.snapshot.icons]
  'an icon is called by what is seen of it': async (page) => {
    equal(
      await read(
        page,
        `<button><i class="fa fa-plus" style="display:none"></i><i class="fa fa-minus"></i></button>
        <p><i class="large green checkmark icon"></i> Fine</p><p><i class="far fa-heart fa"></i><i class="fas fa-heart fa"></i> Likes</p>
        <p><i class="ti ti-brand-x sign"></i> Us</p><p><span style="color:red"><i class="fa fa-circle-xmark"></i></span> Failed</p>`,
      ),
      `- button [icon=fa-minus]
- paragraph [icon=checkmark]: Fine
- paragraph [icon=fa-heart outline] [icon=fa-heart]: Likes
- paragraph [icon=ti-brand-x]: Us
- paragraph [icon=fa-circle-xmark red]: Failed`,
    );
  },

  // [tool.snapshot.hints]
  'states that only a look tells: sorted, invalid, loading, chosen in an item that is none': async (page) => {
    equal(
      await read(
        page,
        `<table><tr><th class="sorted descending">Name<th><button class="sort asc">Age</button><th aria-sort="ascending" class="asc">Id</table>
        <input aria-label="A" class="is-invalid"><input aria-label="B" class="ng-invalid"><input aria-label="C" class="input is-danger">
        <input aria-label="D" class="error" aria-invalid="true"><button class="is-loading" style="color:transparent;background:navy">Save</button>
        <button class="is-loading" style="color:transparent;background:none;border:0">Gone</button>
        <ul role="tablist"><li role="presentation" class="p-highlight"><a role="tab" href="/">One</a></li><li role="none" class="active"><a role="tab" aria-selected="true">Told</a></li></ul>
        <a href="/" aria-current="undefined">Two</a>`,
      ),
      `- table:
  - row:
    - columnheader "Name" [class=descending]
    - columnheader:
      - button "Age" [class=asc]
    - columnheader "Id" [sort=ascending]
- textbox "A" [class=is-invalid]
- textbox "B"
- textbox "C" [class=is-danger]
- textbox "D" [invalid]
- button "Save" [class=is-loading]
- button "Gone" [class=is-loading] [invisible]
- tablist:
  - tab "One" [class=p-highlight]
  - tab "Told" [selected]
- link "Two":
  - /url: /`,
    );
  },

  // [tool.snapshot]
  'a meter tells what it measures': async (page) => {
    equal(
      await read(
        page,
        `<div role="meter" aria-valuenow="24" aria-label="Space"><ol><li>Apps (16%)</li><li>Mail (8%)</li></ol></div><div role="progressbar" aria-valuenow="30">30%</div>`,
      ),
      `- meter "Space":
  - text: "24"
  - list:
    - listitem: Apps (16%)
    - listitem: Mail (8%)
- progressbar: "30"`,
    );
  },

  // PrimeReact's ToggleButton [tool.actionable]
  'what is seen of a field that lies over it unseen can be clicked': async (page) => {
    await shown(
      page,
      `<div style="position:relative;width:90px;height:30px"><div id="a" style="cursor:pointer">Locked</div>
      <input id="i" type="checkbox" style="position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;z-index:1"></div>
      <div style="position:relative;width:90px;height:30px"><div id="b">Below</div><div style="position:absolute;inset:0;opacity:0;z-index:1"></div></div>
      <div style="position:relative;width:90px;height:30px"><div id="c">Oslo</div><select style="position:absolute;inset:0;width:100%;opacity:0;z-index:1"><option>Oslo</select></div>`,
    );
    const point = await page.call('actionable', { callId: 1, target: '#a', kind: 'click', timeout: kPatience });
    equal(point.ok, true, JSON.stringify(point));
    for (const target of ['#b', '#c']) await refused(page, { target, kind: 'click' }, 'covered by');
    hasNot(await page.yaml(), /covered.*Locked/);
  },

  // [tool.snapshot.hints]
  'greys with a tinge are grey': async (page) => {
    const swatch = (colour) =>
      `<i style="display:inline-block;width:20px;height:20px;cursor:pointer;background:${colour}"></i>`;
    const yaml = await read(page, ['#4a5565', '#334155', 'cadetblue', 'steelblue', 'navy'].map(swatch).join(''));
    equal(
      yaml.match(/looks=[^\]]*/g).join(),
      'looks=gray square,looks=dark gray square,looks=cyan square,looks=blue square,looks=dark blue square',
    );
  },

  // [tool.snapshot.delta]
  'a page that a script holds in its place while a dialog is open is not told to come and go': async (page) => {
    for (const root of ['document.documentElement', 'document.body']) {
      const rows = Array.from(
        { length: 30 },
        (_, i) => `<p style="height:60px">Row ${i} <button style="position:relative;left:-1px">Do ${i}</button></p>`,
      );
      await page.load(`<header><a href="#a">Home</a> <a href="#b">Help</a></header><main>${rows.join('')}</main>
        <div role="dialog" aria-label="Sure?" id="d" style="display:none;position:fixed;top:9px;left:9px;width:300px;height:90px">
          <button>Yes</button></div>`);
      await page.main(`scrollTo(0, 700)`);
      await page.yaml();
      const open = `d.style.display = 'block'; Object.assign(${root}.style, { position: 'fixed', top: '-700px', width: '100%' })`;
      equal(await delta(page, open), '- dialog "Sure?":\n  - button "Yes"');
      const close = `d.style.display = 'none'; ${root}.style.position = ''; scrollTo(0, 700)`;
      equal(await delta(page, close), '- removed: dialog "Sure?"', root);
    }
  },

  // [tool.snapshot.delta]
  'a row that has gone from among others that begin alike is told by what only it said': async (page) => {
    const row = (name) =>
      `<tr id="${name}"><td><input type="checkbox" aria-label="Select row"></td><td>${name}</td><td>7</td></tr>`;
    await page.load(`<table><tbody id="t">${['Tea', 'Rye', 'Oat', 'Soy', 'Nut'].map(row).join('')}</tbody></table>`);
    await page.yaml();
    equal(await delta(page, `Rye.remove()`), `- table:\n  - removed: "row: Rye"`);
    equal(await delta(page, `Tea.remove(); Oat.remove()`), `- table:\n  - removed: ["row: Tea", "row: Oat"]`);
    const others = await delta(page, `t.innerHTML = \`${['Fig', 'Yam'].map(row).join('')}\``);
    hasNot(others, 'Soy');
  },

  // [tool.snapshot.hints]
  'a box around one thing hands on how it went, and what is today is told of a day alone': async (page) => {
    const step = (how, words) =>
      `<div class="${how} step"><div class="content"><div class="title">${words}</div></div></div>`;
    const steps = ['completed', 'active', 'disabled', ''].map((how, i) => step(how, `Step ${i}`)).join('');
    const day = (n, how) => `<td class="link ${how}">${n}</td>`;
    const html = `<style>.step{display:flex}</style><div>${steps}</div>
      <table><tr>${day(27, '')}${day(28, 'today focus')}${day(29, 'today active')}</tr></table>
      <p><button class="prev">Back</button><button class="today">Today</button></p>`;
    equal(
      await plain(page, html),
      `- generic:
  - generic [class=completed]: Step 0
  - generic [class=active]: Step 1
  - generic [class=disabled]: Step 2
  - generic: Step 3
- table:
  - row:
    - cell "27"
    - cell "28" [class=today]
    - cell "29" [class=active]
- paragraph:
  - button "Back"
  - button "Today"`,
    );
  },

  // [tool.snapshot.icons]
  'an icon is called by what it shows, not by what state it is in': async (page) => {
    const star = (how) => `<i class="star icon ${how}"></i>`;
    const html = `<style>i{display:inline-block;width:20px;height:20px}i::before{content:"\\f005";font-family:Icons}.press i{cursor:pointer}</style>
      <div>${star('active')}${star('active')}${star('')}</div><div class="press">${star('selected')}${star('')}</div>`;
    equal(
      await plain(page, html),
      `- img [icon=star active x2] [icon=star]
- generic:
  - generic [icon=star selected] [cursor=pointer]
  - generic [icon=star] [cursor=pointer]`,
    );
  },

  // [tool.actionable]
  'what was clicked is called by what is to be seen of it': async (page) => {
    const menu = (style) => `<div class="menu" style="${style}"><div>English</div><div>Dutch</div></div>`;
    await page.load(
      `<!doctype html><div id="a">Language${menu('display:none')}</div><div id="b">Open${menu('')}</div>`,
    );
    const called = async (target) => (await page.call('describe', { target })).describe;
    equal(await called('#a'), '<div id="a"> "Language"');
    equal(await called('#b'), '<div id="b"> "Open English Dutch"');
  },

  // [tool.actionable]
  'what stands in the label of a control that is disabled is not clicked': async (page) => {
    await page.load(`<!doctype html><label><input type="checkbox" disabled><span id="a">All</span></label>
      <label><input type="checkbox"><span id="b">Some</span></label>
      <label><input type="checkbox" disabled>With <a href="#x" id="c">a link</a></label>
      <div aria-disabled="true"><label id="d">Own <input type="checkbox"></label></div>
      <label><input type="checkbox">Not <b aria-disabled="true" id="e">this</b></label>`);
    await refused(page, { target: '#d', kind: 'click' }, ' is disabled (aria-disabled');
    await refused(page, { target: '#e', kind: 'click' }, ' is disabled (aria-disabled');
    await refused(page, { target: '#a', kind: 'click' }, ' is disabled');
    equal((await page.call('actionable', { callId: 1, target: '#b', kind: 'click', timeout: kPatience })).ok, true);
    equal((await page.call('actionable', { callId: 1, target: '#c', kind: 'click', timeout: kPatience })).ok, true);
  },

  // [tool.snapshot.hints]
  "a tab's item says that it can't be chosen, whatever the tab says of being chosen": async (page) => {
    const tab = (how, words, on) =>
      `<li role="presentation" class="${how}"><a role="tab" aria-selected="${on}">${words}</a></li>`;
    equal(
      await plain(
        page,
        `<ul role="tablist">${tab('kit-active', 'One', true)}${tab('kit-disabled', 'Two', false)}</ul>`,
      ),
      `- tablist:\n  - tab "One" [selected]\n  - tab "Two" [class=kit-disabled]`,
    );
  },

  // jqGrid [tool.snapshot.brief]
  'what is around a table names nothing in it, and a field is no landmark': async (page) => {
    const filter = (
      name,
    ) => `<th role="gridcell"><table><tr><td></td><td><input role="search" aria-label="${name}" value="a"></td>
      <td><a class="x" title="Clear ${name}" style="cursor:pointer">×</a></td></tr></table></th>`;
    const html = `<div id="box">Invoices<table role="grid" aria-labelledby="box"><tr><th>Date</th><th>Name</th></tr>
      <tr role="row" id="w"><td style="height:0;padding:0"></td><td style="height:0;padding:0"></td></tr>
      <tr role="row">${filter('Date')}${filter('Name')}</tr><tr><td>May</td><td>Ann</td></tr></table></div>
      <div id="all">Age <input aria-labelledby="all"></div>`;
    equal(
      await plain(page, html),
      `- generic:
  - text: Invoices
  - grid:
    - row:
      - columnheader "Date"
      - columnheader "Name"
    - row:
      - gridcell:
        - textbox "Date": a
        - generic "Clear Date" [cursor=pointer]: "×"
      - gridcell:
        - textbox "Name": a
        - generic "Clear Name" [cursor=pointer]: "×"
    - row:
      - gridcell "May"
      - gridcell "Ann"
- textbox "Age"`,
    );
  },
};
