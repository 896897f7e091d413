// What is dragged in from outside: does the page take it where it is?

import { attr, tagOf } from '../dom/members.js';
import { closestFlat } from '../dom/flat_tree.js';
import { isEditable } from '../aria/values.js';
import { later, live } from '../wait/pollers.js';
import { addListener, composedPathOf, isTrustedOf, kWatchLife, preventNow, removeListener } from '../target/events.js';

let watch = null;

// Listens until dropResult: at the window first, for what is told, and last, where a drop that nobody has handled is
// ended [why.drop-ends-with-us].
function dropWatch({ files = false }) {
  endDropWatch();
  const state = { files, over: null, el: null, drop: null, expire: later(kWatchLife, endDropWatch) };
  state.first = (event) => {
    if (!isTrustedOf(event)) return;
    if (event.type === 'drop') {
      state.drop = event;
      return;
    }
    state.over = event;
    const target = composedPathOf(event)[0];
    state.el = target instanceof Element ? target : null;
  };
  state.last = (event) => {
    if (event === state.drop && !isTakenByItself(state.el, files)) preventNow(event);
  };
  for (const type of ['dragover', 'drop']) addListener(window, type, state.first, { capture: true, passive: true });
  addListener(window, 'drop', state.last, { passive: false });
  live.listeners++;
  watch = state;
  return { ok: true };
}

function endDropWatch() {
  if (!watch) return;
  for (const type of ['dragover', 'drop']) removeListener(window, type, watch.first, { capture: true });
  removeListener(window, 'drop', watch.last, {});
  live.listeners--;
  watch.expire();
  watch = null;
}

// Elements that take a drop without a script: file inputs take files, what can be edited takes text.
function isTakenByItself(el, files) {
  if (el === null) return false;
  if (!files) return isEditable(el);
  return closestFlat(el, (at) => tagOf(at) === 'input' && attr(at, 'type')?.toLowerCase() === 'file') !== null;
}

// -> { over, accepted, dropped }: whether something was dragged over the frame, may be dropped there, and was. `end`: the
// last question.
function dropResult({ end = false }) {
  const state = watch;
  if (end) endDropWatch();
  if (!state) return { ok: true, over: false, accepted: false, dropped: false };
  const { over, el, files, drop } = state;
  const accepted = over !== null && (over.defaultPrevented || isTakenByItself(el, files));
  return { ok: true, over: over !== null, accepted, dropped: drop !== null };
}

export { dropWatch, dropResult };
