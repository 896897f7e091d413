// Where an element is pressed that has no box of its own to press, and what is said of a press that made no click.
// Contract: [tool.actionable]
import { equal, hasNot, kPatience, ok, quiet, refused, same, until } from '../expect.mjs';

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

  // Shoelace and jsTree
  'an item that holds others of its kind is pressed on its own line': async (page) => {
    await page.load(
      `<!doctype html><body style="margin:0"><div role="tree" style="line-height:20px"><div role="treeitem" id="fruit">Fruit
      <div role="group"><div role="treeitem">Apple</div><div role="treeitem">Pear</div><div role="treeitem">Fig</div></div></div></div>
      <ul style="list-style:none;margin:0"><li id="nuts"><a style="cursor:pointer">Nuts</a><ul><li>Walnut</li><li>Pecan</li><li>Cashew</li></ul></li></ul>`,
    );
    await page.main('addEventListener("click", ({ target }) => { window.at = target }); 0');
    await press(page, '#fruit');
    equal(await page.main('at.id'), 'fruit');
    await press(page, '#nuts');
    equal(await page.main('at.textContent'), 'Nuts');
  },

  // Carbon's switch
  'a button of no size is pressed by its label, and one without a label where it is drawn': async (page) => {
    const button = (id) =>
      `<button role="switch" aria-checked="false" id="${id}" style="${kUnseen};padding:0;border:0"`;
    const flip = 'onclick="ariaChecked = ariaChecked !== \'true\'"';
    await page.load(
      `<!doctype html><body style="margin:20px"><div style="position:relative">${button('covered')} ${flip}></button>
        <label for="covered">Wifi<div style="width:48px;height:24px;background:#ccc"></div></label>
        <div id="over" style="position:absolute;left:-4px;top:-4px;width:8px;height:8px;background:#eee"></div></div>
      <button id="drawn" ${flip} style="position:relative;width:0;height:0;padding:0;border:0">
        <span style="position:absolute;width:30px;height:30px;left:0;top:10px;background:#ccc"></span></button>`,
    );
    for (const id of ['covered', 'drawn']) {
      await press(page, '#' + id);
      await until(page, `document.getElementById('${id}').ariaChecked === 'true'`);
    }
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
    // A press goes to the thumb that is drawn for it.
    const { x, y } = await act(page, '#clip');
    equal([x, y].join(), '18,18');
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

  // The page's reaction to a press alone is no lost click; letters that are made anew, and what a blur has moved, are.
  'a click that was lost is told only where the page has not reacted to the press': async (page) => {
    const cases = {
      // [html, whether the click is told as lost]
      letters: [
        `<svg width="200" height="100"><text id="a" x="20" y="60" font-size="60" onmouseover="this.innerHTML = '<tspan>H</tspan>'" onmousedown="this.innerHTML = '<tspan>H</tspan>'"><tspan>H</tspan></text></svg>`,
        true,
      ],
      anew: [`<ul onmousedown="this.innerHTML = this.innerHTML"><li id="a">One</li><li>Two</li></ul>`, true],
      hides: [`<button id="a" onmousedown="this.style.display = 'none'">Gone</button>`, true],
      moved: [
        `<input id="f" onblur="p.textContent = 'Wrong'; p.style.height = '300px'" autofocus><p id="p"></p><button id="a">Send</button><script>f.focus()</script>`,
        true,
      ],
      same: [
        `<div id="o" class="x"></div><button id="a" onmousedown="o.className = 'x'; this.style.display = 'none'">Gone</button>`,
        true,
      ],
      opens: [
        `<button id="a" onpointerdown="list.hidden = false">Menu</button><div id="list" hidden style="position:fixed;inset:0;background:white">List</div>`,
        false,
      ],
      added: [
        `<button id="a" onpointerdown="document.body.insertAdjacentHTML('beforeend', '<div style=position:fixed;inset:0>List</div>')">Menu</button>`,
        false,
      ],
      chosen: [`<ul id="l"><li id="a" onmousedown="l.remove()">One</li></ul><p>Text</p>`, false],
      rebuilt: [
        `<div id="days" onmousedown="days.innerHTML = '<b class=on>1</b><b>2</b>'"><b id="a">1</b><b>2</b></div>`,
        false,
      ],
      works: [`<button id="a">Works</button>`, false],
    };
    for (const [name, [html, lost]] of Object.entries(cases)) {
      await page.load('<!doctype html>' + html);
      const { clickedInstead } = await press(page, '#a');
      equal(clickedInstead !== null, lost, `${name}: ${clickedInstead}`);
    }
    await page.load(
      '<!doctype html><div id="host"></div><script>const root = host.attachShadow({ mode: "open" }); root.innerHTML = "<button id=a>Menu</button><div hidden style=position:fixed;inset:0>List</div>"; root.firstChild.onpointerdown = () => { root.lastChild.hidden = false }</script>',
    );
    equal((await press(page, '#a')).clickedInstead, null);
    await page.call('frames', { n: 2, adaptive: true, clicked: true }); // those that the click has requested
    await quiet(page);
  },

  // [tool.actionable] buttons that beat, lines of news
  'what moves for ever is pressed where it is': async (page) => {
    const ready = (target) =>
      page.call('actionable', { target, kind: 'click', timeout: kPatience, guard: true, callId: 1 });
    await page.load(`<!doctype html><style>@keyframes beat{50%{transform:scale(1.3)}} @keyframes leap{50%{transform:translateY(60px)}}
      button{animation:2s infinite} #beats{animation-name:beat} #leaps{animation-name:leap}</style>
      <button id="beats">Buy</button> <button id="leaps">Talk to us</button>`);
    for (const target of ['#beats', '#leaps']) {
      for (let hit = false; !hit; ) {
        const at = await ready(target);
        ok(at.ok, at.error);
        await page.click(at.x, at.y);
        hit = (await page.call('hitResult')).hit;
      }
    }
    await page.load('<!doctype html><button id="b" style="position:absolute;top:20px;width:90px">News</button>');
    await page.main(
      "(function step() { b.style.left = (performance.now() / 20) % 300 + 'px'; window.timer = requestAnimationFrame(step); })()",
    );
    const last = await ready('#b');
    ok(last.ok, last.error);
    await page.main('cancelAnimationFrame(timer)');
  },
};
