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

export const withoutRefs = (yaml) => yaml.replaceAll(/ \[ref=e\d+\]/g, '');

// The same without its refs, for what they are no matter to.
export const plain = async (page, html) => withoutRefs(await shown(page, html));

// What a delta tells without refs, of what `script` does in the page's own world where it is given.
export async function delta(page, script) {
  if (script !== undefined) await page.main(script);
  return withoutRefs(await page.yaml({ mode: 'delta' }));
}

// Waits until a condition of the page's own world holds.
export async function until(page, expression) {
  for (;;) {
    if (await page.main(`Boolean(${expression})`)) return;
    await page.main('new Promise((r) => setTimeout(r, 5))');
  }
}

// The time, in ms, of a call whose condition holds within milliseconds: a busy machine may stand still for seconds.
export const kPatience = 60_000;

// The result of a call that can not succeed once its error has `part`. What is said at the end of the call's time is what
// was seen until then: where frames take long, a short time shows too few of them, and the call gets more.
export async function refused(page, args, part) {
  for (let timeout = 60; ; timeout *= 4) {
    const result = await page.call('actionable', { callId: 1, ...args, timeout });
    assert.ok(!result.ok, JSON.stringify(result));
    const said = result.error;
    if (!(part instanceof RegExp ? part.test(said) : said.includes(part)) && timeout < kPatience / 4) continue;
    has(said, part);
    return result;
  }
}

// That the page script has left nothing behind.
export async function quiet(page) {
  const { pollers, observers, timers, frames, listeners } = await page.call('stats');
  same(
    { pollers, observers, timers, frames, listeners },
    { pollers: 0, observers: 0, timers: 0, frames: 0, listeners: 0 },
  );
}

// The course of a choice [tool.select.made]: its beginning, and what to click next.
export const begin = (page, target, ...values) => page.call('beginChoice', { target, values });
export const next = (page, more = {}) =>
  page.call('choiceStep', { timeout: kPatience, callId: 1, quiet: true, ...more });
