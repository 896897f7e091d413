// The few elements of the document that have a certain attribute: all of the page is asked for them once, and from then on only what
// has changed. To look for one attribute among 10,000 elements takes half a millisecond, and an answer asks for a dozen.

import { changesSince } from './changes.js';
import {
  elementsOf,
  isBefore,
  isConnected,
  isElement,
  matchesSelector,
  querySelectorAllOf,
  rootNodeOf,
} from './members.js';
import { pass } from './pass.js';

const kFoundMax = 200; // that are looked at again one by one

// By selector: { refs, changes }, where `refs` are WeakRefs of what was found when `changes` (changes.js) began.
const foundOf = new Map();

// The elements that match in the document, less its shadow trees, in its order. The selector may speak only of one element's tag and
// attributes: what else makes an element match, no mutation of its own tells.
function foundAll(selector) {
  let found = pass?.found.get(selector);
  if (found !== undefined) return found;
  const changes = changesSince();
  const known = foundOf.get(selector);
  if (changes !== null && known?.changes === changes) found = foundBy(selector, known.refs, changes);
  else keepAs(selector, (found = [...elementsOf(document, selector)]), changes);
  pass?.found.set(selector, found);
  return found;
}

const isAnyFound = (selector) => foundAll(selector).length > 0;

function keepAs(selector, found, changes) {
  if (changes === null || found.length > kFoundMax) foundOf.delete(selector);
  else foundOf.set(selector, { refs: found.map((el) => new WeakRef(el)), changes });
}

// What was found and still matches, and what has come to match since.
function foundBy(selector, refs, { touched, moved }) {
  const found = new Set();
  const add = (el) => {
    if (isConnected(el) && rootNodeOf(el) === document && matchesSelector(el, selector)) found.add(el);
  };
  for (const ref of refs) {
    const el = ref.deref();
    if (el) add(el);
  }
  for (const { node, attributes } of touched) {
    const el = attributes === null ? undefined : node.deref();
    if (el && isElement(el)) add(el);
  }
  for (const ref of moved) {
    const el = ref.deref();
    if (!el || !isConnected(el)) continue;
    add(el);
    for (const inner of querySelectorAllOf(el, selector)) add(inner);
  }
  return [...found].sort((one, other) => (isBefore(one, other) ? -1 : 1));
}

// Called in a pass. `watchAnew` begins the changes anew; what is known of the page now is what they will be added to.
function keepFoundThrough(watchAnew) {
  const changes = changesSince();
  const found = [...foundOf].flatMap(([selector, known]) =>
    known.changes === changes || pass.found.has(selector) ? [[selector, foundAll(selector)]] : [],
  );
  watchAnew();
  foundOf.clear();
  for (const [selector, elements] of found) keepAs(selector, elements, changesSince());
}

export { foundAll, isAnyFound, keepFoundThrough };
