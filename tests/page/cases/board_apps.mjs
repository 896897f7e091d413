// What React Flow, D3, Splide, react-datepicker and libraries to drag and drop have shown: boards that are zoomed, cards that
// glide into their place, copies of slides.
import { delta, equal, has, hasNot, kPatience, plain, refOf, shown, withoutRefs } from '../expect.mjs';

export default {
  // [tool.snapshot.zoomed] React Flow's pane, D3's group
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

  // [nav.after-action.timers] Boards put a card where it belongs when it has glided there.
  'what a drag has let go of is waited for however short its way is': async (page) => {
    const glides = async (pressed) => {
      await shown(page, '<style>body{margin:0}#card{width:200px;height:100px}</style><div id="card">Card</div><p>Done</p>');
      await page.main(`card.onpointerup = () => card.animate({ transform: ['translate(9px, 9px)', 'none'] }, 900_000); 0`);
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
};
