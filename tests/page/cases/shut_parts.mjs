// Parts of a page that are shut by boxes of no height, what lies over all of it, and what a script keeps from scrolling.
import { delta, equal, has, hasNot, kPatience, ok, plain, quiet, refused, shown } from '../expect.mjs';

// Arco's tabs: each pane stands beside the others, and those of other tabs have no height.
const tabs = `<style>.all{overflow:hidden;width:600px}.off{height:0;overflow:hidden}</style>
  <div class="all" id="all"><div class="row"><div class="pane"><p>Form</p><input aria-label="City"></div><div class="pane off" id="off"><div
  style="padding-top:40px"><p>People</p><label style="cursor:pointer"><input type="checkbox" style="opacity:0;position:absolute;width:0">Paris</label>
  <button>Delete</button><div style="height:300px"></div><p id="last">Rome</p></div></div></div></div>`;
const act = (page, target) => page.call('actionable', { target, timeout: kPatience, callId: 1 });

export default {
  // [tool.snapshot.hidden] Arco
  'a part that a box of no height shuts has no lines until it is opened': async (page) => {
    equal(await plain(page, tabs), '- paragraph: Form\n- textbox "City"');
    equal(
      await delta(page, `off.className = 'pane'; off.previousElementSibling.className = 'pane off'`),
      `- paragraph: People
- checkbox "Paris"
- button "Delete"
- paragraph: Rome
- removed: e1, e2`,
    );
  },

  // [tool.snapshot.hidden]
  'what has no height is told where it has the focus, or stands beside what is drawn for it': async (page) => {
    const box = (inner) => `<div style="height:0;overflow:hidden">${inner}<div style="height:90px"></div></div>`;
    has(
      await plain(page, box('<input aria-label="Search" autofocus>') + box('<input type="file">')),
      'textbox "Search"',
    );
    has(await plain(page, `<button>Upload</button>${box('<input type="file">')}`), 'hidden file input');
    hasNot(await plain(page, `<p>Files</p>${box('<input type="file"><button>Send</button>')}`), 'Send');
  },

  // [tool.target] Arco
  'of several matches one that can be seen comes before one in a part that is shut': async (page) => {
    const yaml = await shown(page, `${tabs}<ul><li id="seen">Paris</li></ul>`);
    for (const target of ['text=Paris', 'text="Paris"']) {
      const { describe, ok: found } = await act(page, target);
      ok(found);
      has(describe, 'listitem "Paris"');
    }
    hasNot(yaml, 'checkbox');
    await quiet(page);
  },

  // [tool.actionable]
  'what stands in a part that is shut is refused with that, once the page is quiet': async (page) => {
    await shown(page, tabs);
    const why =
      /is not visible: it stands in <div id="off" class="pane off">, which is shut to no height: open that first/;
    await refused(page, { target: '#last', quiet: true }, why);
    equal(await page.main(`all.scrollTop + ' ' + off.scrollTop`), '0 0');
    await quiet(page);
  },

  // [tool.actionable]
  'what a person can not scroll is where it was after an element has not come into view': async (page) => {
    await shown(
      page,
      `<div id="all" style="overflow:hidden;height:50px"><p>First</p><div style="height:300px"></div><div style="width:0;overflow:hidden"><p
      id="last" style="width:60px">Rome</p></div></div>`,
    );
    await refused(page, { target: '#last' }, 'outside of the viewport');
    equal(await page.main('all.scrollTop'), 0);
    await quiet(page);
  },

  // [tool.snapshot.hidden] Vuetify and Angular's CDK
  'what lies below is not out of reach while a script holds the page where it is': async (page) => {
    const html = (
      held,
    ) => `<html class="${held}"><style>.b{position:relative;transform:scale(1.1)}.held{position:fixed;width:100%;height:100%;overflow:hidden auto}</style><button
      >Open</button><div style="height:3000px"></div><button class="b">Last</button>`;
    equal(await plain(page, html('held')), '- button "Open"\n- button "Last" [off-screen]');
    await shown(page, html(''));
    equal(await delta(page, `document.documentElement.className = 'held'`), '- no changes since the last snapshot');
  },

  // [tool.actionable] Framework7
  'a shade over the page is pressed where nothing lies above it, and told with what does': async (page) => {
    await shown(
      page,
      `<style>.shade{position:absolute;left:0;top:0;width:100%;height:100vh;background:#0004}.pop{position:fixed;inset:60px;background:#fff}.day{cursor:pointer}</style>
      <button id="b">Save</button><div class="shade"></div><div class="pop"><div class="day">12</div><div class="day">13</div></div>`,
    );
    const at = await act(page, '.shade');
    ok(at.ok, at.error);
    equal(await page.main(`document.elementFromPoint(${at.x}, ${at.y}).className`), 'shade');
    await quiet(page);
    await refused(
      page,
      { target: '#b' },
      /is covered by <div class="shade">; above that: .*"12" \[ref=e\d+\], .*"13" \[ref=e\d+\]; a click on that beside them may close them/,
    );
  },
};
