// What the cases drive the page with: each method is one tool call and gives the answer's text.
import assert from 'node:assert/strict';
import { kPatience } from '../support/served.mjs';

export class Driver {
  constructor(session, origin) {
    this.session = session;
    this.origin = origin;
  }

  // Opens a page of pages/ once its own `ready` holds.
  async open(page, ready = 'true') {
    await this.call('browser_navigate', { url: `${this.origin}/pages/${page}` });
    await this.until(ready);
    return this.snapshot();
  }

  // A call that must succeed, on a page that must not complain.
  async call(name, args) {
    const words = await this.session.call(name, args);
    assert.ok(!words.includes('console error'), `the page complains:\n${words}`);
    return words;
  }
  fails(name, args) {
    return this.session.fails(name, args);
  }
  value(expression) {
    return this.session.value(expression);
  }

  // Waits in the page until an expression of its own world holds.
  async until(condition) {
    const met = await this.session.result('browser_evaluate', {
      function: `async () => { while (!(${condition})) await new Promise((r) => requestAnimationFrame(r)); }`,
      timeout: kPatience,
    });
    assert.ok(!met.isError, `${condition}:\n${met.words}`);
  }

  snapshot(target) {
    return this.call('browser_snapshot', target ? { target } : {});
  }
  click(target, more = {}) {
    return this.call('browser_click', { target, ...more });
  }
  type(target, text, more = {}) {
    return this.call('browser_type', { target, text, ...more });
  }
  key(key) {
    return this.call('browser_press_key', { key });
  }
  select(target, ...values) {
    return this.call('browser_select_option', { target, values });
  }
  waitFor(text) {
    return this.call('browser_wait_for', { text });
  }
}

// The ref on the line of an answer that holds `part`.
export function refOf(words, part) {
  const line = words.split('\n').find((one) => one.includes(part));
  const ref = line?.match(/\[ref=((?:f\d+)?e\d+)\]/)?.[1];
  assert.ok(ref, `no ref for ${part} in:\n${words}`);
  return ref;
}

// Messages show the whole text looked into: it is what one needs to see.
const holds = (words, part) => (part instanceof RegExp ? part.test(words) : words.includes(part));
export function has(words, ...parts) {
  for (const part of parts) assert.ok(holds(words, part), `expected ${part} in:\n${words}`);
}
export function hasNot(words, ...parts) {
  for (const part of parts) assert.ok(!holds(words, part), `expected no ${part} in:\n${words}`);
}
export const equal = assert.deepEqual;
