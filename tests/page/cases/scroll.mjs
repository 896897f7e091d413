// Contract: [tool.scroll]
import { equal, kPatience, ok, quiet } from '../expect.mjs';

export default {
  'scrollPlan finds the container and a point for the wheel, and scrollResult leaves nothing behind': async (page) => {
    await page.load(
      '<!doctype html><div id="a" style="height:100px;overflow:auto"><p id="p">x</p><div style="height:900px"></div></div>',
    );
    const plan = await page.call('scrollPlan', { target: '#p', x: 0, y: 1, unit: 'end' });
    ok(plan.found && plan.dy > 700 && plan.dx === 0);
    equal((await page.call('stats')).listeners, 1);
    await page.main('a.scrollTop = 50');
    const result = await page.call('scrollResult', { timeout: kPatience });
    equal(result.movedY, 50);
    equal(result.above, 50);
    await quiet(page);
    equal((await page.call('scrollPlan', { target: '#p', x: 1, y: 0, unit: 'page' })).found, false);
  },

  'a scrolling that begins frames later is waited for, where frames take long': async (page) => {
    await page.load(
      '<!doctype html><div id="a" style="height:100px;overflow:auto"><div style="height:900px"></div></div>',
    );
    await page.call('scrollPlan', { target: '#a', x: 0, y: 50, unit: 'px' });
    // Of three frames of 150 ms each, the last one brings the scrolling.
    const result = await page.raw(
      `(() => {
        const waiting = __bridle.call('scrollResult', { timeout: ${kPatience} });
        let frames = 0;
        requestAnimationFrame(function frame() {
          const end = performance.now() + 150;
          while (performance.now() < end);
          if (++frames === 3) document.querySelector('#a').scrollTop = 50;
          else requestAnimationFrame(frame);
        });
        return waiting;
      })()`,
    );
    equal(result.movedY, 50);
  },
};
