// The shapes of real widgets: select2, selectric, Material, Monaco and the like. The answer shows what a person would see.
import { equal, has, hasNot, ok, refOf, shown } from '../expect.mjs';

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
    has(custom, 'Send me news');
    has(custom, 'checkbox [ref=');
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
      'tom-select': `<input tabindex="-1" style="${kClip}" value="Peru"><div role="combobox" tabindex="0">Peru</div>`,
    };
    for (const [library, html] of Object.entries(shapes)) {
      const yaml = await shown(page, html);
      equal(yaml.match(/\[ref=/g)?.length, 1, `${library}: ${yaml}`);
      hasNot(yaml, 'option');
      has(yaml, 'Peru');
      ok((await page.call('actionable', { target: refOf(yaml, '[ref='), timeout: 2000 })).ok, library);
    }
    // What is hit where it lies, or takes the keys of an editor, stays.
    const yaml = await shown(
      page,
      `<div style="position:relative;width:200px;height:30px">Size<select aria-label="Size" style="position:absolute;inset:0;opacity:0"><option>M</option></select></div>
      <label><input type="checkbox" style="${kClip}"> News</label><textarea aria-label="Editor" style="${kClip}"></textarea>
      <label for="f">Upload</label><input type="file" id="f" style="${kClip}" tabindex="-1">`,
    );
    for (const line of ['combobox "Size" [ref=', 'checkbox "News" [ref=', 'textbox "Editor" [ref=', 'button "Upload" [ref='])
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
    has(await shown(page, '<p>Total: <span aria-hidden="true">5</span> items</p>'), /paragraph \[ref=e\d+\]: "?Total: 5 items/);
    has(await shown(page, '<button>Messages <b aria-hidden="true">12</b></button>'), /button "Messages" \[ref=e\d+\]: "12"/);
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
- textbox "Name" [ref=e2]
- list [ref=e3]:
  - listitem:
    - link "A" [ref=e4]:
      - /url: /a
  - listitem [ref=e5]: B`.trim(),
    );
  },
};
