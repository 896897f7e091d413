// The parts of native elements that give them their name.

import {
  attr,
  firstChildOf,
  isElement,
  nextSiblingOf,
  querySelectorAllOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { oneSpace } from '../dom/text.js';
import { roleOf } from './roles.js';

function childWithTag(el, tag) {
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child))
    if (isElement(child) && tagOf(child) === tag) return child;
  return null;
}

const optionText = (option) => oneSpace(attr(option, 'label') || textContentOf(option));

// What an item says once of what it says twice, as a box to tick in it is mostly called as the item; or null.
function onceOfTwo(text, el, tag) {
  if (!kTickedByName.has(roleOf(el, tag)) || querySelectorAllOf(el, kBoxesToTick).length === 0) return null;
  return /^(.{1,80}) \1$/.exec(text)?.[1] ?? null;
}
const kTickedByName = words('treeitem option menuitem');
const kBoxesToTick = 'input[type=checkbox],[role=checkbox]';

export { onceOfTwo, childWithTag, optionText };
