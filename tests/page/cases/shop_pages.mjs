// What a shop's pages of common libraries, a form designer and a suite of widgets have shown.
import { equal, has, hasNot, kPatience, ok, refOf, refused, shown } from '../expect.mjs';

const withoutRefs = (yaml) => yaml.replaceAll(/ \[ref=e\d+\]/g, '');
const plain = async (page, html) => withoutRefs(await shown(page, html));

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
    const said = async () => (await page.call('select', { target: '[role=combobox]', values: ['Oman'] })).error ?? '';
    has(await said(), 'which stands for it, does not follow it. Nothing was changed');
    equal(await page.main('s.value'), 'Choose');
    await page.main(`s.onchange = () => { document.querySelector('[role=combobox]').value = s.value }`);
    equal(await said(), '');
    equal(await page.main('s.value'), 'Oman');
  },
};
