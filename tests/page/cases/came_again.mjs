// What has gone by itself after it was told, and that an action brings again: it is told anew, though it is as the last snapshot
// showed it [tool.snapshot.delta].
import { delta, equal, has, hasNot, shown } from '../expect.mjs';

const act = (page, target) => page.call('describe', { target });

export default {
  'a notice that comes again is told again, whether its element is the same or another one': async (page) => {
    const ways = {
      shown: ['note.hidden = false', 'note.hidden = true'],
      made: ['box.innerHTML = "<div role=alert>Saved</div>"', 'box.innerHTML = ""'],
      plain: ['box.innerHTML = "<div class=toast><p>Saved</p></div>"', 'box.innerHTML = ""'],
    };
    for (const [way, [comes, goes]] of Object.entries(ways)) {
      await shown(page, '<button>Save</button><div id="box"></div><div id="note" role="alert" hidden>Saved</div>');
      await act(page, 'text=Save');
      has(await delta(page, comes), 'Saved');
      await page.main(goes);
      await act(page, 'text=Save');
      const told = await delta(page, comes);
      has(told, 'Saved');
      hasNot(told, 'removed');
      await act(page, 'text=Save');
      equal(await delta(page), '- no changes since the last snapshot', way);
    }
  },

  'a notice that stays, or is drawn anew while it is there, is not told again': async (page) => {
    await shown(page, '<button>Save</button><div id="box"></div>');
    const comes = 'box.innerHTML = "<div role=alert>Saved</div>"';
    await act(page, 'text=Save');
    has(await delta(page, comes), 'Saved');
    await act(page, 'text=Save');
    equal(await delta(page, comes), '- no changes since the last snapshot');
    await page.main(comes);
    await act(page, 'text=Save');
    equal(await delta(page), '- no changes since the last snapshot');
    await page.main(comes);
    await act(page, 'text=Save');
    equal(await delta(page, comes), '- no changes since the last snapshot');
    await page.main('box.innerHTML = ""');
    await act(page, 'text=Save');
    has(await delta(page), '- removed: "alert: Saved"');
  },

  'a dialog without a box of its own is not told again at each action': async (page) => {
    await shown(page, '<button>Open</button><div id="box"></div>');
    const comes =
      'box.innerHTML = "<div role=dialog style=\\"height: 0; position: fixed\\"><p style=\\"position: fixed; top: 90px\\">Sure?</p><button id=yes>Yes</button></div>"';
    await act(page, 'text=Open');
    has(await delta(page, comes), 'Sure?');
    await act(page, '#yes');
    const told = await delta(page, 'yes.focus()');
    has(told, 'button "Yes" [active]');
    hasNot(told, 'Sure?');
  },

  'a panel that was told with its buttons, and that is empty since, is not told to have come and gone': async (
    page,
  ) => {
    const panel = (id, words) => `<div role="tabpanel" aria-label="${id}" id="${id}">${words}</div>`;
    const button = (words) => `<button>${words}</button>`;
    await shown(page, `<button role="tab">Go</button><div id="box"></div>`);
    await act(page, 'text=Go');
    has(await delta(page, `box.innerHTML = '${panel('one', button('Rename'))}${panel('two', '')}'`), 'tabpanel "one"');
    await act(page, 'text=Go');
    has(await delta(page, `one.textContent = ''; two.innerHTML = '${button('Find')}'`), 'button "Find"');
    await act(page, 'text=Find');
    const told = await delta(page, `two.innerHTML = '${button('Replace')}'`);
    has(told, 'button "Replace"');
    hasNot(told, 'tabpanel "one"');
  },

  'what the action itself takes away and draws anew is not told again': async (page) => {
    await shown(page, '<button>Go</button><div id="box"></div>');
    const comes = 'box.innerHTML = "<ul><li>One</li><li>Two</li></ul>"; window.list = box.firstChild';
    await act(page, 'text=Go');
    has(await delta(page, comes), 'One');
    await act(page, 'text=Go');
    await page.main('list.remove()');
    await act(page, 'text=Go');
    equal(await delta(page, 'box.append(list)'), '- no changes since the last snapshot');
  },

  'a menu that closed by itself and is opened again is told with its items': async (page) => {
    const menu =
      '<div id="menu" role="menu" hidden><div role="menuitem">Cut</div><div role="menuitem">Copy</div></div>';
    await shown(page, `<button>Edit</button>${menu}`);
    await act(page, 'text=Edit');
    has(await delta(page, 'menu.hidden = false'), 'menuitem "Copy"');
    await page.main('menu.hidden = true');
    await act(page, 'text=Edit');
    const told = await delta(page, 'menu.hidden = false');
    has(told, 'menuitem "Cut"');
    hasNot(told, 'removed');
    has(await page.yaml({ mode: 'delta', again: true }), 'menuitem "Cut"'); // the same snapshot, taken again
  },

  // Vaadin's popups: while one is open the page takes no clicks, so that its small parts for the mouse have no line.
  'what has no line while a popup takes all clicks is neither inert then nor moved when it has gone': async (page) => {
    const field = (name, more) => `<div><input aria-label="${name}" style="width: 80px">${more}</div>`;
    const toggle =
      '<span aria-hidden="true" id="toggle" style="display: inline-block; width: 20px; height: 20px; cursor: pointer"></span>';
    await shown(
      page,
      `<p>When</p><div>${field('Day', '')}${field('Time', toggle)}</div><div id="popup" style="pointer-events: auto"></div>`,
    );
    const opens =
      'document.body.style.pointerEvents = "none"; popup.innerHTML = "<div role=menu><div role=menuitem>A</div></div>"';
    const open = await delta(page, opens);
    has(open, 'menuitem "A"');
    hasNot(open, 'inert');
    const closed = await delta(page, 'document.body.style.pointerEvents = ""; popup.innerHTML = ""');
    has(closed, 'removed');
    hasNot(closed, '- moved');
  },

  // Carbon's pagination: what has gone beside a select is told with it, but not with all of its options.
  'a select beside which a text has gone is told without its options': async (page) => {
    const options = [1, 2, 3, 4, 5].map((n) => `<option>${n}</option>`).join('');
    await shown(
      page,
      `<div><select aria-label="Page">${options}</select><span>of 5</span><span><button>Next</button>
      <div id="tip">Next page</div></span></div><p>x</p>`,
    );
    const told = await delta(page, 'tip.remove()');
    has(told, 'combobox "Page": (children unchanged)');
    hasNot(told, 'option');
  },

  // react-admin: the field of a filter, and that of a record's form, which has its id and its value.
  'a field that is drawn anew in a box of another name is told with that': async (page) => {
    const field = (name) => `<label for="${name}">${name}</label><input id="${name}" value="of ${name}">`;
    const status =
      '<label id="l">Status</label><div role="combobox" tabindex="0" id="status" aria-labelledby="l">sent</div>';
    await shown(
      page,
      `<main id="m"><form><span><input aria-label="Search"></span><div><div>${status}</div><button>Remove</button></div></form>
      <table><tr><td>1</td></tr></table></main>`,
    );
    const form = `<form><div role="tablist"><button role="tab" id="t">Order</button></div><div id="panel" aria-labelledby="t">
      ${field('name')}${field('total')}${status}${field('date')}${field('note')}</div></form>`;
    const told = await delta(page, `m.innerHTML = ${JSON.stringify(form)}`);
    has(told, '- textbox "total": of total\n      - combobox "Status": sent\n');
    has(told, 'removed: e2');
  },
};
