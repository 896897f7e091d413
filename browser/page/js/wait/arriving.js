// Whether input still comes to the page: the browser drops all of it while a window of its own lies over the tab.

import { tagOf } from '../dom/members.js';
import { deepActiveElement } from '../dom/flat_tree.js';
import { addListener, isTrustedOf, kWatchLife, removeListener, stopNow } from '../target/events.js';
import { later, live, poll } from './pollers.js';

let arriving = null; // { seen, handler, expire }

// Before a key that stands for none is let up, which no page takes for anything. A frame that has the focus gets it instead.
function inputWatch() {
  dropInputWatch();
  const focus = deepActiveElement();
  if (focus !== null && /^(iframe|frame|object|embed)$/.test(tagOf(focus))) return { ok: true, elsewhere: true };
  const state = { seen: false, handler: null, expire: later(kWatchLife, dropInputWatch) };
  state.handler = (event) => {
    if (!isTrustedOf(event) || event.key !== 'Unidentified') return;
    state.seen = true;
    stopNow(event);
  };
  addListener(window, 'keyup', state.handler, { capture: true, passive: true });
  live.listeners++;
  arriving = state;
  return { ok: true };
}

function dropInputWatch() {
  if (arriving === null) return;
  removeListener(window, 'keyup', arriving.handler, { capture: true });
  live.listeners--;
  arriving.expire();
  arriving = null;
}

// -> { seen }, once it has come, or hasn't in time.
function inputSeen(args) {
  const state = arriving;
  const end = () => {
    dropInputWatch();
    return { ok: true, seen: state?.seen ?? true };
  };
  return poll(
    args,
    (finish, again) => {
      if (state === null || state.seen) finish(end());
      else again();
    },
    end,
  );
}

export { inputSeen, inputWatch };
