// What can't be seen though it is rendered [tool.snapshot.hidden] [why.hidden-text-left-out]: of no opacity, of no size, of its background's colour,
// out of reach, clipped away. A style is only looked at where a rule may have set what hides (see style.js), and a box is
// only measured where something has moved, scaled or clipped it.

import {
  clientHeightOf,
  clientWidthOf,
  documentElementOf,
  hasAttr,
  hitsInDocument,
  hitsInRoot,
  isSvg,
  offsetHeightOf,
  offsetWidthOf,
  rectOf,
  rootNodeOf,
  scrollHeightOf,
  scrollingElementOf,
  scrollLeftOf,
  scrollTopOf,
  scrollWidthOf,
  tagOf,
  textContentOf,
  viewHeight,
  viewWidth,
} from './members.js';
import { BOX, note, noted, swapNoted } from './noted.js';
import { isInSlide } from './carousels.js';
import { words } from './collections.js';
import { flatContains, flatParentOf } from './flat_tree.js';
import { clipWhere } from './hit.js';
import { pass } from './pass.js';
import {
  paints,
  isDrawnBelow,
  isEmptyClip,
  isEmptyInset,
  isEmptyShape,
  kOpacityMin,
  kPixelBox,
  movingElements,
  paintedElements,
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
    if (known & FROM_BOX) note(BOX);
    return known & ~FROM_BOX;
  }
  const outer = swapNoted(0);
  const sight = readSight(el, tag, traits);
  pass.sight.set(el, noted & BOX ? sight | FROM_BOX : sight);
  note(outer);
  return sight;
}
const FROM_BOX = 1 << 20; // it depends on boxes

