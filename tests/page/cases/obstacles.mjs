// What an error says of that which keeps an element from being clicked: what closes a panel over it, and how else what has no
// size is got at [tool.actionable] [tool.target.covered].
import { delta, equal, has, hasNot, kPatience, ok, refOf, refused, shown, until } from '../expect.mjs';

// Argon's settings
const panel = (inner) => `<a href="/tables" id="a" style="position: absolute; right: 20px; top: 20px">Tables</a>
  <div class="fixed-plugin"><div class="card" style="position: fixed; right: 0; top: 0; width: 360px; height: 500px; background: #fff">
  <h5>Settings</h5>${inner}<button>Dark</button></div></div>`;

export default {
  // The button for a menu that needs no script.
  'a label below its own box to tick, which nobody sees, is pressed there': async (page) => {
    await shown(
      page,
      `<style>#m { position: absolute; left: 8px; top: 8px; width: 40px; height: 40px; opacity: 0; margin: 0 } label { display: block; width: 40px; height: 40px }</style>
      <input type="checkbox" id="m"><label for="m"><span>=</span></label>`,
    );
    const found = await page.call('actionable', { target: 'text="="', timeout: kPatience, callId: 1 });
    ok(found.ok, found.error);
  },

  'what closes the panel that lies over an element': async (page) => {
    await shown(
      page,
      panel('<button class="plugin-close-button"><i class="fat-remove" style="font: 9px a"></i>x</button>'),
    );
    await refused(
      page,
      { target: '#a' },
      /is covered by <div class="fixed-plugin"> .*; button "x" \[ref=e\d+\] in it closes that/,
    );
    // Of two nobody knows which, and one that is outside of it closes something else.
    const cross = '<button aria-label="Remove">-</button>';
    for (const html of [panel(cross + cross), panel('') + cross]) {
      await shown(page, html);
      const { error } = await refused(page, { target: '#a' }, 'is covered by');
      hasNot(error, 'closes');
    }
  },

  'what has no size is refused once the page is quiet, with another way': async (page) => {
    await shown(
      page,
      '<a href="/rows/3/edit" id="a" title="Edit"><i class="fa fa-edit"></i></a><button id="b" style="padding: 0; border: 0; width: 0">x</button>',
    );
    const asked = (target) => page.call('actionable', { target, timeout: 5000, quiet: true, callId: 1 });
    const link = await asked('#a');
    ok(!link.ok && !link.timedOut && link.absent);
    has(
      link.error,
      /^link "Edit" is not visible: zero size \(0x\d+\), as .* it leads to \/rows\/3\/edit, which browser_navigate opens\.$/,
    );
  },

  'what a rule for the mouse places beside the view is brought in by the mouse': async (page) => {
    const style =
      '<style>.a { position: absolute; left: -9999em } li:hover .a { left: 50px }</style><ul style="margin: 0; padding: 0">';
    await shown(page, `${style}<li>First <span class="a"><a href="#e">Edit</a></span></li><li>Second</li></ul>`);
    const { asleep, x, y } = await page.call('actionable', {
      target: 'text=Edit',
      timeout: 5000,
      quiet: true,
      wakes: true,
      callId: 1,
    });
    ok(asleep);
    equal(await page.main(`document.elementFromPoint(${x}, ${y}).closest('li').firstChild.data.trim()`), 'First');
  },

  'a drawer beside the view is refused with what opens it, and with no advice for the mouse': async (page) => {
    const drawer =
      '<div id="d" style="position: fixed; left: -300px; width: 250px; top: 0; bottom: 0"><a href="#p">Profile</a></div>';
    const yaml = await shown(page, `<button aria-controls="d">Menu</button><h1>News</h1>${drawer}`);
    const asked = { target: 'text=Profile', timeout: 5000, quiet: true, callId: 1 };
    has(
      (await page.call('actionable', asked)).error,
      `scrolling does not bring it in; button "Menu" [ref=${/"Menu" \[ref=(e\d+)\]/.exec(yaml)[1]}] opens what it is in.`,
    );
    await shown(page, `<h1>News</h1><p>More</p>${drawer}`);
    has((await page.call('actionable', asked)).error, /scrolling does not bring it in\.$/);
  },

  'a dot beside the page that only screen readers press is refused with how they do': async (page) => {
    const dot =
      '<div role="button" tabindex="0" aria-label="Enable accessibility" style="position: absolute; left: -1px; top: -1px; width: 1px; height: 1px"></div>';
    await shown(page, `<canvas width="300" height="200"></canvas>${dot}`);
    const asked = { target: 'button "Enable accessibility"', timeout: 5000, quiet: true, callId: 1 };
    has((await page.call('actionable', asked)).error, 'browser_evaluate does with (el) => el.click()');
  },

  'what no scrolling brings in is refused once the page is quiet, and names what brings it in under the mouse': async (
    page,
  ) => {
    const actions = '<div style="position: absolute; left: -9999em"><a href="#t">Trash</a></div>';
    const row = (name) => `<li><a href="#${name}">${name}</a>${actions}</li>`;
    const yaml = await shown(page, `<h1>Posts</h1><ul>${row('First')}${row('Second')}</ul>`);
    const second = /"Second" \[ref=(e\d+)\]/.exec(yaml)[1];
    const asked = { target: 'text=Trash >> nth=1', timeout: 5000, quiet: true, callId: 1 };
    const { ok: isDone, absent, error } = await page.call('actionable', asked);
    ok(!isDone && absent, error);
    has(error, `browser_hover on link "Second" [ref=${second}].`);
    // Another tab may bring it in while the page isn't quiet.
    await page.main(`document.body.setAttribute('aria-busy', 'true')`);
    has((await page.call('actionable', { ...asked, timeout: 300 })).error, '(waited 300 ms)');
  },

  // Uppy's panel to edit a file [tool.snapshot.marks]
  'what a new panel without a role has come over is told': async (page) => {
    const open = (attributes) =>
      `document.querySelector('#box').insertAdjacentHTML('beforeend', \`<div \${attributes}
      style="position: absolute; inset: 0; background: #fff"><h1>Editing</h1><button>Save</button></div>\`)`.replace(
        '${attributes}',
        attributes,
      );
    const html = `<div id="box" style="position: relative; width: 700px; height: 500px"><button>Edit</button> <button>Remove</button>
      <button>Upload</button> <a href="/x">More</a></div><button>After</button>`;
    await shown(page, html);
    const told = await delta(page, open(''));
    has(told, /- text: … covered now: e\d+, e\d+, e\d+ and 1 more$/);
    has(told, 'heading "Editing"');
    hasNot(await delta(page, 'document.querySelector("#box > div").remove()'), 'covered');
    for (const attributes of ['role="dialog"', 'hidden', 'class="small"']) {
      await shown(
        page,
        html.replace('<div id', '<style>.small { width: 90px; height: 40px; left: 500px !important }</style><div id'),
      );
      hasNot(await delta(page, open(attributes)), 'covered');
    }
    // A part of the page that something is put into, which stands over something else.
    await shown(page, `${html}<div style="position: absolute; inset: 0"><button>In it</button><p id="in"></p></div>`);
    hasNot(await delta(page, 'document.querySelector("#in").innerHTML = "<button>New</button>"'), 'covered');
    await shown(page, html);
    hasNot(
      await delta(page, `${open('id="over"')}; over.innerHTML = '<div role="alertdialog">Sure?</div>'`),
      'covered',
    );
  },

  // Kanboard's forms
  'what the shade around a new panel has come over is told with what the panel lies on': async (page) => {
    const html = '<button>Low</button><div style="height: 200px"></div><button>Under</button> <button>Beside</button>';
    for (const width of [800, 80]) {
      await shown(page, html);
      const told = await delta(
        page,
        `document.body.insertAdjacentHTML('beforeend', \`<div style="position: fixed; inset: 0; background: #000c"><div
        style="position: fixed; left: 0; top: 150px; width: ${width}px; height: 400px; background: #fff"><h2>New task</h2><button>Save</button></div></div>\`)`,
      );
      has(told, /- text: … covered now: e\d+, e\d+, e\d+$/);
    }
  },

  // [tool.snapshot.marks]
  'what another panel had before, and what nobody sees, is not told as covered by a new panel': async (page) => {
    const hidden = (id, inner) =>
      `<div id="${id}" style="position:absolute;right:0;top:0;width:500px;height:500px;background:#fff;visibility:hidden">${inner}</div>`;
    await shown(
      page,
      `${hidden('one', '<button>First</button><button>Second</button>')}${hidden('two', '<h1>Other</h1><a href="/x">Export</a>')}
       <div style="margin-left:calc(100vw - 300px)"><button id="seen">Seen</button><button style="opacity:0">Faint</button></div>`,
    );
    await delta(page, 'one.style.visibility = "visible"');
    const told = await page
      .main('one.style.visibility = "hidden"; two.style.visibility = "visible"')
      .then(() => page.yaml({ mode: 'delta' }));
    has(told, 'heading "Other"');
    const ref = refOf(await page.yaml({}), 'button "Seen"');
    ok(told.endsWith(`- text: … covered now: ${ref}`), told);
  },

  'what is new itself is not told to be covered now, as its line says so': async (page) => {
    await shown(page, '<button style="position:fixed;left:200px;top:100px">Old</button><p>Words</p>');
    const over = '<div style="position:fixed;inset:0;background:gray"><button>Stop</button></div>';
    const fresh = '<button style="position:fixed;left:300px;top:100px">New</button>';
    const told = await delta(page, `document.body.insertAdjacentHTML('beforeend', '${fresh}${over}')`);
    has(told, 'button "New" [covered]');
    has(told, /covered now: e\d+$/);
  },

  // Ionic's accordions that are only read
  'what takes no clicks is refused once the page is quiet': async (page) => {
    await shown(page, '<div id="d" style="pointer-events: none"><button>Second</button></div>');
    const asked = { target: 'text=Second', timeout: 5000, quiet: true, callId: 1 };
    const { ok: isDone, absent, error } = await page.call('actionable', asked);
    ok(!isDone && absent, error);
    has(error, /not receiving clicks: pointer-events is none on <div id="d">\.$/);
    await page.main(`document.body.setAttribute('aria-busy', 'true')`);
    has((await page.call('actionable', { ...asked, timeout: 300 })).error, '(waited 300 ms)');
  },

  // A menu of DataTables' buttons, the panel of a tab that isn't shown.
  'what a shade covers and what the page hides is refused once the page is quiet': async (page) => {
    await shown(
      page,
      `<style>.shade { position: fixed; inset: 0 } .list { position: fixed; top: 80px; background: #fff }
        .fades { animation: fade 60s } @keyframes fade { to { opacity: 0.1 } }</style>
       <button id="save">Save</button><div hidden><button id="other">Other</button></div><div class="shade"></div>
       <div class="list" role="dialog" aria-label="Columns"><button>Name</button></div>`,
    );
    const asked = (target, timeout = 20_000) => page.call('actionable', { target, timeout, quiet: true, callId: 1 });
    const covered = await asked('#save');
    ok(!covered.ok && covered.absent, JSON.stringify(covered));
    has(covered.error, /covered by <div class="shade"> while dialog "Columns" .* is open\.$/);
    const unseen = await asked('#other');
    ok(!unseen.ok && unseen.absent, JSON.stringify(unseen));
    // What fades may uncover it.
    await page.main(`document.querySelector('.shade').classList.add('fades')`);
    has((await asked('#save', 900)).error, '(waited 900 ms)');
  },

  // [tool.actionable]
  'what lies over an element is told at once where the page had rested before, but not while it says that it loads':
    async (page) => {
      const turns = '@keyframes turn { to { transform: rotate(1turn) } }';
      await shown(
        page,
        `<style>.shade { position: fixed; inset: 0 } .spinner { position: absolute; right: 0; width: 40px; height: 40px } ${turns}</style>
       <button id="save">Save</button><div class="shade"><div class="spinner" id="ring"></div></div>`,
      );
      const missed = (timeout) => page.call('actionable', { target: '#save', timeout, quiet: true, callId: 1 });
      const first = await missed(kPatience);
      ok(first.absent && !first.timedOut, first.error);
      // By then it has rested for 2 s, so that less of them is enough now, though a busy machine may take longer for a try.
      let isSoon = false;
      for (let tries = 0; tries < 5 && !isSoon; tries++) isSoon = (await missed(1800)).absent === true;
      ok(isSoon);
      await page.main(`ring.style.animation = 'turn 1s linear infinite'`);
      await until(page, 'document.getAnimations().length === 1');
      ok((await missed(kPatience)).absent); // 2 s after that change
      has((await missed(1500)).error, '(waited 1500 ms)');
    },

  'what a page places by what has opened it is brought in by scrolling, though it is fixed': async (page) => {
    await shown(
      page,
      `<p style="height:900px">long</p><button id=swatch>Colour</button><p style="height:900px">more</p>
      <div id=popup style="position:fixed;left:0"><p style="height:150px">area</p><button id=save>Save</button></div>
      <script>const place = () => { popup.style.top = swatch.getBoundingClientRect().bottom + 'px' };
      scrollTo(0, 300); place(); addEventListener('scroll', place)</script>`,
    );
    const found = await page.call('actionable', { target: '#save', timeout: 5000, quiet: true, callId: 1 });
    ok(found.ok, found.error);
    // What stays where it is was none of these, and the page stands where it stood.
    await shown(
      page,
      '<p style="height:3000px">long</p><button id=away style="position:fixed;top:2000px">Away</button>',
    );
    await refused(page, { target: '#away', quiet: true }, 'scrolling does not bring it in');
    equal(await page.main('scrollY'), 0);
  },

  'what takes no clicks while a list is open names the field that it belongs to': async (page) => {
    await shown(
      page,
      `<body style="pointer-events:none"><input id=country role=combobox aria-label=Country aria-expanded=true aria-controls=list>
      <div role=listbox id=list style="pointer-events:auto;position:fixed;left:400px;top:0"><div role=option>France</div></div><button id=a>Next</button>`,
    );
    await refused(
      page,
      { target: '#a' },
      /button "Next" is not receiving clicks: .* while the list of combobox "Country" \[ref=e\d+\] is open: close that first, by the key Escape/,
    );
  },

  'what closes a panel may be a sign that is no button by its role': async (page) => {
    await shown(
      page,
      `<button id=a>Preview</button><div style="position:fixed;inset:0;background:#0005"><div><h4>Code</h4><div class="mdl-btn-close"
      style="cursor:pointer">⨯</div><pre>text</pre></div></div>`,
    );
    await refused(
      page,
      { target: '#a' },
      /is covered by .*; <div class="mdl-btn-close"> "⨯" \[ref=e\d+\] in it closes that/,
    );
  },

  'a canvas that is seen through a box that paints nothing is clicked there': async (page) => {
    const drawn = (style, inner = '') =>
      `<main><div style="position:relative;width:300px;height:200px"><canvas width=300 height=200></canvas><div style="position:absolute;inset:0;
      overflow:auto" tabindex=-1><div><div><div><div style="height:900px;${style}">${inner}</div></div></div></div></div></div></main>`;
    const asked = { target: 'canvas', timeout: 5000, quiet: true, callId: 1, atX: 100, atY: 50 };
    await shown(page, drawn(''));
    const found = await page.call('actionable', asked);
    ok(found.ok, found.error);
    for (const html of [drawn('background:#fff'), drawn('', 'Loading')]) {
      await shown(page, html);
      await refused(page, asked, 'is covered by');
    }
  },
};
