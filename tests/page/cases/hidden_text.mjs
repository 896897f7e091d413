// Text that nobody can see is left out; what a page means for assistive technology is marked [tool.snapshot.hidden].
import { delta, equal, has, hasNot, kPatience, ok, plain, same, shown } from '../expect.mjs';

const kReaders =
  'position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap;border:0';

// Each hides the words that stand in it.
const kHides = {
  opacity: '<p style="opacity:0">HID</p>',
  'nearly no opacity': '<p style="opacity:.02">HID</p>',
  'an ancestor of no opacity': '<section style="opacity:0"><div><ul><li>HID</li></ul></div></section>',
  'a filter': '<p style="filter:opacity(0)">HID</p>',
  'no size of letters': '<p style="font-size:0">HID</p>',
  'letters of a pixel': '<p style="font-size:1px">HID</p>',
  'the colour of the page': '<p style="color:#fff">HID</p>',
  'nearly the colour of the page': '<p style="color:#f9fafb">HID</p>',
  'the colour of a box': '<div style="background:#123456"><p style="color:#123456">HID</p></div>',
  'no colour': '<p style="color:transparent">HID</p>',
  'white by another name': '<p style="color:oklch(1 0 0)">HID</p>',
  'no colour by another name': '<p style="color:oklch(0.5 0.1 20 / 0)">HID</p>',
  'a scheme that might be dark': '<style>:root{color-scheme:light dark}</style><p style="color:#fff">HID</p>',
  'the dark of a dark scheme': '<style>:root{color-scheme:dark}</style><p style="color:#111">HID</p>',
  'a child of the same background': '<style>b{background:#fff}</style><div style="color:#fff"><b>HID</b></div>',
  'a shadow of the box on its outside': '<style>b{box-shadow:0 0 9px #000;color:#fff}</style><b>HID</b>',
  'letters of a pixel on another background':
    '<style>b{background:#00f}</style><div style="font-size:1px"><b>HID</b></div>',
  'an old tag': '<font color="#ffffff">HID</font><h2>Words <font color="white">HID</font></h2>',
  'the colour of an old box': '<table bgcolor="#000000"><tr><td><font color="black">HID</font></td></tr></table>',
  'a fill of no colour': '<p style="-webkit-text-fill-color:rgba(0,0,0,.01)">HID</p>',
  'a shadow of the same colour': '<p style="color:#fff;text-shadow:0 0 2px #fff">HID</p>',
  'the left': '<p style="position:absolute;left:-9999px">HID</p>',
  'just left': '<p style="position:absolute;left:-310px;width:300px">HID</p>',
  'the top': '<p style="position:absolute;top:-3000px">HID</p>',
  'a margin': '<p style="margin-left:-5000px;width:300px">HID</p>',
  'the right of a fixed box': '<p style="position:fixed;left:110vw">HID</p>',
  'below a fixed viewport': '<p style="position:fixed;top:3000px">HID</p>',
  'a translation': '<p style="transform:translateX(-4000px)">HID</p>',
  'scale(0)': '<p style="transform:scale(0)">HID</p>',
  'scale(0.05)': '<p style="transform:scale(.05)">HID</p>',
  'a scale of letters with their own size':
    '<div style="font-size:0;transform:scale(.05)"><p style="font-size:14px">HID</p></div>',
  'its own scale property': '<p style="scale:0">HID</p>',
  'an edge-on turn': '<p style="transform:rotateX(90deg)">HID</p>',
  'a circle of nothing': '<p style="clip-path:circle(0)">HID</p>',
  'a box of no height': '<div style="height:0;overflow:hidden"><p>HID</p></div>',
  'a box that can not grow': '<div style="max-height:0;overflow:hidden">HID</div>',
  'a box of its padding alone': '<div style="max-height:0;padding:4px 0;overflow:hidden"><p>HID</p></div>',
  'a row of a grid that is its padding':
    '<div style="display:grid;grid-template-rows:0fr"><ul style="min-height:0;padding:3px 9px;margin:0;overflow:hidden"><li>HID</ul></div>',
  'a box of no width': '<div style="width:0;overflow:clip">HID</div>',
  'a rule': '<style>.a .b{position:absolute;left:-200vw}</style><div class="a"><p class="b">HID</p></div>',
  'a variable': '<style>:root{--far:-9999px}.b{position:absolute;left:var(--far)}</style><p class="b">HID</p>',
  'a pseudo-element': '<style>.o{opacity:0}.o::before{content:"HID "}</style><p class="o">HID</p>',
  'a heading': '<h2 style="opacity:0">HID</h2>',
  'a cell': '<table><tr><td>seen</td><td style="font-size:0">HID</td></tr></table>',
  'a part of a name':
    '<button>Buy<span style="opacity:0">HID</span></button><h3>Words <i style="font-size:0">HID</i></h3>',
  'a part of a link': '<a href="/x">Go <b style="position:absolute;left:-9999px">HID</b></a>',
  'a picture': '<img alt="HID" style="opacity:0" width="10" height="10">',
  'a shadow tree':
    '<div id="h"></div><script>h.attachShadow({mode:"open"}).innerHTML="<style>p{opacity:0}</style><p>HID</p>"</script>',
};

