// What can't be seen though it is rendered [tool.snapshot.hidden] [why.hidden-text-left-out]: of no opacity, of no size, of its background's colour,
// out of reach, clipped away. A style is only looked at where a rule may have set what hides (see style.js), and a box is
// only measured where something has moved, scaled or clipped it.

import {
  attr,
  clientHeightOf,
  clientWidthOf,
  documentElementOf,
  hitsInDocument,
  hitsInRoot,
  lastElementOf,
  measuring,
  offsetHeightOf,
  offsetWidthOf,
  previousElementOf,
  rectOf,
  rootNodeOf,
  scrollHeightOf,
  scrollingElementOf,
  scrollLeftOf,
  scrollTopOf,
  scrollWidthOf,
  tagOf,
  viewHeight,
  viewWidth,
} from './members.js';
import { addNotes, beginNotes, endNotes } from './noted.js';
import { isInSlide } from './carousels.js';
import { isSameColour } from './colours.js';
import { words } from './collections.js';
import { flatParentOf } from './flat_tree.js';
import { clipWhere } from './hit.js';
import { animationsNow } from './shadow_roots.js';
import { pass } from './pass.js';
import {
  isEmptyClip,
  isEmptyInset,
  isEmptyShape,
  clipsContents,
  isUnpainted,
  kCuts,
  kOpacityMin,
  kPixelBox,
  movingElements,
  styleOf,
} from './style.js';
import { BACKGROUND, COLOR, FILL, OPACITY, OVERFLOW, PAINT, PLACE, SECURITY, traitsOf } from './traits.js';

// Bits of what is known of an element's sight. A descendant can't undo the first, the third and the fourth.
const TRANSPARENT = 1;
const SAME_COLOUR = 2; // or too small a letter
const AWAY = 4; // beyond reach, or without a size
const FOR_READERS = 8; // hidden as pages hide what only assistive technology is to read
const FADING = 16; // of no opacity at this moment of an animation
const CONCEALED = 32; // drawn as dots
const NAMED = 64; // within an element whose name already has its text
const kSightTraits = OPACITY | COLOR | PLACE | OVERFLOW | SECURITY | FILL;

// Nobody can see it.
const isGone = (sight) => (sight & (TRANSPARENT | SAME_COLOUR | AWAY)) !== 0;

// By its opacity alone: it takes its place, and can be hit there.
const isTransparent = (sight) => (sight & (TRANSPARENT | SAME_COLOUR | AWAY)) === TRANSPARENT;

// By the size or colour of its letters alone, which pictures don't mind, and descendants may have of their own.
const hidesTextAlone = (sight) => (sight & (TRANSPARENT | SAME_COLOUR | AWAY)) === SAME_COLOUR;
const sightOfPicture = (sight) => sight & ~SAME_COLOUR;

// What is known of an element by its own style.
function ownSight(el, tag, traits) {
  const known = pass.sight.get(el);
  if (known !== undefined) {
    if (known.notes !== null) addNotes(known.notes);
    return known.sight;
  }
  const outer = beginNotes(true);
  const sight = readSight(el, tag, traits);
  const notes = endNotes(outer);
  pass.sight.set(el, { sight, notes: notes.bits === 0 ? null : notes });
  addNotes(notes);
  return sight;
}

function readSight(el, tag, traits) {
  const style = styleOf(el);
  let sight = 0;
  if (traits & OPACITY && (parseFloat(style.opacity) <= kOpacityMin || /opacity\(0(\.0\d*)?%?\)/.test(style.filter)))
    sight |= movingElements().has(el) ? (isSeenSoon(el) ? 0 : FADING) : TRANSPARENT;
  if (
    traits & (COLOR | FILL) &&
    (parseFloat(style.fontSize) < kFontMin || (!movingElements().has(el) && isSameColour(el, style, traits)))
  )
    sight |= SAME_COLOUR; // not that of a moment
  if (traits & OVERFLOW && tag !== 'body' && tag !== 'html') sight |= sightInBox(el, style);
  if (traits & PLACE && tag !== 'body' && tag !== 'html') sight |= sightByPlace(el, style);
  if (traits & SECURITY && (style.webkitTextSecurity ?? 'none') !== 'none') sight |= CONCEALED;
  return sight;
}
const kFontMin = 3; // CSS px; what is smaller can't be read

// Whether an animation that is fading an element in is almost over: whoever reads of it finds it there.
function isSeenSoon(el) {
  return animationsNow().some(({ playState, currentTime, effect }) => {
    if (playState !== 'running' || effect?.target !== el || effect.pseudoElement) return false;
    const { endTime, direction } = effect.getComputedTiming();
    const last = effect.getKeyframes().at(-1);
    const isShown = last?.opacity !== undefined && parseFloat(last.opacity) > kOpacityMin && direction === 'normal';
    return isShown && endTime - (currentTime ?? 0) <= kSoonSeen;
  });
}
const kSoonSeen = 1000; // ms

