// What an action scrolls, beside which nothing else may change [tool.snapshot.scrolled].
import { delta, equal, has, hasNot, kPatience, ok, shown } from '../expect.mjs';

const kTall = '<div style="height: 2000px">tall</div>';
const kSmooth = '<style>html { scroll-behavior: smooth }</style>';

async function click(page, target) {
  const { x, y } = await page.call('actionable', { target, timeout: kPatience, guard: true });
  await page.click(x, y);
  await page.call('hitResult');
  return rest(page, await page.call('frames', { n: 2, adaptive: true, clicked: true }));
}

async function press(page, key) {
  await page.call('watchAction', { scrolls: true });
  const code = { key, code: key, windowsVirtualKeyCode: { End: 35, PageDown: 34, ArrowDown: 40 }[key] };
  await page.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...code });
  await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...code });
  return rest(page, await page.call('frames', { n: 2, adaptive: true, quick: true }));
}

async function rest(page, waited) {
  if (waited.motion > 0) equal((await page.call('still', { timeout: kPatience })).left, 0);
  return waited;
}

export default {
  'a link to a part of the page, smoothly or not': async (page) => {
    for (const style of ['', kSmooth]) {
      await shown(
        page,
        `${style}<nav style="position: sticky; top: 0"><a href="#f">Go</a></nav>${kTall}<h2 id="f">All of it</h2>${kTall}`,
      );
      await click(page, 'text=Go');
      const told = await delta(page);
      has(told, /the page has scrolled down by 20\d\d px to heading "All of it"/);
    }
  },

  'a link to a part of the page that a script follows smoothly, and does more beside it': async (page) => {
    await shown(
      page,
      `${kSmooth}<nav id="n" style="position: sticky; top: 0"><a href="#f">Go</a></nav>${kTall}<h2 id="f">All of it</h2>${kTall}<script>
      document.querySelector('a').onclick = (event) => {
        event.preventDefault();
        n.insertAdjacentHTML('beforeend', '<p>More</p>');
        n.style.background = 'red';
        scrollTo({ top: f.offsetTop });
      };</script>`,
    );
    await click(page, 'text=Go');
    has(await delta(page), /the page has scrolled down by \d{4} px to heading "All of it"/);
  },

  'a key that scrolls, to its end': async (page) => {
    await shown(page, `${kTall}<button>Last</button>`);
    await press(page, 'End');
    equal(await page.main('Math.round(scrollY + innerHeight - document.documentElement.scrollHeight)'), 0);
    has(
      await delta(page),
      /^- no changes since the last snapshot, but the page has scrolled down by \d+ px to button "Last"/,
    );
    has(await page.yaml({ mode: 'delta', again: true }), 'scrolled down by'); // the same snapshot, taken again
    equal(await delta(page), '- no changes since the last snapshot');
    await press(page, 'End');
    equal(await delta(page), '- no changes since the last snapshot');
  },

  'a key that the page takes, or that has no room to scroll, is not waited for': async (page) => {
    await shown(page, `${kTall}<script>addEventListener('keydown', (event) => event.preventDefault())</script>`);
    const taken = await press(page, 'PageDown');
    ok(taken.frames < 3, `${taken.frames} frames`);
    await shown(page, '<p>short</p>');
    const short = await press(page, 'PageDown');
    ok(short.frames < 3, `${short.frames} frames`);
    await shown(page, `<select><option>One<option>Two</select>${kTall}`);
    await page.main('document.querySelector("select").focus()');
    const chosen = await press(page, 'ArrowDown');
    ok(chosen.frames < 4, `${chosen.frames} frames`);
  },

  'a box beside the button that scrolls it': async (page) => {
    const slides = [1, 2, 3].map(
      (i) => `<div role="listitem" style="min-width: 300px">Slide ${i} <a href="/${i}">More of ${i}</a></div>`,
    );
    await shown(
      page,
      `<div id="box" role="list" aria-label="Pictures" style="display: flex; overflow-x: auto; width: 300px; scroll-behavior: smooth">${slides.join('')}</div>
       <button onclick="box.scrollBy(300, 0)"><b>Next</b></button>`,
    );
    await click(page, 'b');
    has(await delta(page), /list "Pictures" has scrolled to listitem "Slide 2 More of 2"/);
  },

  'what was scrolled to get at the element is not told': async (page) => {
    await shown(page, `${kTall}<button>Below</button>`);
    await click(page, 'text=Below');
    const told = await delta(page);
    has(told, 'button "Below" [active]');
    hasNot(told, 'scrolled');
  },

  'that a focus was brought into view is not told': async (page) => {
    await shown(page, `<button id="a">First</button>${kTall}<button id="b">Second</button>`);
    await page.main('a.focus(); a.onkeydown = () => b.focus()');
    await press(page, 'End');
    const told = await delta(page);
    has(told, 'button "Second" [active]');
    hasNot(told, 'scrolled');
  },

  'what scrolls all the time is waited for once': async (page) => {
    await shown(
      page,
      `<div id="box" style="overflow: auto; height: 50px">${kTall}</div><button>Go</button>
       <script>setInterval(() => { box.scrollTop = (box.scrollTop + 5) % 1000 }, 10)</script>`,
    );
    const { x, y } = await page.call('actionable', { target: 'text=Go', timeout: kPatience, guard: true });
    await page.click(x, y);
    await page.call('frames', { n: 6 });
    await page.call('still', { timeout: 100 });
    await page.call('actionable', { target: 'text=Go', timeout: kPatience, guard: true });
    await page.click(x, y);
    equal((await page.call('frames', { n: 6 })).motion, 0);
  },

  // Ionic's sheets
  'a dialog that its handle moves': async (page) => {
    const sheet = (
      more,
    ) => `<div role="dialog" aria-label="Sheet" style="position: fixed; left: 100px; top: 400px; width: 300px; height: 600px">
      <button onclick="${more}">Handle</button></div>`;
    await shown(page, sheet("this.parentElement.style.top = '230px'"));
    await click(page, 'text=Handle');
    has(await delta(page), '- text: … dialog "Sheet" has moved up by 170 px');
    await shown(page, sheet(''));
    await click(page, 'text=Handle');
    hasNot(await delta(page), 'moved');
  },

  'an animation that waited and is played by the click is waited for': async (page) => {
    await shown(
      page,
      `<div id="sheet" role="dialog" aria-label="Sheet" style="position: fixed; top: 400px; width: 300px; height: 600px">
      <button onclick="moves.currentTime = 50; moves.play()">Handle</button></div>`,
    );
    const moves = 'sheet.animate([{ translate: "0 0" }, { translate: "0 -200px" }], { duration: 300, fill: "both" })';
    await page.main(`(window.moves = ${moves}).pause()`);
    await click(page, 'text=Handle');
    has(await delta(page), '- text: … dialog "Sheet" has moved up by 200 px');
  },

  'little of the page, and a box of which nothing with a ref comes into view': async (page) => {
    await shown(page, `<style>body { margin: 0 }</style><div style="height: calc(100vh + 10px)">tall</div>`);
    await press(page, 'End');
    has(await delta(page), /^- no changes since the last snapshot, but the page has scrolled down by 10 px/);
    const box = (
      more,
    ) => `<div id="box" tabindex="0" role="log" aria-label="Log" style="overflow: auto; width: 300px; height: 100px; ${more}">
      <div style="height: 900px">lines</div></div>`;
    await shown(page, box(''));
    await page.main('box.focus()');
    await page.yaml();
    await press(page, 'End');
    has(await delta(page), /but log \\"Log\\" has scrolled \[scroll: 800px above\]/);
    // What measures a size, which nobody sees.
    await shown(page, box('visibility: hidden') + '<button onclick="box.scrollTop = 50">Go</button>');
    await page.main('document.querySelector("button").focus()');
    await page.yaml();
    await click(page, 'text=Go');
    equal(await delta(page), '- no changes since the last snapshot');
  },

  'a key that pages, while a field of text has the focus': async (page) => {
    for (const field of ['<input type="search">', '<textarea></textarea>']) {
      await shown(page, `${kSmooth}<div style="position: sticky; top: 0">${field}</div>${kTall}`);
      await page.main('document.querySelector("input,textarea").focus()');
      await page.yaml();
      await press(page, 'PageDown');
      has(await delta(page), /but the page has scrolled down by \d{3} px/);
    }
  },
};
