// What n8n, Strapi's admin and Directus have shown.
import { equal, has, shown } from '../expect.mjs';

const withoutRefs = (yaml) => yaml.replaceAll(/ \[ref=e\d+\]/g, '');
const plain = async (page, html) => withoutRefs(await shown(page, html));
const delta = async (page, script) => {
  await page.main(script);
  return withoutRefs(await page.yaml({ mode: 'delta' }));
};

const kUnseen = 'style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)"';

// Hides all but a list and the live regions from readers, and the whole page from the mouse, as Radix's lists do.
const kHidesOthers = `
  const stop = new Set([list, ...document.querySelectorAll('[aria-live]')]);
  const keep = new Set();
  for (const one of stop) for (let at = one; at; at = at.parentElement) keep.add(at);
  const hide = (parent) => {
    if (stop.has(parent)) return;
    for (const kid of parent.children) if (keep.has(kid)) hide(kid); else kid.setAttribute('aria-hidden', true);
  };
  list.hidden = false;
  hide(document.body);
  document.body.style.pointerEvents = 'none';`;
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
      aria-labelledby=l>Text</button> <button>Bold</button></div></div><aside><h2>Entry</h2><button>Save</button></aside></main></div>
      <div id=list hidden style="position:fixed;left:20px;top:90px;background:#fff;pointer-events:auto" role=listbox><div
      role=option>Text</div><div role=option>Heading</div></div>`,
    );
    const opened = await delta(page, kHidesOthers);
    equal(opened.split('\n').slice(0, -1).join('\n'), '- listbox:\n  - option "Text"\n  - option "Heading"');
    has(opened, '- text: … inert now: textbox "Title"');
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
  - removed: "generic: Step"`,
    );
  },
};
