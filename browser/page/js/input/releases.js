// A mouse button that goes up because nobody holds it any more is no click. The browser makes one of every press and
// release, so C++ marks such a release, and the click that follows is stopped before the page sees it.

import { addListener, isTrustedOf, preventNow, stopNow } from '../target/events.js';

const kLetGoTwist = 359; // degrees, as in browser/page/input/mouse_events.h; a mouse has none
const kClicks = ['click', 'auxclick', 'dblclick'];

let letGo = false; // the last pointer that went up

function noteLetGo(event) {
  if (isTrustedOf(event)) letGo = event.twist === kLetGoTwist;
}
function stopClick(event) {
  // A click by a key or a script counts nothing.
  if (!letGo || !isTrustedOf(event) || event.detail === 0) return;
  stopNow(event);
  preventNow(event);
}

// From the document's start, so that no listener of the page comes first. To call it again changes nothing, but after
// document.open(), which has taken all listeners away.
function watchReleases() {
  addListener(window, 'pointerup', noteLetGo, { capture: true });
  for (const type of kClicks) addListener(window, type, stopClick, { capture: true });
  return { ok: true };
}

export { watchReleases };