// Each shows the words that stand in it, though something looks like hiding.
const kShows = {
  'a dark box': '<div style="background:#222"><p style="color:#fff">SEEN</p></div>',
  'a dark picture behind': `<div style="position:relative;height:60px"><img style="position:absolute;inset:0;width:100%;height:100%" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"><p style="color:#fff;position:relative">SEEN</p></div>`,
  'a dark sibling below the fold':
    '<div style="height:3000px"></div><div style="position:relative;height:60px"><div style="position:absolute;inset:0;background:#000;z-index:-1"></div><p style="color:#fff">SEEN</p></div>',
  'a dark pseudo-element':
    '<style>.k{position:relative}.k::before{content:"";position:absolute;inset:0;background:#000;z-index:-1}</style><div class="k"><p style="color:#fff">SEEN</p></div>',
  'a gradient through the letters':
    '<p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">SEEN</p>',
  'a box of an old attribute': '<table bgcolor="#000000"><tr><td><font color="white">SEEN</font></td></tr></table>',
  'a box of a colour by another name': '<div style="background:oklch(0.2 0 0)"><p style="color:#fff">SEEN</p></div>',
  'a dark scheme': '<style>:root{color-scheme:dark}</style><p style="color:#fff">SEEN</p>',
  'a gradient behind': '<div style="background:linear-gradient(#000,#111)"><p style="color:#fff">SEEN</p></div>',
  'a dark shadow': '<p style="color:#fff;text-shadow:0 0 3px #000">SEEN</p>',
  'a child with its own colour': '<div style="color:#fff"><p style="color:#000">SEEN</p></div>',
  'a shadow that fills the box of a selected row':
    '<style>.on>td{color:#fff;box-shadow:inset 0 0 0 9999px rgba(13,110,253,.9)}</style><table><tr class="on"><td>SEEN</table>',
  'a child with its own background': '<style>b{background:#00f}</style><div style="color:#fff"><b>SEEN</b></div>',
  'a child on a circle of its own':
    '<style>b{position:relative}b::after{content:"";position:absolute;inset:0;background:#00f;z-index:-1}</style><div style="color:#fff"><b>SEEN</b></div>',
  'a child with its own size': '<div style="font-size:0"><p style="font-size:14px">SEEN</p></div>',
  'a child with its own size in a placed box':
    '<aside style="position:relative;left:calc(0px);font-size:0"><p style="font-size:14px">SEEN</p></aside>',
  'a part of a name with its own size':
    '<a href="/x"><span style="font-size:0">HID <i style="font-size:14px">SEEN</i></span></a>',
  'a heading in which only a part has a size': '<h2 style="font-size:0">HID <b style="font-size:14px">SEEN</b></h2>',
  'half opacity': '<p style="opacity:.5">SEEN</p>',
  'far down the page': '<p style="position:absolute;top:9000px">SEEN</p>',
  'far right on a wide page': '<p style="position:absolute;left:4000px">SEEN</p>',
  'a quarter turn': '<p style="transform:rotate(90deg);width:300px">SEEN</p>',
  'a box of no size whose contents show':
    '<div style="position:absolute;left:-1px;width:0;height:0;white-space:nowrap">SEEN</div>',
  'contents that reach back':
    '<div style="position:absolute;left:-100px;width:50px;white-space:nowrap">A long line of SEEN words that reaches back</div>',
  'a box that came back':
    '<div style="position:absolute;left:-9999px"><p style="position:fixed;left:20px;top:20px">SEEN</p></div>',
  'a small shift': '<p style="position:relative;left:-3px;top:-2px">SEEN</p>',
  'rows of a grid': '<div style="margin:0 -15px"><p>SEEN</p></div>',
  'a scroller that was scrolled':
    '<div id="s" style="height:50px;overflow:auto"><div style="height:4000px;position:relative"><p style="position:absolute;top:-2px">SEEN</p></div></div><script>s.scrollTop=3000</script>',
  'text of a drawing': '<svg width="100" height="30" style="color:#fff"><text y="20" fill="#000">SEEN</text></svg>',
  'a selection of letters': '<p style="clip-path:inset(1px)">SEEN</p>',
  'right to left': '<html dir="rtl"><div style="width:4000px"><p style="position:absolute;left:-900px">SEEN</p></div>',
};

