// Words alone, as a person names what is on a page: `Add to cart` [tool.target.words]. They are no CSS that could find anything, as
// no elements have such names, or as it is no CSS at all: `GET /pets`, `+2 more`, `December 9, 2026`.

import { methodOf, tagOf, textContentOf } from '../dom/members.js';
import { flatContains } from '../dom/flat_tree.js';
import { oneSpace } from '../dom/text.js';
import { isVisible, pseudoText, styleOf } from '../dom/style.js';
import { titleShown } from '../aria/labels.js';
import { roleOf } from '../aria/roles.js';
import { kClickable } from '../tree/node.js';
import { withoutStar, wholeNameOf } from './by_role.js';
import { candidates } from './nearest.js';

const newElement = methodOf(Document, 'createElement');

// The controls to be seen that are called so, or where there are none the texts to press that say just that. `isCss`: the browser
// understands it as a selector.
function controlsNamed(text, isCss) {
  const whole = oneSpace(text.replace(/^(["'])(.*)\1$/, '$2'));
  if (!(isCss ? kPlainWords : kWordsOfNoCss).test(whole) || whole.split(' ').every(isTag)) return [];
  let found = candidates().filter((el) => isCalled(el, whole) && isVisible(el));
  if (found.length === 0) found = candidates().filter((el) => isTitled(el, whole) && isVisible(el));
  if (found.length === 0) found = textsToPress(whole);
  for (const says of [(name) => name.toLowerCase() === whole.toLowerCase(), (name) => name === whole])
    if (found.length > 1 && found.some((el) => says(nameAsControl(el))))
      found = found.filter((el) => says(nameAsControl(el)));
  return found;
}
// Neither a part of CSS is in it nor of a locator.
const kPlainWords = /^[\p{L}\p{N}][^#.:[\](){}<>=*|~/\\"`]*$/u;
// What is no CSS may have any sign in it, but for those that join the parts of a selector and begin one.
const kWordsOfNoCss = /^(?![a-z-]+\s*=|[./#[]|\w+\()(?!.*>>)[^<>]*[\p{L}\p{N}]/u;

// Nobody writes HTML's elements in capitals, but what a person reads begins with one: Title, Table, Source code.
const isTag = (word) => /^[a-z]+\d?$/.test(word) && !(newElement(document, word) instanceof HTMLUnknownElement);
const readsLikeTags = (text) =>
  /^\p{Lu}/u.test(text) && kPlainWords.test(text) && text.toLowerCase().split(' ').every(isTag);
const isCalled = (el, whole) =>
  [nameAsControl(el), withoutStar(nameAsControl(el))].some((name) => name.toLowerCase() === whole.toLowerCase());

// A control that is called by a sign tells its title too.
const isTitled = (el, whole) =>
  titleShown(el).toLowerCase() === whole.toLowerCase() && kClickable.has(roleOf(el, tagOf(el)) ?? 'generic');

// Of boxes around one text the innermost.
function textsToPress(whole) {
  const said = candidates().filter((el) => saysJust(el, whole) && isVisible(el));
  return said.filter(
    (el) => styleOf(el).cursor === 'pointer' && !said.some((one) => one !== el && flatContains(el, one)),
  );
}

// What a style writes is read as any other text.
function saysJust(el, whole) {
  const text = oneSpace(textContentOf(el));
  if (text === whole) return true;
  if (!whole.includes(text)) return false;
  const [before, after] = ['::before', '::after'].map((which) => pseudoText(el, which));
  return (before !== '' || after !== '') && oneSpace(before + text + after) === whole;
}

function nameAsControl(el) {
  const tag = tagOf(el);
  const role = roleOf(el, tag) ?? 'generic';
  return kClickable.has(role) ? oneSpace(wholeNameOf(el, tag, role)) : '';
}

export { controlsNamed, readsLikeTags };
