// Drags: has the page's own dragging begun since dragWatch? What is pressed for one is noted, for the delta to tell how far it
// has gone.

import { later, live } from '../wait/pollers.js';
import { isElement } from '../dom/members.js';
import { withPass } from '../dom/pass.js';
import { notePressed } from '../dom/dragged.js';
import { addListener, composedPathOf, isTrustedOf, kWatchLife, removeListener } from '../target/events.js';

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
  state.press = (event) => {
    const [el] = composedPathOf(event);
    if (isTrustedOf(event) && isElement(el)) withPass(() => notePressed(el));
  };
  addListener(window, 'dragstart', state.handler, { capture: true, passive: true });
  addListener(window, 'pointerdown', state.press, { capture: true, passive: true });
  live.listeners += 2;
  drag = state;
  return { ok: true };
}

function dropDragWatch() {
  if (!drag) return;
  removeListener(window, 'dragstart', drag.handler, { capture: true });
  removeListener(window, 'pointerdown', drag.press, { capture: true });
  live.listeners -= 2;
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