function readSight(el, tag, traits) {
  const style = styleOf(el);
  let sight = 0;
  if (traits & OPACITY && (parseFloat(style.opacity) <= kOpacityMin || /opacity\(0(\.0\d*)?%?\)/.test(style.filter)))
    sight |= movingElements().has(el) ? FADING : TRANSPARENT;
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
// only screen readers are to read.
function sightInBox(el, style) {
  const { overflowX, overflowY, display } = style;
  if ((overflowX === 'visible' && overflowY === 'visible') || display === 'inline' || display === 'contents') return 0;
  const narrow = overflowX !== 'visible' && clientWidthOf(el) <= kPixelBox;
  const low = overflowY !== 'visible' && clientHeightOf(el) <= kPixelBox;
  if (!narrow && !low) return 0;
  return clientWidthOf(el) > 0 && clientHeightOf(el) > 0 && narrow && low ? FOR_READERS : AWAY;
}

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

function contentsBox(el) {
  note(BOX);
  const range = new Range();
  range.selectNodeContents(el);
  return range.getBoundingClientRect();
}

// Whether no scrolling brings a box into the viewport.
function isOutOfReach(el, style, { left, top, right, bottom, width, height }) {
  if (width === 0 && height === 0 && left === 0 && top === 0) return true; // no contents
  const page = scrollingElementOf(document) ?? documentElementOf(document);
  let x = scrollX;
  let y = scrollY;
  let at = el;
  let isFixed = false;
  let scrolls = false; // in a container of its own, which what is fixed may hold
  for (; at && at !== page; at = flatParentOf(at)) {
    const { position, overflowX, overflowY } = styleOf(at);
    if (at !== el && !isFixed && /auto|scroll/.test(overflowX + overflowY)) scrolls = true;
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

// A positioned descendant of what is away may be seen nevertheless.
function comesBack(el) {
  const box = rectOf(el);
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  const root = rootNodeOf(el);
  return (root instanceof ShadowRoot ? hitsInRoot(root, x, y) : hitsInDocument(document, x, y)).includes(el);
}

// --- Colours

// [red, green, blue, alpha], of 255 each and of 1; null for no colour.
function channels(colour) {
  const match = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(colour);
  if (match) return match.slice(1).map((part) => (part === undefined ? 1 : Number(part)));
  return colour === '' ? null : drawnChannels(colour);
}

// The same of a colour that is no sRGB by its name, such as oklch(), as it is drawn.
let canvas = null;

function drawnChannels(colour) {
  canvas ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}
const kColourStep = 12; // of 255: what differs by less in each channel looks the same
const kAlphaMin = 0.05;

const isClear = (colour) => /[,/] 0(\.0\d*)?\)$/.test(colour) && channels(colour)?.[3] <= kAlphaMin;

// Answers are kept, as a page has few pairs of colours.
const alike = new Map();
const kAlikeMax = 500;

function looksAlike(a, b) {
  if (a === b) return true;
  if (a === '' || b === '') return false;
  const pair = a + b;
  let answer = alike.get(pair);
  if (answer === undefined) {
    const [one, other] = [channels(a), channels(b)];
    answer = one !== null && other !== null && [0, 1, 2].every((i) => Math.abs(one[i] - other[i]) <= kColourStep);
    if (alike.size >= kAlikeMax) alike.clear();
    alike.set(pair, answer);
  }
  return answer;
}

function isSameColour(el, style, traits) {
  const colour = traits & FILL ? style.webkitTextFillColor : style.color;
  const background = backgroundBehind(el);
  if (!isClear(colour) && !looksAlike(background, colour)) return false; // nearly all
  if (isSvg(el) || style.webkitBackgroundClip === 'text' || style.mixBlendMode !== 'normal') return false;
  const shadow = /rgba?\([^)]*\)/.exec(style.textShadow);
  if (shadow && !looksAlike(shadow[0], background)) return false;
  if (parseFloat(style.webkitTextStrokeWidth) > 0) return false;
  if (!isClear(colour) && liesOnPseudo(el)) return false;
  return /\S/.test(textContentOf(el)) && !(isClear(colour) ? isDrawnBelow(el) : liesOnPainted(el));
}
const kWhite = 'rgb(255, 255, 255)';
const kDark = 'rgb(18, 18, 18)'; // Chromium's

// What the browser's own sheet gives a background.
const kPainted = words('button input select textarea mark dialog');

// The colour behind an element's text, as its ancestors paint it; '' where that can't be told from here: a picture, a
// mix of colours.
function backgroundBehind(el) {
  const known = pass.backgrounds.get(el);
  if (known !== undefined) return known;
  const traits = traitsOf(el, false);
  const parent = flatParentOf(el);
  let background;
  if (!(traits & BACKGROUND) && !kPainted.has(tagOf(el)) && !hasOwnBackground(el))
    background = parent ? backgroundBehind(parent) : baseColour();
  else {
    const style = styleOf(el);
    const alpha = channels(style.backgroundColor)?.[3] ?? 1;
    if (style.backgroundImage !== 'none' || style.boxShadow.includes('inset')) background = '';
    else if (alpha === 1) background = style.backgroundColor;
    else background = alpha > 0 ? '' : parent ? backgroundBehind(parent) : baseColour();
  }
  pass.backgrounds.set(el, background);
  return background;
}

// HTML's own attributes for it, on tables and the body.
const kOldTags = words('body table thead tbody tfoot tr td th');
const hasOwnBackground = (el) => kOldTags.has(tagOf(el)) && (hasAttr(el, 'bgcolor') || hasAttr(el, 'background'));

// What a document is painted on; '' where that can't be told: in a frame, whose page below may be of any colour.
function baseColour() {
  if (window !== window.parent) return '';
  const schemes = getComputedStyle(documentElementOf(document)).colorScheme;
  const isDark =
    schemes.includes('dark') && (!schemes.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches);
  return isDark ? kDark : kWhite;
}

function paintsPseudo(el) {
  return ['::before', '::after'].some((which) => {
    const style = getComputedStyle(el, which);
    return style.content !== 'none' && style.content !== 'normal' && paints(style);
  });
}

// Whether a pseudo-element of an ancestor may paint below an element's text, above the background behind it.
function liesOnPseudo(el) {
  for (let at = el; at; at = flatParentOf(at)) {
    const traits = traitsOf(at, false);
    if (traits & PAINT && paintsPseudo(at)) return true;
    if (traits & BACKGROUND && paints(styleOf(at))) return false;
  }
  return false;
}

// White text may lie on a dark picture or box that is no ancestor of it.
const kPictures = words('img video canvas svg picture iframe object embed');

function liesOnPainted(el) {
  const painted = paintedElements();
  if (painted === null) return liesOnAnother(el);
  const box = rectOf(el);
  for (const other of painted) {
    if (other === el) continue;
    const its = rectOf(other);
    if (its.left >= box.right || its.right <= box.left || its.top >= box.bottom || its.bottom <= box.top) continue;
    if (flatContains(other, el) || flatContains(el, other)) continue;
    if (
      kPictures.has(tagOf(other)) ||
      paints(styleOf(other)) ||
      (traitsOf(other, false) & PAINT && paintsPseudo(other))
    )
      return true;
  }
  return false;
}

// The same where too many elements may paint: by what lies at the middle, if that can be asked.
function liesOnAnother(el) {
  const { x, y, width, height } = rectOf(el);
  const [middle, centre] = [x + width / 2, y + height / 2];
  if (middle < 0 || centre < 0 || middle >= innerWidth || centre >= innerHeight) return !isInFlow(el);
  return hitsInDocument(document, middle, centre).some((other) => !flatContains(other, el) && !flatContains(el, other));
}

function isInFlow(el) {
  for (let at = el; at; at = flatParentOf(at)) if (/absolute|fixed|sticky/.test(styleOf(at).position)) return false;
  return true;
}

export {
  AWAY,
  channels,
  CONCEALED,
  FADING,
  FOR_READERS,
  hidesTextAlone,
  isGone,
  isTransparent,
  kPictures,
  kSightTraits,
  NAMED,
  ownSight,
  showsPicture,
  sightOf,
  sightOfPicture,
};
