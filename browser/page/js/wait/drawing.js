// Whether a page has drawn what it has fetched. Many draw it a moment later: when a module has run, or a timer is over.

import { bodyOf, isConnected } from '../dom/members.js';
import { later, live, poll } from './pollers.js';

const kDrawingWatched = 5000; // ms; a watch that nobody asks ends by itself
let drawing = null; // { observer, changedAt, expire }

// From now on until drawn() is asked: when the body has changed last.
function watchDrawing() {
  dropDrawing();
  const state = { changedAt: -Infinity, observer: null, expire: later(kDrawingWatched, dropDrawing) };
  state.observer = new MutationObserver((records) => {
    if (anyLasts(records)) state.changedAt = performance.now();
  });
  const body = bodyOf(document);
  if (body) state.observer.observe(body, { subtree: true, childList: true, characterData: true });
  live.observers++;
  drawing = state;
  return { ok: true };
}

// Whether any of the changes is still there: what was put in and taken out again has measured a font or a scroll bar.
function anyLasts(records) {
  const added = new Set();
  for (const { addedNodes } of records) for (const node of addedNodes) added.add(node);
  for (const node of added) if (isConnected(node)) return true;
  return records.some(
    ({ type, removedNodes }) => type !== 'childList' || Array.from(removedNodes).some((node) => !added.has(node)),
  );
}

function dropDrawing() {
  if (drawing === null) return;
  drawing.observer.disconnect();
  live.observers--;
  drawing.expire();
  drawing = null;
}

// Waits until the body has changed, which may have been up to `ago` ms before the call. `changed`: whether it has.
function drawn({ callId, timeout, ago = 0 }) {
  if (drawing === null) watchDrawing();
  const state = drawing;
  const since = performance.now() - ago;
  const end = (changed) => {
    if (drawing === state) dropDrawing();
    return { ok: true, changed };
  };
  return poll(
    { callId, timeout },
    (finish, again) => {
      if (state.changedAt >= since) finish(end(true));
      else again();
    },
    () => end(false),
  );
}

export { drawn, watchDrawing };