// The same, with what its ancestors add.
function sightOf(el, tag, traits, above) {
  if (above & SAME_COLOUR && !(traits & (COLOR | FILL)) && (traits & (BACKGROUND | PAINT) || kOwnFont.has(tag)))
    if (isReadable(el, traits)) above &= ~SAME_COLOUR;
  if (!(traits & kSightTraits) && !(above & AWAY)) return above;
  const own = ownSight(el, tag, traits);
  let sight = (above & ~(SAME_COLOUR | CONCEALED)) | (own & ~(SAME_COLOUR | CONCEALED));
  sight |= (traits & (COLOR | FILL) ? own : above) & SAME_COLOUR;
  sight |= (traits & SECURITY ? own : above) & CONCEALED;
  if (above & AWAY && !(own & AWAY) && (isUnclipped(el) || (traits & PLACE && comesBack(el)))) sight &= ~AWAY;
  return sight;
}

const kOwnFont = words('input select textarea button'); // the browser's own style sets it, whatever is around them

// Whether letters that are of the colour around an element are seen on what it is painted with itself.
function isReadable(el, traits) {
  const style = styleOf(el);
  return parseFloat(style.fontSize) >= kFontMin && !isSameColour(el, style, traits);
}

// Whether all that is away around an element are boxes of no size that don't clip it, as it is placed by what is around them.
function isUnclipped(el) {
  const { position } = styleOf(el);
  if (position !== 'absolute' && position !== 'fixed') return false;
  const isAway = (at) => (ownSight(at, tagOf(at), traitsOf(at, false)) & AWAY) !== 0;
  if (clipWhere(el, (_, at) => isAway(at)) !== null) return false;
  for (let at = flatParentOf(el); at !== null; at = flatParentOf(at))
    if (isAway(at) && sightByPlace(at, styleOf(at)) !== 0) return false;
  return true;
}

// --- Boxes

// A box that shows nothing of what overflows it, of no size: pages collapse parts so, and a box of a pixel holds what
// only screen readers are to read. A collapsed part may keep its padding, of which the end shows less than half a line; what can be
// scrolled may have its bars in the place of what it holds.
function sightInBox(el, style) {
  if (!clipsContents(style)) return 0;
  const { overflowX, overflowY } = style;
  const [width, height] = [clientWidthOf(el), clientHeightOf(el)];
  const narrow = overflowX !== 'visible' && width <= kPixelBox;
  const low = overflowY !== 'visible' && height <= kPixelBox;
  if (narrow && low && isDrawnByBorder(style)) return FOR_READERS;
  if (narrow || low) return width > 0 && height > 0 && narrow && low ? FOR_READERS : AWAY;
  const { paddingLeft, paddingRight, paddingTop, paddingBottom, fontSize } = style;
  const isPaddingAlone = (size, before, after) =>
    size - parseFloat(before) - parseFloat(after) <= kPixelBox && parseFloat(after) < parseFloat(fontSize) / 2;
  return (kCuts.has(overflowX) && isPaddingAlone(width, paddingLeft, paddingRight)) ||
    (kCuts.has(overflowY) && isPaddingAlone(height, paddingTop, paddingBottom))
    ? AWAY
    : 0;
}

// A box of nothing but a border, one side of which is seen: the arrow that a page draws so, in place of the words in it.
const isDrawnByBorder = (style) =>
  ['Top', 'Right', 'Bottom', 'Left'].some(
    (side) => parseFloat(style[`border${side}Width`]) >= kArrowMin && !isUnpainted(style[`border${side}Color`]),
  );
const kArrowMin = 2; // CSS px

function sightByPlace(el, style) {
  if (isIndentedAway(style)) return FOR_READERS; // a picture stands for the text
  if (!isMoved(style)) return 0;
  const box = rectOf(el);
  if (style.clip !== 'auto' && /absolute|fixed/.test(style.position) && isEmptyClip(style.clip)) return FOR_READERS;
  if (style.clipPath !== 'none' && isEmptyInset(style.clipPath, box)) return FOR_READERS;
  if (style.clipPath !== 'none' && isEmptyShape(style.clipPath)) return AWAY;
  if (isShrunk(el, style, box)) return AWAY;
  return isOutOfReach(el, style, box) && isOutOfReach(el, style, contentsBox(el)) && !isInSlide(el) ? AWAY : 0;
}
const kIndentAway = 500; // CSS px
const kMarginAway = -100;

function isIndentedAway({ textIndent, overflowX }) {
  const indent = parseFloat(textIndent);
  return textIndent.endsWith('%') ? indent >= 100 && overflowX !== 'visible' : Math.abs(indent) >= kIndentAway;
}

// Whether an element whose text is hidden shows a picture in its place.
const showsPicture = (el) => isIndentedAway(styleOf(el));

