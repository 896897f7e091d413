// The shapes of real widgets: select2, selectric, Material, Monaco and the like. The answer shows what a person would see.
import { equal, has, hasNot, kPatience, ok, refOf, shown } from '../expect.mjs';

const kClip =
  'border:0;clip:rect(0 0 0 0);height:1px;margin:-1px;overflow:hidden;padding:0;position:absolute;width:1px';

export default {
  // [tool.snapshot.labels]
  "a label's words stay unless a printed control has them in its name": async (page) => {
    const select2 = await shown(
      page,
      `<label for="c">Country</label><select id="c" style="${kClip}" tabindex="-1" aria-hidden="true"><option>Peru</option></select>
      <span role="combobox" tabindex="0">Peru</span>`,
    );
    has(select2, 'Country');
    const custom = await shown(
      page,
      `<label><x-box></x-box> Send me news</label><script>
      customElements.define('x-box', class extends HTMLElement { static formAssociated = true; constructor() { super();
        this.attachShadow({ mode: 'open' }).innerHTML = '<input type="checkbox">'; } });</script>`,
    );
    has(custom, 'checkbox "Send me news" [ref=');
    has(await shown(page, '<label for="n">Seen words</label><input id="n" aria-label="Other words">'), 'Seen words');
    has(await shown(page, '<label>Kept <select style="display:none"></select></label>'), 'Kept');
    page.next = 1;
    const plain = await shown(
      page,
      '<label for="a">Name <b>now</b></label><input id="a"><label id="l" for="b">Town</label><input id="b" aria-labelledby="l">',
    );
    equal(plain, '- textbox "Name now" [ref=e1]\n- textbox "Town" [ref=e2]');
  },

  'a label keeps its words in a snapshot of itself alone': async (page) => {
    await shown(page, '<p><label for="a">Name</label></p><input id="a">');
    has(await page.yaml({ target: 'p' }), 'Name');
  },

  // [tool.snapshot.hidden-controls]
  'a hidden native control behind a widget has no ref; the widget has': async (page) => {
    const shapes = {
      select2: `<select style="${kClip}" tabindex="-1"><option>Peru</option></select><span role="combobox" tabindex="0" aria-label="Country">Peru</span>`,
      selectric: `<div style="position:relative"><div style="position:relative;overflow:hidden;width:0;height:0"><select style="position:absolute;left:-100%" tabindex="-1"><option>Peru</option></select></div>
        <div style="cursor:pointer"><span>Peru</span> <b>▾</b></div></div>`,
      'bootstrap-select': `<div style="position:relative"><select style="position:absolute;left:50%;width:.5px;padding:0;opacity:0;border:none" tabindex="-98"><option>Peru</option></select><button>Peru</button></div>`,
      'choices.js': `<div style="position:relative"><select style="position:absolute;left:0;bottom:0;width:100%;opacity:0;pointer-events:none" tabindex="-1"><option>Peru</option></select><div style="cursor:pointer">Peru</div></div>`,
      'tom-select': `<input tabindex="-1" style="${kClip}" value="Peru"><div role="combobox" tabindex="0">Peru</div>`,
    };
    for (const [library, html] of Object.entries(shapes)) {
      const line = await shown(
        page,
        `<label for="x">Country</label>${html.replace(' tabindex="-', ' id="x" tabindex="-')}`,
      );
      equal(line.match(/\[ref=/g)?.length, 1, `${library}: ${line}`);
      hasNot(line, 'option');
      has(line, 'Peru');
      has(line, 'Country');
      ok((await page.call('actionable', { target: refOf(line, '[ref='), timeout: kPatience })).ok, library);
    }
    // What is hit where it lies, or takes the keys of an editor, stays.
    const yaml = await shown(
      page,
      `<div style="position:relative;width:200px;height:30px">Size<select aria-label="Size" style="position:absolute;inset:0;opacity:0"><option>M</option></select></div>
      <label><input type="checkbox" style="${kClip}"> News</label><textarea aria-label="Editor" style="${kClip}"></textarea>
      <label for="f">Upload</label><input type="file" id="f" style="${kClip}" tabindex="-1">`,
    );
    for (const line of [
      'combobox "Size" [ref=',
      'checkbox "News" [ref=',
      'textbox "Editor" [ref=',
      'button "Upload" [ref=',
    ])
      has(yaml, line);
  },

  // [tool.snapshot.quiet]
  'aria-hidden text that a person sees is shown': async (page) => {
    page.next = 1;
    const monaco = await shown(
      page,
      `<style>.guard{position:relative;overflow:hidden;width:400px;height:60px}.line{position:absolute;height:20px;width:9000px}</style>
      <div role="code"><textarea aria-label="Editor content" tabindex="0"></textarea><div class="guard"><div role="presentation" aria-hidden="true">${[
        'let total = 0;',
        '}',
        'return total;',
        'below the edge',
      ]
        .map(
          (line, i) =>
            `<div class="line" style="top:${i * 20}px"><span>${line.replace(' ', '</span>&nbsp;<span>')}</span></div>`,
        )
        .join('')}</div></div></div>`,
    );
    equal(
      monaco,
      `
- code:
  - textbox "Editor content" [ref=e1]
  - text: let total = 0;
  - text: "}"
  - text: return total;`.trim(),
    );
    has(
      await shown(page, '<p>Total: <span aria-hidden="true">5</span> items</p>'),
      /paragraph \[ref=e\d+\]: "?Total: 5 items/,
    );
    has(
      await shown(page, '<button>Messages <b aria-hidden="true">12</b></button>'),
      /button "Messages" \[ref=e\d+\]: "12"/,
    );
    has(await shown(page, '<button><i aria-hidden="true">×</i></button>'), /button \[ref=e\d+\]: ["]?×/);
    has(await shown(page, '<div aria-hidden="true">★★★☆☆</div>'), '★★★☆☆');
  },

  'aria-hidden text that is hidden, doubled or shut off stays out': async (page) => {
    const gone = [
      '<div aria-hidden="true" style="display:none">HID</div>',
      '<div aria-hidden="true" style="opacity:0">HID</div>',
      `<div aria-hidden="true" style="${kClip}">HID</div>`,
      '<div style="overflow:hidden;width:100px;position:relative;height:40px"><p>seen</p><p aria-hidden="true" style="position:absolute;left:150px">HID</p></div>',
      '<div inert aria-hidden="true">HID</div>',
      '<main aria-hidden="true" style="width:600px;height:400px">HID <button>HID</button></main><div role="dialog" aria-modal="true">Dialog</div>',
      '<main aria-hidden="true" style="width:600px;height:400px">HID <button>HID</button></main><div style="position:fixed;inset:0">over</div>',
    ];
    for (const html of gone) hasNot(await shown(page, html), 'HID');
    const once = [
      `<p><span style="${kClip}">$19.99</span><span aria-hidden="true"><b>$</b><b>19</b>.99</span></p>`,
      '<div><span aria-hidden="true">$19.99</span><div><input aria-label="$19.99"></div></div>',
      '<a href="/x" aria-label="$19.99"><span aria-hidden="true">$19.99</span></a>',
    ];
    for (const html of once) equal((await shown(page, html)).split('19').length, 2, html);
    page.next = 1;
    equal(
      await shown(
        page,
        `<button>Close <i aria-hidden="true">×</i></button><label>Name<span aria-hidden="true"> *</span><input></label>
        <ol><li><a href="/a">A</a></li><li aria-hidden="true">/</li><li>B</li></ol>`,
      ),
      `
- button "Close" [ref=e1]
- textbox "Name" [required] [ref=e2]
- list [ref=e3]:
  - listitem:
    - link "A" [ref=e4]:
      - /url: /a
  - listitem [ref=e5]: B`.trim(),
    );
  },

  // [tool.snapshot.hints]
  'a control without a name has a hint': async (page) => {
    const seen = await shown(
      page,
      `<style>.fa-trash::before{content:"\\f1f8"}.go{background:url(/img/arrow.svg?v=2)}i{display:inline-block;width:9px;height:9px}</style>
      <button class="a"><i class="fa fa-trash"></i></button><button class="b" id="save"></button><button class="c" data-testid="menu"></button>
      <a class="d" href="/x"><img src="/i/logo.svg"></a><button><i class="go"></i></button><button><svg data-testid="DeleteIcon"><path d="M0 0h9v9z"/></svg></button>
      <button title="Print"></button><button><i title="Share"></i></button><button>&#xf1f8;</button><button>&#xe000; Mail</button><button class="btn-close"></button><div tabindex="0" class="guard"></div><button><x-icon class="icon-button__icon" name="bin"></x-icon></button>
      <button id="x] [ref=e1" data-testid="### Result"></button><button class="d" id=":r1:"><svg><use href="#gear"/></svg></button>`,
    );
    const lines = [
      'button [ref=e1] [icon=fa-trash]',
      'button [ref=e2] [id=save]',
      'button [ref=e3] [testid=menu]',
      'link [ref=e4] [icon=logo.svg]',
      'button [ref=e5] [icon=arrow.svg]',
      'button [ref=e6] [icon=DeleteIcon]',
      'button "Print"',
      'button "Share"',
      'button [ref=e9]',
      'button "Mail" [ref=',
      'button [ref=e11] [class=btn-close]',
      'button [ref=e12] [icon=bin]',
      'button [ref=e13]\n',
      'button [ref=e14] [icon=gear]',
    ];
    for (const line of lines) has(seen, '- ' + line);
    hasNot(seen, /[\ue000-\uf8ff]|Result|ref=e1" |- generic/);
  },

  // [tool.snapshot.pointers]
  'what can be clicked without a role has a ref and is called what it looks like': async (page) => {
    const yaml = await shown(
      page,
      `<style>.s{display:inline-block;width:20px;height:20px;cursor:pointer}.pic{content:url(/i/close.png);width:16px;height:16px}.p{cursor:pointer}</style>
      <svg width="90" height="40"><circle cx="20" cy="20" r="15" fill="red" cursor="pointer"/><rect class="p" x="40" width="20" height="20" fill="#00f"/><path d="M0 0"/></svg>
      <div><span class="s" style="background:#0a0"></span><span class="s" style="background:#ffd700;border-radius:50%"></span></div>
      <p>Open <span class="pic"></span></p><div class="p row"><span>Milk</span><span class="p x" style="display:inline-block;width:9px">×</span></div>
      <div class="p n"><b class="p minus">-</b><b class="p plus">+</b></div><div class="p"><span class="p">all</span><span class="p">one</span></div>
      <div><input type="text" aria-label="Count"><i class="s up"></i><i class="s down"></i></div>`,
    );
    for (const part of [
      '[looks=red circle 30x30] [cursor=pointer]',
      '[looks=blue rectangle 20x20] [cursor=pointer]',
      '[looks=green square] [cursor=pointer]',
      '[looks=yellow circle] [cursor=pointer]',
      '[icon=close.png]',
      /generic \[ref=e\d+\] \[cursor=pointer\]: "×"/,
      /generic \[ref=e\d+\] \[cursor=pointer\]: "?-/,
      /generic \[ref=e\d+\] \[cursor=pointer\]: "?\+/,
      /generic \[ref=e\d+\] \[cursor=pointer\]: allone/,
      '[class=up] [cursor=pointer]',
    ])
      has(yaml, part);
  },

  'an icon that is all there is to click has a ref though it is aria-hidden': async (page) => {
    const yaml = await shown(
      page,
      `<style>i{display:inline-block;width:12px;height:12px}.p{cursor:pointer}</style><table><tr><td>Milk<td><i class="fa fa-trash p" aria-hidden="true"></i></table>
      <button>Save <i class="fa fa-check p" aria-hidden="true"></i></button><p>Text <i class="fa fa-star" aria-hidden="true"></i></p><div role="combobox" tabindex="0">Any<i class="fa fa-caret-down p" aria-hidden="true"></i></div><i class="fa fa-ghost p" style="opacity:0" aria-hidden="true"></i>`,
    );
    has(yaml, /generic \[ref=e\d+\] \[icon=fa-trash\] \[cursor=pointer\]/);
    hasNot(yaml, /fa-(check|star|ghost|caret)/);
    equal((await page.call('find', { text: 'fa-trash', refStart: 100 })).count, 1);
  },

  // [tool.snapshot.marks]
  'letters of no size hide no children, and what takes no clicks is not covered': async (page) => {
    const yaml = await shown(
      page,
      `<ul style="font-size:0;overflow:auto" tabindex="0"><li style="font-size:14px">seen</li><li><a href="/a"><img alt="Photo" width="9" height="9" src="x.png"></a></li></ul>
      <button disabled style="pointer-events:none">Pay</button>`,
    );
    hasNot(yaml, /invisible|covered/);
    for (const part of ['seen', 'link "Photo"', 'button "Pay" [disabled]']) has(yaml, part);
    has(
      await shown(page, '<ul style="font-size:0" tabindex="0"><li>HID</li><li><button>B</button></li></ul>'),
      'invisible',
    );
  },

  // [tool.snapshot.brief]
  'widgets of many elements take few lines': async (page) => {
    const kinds = {
      tab: '<div role="tab" class="p" tabindex="0"><div class="p"><span class="p">Home</span><div class="p ripple"></div></div></div>',
      radio:
        '<div class="p box"><div class="p target"></div><input type="radio" id="r" style="position:relative"></div><label class="p" for="r">Red</label>',
      wrapped: '<div class="p"><div><button>Save</button></div></div>',
      titled: '<div title="Close"><button aria-label="Close">×</button></div>',
      palette: `<div role="listbox" aria-label="Commands"><div role="option" class="p" aria-label="Open File, Ctrl+O"><div><span class="i"></span><div><a><span>Open</span> <b>File</b></a></div>
        <div><span title="Keys"><kbd>Ctrl</kbd>+<kbd>O</kbd></span></div><div>recently used</div></div></div></div>`,
    };
    const css =
      '<style>.p{cursor:pointer}.ripple,.target{position:absolute;inset:0}.box{position:relative;width:20px;height:20px}</style>';
    const sizes = {};
    for (const [kind, html] of Object.entries(kinds)) {
      page.next = 1;
      const yaml = await shown(page, css + html);
      sizes[kind] = yaml.length;
      hasNot(yaml, 'cursor');
      has(yaml, '[ref=');
      if (kind === 'palette') ok(yaml.split('\n').length <= 3, yaml);
      else equal(yaml.split('\n').length, 1, yaml);
    }
    for (const [kind, most] of Object.entries({ tab: 21, radio: 24, wrapped: 24, titled: 30, palette: 130 }))
      ok(sizes[kind] <= most, `${kind}: ${sizes[kind]} characters`);
  },
};
