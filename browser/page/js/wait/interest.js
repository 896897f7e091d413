// What the browser itself shows for an element once the mouse has rested on it (interestfor), which no timer of the page tells of.

import { hasAttr, matchesSelector } from '../dom/members.js';
import { closestFlat } from '../dom/flat_tree.js';

let hovered = null; // the last such element that the mouse was to be moved to, as a WeakRef

function noteHovered(el) {
  const invoker = closestFlat(el, (at) => hasAttr(at, 'interestfor'));
  hovered = invoker === null ? null : { ref: new WeakRef(invoker), at: performance.now() };
}

// Whether the mouse rests there and nothing has been shown yet.
function isInterestDue() {
  const el = hovered?.ref.deref();
  if (!el || performance.now() - hovered.at >= kInterestMost) return false;
  return matchesSelector(el, ':hover:not(:interest-source)');
}
const kInterestMost = 1500; // ms; by its style an element may take for ever

export { isInterestDue, noteHovered };
