// Words alone, as a person names what is on a page: `Add to cart` [tool.target.words]. They are no CSS that could find anything, as
// no elements have such names.

import { methodOf, tagOf, textContentOf } from '../dom/members.js';
import { flatContains } from '../dom/flat_tree.js';
import { oneSpace } from '../dom/text.js';
import { isVisible, styleOf } from '../dom/style.js';
import { roleOf } from '../aria/roles.js';
import { kClickable } from '../tree/node.js';
import { withoutStar, wholeNameOf } from './by_role.js';
import { candidates } from './nearest.js';

const newElement = methodOf(Document, 'createElement');

// The one control to be seen that is called so, or where there is none the one text to press that says just that, or null.
function controlNamed(text) {
  const whole = oneSpace(text.replace(/^(["'])(.*)\1$/, '$2'));
  if (!kPlainWords.test(whole) || whole.split(' ').every(isTag)) return null;
  let found = candidates().filter((el) => isCalled(el, whole) && isVisible(el));
  if (found.length === 0) found = textsToPress(whole);
  for (const says of [(name) => name.toLowerCase() === whole.toLowerCase(), (name) => name === whole])
    if (found.length > 1) found = found.filter((el) => says(nameAsControl(el)));
  return found.length === 1 ? found[0] : null;
}
// Neither a part of CSS is in it nor of a locator.
const kPlainWords = /^[\p{L}\p{N}][^#.:[\](){}<>=*|~/\\"`]*$/u;

const isTag = (word) => /^[a-z]+\d?$/.test(word) && !(newElement(document, word) instanceof HTMLUnknownElement);
const isCalled = (el, whole) =>
  [nameAsControl(el), withoutStar(nameAsControl(el))].some((name) => name.toLowerCase() === whole.toLowerCase());

// Of boxes around one text the innermost.
function textsToPress(whole) {
  const said = candidates().filter((el) => oneSpace(textContentOf(el)) === whole && isVisible(el));
  return said.filter(
    (el) => styleOf(el).cursor === 'pointer' && !said.some((one) => one !== el && flatContains(el, one)),
  );
}

function nameAsControl(el) {
  const tag = tagOf(el);
  const role = roleOf(el, tag) ?? 'generic';
  return kClickable.has(role) ? oneSpace(wholeNameOf(el, tag, role)) : '';
}

export { controlNamed };
