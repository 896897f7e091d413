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
};
