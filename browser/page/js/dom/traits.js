// Which properties of an element are worth reading: each one read costs as much as the rest of a node's walk.
//
// Most elements have no ::before text, background, opacity or scroll bar of their own, and the style sheets say
// which ones can. So each sheet is scanned once for rules that set such a property, and an element is asked for it
// only when one of those rules' selectors matches it, or it has a style attribute. Where a sheet can't be read
// (another origin) or a rule can't be matched from here (:host, keyframes), every element is asked.

import { areSame } from './collections.js';
import { attr, documentElementOf, matchesSelector, nodeTypeOf, querySelectorAllOf, rootNodeOf } from './members.js';
import { pass } from './pass.js';
import { kOfShadowTrees, kTraits } from './rules.js';
import { sheetsOf, traitSelectors } from './sheets.js';
import { animationsNow, anyClosedRoot, sawShadow, shadowRootOf } from './shadow_roots.js';

// Bits, in the order of kTraits. COLOR stands for the size of the text too, AFTER and BEFORE for the text of a
// pseudo-element, PAINT for its background, PICTURE for an image in the place of text, and LINES for whether text is set as
// it is written. PLACE is whatever may move a box out of sight, shrink it or clip it away.

const BEFORE = 1;
const COLOR = 2;
const OPACITY = 4;
const OVERFLOW = 8;
const CURSOR = 16;
const CONTENT_VISIBILITY = 32;
const BACKGROUND = 64;
const VISIBILITY = 128;
const AFTER = 256;
const PLACE = 512;
const SECURITY = 1024;
const FILL = 2048;
const PAINT = 4096;
const PICTURE = 8192;
const STRIKE = 16384;
const LINES = 32768;
const ALL = 65535;
// What any style attribute is taken to set.
const BY_ATTRIBUTE = COLOR | OPACITY | OVERFLOW | CONTENT_VISIBILITY | BACKGROUND | VISIBILITY;
const PSEUDO = BEFORE | AFTER;

// What the rules of one tree scope can touch: { sheets, everyone, some, setsVisibility, lists, later, asked, kept, isWhole }.
// `sheets`: of which it was read; `everyone`: bits that hold for any element; `some`: bits by element, of this pass; `lists`:
// selectors by bit, `later`: those of rules that have come since, `asked`: both, as pairs; `kept`: bits by element, for later
// passes; `isWhole`: whether `some` has all that have any, as a walk asks of nearly all.
const rootsRead = new WeakMap();

function readRoot(root, isWalk) {
  const selectors = traitSelectors(root);
  const read = {
    sheets: sheetsOf(root),
    everyone: 0,
    some: new Map(),
    setsVisibility: selectors.visibility.length > 0,
    lists: new Map(),
    later: new Map(),
    asked: [],
    kept: new WeakMap(),
    isWhole: isWalk,
  };
  kTraits.forEach((trait, i) => {
    const list = [...new Set(selectors[trait])];
    const bit = 1 << i;
    if (!list.length) return;
    if (list.some((selector) => selector === '*' || kOfShadowTrees.test(selector))) {
      read.everyone |= bit;
      return;
    }
    const joined = list.join(',');
    try {
      if (isWalk) addBit(read.some, querySelectorAllOf(root, joined), bit);
      else matchesSelector(documentElementOf(document), joined); // throws as it would
      read.lists.set(bit, joined);
    } catch {
      read.everyone |= bit;
    } // a selector of a kind only style sheets know
  });
  read.asked = [...read.lists];
  return read;
}

// Adds what the rules that have come set; the elements that they style are in the regions. What those that have gone set is still
// asked for. Returns undefined where those rules aren't known.
function addRules(root, read) {
  const { before, rules } = pass.rules ?? {};
  if (root !== document || rules === undefined || !areSame(read.sheets, before)) return undefined;
  read.sheets = sheetsOf(root);
  for (const [trait, selector] of rules.flatMap(({ says }) => says)) {
    const i = kTraits.indexOf(trait);
    if (i === -1) continue;
    if (isMatchable(selector)) read.later.set(1 << i, (read.later.get(1 << i) ?? new Set()).add(selector));
    else read.everyone |= 1 << i;
    read.setsVisibility ||= trait === 'visibility';
  }
  const later = Array.from(read.later, ([bit, selectors]) => [bit, [...selectors].join(',')]);
  read.asked = [...read.lists, ...later];
  return read;
}

// Whether it can be asked which elements a rule styles, and those are not all.
function isMatchable(selector) {
  if (selector === '*' || kOfShadowTrees.test(selector)) return false;
  try {
    matchesSelector(documentElementOf(document), selector);
    return true;
  } catch {
    return false; // a selector of a kind only style sheets know
  }
}

