// Words alone, as a person names what is on a page: `Add to cart` [tool.target.words]. They are no CSS that could find anything, as
// no elements have such names, or as it is no CSS at all: `GET /pets`, `+2 more`, `December 9, 2026`.

import {
  attr,
  firstChildOf,
  firstElementOf,
  hasAttr,
  isElement,
  labelControlOf,
  matchesSelector,
  methodOf,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  previousSiblingOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { byIdNear, flatContains, flatParentOf, idListOf } from '../dom/flat_tree.js';
import { oneSpace } from '../dom/text.js';
import { isVisible, pseudoText, styleOf } from '../dom/style.js';
import { FOR_READERS, AWAY } from '../dom/sight.js';
import { authorLabel, titleShown } from '../aria/labels.js';
import { nameOf } from '../aria/names.js';
import { roleOf } from '../aria/roles.js';
import { sightHere } from '../tree/natives.js';
import { kClickable } from '../tree/node.js';
import { beginsWithWords, withoutStar, wholeNameOf } from './by_role.js';
import { candidates, fresh } from './nearest.js';

const newElement = methodOf(Document, 'createElement');

// The controls to be seen that are called so, or where there are none the texts to press that say just that; of what has come since
// the last snapshot where that has told none. `isCss`: the browser understands it as a selector.
function controlsNamed(text, isCss) {
  const whole = wordsMeant(text, isCss);
  if (whole === null) return [];
  const told = namedAmong(candidates(), whole);
  return told.length > 0 ? told : namedAmong(fresh(), whole);
}

// The only field whose name, or what is drawn in it, begins so, to type into: "Search" of "Search products...", or else has the words;
// or the only one that nothing names and that stands right behind a text that says just that. More than that is pressed by its whole
// name alone.
function fieldNamedInPart(text, isCss, takes) {
  const whole = wordsMeant(text, isCss);
  if (whole === null) return [];
  const fields = candidates().filter((el) => takes(el) && isVisible(el));
  const ways = [
    (el) => namesOfField(el).some((name) => beginsWithWords(name, whole)),
    (el) => namesOfField(el).some((name) => saysAmongOthers(name, whole)),
    (el) => namesOfField(el).every((name) => name === '') && isCalledBy(textBefore(el), whole),
    (el) => isListField(el) && isCalledBy(textBefore(el), whole), // which may be called by what is chosen in it
  ];
  for (const isMeant of ways) {
    const found = fields.filter(isMeant);
    if (found.length > 0) return found.length === 1 ? found : [];
  }
  return [];
}
const isListField = (el) => /^(combobox|listbox)$/.test(roleOf(el, tagOf(el)));
const namesOfField = (el) => [nameAsControl(el), oneSpace(attr(el, 'placeholder') ?? '')];
const saysAmongOthers = (name, words) =>
  ` ${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${words.toLowerCase()} `);

// Whether a text calls a field so, maybe with a note behind the colon: "Password: at least 8 characters".
function isCalledBy(text, whole) {
  const [said, words] = [text.toLowerCase().replace(kHelpSign, ''), whole.toLowerCase()];
  return withoutStar(said) === words || said.startsWith(`${words}:`);
}

const kHelpSign = /\s*(\(\s*\?\s*\)|\s\?)$/; // which opens what explains the field

// The text that a field stands right behind, with nothing else between them: "Title:<br>", a paragraph above it; or ''.
function textBefore(field) {
  let at = field;
  for (let level = 0; at !== null && level < kTextLevels; at = flatParentOf(at), level++)
    for (let before = previousSiblingOf(at); before !== null; before = previousSiblingOf(before)) {
      const isText = nodeTypeOf(before) === 3;
      const said = oneSpace(isText ? nodeValueOf(before) : isElement(before) ? textContentOf(before) : '');
      if (isElement(before) && matchesSelector(before, kInFields) && !isFieldSeen(before)) continue; // a widget stands for it
      const isField =
        isElement(before) &&
        (matchesSelector(before, kInFields) || [...querySelectorAllOf(before, kInFields)].some(isFieldSeen));
      if (isField || /[\p{L}\p{N}]/u.test(said)) return isField ? '' : said;
    }
  return '';
}
function isFieldSeen(field) {
  const { width, height } = rectOf(field);
  return Math.min(width, height) > 1 && isVisible(field) && (sightHere(field) & (FOR_READERS | AWAY)) === 0;
}
const kTextLevels = 4;
const kInFields = 'input:not([type=hidden]),select,textarea,button';

