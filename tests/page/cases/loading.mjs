// Contract: [nav.stand-in] [nav.passing]
import { equal, has, kPatience, ok } from '../expect.mjs';

const kSpin =
  '<style>@keyframes s{to{transform:rotate(360deg)}} .spin{width:20px;height:20px;animation:s 1s infinite}</style>';
const doc = (body) => `<!doctype html>${kSpin}<title>T</title>${body}`;
const text = '<h1>Shop</h1><p>All that we have.</p><a href="#x">more</a>';

// What a page may show while it loads, and what is said of it.
const kStandIns = {
  'a busy region': [`${text}<section aria-busy="true" aria-label="Results" id="s">...</section>`, 'busy "Results"'],
  'a progress indicator': [`${text}<div role="progressbar" id="s">.</div>`, 'a progress indicator'],
  'a progress bar without a value': [`${text}<progress id="s"></progress>`, 'a progress indicator'],
  'a spinner by its class': [`${text}<div class="mat-spinner spin" id="s"></div>`, 'a placeholder is animated'],
  'a part of a skeleton': [
    `${text}<div class="card-skeleton" id="s"><i class="spin" style="display:block"></i></div>`,
    'animated',
  ],
  'a ring that its class calls indeterminate': [
    `${text}<div class="round" id="s"><i class="ring indeterminate spin" style="display:block"></i></div>`,
    'animated',
  ],
  'a ring in a button, whose classes say nothing': [
    `${text}<button id="s">Sign in <span class="spin css-1a" style="display:inline-block"><svg width="20" height="20"></svg></span></button>`,
    'a ring turns',
  ],
  'a ring that turns by more than once': [
    `${text}<style>@keyframes t { from { transform: rotate(-90deg) } to { transform: rotate(666deg) } }</style>
    <div id="s" style="width:25px;height:25px;animation:t 1.6s linear infinite"></div>`,
    'a ring turns',
  ],
  'words in the main region': [`<nav><a href="#x">Home</a></nav><main id="s">Loading…</main>`, '"Loading…"'],
  'words alone': ['<div id="s">Please wait while we get things ready</div><script></script>', '"Please wait'],
};
// What isn't one, though it looks alike.
const kContents = {
  'progress that is measured': `${text}<progress value="0.4"></progress><div role="progressbar" aria-valuenow="3">3 %</div>`,
  'a progress bar with a value and its role': `${text}<progress role="progressbar" value="0"></progress>`,
  'a progress bar that is hidden from readers until it is used': `${text}<div role="progressbar" aria-hidden="true" style="height:2px"></div>`,
  'the steps of a wizard': `${text}<div role="progressbar" aria-label="Progress"><ul><li>One<li>Two</ul></div>`,
  'a spinner that is transparent': `${text}<div class="preloader"><div class="spin" style="opacity:0"></div></div>`,
  'a spinner that is not shown': `${text}<div class="spinner spin" style="display:none"></div>`,
  'a busy region below the window': `${text}<div style="height:5000px"></div><div aria-busy="true">later</div>`,
  'a class that is not animated': `${text}<div class="loading">Loading dock</div><div class="placeholder">here</div>`,
  'a bar that draws how much longer a message stays': `${text}<style>@keyframes l { from { transform: scaleX(1) } to { transform: scaleX(0) } }
    @keyframes n { from { width: 100% } to { width: 0% } } [role=progressbar] { height: 4px; background: green; width: 200px }</style>
    <div role="alert">Saved</div><div role="progressbar" style="animation: l 60s linear 1 forwards"></div>
    <div role="progressbar" style="animation: n 60s linear 1 forwards"></div>`,
  'words among others': `${text}<p>Loading…</p>`,
  'an animation that only decorates': `${text}<div class="logo spin">~</div>`,
  'a large picture that turns': `${text}<div class="spin" style="width:200px;height:200px;background:red"></div>`,
  'what swings to and fro': `${text}<style>@keyframes w { from { transform: rotate(-20deg) } to { transform: rotate(20deg) } }</style>
    <div style="width:25px;height:25px;animation:w 1s infinite alternate">~</div>`,
  'what turns slowly': `${text}<div class="spin" style="animation-duration:20s"></div>`,
};

