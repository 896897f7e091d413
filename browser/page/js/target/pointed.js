// An element that the page script itself has found and that C++ is to act on: no snapshot need have shown it, so it may
// have no ref, and it lies in the frame that was asked.

import { isConnected } from '../dom/members.js';
import { PageError } from '../dom/errors.js';

const kPointedTarget = 'bridle:pointed'; // as in browser/page/target.h
let pointed = null;
let findAgain = null;

// `find` finds what has taken the element's place: long lists make their rows anew when they are scrolled.
function pointTo(el, find = null) {
  pointed = el === null ? null : new WeakRef(el);
  findAgain = find;
}

function pointedElement() {
  let el = pointed?.deref();
  if ((!el || !isConnected(el)) && findAgain) {
    el = findAgain();
    if (el) pointed = new WeakRef(el);
  }
  if (!el || !isConnected(el)) throw new PageError('What was to be clicked is no longer on the page.');
  return el;
}

export { kPointedTarget, pointTo, pointedElement };
