// What an action has drawn otherwise, where that is all it has done: the chosen one of several buttons is blue, a picture is turned.
// Only what the page's scripts have set counts, and no look that the mouse or the focus gives. How the page as a whole looks is
// told beside other changes too.

import {
  attr,
  bodyOf,
  closestOf,
  documentElementOf,
  hasAttr,
  isConnected,
  matchesSelector,
  querySelectorAllOf,
  rectOf,
  rootNodeOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { closestFlat } from '../dom/flat_tree.js';
import { sheetsOf } from '../dom/sheets.js';
import { isVisible } from '../dom/style.js';
import { recordOf, refText } from '../tree/refs.js';
import { redrawnNow, restyledNow } from '../tree/style_changes.js';
import { refWords } from './drag_lines.js';
import { kStyledLooks, movedWords, styleToCome } from './styled_looks.js';
import { isLarge } from './zoomed.js';
import { yamlValue } from './yaml.js';

const kRestyledTold = 4; // elements
const kPassing = /focus|hover|press(?!ed)|ripple|touch|drag|anim|transit|enter|leave|wave|loading/i;
// What tells of the mouse or the focus in a selector.
const kOfPointer = /:(hover|focus|focus-visible|focus-within|active)\b/;

// `page`: what is told of the page as a whole; `lines`: what else is told.
function restyledLines(page, isAlone, lines) {
  const told = new Map(page.length > 0 ? [[kPage, page]] : []); // what is told, by what it is told of
  const add = (name, said) => {
    if (name !== null && said.length > 0 && !told.has(name)) told.set(name, said);
  };
  const found = isAlone ? restyledNow().map(lookNowOf).filter(Boolean) : [];
  for (const one of found) add(one.name, one.looks);
  if (isAlone)
    for (const drawing of redrawnNow()) if (isSeenWhole(drawing)) add(nameOfPart(drawing), ['another drawing']);
  const isTold = (el) => recordOf.has(el) && lines.some((line) => line.includes(`[ref=${refText(recordOf.get(el))}]`));
  if (told.size === 0)
    for (const one of found) if (!isTold(one.el)) add(isPage(one.el) ? kPage : nameOfPart(one.el), one.set);
  if (told.size > kRestyledTold) return [];
  const all = [...told].map(([name, said]) => `${name}: ${said.join(', ')}`).join('; ');
  return all === '' ? [] : [`- text: ${yamlValue(`… drawn otherwise now: ${all}`)}`];
}
const kPage = 'the page';

// What is seen of an element that was set otherwise: { el, name, looks, set }, where `set` is what was set on it, for where no look
// of any tells what came of that.
function lookNowOf({ el: ref, styled, classed, named, source }) {
  const el = ref.deref();
  if (el === undefined || !isConnected(el) || !isSeenWhole(el) || kOnlyHelps.test(attr(el, 'class') ?? '')) return null;
  const style = styleToCome(el);
  const had = styled === undefined ? null : styleFrom(styled);
  const byRules = looksByRules(el, classed, named);
  const set = had === null ? [] : looksStyled(el, had);
  const own = [...new Set([...set, ...byRules.looks])]
    .filter(({ isOfBox }) => !isOfBox || recordOf.has(el))
    .map((look) => look.told(style, el) || (set.includes(look) && look.none));
  const moved = had === null || !recordOf.has(el) || isLarge(el) ? '' : movedWords(had, el.style, el); // panes are told as such
  return {
    el,
    name: isPage(el) ? kPage : nameToTellBy(el),
    looks: [sourceWords(el, source), ...own, moved].filter(Boolean),
    set: [...(had === null ? [] : wordsOfSet(had, el.style)), ...byRules.said],
  };
}

// What comes and goes with the mouse or the caret.
const kOnlyHelps = /scrollbar|caret|cursor|ripple/i;

// Where a picture comes from that stood there before, if its name tells anything.
function sourceWords(el, before) {
  if (!before || /^data:|blank|placeholder|spacer|loading/.test(before)) return '';
  const file = /^(?!data:|blob:)(?:.*\/)?([^/?#]{1,60})(?:[?#].*)?$/.exec(attr(el, 'src') ?? '');
  return file === null ? 'another picture' : `the picture ${file[1]}`;
}

// What an inline style says otherwise, its variables too.
function wordsOfSet(had, has) {
  const names = new Set(
    [...has, ...had].filter((name) => !kManner.test(name) && !kPlacing.test(name) && !isLook(name)),
  );
  const said = [];
  for (const name of names) {
    if (name.startsWith('--') && (kPassing.test(name) || kMeasured.test(name))) continue;
    const [before, now] = [had, has].map((style) => style.getPropertyValue(name).trim());
    if (kSizes.has(name) && !now.endsWith('%')) continue; // the room that a box has, and no share of what is filled
    if (before !== now && now.length <= kValueMost) said.push(`${name} ${now || 'unset'}`);
  }
  return said.slice(0, kSetMost);
}
// What is told as a look, if there is anything to tell.
const isLook = (name) =>
  !kSizes.has(name) &&
  kStyledLooks.some(({ names }) => names.some((look) => name === look || name.startsWith(`${look}-`)));
const kSizes = words('width height');
// How something comes and takes the mouse, and how a page is kept where it is meanwhile; of an inline style, places are told in px.
const kManner =
  /^(animation|cursor|overflow|overscroll|pointer-events|scroll|touch-action|transition|user-select|will-change|z-index)/;
const kPlacing =
  /^(bottom|display|inset|left|margin|opacity|padding|position|right|top|transform|translate|visibility)/;
const kMeasured = /mouse|pointer|cursor|scroll|[-_]?[xy]$|height|width|time|delay|duration/i;
const kValueMost = 40; // characters
const kSetMost = 2;

// A part that has no line of its own is told by the box around it that an author has named, or that has a line.
function nameOfPart(el) {
  if (closestOf(el, kDrawnAlone) !== null) return null;
  if (recordOf.has(el)) return refWords(el);
  const around = closestFlat(el, (at) => recordOf.has(at) || hasAttr(at, 'id') || hasAttr(at, 'class'));
  return around === null ? null : refWords(around);
}

// What has no ref is told as a part of what has one if it is most of that, else as itself, but for what only draws: the bar that a
// script scrolls by, the number of a line. Its colours aren't those of what is around it.
function nameToTellBy(el) {
  const known = closestFlat(el, (at) => recordOf.has(at));
  if (known === null || known === el) return refWords(el);
  const [own, around] = [el, known].map((one) => rectOf(one));
  if (own.width * own.height * 2 >= around.width * around.height || isPartOf(el, known)) return refWords(known);
  const isTold = /\S/.test(textContentOf(el)) && closestOf(el, kDrawnAlone) === null;
  return isTold && rootNodeOf(el) === rootNodeOf(known) ? refWords(el) : null;
}
// What a component draws is the component's look: nobody knows its parts.
const isPartOf = (el, host) => rootNodeOf(el).host === host;
const kDrawnAlone = '[aria-hidden=true],[role=presentation],[role=none]';

const isPage = (el) => el === bodyOf(document) || el === documentElementOf(document);

function isSeenWhole(el) {
  const { width, height } = rectOf(el);
  return width > 1 && height > 1 && isVisible(el);
}

function styleFrom(text) {
  const { style } = document.createElement('i');
  style.cssText = text ?? '';
  return style;
}

// The looks that an inline style sets otherwise than before. The outline of what has the focus is the focus'.
function looksStyled(el, had) {
  const hasFocus = matchesSelector(el, ':focus');
  return kStyledLooks.filter(
    ({ names, isSame }) =>
      names.some(
        (name) =>
          !(hasFocus && name.startsWith('outline')) && had.getPropertyValue(name) !== el.style.getPropertyValue(name),
      ) && !isSame?.(had, el.style),
  );
}

// The looks that rules set by the classes which an element has got or lost, and by other attributes that have changed; `said`: those
// that rules of any kind are for.
function looksByRules(el, before, named) {
  const [had, has] = [before ?? '', (before !== undefined && attr(el, 'class')) || ''].map(
    (text) => new Set(text.split(/\s+/).filter(Boolean)),
  );
  const changed = [...has, ...had].filter((word) => has.has(word) !== had.has(word) && !kPassing.test(word));
  const marks = [
    ...changed.map((word) => ({ mark: `.${CSS.escape(word)}`, word: `class ${word}`, isThere: has.has(word) })),
    ...named.map((name) => ({ mark: `[${name}`, word: `${name}=${attr(el, name)}`, isThere: hasAttr(el, name) })),
  ];
  const looks = new Set();
  const said = new Set();
  if (marks.length === 0) return { looks, said: [] };
  for (const { rules, opaque } of sheetsOf(rootNodeOf(el)))
    for (const { rule } of opaque ? [] : rules) {
      const selector = rule.selectorText;
      if (selector === undefined) continue;
      const by = marks.find(({ mark }) => selector.includes(mark));
      if (by === undefined || kOfPointer.test(selector)) continue;
      if (by.isThere && !isFitting(el, selector)) {
        // It may be for what is in the element: the knob of a switch.
        if (kReadable.test(by.word) && !isPage(el) && querySelectorAllOf(el, selector).length > 0) said.add(by.word);
        continue;
      }
      if (kReadable.test(by.word) && !(isPage(el) && kHeld.test(by.word)) && saysMore(rule.style, el))
        said.add(by.isThere ? by.word : `no ${by.word}`);
      for (const look of kStyledLooks)
        if (look.names.some((name) => rule.style.getPropertyValue(name) !== '')) looks.add(look);
    }
  return { looks, said: [...said].slice(0, kSetMost) };
}

// That a dialog is open, for which the page is kept from scrolling.
const kHeld = /lock|scroll|modal|overflow|open|dialog|no-/i;

const saysMore = (style, el) =>
  [...style].some((name) => !kManner.test(name) && !(isPage(el) && (kSizes.has(name) || kPlacing.test(name))));

// A word of the author's, and none that a bundler has made unique.
const kReadable = /^(?!.*\d[a-z]+\d|class (css-|sc-|jss|_))[a-z][\w:/=. -]*$/i;

// A rule within others has a selector that they are a part of.
const isFitting = (el, selector) => selector.includes('&') || matchesSelector(el, selector);

export { restyledLines };
