// What a click costs that changes one text, on pages of 10, 2,000 and 10,000 elements: the delta alone, and the click as
// the tool does it. Prints; asserts nothing. Times are CPU time of the page's main thread, which a busy machine disturbs
// less than the clock: the least and the median of many.
//   node tests/page/bench_delta.mjs [shape]
import { readFileSync } from 'node:fs';
import { Browser } from './cdp.mjs';
import { shapes } from './bench_shapes.mjs';

const kRounds = 30;
const kSizes = [10, 2000, 10000];

// The process that shows the page: the renderer that has worked most since the page was loaded.
async function rendererOf(page) {
  const { processInfo } = await page.browser.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return renderers.sort((a, b) => b.cpuTime - a.cpuTime)[0].id;
}

const cpuMs = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

const sorted = (list) => list.toSorted((a, b) => a - b);
const told = (list) => `${sorted(list)[0].toFixed(1)} / ${sorted(list)[list.length >> 1].toFixed(1)}`;

// One click and its delta, as the tool does them.
async function clickAndLook(page, part) {
  let point;
  await part('check', async () => {
    point = await page.call('actionable', { target: '#go', timeout: 5000, guard: true });
  });
  await part('watch', () => page.call('watchAction'));
  await part('input', () => page.click(point.x, point.y));
  await part('settle', async () => {
    await page.call('hitResult');
    await page.call('frames', { n: 2, adaptive: true, quick: true });
  });
  await part('delta', () => page.yaml({ mode: 'delta' }));
}

async function measure(page, html) {
  await page.load(
    `<!doctype html><button id="go">Go</button><p id="out">nothing</p><script>go.onclick = () => { out.textContent = 'changed ' + Math.random(); }</script>${html}`,
  );
  page.next = 1;
  const renderer = await rendererOf(page);
  const costs = { full: [], check: [], watch: [], input: [], settle: [], delta: [], click: [] };
  for (let i = 0; i < kRounds; i++) {
    let all = 0;
    const part = async (name, work) => {
      const before = cpuMs(renderer);
      await work();
      const cost = cpuMs(renderer) - before;
      costs[name].push(cost);
      if (name !== 'full') all += cost;
    };
    if (i % 5 === 0) await part('full', () => page.yaml());
    await clickAndLook(page, part);
    costs.click.push(all);
  }
  return costs;
}

const browser = await Browser.launch();
try {
  for (const [shape, make] of Object.entries(shapes)) {
    if (process.argv[2] && shape !== process.argv[2]) continue;
    let least = null;
    for (const n of kSizes) {
      const page = await browser.newPage();
      const costs = await measure(page, make(n));
      least ??= costs;
      const ratio = (name) => (sorted(costs[name])[0] / sorted(least[name])[0]).toFixed(2);
      console.log(
        `${shape.padEnd(7)} ${String(n).padStart(5)}: ` +
          Object.entries(costs)
            .map(([name, list]) => `${name} ${told(list)}`)
            .join(', ') +
          ` ms; click ${ratio('click')}x, delta ${ratio('delta')}x`,
      );
      await browser.send('Target.closeTarget', { targetId: page.targetId });
    }
  }
} finally {
  await browser.close();
}