// Whether anything but the flow has placed the element, which is asked before a box is measured.
function isMoved(style) {
  return (
    style.position !== 'static' ||
    style.transform !== 'none' ||
    style.scale !== 'none' ||
    style.translate !== 'none' ||
    style.rotate !== 'none' ||
    style.clipPath !== 'none' ||
    parseFloat(style.marginLeft) < kMarginAway ||
    parseFloat(style.marginTop) < kMarginAway
  );
}

// scale(0), rotateX(90deg), or letters scaled below what can be read. A box whose own letters have no size, as pages set it
// against the gaps between its boxes, is measured by letters of the usual size, which those in it may have.
function isShrunk(el, style, box) {
  if (!(el instanceof HTMLElement)) return false;
  const width = offsetWidthOf(el);
  const height = offsetHeightOf(el);
  if (!(width > 0 && height > 0)) return false;
  const font = parseFloat(style.fontSize);
  const scale = Math.sqrt((box.width * box.height) / (width * height));
  return (font < kFontMin ? kUsualFont : font) * scale < kFontMin;
}
const kUsualFont = 16; // CSS px

const contentsBox = measuring((el) => {
  const range = new Range();
  range.selectNodeContents(el);
  return range.getBoundingClientRect();
});

// Whether no scrolling brings a box into the viewport.
function isOutOfReach(el, style, { left, top, right, bottom, width, height }) {
  if (width === 0 && height === 0 && left === 0 && top === 0) return true; // no contents
  const page = scrollingElementOf(document) ?? documentElementOf(document);
  const held = heldRoot();
  if (held !== null && liesWithin(held, left + width / 2, top + height / 2)) return false;
  let x = scrollX;
  let y = scrollY;
  let at = el;
  let isFixed = false;
  let scrolls = false; // in a container of its own, which what is fixed may hold
  for (; at && at !== page; at = flatParentOf(at)) {
    const { position, overflowX, overflowY } = styleOf(at);
    if (at !== el && !isFixed && (/auto|scroll/.test(overflowX + overflowY) || hasOwnBar(at, overflowY)))
      scrolls = true;
    if (position === 'fixed') isFixed = true;
    if (at === el) continue;
    x += Math.abs(scrollLeftOf(at));
    y += scrollTopOf(at);
  }
  if (isFixed && !scrolls) return right <= 0 || bottom <= 0 || left >= viewWidth() || top >= viewHeight();
  const isRightToLeft = styleOf(documentElementOf(document)).direction === 'rtl';
  const leftmost = isRightToLeft ? innerWidth - scrollWidthOf(page) : 0;
  if (right + x <= leftmost || bottom + y <= 0) return true;
  if (scrolls) return false;
  return (
    left + scrollX >= Math.max(scrollWidthOf(page), viewWidth()) ||
    top + scrollY >= Math.max(scrollHeightOf(page), viewHeight())
  );
}

// Whether a box that is cut off is scrolled by a script, as the bar says that it draws in it.
function hasOwnBar(el, overflowY) {
  if (overflowY !== 'hidden' || scrollHeightOf(el) <= clientHeightOf(el)) return false;
  for (
    let child = lastElementOf(el), left = kBarsAtEnd;
    child !== null && left > 0;
    child = previousElementOf(child), left--
  )
    if (kOwnBar.test(attr(child, 'class') ?? '') && styleOf(child).position === 'absolute') return true;
  return false;
}
const kOwnBar = /(^|[\s_-])(scroll-?bar|rail|track)s?([\s_-]|$)/i;
const kBarsAtEnd = 4;

// The root of a page that a script holds in its place so that nothing scrolls, mostly while a dialog is open: what lies
// beyond the viewport then is where it was, and will be scrolled to again. A body that is held where it is may be that of a page
// which never scrolls, but for one that was scrolled, or that the script has set so itself.
function heldRoot() {
  const whole = documentElementOf(document);
  for (const root of [document.body, whole])
    if (root !== null && styleOf(root).position === 'fixed')
      if (root === whole || root.style.position === 'fixed' || rectOf(root).top < 0) return root;
  return null;
}

function liesWithin(root, x, y) {
  const { left, top, width, height } = rectOf(root);
  const body = document.body === null ? rectOf(root) : rectOf(document.body); // a root that is held is as high as the viewport alone
  const right = Math.max(left + Math.max(width, scrollWidthOf(root)), body.right);
  const bottom = Math.max(top + Math.max(height, scrollHeightOf(root)), body.bottom);
  return x >= left && x < right && y >= top && y < bottom;
}

// A positioned descendant of what is away may be seen nevertheless.
function comesBack(el) {
  const box = rectOf(el);
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  const root = rootNodeOf(el);
  return (root instanceof ShadowRoot ? hitsInRoot(root, x, y) : hitsInDocument(document, x, y)).includes(el);
}

export {
  AWAY,
  CONCEALED,
  FADING,
  FOR_READERS,
  hidesTextAlone,
  isGone,
  isTransparent,
  kSightTraits,
  NAMED,
  ownSight,
  showsPicture,
  sightOf,
  sightOfPicture,
};
