// A delta walks what has changed only, and says what one by a walk of the whole page says.
// Contract: [tool.snapshot.delta]
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { equal, has, hasNot, ok, same } from '../expect.mjs';

const randomPage = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../random_page.js'), 'utf8');
const kSeeds = Number(process.env.SEEDS ?? 25);
const kFirstSeed = Number(process.env.SEED ?? 1);
const kSteps = 12;

async function withPage(browser, run) {
  const page = await browser.newPage('tests/page/regions.js');
  try {
    page.next = 1;
    page.isHeldAgainstWhole = false; // by bothDeltas
    await run(page);
  } finally {
    await browser.send('Target.closeTarget', { targetId: page.targetId });
  }
}

// A delta, and the same again by a walk of the whole page: in one task, so that the page can't change in between. Chromium
// lays out anew what is around a closed <details> when a box within that is read, and may take away a scroll bar then, so
// that all boxes are read before.
const bothDeltas = (page) =>
  page.raw(`(() => {
    const readBoxes = (root) => {
      for (const el of root.querySelectorAll('*')) {
        el.getBoundingClientRect();
        if (el.shadowRoot) readBoxes(el.shadowRoot);
      }
    };
    readBoxes(document);
    const args = { refStart: ${page.next}, mode: 'delta' };
    __bridleVisits();
    const one = __bridle.call('snapshot', args);
    one.visits = __bridleVisits();
    one.kept = __bridleKept();
    __bridleWalkAll(true);
    const two = __bridle.call('snapshot', { ...args, again: true });
    __bridleWalkAll(false);
    two.visits = __bridleVisits();
    two.kept = __bridleKept();
    return { one, two };
  })()`);

// The delta by regions, which says what the other one does, after fewer visits than one in `share` of its.
async function heldDelta(page, change, share = 1) {
  const { one, two } = await bothDeltas(page);
  equal(one.kept, two.kept, change);
  equal(one.yaml, two.yaml, change);
  ok(one.visits < two.visits / share, `${change}: ${one.visits} of ${two.visits} visits`);
  page.next = two.next;
  return one;
}

// Tags and attributes alone, as no more may be asked for.
const kFoundBy = [
  '[aria-expanded]',
  '[aria-modal=true]',
  '[style*=visib]',
  'input[type=file]',
  '[role]:not([title])',
  'p',
];