function addBit(some, elements, bit) {
  for (const el of elements) some.set(el, (some.get(el) ?? 0) | bit);
}

// Matches again what is in the regions that may have changed; of all else the bits are kept.
function readRegions(root, read) {
  read.some = new Map();
  for (const region of pass.regions) {
    if (rootNodeOf(region) !== root) continue;
    read.some.set(region, 0);
    for (const el of querySelectorAllOf(region, '*')) read.some.set(el, 0);
  }
  for (const [bit, list] of read.asked)
    for (const region of pass.regions) {
      if (rootNodeOf(region) !== root) continue;
      if (matchesSelector(region, list)) addBit(read.some, [region], bit);
      addBit(read.some, querySelectorAllOf(region, list), bit);
    }
  return read;
}

// The bits of one element, where nobody has matched all of them.
function bitsOf(el, read) {
  let bits = read.some.get(el);
  if (bits !== undefined) return bits;
  bits = 0;
  for (const [bit, list] of read.asked) if (matchesSelector(el, list)) bits |= bit;
  read.some.set(el, bits);
  return bits;
}

const kUnstyled = {
  everyone: ALL,
  some: new Map(),
  setsVisibility: true,
  asked: [],
  kept: new WeakMap(),
  isWhole: true,
};

function rootTraits(root) {
  pass.traits ??= new Map();
  let traits = pass.traits.get(root);
  if (traits) return traits;
  if (nodeTypeOf(root) !== 9 && !(root instanceof ShadowRoot)) return kUnstyled;
  traits = pass.regions === null ? undefined : rootsRead.get(root);
  if (traits !== undefined && !areSame(traits.sheets, sheetsOf(root))) traits = addRules(root, traits);
  traits = traits === undefined ? readRoot(root, pass.walks) : readRegions(root, traits);
  pass.traits.set(root, traits);
  return traits;
}

// At the end of a pass: keeps the bits for the next one, without keeping the elements alive.
function keepTraits() {
  for (const [root, read] of pass.traits ?? []) {
    rootsRead.set(root, read);
    for (const [el, bits] of read.some) {
      if (bits !== 0) read.kept.set(el, bits);
      else read.kept.delete(el);
    }
    read.some.clear();
  }
}

// Which properties of `el` are worth reading. `bare`: the element has no attributes.
function traitsOf(el, bare) {
  const traits =
    sawShadow || anyClosedRoot ? rootTraits(rootNodeOf(el)) : (pass.documentTraits ??= rootTraits(document));
  let bits = traits.everyone;
  if (traits.isWhole) bits |= traits.some.get(el) ?? (pass.regions === null ? 0 : (traits.kept.get(el) ?? 0));
  else bits |= bitsOf(el, traits);
  if (!bare) {
    const style = attr(el, 'style');
    if (style !== null) bits |= BY_ATTRIBUTE | traitsOfAttribute(style);
  }
  if (animated().size > 0) bits |= animated().get(el) ?? 0;
  // :host rules sit in the shadow tree but style its host.
  if ((sawShadow || anyClosedRoot) && shadowRootOf(el) !== null) bits = ALL;
  return bits;
}

// What an animation or a transition may set of its target.
function animated() {
  if (pass.animated !== null) return pass.animated;
  pass.animated = new Map();
  for (const { effect } of animationsNow())
    if (effect?.target) pass.animated.set(effect.target, OPACITY | COLOR | VISIBILITY | PLACE);
  return pass.animated;
}

function traitsOfAttribute(style) {
  let bits = 0;
  if (/left|top|right|bottom|inset|margin|transform|translate|scale|rotate|clip|indent/.test(style)) bits |= PLACE;
  if (style.includes('cursor')) bits |= CURSOR;
  if (style.includes('text-security')) bits |= SECURITY;
  if (style.includes('text-fill')) bits |= FILL;
  if (style.includes('content')) bits |= PICTURE;
  if (style.includes('line-through')) bits |= STRIKE;
  if (style.includes('white-space')) bits |= LINES;
  return bits;
}

export {
  COLOR,
  OPACITY,
  OVERFLOW,
  CURSOR,
  CONTENT_VISIBILITY,
  BACKGROUND,
  VISIBILITY,
  PLACE,
  SECURITY,
  FILL,
  PAINT,
  PICTURE,
  STRIKE,
  LINES,
  BEFORE,
  AFTER,
  ALL,
  PSEUDO,
  animated,
  rootTraits,
  keepTraits,
  traitsOf,
};
