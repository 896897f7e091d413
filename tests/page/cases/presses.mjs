// Where an element is pressed that has no box of its own to press, and what is said of a press that made no click.
// Contract: [tool.actionable]
import { hasNot } from '../expect.mjs';

const act = (page, target, more = {}) => page.call('actionable', { target, callId: 1, ...more });

export default {
  // [tool.target.covered]
  'what is said to lie over an element lay there when it was looked at': async (page) => {
    const lines = Array.from({ length: 60 }, (_, i) => `<p><label><input type="checkbox">Line ${i}</label></p>`).join('');
    await page.load(`<!doctype html>${lines}<ul><li><a id="dead" href="#x" style="pointer-events:none">Dead</a></li></ul>${lines}`);
    await page.yaml();
    // Each look takes the next alignment, so that some of these end where another line lies at the point.
    for (const timeout of [20, 40, 60, 80, 150, 300]) {
      await page.main('scrollTo(0, 0)');
      hasNot((await act(page, '#dead', { timeout })).error, 'Line');
    }
  },
};