export default {
  'text that nobody can see is left out, however it is hidden': async (page) => {
    const left = [];
    for (const [how, html] of Object.entries(kHides)) {
      const yaml = await shown(page, html + '<p>plain</p>');
      has(yaml, 'plain');
      if (yaml.includes('HID')) left.push(`${how}: ${yaml}`);
    }
    same(left, []);
  },

  'text that can be seen stays, unmarked': async (page) => {
    const lost = [];
    for (const [how, html] of Object.entries(kShows)) {
      const yaml = await shown(page, html);
      if (!yaml.includes('SEEN') || /\[(invisible|hidden text)\]|HID/.test(yaml)) lost.push(`${how}: ${yaml}`);
    }
    same(lost, []);
  },

  'a field in a box that is scaled to nothing is told as unseen, as what stands beside it is': async (page) => {
    const parts = '<input aria-label="Name"><button>Go</button>';
    const yaml = await shown(
      page,
      `<div style="transform:scaleY(0)">${parts}</div><div style="transform:scale(1)">${parts}</div>`,
    );
    same(
      yaml.split('\n').flatMap((line) => (line === '- generic:' ? [] : [line.trim().replace(/ \[ref=e\d+\]/, '')])),
      ['- textbox "Name" [invisible]', '- button "Go" [invisible]', '- textbox "Name"', '- button "Go"'],
    );
  },

  'a field that is drawn may stand in such a box too': async (page) => {
    const drawn =
      '<svg width="9" height="9"><g role="slider" tabindex="0" aria-label="Level"><rect width="9" height="9"/></g></svg>';
    has(await shown(page, `<div style="transform:scale(0)">${drawn}</div>`), /slider "Level"/);
  },

  'what is meant for assistive technology is marked': async (page) => {
    for (const style of [
      kReaders,
      'clip-path:inset(50%);position:absolute',
      'position:absolute;clip:rect(1px,1px,1px,1px)',
      'text-indent:-9999px;overflow:hidden',
    ]) {
      has(
        await shown(page, `<p>seen</p><p style="${style}">for readers</p>`),
        /paragraph \[ref=e\d+\] \[hidden text\]: for readers/,
      );
      has(
        await shown(page, `<h2 style="${style}">Menu</h2>`),
        /heading "Menu" \[level=2\] \[ref=e\d+\] \[hidden text\]/,
      );
      has(
        await shown(page, `<p>seen <span role="presentation" style="${style}">words</span></p>`),
        /\[hidden text\]: words/,
      );
      has(
        await shown(page, `<h2>Menu <span style="${style}">and more</span></h2>`),
        /heading "Menu and more".*\[partly hidden text\]/,
      );
    }
    // Controls keep the names that accessibility gives them.
    const yaml = await shown(
      page,
      `<a href="/a">Read more<span style="${kReaders}"> about cats</span></a><button aria-label="Close"><span style="opacity:0">x</span></button><button><span style="${kReaders}">Search</span></button>`,
    );
    has(yaml, /link "Read more about cats" \[ref=e\d+\]:?\n/);
    has(yaml, /button "Close" \[ref=e\d+\]$/m);
    has(yaml, /button "Search" \[ref=e\d+\]$/m);
  },

  'controls that can be operated stay, and say that they are invisible': async (page) => {
    const yaml = await shown(
      page,
      `<button style="opacity:0">Ghost</button><div style="opacity:0"><a href="/x">Within</a> lost</div>
      <label class="card">Card<input type="checkbox" style="opacity:0;position:absolute"></label><label for="f">Pick a file</label><input id="f" type="file" style="opacity:0">
      <button><span style="font-size:0">Only name</span></button><button style="position:absolute;left:-900px;top:10px">Away</button>`,
    );
    has(yaml, /button "Ghost" \[ref=e\d+\] \[invisible\]/);
    has(yaml, /link "Within" \[ref=e\d+\] \[invisible\]/);
    hasNot(yaml, 'lost');
    has(yaml, /checkbox "Card" \[ref=e\d+\]/);
    hasNot(yaml, /checkbox "Card".*\[(invisible|hidden)/);
    has(yaml, /button "Pick a file" \[ref=e\d+\]/);
    has(yaml, /button "Only name" \[ref=e\d+\] \[hidden text\]/);
    has(yaml, /button "Away".*\[off-screen\]/);
    ok((await page.call('actionable', { target: 'role=checkbox[name="Card"]', timeout: kPatience })).ok);
    has(yaml, '… 1 invisible text left out');
  },

  'in a frame nobody knows what it is painted on': async (page) => {
    await page.load(
      '<!doctype html><body style="background:#000"><iframe srcdoc="<p style=color:#fff>SEEN</p><p style=opacity:0>HID</p>"></iframe>',
    );
    const { frameTree } = await page.send('Page.getFrameTree');
    const { id } = frameTree.childFrames[0].frame;
    await page.inject(id);
    const { yaml } = await page.call('snapshot', { refStart: 1 }, id);
    has(yaml, 'SEEN');
    hasNot(yaml, 'HID');
  },

  'what fades in stays; a part of the page knows what hides the whole': async (page) => {
    has(
      await shown(
        page,
        '<style>@keyframes in{from{opacity:0}to{opacity:1}}p{animation:in 900s 900s both}</style><p>coming</p>',
      ),
      /\[invisible\]: coming/,
    );
    // What is there in a moment is seen, as the form of a page that has just been loaded.
    for (const [to, mark] of [
      [1, false],
      [0, true],
    ]) {
      await page.load(`<p id="p">coming</p><script>
        const fade = p.animate({ opacity: [0, 0, ${to}], offset: [0, 0.9999999, 1] }, { duration: 1e6, fill: 'both' });
        fade.currentTime = 1e6 - 900;
        fade.updatePlaybackRate(1e-9)</script>`);
      page.next = 1;
      equal((await page.yaml()).includes('[invisible]'), mark);
    }
    hasNot(
      await shown(page, '<div style="opacity:0"><section id="t"><p>HID</p></section></div><p>x</p>', { target: '#t' }),
      'HID',
    );
    equal((await page.call('find', { text: 'HID', refStart: 100 })).count, 0);
  },

  'what is drawn as dots is said to be there': async (page) => {
    const yaml = await shown(
      page,
      '<style>.d{-webkit-text-security:disc}</style><p class="d">opensesame</p><div class="d"><b>opensesame</b></div><button class="d">opensesame</button><p>plain</p>',
    );
    hasNot(yaml, 'opensesame');
    equal(yaml.match(/\[value hidden\]/g).length, 3);
  },

  // PDF.js
  'a clear text over the canvas that draws it can be read, and one over nothing cannot': async (page) => {
    const yaml = await shown(
      page,
      `<style>.layer { position: absolute; inset: 0 } .layer span { position: absolute; color: transparent; top: 20px }</style>
      <div style="position:relative;width:300px;height:200px"><canvas width="300" height="200"></canvas>
        <div class="layer"><span>Invoice 1004</span><span style="left:900px">beside it</span><span style="user-select:none">for nobody</span></div></div>
      <p style="color:transparent">alone</p>`,
    );
    has(yaml, 'Invoice 1004');
    hasNot(yaml, /beside it|for nobody|alone/);
  },

  // Framework7's bars to search in
  'a field in a box that is transparent and takes no mouse is invisible until that is shown': async (page) => {
    const bar = (style) => `<form style="${style}"><div><input type="search" aria-label="Find"></div></form>`;
    equal(
      await plain(page, bar('opacity: 0; pointer-events: none') + bar('opacity: 0') + bar('pointer-events: none')),
      '- form:\n  - searchbox "Find" [invisible]\n- form:\n  - searchbox "Find"\n- form:\n  - searchbox "Find"',
    );
    const told = await delta(page, 'document.querySelector("form").style = ""');
    equal(told, '- text: … now visible: searchbox "Find"');
  },

  // Carbon's bar above a table
  'of two bars in one place, of which one goes as the other comes, each is told once': async (page) => {
    for (const name of ['', ' aria-label="Bar"']) {
      await shown(
        page,
        `<style>.off { opacity: 0; pointer-events: none }</style><section${name}><div id="a"><button>Remove</button><button>Cancel</button></div>
         <div id="b" class="off"><input type="search" aria-label="Find"></div></section><p>Rest`,
      );
      equal(
        await delta(page, `a.className = 'off'; b.className = ''`),
        `- text: … now visible: searchbox "Find"\n- text: … now invisible: button "Remove", button "Cancel"`,
      );
    }
  },

  // Slim Select's lists
  'a list that is closed by being scaled to nothing has no lines until it is opened': async (page) => {
    const yaml = await plain(
      page,
      `<style>#l { transform: scaleY(0); opacity: 0; position: absolute } #l.open { transform: none; opacity: 1 }</style>
       <div role="combobox" tabindex="0" aria-expanded="false" aria-label="Size" id="c">Small</div>
       <div id="l"><div role="listbox" aria-label="Sizes"><div role="option">Small</div><div role="option">Large</div></div></div>`,
    );
    equal(yaml, '- combobox "Size": Small');
    equal(
      await delta(page, `l.className = 'open'; c.ariaExpanded = 'true'`),
      '- listbox "Sizes":\n  - option "Small"\n  - option "Large"\n- combobox "Size" [expanded]: Small',
    );
  },

  // Carbon's dialogs, which are defined after the page was first drawn
  'what a transition hides within a second is gone already': async (page) => {
    await shown(
      page,
      `<style>.d { transition: visibility 0.9s, opacity 0.9s } .off { visibility: hidden; opacity: 0 } #slow { transition-duration: 9s }</style>
      <div role="dialog" aria-label="Account" class="d" id="d"><button>Close</button></div><div role="dialog" aria-label="Slow" class="d" id="slow"><button>Wait</button></div>`,
    );
    const told = await delta(page, `document.body.offsetTop; d.classList.add('off'); slow.classList.add('off')`);
    has(told, '- removed: dialog "Account"');
    hasNot(told, 'removed: dialog "Slow"');
    has(await delta(page, `d.classList.remove('off')`), '- dialog "Account"');
  },

  // [tool.snapshot.drawings]
  'a canvas that is hidden from readers and takes clicks is told, one that only decorates is not': async (page) => {
    const canvas = '<canvas aria-hidden=true width=400 height=200 style="';
    const table = '<div style="position:absolute;inset:0;overflow:auto"><div style="height:900px"></div></div>';
    const told = await plain(
      page,
      `<main><div style="position:relative;width:400px;height:200px">${canvas}"></canvas>${table}</div></main>
      <section style="position:relative;height:200px">${canvas}position:absolute"></canvas><h1 style="position:absolute;inset:0">Words</h1></section>
      <p>${canvas}pointer-events:none"></canvas>end</p>`,
    );
    equal(told.match(/looks=canvas/g)?.length, 1, told);
    has(told, '- main:\n  - generic [looks=canvas 400x200]');
  },

  // [tool.snapshot.delta]
  'what has come into sight is not named again where the change that holds it is told': async (page) => {
    const tools = (id) =>
      `<div id="${id}"><svg data-icon="panel" width="14" height="14" style="display:none"><path fill="red" d="M0 0H14V14Z"></path></svg>
       <span class="tools" style="opacity:0"><button>Fixed</button><button>Computed</button></span></div>`;
    await shown(page, `${tools('a')}${tools('b')}<button id="other" style="opacity:0">Other</button>`);
    const told = await delta(
      page,
      `a.querySelector('svg').style.display = 'inline'; for (const one of [a.querySelector('.tools'), other]) one.style.opacity = 1`,
    );
    has(told, 'button "Fixed"');
    has(told, '… now visible: button "Other"');
    equal(told.split('button "Fixed"').length, 2, told);
  },

  // [tool.snapshot.hidden]
  'what only the mouse could operate has no line where nobody sees it off the page': async (page) => {
    const row = (style) =>
      `<div class="row" style="${style}"><div class="arrow"><svg width="14" height="14" data-icon="chevron"><path d="M0 0L7 9L14 0"></path></svg></div></div>`;
    const html = (style) =>
      `<style>.row{position:absolute;width:200px;height:30px;top:0}.arrow{cursor:pointer;width:20px;height:20px}</style>
      <div style="position:relative;height:200px;overflow:auto">${row('')}${row(style)}</div>`;
    const count = async (style) => (await plain(page, html(style))).split('icon=chevron').length - 1;
    equal(await count('transform:translateY(-9999px)'), 1);
    equal(await count('top:40px;opacity:0'), 2); // the mouse gets there, and may bring it into sight
  },
};
