// Contract: [tool.actionable]
import { equal, has, hasNot, kPatience, ok, quiet, refOf, refused, same, shown, until } from '../expect.mjs';

const act = (page, target, more = {}) => page.call('actionable', { target, timeout: kPatience, callId: 1, ...more });
// The pollers that a call leaves when its own task is over: none where the answer came at once.
const waitingFor = (page, target) =>
  page.raw(
    `(() => { __bridle.call('actionable', { target: '${target}', timeout: ${kPatience} }); return __bridle.call('stats').pollers; })()`,
  );
// The frames that a click on a guarded element has requested: they come a little after the click.
const framesOfClick = (page) => page.call('frames', { n: 2, adaptive: true, clicked: true });

// How many ms the element of "a moving element" was where its left edge is told to be. On a machine that draws no frame for so
// long, it does stand still.
const stoodAt = (left) =>
  `new Promise((done) => { const look = () => { const at = places.findLastIndex((place) => Math.abs(place.left - ${left}) < 0.1); if (at < 0) done(0); else if (at + 1 < places.length) done(places[at + 1].time - places[at].time); else requestAnimationFrame(look) }; look() })`;
const kBorder = 2; // px, of a button
const kFrame = 16; // ms
const kFramesSeen = 2;

// A click, with the frames that were waited for and the motion that goes on.
async function countedClick(page, target) {
  const ready = await act(page, target, { guard: true });
  await page.click(ready.x, ready.y);
  const { frames, motion } = await framesOfClick(page);
  await page.call('hitResult');
  return { frames, motion };
}

