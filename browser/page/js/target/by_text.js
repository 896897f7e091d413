// text=...: the elements by the text that a person reads in them.

import {
  closestOf,
  contentOfPage,
  firstChildOf,
  isElement,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  querySelectorAllOf,
  tagOf,
} from '../dom/members.js';
import { oneSpace } from '../dom/text.js';
import { isVisible, pseudoText } from '../dom/style.js';
import { isUndrawn } from '../aria/roles.js';
import { isStoodForNow } from '../tree/natives.js';
import { shadowsOf } from './css.js';
import { selectorText } from './text_match.js';

// The deepest elements whose text matches. A whole text may also be what stands directly in an element that has others in
// it, as the branch of a tree holds its leaves. Where no text matches, what the style sheets write before or after it may:
// a person can't tell it from the rest.
function textFinder(fits) {
  const find = (root) => {
    const scopes = [root, ...shadowsOf(root)].map((scope) => (nodeTypeOf(scope) === 9 ? contentOfPage() : scope));
    const found = [];
    for (const scope of scopes) if (scope) deepestWithText(scope, fits, found);
    const within = found.filter((el) => el !== root && !isStale(el));
    const read = within.filter((el) => !isOfUnseenList(el));
    if (read.length > 0) return read;
    const drawn = scopes.flatMap((scope) => (scope ? [...querySelectorAllOf(scope, '*')] : [])).filter(drawsText(fits));
    return drawn.length > 0 ? drawn : within;
  };
  return Object.assign(find, { part: fits.part });
}

function deepestWithText(node, fits, found) {
  let inner = false;
  for (let child = firstChildOf(node); child; child = nextSiblingOf(child)) {
    if (!isElement(child) || isUndrawn(child, tagOf(child))) continue;
    if (deepestWithText(child, fits, found)) inner = true;
  }
  if (inner) return true;
  if (!isElement(node)) return false;
  const text = selectorText(node);
  if (!text || !(fits(text) || standsIn(node, text, fits))) return false;
  found.push(node);
  return true;
}

// Whether a whole text stands in an element, between the others that are in it.
function standsIn(node, text, { whole }) {
  if (whole === undefined || whole === '' || !text.includes(whole)) return false;
  let run = '';
  for (let child = firstChildOf(node); child; child = nextSiblingOf(child)) {
    if (nodeTypeOf(child) === 3) run += nodeValueOf(child);
    else if (isElement(child) && oneSpace(run) === whole) return true;
    else if (isElement(child)) run = '';
  }
  return oneSpace(run) === whole;
}

// The text of a field that a page keeps out of sight is what an editor began with: what it shows of that stands elsewhere.
const isStale = (el) => tagOf(el) === 'textarea' && !isVisible(el);

// The options of a select that a widget stands for are read in that, if anywhere.
function isOfUnseenList(el) {
  const list = tagOf(el) === 'option' ? closestOf(el, 'select') : null;
  return list !== null && isStoodForNow(list);
}

const drawsText = (fits) => (el) => {
  const [before, after] = ['::before', '::after'].map((which) => pseudoText(el, which));
  return (before !== '' || after !== '') && isVisible(el) && fits(oneSpace(before + selectorText(el) + after));
};

export { textFinder };
