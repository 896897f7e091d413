// The beginning of an action on an element, or on none.

import { mayBeRedrawn, noteActed } from '../dom/acted.js';
import { rescan } from '../tree/numbering.js';

// What a framework has drawn anew since it was told hasn't gone: its number belongs to what is there now.
function beginActing(el) {
  if (mayBeRedrawn()) rescan();
  noteActed(el);
}

export { beginActing };
