// What kits of components show, as pages made of them were found to.
import { equal, has, hasNot, ok, plain, shown } from '../expect.mjs';

const kPixel =
  'position:absolute;clip:rect(0 0 0 0);width:1px;height:1px;overflow:hidden;margin:-1px;padding:0;border:0';

export default {
  // [tool.snapshot]
  'a style sheet that many shadow roots adopt is compared once by a snapshot': async (page) => {
    await shown(
      page,
      `<main></main><script>
      const sheet = new CSSStyleSheet();
      for (let i = 0; i < 100; i++) sheet.insertRule('.c' + i + '{color:#000}');
      for (let i = 0; i < 50; i++) {
        const host = document.querySelector('main').appendChild(document.createElement('x-' + i));
        const root = host.attachShadow({ mode: 'open' });
        root.innerHTML = '<p>Words ' + i + '</p>';
        root.adoptedStyleSheets = [sheet];
      }</script>`,
    );
    await page.raw(`{
      const { get } = Object.getOwnPropertyDescriptor(CSSStyleDeclaration.prototype, 'cssText');
      globalThis.textsRead = 0;
      Object.defineProperty(CSSStyleDeclaration.prototype, 'cssText', { get() { textsRead++; return get.call(this); } });
      0;
    }`);
    await page.yaml();
    const read = await page.raw('textsRead');
    ok(read >= 100 && read <= 200, `${read} texts of 100 rules were read`);
  },

  // [tool.snapshot.brief]
  'a control that is drawn around a field of its kind is one line with it': async (page) => {
    const box = (attributes, inner) => `<div class=b ${attributes}>${inner}</div>`;
    const field = (attributes) => `<input style="opacity:0;position:absolute;inset:0;margin:0" ${attributes}>`;
    equal(
      await shown(
        page,
        `<style>.b{position:relative;width:80px;height:20px}</style><table><tr>
        <td>${box('role=checkbox aria-label="Row 1"', field('type=checkbox checked aria-label="Row 1"'))}<td>Ann</table>
        ${box('role=checkbox', field('type=checkbox role=switch class=notify'))}
        ${box('role=switch aria-label=Active aria-checked=true tabindex=0', field('type=checkbox checked tabindex=-1'))}
        ${box('role=radio aria-label=Home aria-checked=true tabindex=0', `${field('type=radio checked tabindex=-1')}<label>Home</label>`)}
        <ul role=listbox><li role=option aria-selected=true>${box('', field('type=checkbox checked'))}Rome
        <li role=option aria-selected=false>${box('', field('type=checkbox checked'))}Oslo</ul>`,
      ),
      `- table [ref=e1]:
  - row:
    - checkbox "Row 1" [checked] [ref=e2]
    - cell "Ann" [ref=e3]
- switch [ref=e4] [class=notify]
- switch "Active" [checked] [ref=e5]
- radio "Home" [checked] [ref=e6]
- listbox [ref=e7]:
  - option "Rome" [selected] [ref=e8]
  - option "Oslo" [ref=e9]:
    - checkbox [checked] [ref=e10]`,
    );
    await page.main(`document.querySelector('input').click()`);
    has(await page.yaml({ mode: 'delta' }), 'checkbox "Row 1" [ref=e2]');
  },

  // [tool.snapshot.brief]
  'the day of a calendar whose text alone has a pointer cursor is one line': async (page) => {
    const day = (n, attributes = '') =>
      `<td aria-label="11/0${n}/2026"><span ${attributes} style="cursor:pointer;display:inline-flex;width:30px">${n}</span></td>`;
    equal(
      await shown(
        page,
        `<table role=grid><tr>${day(1)}${day(2, 'aria-selected=true tabindex=0')}<td aria-label="11/03/2026" style="width:200px"><span
        style="cursor:pointer">note</span></table>`,
      ),
      `- grid [ref=e1]:
  - row:
    - gridcell "11/01/2026" [ref=e2]
    - gridcell "11/02/2026" [selected] [ref=e3]
    - gridcell "11/03/2026" [ref=e4]:
      - generic [ref=e5] [cursor=pointer]: note`,
    );
  },

  // [tool.snapshot.brief]
  'an empty element of a pixel that takes the focus for its cell has no line': async (page) => {
    equal(
      await shown(page, `<table><tr><td><a tabindex=0 style="${kPixel}"><span></span></a>Watch<td>$1</table>`),
      `- table [ref=e1]:
  - row:
    - cell "Watch" [ref=e2]
    - cell "$1" [ref=e3]`,
    );
  },

  // [tool.snapshot.marks]
  'a field in a box of a pixel on the screen is not off-screen': async (page) => {
    const yaml = await shown(
      page,
      `<div style="margin:40px"><div style="${kPixel}"><input role=combobox value=Rome style="width:150px;height:20px"></div>Rome</div>`,
    );
    has(yaml, 'combobox [ref=');
    hasNot(yaml, 'off-screen');
  },

  // [tool.snapshot.pointers]
  'the x of a chip that is an option is told by its cursor, and a drawn handle to drag a row by': async (page) => {
    const drawing = (style) =>
      `<svg viewBox="0 0 14 14" style="width:14px;height:14px;${style}"><path d="M0 0h14v14z" fill="red"/></svg>`;
    const yaml = await shown(
      page,
      `<ul role=listbox><li role=option>foo ${drawing('cursor:pointer')}<li role=option style="cursor:pointer">all ${drawing('cursor:pointer')}</ul>
      <table><tr><td>${drawing('cursor:move')}<td>Ann</table>`,
    );
    has(yaml, /option "foo" \[ref=e2\]:\n {4}- img \[ref=e3\] \[looks=red shape 14x14\] \[cursor=pointer\]/);
    has(yaml, /option "all" \[ref=e\d+\]( \[.*\])?\n/);
    has(yaml, /img \[ref=e\d+\] \[looks=red shape 14x14\] \[cursor=move\]/);
  },

  // [tool.snapshot.hints]
  'a class that says how an icon stands is no name of one': async (page) => {
    has(await shown(page, '<button class="kit-icon-only kit-up"></button>'), 'button [ref=e1] [class=kit-icon-only]');
  },

  // [tool.snapshot.delta]
  'of a delta without room for all a notice that is fixed on the screen comes first': async (page) => {
    await shown(page, '<main><div id=a></div></main><div id=n style="position:fixed;right:0;bottom:0"></div>');
    const field = (i) => `<p>Note ${i}</p><input placeholder="A long name of field ${i}">`;
    await page.main(`a.innerHTML = ${JSON.stringify(Array.from({ length: 60 }, (_, i) => field(i)).join(''))};
      n.innerHTML = '<div><p>Collection Created</p></div>'`);
    const yaml = await page.yaml({ mode: 'delta', budgetChars: 1000 });
    ok(yaml.startsWith('- paragraph [ref=e') && yaml.includes('Collection Created'), yaml);
    has(yaml, 'A long name of field 0');
  },

  // [tool.snapshot.hints]
  'a word that an icon font draws is an icon, and what a checkbox calls pressed is checked': async (page) => {
    equal(
      await shown(
        page,
        `<style>i{font:24px "Kit Symbols";display:inline-block}i::after{content:attr(data-icon)}.h::before{content:"home";font-family:"Kit Icons"}
        b::before{content:"note"}</style><button><i data-icon=close></i></button><p><i data-icon=info></i> Name it</p><a class=h href="/x"></a>
        <button role=checkbox aria-pressed=true><i data-icon=check_box></i> Treat as one</button><p><b></b> words</p>
        <a class="button icon tile normal" href="/y"><i data-icon=box></i></a><p><span style="font-size:0"><i data-icon=lock></i></span> Locked</p>`,
      ),
      `- button [ref=e1] [icon=close]
- paragraph [ref=e2] [icon=info]: Name it
- link [ref=e3] [icon=home]:
  - /url: /x
- checkbox "Treat as one" [checked] [ref=e4]
- paragraph [ref=e5]: note words
- link [ref=e6] [icon=box]:
  - /url: /y
- paragraph [ref=e7] [icon=lock]: Locked`,
    );
  },

  // [tool.snapshot.hints]
  'a state by an attribute of its author is told, and a class of how a press looks is none': async (page) => {
    await shown(
      page,
      `<style>.kit-active:active{opacity:.5}.nav-active{color:red}.x{cursor:pointer}</style>
      <button class="kit-root kit-active" id=kit-x64zeav15-target>Add</button><button class="nav-active">Home</button>
      <nav><a class=x data-active=true id=u>Users</a> <a class=x data-active=false id=f>Form</a></nav>
      <table><tr data-state=selected><td>Ann<tr data-state=false><td>Ben</table><button data-progress=true>Verify</button><button id=kit-x64zeav15-target class="kit-active kit-root"></button>`,
    );
    equal(
      await page.yaml(),
      `- button "Add" [ref=e1]
- button "Home" [ref=e2] [class=nav-active]
- navigation [ref=e3]:
  - generic [ref=e4] [data-active] [cursor=pointer]: Users
  - generic [ref=e5] [cursor=pointer]: Form
- table [ref=e6]:
  - row [data-state=selected]:
    - cell "Ann" [ref=e7]
  - row:
    - cell "Ben" [ref=e8]
- button "Verify" [ref=e9] [data-progress]
- button [ref=e10] [class=kit-root]`,
    );
    await page.main(`u.dataset.active = 'false'; f.dataset.active = 'true'`);
    const yaml = await page.yaml({ mode: 'delta' });
    has(yaml, 'generic [ref=e4] [cursor=pointer]: Users');
    has(yaml, 'generic [ref=e5] [data-active] [cursor=pointer]: Form');
  },

  // [tool.snapshot.hints] PrimeNG's buttons
  'a class of the effect that a press is drawn with calls nothing': async (page) => {
    const button = (classes) => `<button class="${classes}"><svg width="10" height="10"></svg></button>`;
    equal(
      await plain(
        page,
        button('p-ripple p-drawer-close p-component') + button('mat-ripple-effect close') + button('ripple-chart'),
      ),
      '- button [class=p-drawer-close]\n- button [class=close]\n- button [class=ripple-chart]',
    );
    equal(
      await plain(page, button('p-button p-button-icon-only p-button-rounded p-component p-day-next')),
      '- button [class=p-day-next]',
    );
  },

  // PrimeNG's tiered menu
  'an icon of a menu item that only a script may give the focus is no part to operate': async (page) => {
    const item = (icon) =>
      `<li role="menuitem" aria-label="New"><a tabindex="-1"><i class="pi pi-plus" style="display:inline-block;width:16px;height:16px;background:red" ${icon}></i><b>New</b></a></li>`;
    equal(
      await plain(page, `<ul role="menu">${item('tabindex="-1"')}${item('tabindex="0"')}</ul>`),
      `- menu:
  - menuitem "New"
  - menuitem "New":
    - generic:
      - generic [icon=pi-plus]
      - text: New`,
    );
  },
};
