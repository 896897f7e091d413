// What small pages do that people write by hand: cards that are turned over, seats that show a hand under the mouse, lines of settings.
import { equal, has, hasNot, kPatience, ok, shown } from '../expect.mjs';

const found = (page, target) => page.call('actionable', { target, timeout: 50, callId: 1 });
const delta = async (page, script) => {
  await page.main(script);
  return page.yaml({ mode: 'delta' });
};

export default {
  // [tool.snapshot.pointers]
  'what has the hand only under the mouse can be clicked, unless another rule takes it away': async (page) => {
    const yaml = await shown(
      page,
      `<style>.seat { width: 20px; height: 20px; background: gray } .seat:not(.taken):hover, .x:hover { cursor: pointer }
        .legend .seat:hover { cursor: default } li:hover b { cursor: pointer }</style>
      <div class="row"><div class="seat"></div><div class="seat taken"></div></div><div class="legend"><div class="seat"></div></div><li><b>Bold</b></li>`,
    );
    equal(yaml.match(/cursor=pointer/g)?.length, 1);
    has(yaml, /generic \[ref=e\d+\] \[looks=[^\]]*\] .*\[cursor=pointer\]/);
    const hands = async (rule, html) =>
      (await shown(page, `<style>${rule}</style>${html}`)).match(/cursor=pointer/g)?.length ?? 0;
    equal(await hands('section.x > b:hover { cursor: pointer }', '<section class="x"><b>One</b></section>'), 1);
    equal(await hands('b:is(.x, .x .y):hover { cursor: pointer }', '<b class="x">One</b>'), 1);
    equal(
      await hands('u:hover, .md\\:x:hover { cursor: pointer }', '<u>One</u><b class="md:x">Two</b><b>Three</b>'),
      2,
    );
    equal(await hands('.md\\:x:hover { cursor: pointer }', '<b class="y md:x">Two</b><b class="md">Three</b>'), 1);
  },

  // [nav.after-action.timers]
  'a card that is turned over, a page that moves aside and a panel that grows are waited for': async (page) => {
    const left = async (style, change) => {
      await shown(page, `<style>${style}</style><div id="a" style="width: 900px"><p>Front</p><p>Back</p></div>`);
      await page.call('watchAction');
      await page.main(change);
      return (await page.call('still', { timeout: 1, callId: 1 })).left > 0;
    };
    const transition = '#a { transition: all 60s }';
    ok(await left(`${transition} .on { transform: rotateX(180deg) }`, "a.className = 'on'"));
    ok(await left(`${transition} .on { transform: translateX(200px) }`, "a.className = 'on'"));
    ok(await left(`body { display: flex } ${transition} .on { flex-grow: 5 }`, "a.className = 'on'"));
    ok(!(await left(`${transition} .on { transform: translateY(-8px) rotate(3deg) }`, "a.className = 'on'")));
  },

  // [tool.snapshot.labels]
  'a label without a field names the box to tick right behind it, where they are alone': async (page) => {
    const yaml = await shown(
      page,
      `<div><label>Symbols</label><input type="checkbox" id="s"></div><div><label>Numbers</label><input type="checkbox"><input type="checkbox"></div>`,
    );
    has(yaml, /checkbox "Symbols" \[ref=e\d+\]$/m);
    hasNot(yaml, 'checkbox "Numbers"');
  },

  // [tool.target.words]
  'words name a button without its emoji, a field by what is drawn in it, a sign and the box beside a text': async (
    page,
  ) => {
    await shown(
      page,
      `<style>.t { position: absolute; visibility: hidden } .t + label { display: inline-block; width: 30px; height: 15px; background: gray }</style>
      <button id="a">Add User \u{1F471}\u200D\u2642\uFE0F</button><button id="b">\u2192 Go on</button><button id="c">+</button>
      <label for="d">Text</label><input id="d" placeholder="Enter text..."><div><input type="checkbox" id="e"><p>Check one item</p></div>
      <div><input type="checkbox" class="t" id="f"><label for="f" id="g"></label><span>Good</span></div><p>Just words here</p>`,
    );
    for (const [target, id] of [
      ['Add User', 'a'],
      ['button "Add User"', 'a'],
      ['Go on', 'b'],
      ['+', 'c'],
      ['Enter text...', 'd'],
      ['Check one item', 'e'],
      ['Good', 'g'],
    ]) {
      const { ok: isFound, x, y, error } = await found(page, target);
      equal(error, undefined);
      equal(isFound && (await page.main(`document.elementFromPoint(${x}, ${y}).id`)), id, target);
    }
    has((await found(page, 'Search by name and/or place')).error, /^Nothing on the page matches/);
    has((await found(page, 'div:::x')).error, /^Invalid selector/);
    has((await found(page, '>')).error, /^Invalid selector/);
  },

  // [tool.snapshot.quiet]
  'a hidden panel over which another one lies is not there, one beside it or under a clear one is': async (page) => {
    const panels = (
      back,
    ) => `<style>article { position: absolute; top: 0; left: 0; width: 200px; height: 90px; ${back} }</style>
      <div style="position: relative; height: 90px"><article aria-hidden="true"><p>First</p></article>
      <article style="z-index: 1" role="tabpanel"><p>Second</p></article></div>`;
    hasNot(await shown(page, panels('background: red')), 'First');
    has(await shown(page, panels('')), 'First');
  },

  // [tool.snapshot.restyled]
  'what was typed into a field whose name needs quotes is not told beside how else it is drawn': async (page) => {
    await shown(page, `<style>.on { color: red }</style><label>Mail: <input id="i"></label><p id="p">Words</p>`);
    hasNot(await delta(page, "i.focus(); i.value = 'bad'; i.ariaLabel = 'Mail: a value'; p.className = 'on'"), 'drawn');
  },

  // [tool.target.nearest]
  'what is not on a page with a clock is told before the time is up, but not where something progresses': async (
    page,
  ) => {
    await shown(
      page,
      `<button>Go</button><p id="t">0</p><i id="b"></i><script>let n = 0;
      setInterval(() => { t.textContent = ++n; b.style.width = n + 'px' }, 40)</script>`,
    );
    const missed = (timeout) => page.call('actionable', { target: '#none', timeout, callId: 1, quiet: true });
    const clock = await missed(kPatience);
    ok(clock.absent && !clock.timedOut);
    // What comes when the clock has gone on for longer than that is waited for then, as is what comes behind rows.
    const arrives = async (html, rows) => {
      await shown(
        page,
        `${html}<p id="t">0</p><ul id="l"></ul><script>let n = 0; const timer = setInterval(() => {
          t.textContent = ++n;
          if (${rows} && n % 5 === 0) l.insertAdjacentHTML('beforeend', '<li>Row</li>');
          if (n < 60) return;
          clearInterval(timer);
          document.body.insertAdjacentHTML('beforeend', '<button id="none">There</button>');
        }, 40)</script>`,
      );
      return (await missed(kPatience)).ok;
    };
    ok(await arrives('<progress></progress>', false));
    ok(await arrives('', true));
  },

  // [tool.target.words]
  'a field to type into is named by the words that its name begins with, where it is the only one': async (page) => {
    const type = (target) => page.call('actionable', { target, timeout: 50, callId: 1, kind: 'type' });
    await shown(
      page,
      `<input placeholder="Search products..."><button>Search all</button><input placeholder="Enter name"><input placeholder="Enter town"><button>Delete all</button>`,
    );
    has((await type('Search')).describe, 'textbox "Search products..."');
    ok(!(await type('Enter')).ok); // which one?
    ok(!(await type('Sea')).ok);
    ok(!(await found(page, 'Delete')).ok);
    ok(!(await found(page, 'Search')).ok);
  },

  // [tool.snapshot.delta]
  'what a drag has put into another box without words is told by how far it has gone': async (page) => {
    await shown(
      page,
      `<style>body { margin: 0 } .box { position: absolute; top: 0; width: 90px; height: 90px } .card { width: 50px; height: 50px; background: teal; cursor: grab }</style>
      <div class="box" style="left: 0"><div id="card" class="card" draggable="true"></div></div><div class="box" id="to" style="left: 200px"></div>`,
    );
    await page.call('dragWatch', {});
    for (const type of ['mousePressed', 'mouseReleased'])
      await page.send('Input.dispatchMouseEvent', { type, x: 9, y: 9, button: 'left', clickCount: 1 });
    await page.call('dragResult', {});
    has(await delta(page, 'to.append(card)'), /generic \[ref=e\d+\] moved by 200, 0 px/);
  },
};
