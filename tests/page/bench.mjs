// How long a snapshot takes beside a bare DOM walk, and how many tokens it costs. Prints; asserts nothing:
// timings vary by a factor of two from hour to hour, so only the ratio within one run says something.
//   node tests/page/bench.mjs
import { Browser } from './cdp.mjs';
import { shapes } from './bench_shapes.mjs';

// The floor: every element and text once, with visibility, role, label and box, as one string.
const bareWalk = `(() => {
  const lines = []; let n = 0;
  const walk = (el, depth) => {
    const style = getComputedStyle(el);
    if (style.display === 'none' || style.visibility === 'hidden') return;
    const box = el.getBoundingClientRect();
    let text = '';
    for (const child of el.childNodes) if (child.nodeType === 3) text += child.nodeValue.trim();
    lines.push(' '.repeat(depth) + '- ' + (el.getAttribute('role') || el.localName) + ' "' + (el.getAttribute('aria-label') || text) + '" [ref=e' + (++n) + ']' + (box.width > 0 ? '' : ' hidden'));
    for (const child of el.children) walk(child, depth + 1);
  };
  walk(document.body, 0);
  return lines.join('\\n');
})()`;

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
async function time(runs, work) {
  const out = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    await work(i);
    out.push(performance.now() - start);
  }
  return median(out);
}

const browser = await Browser.launch();
try {
  const page = await browser.newPage();
  const only = process.argv[2];
  for (const [shape, make] of Object.entries(shapes))
    for (const n of [50, 2000, 20000]) {
      if (only && shape !== only) continue;
      await page.load('<!doctype html>' + make(n));
      page.next = 1;
      const firstBare = process.argv[3] === 'cold' ? await time(1, () => page.raw(bareWalk)) : 0;
      if (firstBare) {
        console.log(`first bare ${firstBare.toFixed(0)}`);
        await page.load('<!doctype html>' + make(n));
      }
      const runs = n > 5000 ? 7 : 25;
      let yaml = '';
      const first = await time(1, async () => {
        yaml = await page.yaml();
      });
      const bares = [];
      const snaps = []; // in turns, so that a busy machine hits both alike
      for (let i = 0; i < runs; i++) {
        bares.push(await time(1, () => page.raw(bareWalk)));
        snaps.push(
          await time(1, async () => {
            yaml = await page.yaml();
          }),
        );
      }
      const bare = median(bares);
      const snap = median(snaps);
      const delta = await time(runs, () => page.yaml({ mode: 'delta' }));
      if (process.env.SHOW) console.log(yaml.slice(0, 1500));
      console.log(
        `${shape.padEnd(6)} ${String(n).padStart(6)}: bare ${bare.toFixed(1)} ms, snapshot ${snap.toFixed(1)} ms (${(snap / bare).toFixed(2)}x, first ${first.toFixed(1)}), ` +
          `unchanged delta ${delta.toFixed(1)} ms; ${yaml.length} characters, ~${Math.round(yaml.length / 4)} tokens`,
      );
    }
  // A click as the tool does it: the result's delta snapshot is what the next click's stillness is judged by.
  await page.load('<button>1</button><p>text</p>');
  await page.main('document.querySelector("button").onclick = (e) => e.target.textContent++');
  page.next = 1;
  await page.yaml();
  const parts = { check: [], input: [], settle: [], delta: [] };
  const click = await time(25, async () => {
    let point;
    parts.check.push(
      await time(1, async () => {
        point = await page.call('actionable', { target: 'button', timeout: 1000, guard: true });
      }),
    );
    parts.input.push(await time(1, () => page.click(point.x, point.y)));
    parts.settle.push(
      await time(1, async () => {
        await page.call('hitResult');
        await page.call('frames', { n: 2, adaptive: true });
      }),
    );
    parts.delta.push(await time(1, () => page.yaml({ mode: 'delta' })));
  });
  console.log(
    `click with all checks, a settled frame and a delta: ${click.toFixed(1)} ms ` +
      `(${Object.entries(parts)
        .map(([name, list]) => `${name} ${median(list).toFixed(1)}`)
        .join(', ')})`,
  );
} finally {
  await browser.close();
}
