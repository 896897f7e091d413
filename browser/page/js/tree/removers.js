// What lies in a control and removes or closes that: the x of a chip that is a button, of a tab [tool.snapshot.pointers].

import { attr, tagOf, textContentOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { closestFlat, flatParentOf } from '../dom/flat_tree.js';
import { roleOf } from '../aria/roles.js';
import { kTestIds } from './refs.js';

const kClosing = words('close cancel dismiss');
const kRemoving = new Set([...kClosing, ...words('delete remove clear')]);
const kCross = /^\s*[×✕✖✗✘⨯╳❌]\s*$/;

// The control that an element within it removes or closes: the element is called so, and the control something else.
// `controls`: the roles of such. null without one.
function controlRemovedBy(el, controls) {
  if (!saysRemove(el)) return null;
  const control = closestFlat(flatParentOf(el), (at) => controls.has(roleOf(at, tagOf(at)) ?? ''));
  if (control === null || saysRemove(control)) return null;
  const text = textContentOf(control).slice(0, kWordsOfControl);
  if (text.trim() === textContentOf(el).trim() || hasWord(text)) return null;
  const around = flatParentOf(el);
  return around === control || !saysRemove(around) ? control : null; // else it is a part of that
}
const kWordsOfControl = 200; // characters

const saysRemove = (el, called = kRemoving) =>
  kCross.test(textContentOf(el)) || [...kCallers, ...kTestIds].some((name) => hasWord(attr(el, name) ?? '', called));
const saysClose = (el) => saysRemove(el, kClosing);
const kCallers = ['aria-label', 'title', 'class', 'data-action', 'data-icon'];

const hasWord = (text, called = kRemoving) =>
  text
    .replace(kHump, '$1-$2')
    .toLowerCase()
    .split(kBetweenLetters)
    .some((word) => called.has(word));
const kHump = /([a-z])([A-Z])/g;
const kBetweenLetters = /[^a-z]+/;

export { controlRemovedBy, saysClose, saysRemove };