export default {
  'a ready element: point, ref, facts': async (page) => {
    const ref = refOf(
      await shown(
        page,
        '<body style="margin:0"><a href="/x" style="position:absolute;left:100px;top:50px;width:80px;height:20px">Go</a>',
      ),
      'Go',
    );
    const ready = await act(page, ref);
    same(
      { x: ready.x, y: ready.y, ref: ready.ref, isLink: ready.isLink, count: ready.count, describe: ready.describe },
      { x: 140, y: 60, ref, isLink: true, count: 1, describe: 'link "Go"' },
    );
    await quiet(page);
  },

  // Contract: [tool.target.covered]
  'an editor whose field has no size is operated through what is around it': async (page) => {
    await page.load(`<!doctype html><div id="editor" style="position:absolute;left:50px;top:60px;width:400px;height:200px"><div class="lines" style="position:absolute;inset:0">code</div>
      <textarea id="zero" aria-label="Editor" style="position:absolute;left:5px;top:5px;width:0;height:0;padding:0;border:0;opacity:0"></textarea></div><div id="off" style="width:0;height:0;overflow:hidden"><button id="none" style="width:0;height:0;padding:0;border:0"></button></div>`);
    for (const kind of ['type', 'click']) {
      const ready = await act(page, '#zero', { kind });
      ok(ready.ok, ready.error);
      same([ready.x, ready.y], [250, 160]);
    }
    await refused(page, { target: '#none' }, 'zero size');
  },

  'what lies under a dialog: the error names the dialog': async (page) => {
    await page.load(
      `<!doctype html><button id="b">Save</button><div id="mask" style="position:fixed;inset:0"></div><div role="dialog" aria-label="Cookies" style="position:fixed;inset:0;background:white"><button>Accept</button></div>`,
    );
    await page.yaml();
    await refused(page, { target: '#b' }, 'of dialog "Cookies" [ref=');
    await page.load(
      '<!doctype html><button id="b">Save</button><dialog aria-label="Sure?"><button>Yes</button></dialog><script>document.querySelector("dialog").showModal()</script>',
    );
    await refused(page, { target: '#b' }, 'of dialog "Sure?": act on that first');
  },

  // Contract: [tool.position]
  'a point in an element: hit there, brought into view, refused outside': async (page) => {
    await page.load(`<!doctype html><body style="margin:0"><canvas id="c" style="position:absolute;left:100px;top:50px;border:5px solid;width:200px;height:100px"></canvas>
      <div style="height:3000px"></div><svg id="s" width="300" height="3000" aria-label="Drawing"><rect x="0" y="0" width="300" height="3000"/></svg><div id="half" style="position:absolute;left:100px;top:50px;width:50px;height:200px">Over</div>`);
    const ready = await act(page, '#c', { atX: 150, atY: 20 });
    same([ready.x, ready.y, ready.left, ready.top], [255, 75, 105, 55]);
    await refused(page, { target: '#c', atX: 20, atY: 20 }, 'covered by <div id="half">');
    has((await act(page, '#c', { atX: 500, atY: 20 })).error, '210 x 110 px large: position 500, 20 lies outside');
    for (const atY of [10, 1500, 2990]) {
      const far = await act(page, '#s', { atX: 7, atY });
      ok(far.ok, far.error);
      equal(far.y - (await page.main('s.getBoundingClientRect().top')), atY);
      ok(far.y > 0 && far.y < 720);
    }
    await quiet(page);
  },

  'a row of a table is hit on one of its cells, where its middle is the gap between them': async (page) => {
    await page.load(
      `<!doctype html><table style="width:400px"><tr id="r" onclick="document.title = 'row'"><td>Apps<td>app</table>`,
    );
    await page.main('for (const cell of r.children) cell.style.width = "50%"; 0');
    const ready = await act(page, '#r');
    ok(ready.ok, ready.error);
    await page.click(ready.x, ready.y);
    await until(page, `document.title === 'row'`);
    await quiet(page);
  },

  // Element Plus's switch has no label.
  'a checkbox of no size without a label is clicked at what is drawn beside it': async (page) => {
    await page.load(`<!doctype html><div onclick="i.checked = !i.checked"><input type="checkbox" role="switch" id="i"
      aria-label="On duty" style="position:absolute;width:0;height:0;opacity:0;margin:0"><span style="cursor:pointer;
      display:inline-block;width:40px;height:20px;background:silver"></span></div>`);
    const ready = await act(page, '#i');
    ok(ready.ok, ready.error);
    await page.click(ready.x, ready.y);
    await until(page, 'i.checked');
    await quiet(page);
  },

  // React Aria hides the native slider in its thumb.
  'a slider that is hidden for readers is taken hold of at its thumb': async (page) => {
    const html = `<!doctype html><div style="position:relative;width:300px;height:30px;background:silver">
      <div id="thumb" style="position:absolute;left:90px;top:5px;width:20px;height:20px;background:blue"><div style="border:0;
      clip:rect(0 0 0 0);clip-path:inset(50%);height:1px;margin:-1px;overflow:hidden;padding:0;position:absolute;width:1px">
      <input type="range" aria-label="Opacity" id="s"></div></div></div>`;
    await page.load(html);
    hasNot(await page.yaml(), 'off-screen');
    for (const at of [{}, { atX: 10, atY: 10 }]) {
      const ready = await act(page, '#s', at);
      ok(ready.ok, ready.error);
      ok(await page.main(`document.elementFromPoint(${ready.x}, ${ready.y}) === thumb`));
    }
    await quiet(page);
  },

  'a group of shapes is hit on one of them, where its middle is not its own': async (page) => {
    await page.load(`<!doctype html><svg width="300" height="200"><rect id="ground" width="300" height="200" fill="silver"/>
      <g id="g" onclick="document.title = 'block'"><rect x="10" y="10" width="40" height="20"/><text x="200" y="150">print</text></g>
      <g id="h"><rect x="20" y="150" width="40" height="20"/><rect x="20" y="100" width="40" height="20"/></g><rect x="0" y="90" width="100" height="100" fill="red"/></svg>`);
    const ready = await act(page, '#g');
    ok(ready.ok, ready.error);
    await page.click(ready.x, ready.y);
    await until(page, `document.title === 'block'`);
    await refused(page, { target: '#h' }, 'covered by <rect>');
    await quiet(page);
  },

  'scrolls into view, in containers too': async (page) => {
    await page.load(
      '<!doctype html><div style="height:3000px"></div><div style="height:100px;overflow:auto"><div style="height:2000px"></div><button onclick="this.id=\'hit\'">Deep</button></div><div style="height:3000px"></div>',
    );
    const ready = await act(page, 'text=Deep');
    ok(ready.ok, ready.error);
    ok(ready.y > 0 && ready.y < 720);
    await page.click(ready.x, ready.y);
    await until(page, 'document.querySelector("#hit")');
  },

  'what a box cuts off that scrolls back is clicked where it is seen, and said to be out of view where nothing is':
    async (page) => {
      await page.load(`<!doctype html><div id="map" style="position:relative;overflow:hidden;width:300px;height:200px;margin-top:80px">
      <button id="m" style="position:absolute;left:50px;top:-30px;width:60px;height:40px">Depot</button>
      <button id="n" style="position:absolute;left:50px;top:-60px;width:60px;height:40px">North</button>
      <button id="s" style="position:absolute;left:50px;top:190px;width:60px;height:40px">South</button></div>
      <script>map.onscroll = () => { map.scrollTop = 0 }; onclick = (e) => { document.title = e.target.id }</script>`);
      for (const id of ['m', 's']) {
        const ready = await act(page, '#' + id);
        ok(ready.ok, ready.error);
        await page.click(ready.x, ready.y);
        await until(page, `document.title === '${id}'`);
      }
      await refused(page, { target: '#n' }, 'outside of the viewport');
      await quiet(page);
    },

  'what lies in the top layer is cut off by no box around it': async (page) => {
    await page.load(`<!doctype html><div style="height:30px;overflow:clip;contain:paint"><div id=p popover=manual
      style="inset:auto;left:0;top:60px;margin:0"><div style="position:fixed;left:20px;top:100px"><button id=b>Finland</button>
      </div><button id=c>Italy</button></div><div style="position:fixed;left:0;top:200px"><button id=no>Spain</button></div></div>`);
    await page.main('p.showPopover()');
    for (const id of ['b', 'c']) {
      const ready = await act(page, '#' + id);
      ok(ready.ok, ready.error);
    }
    hasNot((await page.yaml()).split('Spain')[0], 'off-screen');
    await refused(page, { target: '#no' }, 'outside of the viewport');
  },

  // [tool.actionable] Vaadin's grid
  'the header of a column is clicked on what sorts': async (page) => {
    const part = (style, more = '') =>
      `<span style="position:absolute;left:8px;width:40px;${style}" ${more}>Pay</span>`;
    const hand = part('cursor:pointer');
    const headers = {
      plain: ['Pay', 150],
      hand: [hand + '<i style="margin-left:60px">2</i>', 28],
      hands: [hand + hand, 150],
      words: [part('') + '<i><!-- none --></i>', 28],
      field: [part('', 'tabindex=0'), 150],
      button: ['<button style="position:absolute;left:8px;width:40px">Pay</button>', 28],
      buttons: ['<button style="position:absolute;left:8px;width:40px">Pay</button><input type="checkbox">', 150],
    };
    const row = ([id, [html]]) => `<tr><th id="${id}">${html}</th></tr>`;
    await page.load(`<!doctype html><style>th,[role] {position:relative;display:block;width:300px;height:30px;padding:0}</style>
      <table>${Object.entries(headers).map(row).join('')}<tr><th id="all" style="cursor:pointer">${part('')}</th></tr></table>
      <div role="columnheader" id="made"></div><div role="gridcell" id="cell">${hand}</div>`);
    await page.main(`made.attachShadow({mode: 'open'}).innerHTML =
      '<div style="position:absolute;left:8px;width:40px"><slot></slot></div><b></b>'; made.textContent = 'Pay'; 0`);
    const wanted = {
      ...Object.fromEntries(Object.entries(headers).map(([id, [, x]]) => [id, x])),
      all: 150,
      made: 28,
      cell: 150,
    };
    const places = {};
    for (const id of Object.keys(wanted)) {
      const ready = await act(page, '#' + id);
      ok(ready.ok, ready.error);
      places[id] = Math.round(ready.x - (await page.main(`${id}.getBoundingClientRect().x`)));
    }
    same(places, wanted);
  },

  'waits for what is not there yet, hidden, disabled, moving, covered': async (page) => {
    await page.load(`<!doctype html><style>@keyframes m{from{transform:translateX(0)}to{transform:translateX(300px)}}</style><div id="a"></div><button id="h" style="display:none">H</button><button id="d" disabled>D</button>
      <button id="m" style="animation:m .3s linear">M</button><button id="c" style="position:absolute;top:200px">C</button><div id="o" style="position:absolute;top:190px;width:300px;height:100px"></div>`);
    const calls = ['#late', '#h', '#d', '#c'].map((target, i) => act(page, target, { callId: i }));
    while ((await page.call('stats')).pollers < calls.length); // a call that didn't wait ends the test by its time
    await page.main(
      'a.innerHTML = "<button id=late>Late</button>"; h.style.display = ""; d.disabled = false; o.remove(); 0',
    );
    for (const ready of await Promise.all(calls)) ok(ready.ok, ready.error);
    await page.main('m.style.animation = "none"; void m.offsetWidth; m.style.animation = "m .3s linear"');
    const moved = await act(page, '#m');
    ok(moved.ok, moved.error);
    equal(await page.main('m.getAnimations().length'), 0);
    await quiet(page);
  },

  'a moving element is waited for on a page whose frames take long, where two looks fall into one frame': async (
    page,
  ) => {
    await page.load(
      '<!doctype html><style>@keyframes m{from{transform:translateX(0)}to{transform:translateX(300px)}}</style><button id="m">M</button>',
    );
    await page.main(`m.style.animation = 'm 1s linear';
      const burn = () => {
        if (!m.getAnimations().length) return;
        requestAnimationFrame(burn);
        const end = performance.now() + 120;
        while (performance.now() < end);
      };
      requestAnimationFrame(burn); 0`);
    const moved = await act(page, '#m');
    ok(moved.ok, moved.error);
    equal(await page.main('m.getAnimations().length'), 0);
    await quiet(page);
  },

  'a moving element moves no click': async (page) => {
    await page.load('<!doctype html><body style="margin:0"><button id="b" style="position:absolute;left:0">x</button>');
    await page.main(
      'window.go = true; window.places = []; (function step() { if (!go) return; const time = performance.now(); const left = time / 5 % 400; places.push({ left, time }); b.style.left = left + "px"; requestAnimationFrame(step); })()',
    );
    // Again where two looks saw no frame between them; too short for those after which a page counts as one that isn't drawn.
    for (let error = ''; !error.includes('still moving'); ) {
      const result = await act(page, '#b', { timeout: 100 });
      if (result.ok) ok((await page.main(stoodAt(result.left - kBorder))) > kFramesSeen * kFrame);
      else error = result.error;
    }
    await page.main('go = false');
    ok((await act(page, '#b')).ok);
  },

  'says why not': async (page) => {
    await page.load(`<!doctype html><section style="display:none"><button id="a">A</button></section><div style="visibility:hidden"><button id="b">B</button></div><button id="c" style="position:absolute;top:300px;left:50px">C</button>
      <div class="overlay" style="position:fixed;inset:0;z-index:5;pointer-events:auto;display:none"><p>hi</p></div><fieldset disabled><button id="d">D</button></fieldset><button id="e" aria-disabled="true">E</button><div inert><button id="f">F</button></div>
      <div id="z" style="width:0;height:0" onclick="1"></div><details><summary>s</summary><button id="g">G</button></details><button id="off" style="position:absolute;left:-500px;top:0">Off</button><p id="p">text</p><input id="ro" readonly><button id="np" style="pointer-events:none">NP</button><div class="busy" style="pointer-events:none"><p><button id="nb">NB</button></p></div>`);
    const says = (target, part, more) => refused(page, { target, ...more }, part);
    await says('#a', 'not visible: display:none on <section>');
    await says('#b', 'not visible: visibility:hidden on <div>');
    await says('#d', 'disabled by fieldset');
    await says('#e', 'aria-disabled');
    await says('#f', 'inert');
    await says('#z', 'zero size');
    await says('#g', 'inside a closed <details>');
    await says('#off', 'outside of the viewport');
    await says('#np', 'pointer-events is none on <button id="np">');
    await says('#nb', 'pointer-events is none on <div class="busy">');
    await says('#p', "can't be typed", { kind: 'type' });
    await says('#ro', 'read-only', { kind: 'type' });
    await says('#p', 'not a <select>, combobox or listbox', { kind: 'select' });
    await says('#nothere', '"#nothere"');
    await says('p[', 'Invalid selector "p["');
    has((await act(page, '#d', { timeout: 60 })).error, 'waited 60 ms');
    has((await act(page, '#nowhere', { timeout: 60 })).error, /matches "#nowhere" \(waited 60 ms\)\.$/);
    await page.main('document.querySelector(".overlay").style.display = "block"');
    await says('#c', 'covered by <div class="overlay">');
    await quiet(page);
  },

  'hopeless cases fail at once': async (page) => {
    const ref = refOf(
      await shown(page, '<button id="a">A</button><button id="b" aria-disabled="true">B</button>'),
      '"A"',
    );
    await page.main('a.remove()');
    for (const [target, words] of [
      [ref, `${ref} was button "A"`],
      ['#b', 'aria-disabled'],
    ]) {
      has((await act(page, target)).error, words);
      equal(await waitingFor(page, target), 0);
    }
  },

  'a field that is read-only is not waited for where the page is quiet': async (page) => {
    await page.load('<!doctype html><input id="date" aria-label="Date" readonly>');
    const { timedOut, error } = await act(page, '#date', { kind: 'type', quiet: true, timeout: kPatience });
    equal(error, 'textbox "Date" is read-only: click it, as that may open what sets it.');
    equal(timedOut, undefined);
    const waiting = act(page, '#date', { kind: 'type', quiet: true, timeout: kPatience });
    await page.main('date.readOnly = false');
    ok((await waiting).ok);
  },

  'an own label over the box counts as a hit': async (page) => {
    await page.load(
      '<!doctype html><style>input{position:absolute;opacity:0}label{position:relative;display:inline-block;width:100px;height:30px;background:#ddd;z-index:2}</style><input type="checkbox" id="c"><label for="c" style="margin-left:-4px">Agree</label>',
    );
    const ready = await act(page, '#c', { guard: true });
    ok(ready.ok, ready.error);
    await page.click(ready.x, ready.y);
    await until(page, 'document.querySelector("#c").checked');
    equal((await page.call('hitResult')).hit, true);
  },

  'a sticky header is scrolled away from': async (page) => {
    await page.load(
      '<!doctype html><body style="margin:0"><div style="position:sticky;top:0;height:400px;background:#eee;z-index:3">head</div><div style="height:1000px"></div><button id="b">B</button><div style="height:3000px"></div>',
    );
    await page.main('scrollTo(0, 1000)'); // the button lies under the header now
    const ready = await act(page, '#b');
    ok(ready.ok, ready.error);
    ok(ready.y > 400);
  },

  'a wrapped link is clicked on a line it has': async (page) => {
    await page.load(
      '<!doctype html><div style="width:200px;font:16px monospace">aaaa aaaa aaaa a <a href="#" id="l" onclick="window.hit = 1">bbbb cccc dddd eeee ffff gggg</a></div>',
    );
    const ready = await act(page, '#l');
    ok(ready.ok, ready.error);
    await page.click(ready.x, ready.y);
    await until(page, 'window.hit');
  },

  'a button that is let go of is released, and clicks nothing': async (page) => {
    await page.load(
      '<!doctype html><body style="margin:0"><label><input id="c" type="checkbox" style="width:100px;height:40px;margin:0"></label>',
    );
    await page.call('watchReleases');
    await page.main(
      'window.log = []; for (const t of ["mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick"]) addEventListener(t, (e) => log.push(t + e.button), true)',
    );
    const mouse = (type, button, more) =>
      page.send('Input.dispatchMouseEvent', { type, x: 50, y: 20, button, ...more });
    const bits = { left: 1, middle: 4 };
    for (const button of ['left', 'middle']) {
      for (const clickCount of [1, 2]) {
        await mouse('mousePressed', button, { buttons: bits[button], clickCount });
        await mouse('mouseReleased', button, { twist: 359 });
      }
    }
    const letGo = (n) => [`mousedown${n}`, `pointerup${n}`, `mouseup${n}`];
    same(await page.main('log'), [...letGo(0), ...letGo(0), ...letGo(1), ...letGo(1)]);
    equal(await page.main('c.checked'), false);
    // Two at once.
    await page.main('log.length = 0');
    await mouse('mousePressed', 'left', { buttons: 1, clickCount: 1 });
    await mouse('mousePressed', 'middle', { buttons: 5, clickCount: 1 });
    await mouse('mouseReleased', 'left', { twist: 359 });
    await mouse('mouseReleased', 'middle', { twist: 359 });
    same(await page.main('log'), ['mousedown0', 'mousedown1', 'pointerup0', 'mouseup0', 'pointerup1', 'mouseup1']);
    // A key and a script still click, and so does the next press.
    await page.main('log.length = 0; c.focus()');
    const space = { key: ' ', code: 'Space', windowsVirtualKeyCode: 32 };
    await page.send('Input.dispatchKeyEvent', { type: 'keyDown', text: ' ', ...space });
    await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...space });
    await page.main('c.click()');
    same(await page.main('log'), ['click0', 'click0']);
    await page.click(50, 20);
    await until(page, 'log.at(-1) === "click0" && log.length === 6');
    equal(await page.main('c.checked'), true);
  },

  'the guard blocks a click that would land elsewhere': async (page) => {
    await page.load(
      '<!doctype html><button id="a" style="position:absolute;left:0;top:0;width:100px;height:40px">A</button><div id="o" style="position:absolute;left:0;top:0;width:100px;height:40px;display:none">O</div>',
    );
    await page.main(
      'window.log = []; for (const t of ["pointerdown", "mousedown", "click"]) document.addEventListener(t, (e) => log.push(t + ":" + e.target.id), true)',
    );
    const ready = await act(page, '#a', { guard: true });
    await page.main('o.style.display = "block"');
    await page.click(ready.x, ready.y);
    const result = await page.call('hitResult');
    equal(result.hit, false);
    equal(result.blocked, true);
    equal(result.hitInstead, '<div id="o">');
    same(await page.main('log'), []);
    await page.main('o.remove()');
    const again = await act(page, '#a', { guard: true });
    await page.click(again.x, again.y);
    equal((await page.call('hitResult')).hit, true);
    same(await page.main('log'), ['pointerdown:a', 'mousedown:a', 'click:a']);
    equal((await page.call('hitResult')).hit, null);
    await framesOfClick(page);
    await quiet(page);
  },

  'what lets clicks through is clicked where a person would click it, unless it is a dead control': async (page) => {
    await page.load(
      `<!doctype html><style>.none{pointer-events:none}</style>
      <button><span class="none" id="inner">Inner</span></button>
      <div><div style="position:relative;height:40px"><div style="position:absolute;inset:0;background:#eee"></div>
        <span class="none" id="over" style="position:absolute;left:5px;top:5px">Over</span></div></div>
      <svg width="200" height="60"><g><rect width="150" height="40"/><text class="none" id="word" x="30" y="25">word</text></g></svg>
      <div role="combobox" tabindex="0"><input class="none" id="city" style="opacity:0"></div><p>Text</p>
      <div role="combobox"><div><div><input class="none" id="town"></div></div></div>
      <div role="option"><p><i><button class="none" id="act">Act</button></i></p></div>
      <ul><li><a class="none" id="dead" href="#x">Dead</a></li></ul>
      <div style="position:relative"><b class="none" id="under">Under</b><button style="position:absolute;inset:0">Own</button></div>
      <div class="none" id="all">All of it</div>`,
    );
    for (const id of ['inner', 'over', 'word', 'city', 'town']) ok((await act(page, '#' + id)).ok, id);
    await refused(page, { target: '#dead' }, 'pointer-events is none');
    await refused(page, { target: '#act' }, 'pointer-events is none');
    await refused(page, { target: '#under' }, 'covered by <button>');
    await refused(page, { target: '#all' }, 'pointer-events is none');
  },

  'what is positioned out of a clipping box shows beyond it; its containing block clips it': async (page) => {
    const clip = (id, style, position) =>
      `<div style="overflow:hidden;width:100px;height:30px;${style}">list<div style="position:${position};left:300px;top:200px">
        <button id="${id}">${id}</button></div></div>`;
    await page.load(
      '<!doctype html>' +
        clip('fixed', '', 'fixed') +
        clip('free', '', 'absolute') +
        clip('inner', 'position:relative', 'absolute') +
        clip('turned', 'transform:scale(1)', 'fixed') +
        clip('moving', 'will-change:transform', 'absolute'),
    );
    for (const id of ['fixed', 'free']) {
      await page.main(`for (const one of document.querySelectorAll('button')) one.hidden = one.id !== '${id}'`);
      const { x, y } = await act(page, '#' + id);
      equal(await page.main(`document.elementFromPoint(${x}, ${y}).id`), id);
      hasNot(await page.yaml(), 'off-screen');
    }
    for (const id of ['inner', 'turned', 'moving']) {
      await page.main(`for (const one of document.querySelectorAll('button')) one.hidden = one.id !== '${id}'`);
      has(await page.yaml(), /off-screen/);
    }
  },

  // In a task of its own the request loses to the frame that the click's change has drawn at once, and waits for another.
  'the frame of a click is requested before any listener of the page has run': async (page) => {
    await page.load('<!doctype html><button id="a">A</button>');
    const ready = await act(page, '#a', { guard: true });
    await page.main(
      `(() => { const handle = () => { const one = requestAnimationFrame(() => {}); cancelAnimationFrame(one); return one; };
        const before = handle();
        window.addEventListener('click', () => { window.between = handle() - before - 1 }, true); })()`,
    );
    await page.click(ready.x, ready.y);
    await until(page, 'window.between !== undefined');
    equal(await page.main('window.between'), 1);
    await page.call('hitResult');
    await framesOfClick(page);
    await quiet(page);
  },

  // As React's scheduler does: each message has the next slice of the work posted.
  'what a page does in three messages after a click is there when its frames are over': async (page) => {
    await page.load('<!doctype html><p id="p">none</p><button id="a">A</button>');
    await page.main(
      `a.onclick = () => { const { port1, port2 } = new MessageChannel(); let slices = 0;
        port1.onmessage = () => { if (++slices < 3) port2.postMessage(0); else { p.textContent = 'all'; port1.close(); } };
        port2.postMessage(0); }`,
    );
    for (let i = 0; i < 5; i++) {
      await page.main('p.textContent = "none"');
      const ready = await act(page, '#a', { guard: true });
      await page.click(ready.x, ready.y);
      await framesOfClick(page);
      equal(await page.main('p.textContent'), 'all');
      await page.call('hitResult');
    }
    await quiet(page);
  },

  'a frame in which the page asks for another one is followed by that, but not on a page that always asks': async (
    page,
  ) => {
    await page.load(
      '<!doctype html><style>p { transition: opacity 2s }</style><p id="p">Panel</p><button id="a" onclick="requestAnimationFrame(() => requestAnimationFrame(() => { p.style.opacity = 0 }))">A</button><button id="b" onclick="requestAnimationFrame(function draw() { requestAnimationFrame(draw) })">B</button>',
    );
    const counted = (target) => countedClick(page, target);
    const first = await counted('#a');
    equal(first.frames, 2);
    ok(first.motion > 1000, `${first.motion}`);
    equal((await counted('#b')).frames, 6);
    equal((await counted('#b')).frames, 1);
    await page.load('<!doctype html><button id="a">A</button>');
    equal((await counted('#a')).frames, 1);
    // jQuery's: the first frames of a slide round to nothing, and then not each is another pixel.
    await page.load(
      '<!doctype html><p id="p"><b>Panel</b></p><button id="a" onclick="let n = 0; requestAnimationFrame(function slide() { p.style.marginTop = Math.floor(++n / 4) + \'px\'; if (n < 40) requestAnimationFrame(slide) })">A</button>',
    );
    ok((await counted('#a')).motion > 0);
    await quiet(page);
  },

  // [nav.after-action.timers] jQuery's motions, which go on by an interval
  'what an input styles with a timer set, or an interval in one frame of two, may be a motion': async (page) => {
    // The timers are set and never come: nothing here waits for them.
    await page.load(
      '<!doctype html><p id="p"><b>Panel</b></p><button id="a" onclick="p.style.opacity = .5; setTimeout(() => {}, 1e6)">A</button><button id="b" onclick="p.style.opacity = 1">B</button><button id="c" onclick="p.style.opacity = 0; setTimeout(() => {}, 1e6)">C</button>',
    );
    const counted = (target) => countedClick(page, target);
    equal((await counted('#a')).frames, 3);
    equal((await counted('#b')).frames, 1);
    // What is next to nothing then is a motion, though no frame has seen it move.
    ok((await counted('#c')).motion > 0);
    // It has longer than what is to be seen already, by a clock that this test sets.
    await page.raw(`(() => {
      const began = performance.now();
      globalThis.ahead = 0;
      globalThis.ended = null;
      performance.now = () => began + ahead;
      __bridle.call('still', { callId: 9, timeout: ${kPatience} }).then((result) => { ended = result; });
    })()`);
    const frames = (n) =>
      page.main(
        `new Promise((r) => { let n = ${n}; (function on() { if (n-- > 0) requestAnimationFrame(on); else r() })() })`,
      );
    const endedAfter = async (ms) => {
      await page.raw(`ahead = ${ms}`);
      await frames(6);
      return page.raw('ended?.left ?? null');
    };
    equal(await endedAfter(100), null);
    while ((await endedAfter(300)) === null);
    equal(await page.raw('ended.left'), 0);
    await page.raw('delete performance.now');
    // A page that draws for ever: what it asks for tells nothing.
    await page.main(
      'let n = 0; window.moves = false; requestAnimationFrame(function draw() { if (++n % 2 && moves) p.style.marginTop = `${n}px`; requestAnimationFrame(draw) })',
    );
    equal((await page.call('frames', { n: 3, least: 2, adaptive: true })).motion, 0);
    await page.main('moves = true');
    ok((await page.call('frames', { n: 3, least: 2, adaptive: true })).motion > 0);
    await quiet(page);
  },

  'a click requests its frames itself, and only who waits for that click gets them': async (page) => {
    await page.load(
      '<!doctype html><title>first</title><button id="a" onclick="seen = 0; requestAnimationFrame(function count() { if (++seen < 20) requestAnimationFrame(count) })">A</button>',
    );
    const clicked = async () => {
      await page.main('document.title = "first"; window.seen = 0');
      const ready = await act(page, '#a', { guard: true });
      await page.click(ready.x, ready.y);
      await until(page, 'window.seen === 20'); // the click's are over by then
      await page.main('document.title = "later"');
    };
    const title = async (args) => (await page.call('frames', { n: 2, adaptive: true, ...args })).title;
    await clicked();
    equal(await title({ clicked: true }), 'first');
    equal(await title({ clicked: true }), 'later');
    await clicked();
    equal(await title({}), 'later');
    equal(await title({ clicked: true }), 'later');
    await clicked();
    await act(page, '#a', { guard: true });
    equal(await title({ clicked: true }), 'later');
    await page.call('hitResult');
    await quiet(page);
  },

  'a menu that moves things on mousedown is no miss': async (page) => {
    await page.load('<!doctype html><button id="a" onmousedown="this.style.marginLeft=\'300px\'">A</button>');
    const ready = await act(page, '#a', { guard: true });
    await page.click(ready.x, ready.y);
    equal((await page.call('hitResult')).hit, true);
  },

  'overwritten builtins and DOM methods reach nothing': async (page) => {
    await page.load('<!doctype html><button id="b">B</button>');
    await page.main(`Array.prototype.map = () => { throw 1 }; JSON.stringify = () => 'x'; Element.prototype.getBoundingClientRect = () => ({}); document.elementFromPoint = () => null;
      window.requestAnimationFrame = () => {}; window.getComputedStyle = null; b.getAttribute = null; Object.defineProperty(b, 'isConnected', { get() { return false } })`);
    const ready = await act(page, '#b');
    ok(ready.ok, ready.error);
    has(await page.yaml(), 'button "B"');
  },

  'a snapshot makes the next check frameless': async (page) => {
    const ref = refOf(await shown(page, '<button>B</button>'), 'B');
    // Three frames may come within less than two of their lengths, as the first may be due at once: the page's clock tells.
    await page.main(
      'const since = performance.now(); new Promise((done) => { const look = () => (performance.now() - since > 34 ? done() : requestAnimationFrame(look)); look(); })',
    );
    equal(await waitingFor(page, ref), 0);
  },

  'cancel ends a poller at once': async (page) => {
    await page.load('<!doctype html><button disabled>B</button>');
    const one = act(page, 'button', { timeout: 60000, callId: 'one' });
    const two = page.call('waitFor', { text: 'never', timeout: 60000, callId: 'two' });
    while ((await page.call('stats')).pollers < 2);
    equal((await page.call('cancel', { callId: 'one' })).cancelled, true);
    equal((await one).cancelled, true);
    equal((await page.call('cancel', { callId: 'two' })).cancelled, true);
    equal((await two).cancelled, true);
    equal((await page.call('cancel', { callId: 'two' })).cancelled, false);
    await quiet(page);
  },

  'works where no frames come': async (page, browser) => {
    // A page of another window in front: rAF stalls in a hidden one.
    await page.load('<!doctype html><button>B</button>');
    const other = await browser.newPage();
    await other.send('Page.bringToFront');
    const ready = await act(page, 'text=B');
    ok(ready.ok, ready.error);
    ok((await page.call('frames', { n: 2 })).ok);
    await browser.send('Target.closeTarget', { targetId: other.targetId });
    await page.send('Page.bringToFront');
  },

  'kinds that only resolve': async (page) => {
    await page.load(
      '<!doctype html><button id="a" style="position:absolute;top:0;left:0">A</button><div style="position:absolute;inset:0">over</div><input type="file" id="f" style="display:none"><button id="d" disabled>D</button>',
    );
    const file = await act(page, '#f', { kind: 'file' });
    same([file.tag, file.inputType], ['input', 'file']);
    equal((await act(page, '#d', { timeout: 50, kind: 'none' })).ok, true);
    await refused(page, { target: '#a' }, 'covered by');
  },

  'a step out of a frame, and the hit in the parent': async (page) => {
    await page.load(
      '<!doctype html><body style="margin:0"><iframe style="position:absolute;left:50px;top:60px;width:200px;height:100px;border:5px solid;padding:10px" srcdoc="x"></iframe><div id="o" class="cover" style="position:absolute;left:0;top:0;width:90px;height:300px"></div>',
    );
    const step = (x, y) => page.callOn('iframe', 'frameStep', { x, y });
    same(await step(85, 25), { ok: true, x: 150, y: 100, inView: true });
    const covered = await step(5, 25);
    same([covered.ok, covered.x, covered.y], [false, 70, 100]);
    has(covered.error, 'covered by <div id="o" class="cover">');
    const away = await step(85, 5000);
    same([away.ok, away.inView], [false, false]);
    await page.main('document.querySelector("iframe").style.transform = "scale(0.5)"');
    const scaled = await step(85, 25);
    ok(scaled.ok, scaled.error);
    ok(scaled.x > 150 && scaled.x < 165 && scaled.y > 100 && scaled.y < 130, JSON.stringify(scaled));
    equal((await page.call('hitAt', { target: 'iframe', x: 150, y: 100 })).ok, true);
    const missed = await page.call('hitAt', { target: 'iframe', x: 70, y: 100 });
    has(missed.error, 'covered by <div id="o" class="cover">');
    equal(missed.hitInstead, '<div id="o" class="cover">');
  },

  'a cancelled call takes its guard with it; another one stays': async (page) => {
    await page.load('<!doctype html><button id="a">A</button>');
    ok((await act(page, '#a', { guard: true, callId: 7 })).ok);
    await page.call('cancel', { callId: 8 });
    equal((await page.call('stats')).guard, true);
    await page.call('cancel', { callId: 7 });
    equal((await page.call('stats')).guard, false);
    await quiet(page);
  },

  'what may be dropped on may be covered by what is dragged': async (page) => {
    await page.load(
      '<!doctype html><div id="a" style="position:absolute;left:0;top:0;width:100px;height:40px"></div><div style="position:absolute;inset:0">over</div>',
    );
    await refused(page, { target: '#a' }, 'covered by');
    ok((await act(page, '#a', { kind: 'drop' })).ok);
  },

  'dragWatch tells a drag that the page let happen': async (page) => {
    await page.load('<!doctype html><div id="d" draggable="true">D</div>');
    await page.call('dragWatch');
    equal((await page.call('dragResult')).started, false);
    await page.call('dragWatch');
    await page.main('d.dispatchEvent(new DragEvent("dragstart", { bubbles: true, cancelable: true }))'); // a script's: untrusted
    equal((await page.call('dragResult')).started, false);
    await quiet(page);
  },

  'elements that may hide a closed root are named once': async (page) => {
    await page.load(
      '<!doctype html><x-open></x-open><x-none></x-none><div id="e" style="height:9px"></div><div id="t">text</div><div id="z"></div><p><span id="i"></span></p><div id="n" style="display: none"></div>',
    );
    await page.main(
      'customElements.define("x-open", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<p>open</p>"; } }); customElements.define("x-none", class extends HTMLElement {})',
    );
    const take = () => page.raw('__bridle.takeClosedHosts().map((el) => el.id || el.localName).join()');
    equal((await page.call('snapshot', { refStart: 1 })).closedHosts, 3);
    equal(await take(), 'x-none,e,z');
    equal((await page.call('snapshot', { refStart: 100 })).closedHosts, undefined);
    await page.main('e.style.height = "19px"');
    equal((await page.call('actionable', { target: '#nowhere', timeout: 100, hosts: true })).closedHosts, 1);
    equal(await take(), 'e');
  },

  'absent is said of what matches nothing only': async (page) => {
    await page.load('<!doctype html><p>x</p>');
    equal((await page.call('describe', { target: '#nowhere' })).absent, true);
    equal((await page.call('describe', { target: '##bad' })).absent, false);
    equal((await page.call('describe', { target: 'e99' })).absent, false);
  },
};
