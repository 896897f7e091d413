// What the consoles of servers have shown: Transmission, qBittorrent, Syncthing, Jupyter's notebook, Django's admin.
import { equal, has, hasNot, ok, shown } from '../expect.mjs';

const found = (page, target, more = {}) => page.call('actionable', { target, timeout: 50, callId: 1, ...more });
const idFound = async (page, target, more) => {
  const { x, y, error } = await found(page, target, more);
  equal(error, undefined, target);
  return page.main(`document.elementFromPoint(${x}, ${y}).id`);
};

export default {
  // [tool.target.words] Transmission's toolbar, qBittorrent's
  'words name a box by its title and a picture by its text, where no control is called so': async (page) => {
    await shown(
      page,
      `<style>div { width: 40px; height: 20px; background: gray }</style>
      <div id="a" title="Open Torrent" style="cursor: pointer"></div><div title="Settings Menu"><div id="b" title="Settings menu"></div></div>
      <a id="l"><img id="c" alt="Remove it" width="20" height="20"></a><h2 id="h">A heading</h2>
      <button id="d">Close</button><div title="Close"></div>`,
    );
    for (const [target, id] of [
      ['Open Torrent', 'a'],
      ['Settings menu', 'b'],
      ['Remove it', 'c'],
      ['Close', 'd'],
    ])
      equal(await idFound(page, target), id, target);
    has((await found(page, 'A heading')).error, /^Nothing on the page matches/);
  },

  // [tool.snapshot.delta] Django's forms
  'a list of messages that comes above a field is told with the field': async (page) => {
    const field = (name, help) =>
      `<div class="row"><div><label>${name} <input name="${name}"></label>${help}</div></div>`;
    await shown(page, `<form>${field('Title', '')}${field('Code', '<p>In capitals.</p>')}${field('Price', '')}</form>`);
    await page.main(`for (const n of [1, 2]) document.querySelectorAll('.row')[n].insertAdjacentHTML('afterbegin',
      '<ul><li>This is required.</li></ul>')`);
    const told = await page.yaml({ mode: 'delta' });
    equal(told.match(/textbox "Code"/g)?.length, 1, told);
    equal(told.match(/textbox "Price"/g)?.length, 1, told);
    ok(told.indexOf('This is required.') < told.indexOf('textbox "Code"'), told);
    hasNot(told, 'Title');
    hasNot(told, 'In capitals.');
    await page.main(
      `document.querySelector('.row').insertAdjacentHTML('afterbegin', '<ul><li><a href="/x">More</a></li></ul>')`,
    );
    hasNot(await page.yaml({ mode: 'delta' }), 'Title');
  },

  // [tool.target.words] qBittorrent's menus
  'of what is called so, what lies off the page is meant where nothing else is': async (page) => {
    await shown(
      page,
      `<ul style="position: absolute; left: -999em"><li><a href="#x">Remove</a></li><li><a href="#y">Move</a></li></ul>
      <a><img id="a" alt="Remove" width="20" height="20"></a>`,
    );
    equal(await idFound(page, 'Remove'), 'a');
    has((await found(page, 'Move')).error, /^link "Move" is /);
  },

  // [tool.target.words] Transmission's menus, Jupyter's
  'words name a control without the dots of what asks on, and without what only readers are told': async (page) => {
    await shown(
      page,
      `<style>.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0) }</style>
      <button id="a">Rename…</button><button id="b">Save as...</button>
      <button id="c">New <span class="sr">Toggle Dropdown</span></button>`,
    );
    for (const [target, id] of [
      ['Rename', 'a'],
      ['button "Rename"', 'a'],
      ['Save as', 'b'],
      ['New', 'c'],
    ])
      equal(await idFound(page, target), id, target);
  },

  // [tool.target.words] Syncthing
  'of two that are called so the one is meant that no menu covers, and to choose the one that can be chosen in': async (
    page,
  ) => {
    await shown(
      page,
      `<div style="position: relative"><button style="position: absolute; top: 0; left: 0; width: 90px; height: 20px">Settings</button>
      <ul role="menu" style="position: absolute; top: 0; left: 0; margin: 0; padding: 0; width: 200px; height: 60px; background: white">
        <li role="none"><a id="a" role="menuitem" href="#s">Settings</a></li></ul></div>
      <div style="padding-top: 90px"><a href="#v">File Versioning</a>
      <label for="b">File Versioning</label><select id="b"><option>None</option><option>Simple</option></select></div>
      <button>Twice</button><button>Twice</button>`,
    );
    equal(await idFound(page, 'Settings'), 'a');
    equal((await page.call('select', { target: 'File Versioning', values: ['Simple'] })).ok, true);
    equal((await found(page, 'File Versioning', { kind: 'select' })).ok, true);
    equal(await page.main('b.value'), 'Simple');
    has((await found(page, 'File Versioning')).error, /^2 controls are called/);
    has((await found(page, 'Twice')).error, /^2 controls are called/);
  },
};
