// What a shop's pages of common libraries, a form designer and a suite of widgets have shown.
import { delta, equal, has, hasNot, kPatience, ok, plain, refOf, refused, shown } from '../expect.mjs';

export default {
  // [tool.snapshot.hidden] the button that leads back to the top, before anything is scrolled
  'a button that is seen by its picture or by a sign alone is invisible where that is': async (page) => {
    const style = 'position:fixed;right:20px;bottom:20px;width:40px;height:40px;opacity:0;pointer-events:none';
    equal(
      await plain(
        page,
        `<p>News</p><button id=t style="${style}" aria-label="Back to top">↑</button>
        <a href=#c style="${style}" aria-label=Chat><svg width=9 height=9><path d="M0 0h9v9z"/></svg></a>
        <a href=#over style="position:absolute;inset:0;opacity:0" aria-label="All news"></a>`,
      ),
      `- paragraph: News
- button "Back to top" [invisible]
- link "Chat" [invisible]:
  - /url: "#c"
- link "All news":
  - /url: "#over"
- text: … 1 invisible text left out`,
    );
    await refused(page, { target: '#t' }, 'is not visible: opacity:0 on <button id="t">, and it lets clicks through');
  },

  // [tool.snapshot.brief] labels that float up as soon as something is typed
  'a placeholder of blanks is none': async (page) => {
    equal(await plain(page, '<input id=n placeholder=" "><label for=n>Name</label>'), '- textbox "Name"');
  },

  // [tool.snapshot]
  'a spinbutton that holds buttons tells them': async (page) => {
    equal(
      await plain(
        page,
        `<div role=spinbutton aria-label=Count aria-valuenow=1><button aria-label=Less tabindex=-1>-</button><input value=1
        size=3><button aria-label=More tabindex=-1>+</button></div>
        <div role=spinbutton aria-label=Day aria-valuenow=7 tabindex=0>7</div>`,
      ),
      `- spinbutton "Count":
  - text: "1"
  - button "Less": "-"
  - textbox: "1"
  - button "More": "+"
- spinbutton "Day": "7"`,
    );
  },

  // [tool.snapshot.brief] the icons of a form designer, which have their tooltips within
  'what a drawing says that is none for readers is told once beside the same text': async (page) => {
    const icon = (title) =>
      `<svg role=presentation width=16 height=16><path d="M0 0h9v9z"/><title>${title}</title></svg>`;
    equal(
      await plain(page, `<button>${icon('Labels')}<span>Labels</span></button><button>${icon('Copy')}</button>`),
      '- button "Labels"\n- button "Copy"',
    );
  },

  // [tool.snapshot.hints]
  'an icon is called by the class that tells it from other icons, not by the one that all have': async (page) => {
    const icon = (kind) => `<button><i class="kit_icon ${kind}"></i></button>`;
    equal(
      await plain(
        page,
        `<style>i { display: inline-block; width: 20px; height: 20px }</style>
        ${icon('kit-user')}${icon('kit-trash')}<button><i class="home_icon big"></i></button>`,
      ),
      `- button [icon=kit-user]
- button [icon=kit-trash]
- button [icon=home_icon]`,
    );
  },

  // [tool.actionable] [tool.snapshot.marks] Selectize and its kin, once something is chosen
  'the field of a list that is put off the page is operated by the box around it': async (page) => {
    const yaml = await shown(
      page,
      `<div style="position:relative;cursor:pointer;height:30px;width:300px"><div>Austria</div><input role=combobox
      aria-expanded=false aria-label=Country style="position:absolute;left:-10000px;opacity:0"></div>
      <div style="position:absolute;left:-9000px"><input aria-label=Trap></div>`,
    );
    hasNot(yaml, '"Country" [ref=e2] [off-screen]');
    const { ok: isReady, x, y } = await page.call('actionable', { target: refOf(yaml, 'Country'), timeout: kPatience });
    ok(isReady && x > 0 && x < 300 && y > 0 && y < 50, `${x},${y}`);
    await refused(page, { target: refOf(yaml, 'Trap') }, 'is outside of the viewport');
  },

  // [tool.select.unseen] what an open list offers isn't what its widget shows
  'a widget that takes no notice of its hidden select has not followed, though its list is open': async (page) => {
    await shown(
      page,
      `<select id=s style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)" tabindex=-1><option>Choose<option>Peru<option>Oman</select>
      <div><div><input role=combobox aria-expanded=true placeholder=Country></div><div id=l role=listbox><div role=option>Peru</div><div
      role=option>Oman</div></div></div>`,
    );
    const isLeft = async () => (await page.call('select', { target: '[role=combobox]', values: ['Oman'] })).byWidget;
    equal(await isLeft(), true);
    equal(await page.main('s.value'), 'Choose');
    await page.main(`s.onchange = () => { document.querySelector('[role=combobox]').value = s.value }`);
    equal(await isLeft(), undefined);
    equal(await page.main('s.value'), 'Oman');
  },

  // [tool.snapshot.delta] a cart that slides out of the page
  'what has gone out of sight with all that it holds is told by one line': async (page) => {
    const yaml = await plain(
      page,
      `<style>aside { position: fixed; top: 0; right: 0; width: 300px; transform: translateX(100%) } .open { transform: none }</style>
      <p>News</p><aside id=d class=open aria-label=Cart><div>Jacket <button>−</button><input size=2 value=1><button>+</button></div>
      <p>20 €</p><button>Check out</button></aside>`,
    );
    has(yaml, '- paragraph: "20 €"');
    equal(await delta(page, 'd.className = ""'), '- text: … now invisible: complementary "Cart"');
    has(await page.yaml(), /textbox \[ref=e\d+\] \[invisible\] \[off-screen\]/);
    has(await delta(page, 'd.className = "open"'), '- paragraph: "20 €"\n  - button "Check out"');
    await page.main('document.body.style.height = "5000px"'); // a scroll bar takes room from what is fixed
    equal(await delta(page, 'd.className = ""'), '- text: … now invisible: complementary "Cart"');
  },

  // [tool.snapshot.delta] notices that take turns, of which two are seen for a moment
  'what stands beside a wrapper that has gone has not moved': async (page) => {
    await shown(
      page,
      `<style>span { position: absolute; opacity: 0 } .on { opacity: 1 }</style><div style="display:flex"><div
      style="position:relative;flex:1"><span id=a class=on>Free shipping</span><span id=b>Sale</span></div><div>EN | DE</div></div><p>News</p>`,
    );
    equal(await delta(page, 'b.className = "on"'), '- generic: Sale');
    equal(await delta(page, 'a.className = ""'), '- removed: "generic: Free shipping"');
  },

  // [tool.snapshot.delta] a carousel that puts its slides in another order to go round
  'of the slides of a carousel only those are told that come into view and leave it': async (page) => {
    const slide = (n) =>
      `<div class=s role=group aria-label="${n} / 3"><h2>Slide ${n}</h2><a href=#${n}>Go ${n}</a></div>`;
    await shown(
      page,
      `<style>.s { flex: 0 0 400px; height: 90px }</style><div style="overflow:hidden;width:400px"><div id=w
      style="display:flex">${slide(1)}${slide(2)}${slide(3)}</div></div><p>News</p>`,
    );
    equal(
      await delta(page, 'w.append(w.firstElementChild)'),
      `- generic:
  - group "2 / 3":
    - heading "Slide 2" [level=2]
    - link "Go 2":
      - /url: "#2"
  - group "1 / 3" [clipped]`,
    );
  },

  // [tool.snapshot.budget] the countries of a telephone number
  'of a long list that is scrolled what one sees is told first': async (page) => {
    const options = Array.from({ length: 300 }, (_, i) => `<li role=option>Country number ${i} of the world</li>`);
    await shown(
      page,
      `<button>Open</button><ul role=listbox id=l hidden style="height:90px;overflow:auto">${options.join('')}</ul>`,
    );
    await page.main('l.hidden = false; l.scrollTop = 3000');
    const yaml = await page.yaml({ mode: 'delta', budgetChars: 2000 });
    const first = await page.main(
      'String([...l.children].findIndex((at) => at.offsetTop - l.offsetTop >= l.scrollTop))',
    );
    has(yaml, `option "Country number ${first} of`);
    hasNot(yaml, 'option "Country number 1 of');
    has(yaml, /listbox.*:\n {2}- text: … \d+ more items\n/);
  },

  // [tool.snapshot.icons] a rating that lies over as many pale stars
  'how many of a row of stars a box shows is told': async (page) => {
    equal(
      await plain(
        page,
        `<style>b { position: relative; display: inline-block } b::before { content: '★★★★★' } i { position: absolute; left: 0;
        overflow: hidden; white-space: nowrap } i::before { content: '★★★★★' }</style>
        <p>Good <b><i style="width:80%"></i></b></p><p>Best <b><i style="width:100%"></i></b></p>`,
      ),
      `- paragraph:
  - text: Good
  - generic:
    - text: ★★★★★
    - generic [filled=80%]: ★★★★★
- paragraph:
  - text: Best
  - generic:
    - text: ★★★★★
    - generic: ★★★★★`.replaceAll('★★★★★', '"★★★★★"'),
    );
  },

  // [tool.snapshot.hints] suggestions of a search, which a page tells apart by their background
  'the one item of a list that has a class more and another background is told by that': async (page) => {
    const items = (...classes) =>
      classes.map((one, i) => `<div class="x ${one}"><b>Jacket ${i}</b><i>${i} €</i></div>`);
    await shown(
      page,
      `<style>.x { cursor: pointer; display: flex } .hl { background: #ccf } .odd { color: #333 }</style><input aria-label=Search>
      <div>${items('', '', '', '').join('')}</div><section>${items('odd', '', '').join('')}</section>`,
    );
    const pick = (i, j) =>
      delta(
        page,
        `{ const all = document.querySelectorAll('div > .x'); all[${i}]?.classList.remove('hl'); all[${j}].classList.add('hl'); }`,
      );
    equal(await pick(9, 0), '- generic [class=hl] [cursor=pointer]: (children unchanged)');
    equal(
      await pick(0, 1),
      `- generic [cursor=pointer]: (children unchanged)
- generic [class=hl] [cursor=pointer]: (children unchanged)`,
    );
    hasNot(await page.yaml(), 'class=odd');
  },

  // [tool.snapshot.hidden-controls] the switches of a consent dialog
  'the switch that an item draws over its unseen checkbox has no line beside that': async (page) => {
    equal(
      await plain(
        page,
        `<ul><li style="position:relative"><input id=b type=checkbox style="position:absolute;opacity:0;width:50px;height:30px">
        <label for=b>Marketing<div class=active style="cursor:pointer;position:absolute;right:0;width:50px;height:30px;
        border-radius:15px;background:#2a7"></div></label><a href=#x>1 service</a></ul>`,
      ),
      `- list:
  - listitem:
    - checkbox "Marketing"
    - link "1 service":
      - /url: "#x"`,
    );
  },

  // [tool.snapshot.quiet] the menus of a spreadsheet's columns
  'a button in a header is told though it is hidden from readers and the keyboard': async (page) => {
    const button = '<button class=menu tabindex=-1 aria-hidden=true aria-label=" "></button>';
    has(
      await plain(
        page,
        `<table role=grid><tr><th role=columnheader>Name ${button}<tr><td>Ann</table><p>A ${button}</p>`,
      ),
      `  - row:
    - columnheader:
      - text: Name
      - button [class=menu]
  - row:
    - gridcell "Ann"
- paragraph: A`,
    );
  },

  // [tool.snapshot.drawings] a diagram that takes the focus
  'a diagram is told as that, and not as its first shape': async (page) => {
    const shapes = '<circle cx=40 cy=40 r=18 fill=red /><rect x=90 y=90 width=99 height=80 fill=none stroke=black />';
    equal(
      await plain(
        page,
        `<svg tabindex=0 width=600 height=400>${shapes}</svg><svg width=600 height=400>${shapes}</svg>`,
      ),
      '- img [looks=2 shapes 600x400]\n- img [looks=2 shapes 600x400]',
    );
  },

  // [tool.snapshot.labels] a suite of widgets that gives each label a listener
  'a label that can be clicked has no line beside the field that it names': async (page) => {
    equal(
      await plain(page, '<div><label for=a onclick="">City</label><input id=a></div><label onclick="">Note</label>'),
      '- textbox "City"\n- generic: Note',
    );
  },
};
