// What lies over a widget and is a part of it, so that a click on the one is the other's.
import { delta, equal, has, hasNot, kPatience, ok, plain, refused, shown } from '../expect.mjs';

// RSuite's tag picker
const picker = (more, tags = '') => `<div style="position: relative; width: 220px; height: 36px">
    <div id="c" role="combobox" aria-label="Tags" aria-expanded="false" tabindex="0" style="height: 36px">Choose</div>
    <div style="position: absolute; inset: 0">${tags}<div><input tabindex="-1" size="1"></div></div>${more}</div>`;

export default {
  'the box to type in that lies over its combobox is pressed for it': async (page) => {
    for (const tags of ['', '<span style="display: inline-block; width: 200px">Red<button>x</button></span>']) {
      await shown(page, picker('', tags));
      const at = await page.call('actionable', { target: '#c', timeout: kPatience });
      ok(at.ok, at.error);
    }
    await shown(page, picker('<button style="position: absolute; top: 60px">Other</button>'));
    await refused(page, { target: '#c' }, 'is covered by');
  },

  // RSuite's slider, whose handle takes the keys and has no role.
  'a slider for readers whose drawing says nothing is told': async (page) => {
    const field =
      '<input type="range" tabindex="-1" readonly value="20" style="position: absolute; clip: rect(0, 0, 0, 0)">';
    const slider = (role) => `<div style="width: 200px; height: 20px"><div style="height: 6px; background: #ccc"></div>
      <div ${role} tabindex="0" style="width: 12px; height: 12px; background: blue">${field}</div></div>`;
    has(await plain(page, slider('')), '- slider [readonly]: "20"');
    hasNot(await plain(page, slider('role="slider" aria-valuenow="30"')), '"20"');
  },

  // RSuite's calendar: what is drawn for a day was made by an earlier walk when only the day's place is walked again.
  'a day of a calendar stays as it was told where its place alone has changed': async (page) => {
    const day = (n) => `<div role="gridcell" tabindex="-1" aria-label="0${n} Nov 2026"><div style="text-align: center">
        <span style="display: inline-block">${n}</span></div></div>`;
    has(
      await plain(page, `<div role="grid"><div role="row">${day(1)}${day(2)}</div></div>`),
      'gridcell "01 Nov 2026"\n',
    );
    const told = await delta(page, 'document.querySelector("[role=gridcell]").className = "rested"');
    equal(told, '- no changes since the last snapshot');
  },

  // TDesign's switch
  'a switch that says by its class alone that it is on': async (page) => {
    const one = (name, classes) => `<button role="switch" aria-label="${name}" class="${classes}"></button>`;
    equal(
      await plain(
        page,
        one('A', 't-switch') + one('B', 't-switch t-is-checked') + one('C', 'is-not-checked unchecked'),
      ),
      '- switch "A"\n- switch "B" [checked]\n- switch "C"',
    );
    has(await delta(page, 'document.querySelector("button").className += " t-is-checked"'), 'switch "A" [checked]');
  },

  // TDesign's slider
  'how far a track is filled stands at its thumb, not around the page': async (page) => {
    const slider = `<div style="position: relative; background: #ccc; width: 200px; height: 4px">
      <div style="background: blue; height: 100%; position: absolute; left: 0; width: 20%"></div>
      <div class="thumb" style="left: 20%; position: absolute; cursor: pointer; top: -6px; width: 16px; height: 16px">
        <div style="width: 12px; height: 12px; border-radius: 50%; background: #fff; border: 2px solid"></div></div></div>`;
    const told = await plain(
      page,
      `<form><div><input aria-label="A"></div><div>${slider}</div><div><input aria-label="B"></div></form>`,
    );
    equal(told, '- form:\n  - textbox "A"\n  - generic [filled=20%] [class=thumb] [cursor=pointer]\n  - textbox "B"');
  },

  // Semi's cascader, whose items say so of the item of the level before.
  'an item of a menu is not moved into one of the next level by aria-owns': async (page) => {
    const told = await plain(
      page,
      `<ul role="menu"><li role="menuitem" id="e">Europe</li><li role="menuitem">Asia</li></ul>
      <ul role="menu"><li role="menuitem" aria-owns="e">Germany</li><li role="menuitem" aria-owns="e">France</li></ul>`,
    );
    equal(
      told,
      '- menu:\n  - menuitem "Europe"\n  - menuitem "Asia"\n- menu:\n  - menuitem "Germany"\n  - menuitem "France"',
    );
  },

  // [tool.snapshot.marks] DataTables' menus
  'of what a shade covers three are marked, and of the rest one line tells': async (page) => {
    const row = (name) => `<button>${name}</button>`;
    const rows = (names) => names.map(row).join('');
    const yaml = await plain(
      page,
      `<style>#s { position: fixed; inset: 0; background: #0008 } #d { position: fixed; right: 0; top: 0 }</style><div id="t">${rows(['A', 'B', 'C', 'D', 'E'])}</div>
       <div id="s"></div><div id="d" role="dialog" aria-label="Columns"><button>Name</button></div>`,
    );
    equal(
      yaml,
      `- generic:
  - button "A" [covered]
  - button "B" [covered]
  - button "C" [covered]
  - button "D"
  - button "E"
- dialog "Columns":
  - button "Name"
- text: … 2 more are covered: a shade lies over the whole page`,
    );
    const told = await delta(page, `t.innerHTML = \`${rows(['F', 'G', 'H', 'I'])}\``);
    has(told, '- button "H" [covered]\n');
    has(told, '- button "I"\n');
    has(told, '- text: … 1 more is covered: a shade');
    has(
      await delta(page, `s.remove(); d.remove()`),
      /no longer covered: e\d+, e\d+, e\d+ and whatever else the shade lay over$/m,
    );
  },

  'a shade may be drawn in a layer that is fixed': async (page) => {
    const buttons = ['A', 'B', 'C', 'D', 'E'].map((name) => `<button>${name}</button>`).join('');
    const layered = (inner) => `<style>#layer { position: fixed; inset: 0 } #layer > div, #layer i { position: absolute;
       inset: 0; background: #0008 } #d { position: fixed; right: 0; top: 0 }</style><div>${buttons}</div>
       <div id="layer">${inner}</div><div id="d" role="dialog" aria-label="Columns"><button>Name</button></div>`;
    has(await plain(page, layered('<div><i></i></div>')), '- text: … 2 more are covered: a shade lies over');
    // What holds words is another view, not a shade.
    hasNot(await plain(page, layered('<div>Words <b>and more</b></div>')), 'a shade lies over');
  },
};
