// Contract: [tool.wait-for]
import { equal, has, kPatience, ok, same, shown } from '../expect.mjs';

export default {
  'waitFor: there already, later, gone, never': async (page) => {
    await page.load(
      '<!doctype html><p id="p">Loading <b>now</b></p><div style="display:none" id="h">Secret words</div><input value="typed value"><input type="password" value="pass words">',
    );
    const wait = (args) => page.call('waitFor', { timeout: kPatience, callId: 7, ...args });
    ok((await wait({ text: 'loading now' })).ok);
    ok((await wait({ text: 'typed value' })).ok);
    equal((await wait({ text: 'Secret words', timeout: 40 })).timedOut, true);
    equal((await wait({ text: 'pass words', timeout: 40 })).timedOut, true);
    // Begins to wait, then the page changes: the answer comes of the change.
    const comes = async (args, change) => {
      const waiting = wait(args);
      while (!(await page.call('stats')).pollers);
      await page.main(change + '; 0');
      ok((await waiting).ok, change);
    };
    await comes({ textGone: 'Loading' }, 'p.textContent = "Done"');
    ok((await wait({ text: 'Done', textGone: 'Loading' })).ok);
    await comes({ text: 'secret WORDS' }, 'h.style.display = "block"');
    const never = await wait({ text: 'never', timeout: 50 });
    has(never.error, /text "never" did not appear within \d+ ms/);
    ok(never.waitedMs >= 45);
    has((await wait({ textGone: 'Done', timeout: 50 })).error, 'still there');
    const { pollers, observers, timers } = await page.call('stats');
    same([pollers, observers, timers], [0, 0, 0]);
  },

  'waitFor names what may hide a closed root: before text counts as gone, and while it does not come': async (page) => {
    await page.load('<!doctype html><p>here</p><div id="e" style="height:9px"></div>');
    const wait = (args) => page.call('waitFor', { timeout: 40, callId: 8, ...args });
    equal((await wait({ text: 'here', hosts: true })).ok, true);
    equal((await wait({ textGone: 'hidden', hosts: true })).closedHosts, 1);
    equal(await page.raw('__bridle.takeClosedHosts().length'), 1);
    equal((await wait({ textGone: 'hidden', hosts: true })).ok, true);
    await page.main('e.style.height = "19px"; 0');
    equal((await wait({ text: 'hidden', hosts: true })).closedHosts, 1);
    await page.raw('__bridle.takeClosedHosts()');
    const later = wait({ text: 'hidden', hosts: true, timeout: kPatience });
    await page.main('e.style.height = "29px"; 0');
    equal((await later).closedHosts, 1);
    await page.raw('__bridle.takeClosedHosts()');
    equal((await wait({ text: 'hidden', hosts: true })).timedOut, true);
  },

  'what came while the page stood still has come in time': async (page, browser) => {
    await page.load('<!doctype html><p id="p">Loading</p>');
    const other = await browser.newPage(); // in front: no frame comes before what is due
    await other.send('Page.bringToFront');
    const result = await page.raw(
      `(() => {
        const waiting = __bridle.call('waitFor', { text: 'Done', timeout: 200 });
        setTimeout(() => {
          document.querySelector('p').textContent = 'Done';
          const end = performance.now() + 400;
          while (performance.now() < end);
        }, 100);
        return waiting;
      })()`,
    );
    await browser.send('Target.closeTarget', { targetId: other.targetId });
    await page.send('Page.bringToFront');
    ok(result.ok, JSON.stringify(result));
  },

  frames: async (page) => {
    await page.load('<!doctype html><p id="p">x</p>');
    equal((await page.call('frames', { n: 2 })).frames, 2);
    equal((await page.call('frames', { n: 3, adaptive: true })).frames, 1);
    // Changes all the time: where a frame takes long, one is not waited for longer than for those that never come.
    await page.main(`let i = 0; const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { p.textContent = i++; if (p.isConnected) port2.postMessage(0); };
      port2.postMessage(0);`);
    equal((await page.call('frames', { n: 3, adaptive: true })).frames, 3);
    await page.main('p.remove()');
  },

  // [tool.find] [tool.find.neighbours]
  'find: lines with their path': async (page) => {
    await page.load(
      `<!doctype html><main><h1>Fruit</h1><ul aria-label="Basket">${Array.from({ length: 60 }, (_, i) => `<li>apple ${i} <button>Eat ${i}</button></li>`).join('')}</ul><a href="/apples">more</a><input aria-label="q" value="pear"></main>`,
    );
    const find = (args) => page.call('find', { refStart: page.next ?? 1, ...args });
    page.next = 1;
    const one = await find({ text: 'EAT 42' });
    equal(one.count, 1);
    equal(
      one.yaml.replaceAll(/ \[ref=e\d+\]/g, ''),
      [
        '- main:',
        '  - list "Basket":',
        '    - …',
        '    - listitem:',
        '      - …',
        '      - button "Eat 41"',
        '    - listitem:',
        '      - text: apple 42',
        '      - button "Eat 42"',
        '    - listitem:',
        '      - text: apple 43',
        '      - button "Eat 43"',
        '    - …',
      ].join('\n'),
    );
    page.next = one.next;
    ok((await page.call('describe', { target: /"Eat 42" \[ref=(e\d+)\]/.exec(one.yaml)[1] })).ok);
    const many = await find({ regex: 'apple \\d+$', limit: 5 });
    equal(many.count, 60);
    equal(many.shown, 5);
    equal((many.yaml.match(/apple/g) ?? []).length, 5);
    has((await find({ text: '/apples' })).yaml, '- /url: /apples');
    has((await find({ text: 'pear' })).yaml, ': pear');
    equal((await find({ regex: '^apple 1\\d$' })).yaml.includes('Eat'), false); // of ten matches none tells its neighbours
    equal((await find({ text: 'nothing like it' })).yaml, '');
    has((await find({ regex: '(' })).error, 'Invalid regular expression');
    equal((await find({ regex: 'EAT 4$' })).count, 0);
    equal((await find({ regex: 'EAT 4$', flags: 'i' })).count, 1);
  },

  'pageInfo and unknown calls': async (page) => {
    await page.load('<!doctype html><title>T</title><input aria-label="a" autofocus>');
    await page.yaml();
    const info = await page.call('pageInfo');
    same([info.title, info.width, info.height, info.view.scale], ['T', 1280, 720, 1]);
    await page.raw('__bridle.call("nonsense")').then(
      () => ok(false),
      (error) => has(error.message, 'no call nonsense'),
    );
    equal(await page.raw('Object.keys(globalThis).includes("__bridle")'), false);
    await page.raw(page.script);
    equal(await page.main('typeof __bridle'), 'undefined');
    await page.load('<!doctype html><p id="__bridle">x</p>');
    has(await page.yaml(), 'x');
  },

  'a quick wait takes no frame where nothing happens, and one where anything does': async (page) => {
    await page.load('<!doctype html><p id="p">x</p><input id="i">');
    const after = async (effect) => {
      await page.call('watchAction');
      await page.main(effect);
      return (await page.call('frames', { n: 2, adaptive: true, quick: true })).frames;
    };
    equal(await after('0'), 0);
    equal(await after('i.value = "typed"'), 0);
    for (const effect of [
      'requestAnimationFrame(() => {})',
      'setTimeout(() => {}, 0); 0',
      'queueMicrotask(() => requestAnimationFrame(() => {})); 0',
      'new Promise((r) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { p.append(document.createElement("b")); r(0) }; port2.postMessage(0) })',
    ])
      ok((await after(effect)) >= 1, effect);
    ok((await page.call('frames', { n: 2, adaptive: true, quick: true })).frames >= 1, 'without a watch');
    await page.main('document.body.append(document.createElement("iframe")); document.querySelector("iframe").focus()');
    await page.main('document.querySelector("iframe").contentWindow.focus()');
    equal((await page.call('watchAction')).watching, false);
    equal((await page.call('stats')).observers, 0);
  },

  // What a frame runs besides what the page has asked for: its observers of size and of visibility.
  'a quick wait takes no frame for a change that moves no box, and one for any that may': async (page) => {
    await page.load(
      '<!doctype html><p id="p">x</p><p>Typed: <span id="s">0</span> characters</p><p><em id="e" style="display:inline-block">0</em></p><ul id="u" style="height:50px;overflow:auto"><li>1<li id="l">2<li>3<li>4</ul><input id="i">',
    );
    const after = async (effect) => {
      await page.call('watchAction');
      await page.main(effect + '; 0');
      return (await page.call('frames', { n: 2, adaptive: true, quick: true })).frames;
    };
    for (const effect of [
      'p.textContent = "y"',
      's.textContent = "twenty"',
      'p.className = "y"',
      'u.setAttribute("aria-busy", "true")',
      'Promise.resolve().then(() => { p.textContent = "z" })',
    ])
      equal(await after(effect), 0, effect);
    for (const effect of [
      'p.style.height = "99px"',
      'e.textContent = "twenty"',
      's.textContent = "long ".repeat(300)',
      'l.before(document.createTextNode("more"))',
      'l.remove()',
      'p.hidden = true',
      'u.className = "scrolled"; u.scrollTop = 20',
      'document.head.append(document.createElement("style"))',
    ])
      ok((await after(effect)) >= 1, effect);
    await page.main('document.body.style.height = "9000px"; 0');
    ok((await after('scrollTo(0, 99)')) >= 1, 'a scroll');
    await page.main('for (let i = 0; i < 600; i++) document.body.append(document.createElement("i")); 0');
    ok((await after('p.textContent = "large"')) >= 1, 'a page too large to look at');
    const { observers, frames, timers } = await page.call('stats');
    same({ observers, frames, timers }, { observers: 0, frames: 0, timers: 0 });
  },

  'a key that scrolls is watched only where it moves a caret': async (page) => {
    await page.load('<!doctype html><input id="i"><div id="d" tabindex="0">list</div>');
    const watching = async (focus, args) => {
      await page.main(focus + '.focus()');
      return (await page.call('watchAction', args)).watching;
    };
    same(
      [await watching('i', { scrolls: true }), await watching('d', { scrolls: true }), await watching('d')],
      [true, false, true],
    );
  },

  'a filled field takes no frame where its page only writes a text': async (page) => {
    await page.load('<!doctype html><input id="i"><p>Typed: <span id="s">0</span> characters</p>');
    const after = async (handler) => {
      await page.main(`i.oninput = () => { ${handler} }; 0`);
      await page.call('fill', { target: '#i', text: 'twenty', watch: true });
      await page.send('Input.insertText', { text: 'twenty' });
      await page.call('endTyping');
      return (await page.call('frames', { n: 2, adaptive: true, quick: true })).frames;
    };
    equal(await after('s.textContent = i.value.length'), 0);
    ok((await after('setTimeout(() => { s.textContent = "later" })')) >= 1, 'a timer of the page');
  },

  'the frame that a filled field needs is asked for in the task that filled it': async (page) => {
    await page.load('<!doctype html><input id="i"><ul id="u"></ul>');
    await page.main(
      'i.oninput = () => { u.innerHTML = "<li>" + i.value; requestAnimationFrame(() => u.append("later")) }; 0',
    );
    equal((await page.call('fill', { target: '#i', text: 'a', watch: true })).input, true);
    await page.raw('addEventListener("input", () => { globalThis.running = __bridle.call("stats").frames; })');
    await page.send('Input.insertText', { text: 'a' });
    equal(await page.raw('running'), 1);
    await page.call('endTyping');
    ok((await page.call('frames', { n: 2, adaptive: true, quick: true })).frames >= 1);
    equal(await page.main('u.textContent'), 'alater');
    const { observers, frames, timers } = await page.call('stats');
    same({ observers, frames, timers }, { observers: 0, frames: 0, timers: 0 });
  },

  // rc-motion, of Ant Design
  'a popup that is held at the start of its animation is waited for, one that was held before is not': async (page) => {
    const held = (id) =>
      `<div id="${id}" style="opacity:0;animation:f 900s both paused"><div role="dialog" aria-label="Box">Words</div></div>`;
    await shown(
      page,
      `<style>@keyframes f { from { opacity: 0 } } @keyframes g { from { height: 9px } }</style><button id="b">Open</button>${held('old')}<main id="m">`,
    );
    const { ok: watched } = await page.call('watchAction');
    ok(watched);
    equal((await page.call('frames', { n: 1 })).motion, 0);
    await page.call('watchAction');
    await page.main(`m.innerHTML = ${JSON.stringify(held('p'))}; document.getAnimations().length`);
    ok((await page.call('frames', { n: 1 })).motion > 0);
    // It runs by and by, and is over at once.
    const waiting = page.call('still', { callId: 9, timeout: kPatience });
    await page.main(
      'p.getAnimations()[0].effect.updateTiming({ duration: 1 }); p.style.animationPlayState = "running"; 0',
    );
    equal((await waiting).left, 0);
    // A style that holds an animation it has not named yet is the first that some popups have.
    await page.call('watchAction');
    await page.main(`document.body.insertAdjacentHTML('beforeend',
      '<div id="late"><div style="opacity:0;animation-play-state:paused"><p>Words</p></div></div>'); 0`);
    ok((await page.call('frames', { n: 1 })).motion > 0);
    await page.call('watchAction');
    equal((await page.call('frames', { n: 1 })).motion, 0);
    // What shows is not waited for, nor what is held on.
    await page.call('watchAction');
    const shows = '<div style="animation:g 900s both paused"><p>Words</p></div>';
    await page.main(`m.innerHTML = ${JSON.stringify(shows)}; document.getAnimations().length`);
    equal((await page.call('frames', { n: 1 })).motion, 0);
    await page.call('watchAction');
    await page.main(`m.innerHTML = ${JSON.stringify(held('r'))}; 0`);
    equal((await page.call('still', { callId: 9, timeout: kPatience })).left, 0);
  },

  // Contract: [nav.after-action.timers]
  'the backdrop of a dialog that is to come is waited for, what only decorates is not': async (page) => {
    const motionOf = async (style, keyframes = '{ opacity: [0, 0.5] }') => {
      await shown(page, `<button>Open</button><div id="d" style="${style}"></div>`);
      await page.call('watchAction');
      await page.main(`d.animate(${keyframes}, 900_000); 0`);
      return (await page.call('frames', { n: 1 })).motion > 0;
    };
    equal(await motionOf('position:fixed;inset:0'), true);
    equal(await motionOf('position:fixed;inset:0', '{ color: ["red", "blue"] }'), false);
    equal(await motionOf('position:fixed;inset:0 0 50% 0'), false);
    equal(await motionOf('position:absolute;inset:0'), false);
    equal(await motionOf('width:90px;height:90px'), false);
  },

  // Contract: [nav.after-action.timers]
  'what the page does when it is idle is waited for, as long as it asks for more': async (page) => {
    await page.load('<!doctype html><p id="p"></p>');
    const due = async (script) => {
      await page.call('watchAction');
      await page.main(script + '; 0');
      return (await page.call('frames', { n: 1, quick: true })).idle;
    };
    equal(await due('p.title = "x"'), false);
    ok(await due('let n = 9; (function step() { p.textContent = n; if (n--) requestIdleCallback(step) })()'));
    same(await page.call('idled', { callId: 9, timeout: kPatience }), { ok: true, left: false });
    equal(await page.main('p.textContent'), '0');
    equal(await due('p.title = "y"'), false);
    // A page that asks for ever is waited for once, until it rests.
    ok(await due('window.on = true; (function step() { if (on) requestIdleCallback(() => step()) })()'));
    same(await page.call('idled', { callId: 9, timeout: 50 }), { ok: true, left: true });
    const rest = () => page.main('new Promise((done) => setTimeout(done, 600))');
    for (let i = 0; i < 2; i++) {
      await rest();
      equal(await due('0'), false);
    }
    await page.main('window.on = false; 0');
    do await rest();
    while (!(await due('requestIdleCallback(() => {})')));
    const waiting = page.call('idled', { callId: 9, timeout: kPatience });
    ok((await waiting).ok);
    const { pollers, timers, idle } = await page.call('stats');
    same([pollers, timers, idle], [0, 0, 0]);
  },

  'what an animation in a shadow tree shows is waited for': async (page) => {
    await shown(page, '<div id="host"></div>');
    await page.main(
      'host.attachShadow({ mode: "open" }).innerHTML = "<section><b>slow</b></section>"; host.shadowRoot.firstChild.animate({ opacity: [0, 1] }, 900_000).id = "in"; 0',
    );
    equal((await page.call('still', { callId: 9, timeout: 50 })).left, 0); // nobody has met that tree yet
    await page.yaml();
    ok((await page.call('still', { callId: 9, timeout: 50 })).left > 600_000);
    ok((await page.call('frames', { n: 1 })).motion > 600_000);
    await page.main('host.shadowRoot.getAnimations()[0].finish(); 0');
    equal((await page.call('still', { callId: 9, timeout: kPatience })).left, 0);
  },

  // Contract: [nav.after-action.timers]
  'what a script moves for ever is waited for once, what comes to rest beside it again': async (page) => {
    await shown(page, '<div id="a"><p>List</p></div><div id="b"><p>Banner</p></div>');
    await page.main(`window.move = (el, times) => { let n = 0;
      (function step() { el.style.marginLeft = (n % 50) + 'px'; if (++n < times) requestAnimationFrame(step); })(); };
      move(a, 12); move(b, Infinity); 0`);
    const motion = async () => (await page.call('frames', { n: 3, adaptive: true })).motion;
    ok((await motion()) > 0);
    equal((await page.call('still', { callId: 9, timeout: 900 })).left, 0);
    equal(await page.main('a.style.marginLeft'), '11px');
    equal(await motion(), 0); // the banner, which still moves
    await page.main('move(a, 12); 0');
    ok((await motion()) > 0);
    equal((await page.call('still', { callId: 9, timeout: kPatience })).left, 0);
    equal(await page.main('a.style.marginLeft'), '11px');
    equal((await page.call('stats')).observers, 0);
  },

  // Contract: [nav.after-action.timers] As driver.js draws the way to the next step of its tour.
  'a shape that a script draws anew frame by frame is waited for': async (page) => {
    await shown(page, '<svg width="200" height="200"><path id="a" d="M0 0h9v9z"/></svg><p id="p"></p>');
    await page.main(`let n = 0; (function step() { a.setAttribute('d', 'M' + n + ' 0h9v9z');
      if (++n < 60) requestAnimationFrame(step); else p.textContent = 'Second stop'; })(); 0`);
    ok((await page.call('frames', { n: 3, adaptive: true })).motion > 0);
    equal((await page.call('still', { callId: 9, timeout: kPatience })).left, 0);
    equal(await page.main('p.textContent'), 'Second stop');
  },

  // Contract: [nav.after-action.timers]
  'an animation that the action begins counts, though its frame had begun before the action': async (page) => {
    await shown(page, '<div id="a"><p>Panel</p></div><div id="b"><p>Other</p></div>');
    await page.main(
      'window.frame = document.timeline.currentTime; window.old = b.animate({ opacity: [1, 0] }, 800_000); 0',
    );
    await page.main('old.ready.then(() => 0)');
    await page.call('watchAction');
    ok((await page.call('frames', { n: 0 })).motion === 0);
    await page.main('a.animate({ opacity: [1, 0] }, 900_000).startTime = frame; 0');
    ok((await page.call('frames', { n: 1 })).motion > 600_000);
    await page.call('frames', { n: 1, quick: true }); // takes the watch away
    equal((await page.call('stats')).observers, 0);
  },
};
