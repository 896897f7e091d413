// A delta walks what has changed only, and says what one by a walk of the whole page says.
// Contract: [tool.snapshot.delta]
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { equal, ok } from '../expect.mjs';

const randomPage = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../random_page.js'), 'utf8');
const kSeeds = Number(process.env.SEEDS ?? 25);
const kFirstSeed = Number(process.env.SEED ?? 1);
const kSteps = 12;

async function withPage(browser, run) {
  const page = await browser.newPage('tests/page/regions.js');
  try {
    page.next = 1;
    await run(page);
  } finally {
    await browser.send('Target.closeTarget', { targetId: page.targetId });
  }
}

// A delta, and the same again by a walk of the whole page: in one task, so that the page can't change in between.
const bothDeltas = (page) =>
  page.raw(`(() => {
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
};