// The words that may be the name of something, or null.
function wordsMeant(text, isCss) {
  const whole = oneSpace(text.replace(/^(["'])(.*)\1$/, '$2'));
  const isMeant = isCss ? isPlainWords(whole) : kWordsOfNoCss.test(whole) || kSign.test(whole);
  return isMeant && !whole.split(' ').every(isTag) ? whole : null;
}

function namedAmong(all, whole) {
  // What lies off the page, as a menu that is shut, is meant where nothing else is called so.
  let found = [];
  for (const named of [controlsCalled, controlsSaid, textsToPress, picturesCalled]) {
    const here = named(all, whole);
    const seen = here.filter((el) => !(sightHere(el) & (FOR_READERS | AWAY)));
    if (found.length === 0 || seen.length > 0) found = seen.length > 0 ? seen : here;
    if (seen.length > 0) break;
  }
  for (const says of [(name) => name.toLowerCase() === whole.toLowerCase(), (name) => name === whole])
    if (found.length > 1 && found.some((el) => says(nameAsControl(el))))
      found = found.filter((el) => says(nameAsControl(el)));
  return found;
}
const controlsCalled = (all, whole) => all.filter((el) => isCalled(el, whole) && isVisible(el));
const controlsSaid = (all, whole) => all.filter((el) => isSaidOn(el, whole) && isVisible(el));

// What is no control, but pressed as one: a picture is called by its text, any box by its title; of boxes in one another the innermost.
function picturesCalled(all, whole) {
  const says = (text) => oneSpace(text).toLowerCase() === whole.toLowerCase();
  const isNamed = (el) =>
    says(titleShown(el)) || (roleOf(el, tagOf(el)) === 'img' && says(nameOf(el, tagOf(el), 'img')));
  const found = all.filter((el) => isNamed(el) && isVisible(el));
  return found.filter((el) => !found.some((one) => one !== el && flatContains(el, one)));
}
// Neither a part of CSS is in it nor of a locator.
const kPlainWords = /^[\p{L}\p{N}][^#.:[\](){}<>=*|~/\\"`]*$/u;
// The name of a file is CSS of an element that HTML doesn't have.
const kFileName = /^([\p{L}\p{N}_-]+)(\.[\p{L}\p{N}_-]+)+$/u;
const isPlainWords = (text) => kPlainWords.test(text) || (kFileName.test(text) && !isTag(kFileName.exec(text)[1]));
// What is no CSS may have any sign in it, but for those that join the parts of a selector and begin one.
const kWordsOfNoCss = /^(?![a-z-]+\s*=|[./#[]|\w+\()(?!.*>>)[^<>]*[\p{L}\p{N}]/u;

// A button may be called by a sign alone: +, -, ×.
const kSign = /^(?!\*$)[^\s\p{L}\p{N}]{1,3}$/u;
// What is no CSS and reads like what is on a page, so that it isn't taken for a selector gone wrong: nothing in one begins with a
// number, or has one behind a colon, as an address or a time has.
const readsLikeWords = (text) =>
  kWordsAndSigns.test(text) && /\s|\.\.\.$|…$|^\d|:\d/.test(text) && !/:[a-z-]+\(/.test(text);
const kWordsAndSigns = /^[\p{L}\p{N}+][\p{L}\p{N}\s.,:;!?'’()/&+%$€£@–—…-]*$/u;

// Nobody writes HTML's elements in capitals, but what a person reads begins with one: Title, Table, Source code.
const isTag = (word) => /^[a-z]+\d?$/.test(word) && !(newElement(document, word) instanceof HTMLUnknownElement);
const readsLikeTags = (text) =>
  /^\p{Lu}/u.test(text) && kPlainWords.test(text) && text.toLowerCase().split(' ').every(isTag);
const isCalled = (el, whole) =>
  [nameAsControl(el), withoutStar(nameAsControl(el))].some((name) => name.toLowerCase() === whole.toLowerCase());

// A control whose author calls it otherwise has its title, its text and what is drawn in it beside its name, and one that is called by what stands beside it
// and by what it shows is called so by a person.
function isSaidOn(el, whole) {
  if (!kClickable.has(roleOf(el, tagOf(el)) ?? 'generic')) return false;
  const namers = idListOf(el, 'aria-labelledby').map((id) => byIdNear(el, id));
  const said = [
    titleShown(el),
    attr(el, 'placeholder') ?? '',
    textContentOf(el),
    ...namers.map((namer) => (namer ? textContentOf(namer) : '')),
  ];
  const says = (text) => oneSpace(text).toLowerCase() === whole.toLowerCase();
  return said.some(says) || (textContentOf(el).includes(whole) && says(wordsSeenIn(el)));
}

// Without what only readers are told, as that a button opens a menu.
function wordsSeenIn(el) {
  const unseen = [...querySelectorAllOf(el, '*')].filter((one) => sightHere(one) & FOR_READERS);
  return unseen.length === 0 ? '' : textWithout(el, new Set(unseen));
}
function textWithout(node, left) {
  if (nodeTypeOf(node) === 3) return nodeValueOf(node);
  if (left.has(node)) return '';
  let text = '';
  for (let child = firstChildOf(node); child; child = nextSiblingOf(child)) text += textWithout(child, left);
  return text;
}

// Of boxes around one text the innermost. In a text that is written in, the caret goes to where it is pressed.
function textsToPress(all, whole) {
  const said = all.filter((el) => saysJust(el, whole) && isVisible(el));
  const isInnermost = (el) => !said.some((one) => one !== el && flatContains(el, one));
  const pressed = said.filter(
    (el) => (styleOf(el).cursor === 'pointer' || isWorked(el) || isWrittenIn(el)) && isInnermost(el),
  );
  return pressed.length > 0 ? pressed : [...new Set(said.map((el) => boxBeside(el, whole)).filter(Boolean))];
}

// The box to tick that has just this text beside it, with which it is alone in what says it or is around it.
function boxBeside(text, whole) {
  const around = querySelectorAllOf(text, kControlsBeside).length > 0 ? text : flatParentOf(text);
  if (around === null || oneSpace(textContentOf(around)) !== whole) return null;
  const controls = querySelectorAllOf(around, kControlsBeside);
  if (controls.length !== 1 || !matchesSelector(controls[0], kBoxToTick)) return null;
  if (isVisible(controls[0])) return controls[0];
  return [...querySelectorAllOf(around, 'label')].find((label) => labelControlOf(label) === controls[0]) ?? null; // which draws it
}
const kControlsBeside = 'input:not([type=hidden]),button,select,textarea,a[href],[role],[tabindex]';
const kBoxToTick = 'input[type=checkbox],input[type=radio],[role=checkbox],[role=radio],[role=switch]';

// What takes the keys, or is dragged.
const isWorked = (el) => hasAttr(el, 'tabindex') || attr(el, 'draggable') === 'true';
const isWrittenIn = (el) => el.isContentEditable === true;

// What a style writes is read as any other text, and what an author calls a box that is pressed is its name. Words in boxes of
// their own are read apart.
function saysJust(el, whole) {
  if (authorLabel(el) === whole) return true;
  const text = oneSpace(textContentOf(el));
  if (text === whole || (firstElementOf(el) !== null && withoutSpaces(text) === withoutSpaces(whole))) return true;
  if (!whole.includes(text)) return false;
  const [before, after] = ['::before', '::after'].map((which) => pseudoText(el, which));
  return (before !== '' || after !== '') && oneSpace(before + text + after) === whole;
}

const withoutSpaces = (text) => text.replaceAll(' ', '');

function nameAsControl(el) {
  const tag = tagOf(el);
  const role = roleOf(el, tag) ?? 'generic';
  return kClickable.has(role) ? oneSpace(wholeNameOf(el, tag, role)) : '';
}

export { controlsNamed, fieldNamedInPart, readsLikeTags, readsLikeWords };