export default {
  'what stands in for content that is loaded is waited for until it has gone': async (page) => {
    for (const [what, [body, words]] of Object.entries(kStandIns)) {
      await page.load(doc(body));
      has((await page.call('frames', { n: 1 })).loading, words, what);
      const waiting = page.call('loaded', { callId: 9, timeout: kPatience });
      while (!(await page.call('stats')).pollers);
      await page.main('s.replaceWith("here it is"); 0');
      const { ok: found, words: left, waitedMs } = await waiting;
      ok(found && waitedMs > 0, what);
      equal(left, '', what);
    }
    const { pollers, observers, timers } = await page.call('stats');
    equal(pollers + observers + timers, 0);
  },

  'what only looks alike is not waited for': async (page) => {
    for (const [what, body] of Object.entries(kContents)) {
      await page.load(doc(body));
      const { words, waitedMs } = await page.call('loaded', { callId: 9, timeout: kPatience });
      equal(`${words} ${waitedMs}`, ' 0', what);
    }
  },

  'a page that shows nothing is waited for once': async (page) => {
    const blank = { callId: 9, timeout: kPatience, blank: kPatience };
    await page.load(doc('<main></main><script></script>'));
    const waiting = page.call('loaded', blank);
    while (!(await page.call('stats')).pollers);
    await page.main('document.querySelector("main").textContent = "Here"; 0');
    const { words, waitedMs } = await waiting;
    ok(waitedMs > 0);
    equal(words, '');
    equal((await page.call('loaded', blank)).waitedMs, 0);
    await page.load(doc('<main></main><script></script>'));
    ok((await page.call('loaded', { ...blank, blank: 1 })).waitedMs > 0);
    equal((await page.call('loaded', { ...blank, blank: 1 })).waitedMs, 0);
  },

  // [nav.fetches]
  'the view is waited for that a page goes on to from the first that it shows': async (page) => {
    await page.load(doc('<main></main><script></script>'));
    const waiting = page.call('loaded', { callId: 9, timeout: kPatience, blank: kPatience });
    while (!(await page.call('stats')).pollers);
    await page.main(`view = document.querySelector("main"); view.textContent = "Orders";
      setTimeout(() => { location.hash = "login"; setTimeout(() => { view.textContent = "Log in"; }, 20); }); 0`);
    equal((await waiting).words, '');
    equal(await page.main('view.textContent'), 'Log in');
  },

  'an element whose class has yet to come is waited for while a script is under way': async (page) => {
    const undefinedOnes = { fetching: true, scripts: true };
    await page.load(doc(`${text}<my-dialog></my-dialog><script></script>`));
    equal((await page.call('loaded', { callId: 9, timeout: 50, fetching: true })).waitedMs, 0); // no script is
    const waiting = page.call('loaded', { callId: 9, timeout: kPatience, ...undefinedOnes });
    while (!(await page.call('stats')).pollers);
    await page.main('customElements.define("my-dialog", class extends HTMLElement {}); 0');
    const { words, waitedMs } = await waiting;
    ok(waitedMs > 0);
    equal(words, '');
    await page.load(doc(`${text}<my-template style="display:none">unused</my-template><script></script>`));
    equal((await page.call('loaded', { callId: 9, timeout: 50, ...undefinedOnes })).waitedMs, 0);
    // As AngularJS writes its directives, which nobody ever defines.
    await page.load(doc(`${text}<ng-include><p>Words</p></ng-include><ng-view><input></ng-view><script></script>`));
    equal((await page.call('loaded', { callId: 9, timeout: 50, ...undefinedOnes })).waitedMs, 0);
    await page.load(doc(`${text}<ng-include></ng-include><script></script>`));
    has((await page.call('loaded', { callId: 9, timeout: 50, ...undefinedOnes })).words, '<ng-include>');
    await page.main('document.querySelector("ng-include").replaceWith(document.createElement("ng-include")); 0');
    equal((await page.call('loaded', { callId: 9, timeout: 50, ...undefinedOnes })).words, '');
  },

  'an empty page is waited for while requests are under way, if it has a script': async (page) => {
    await page.load(doc('<div id="root"></div><script></script>'));
    equal((await page.call('loaded', { callId: 9, timeout: 50 })).waitedMs, 0);
    const empty = await page.call('loaded', { callId: 9, timeout: 50, fetching: true });
    equal(empty.words, 'nothing is shown yet');
    ok(empty.waitedMs >= 45);
    await page.load(doc('<div id="root"></div>'));
    equal((await page.call('loaded', { callId: 9, timeout: 50, fetching: true })).waitedMs, 0);
    await page.load(doc('<canvas></canvas><script></script>'));
    equal((await page.call('loaded', { callId: 9, timeout: 50, fetching: true })).waitedMs, 0);
  },

  'a picture alone is no page while requests are under way': async (page) => {
    const splash = '<svg id="s" width="40" height="40"><circle r="9" cx="20" cy="20"></circle></svg><script></script>';
    await page.load(doc(splash));
    equal((await page.call('loaded', { callId: 9, timeout: 50 })).words, '');
    equal((await page.call('loaded', { callId: 9, timeout: 50, fetching: true })).words, 'nothing is shown yet');
    await page.load(doc(`<p>Drawing</p>${splash}`));
    equal((await page.call('loaded', { callId: 9, timeout: 50, fetching: true })).words, '');
    await page.load(doc(`<video controls></video>${splash}`));
    equal((await page.call('loaded', { callId: 9, timeout: 50, fetching: true })).words, '');
  },

  'what does not go in its time is told of, and not waited for again': async (page) => {
    await page.load(doc(`${text}<div aria-busy="true" id="s">...</div>`));
    const first = await page.call('loaded', { callId: 9, timeout: 50 });
    ok(first.waitedMs >= 45);
    equal(first.words, 'busy');
    const second = await page.call('loaded', { callId: 9, timeout: kPatience });
    equal(`${second.words} ${second.waitedMs}`, 'busy 0');
  },

  // [nav.fetches] React shows what a boundary was waiting for by a timer of up to 300 ms.
  'what a page draws after it was fetched is waited for': async (page) => {
    await page.load(doc('<main id="m">Here</main>'));
    const drawnBefore = async () => {
      await page.call('watchDrawing');
      await page.main('m.append("!"); 0');
      return (await page.call('drawn', { callId: 9, timeout: 1, ago: 60000 })).changed;
    };
    while (!(await drawnBefore())); // the watch ends by itself where the machine is slow
    const waiting = page.call('drawn', { callId: 9, timeout: 60000 });
    while (!(await page.call('stats')).pollers);
    await page.main('document.head.append("style"); m.title = "x"; 0');
    equal((await page.call('stats')).pollers, 1); // neither is seen
    await page.main('m.firstChild.data = "There"; 0');
    ok((await waiting).changed);
    equal((await page.call('drawn', { callId: 9, timeout: 20, ago: 0 })).changed, false);
    // What measures a font is taken out again at once, and the page shows nothing new.
    await page.call('watchDrawing');
    await page.main(
      "{ const ruler = document.body.appendChild(document.createElement('i')); void ruler.offsetWidth; ruler.remove(); } 0",
    );
    equal((await page.call('drawn', { callId: 9, timeout: 20, ago: 60000 })).changed, false);
    await page.call('watchDrawing');
    await page.main('document.body.lastElementChild.remove(); 0');
    equal((await page.call('drawn', { callId: 9, timeout: 60000, ago: 60000 })).changed, true);
    const { pollers, observers, timers, frames } = await page.call('stats');
    equal(pollers + observers + timers + frames, 0);
  },

  'a page may be passed through whose few words say that it goes on, with a script and nothing to operate': async (
    page,
  ) => {
    const isPassed = async (html) => {
      await page.load(doc(html));
      return (await page.call('snapshot', { refStart: 1, mode: 'delta' })).underWay === true;
    };
    const script = '<script>0</script>';
    ok(await isPassed('<h1>Logging In</h1>' + script));
    ok(!(await isPassed('<h1>Logging In</h1>')));
    ok(!(await isPassed('<h1>Saved</h1>' + script)));
    ok(!(await isPassed('<h1>Logging In</h1><a href="/x">Go on</a>' + script)));
  },
};
