// What a control or a place is in by an attribute of its author's, where no ARIA attribute tells [tool.snapshot.hints].

import {
  attr,
  attrNamesOf,
  firstElementOf,
  hasAnyAttr,
  hasAttr,
  nextElementOf,
  previousElementOf,
  tagOf,
} from '../dom/members.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { saysState } from './state_words.js';

// That a place is the one of those beside it that a page is at, by an attribute of its author's which the others lack; the box
// around what says it too is that place.
function dataPlaceOf(el) {
  const tells = (at, which) => attr(at, which) === '' || attr(at, which) === 'true';
  const name = attrNamesOf(el).find((one) => isOwnState(el, one) && tells(el, one)); // most have none: one look
  const around = name === undefined || saysState(el, '') ? null : flatParentOf(el);
  if (around === null || tells(around, name)) return '';
  const isOther = (at) => at !== null && tagOf(at) === tagOf(el) && !hasAttr(at, name);
  return isOther(nextElementOf(el)) || isOther(previousElementOf(el)) ? wordOfState(name) : '';
}

// What a control is in by an attribute of its author's, as it prints it, or ''; or by that of the box that it begins, as with an item beside
// whose link other controls stand, where what stands beside that box has another value.
function dataStateOf(el) {
  const own = ownDataState(el);
  const box = own === '' ? flatParentOf(el) : null;
  if (box === null || firstElementOf(box) !== el || hasAttr(box, 'role')) return own;
  const around = ownDataState(box);
  const [name] = around.split('=');
  const isOther = (at) => at !== null && hasAttr(at, name) && attr(at, name) !== attr(box, name);
  return around !== '' && (isOther(nextElementOf(box)) || isOther(previousElementOf(box))) ? around : '';
}

function ownDataState(el) {
  if (!hasAnyAttr(el)) return '';
  for (const name of isComponent(el) ? kDataStates.concat(kPartStates) : kDataStates) {
    const value = attr(el, name);
    if (value === '' || value === 'true') return wordOfState(name);
  }
  const state = attr(el, 'data-state');
  return kDataState.test(state ?? '') ? `data-state=${state}` : '';
}
const kDataStates = [
  'data-active',
  'data-selected',
  'data-checked',
  'data-current',
  'data-pressed',
  'data-completed',
  'data-progress',
];
// By which a component is told by its page what it is to draw: an element of HTML's own has none of these, or says it by its role.
const kPartStates = ['pressed', 'selected', 'checked', 'current'];
const wordOfState = (name) => (kPartStates.includes(name) ? `@${name}` : name); // no class of that name
const isComponent = (el) => tagOf(el).includes('-');
const isOwnState = (el, name) => kDataStates.includes(name) || (kPartStates.includes(name) && isComponent(el));
const kDataState = /^(active|selected|checked|current|pressed|on)$/;

// Whether the states of its line say it too.
function isSaidOtherwise(word, states) {
  const said = word === 'data-active' ? '[highlighted]' : word.replace(/^@(.+)$/, '[$1]');
  return said !== word && states.includes(said);
}

// How such a word is printed; '' for that of a class.
const attributeMark = (word) => (/^(@|data-)/.test(word) ? ` [${word.replace('@', '')}]` : '');

export { attributeMark, dataPlaceOf, dataStateOf, isSaidOtherwise };
