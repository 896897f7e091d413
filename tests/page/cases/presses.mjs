// Where an element is pressed that has no box of its own to press, and what is said of a press that made no click.
// Contract: [tool.actionable]
import { equal, hasNot, kPatience, ok, refused, same, until } from '../expect.mjs';

const act = (page, target, more = {}) => page.call('actionable', { target, timeout: kPatience, callId: 1, ...more });

async function press(page, target) {
  const ready = await act(page, target, { guard: true });
  ok(ready.ok, `${target}: ${ready.error}`);
  await page.click(ready.x, ready.y);
  const result = await page.call('hitResult');
  equal(result.hit, true, target);
  return result;
}

const kUnseen = 'position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden;margin:-1px';

export default {
  'a checkbox or radio that has no box of its own is pressed by its label': async (page) => {
    await page.load(
      `<!doctype html><body style="margin:0"><style>label{display:inline-block;padding:8px}</style>
      <label style="position:relative;width:60px;height:34px"><input type="checkbox" id="switch" style="opacity:0;width:0;height:0"><span style="position:absolute;inset:0;background:#ccc"></span></label>
      <label><input type="radio" name="s" id="weekly" style="position:absolute;opacity:0;width:0;height:0;pointer-events:none">Weekly</label>
      <div style="position:relative;display:flex"><label for="one">★</label><input type="radio" name="r" id="one" style="${kUnseen}">
        <label for="two">★</label><input type="radio" name="r" id="two" style="${kUnseen}"></div>
      <input type="checkbox" id="away" style="position:absolute;left:-9999px"><label for="away">Away</label>
      <label style="width:300px;text-align:center"><input type="checkbox" id="terms" style="position:absolute;opacity:0;width:0;height:0">I agree to <a href="#terms">all of the terms</a> of it</label>
      <label style="position:relative;width:60px;height:34px"><input type="checkbox" id="let" style="position:absolute;opacity:0;inset:0;pointer-events:none"><i>Let through</i></label>
      <div style="height:3000px"></div><label><input type="checkbox" id="far" style="opacity:0;width:0;height:0">Far</label>`,
    );
    for (const id of ['switch', 'weekly', 'two', 'away', 'terms', 'let', 'far']) {
      await press(page, '#' + id);
      await until(page, `document.getElementById('${id}').checked`);
    }
    equal(await page.main('location.hash'), '');
    same((await act(page, '#switch')).describe, 'checkbox <input id="switch">');
  },

  'what covers a label, or hides it, keeps its control from being pressed': async (page) => {
    const box = '<input type="checkbox" style="opacity:0;width:0;height:0"';
    await page.load(
      `<!doctype html><label>${box} id="a">News</label><label style="display:none">${box} id="b">None</label>${box} id="c">
      <label style="display:inline-block;padding:8px">${box} id="d"><a href="#x">Whole</a></label>
      <div role="dialog" aria-label="Cookies" id="over" style="position:fixed;inset:0;background:white;display:none">Cookies</div>`,
    );
    await refused(page, { target: '#b' }, 'display:none');
    await refused(page, { target: '#c' }, 'zero size');
    await page.main('over.style.display = "block"');
    await refused(page, { target: '#a' }, 'covered by <div id="over">');
  },

  // [tool.select.unseen]
  'what is set by script needs no place on the screen': async (page) => {
    await page.load(
      `<!doctype html><span style="position:relative;display:inline-block;width:20px;height:20px"><input type="range" id="clip" value="30" style="clip-path:inset(50%);position:absolute;width:100%;height:100%"></span>
      <input type="range" id="none" style="width:0;height:0;margin:0"><input type="color" id="colour" style="position:absolute;left:-9999px">
      <input type="range" id="off" disabled><input id="text" style="position:absolute;left:-9999px"><div inert><input type="range" id="inert"></div>`,
    );
    for (const id of ['clip', 'none', 'colour']) {
      const ready = await act(page, '#' + id, { kind: 'type' });
      ok(ready.ok, `${id}: ${ready.error}`);
    }
    await refused(page, { target: '#off', kind: 'type' }, 'disabled');
    await refused(page, { target: '#inert', kind: 'type' }, 'inert');
    await refused(page, { target: '#text', kind: 'type' }, 'outside of the viewport');
    await refused(page, { target: '#clip' }, 'covered by <span>');
  },

  // [tool.target.covered]
  'what is said to lie over an element lay there when it was looked at': async (page) => {
    const lines = Array.from({ length: 60 }, (_, i) => `<p><label><input type="checkbox">Line ${i}</label></p>`).join(
      '',
    );
    await page.load(
      `<!doctype html>${lines}<ul><li><a id="dead" href="#x" style="pointer-events:none">Dead</a></li></ul>${lines}`,
    );
    await page.yaml();
    // Each look takes the next alignment, so that some of these end where another line lies at the point.
    for (const timeout of [20, 40, 60, 80, 150, 300]) {
      await page.main('scrollTo(0, 0)');
      hasNot((await act(page, '#dead', { timeout })).error, 'Line');
    }
  },
};
