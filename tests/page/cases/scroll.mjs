// Contract: [tool.scroll]
import { delta, equal, has, hasNot, kPatience, ok, quiet, refOf, shown } from '../expect.mjs';

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

  // [tool.snapshot.delta]
  'where the page has been scrolled and nothing else is told, its place is': async (page) => {
    const yaml = await shown(
      page,
      `<style>body { margin: 0 }</style><nav style="position: sticky; top: 0"><button id="to">Chapter</button><input id="a"></nav>
       <div style="height: 3000px">x</div><h2 id="far">Far</h2><button id="low">Low</button><div style="height: 3000px">x</div>`,
    );
    await page.call('watchAction');
    has(await delta(page, 'far.scrollIntoView()'), /^- document \[scroll: \d+px above, \d+px more below\]$/);
    equal(await delta(page), '- no changes since the last snapshot'); // it is told once
    await page.main('to.focus()');
    await page.call('watchAction');
    await delta(page);
    equal(
      await delta(page, 'scrollTo(0, 0)'),
      '- document [scroll: ' + /scroll: (\d+px more below)/.exec(yaml)[1] + ']',
    );
    const low = refOf(yaml, '"Low"');
    const target = await page.call('actionable', { callId: 1, kind: 'hover', target: low, timeout: 5000 });
    ok(target.ok, JSON.stringify(target));
    equal(await delta(page), '- no changes since the last snapshot'); // we have brought it into view
    await page.call('watchAction');
    has(await delta(page, 'a.focus(); scrollTo(0, 0)'), 'textbox [active]'); // so has a focus
    hasNot(await delta(page), 'document');
  },
};
