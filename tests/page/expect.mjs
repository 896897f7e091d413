// What the cases assert with. Messages show the whole text looked into: it is what one needs to see.
import assert from 'node:assert/strict';

export const equal = assert.equal;
export const same = assert.deepEqual;
export const ok = assert.ok;

export function has(text, part) {
  assert.ok(part instanceof RegExp ? part.test(text) : text.includes(part), `expected ${part} in:\n${text}`);
}

export function hasNot(text, part) {
  assert.ok(!(part instanceof RegExp ? part.test(text) : text.includes(part)), `expected no ${part} in:\n${text}`);
}

// The ref on the line that holds `part`.
export function refOf(yaml, part) {
  const line = yaml.split('\n').find((l) => l.includes(part));
  assert.ok(line, `no line with ${part} in:\n${yaml}`);
  const match = /\[ref=((?:f\d+)?e\d+)\]/.exec(line);
  assert.ok(match, `no ref in: ${line}`);
  return match[1];
}

// Loads a page and gives its yaml.
export async function shown(page, html, args = {}) {
  await page.load('<!doctype html>' + html);
  return page.yaml(args);
}

// Waits until a condition of the page's own world holds.
export async function until(page, expression) {
  for (;;) {
    if (await page.main(`Boolean(${expression})`)) return;
    await page.main('new Promise((r) => setTimeout(r, 5))');
  }
}
