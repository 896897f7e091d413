// What WordPress and its block editor do to a snapshot [tool.snapshot].
import { delta, equal, has, hasNot, kPatience, plain, shown } from '../expect.mjs';

const hidden = 'style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(1px, 1px, 1px, 1px)"';

export default {
  'a box that only a script may focus is no line of its own around a control': async (page) => {
    const box = (more) => `<div tabindex="-1"><button>Options</button>${more}</div>`;
    equal(await plain(page, `<p>Text</p>${box('')}`), '- paragraph: Text\n- button "Options"');
    equal(
      await plain(page, `<p>Text</p>${box('<button>More</button>')}`),
      '- paragraph: Text\n- generic:\n  - button "Options"\n  - button "More"',
    );
    has(
      await shown(page, `<p>Text</p>${box('now')}`),
      '- generic [ref=e7]:\n  - button "Options" [ref=e8]\n  - text: now',
    );
    has(await shown(page, '<p>Text <span tabindex="-1">part</span></p>'), '- generic [ref=e10]: part');
    has(await shown(page, '<div tabindex="-1" draggable="true"><button>Row</button> 1</div>'), '- generic [ref=e11]:');
    has(await shown(page, '<div tabindex="0"><button>Row</button></div>'), '- generic [ref=e13]:');
  },

  'what is dragged by the only control in it is no line of its own': async (page) => {
    const item = (inner) => `<div draggable="true">${inner}</div>`;
    const html = `<div role="listbox" aria-label="Blocks">${item('<button role="option">List</button>')}</div>`;
    equal(await plain(page, html), '- listbox "Blocks":\n  - option "List"');
    has(await plain(page, `<p>Text</p>${item('<a href="#a">Card</a>')}`), '- generic:\n  - link "Card"');
  },

  'what describes a button to readers alone is no line of its own': async (page) => {
    const button = (id) =>
      `<div tabindex="-1"><button aria-label="Align" aria-describedby="${id}"><svg width="20" height="20"></svg></button>` +
      `<div ${hidden}><span id="about">Change text alignment</span></div></div>`;
    equal(await plain(page, `<p>Text</p>${button('about')}`), '- paragraph: Text\n- button "Align"');
    has(await plain(page, `<p>Text</p>${button('other')}`), 'Change text alignment');
    // How a field is to be filled in is worth knowing.
    const field = `<div><input aria-label="Day" aria-describedby="about"><div ${hidden}><span id="about">As MM/DD</span></div></div>`;
    has(await plain(page, field), 'As MM/DD');
  },

  'a label whose words stand in the name of its field has no line for its icon': async (page) => {
    const icon =
      '<span style="display: inline-block; width: 20px; height: 20px; background: #ccc" aria-hidden="true"></span>';
    equal(
      await plain(
        page,
        `<p>Text</p><form><label for="l">${icon}<span ${hidden}>Language</span></label> <select id="l"><option>English</option></select></form>`,
      ),
      '- paragraph: Text\n- form:\n  - combobox "Language":\n    - option "English" [selected]',
    );
  },

  'a popup whose items are told with their field is no empty line': async (page) => {
    const popup =
      '<div tabindex="-1" class="popover" style="position: absolute; top: 90px; width: 90px; height: 40px">' +
      '<div id="list" role="listbox"><div role="option">Heading</div><div role="option">Cover</div></div></div>';
    hasNot(
      await plain(page, `<div role="document" contenteditable aria-label="Block" aria-owns="list">/hea</div>${popup}`),
      'generic',
    );
  },

  'controls that are made anew under other generated ids keep their refs': async (page) => {
    const radios = (n) =>
      `<div id="group-${n}" role="radiogroup" aria-label="Font size">` +
      ['Small', 'Large']
        .map((name, i) => `<button id="group-${n}-${i + 3 * n}" role="radio">${name}</button>`)
        .join('') +
      '</div>';
    await shown(page, `<p id="o">0</p><section aria-label="Settings"><div id="slot">${radios(1)}</div></section>`);
    const told = await delta(page, `slot.innerHTML = ${JSON.stringify(radios(2))}; o.textContent = '1'`);
    equal(told, '- paragraph: "1"');
  },

  'fields without a name are other fields under other ids': async (page) => {
    const fields = (ids) => ids.map((id) => `<input id="${id}">`).join('');
    const before = (await shown(page, `<main id="m">${fields(['first', 'last'])}</main>`)).match(/textbox .*?ref=\w+/g);
    await page.main(`m.innerHTML = ${JSON.stringify(fields(['street', 'city']))}`);
    const yaml = await page.yaml({});
    for (const one of before) hasNot(yaml, one);
  },

  'the empty cells of a month that is drawn anew, and its title of another id, are the same': async (page) => {
    const weeks = [[1, 2, 3], [29, 30, 0, 0]]; // prettier-ignore
    const cell = (day, chosen) =>
      day ? `<td ${day === chosen ? 'aria-selected="true"' : ''}><button>${day}</button></td>` : '<td></td>';
    const month = (chosen, id) =>
      `<div id="title-${id}" role="heading">November</div><table role="grid" aria-label="November">` +
      weeks.map((week) => `<tr>${week.map((day) => cell(day, chosen)).join('')}</tr>`).join('') +
      '</table>';
    await shown(page, `<div id="slot">${month(29, 'ab')}</div>`);
    const told = await delta(page, `slot.innerHTML = ${JSON.stringify(month(3, 'cd'))}`);
    equal(told, '- grid "November":\n  - row:\n    - button "3" [selected]\n  - row:\n    - button "29"');
  },

  'rows that are made anew are told apart by their ids, where these say which is which': async (page) => {
    const row = (n) => `<p><button id="delete-${n}">Delete</button></p>`;
    await shown(page, `<div id="list">${[1, 2, 3].map(row).join('')}</div>`);
    const before = (await page.yaml({})).match(/ref=\w+/g);
    await page.main(`list.innerHTML = ${JSON.stringify([2, 3].map(row).join(''))}`);
    equal((await page.yaml({})).match(/ref=\w+/g).join(), before.slice(1).join());
  },

  // [tool.snapshot] The menu of a filter, whose items tick a box that they draw.
  'an item on which the keys act tells whether its box is ticked': async (page) => {
    const item = (id, more) =>
      `<div role="menuitem" tabindex="-1" id="i${id}"><input type="checkbox" readonly id="${id}" ${more}><span>${id}</span></div>`;
    const html = `<div role="menu">${item('one', 'checked')}${item('two', '')}</div>`;
    equal(await plain(page, html), '- menu:\n  - menuitem "one" [checked]\n  - menuitem "two"');
    has(await delta(page, 'itwo.focus(); two.checked = true'), /menuitem "two" \[checked\] \[active\]/);
    has(await delta(page, 'two.checked = false'), /menuitem "two" \[active\]/);
  },

  // [tool.snapshot] Bootstrap's tooltips take the title away when the mouse first comes over what has one.
  'a button keeps its name where a script shows its title in place of the browser': async (page) => {
    const icon = '<svg width="20" height="20"><path d="M0 0h20v20z"/></svg>';
    equal(await plain(page, `<button id="b" title="Refresh">${icon}</button>`), '- button "Refresh"');
    hasNot(await delta(page, 'b.title = ""; b.setAttribute("data-original-title", "Refresh")'), 'button');
    await page.call('actionable', { target: 'button "Refresh"', timeout: kPatience });
    await page.main(`b.removeAttribute("title"); b.setAttribute("data-bs-original-title", "Now"); 0`);
    has(await page.yaml(), /button "Refresh"/);
    has(await delta(page, 'b.removeAttribute("data-original-title")'), 'button "Now"');
    has(await plain(page, '<button data-bs-original-title="Close">×</button>'), '- button "×": Close');
  },

  'what a part of the page says is not told again after a title that is the same': async (page) => {
    const aside = (text) => `<aside title="This field is required."><div>${text}</div></aside>`;
    equal(await plain(page, aside('This field is required.')), '- complementary "This field is required."');
    has(await plain(page, aside('Two words')), '- complementary "This field is required.": Two words');
  },

  // [tool.snapshot.hidden] The arrows of older date pickers.
  'what a border alone draws is seen': async (page) => {
    const box = (border, more = '') =>
      `<style>button { box-sizing: border-box; width: 10px; height: 10px; padding: 0; background: none; text-indent: -999em;
      overflow: hidden; border: 5px solid transparent; ${border} }</style><p>Text</p><button ${more}>Previous</button>`;
    equal(await plain(page, box('border-right-color: #9a9a9a')), '- paragraph: Text\n- button "Previous"');
    has(await plain(page, box('')), 'button "Previous" [invisible]');
    const collapsed = '<div style="height: 0; overflow: hidden; border-top: 3px solid red">Part</div>';
    has(await plain(page, `<p>Text</p>${collapsed}`), '1 invisible text left out');
  },
};
