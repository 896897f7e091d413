// The parts of native elements that give them their name.

import { attr, firstChildOf, isElement, nextSiblingOf, tagOf, textContentOf } from '../dom/members.js';
import { oneSpace } from '../dom/text.js';

function childWithTag(el, tag) {
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child))
    if (isElement(child) && tagOf(child) === tag) return child;
  return null;
}

const optionText = (option) => oneSpace(attr(option, 'label') || textContentOf(option));

export { childWithTag, optionText };
