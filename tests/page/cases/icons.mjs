// What a person reads from small pictures: stars, ticks, flags, dots that tell a state.
import { equal, has, hasNot, shown, withoutRefs } from '../expect.mjs';

const kStyle = `<style>
  .fa::before{content:"\\f005"} .ok{color:green}
  .sprite{display:inline-block;width:16px;height:16px;background:url(/sprites.png) -16px -32px no-repeat}
  .dot{display:inline-block;width:10px;height:10px;border-radius:50%}
  .flex{display:flex}
</style>`;
const kArrow = '<svg width="20" height="20"><path d="M1 1h9v9z"/></svg>';
const icons = async (page, html) => withoutRefs(await shown(page, kStyle + html));
const svg = (name) => `<svg width="16" height="16" class="lucide lucide-${name}"><path d="M1 1h9v9z"/></svg>`;

export default {
  // [tool.snapshot.icons]
  'a sign of an icon font is told however narrow its letter is': async (page) => {
    const narrow = '<i class="fa fa-ellipsis-v" style="display:inline-block;width:4px;overflow:hidden"></i>';
    const line = '<i style="display:inline-block;width:4px;height:16px;background:red"></i>';
    has(
      await icons(page, `<table><tr><td>Chair<td>${narrow}<td>${line}</table>`),
      '- cell [icon=fa-ellipsis-v]\n    - cell',
    );
  },

  // [tool.snapshot.hints]
  'a dot that is called by its class, which is its state too, is called by it once': async (page) => {
    const dot = (states) => `<a role="tab" class="dot ${states}" style="background:green" tabindex="0"></a>`;
    equal(
      await icons(page, `<div role="tablist">${dot('')}${dot('dot active')}</div>`),
      `- tablist:
  - tab [looks=dark green circle] [class=dot]
  - tab [looks=dark green circle] [class=active]`,
    );
  },

  // [tool.snapshot.hints]
  'the days and the arrows of a calendar that says all by its classes': async (page) => {
    const cell = (name, states) => `<div class="cell -day- ${states}">${name}</div>`;
    equal(
      await icons(
        page,
        `<style>.cell,.nav{cursor:pointer}.-current-{color:#00f}.-selected-{background:#00f;color:#fff}</style>
        <nav><div class="nav" data-action="prev">${kArrow}</div><div>November</div><div class="nav" data-action="next">${kArrow}</div></nav>
        <div>${cell('27', '')}${cell('28', '-current- -selected-')}${cell('29', '-current-')}</div>`,
      ),
      `- navigation:
  - generic [data-action=prev] [cursor=pointer]
  - generic: November
  - generic [data-action=next] [cursor=pointer]
- generic:
  - generic [cursor=pointer]: "27"
  - generic [class=selected] [cursor=pointer]: "28"
  - generic [class=current] [cursor=pointer]: "29"`,
    );
  },

  // [tool.snapshot.hints]
  'what a component calls its part names a control that has no other name': async (page) => {
    const chip = `<x-chip></x-chip><script>const root = document.querySelector('x-chip').attachShadow({ mode: 'open' });
      root.innerHTML = '<style>div{width:12px;height:12px;cursor:pointer}</style><span>Rust</span><div part="remove-button"></div>';</script>`;
    await page.load(`<!doctype html>${chip}`);
    equal(withoutRefs(await page.yaml()), '- text: Rust\n- generic [part=remove-button] [cursor=pointer]');
  },

  // [tool.snapshot.icons]
  'a cell that holds icons alone says which': async (page) => {
    const star = '<i class="fa fa-star"></i>';
    equal(
      await icons(
        page,
        `<table><tr><td>Chair<td>${star}${star}<i class="fa fa-star-o"></i><td><div><span>${star}</span></div><td><i class="fa fa-check ok"></i>
        <td><span class="dot" style="background:green"></span><td><span class="sprite sprite-disk"></span><td><span aria-hidden="true">${svg('x')}</span>
        <td><img alt="" src="/flags/fr.png" width="16" height="12"><td><img src="/flags/de.png?v=2"><td></table>`,
      ),
      `- table:
  - row:
    - cell "Chair"
    - cell [icon=fa-star x2] [icon=fa-star-o]
    - cell [icon=fa-star]
    - cell [icon=fa-check dark green]
    - cell [looks=dark green circle]
    - cell [icon=sprite-disk]
    - cell [icon=lucide-x]
    - cell [icon=fr.png]
    - cell:
      - img [icon=de.png]
    - cell`,
    );
  },

  // [tool.snapshot.icons]
  'an icon beside text stands on the line of the text, several in a box of their own on theirs': async (page) => {
    const star = '<i class="fa fa-star"></i>';
    equal(
      await icons(
        page,
        `<ul><li>${svg('alert')} Disk full</li><li class="flex"><i class="fa fa-check ok"></i><div>Backup</div></li>
        <li><div class="flex">${svg('clock')}<div>Waiting</div></div><div>for a place</div></li>
        <li><div><div>inject</div><div>${svg('arrow')}</div></div><div><span>${svg('x')}</span>debug</div></li></ul>
        <p>Click the item with the icon <span class="sprite sprite-disk"></span>.</p>
        <div><h2>Chair</h2><div>${star}${star}</div><p>Soft</p></div><div>Rating: <span>${star}<b class="fa fa-star-o"></b></span></div>`,
      ),
      `- list:
  - listitem [icon=lucide-alert]: Disk full
  - listitem [icon=fa-check dark green]: Backup
  - listitem:
    - generic [icon=lucide-clock]: Waiting
    - generic: for a place
  - listitem:
    - generic [icon=lucide-arrow]: inject
    - generic [icon=lucide-x]: debug
- paragraph [icon=sprite-disk]: Click the item with the icon .
- generic:
  - heading "Chair" [level=2]
  - img [icon=fa-star x2]
  - paragraph: Soft
- generic [icon=fa-star] [icon=fa-star-o]: "Rating:"`,
    );
  },

  // [tool.snapshot.icons]
  'an icon in the text that names a cell is told, and so are signs of another colour': async (page) => {
    const star = (colour) => `<span style="color:${colour}">★</span>`;
    const stars = [star('orange'), star('orange'), star('#bbb')].join('');
    equal(
      await icons(
        page,
        `<table><tr><td><span class="flex"><span class="dot" style="background:red"></span>web-1</span><td>${stars}<td><i class="fa fa-x"></i> No</table>
        <p>Rated ${stars} by all</p><p style="color:orange">${star('orange')}</p>`,
      ),
      `- table:
  - row:
    - cell "web-1" [looks=red circle]
    - cell "★★★" [icon=★ orange x2]
    - cell "No" [icon=fa-x]
- paragraph [icon=★ orange x2]: Rated ★★★ by all
- paragraph: "★"`,
    );
  },

  // [tool.snapshot.icons]
  'icons of a box and of the box in it are told together': async (page) => {
    const icon = (name) => `<i class="fa fa-${name}"></i>`;
    equal(
      await icons(
        page,
        `<ul><li>${icon('a')}<div>${icon('b')}one</div></li></ul><div>${icon('c')}<div>${icon('d')}two</div></div>`,
      ),
      `- list:
  - listitem [icon=fa-a] [icon=fa-b]: one
- generic [icon=fa-c] [icon=fa-d]: two`,
    );
  },

  // [tool.snapshot.icons]
  'a bar says how far it is filled, where no text does': async (page) => {
    const bar = (width, text = '', track = 'background:#eee') =>
      `<div style="width:200px;height:10px;${track}"><div style="width:${width};height:10px;background:navy">${text}</div></div>`;
    equal(
      await icons(
        page,
        `<p>Disk</p>${bar('86%')}<p>Memory</p>${bar('40%', '40 %')}<p>Swap</p>${bar('120px')}<p>Line</p>${bar('60%', '', '')}`,
      ),
      `- paragraph: Disk
- img [filled=86%]
- paragraph: Memory
- generic: "40 %"
- paragraph: Swap
- paragraph: Line`,
    );
  },

  // [tool.snapshot.icons]
  'what decorates controls and headings, what is hidden, large, colourless or empty is not told': async (page) => {
    const check = '<i class="fa fa-check"></i>';
    const yaml = await icons(
      page,
      `<button>${check} Save</button><a href="/">${svg('home')} Home</a><h2>${check} Status</h2><label>${check} Name <input></label>
      <ul role="tree"><li role="treeitem">${check} Node</li></ul><div role="tab">${check} Tab</div>
      <p>One <i class="fa" style="display:none"></i><i class="fa" style="visibility:hidden"></i><i class="fa" style="opacity:0"></i></p>
      <p>Two <span class="dot" style="background:#eee"></span><span class="dot" style="background:red;width:200px;height:99px"></span>
        <span class="dot" style="background:red;width:3px"></span><span class="dot"></span></p>
      <p><img alt="" src="/photo.jpg" width="16" height="16"> Three</p><p><svg width="16" height="16"><path d="M1 1h9v9z"/></svg> Four</p>
      <div><svg width="16" height="16" class="icon-search"><path d="M1 1h9"/></svg><input aria-label="Search"></div>`,
    );
    hasNot(yaml, /icon=|looks=/);
    for (const text of [
      'One',
      'Two',
      'Three',
      'Four',
      'button "Save"',
      'link "Home"',
      'heading "Status"',
      'textbox "Search"',
    ])
      has(yaml, text);
  },

  // [tool.snapshot.icons]
  'what can be clicked is called by its icon once, as before': async (page) => {
    equal(
      await icons(
        page,
        `<button>${svg('trash')}</button><button class="MuiIconButton-sizeSmall"><svg class="MuiSvgIcon-fontSizeMedium" width="16" height="16"><path d="M1 1h9v9z"/></svg></button><div style="cursor:pointer"><i class="fa fa-file"></i> report.pdf</div><span style="cursor:pointer"><i class="fa fa-times"></i></span>`,
      ),
      `- button [icon=lucide-trash]
- button [class=MuiIconButton-sizeSmall]
- generic [icon=fa-file] [cursor=pointer]: report.pdf
- generic [icon=fa-times] [cursor=pointer]`,
    );
  },

  // [tool.snapshot.icons]
  'many icons beside each other are counted, and of too many kinds the rest is said to be there': async (page) => {
    const kinds = Array.from({ length: 14 }, (_, i) => `<i class="fa fa-kind-${'abcdefghijklmn'[i]}"></i>`).join('');
    const yaml = await icons(
      page,
      `<ul><li>Seats ${'<i class="fa fa-user"></i>'.repeat(300)}</li><li>All ${kinds}</li></ul>`,
    );
    has(yaml, 'listitem [icon=fa-user x300]: Seats');
    has(yaml, /\[icon=fa-kind-a\] .*\[icon=fa-kind-h\] \[6 more icons\]: All/);
  },

  // [tool.snapshot.icons] [tool.snapshot.delta]
  'an icon that changes is a change of the line that it stands on': async (page) => {
    await shown(
      page,
      `${kStyle}<ul><li><i id="a" class="fa fa-clock"></i> build</li><li><i class="fa fa-clock"></i> test</li></ul>
      <table><tr><td>Row<td><span id="b" class="dot" style="background:red"></span></table>`,
    );
    await page.main("a.className = 'fa fa-check ok'");
    equal(
      withoutRefs(await page.yaml({ mode: 'delta' })),
      `- list:
  - listitem [icon=fa-check dark green]: build`,
    );
    await page.main("b.style.background = 'green'");
    has(withoutRefs(await page.yaml({ mode: 'delta' })), 'cell [looks=dark green circle]');
    await page.main('a.remove()');
    has(withoutRefs(await page.yaml({ mode: 'delta' })), /listitem: build/);
    equal(await page.yaml({ mode: 'delta' }), '- no changes since the last snapshot');
  },

  // [tool.snapshot.icons.controls]
  'in a control with words an icon is told that says its state, a dot, or what a number counts': async (page) => {
    const check = svg('check');
    equal(
      await icons(
        page,
        `<button>${svg('save')} Save</button><button>${svg('bell')} <span>3</span></button><button>${svg('lock')} Edit</button><button><i class="fa fa-check ok"></i> Ship</button>
        <button>Chat<sup class="dot" style="background:red"></sup></button>
        <ul role="menu"><li role="menuitem">${check} Small</li><li role="menuitem"><svg style="opacity:0" width="16" height="16" class="lucide-check"><path d="M1 1h9v9z"/></svg> Large</li></ul>
        <div role="checkbox" aria-checked="true">${check} Wrap</div><div role="tab" aria-selected="true">${check} Bill<i class="dot" style="background:red"></i></div>`,
      ),
      `- button "Save"
- button "3" [icon=lucide-bell]
- button "Edit" [icon=lucide-lock]
- button "Ship" [icon=fa-check dark green]
- button "Chat" [looks=red circle]
- menu:
  - menuitem "Small" [icon=lucide-check]
  - menuitem "Large"
- checkbox "Wrap" [checked]
- tab "Bill" [selected]`,
    );
  },

  // [tool.snapshot.icons.controls] [tool.snapshot.delta]
  'an icon in a control that another takes the place of, or that is coloured, is a change of the control': async (
    page,
  ) => {
    await shown(
      page,
      `${kStyle}<style>button:hover svg,.hot svg{color:blue}</style><button id="like">${svg('heart')} 17 likes</button>
      <button id="mark">${svg('star')}</button><button id="go">${svg('play')}</button><button class="" id="hot">${svg('x')} Hot</button>`,
    );
    await page.main("like.firstChild.setAttribute('class', 'lucide lucide-heart-filled ok')");
    equal(withoutRefs(await page.yaml({ mode: 'delta' })), '- button "17 likes" [icon=lucide-heart-filled]');
    await page.main("like.firstChild.setAttribute('class', 'lucide lucide-heart')");
    equal(withoutRefs(await page.yaml({ mode: 'delta' })), '- button "17 likes"');
    await page.main("mark.firstChild.style.fill = 'gold'");
    equal(withoutRefs(await page.yaml({ mode: 'delta' })), '- button [icon=lucide-star yellow] [id=mark]');
    await page.main("go.firstChild.setAttribute('class', 'lucide lucide-pause')");
    equal(withoutRefs(await page.yaml({ mode: 'delta' })), '- button [icon=lucide-pause] [id=go]');
    await page.main("hot.firstChild.style.fill = 'red'; hot.lastChild.data = ' Cold'");
    equal(withoutRefs(await page.yaml({ mode: 'delta' })), '- button "Cold" [icon=lucide-x red]');
  },

  // [tool.snapshot.hints]
  'a radio button that is a swatch has its colour, what only a colour tells its class, a slotted icon its name': async (
    page,
  ) => {
    const swatch = (colour, value) =>
      `<label><input type="radio" name="c" value="${value}" style="position:absolute;opacity:0"><span style="display:block;width:24px;height:24px;background:${colour}"></span></label>`;
    equal(
      await icons(
        page,
        `${swatch('#222', 'dark')}${swatch('blue', 'b')}<input type="checkbox" value="news"><input type="checkbox">
        <button class="delete" style="width:20px;height:20px;border:0;border-radius:50%;background:#0005"></button>
        <div id="host"><i class="fa fa-plus"></i></div>
        <script>host.attachShadow({mode: 'open'}).innerHTML = '<button class="native"><slot></slot></button>'</script>`,
      ),
      `- radio [looks=dark gray square] [value=dark]
- radio [looks=blue square]
- checkbox [value=news]
- checkbox
- button [looks=black circle] [class=delete]
- button [icon=fa-plus]`,
    );
  },

  // [tool.snapshot.hints]
  'how a row, an item or a step went is told by its class, where no more than a few words are in it': async (page) => {
    equal(
      await icons(
        page,
        `<table><tr class="table-danger"><td>OR1848<td class="text-success">paid<tr><td>OR1849<td class="text-muted">open<tr><td class="ui-state-disabled"><td class="ui-state-disabled">&nbsp;</table>
        <div class="flex"><div class="step completed">Ship</div><div class="step active"><div>Bill</div><div>Now</div></div><div class="step">Pay</div></div>
        <div class="tab-pane active"><p>This is a pane of the page, whose text is longer than that of a step.</p><p>It goes on.</p></div>
        <div class="box active"><input aria-label="Name"></div><div class="active">Sole</div><ul><li class="done">Wash</li><li class="error-prone">Dry</li></ul>`,
      ),
      `- table:
  - row [class=table-danger]:
    - cell "OR1848"
    - cell "paid" [class=text-success]
  - row:
    - cell "OR1849"
    - cell "open"
  - row:
    - cell
    - cell
- generic:
  - generic [class=completed]: Ship
  - generic [class=active]:
    - generic: Bill
    - generic: Now
  - generic: Pay
- generic:
  - paragraph: This is a pane of the page, whose text is longer than that of a step.
  - paragraph: It goes on.
- textbox "Name"
- generic: Sole
- list:
  - listitem [class=done]: Wash
  - listitem: Dry`,
    );
  },

  // [tool.snapshot.icons]
  'a dot may be a ring, and a bar of progress says how far it is filled before those beside it': async (page) => {
    equal(
      await icons(
        page,
        `<ul><li><span class="dot" style="border:2px solid green"></span> Up</li><li><span class="dot" style="border:2px solid red;border-top-color:#eee"></span> Loads</li></ul>
        <div style="display:flex;background:#ddd;height:10px"><div role="progressbar" style="width:44%;background:blue"></div><div style="width:19%;background:teal"></div></div>`,
      ),
      `- list:
  - listitem [looks=dark green circle]: Up
  - listitem: Loads
- progressbar [filled=44%] [filled=19%]`,
    );
  },

  // [tool.snapshot.drawings]
  'a drawing says how large it is, so that a point of it can be named': async (page) => {
    has(
      await shown(page, '<canvas width="150" height="100"></canvas>'),
      /generic \[ref=e\d+\] \[looks=canvas 150x100\]/,
    );
    const yaml = await shown(
      page,
      `<svg width="200" height="90">
      <rect width="20" height="20" fill="green" style="cursor:pointer"/><rect x="50" width="60" height="60" fill="green" style="cursor:pointer"/></svg>`,
    );
    has(yaml, '[looks=dark green rectangle 20x20]');
    has(yaml, '[looks=dark green rectangle 60x60]');
  },
};