export default {
  'random changes of random pages': async (_, browser) => {
    let byRegions = 0;
    let all = 0;
    for (let seed = kFirstSeed; seed < kFirstSeed + kSeeds; seed++)
      await withPage(browser, async (page) => {
        await page.load('<!doctype html><title>x</title><style>body{color:#000}</style><body>');
        await page.main(randomPage);
        await page.main(`randomPage.build(${seed}, ${20 + (seed % 5) * 15})`);
        await page.yaml();
        for (let step = 0; step < kSteps; step++) {
          const done = await page.main(`randomPage.change(${seed * 100 + step}, ${1 + (step % 3)})`);
          if (step % 4 === 3) await page.click((seed * 37 + step * 11) % 600, (step * 53 + seed) % 500);
          const told = `seed ${seed}, step ${step}: ${done.join('; ')}\n`;
          same(await page.raw(`__bridleFoundWrong(${JSON.stringify(kFoundBy)})`), [], told);
          if (step % 3 !== 0 && !process.env.EVERY) {
            await page.yaml({ mode: 'delta' });
            continue;
          }
          const { one, two } = await bothDeltas(page);
          all++;
          if (one.visits < two.visits) byRegions++;
          equal(one.kept, two.kept, told + 'the tree');
          equal(one.yaml, two.yaml, told);
          page.next = two.next;
        }
      });
    if (process.env.SEEDS) console.log(`${byRegions} of ${all} by regions`);
    ok(byRegions > all / 4, `${byRegions} of ${all}`);
  },

  // There a lone :hover is true of links alone.
  'what the mouse shows in a document without a doctype': async (page) => {
    await page.load(
      `<title>Q</title><style>nav ul{display:none}nav:hover ul{display:block}p:active b{color:red}</style>
      <nav id="n">Products<ul><li>Boots</ul></nav><button>Buy</button>`,
    );
    equal(await page.main('document.compatMode'), 'BackCompat');
    page.next = 1;
    await page.yaml();
    const { x, y } = await page.main('(({ x, y }) => ({ x: x + 5, y: y + 5 }))(n.getBoundingClientRect())');
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
    ok((await page.yaml({ mode: 'delta' })).includes('Boots'));
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y: 500 });
    ok((await page.yaml({ mode: 'delta' })).includes('removed'));
  },

  // What the mouse is over is looked for by all that rules ask it for, also those that came after it was asked first.
  'a rule for the mouse that comes later is felt as the others are [tool.snapshot.delta]': async (_, browser) =>
    withPage(browser, async (page) => {
      await page.load(
        `<!doctype html><style id="sheet">.first:hover b{display:none}</style><h1>Title</h1><p class="first">One <b>first</b></p>
        <p class="second">Two <b>second</b></p><p>Three</p>`,
      );
      await page.yaml();
      const over = async (selector) => {
        const { x, y } = await page.main(
          `(({ x, y }) => ({ x: x + 5, y: y + 5 }))(document.querySelector('${selector}').getBoundingClientRect())`,
        );
        await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
        return (await heldDelta(page, selector)).kept;
      };
      hasNot(await over('.first'), 'first');
      await page.main(`sheet.sheet.insertRule('.second:hover b{display:none}', 0)`);
      has(await over('h1'), 'second');
      hasNot(await over('.second'), 'second');
    }),

  // As libraries do that keep their styles in scripts, whenever a component is first shown.
  'rules that come and go cost by what they style [tool.snapshot.delta]': async (_, browser) =>
    withPage(browser, async (page) => {
      await page.load(
        `<!doctype html><style id="sheet">.hidden{display:none}.x{color:red}</style><h1>Title</h1><div id="at"></div>
        <ul>${Array.from({ length: 300 }, (none, i) => `<li class="${i % 50 ? 'row' : 'row tenth'}"><b>Row ${i}</b>`).join('')}</ul>`,
      );
      await page.yaml();
      const after = async (change) => {
        await page.main(`${change}; 0`);
        return (await heldDelta(page, change, 3)).yaml;
      };
      ok((await after(`sheet.sheet.insertRule('.tenth b{display:none}', 2)`)).includes('removed'));
      ok((await after(`sheet.sheet.deleteRule(2)`)).includes('Row 50'));
      await after(
        `at.innerHTML = '<p class="css-1">Now</p>'; sheet.sheet.insertRule('.css-1::before{content:"> "}', 0)`,
      );
      await after(`at.innerHTML += '<style id="more">.css-2{color:blue}</style><p class="css-2">Then</p>'`);
      await after(
        `more.textContent += '.css-2 + .css-3{font-weight:bold}'; at.insertAdjacentHTML('beforeend', '<p class="css-3">Last</p>')`,
      );
      ok(
        (await after(`sheet.sheet.insertRule('@media screen{.tenth:hover{cursor:pointer}}', 0)`)).includes(
          '[cursor=pointer]',
        ),
      );
      await after(`sheet.sheet.insertRule('@keyframes css-4{from{opacity:0}}', 0)`);
      ok(
        (
          await after(
            `sheet.sheet.cssRules[2].style.color = 'blue'; sheet.sheet.insertRule('.tenth b{visibility:hidden}', 3)`,
          )
        ).includes('removed'),
      );
      await after(`more.remove()`);
    }),

  // How far a box can be scrolled is a matter of layout, which what stands beside it moves.
  'a scroll mark is that of now, though nothing in its box has changed [tool.snapshot.marks]': async (_, browser) =>
    withPage(browser, async (page) => {
      await page.load(
        `<!doctype html><style>
        .column{display:flex;flex-direction:column;height:120px} .row{display:flex;width:300px}
        .down{flex:1;min-height:0;overflow-y:auto} .wide{flex:1;min-width:0;overflow-x:auto}
        .down div{height:110px} .wide div{width:280px}</style><h1>Title</h1>
        <div class="column"><div id="head"></div><div class="down" role="group" aria-label="Down"><div><button>A</button></div></div></div>
        <div class="row"><div id="left"></div><div class="wide"><div><button>B</button></div></div></div>`,
      );
      await page.yaml();
      // The two boxes' marks; null: the box has no line of its own.
      const marksAfter = async (change) => {
        await page.main(`${change}; 0`);
        const one = await heldDelta(page, change);
        const markOn = (line) => line && (/ \[scroll: (.*)\]/.exec(line)?.[1] ?? '');
        const lines = one.kept.split('\n');
        return [/group "Down"/, /^- '?generic/].map((box) => markOn(lines.find((line) => box.test(line))) ?? null);
      };
      same(await marksAfter(`head.style.height = '60px'`), ['50px more below', null]);
      same(await marksAfter(`head.style.height = '80px'`), ['70px more below', null]);
      same(await marksAfter(`left.style.width = '70px'`), ['70px more below', '50px more right']);
      same(
        await marksAfter(
          `document.querySelector('.wide').scrollLeft = 20; document.querySelector('.down').scrollTop = 30`,
        ),
        ['30px above, 40px more below', '20px left, 30px more right'],
      );
      same(await marksAfter(`head.style.height = left.style.width = '0'`), ['', null]);
    }),

  'a box is told the state of the item around it, though no style draws that': async (_, browser) =>
    withPage(browser, async (page) => {
      await page.load(
        `<!doctype html><style>.box{display:inline-block;width:20px;height:20px;cursor:pointer}</style><h1>Title</h1>
        <ul><li id="i"><span class="box"></span><span>Milk</span></li><li><button>A</button></li></ul>`,
      );
      await page.yaml();
      for (const name of ['item--checked', '']) {
        await page.main(`i.className = '${name}'; 0`);
        const { one, two } = await bothDeltas(page);
        equal(one.kept, two.kept, name);
        equal(one.kept, two.kept, name);
        ok(one.visits < two.visits, name);
        equal(one.kept.includes('item--checked'), name !== '');
        page.next = two.next;
      }
    }),

  // A page loads a sheet for print, so that it needn't wait for it, and has it hold for all media when it is there.
  'a sheet that holds for other media now is felt': async (page) => {
    await page.load(
      `<!doctype html><style id="sheet" media="print">.b{display:none}</style><p>Words</p><p class="b">More</p>`,
    );
    await page.yaml();
    await page.main(`sheet.media = 'all'`);
    has(await page.yaml({ mode: 'delta' }), /removed:.*More/);
    await page.main(`sheet.sheet.media.mediaText = 'print'`);
    has(await page.yaml({ mode: 'delta' }), /paragraph \[ref=e\d+\]: More/);
  },

  // Many libraries' sheets have some of these rules, for parts of theirs that most pages haven't.
  'a rule with :has(), :dir(), @container or @scope makes a delta walk no more than what it reaches': async (
    _,
    browser,
  ) =>
    withPage(browser, async (page) => {
      const many = '<p>Words</p>'.repeat(100);
      await page.load(
        `<!doctype html><style>
          #bar .tools:not(.own):not(:has(:first-child)){cursor:pointer} li:has(input[type="checkbox"]){list-style:none}
          .card:has(.bad) .hint{display:none} .pane:has(~ .open) i{display:none}
          .word:dir(rtl){display:none} #box{container-type:inline-size}
          @container (max-width: 300px){.narrow{display:none}} @scope (.from) to (.to){.x{display:none}}
        </style><div id="bar"><div class="tools"></div></div>
        <section class="card"><p class="hint">All is well</p><div id="list"><b>One</b></div></section>
        <div id="text"><span class="word">Word</span></div><div id="box"><p class="narrow">Wide</p></div>
        <div id="scope"><p class="x">Scoped</p></div><main>${many}</main><div id="far"></div>`,
      );
      await page.yaml();
      const cases = [
        [`far.append(document.createElement('hr'))`, /separator/],
        [`list.insertAdjacentHTML('beforeend', '<b class="bad">Two</b>')`, /removed:.*All is well/],
        [`list.lastChild.className = ''`, /All is well/],
        [`text.dir = 'rtl'`, /removed:.*Word/],
        [`box.style.width = '200px'`, /removed:.*Wide/],
        [`scope.className = 'from'`, /removed:.*Scoped/],
        [`scope.firstChild.outerHTML = '<div class="to"><p class="x">Beyond</p></div>'`, /Beyond/],
      ];
      for (const [act, told] of cases) {
        await page.main(`${act}; 0`);
        const { one, two } = await bothDeltas(page);
        has(one.yaml, told, act);
        equal(one.yaml, two.yaml, act);
        equal(one.kept, two.kept, act);
        ok(one.visits < 40 && two.visits > 100, `${act}: ${one.visits} of ${two.visits}`);
        page.next = two.next;
      }
      // Where it may be any element, or one that this stands beside, nothing is guessed.
      await page.main(`bar.insertAdjacentHTML('afterend', '<div class="pane"><i>Pane</i></div>'); 0`);
      page.next = (await bothDeltas(page)).two.next;
      await page.main(`far.outerHTML = '<div id="far" class="open"></div>'; 0`);
      const last = await bothDeltas(page);
      hasNot(last.one.kept, /Pane/);
      equal(last.one.yaml, last.two.yaml);
    }),

  'what aria-owns shows elsewhere is walked again when it changes, or what it stands in does': async (_, browser) =>
    withPage(browser, async (page) => {
      await page.load(
        `<!doctype html><style>.off p{visibility:hidden}</style>
        <div role="group" aria-label="Table" aria-owns="menu other"><p>Row</p></div><main>${'<p>Words</p>'.repeat(100)}</main>
        <section><div id="menu"><p>Copy</p><button>Cut</button></div></section><div id="other"><b>Status</b></div>`,
      );
      has(await page.yaml(), /group "Table"[^]*Copy[^]*Status[^]*main/);
      const cases = [
        [`menu.firstChild.firstChild.data = 'Paste'`, /Paste/, true],
        [`menu.insertAdjacentHTML('beforeend', '<i>New</i>')`, /New/, true],
        [`menu.parentNode.className = 'off'`, /removed:.*Paste|Paste.*invisible/, true],
        [`menu.parentNode.className = ''`, /Paste/, true],
        [`other.id = ''`, /./, false],
        [`document.body.append(menu)`, /./, false],
      ];
      for (const [act, told, isNear] of cases) {
        await page.main(`${act}; 0`);
        const { one, two } = await bothDeltas(page);
        has(one.yaml, told, act);
        equal(one.yaml, two.yaml, act);
        equal(one.kept, two.kept, act);
        equal(one.visits < 40, isNear, `${act}: ${one.visits} of ${two.visits}`);
        page.next = two.next;
      }
    }),

  // No mutation tells of a state: each is looked for where elements can be in it.
  'what an element shows beside it by its state comes and goes with that': async (_, browser) =>
    withPage(browser, async (page) => {
      const field = `customElements.define('x-field', class extends HTMLElement {
        static formAssociated = true; internals = this.attachInternals(); })`;
      const cases = [
        ['invalid', '<input required value="x">', `at.value = ''`, `at.value = 'x'`],
        ['invalid', '<form><textarea required>x</textarea></form>', `at.elements[0].value = ''`, `at.reset()`],
        [
          'invalid',
          `<x-field></x-field><script>${field}</script>`,
          `at.internals.setValidity({ customError: true }, 'No')`,
          `at.internals.setValidity({})`,
        ],
        ['focus', '<input>', `at.focus()`, `at.blur()`],
        ['focus-within', '<div><input></div>', `at.firstChild.focus()`, `at.firstChild.blur()`],
        [
          'focus-within',
          `<div></div><script>document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '<input>'</script>`,
          `at.shadowRoot.firstChild.focus()`,
          `at.shadowRoot.firstChild.blur()`,
        ],
        ['popover-open', '<div popover>Menu</div>', `at.showPopover()`, `at.hidePopover()`],
        ['target', '<p id="t">Place</p>', `location.hash = 't'`, `location.hash = ''`],
        ['hover', '<p>Place</p>', [60, 20], [60, 600]], // where the mouse goes
      ];
      for (const [state, html, begin, end] of cases) {
        const name = `${state}: ${html}`;
        await page.load(
          `<!doctype html><style>:is(input,form,x-field,div,p):${state} ~ .told{display:block}.told{display:none}</style>
          <main>${html}<p class="told">It is so</p></main><p>More</p>`,
        );
        await page.yaml();
        for (const [act, words] of [
          [begin, /paragraph \[ref=e\d+\]: It is so/],
          [end, /removed:/],
        ]) {
          if (Array.isArray(act)) await page.move(...act);
          else await page.main(`{ const at = document.querySelector('main').firstElementChild; ${act}; }`);
          const { one, two } = await bothDeltas(page);
          equal(one.yaml, two.yaml, name);
          has(one.yaml, words, name);
          page.next = two.next;
        }
      }
    }),

  'what has looked at boxes that are where they were is not visited again': (_, browser) =>
    withPage(browser, async (page) => {
      const fields = Array.from({ length: 60 }, (none, i) => `<textarea aria-label="Note ${i}">Text</textarea>`).join(
        '',
      );
      const placed = Array.from({ length: 60 }, (none, i) => `<p class="placed">Line ${i}</p>`).join('');
      await page.load(`<!doctype html><style>.placed{position:absolute;left:300px;top:300px;transform:scale(0.9)}
        .up{position:relative;margin:0} .up i{position:absolute;bottom:100%}</style><body style="margin:0">
        <div id="high" style="height:40px">Top</div><p class="up">Under it <i>Over it</i></p><p id="out">-</p>${fields}${placed}`);
      await page.yaml();
      await page.main(`document.getElementById('out').textContent = 'one'`);
      const quiet = await bothDeltas(page);
      same([quiet.one.yaml, quiet.one.kept], [quiet.two.yaml, quiet.two.kept]);
      ok(quiet.one.visits < 20, `${quiet.one.visits} elements were visited`);
      has(quiet.one.kept, 'Over it');
      await page.main(`document.getElementById('high').style.height = 0; high.textContent = ''`);
      const moved = await bothDeltas(page);
      same([moved.one.yaml, moved.one.kept], [moved.two.yaml, moved.two.kept]);
      hasNot(moved.one.kept, 'Over it');
    }),

  'the links of an image map are there once, however often its picture is visited': (_, browser) =>
    withPage(browser, async (page) => {
      await page.load(`<!doctype html><p id="out">-</p><map name="m"><area href="/z" alt="Zone" coords="0,0,9,9"></map>
        <img usemap="#m" alt="Plan" width="20" height="20" src="data:,">`);
      await page.yaml();
      for (const text of ['one', 'two']) {
        await page.main(`document.getElementById('out').textContent = '${text}'`);
        const { one, two } = await bothDeltas(page);
        same([one.yaml, one.kept.split('Zone').length], [two.yaml, 2]);
      }
    }),
};
