// Watches for fields that the browser itself refuses (dom/validity.js). The bubble follows an event that the page may take for
// itself, and comes at the first field of the form that is being sent.

import { hasAttr, inputTypeOf, tagOf } from '../dom/members.js';
import { closestFlat } from '../dom/flat_tree.js';
import { eachMetRoot, sawShadow } from '../dom/shadow_roots.js';
import { formOf, isSubmitter, noteAttempt, noteRefused } from '../dom/validity.js';
import { addListener, composedPathOf } from '../target/events.js';

const kMaySend = ['click', 'keydown', 'input'];
const checksItself = (form) => form === null || !hasAttr(form, 'novalidate');

function watchAttempt(event) {
  watchInRoots();
  const at = composedPathOf(event)[0];
  const sender = at instanceof Element ? senderOf(event, at) : null;
  const form = sender && !hasAttr(sender, 'formnovalidate') ? formOf(sender) : null;
  noteAttempt(form !== null && checksItself(form) ? { event, form } : null);
}

// What a field in a shadow tree is told of doesn't leave that.
function watchInRoots() {
  if (!sawShadow) return;
  eachMetRoot((root) => {
    if (refusingRoots.has(root)) return;
    refusingRoots.add(root);
    addListener(root, 'invalid', watchInvalid, { capture: true, passive: true });
  });
}
const refusingRoots = new WeakSet();

function senderOf(event, at) {
  if (event.type === 'click') return closestFlat(at, (el) => isSubmitter(el, inputTypeOf(el)));
  return event.type === 'keydown' && event.key === 'Enter' && tagOf(at) === 'input' ? at : null;
}

function watchInvalid(event) {
  const field = composedPathOf(event)[0];
  if (field instanceof Element && checksItself(formOf(field))) noteRefused(event, field);
}

// From the document's start; to call it again changes nothing.
function watchRefusals() {
  for (const type of kMaySend) addListener(window, type, watchAttempt, { capture: true, passive: true });
  addListener(window, 'invalid', watchInvalid, { capture: true, passive: true });
}

export { watchRefusals };
