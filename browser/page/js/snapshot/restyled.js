// What an action has drawn otherwise, where that is all it has done: the chosen one of several buttons is blue, a page is dark. Only
// classes and styles that the page's scripts have set count, and no look that the mouse or the focus gives.

import {
  attr,
  bodyOf,
  closestOf,
  documentElementOf,
  isConnected,
  matchesSelector,
  rectOf,
  rootNodeOf,
  textContentOf,
} from '../dom/members.js';
import { colourName } from '../dom/colours.js';
import { closestFlat } from '../dom/flat_tree.js';
import { changesSince } from '../dom/changes.js';
import { sheetsOf } from '../dom/sheets.js';
import { isVisible } from '../dom/style.js';
import { recordOf } from '../tree/refs.js';
import { refWords } from './drag_lines.js';
import { yamlValue } from './yaml.js';

const kRestyledTold = 4; // elements
const kRestyledMost = 12; // more are a page's own doing
const kPassing = /focus|hover|press|ripple|touch|drag|anim|transit|enter|leave|wave|loading/i;
// What tells of the mouse or the focus in a selector.
const kOfPointer = /:(hover|focus|focus-visible|focus-within|active)\b/;

// What is seen of a style, by the properties that set it, and how it is told as it is now.
const kStyledLooks = [
  { names: ['background', 'background-color', 'background-image'], told: backgroundWords },
  { names: ['color'], told: ({ color }) => `${colourName(color) || 'other'} text` },
  {
    names: ['outline', 'outline-style', 'outline-color', 'border', 'border-color', 'border-top-color', 'box-shadow'],
    told: frameWords,
  },
  { names: ['opacity', 'filter'], told: ({ opacity }) => (opacity < 1 ? 'faded' : 'not faded') },
];

let restyled = []; // { el: WeakRef, styled, classed }, for the snapshot that is being taken: what was set before

// Called before the walk, which may forget the changes.
function noteRestyled() {
  restyled = [];
  for (const { node, attributes } of changesSince()?.touched ?? []) {
    const [styled, classed] = [attributes?.get('style'), attributes?.get('class')];
    const el = styled === undefined && classed === undefined ? undefined : node.deref();
    if (el === undefined || !isConnected(el)) continue;
    restyled.push({ el: new WeakRef(el), styled, classed });
    if (restyled.length > kRestyledMost) break;
  }
}

function restyledLines(isAlone) {
  if (!isAlone || restyled.length > kRestyledMost) return [];
  const told = new Map(); // by what they are told by
  for (const { el: ref, styled, classed } of restyled) {
    const el = ref.deref();
    if (el === undefined || !isSeenWhole(el)) continue;
    const looks = new Set([...looksStyled(el, styled), ...looksClassed(el, classed)]);
    if (looks.size === 0) continue;
    const style = getComputedStyle(el);
    const name = isPage(el) ? 'the page' : nameToTellBy(el);
    if (name === null) continue;
    if (!told.has(name)) told.set(name, [...looks].map((look) => look.told(style)).join(', '));
  }
  if (told.size === 0 || told.size > kRestyledTold) return [];
  const words = [...told].map(([name, looks]) => `${name}: ${looks}`).join('; ');
  return [`- text: ${yamlValue(`… drawn otherwise now: ${words}`)}`];
}

// What has no ref is told as a part of what has one if it is most of that, else as itself, but for what only draws: the bar that a
// script scrolls by, the number of a line. Its colours aren't those of what is around it.
function nameToTellBy(el) {
  const known = closestFlat(el, (at) => recordOf.has(at));
  if (known === null || known === el) return refWords(el);
  const [own, around] = [el, known].map((one) => rectOf(one));
  if (own.width * own.height * 2 >= around.width * around.height) return refWords(known);
  const isTold = /\S/.test(textContentOf(el)) && closestOf(el, kDrawnAlone) === null;
  return isTold && rootNodeOf(el) === rootNodeOf(known) ? refWords(el) : null;
}
const kDrawnAlone = '[aria-hidden=true],[role=presentation],[role=none]';

const isPage = (el) => el === bodyOf(document) || el === documentElementOf(document);

function isSeenWhole(el) {
  const { width, height } = rectOf(el);
  return width > 1 && height > 1 && isVisible(el);
}

// The looks that an inline style sets otherwise than before.
function looksStyled(el, before) {
  if (before === undefined) return [];
  const had = document.createElement('i');
  had.style.cssText = before ?? '';
  return kStyledLooks.filter(({ names }) =>
    names.some((name) => had.style.getPropertyValue(name) !== el.style.getPropertyValue(name)),
  );
}

// The looks that rules set by the classes which an element has got or lost.
function looksClassed(el, before) {
  if (before === undefined) return [];
  const [had, has] = [before ?? '', attr(el, 'class') ?? ''].map((text) => new Set(text.split(/\s+/).filter(Boolean)));
  const changed = [...has, ...had].filter((word) => has.has(word) !== had.has(word) && !kPassing.test(word));
  if (changed.length === 0) return [];
  const named = changed.map((word) => ({ word, name: `.${CSS.escape(word)}` }));
  const looks = new Set();
  for (const { rules, opaque } of sheetsOf(rootNodeOf(el)))
    for (const { rule } of opaque ? [] : rules) {
      const selector = rule.selectorText;
      if (selector === undefined) continue;
      const by = named.find(({ name }) => selector.includes(name));
      if (by === undefined || kOfPointer.test(selector) || (has.has(by.word) && !isFitting(el, selector))) continue;
      for (const look of kStyledLooks)
        if (look.names.some((name) => rule.style.getPropertyValue(name) !== '')) looks.add(look);
    }
  return kStyledLooks.filter((look) => looks.has(look));
}

// A rule within others has a selector that they are a part of.
const isFitting = (el, selector) => selector.includes('&') || matchesSelector(el, selector);

function backgroundWords({ backgroundColor, backgroundImage }) {
  const colour = colourName(backgroundColor);
  return colour ? `${colour} background` : backgroundImage === 'none' ? 'no background' : 'a picture behind it';
}

function frameWords({ outlineStyle, outlineColor, boxShadow, borderTopStyle, borderTopWidth, borderTopColor }) {
  const shadow = boxShadow === 'none' ? '' : colourName(/^(rgb|oklch|color)[^)]*\)/.exec(boxShadow)?.[0] ?? '');
  const border = borderTopStyle !== 'none' && parseFloat(borderTopWidth) > 0 ? colourName(borderTopColor) : '';
  const colour = outlineStyle === 'none' || outlineStyle === 'auto' ? shadow || border : colourName(outlineColor);
  return colour ? `${colour} frame` : 'no frame';
}

export { noteRestyled, restyledLines };
