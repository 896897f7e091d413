// What React Flow, D3, Splide, react-datepicker and libraries to drag and drop have shown: boards that are zoomed, cards that
// glide into their place, copies of slides.
import { delta, equal, has, hasNot, kPatience, ok, plain, shown } from '../expect.mjs';

export default {
  // [tool.snapshot.delta] React Flow's pane, D3's group
  'what is drawn larger or smaller than before is told where a pane is zoomed': async (page) => {
    const html = `<div role="application" style="width:900px;height:500px;overflow:hidden"><div id="pane" style="transform: translate(0px, 0px) scale(0.5); transform-origin: 0 0">
      <div role="group" aria-label="Start" style="width:400px;height:300px">Start</div></div></div>
      <svg role="img" aria-label="Map" width="900" height="500"><g id="g"><rect width="400" height="300"/><text y="50">Sea</text></g></svg>
      <button id="small" style="width:90px;height:30px"><b>Save</b></button>`;
    const yaml = await shown(page, html);
    const zoomed = (script) => delta(page, script);
    equal(
      await zoomed(`pane.style.transform = 'translate(5px, 9px) scale(0.75)'`),
      '- text: … application is zoomed from 50 % to 75 %',
    );
    has(yaml, 'application [ref=');
    equal(
      await zoomed(`g.setAttribute('transform', 'translate(-90,-50) scale(2)')`),
      '- text: … img "Map" is zoomed from 100 % to 200 %',
    );
    equal(
      await zoomed(`g.setAttribute('transform', 'matrix(1 0 0 1 0 0)')`),
      '- text: … img "Map" is zoomed from 200 % to 100 %',
    );
    // What is moved alone, what presses a button, and what goes on by itself in several places at a time.
    for (const script of [
      `pane.style.transform = 'translate(50px, 9px) scale(0.75)'`,
      `small.style.transform = 'scale(0.5)'`,
      `g.setAttribute('transform', 'scale(3)'); pane.style.transform = 'scale(2)'`,
    ])
      hasNot(await zoomed(script), 'zoomed');
  },

  // [tool.snapshot.delta] Leaflet
  'what is drawn elsewhere than before is told where an action has moved a pane that nothing else tells of': async (
    page,
  ) => {
    await shown(
      page,
      `<div role="application" tabindex="0" id="map" style="position:relative;width:900px;height:500px;overflow:hidden"><div id="pane" style="position:absolute;transform: translate3d(0px, 0px, 0px)">
      <div role="group" aria-label="Start" style="position:absolute;width:400px;height:300px">Start</div><svg id="svg" width="600" height="400"></svg></div></div><button id="far">Far</button>`,
    );
    const moved = async (focus, to) => {
      await page.main(`${focus}.focus()`);
      await page.yaml({ mode: 'delta' });
      await page.call('watchAction');
      return delta(page, `pane.style.transform = 'translate3d(${to})'; svg.style.transform = 'translate3d(${to})'`);
    };
    equal(await moved('map', '80px, -20px, 0'), '- text: … what application shows has moved by 80, -20 px');
    equal(await moved('far', '0px, 0px, 0'), '- no changes since the last snapshot');
    const more = `pane.firstElementChild.firstChild.data = 'End'; pane.style.transform = 'translate3d(9px, 9px, 0)'`;
    await moved('map', '8px, 8px, 0');
    await page.call('watchAction');
    hasNot(await delta(page, more), 'has moved');
  },

  // [tool.snapshot.delta] Node-RED
  'a line that a drag has drawn between two things is told, and none where all lines are drawn anew': async (page) => {
    await shown(
      page,
      `<style>body{margin:0}</style><div role="application"><svg id="svg" width="600" height="300"><path id="axis" d="M0 280H500" stroke="black" fill="none"/>
        <rect id="a" width="20" height="20" style="cursor:crosshair"/><rect x="300" y="100" width="20" height="20" style="cursor:crosshair"/><g id="g"></g></svg></div>`,
    );
    const line = '<path d="M20 10L300 110" stroke="gray" fill="none"/>';
    const dragged = async (script) => {
      await page.call('dragWatch', {});
      for (const type of ['mousePressed', 'mouseReleased'])
        await page.send('Input.dispatchMouseEvent', { type, x: 9, y: 9, button: 'left', clickCount: 1 });
      await page.call('dragResult', {});
      return delta(page, script);
    };
    has(await dragged(`g.innerHTML = '${line}${line}'`), '- text: … a line has been drawn in img');
    equal(await dragged(''), '- no changes since the last snapshot');
    hasNot(await dragged(`axis.outerHTML = '<path d="M0 270H500" stroke="black" fill="none"/>'`), 'has been drawn');
  },

  // [nav.after-action.timers] Boards put a card where it belongs when it has glided there.
  'what a drag has let go of is waited for however short its way is': async (page) => {
    const glides = async (pressed) => {
      await shown(
        page,
        '<style>body{margin:0}#card{width:200px;height:100px}</style><div id="card">Card</div><p>Done</p>',
      );
      await page.main(
        `card.onpointerup = () => card.animate({ transform: ['translate(9px, 9px)', 'none'] }, 900_000); 0`,
      );
      await page.call('watchAction');
      await pressed(async () => {
        for (const type of ['mousePressed', 'mouseReleased'])
          await page.send('Input.dispatchMouseEvent', { type, x: 9, y: 9, button: 'left', clickCount: 1 });
      });
      const { motion } = await page.call('frames', { n: 1 });
      return motion > 600_000;
    };
    equal(await glides((press) => press()), false);
    const drag = async (press) => {
      await page.call('dragWatch', {});
      await press();
      await page.call('dragResult', {});
    };
    equal(await glides(drag), true);
    // Once it is told, what moves is as it was.
    await page.yaml({ mode: 'delta' });
    equal((await page.call('frames', { n: 1 })).motion, 0);
  },

  // [tool.target] Splide's copies before the first slide
  'of several matches a copy that is hidden from readers and out of view is not the one': async (page) => {
    await shown(
      page,
      `<div style="width:300px;overflow:hidden"><ul style="display:flex;padding:0;margin:0;transform:translateX(-600px)">${[
        3, 2, 3,
      ]
        .map(
          (n, i) =>
            `<li style="flex:0 0 300px"${i < 2 ? ' aria-hidden="true"' : ''}><a href="#${i}">Open ${n}</a></li>`,
        )
        .join('')}</ul></div><p aria-hidden="true">Total</p><p>Total</p>`,
    );
    const at = async (target) =>
      await page.call('actionable', { target, kind: 'click', timeout: kPatience, callId: 1 });
    const found = await at('text=Open 3');
    ok(found.x > 0 && found.x < 300);
    equal((await at('text=Total')).y < 60, true); // what can be seen is as good as any other
  },

  // [tool.snapshot.hints] ProseMirror's menu
  'a part of a sheet of drawings that a machine has named calls nothing': async (page) => {
    equal(
      await plain(
        page,
        '<button><svg width="16" height="16"><use href="#pm-icon-4eb53ba9"/></svg></button> <button><svg width="16" height="16"><use href="#icon-trash"/></svg></button>',
      ),
      '- button\n- button [icon=icon-trash]',
    );
  },

  // [tool.snapshot.hints] React Flow's nodes
  'of a group that is chosen the group says it, and not the knobs in it': async (page) => {
    const node = (name, more) =>
      `<div role="group" tabindex="0" class="node ${more}"><i class="knob nodrag no-pan target"></i>${name}</div>`;
    equal(
      await plain(
        page,
        `<style>.knob{display:inline-block;width:8px;height:8px;border-radius:4px;background:black;cursor:crosshair}</style>${node('A', '')}${node('B', 'selected')}`,
      ),
      `- group:
  - generic [looks=black circle] [class=knob] [cursor=crosshair]
  - text: A
- group [class=selected]:
  - generic [looks=black circle] [class=knob] [cursor=crosshair]
  - text: B`,
    );
    equal(
      await plain(
        page,
        '<style>i{display:block;width:8px;height:8px;cursor:pointer}</style><i class="nodrag no-pan source"></i>',
      ),
      '- generic [class=source] [cursor=pointer]',
    );
  },

  // [tool.snapshot.hidden] React DayPicker
  'a select that lies unseen over a copy of what is chosen is not invisible': async (page) => {
    const select = (copy) =>
      `<span style="position:relative"><select aria-label="Month" style="opacity:0;position:absolute;inset:0"><option>May<option selected>June</select>${copy}</span>`;
    hasNot(
      await plain(page, select('<span aria-hidden="true">June <svg width="9" height="9"></svg></span>')),
      'invisible',
    );
    has(await plain(page, select('<span aria-hidden="true">Other</span>')), '[invisible]');
  },

  // [tool.snapshot.marks] Headless UI
  'that the keys are at an item is said once': async (page) => {
    equal(
      await plain(
        page,
        `<div role="menu" tabindex="0" aria-activedescendant="b" id="m"><div role="menuitem" id="a" data-state="x">Cut</div><div role="menuitem" id="b" data-active>Copy</div></div><script>m.focus()</script>`,
      ),
      '- menu [active]:\n  - menuitem "Cut"\n  - menuitem "Copy" [highlighted]',
    );
  },

  // [tool.snapshot.cuts] react-datepicker with times beside its days
  'of a list what its box has scrolled away goes before what can be seen does': async (page) => {
    const day = (n) =>
      `<div role="gridcell" aria-label="Choose Wednesday, November ${n}th, 2026 or any later day">${n}</div>`;
    const week = (i) =>
      `<div role="row" style="display:flex">${Array.from({ length: 7 }, (_, n) => day(i * 7 + n + 1)).join('')}</div>`;
    const times = Array.from(
      { length: 48 },
      (_, n) =>
        `<li role="option" ${n === 40 ? 'aria-selected="true"' : ''}>${n >> 1}:${n % 2 ? '30' : '00'} o'clock</li>`,
    ).join('');
    await shown(page, '<p>Date</p><div id="place"></div>');
    await page.main(
      `place.innerHTML = ${JSON.stringify(`<div role="dialog" aria-label="Choose Date"><div role="grid">${[0, 1, 2, 3, 4].map(week).join('')}</div>
        <ul role="listbox" aria-label="Time" style="height:100px;overflow:auto">${times}</ul></div>`)}; place.querySelector('ul').scrollTop = 200; 0`,
    );
    const told = await page.yaml({ mode: 'delta', budgetChars: 4500 });
    equal(told.match(/gridcell/g).length, 35);
    has(told, /option "20:00 o'clock" \[selected\]/);
    ok(told.match(/option /g).length < 12, told);
    has(told, / … \d+ more items/);
  },

  // [tool.snapshot.quiet] Overlays of Chakra UI and Radix, which leave what is live to readers and hide all that is around it one by one
  'what a dialog has hidden from readers one by one is inert as the whole page is': async (page) => {
    await shown(
      page,
      `<style>body{margin:0} .track{cursor:pointer;height:20px}</style><div id="root"><main><h1>Shop</h1><div class="track" tabindex="-1"><div role="slider" tabindex="0" aria-valuenow="3" aria-label="Speed">o</div></div>
      <div role="group"><label for="f">Email</label><input id="f"><div aria-live="polite">Needed</div></div><button>Fold</button><p>Text</p></main></div>`,
    );
    const opened = await delta(
      page,
      `for (const at of document.querySelectorAll('h1,.track,label,input,button,p')) at.setAttribute('aria-hidden', 'true');
      document.body.insertAdjacentHTML('beforeend', '<div id="over" style="position:fixed;inset:0"><div role="dialog" aria-modal="true" aria-label="Cart" style="position:absolute;top:300px;background:#fff"><button>Pay</button></div></div>')`,
    );
    hasNot(opened, /text: (Shop|Fold|Text|Email)|track/);
    has(opened, 'inert now: ');
    const closed = await delta(
      page,
      `over.remove(); document.querySelectorAll('[aria-hidden]').forEach((at) => at.removeAttribute('aria-hidden'))`,
    );
    hasNot(closed, /text: (Shop|Fold|Text)|track/);
  },

  // [tool.actionable] Ionic's select in an item: the words of its label let clicks through
  'words in a component that let clicks through are clicked on the component': async (page) => {
    await shown(
      page,
      `<style>body{margin:0} x-item,x-select{display:block;cursor:pointer}</style><x-item><template shadowrootmode="open"><div class="native" style="display:flex;height:60px"><slot></slot></div></template>
      <x-select><template shadowrootmode="open"><style>:host{width:100%} label{display:flex;height:60px;cursor:inherit} .box{display:flex;flex:1;position:relative} .words{pointer-events:none;display:flex;align-items:center} button{position:absolute;inset:0;opacity:0;padding:0;border:0;clip:rect(0 0 0 0);overflow:hidden}</style>
      <label><div class="box"><div class="words"><div class="word">Fruit</div></div><button aria-label="Fruit, Choose"></button></div></label></template></x-select></x-item>`,
    );
    const found = await page.call('actionable', { target: 'text=Fruit', kind: 'click', timeout: kPatience, callId: 1 });
    ok(found.ok, found.error);
  },

  // [tool.type] Ionic's searchbar, which holds its field and has its placeholder too
  'a custom element that holds one field takes text as that field': async (page) => {
    await shown(
      page,
      '<x-search placeholder="Find"><div><input placeholder="Find"></div></x-search><x-form class="form"><input><input></x-form>',
    );
    ok(
      (await page.call('actionable', { target: '[placeholder="Find"]', kind: 'type', timeout: kPatience, callId: 1 }))
        .ok,
    );
    equal((await page.call('fill', { target: '[placeholder="Find"]', text: 'abc' })).ok, true);
    has(
      (await page.call('actionable', { target: '.form', kind: 'type', timeout: kPatience, callId: 1 })).error,
      'is not an input',
    );
  },

  // [tool.snapshot.hints] Ionic's segments and backdrops
  'what comes after the chosen one is not told as chosen, nor the shade behind a dialog that readers are not told of':
    async (page) => {
      equal(
        await plain(
          page,
          `<style>i{position:fixed;inset:0;cursor:pointer}</style><div role="tablist"><button role="tab" class="b checked" aria-selected="true">All</button><button role="tab" class="b after-checked">Some</button></div>
        <div><i aria-hidden="true" class="md"></i><div role="dialog" aria-label="Sure?" style="position:fixed;top:90px">Yes</div></div>`,
        ),
        `- tablist:
  - tab "All" [selected] [covered]
  - tab "Some" [covered]
- dialog "Sure?": "Yes"`,
      );
    },

  // [tool.snapshot.marks] Ionic's calendar
  'a day that is a button says that it is selected': async (page) => {
    equal(
      await plain(
        page,
        '<button class="day day-active" aria-selected="true">15</button><button class="day" aria-selected="false">16</button>',
      ),
      '- button "15" [selected]\n- button "16"',
    );
  },

  // [tool.actionable] Directus, whose table stands in boxes without a box that would scroll it
  'a box that is drawn without one clips nothing': async (page) => {
    const yaml = await shown(
      page,
      `<style>body{margin:0} .none{display:contents;overflow:auto;position:relative}</style><div style="overflow:auto;height:300px"><div class="none"><table><tr><td onclick="1">Hello</td><td><input type="checkbox" aria-label="Row"></td></tr></table></div></div>`,
    );
    hasNot(yaml, 'off-screen');
    for (const target of ['text=Hello', 'role=checkbox']) {
      const found = await page.call('actionable', { target, kind: 'click', timeout: kPatience / 30, callId: 1 });
      ok(found.ok, found.error);
    }
  },

  // [tool.snapshot.marks] Directus: the cover of an application that was loading
  'what something that fades away lies over is not covered': async (page) => {
    const html = `<style>#over{position:fixed;inset:0;background:#fff}</style><button>Save</button><div id="over"><p>Loading</p></div>`;
    has(await shown(page, html), 'button "Save" [ref=e1] [covered]');
    await page.main(`over.animate({ opacity: [1, 0] }, 900_000); 0`);
    hasNot(await page.yaml(), 'covered');
    await page.main(`over.getAnimations()[0].cancel(); over.animate({ opacity: [0.5, 1] }, { duration: 900_000 }); 0`);
    has(await page.yaml(), '[covered]');
  },

  // [tool.snapshot.brief] react-datepicker
  'a day whose author has named it is told by that name alone, as what it is says that it can be clicked': async (
    page,
  ) => {
    equal(
      await plain(
        page,
        `<style>[role=gridcell]{cursor:pointer}</style><div role="grid"><div role="row"><div role="gridcell" tabindex="-1" aria-label="Choose Sunday, November 1st, 2026">1</div>
        <div role="gridcell" tabindex="-1" aria-label="Choose Monday, November 2nd, 2026">2 left</div><div role="gridcell" tabindex="-1">3</div></div></div>`,
      ),
      `- grid:
  - row:
    - gridcell "Choose Sunday, November 1st, 2026"
    - gridcell "Choose Monday, November 2nd, 2026": "2 left"
    - gridcell "3" [cursor=pointer]`,
    );
  },

  // [tool.snapshot.delta] OpenLayers
  'where a button has but the focus, a large canvas is named that it may have drawn': async (page) => {
    const html = (size) =>
      `<style>body{margin:0}</style><canvas style="display:block;width:${size};height:${size}"></canvas><button id="b">+</button><p id="p">A</p>`;
    await shown(page, html('70vmin'));
    equal(await delta(page, `b.focus()`), '- button "+" [active]\n- text: … what a canvas draws is not told');
    hasNot(await delta(page, `b.blur(); p.textContent = 'B'`), 'canvas');
    await shown(page, html('90px'));
    equal(await delta(page, `b.focus()`), '- button "+" [active]');
  },

  // [tool.snapshot.delta] Radix, Ark UI
  'of much that is inert a few things are named': async (page) => {
    const names = Array.from({ length: 20 }, (_, i) => `<button>Button ${i}</button>`).join('');
    await shown(page, `<div id="app">${names}</div>`);
    const opened = await delta(
      page,
      `app.setAttribute('aria-hidden', 'true');
      document.body.insertAdjacentHTML('beforeend', '<div role="dialog" aria-modal="true" aria-label="Cart"><button>Pay</button></div>')`,
    );
    has(opened, 'inert now: button "Button 0", button "Button 1" and 18 more');
  },

  // [tool.snapshot.hints] Milkdown's tasks
  'a state that the icon says is not said again': async (page) => {
    equal(
      await plain(
        page,
        '<style>i{cursor:pointer;display:block;width:9px;height:9px}</style><i class="label checked"><svg class="checked" data-icon="checked" width="9" height="9"><path d="M0 0h9"/></svg></i>',
      ),
      '- generic [icon=checked] [cursor=pointer]',
    );
  },

  // [tool.actionable] Onsen UI's switch, whose knob lies over the box that it is drawn for
  'the drawn face that lies over a box to tick is pressed for it': async (page) => {
    const html = (
      face,
    ) => `<style>x-switch{position:relative;display:inline-block;width:50px;height:30px} x-switch>*{position:absolute;inset:0;width:50px;height:30px;margin:0;appearance:none}</style>
      <x-switch><input type="checkbox" aria-label="Wi-Fi">${face}</x-switch>`;
    hasNot(await shown(page, html('<div><i style="display:block;height:30px"></i></div>')), 'covered');
    const found = await page.call('actionable', {
      target: 'role=checkbox',
      kind: 'click',
      timeout: kPatience,
      callId: 1,
    });
    ok(found.ok, found.error);
    for (const face of [
      '<div>Loading</div>',
      '<div><button style="width:50px;height:30px"></button></div>',
      '<div style="inset:-90px;width:300px;height:300px"></div>',
    ])
      has(await shown(page, html(face)), '[covered]');
  },
};
