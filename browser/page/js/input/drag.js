// Drags: has the page's own dragging begun since dragWatch?

import { later, live } from '../wait/pollers.js';
import { addListener, isTrustedOf, kWatchLife, removeListener } from './events.js';

let drag = null;

function dragWatch() {
  dropDragWatch();
  const state = { started: false, event: null, expire: later(kWatchLife, dropDragWatch) };
  state.handler = (event) => {
    if (isTrustedOf(event)) {
      state.started = true;
      state.event = event;
    }
  };
  addListener(window, 'dragstart', state.handler, { capture: true, passive: true });
  live.listeners++;
  drag = state;
  return { ok: true };
}

function dropDragWatch() {
  if (!drag) return;
  removeListener(window, 'dragstart', drag.handler, { capture: true });
  live.listeners--;
  drag.expire();
  drag = null;
}

// -> { started }: a drag that the page called off hasn't.
function dragResult() {
  const started = drag !== null && drag.started && !drag.event.defaultPrevented;
  dropDragWatch();
  return { ok: true, started };
}

export { dragWatch, dragResult };
