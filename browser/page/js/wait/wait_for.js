// Waiting for text that is there or gone, as the user sees it.

import {
  areaValueOf,
  contentOfPage,
  firstChildOf,
  inputTypeOf,
  inputValueOf,
  isElement,
  isRendered,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { closedHosts, deepQueryAll, scanClosedHosts, shadowRootsIn } from '../dom/shadow_roots.js';
import { isVisible } from '../dom/style.js';
import { isUndrawn } from '../aria/roles.js';
import { isSecret } from '../aria/values.js';
import { AbsentError } from '../dom/errors.js';
import { resolveTarget } from '../target/targets.js';
import { poll } from './pollers.js';

// The text of the page, hidden parts left out; form values count. innerText forces layout, so text is first looked
// for in textContent, which is cheap, and confirmed only on the elements that hold it.
function pageShows(text) {
  const want = oneSpace(text).toLowerCase();
  for (const scope of [document, ...shadowRootsIn(document)]) {
    const start = nodeTypeOf(scope) === 9 ? contentOfPage() : scope;
    if (start && showsIn(start, want)) return true;
  }
  for (const el of deepQueryAll(document, 'input:not([type=hidden]),textarea')) {
    const tag = tagOf(el);
    if (isSecret(el, tag)) continue;
    const value =
      tag === 'input' ? (/^(checkbox|radio|file)$/.test(inputTypeOf(el)) ? '' : inputValueOf(el)) : areaValueOf(el);
    if (value && oneSpace(value).toLowerCase().includes(want) && isVisible(el)) return true;
  }
  return false;
}

function showsIn(node, want) {
  if (!oneSpace(textContentOf(node)).toLowerCase().includes(want)) return false;
  for (let child = firstChildOf(node); child; child = nextSiblingOf(child)) {
    if (!isElement(child) || isUndrawn(child, tagOf(child))) continue;
    if (showsIn(child, want)) return true;
  }
  if (!isElement(node)) return visibleTextOf(node).toLowerCase().includes(want);
  return isRendered(node, { visibilityProperty: true }) && visibleTextOf(node).toLowerCase().includes(want);
}

// Text of the parts that are rendered, blocks apart from each other.
function visibleTextOf(node) {
  const parts = [];
  const add = (at) => {
    for (let child = firstChildOf(at); child; child = nextSiblingOf(child)) {
      const type = nodeTypeOf(child);
      if (type === 3) parts.push(nodeValueOf(child));
      else if (type === 1 && !isUndrawn(child, tagOf(child))) {
        const style = getComputedStyle(child);
        if (style.display === 'none' || style.visibility !== 'visible') continue;
        const inline = style.display === 'inline';
        if (!inline) parts.push(' ');
        add(child);
        if (!inline) parts.push(' ');
      }
    }
  };
  add(node);
  return oneSpace(parts.join(''));
}

// Whether a target's element is as it is waited for; with several, any that can be seen counts as seen.
function isInState(target, state) {
  let el = null;
  try {
    ({ el } = resolveTarget(target));
  } catch (error) {
    if (!(error instanceof AbsentError)) throw error;
  }
  if (state === 'attached' || state === 'detached') return (el !== null) === (state === 'attached');
  return (el !== null && isVisible(el)) === (state === 'visible');
}

const kRecheck = 250; // ms; visibility can change by style alone, which no observer tells

function waitFor(args) {
  const started = performance.now();
  const waited = () => Math.round(performance.now() - started);
  const satisfied = () =>
    (args.text === undefined || pageShows(args.text)) &&
    (args.textGone === undefined || !pageShows(args.textGone)) &&
    (args.target === undefined || isInState(args.target, args.state));
  const isGoing = args.textGone !== undefined || args.state === 'hidden' || args.state === 'detached';
  let asked = -Infinity;
  const step = (finish, again) => {
    const met = satisfied();
    // What a closed shadow root shows counts too. Are there any that nobody has looked into? Asked before something is
    // said to be gone, and now and then while one doesn't come.
    if (args.hosts && (met ? isGoing : performance.now() >= asked + kRecheck)) {
      asked = performance.now();
      if (scanClosedHosts()) {
        finish({ ok: false, closedHosts: closedHosts.length, waitedMs: waited() });
        return;
      }
    }
    if (met) finish({ ok: true, waitedMs: waited() });
    else again(kRecheck);
  };
  step.onStart = (self) => {
    self.watch(document);
    for (const root of shadowRootsIn(document)) self.watch(root);
  };
  const late = () => {
    if (args.text !== undefined && !pageShows(args.text))
      return `text ${quote(cut(args.text, 200))} did not appear within ${waited()} ms`;
    return args.target === undefined
      ? `text ${quote(cut(args.textGone ?? '', 200))} was still there after ${waited()} ms`
      : `${quote(cut(args.target, 200))} was not ${args.state} within ${waited()} ms`;
  };
  return poll(args, step, () => ({ ok: false, timedOut: true, waitedMs: waited(), error: late() }));
}

export { visibleTextOf, waitFor };
