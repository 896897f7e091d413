// What n8n, Strapi's admin and Directus have shown.
import { delta, equal, has, hasNot, kPatience, plain, shown } from '../expect.mjs';

const kUnseen = 'style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)"';

// Hides all but a list and the live regions from readers, and the whole page from the mouse, as Radix's lists do.
const kHidesOthers = `{
  const stop = new Set([list, ...document.querySelectorAll('[aria-live]')]);
  const keep = new Set();
  for (const one of stop) for (let at = one; at; at = at.parentElement) keep.add(at);
  const hide = (parent) => {
    if (stop.has(parent)) return;
    for (const kid of parent.children) if (keep.has(kid)) hide(kid); else kid.setAttribute('aria-hidden', true);
  };
  list.hidden = false;
  hide(document.body);
  document.body.style.pointerEvents = 'none'; }`;
const kShowsOthers = `
  list.hidden = true;
  for (const one of document.querySelectorAll('[aria-hidden]')) one.removeAttribute('aria-hidden');
  document.body.style.pointerEvents = '';`;

export default {
  // [tool.snapshot.quiet] [tool.snapshot.delta] Strapi's lists
  'a list that hides all around it leaves no texts of that, and closed it tells none of it anew': async (page) => {
    await shown(
      page,
      `<div><section aria-label="Notes" aria-live=polite></section><nav><a href=/a>Home</a> <a href=/b>Users</a></nav>
      <main><h1>New entry</h1><button>More</button><div role=tabpanel aria-label=draft><label for=t>Title</label><input id=t>
      <div><label id=l>Body</label><span aria-live=assertive ${kUnseen}>To reorder</span><button role=combobox
      aria-labelledby=l>Text</button> <button>Bold</button></div></div><aside><h2>Entry</h2><button>Save</button></aside></main></div><p aria-live=polite>Ready</p>
      <div id=list hidden style="position:fixed;left:20px;top:90px;background:#fff;pointer-events:auto" role=listbox><div
      role=option>Text</div><div role=option>Heading</div></div>`,
    );
    const opened = await delta(page, kHidesOthers);
    equal(opened.split('\n').slice(0, -1).join('\n'), '- listbox:\n  - option "Text"\n  - option "Heading"');
    has(opened, '- text: … inert now: textbox "Title"');
    equal(await delta(page, kShowsOthers), '- removed: "listbox: Text"');
    await delta(page, kHidesOthers);
    hasNot(await page.yaml(), 'Bold'); // which is a look in between
    equal(await delta(page, kShowsOthers), '- removed: "listbox: Text"');
  },

  // [tool.snapshot.brief] Strapi's bar of icons, with the tooltips of Radix
  'what a control or a tooltip says to readers once more is told once': async (page) => {
    const hidden = (text, role = '') => `<span ${kUnseen} ${role}>${text}</span>`;
    const icon = '<svg width=20 height=20 aria-hidden=true><path d="M0 0h9v9z"/></svg>';
    equal(
      await plain(
        page,
        `<ul><li><a aria-label=Home href=/a>${icon}${hidden('Home')}</a><li><a aria-label=Help href=/b>${icon}${hidden('in a new tab')}</a></ul>
        <div style="position:fixed;top:99px">Content types${hidden('Content types', 'role=tooltip')}</div>
        <p>Total ${hidden('of all')}</p>`,
      ),
      `- list:
  - listitem:
    - link "Home":
      - /url: /a
  - listitem:
    - link "Help":
      - /url: /b
      - generic [hidden text]: in a new tab
- tooltip "Content types"
- paragraph:
  - text: Total
  - generic [hidden text]: of all`,
    );
  },

  // [tool.snapshot.delta] the steps of Directus
  'what has gone is not told in a box that is new': async (page) => {
    const field = (label, inner) => `<div><div>${label}</div><div>${inner}</div></div>`;
    const step = (...fields) => `<div><div>Step</div><div>${fields.join('')}</div></div>`;
    await shown(
      page,
      `<main><h1>New</h1><div id=body>${step(
        field('Name', '<input><small>Case matters</small>'),
        field('Single', '<input type=checkbox>'),
      )}</div></main>`,
    );
    const next = step(
      field('Status', '<input type=checkbox><input value=status>'),
      field('Sort', '<input value=sort>'),
    );
    equal(
      await delta(page, `body.innerHTML = ${JSON.stringify(next.replace('Step', 'Fields'))}`),
      `- main:
  - generic:
    - generic: Fields
    - generic:
      - generic:
        - generic: Status
        - generic:
          - checkbox
          - textbox: status
      - generic:
        - generic: Sort
        - textbox: sort
  - removed: "generic: Step … (9 elements)"`,
    );
  },

  // [tool.snapshot.pointers] [tool.snapshot.drawings] n8n's canvas, which Vue Flow and React Flow draw
  'in a box of a diagram stand the places to draw lines from, and the plus at the end of one': async (page) => {
    const html = `<style>.box{position:absolute;left:200px;width:100px;height:60px;cursor:pointer}
      .at{position:absolute;width:16px;height:16px;cursor:crosshair;border-radius:8px;background:gray;left:92px;top:20px}
      .at svg{position:absolute;left:16px;width:70px;height:24px} .start{left:-8px} g{cursor:pointer}</style>
      <svg style="position:absolute;width:900px;height:400px"><defs><marker><path d="M0 0h9v9z"></marker></defs></svg>
      <svg style="position:absolute;width:900px;height:400px"><pattern id=p width=9 height=9><circle r=1></pattern><rect width=9 height=9></svg>
      <div class=box role=button tabindex=0 style="top:40px">Form <span><div class="at end"><svg><line x2=47 y1=9 y2=9 /><g><rect
      x=46 width=20 height=20 /></g></svg></div></span></div>
      <div class=box role=button tabindex=0 style="top:200px">Edit <i class="at start"></i></div>`;
    equal(
      await plain(page, html),
      `- img [looks=1 shape 900x400]
- button "Form":
  - generic [cursor=crosshair]:
    - generic [looks=black rectangle 20x20] [cursor=pointer]
- button "Edit":
  - generic [looks=gray circle] [class=at] [cursor=crosshair]`,
    );
  },

  // [tool.snapshot.delta] n8n's canvas: what is pressed is the picture on the box
  'what a drag has moved is told however deep in it was pressed': async (page) => {
    const deep = '<div>'.repeat(6) + '<i id=sign style="display:block;width:9px;height:9px"></i>' + '</div>'.repeat(6);
    await shown(
      page,
      `<div style="height:300px"><div role=button tabindex=0 id=box aria-label=Box>${deep}</div></div>`,
    );
    await page.call('dragWatch', {});
    const { x, y } = await page.main('sign.getBoundingClientRect().toJSON()');
    for (const type of ['mousePressed', 'mouseReleased'])
      await page.send('Input.dispatchMouseEvent', { type, x: x + 4, y: y + 4, button: 'left', clickCount: 1 });
    await page.call('dragResult', {});
    await page.main(`box.style.transform = 'translate(30px, 20px)'`);
    has(await page.yaml({ mode: 'delta' }), '- text: … button "Box" [ref=e1] moved by 30, 20 px');
  },

  // [tool.select.made] n8n's options, which say below what each is for
  'an option that is described is chosen by its heading where no other has that': async (page) => {
    const option = (heading, more) => `<div role=option><div><b>${heading}</b></div><div>${more}</div></div>`;
    await page.load(`<!doctype html><div id=list role=listbox aria-label=Mode>${option('JSON', 'As a text')}
      ${option('Fields', 'One by one')}${option('Fields', 'Of another')}<div role=option><b>New</b> York</div></div>`);
    const step = async (value) => {
      await page.call('beginChoice', { target: '#list', values: [value] });
      return page.call('choiceStep', { timeout: kPatience, callId: 1, quiet: true });
    };
    equal((await step('json')).label, 'JSON As a text');
    has((await step('Fields')).words, 'has no option "Fields"');
    has((await step('New')).words, 'has no option "New"');
  },

  // [tool.snapshot.brief] Element Plus's switches and lists
  'a box that draws the field beside it has no line, and is what a click on the field hits': async (page) => {
    const html = `<style>.switch{position:relative} input[role=switch]{position:absolute;width:0;height:0;opacity:0;margin:0}
      i{cursor:pointer;display:inline-block;width:40px;height:20px;background:silver}</style>
      <p>Active</p><div class=switch><input type=checkbox role=switch checked><i class="core is-checked"></i></div>
      <div><input role=combobox readonly aria-label=Mode><span><i class="icon caret"></i></span></div>
      <div><input role=combobox aria-label=City><span><i class="icon caret"></i></span></div>`;
    equal(
      await plain(page, html),
      `- paragraph: Active
- switch [checked]
- combobox "Mode" [readonly]
- generic:
  - combobox "City"
  - generic [icon=caret] [cursor=pointer]`,
    );
    const { ok, x, y } = await page.call('actionable', { target: '[role=switch]', timeout: kPatience, callId: 1 });
    equal(ok && (await page.main(`document.elementFromPoint(${x}, ${y}).classList.contains('core')`)), true);
  },

  // [tool.snapshot.hints] n8n's tabs: the classes of a bundler's modules
  'a class that a bundler has made unique tells its state, one that a kit has made up nothing': async (page) => {
    const tab = (name, words) => `<div id=${name}><div class="_tab_xpjou_130 ${words}">${name}</div></div>`;
    equal(
      await plain(
        page,
        `<style>._tab_xpjou_130{cursor:pointer} [role=button]{width:20px;height:20px}</style>
        <div>${tab('Settings', '')}${tab('Notes', '_activeTab_xpjou_167')}</div>
        <a href=/a class="_active_1abcd_12">All</a> <a href=/b>New</a>
        <div role=button class="sc-kGVwra jhnDGy close"></div> <div role=button class="el-icon el-alert__close"></div>`,
      ),
      `- generic:
  - generic [cursor=pointer]: Settings
  - generic [class=activeTab] [cursor=pointer]: Notes
- link "All" [class=active]:
  - /url: /a
- link "New":
  - /url: /b
- button [class=close]
- button [class=el-alert__close]`,
    );
  },

  // [tool.snapshot] [tool.snapshot.delta] Directus' links to skip to a part of the page, and its splitters
  'a link to a place on the page is that place, whatever the address of the page is': async (page) => {
    const html = `<p>Home</p><a id=a>Skip</a><div role=separator tabindex=0 aria-valuenow=18.35236541598695></div>
      <script>a.href = location.pathname + '#main'</script>`;
    equal(await plain(page, html), `- paragraph: Home\n- link "Skip":\n  - /url: "#main"\n- separator: "18.352"`);
    equal(
      await delta(page, `history.pushState(0, '', '/other'); a.href = '/other#main'; 0`),
      '- no changes since the last snapshot',
    );
  },

  // [tool.refs] Strapi's bar, which is drawn anew as its dialog is closed
  'what a dialog has made inert keeps its refs where it is drawn anew as the dialog is closed': async (page) => {
    const bar = '<ul><li><a href=/a>Home</a><li><a href=/b>Media</a></ul>';
    await shown(
      page,
      `<div id=app><nav id=bar>${bar}</nav><main><h1>Types</h1><button>New</button></main></div>
      <div id=ask role=dialog aria-modal=true hidden style="position:fixed;inset:0;background:#fff"><button>Continue</button></div>`,
    );
    const links = (yaml) =>
      [...yaml.matchAll(/link "(\w+)" \[ref=(e\d+)\]/g)].map(([, name, ref]) => name + ref).join();
    equal(links(await page.yaml()), 'Homee3,Mediae4');
    await page.main(`app.ariaHidden = 'true'; ask.hidden = false`);
    has(await page.yaml({ mode: 'delta' }), 'inert now');
    await page.main(`app.ariaHidden = null; ask.hidden = true;
      for (const item of bar.querySelectorAll('li')) item.innerHTML = item.innerHTML.replace('/b', '/c')`);
    equal(links(await page.yaml({ mode: 'delta' })), 'Mediae4');
    equal(links(await page.yaml()), 'Homee3,Mediae4');
  },

  // [tool.snapshot.hints] n8n's buttons of an icon alone, and its tooltips on their way in
  'a button of an icon alone is called by that in answers, and a tooltip without words yet has no line': async (
    page,
  ) => {
    equal(
      await plain(
        page,
        `<style>svg{width:16px;height:16px}</style><button class="_button_1b2c3_7"><svg data-icon=plus><path d="M0 0h9v9z"/></svg></button>
        <button id=plain></button><div role=tooltip style="opacity:0;width:50px;height:20px">Add</div>`,
      ),
      '- button [icon=plus]\n- button [id=plain]\n- text: … 1 invisible text left out',
    );
    equal((await page.call('describe', { target: 'button' })).describe, 'button [icon=plus]');
    equal((await page.call('describe', { target: '#plain' })).describe, 'button <button id="plain">');
  },
};
