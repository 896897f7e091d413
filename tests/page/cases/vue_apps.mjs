// What Element Plus, Vuetify, Ant Design Vue and Django's admin pages have shown.
import { begin, delta, equal, has, hasNot, next, ok, plain, refOf, refused, shown } from '../expect.mjs';

const kSelect = (over) => `<div id="s" style="position:relative;width:200px;height:30px;background:white">
    <span style="position:absolute;inset:0"><input role="combobox" aria-label="City" aria-expanded="false" readonly style="opacity:0;width:100%;height:30px;border:0;box-sizing:border-box"></span>
    <span style="position:relative;display:block;height:30px">Paris${over}</span></div>`;

export default {
  // [tool.actionable] Ant Design Vue's select, once something is chosen
  'the choice that lies over a combobox that nobody sees is pressed for it': async (page) => {
    const yaml = await shown(page, kSelect(''));
    hasNot(yaml, '[covered]');
    const place = await page.call('actionable', { target: refOf(yaml, 'combobox'), callId: 1, timeout: 1000 });
    ok(place.ok, place.error);
    // What lies over it is another control.
    const other = await shown(page, kSelect('<button style="position:absolute;inset:0">Clear</button>'));
    await refused(page, { target: refOf(other, 'combobox') }, 'covered by <span> (<button> in it)');
    // What lies over it belongs to something else.
    const apart = await shown(page, `${kSelect('')}<p style="position:absolute;inset:0;margin:0">Over it</p>`);
    await refused(page, { target: refOf(apart, 'combobox') }, 'covered by <p');
  },

  // [tool.actionable] daisyUI, whose root has such an animation while a drawer or a dialog is open
  'an animation that follows the scrolling of what does not scroll keeps nothing from being clicked': async (page) => {
    const html = `<style>html { overflow: hidden; animation: a linear forwards; animation-timeline: scroll(self) } @keyframes a { to { --x: 1 } }</style>
      <button>Save</button>`;
    const yaml = await shown(page, html);
    const target = refOf(yaml, 'button');
    const place = await page.call('actionable', { target, kind: 'click', callId: 1, timeout: 1000 });
    ok(place.ok, place.error);
  },

  // [tool.snapshot.icons] Element Plus's slider
  'how far a track is filled is told by the slider on it, and by nothing around both': async (page) => {
    const track = (
      more,
    ) => `<p>Above</p><div id="p"><p>Text</p><div><div style="position:relative;width:200px;height:6px;background:#ddd">
      <div style="position:absolute;width:20%;height:6px;background:blue"></div>${more}</div></div></div>`;
    const slider = `<div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="20" aria-valuemin="0" aria-valuemax="100" style="position:absolute;left:20%;width:20px;height:20px"></div>`;
    await shown(page, track(slider));
    hasNot(await page.yaml(), 'filled');
    hasNot(await delta(page, `p.firstChild.textContent = 'Other'`), 'filled');
    has(await plain(page, track('')), '[filled=20%]');
  },

  // [tool.select.made]
  'a list opens by the box that shows the choice, where that lies over the field': async (page) => {
    await page.load(`<!doctype html>${kSelect('')}`);
    await begin(page, '#s', 'Rome');
    equal((await next(page)).step, 'open');
    const place = await page.call('actionable', { target: 'bridle:pointed', callId: 1, timeout: 1000 });
    ok(place.ok, place.error);
  },

  // [tool.snapshot.hints]
  'a class that says where something stands is no hint of what it is': async (page) => {
    const box = (classes) => plain(page, `<p>Mail</p><input type="checkbox" class="${classes}">`);
    for (const place of ['mr-1', 'w-100', '-mt-2', 'float-right', 'px-auto']) hasNot(await box(place), '[class=');
    has(await box('mr-1 starred'), 'checkbox [class=starred]');
    has(await box('step-1'), 'checkbox [class=step-1]');
  },
};
