// Computed style: whether an element is rendered, and how.

import { words } from './collections.js';
import { hasSign } from './text.js';
import {
  attr,
  closestOf,
  elementsOf,
  firstChildOf,
  isRendered,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  querySelectorAllOf,
  rectOf,
  rootNodeOf,
  tagOf,
} from './members.js';
import { isAnyFound } from './found.js';
import { pass } from './pass.js';
import { animationsNow, anyClosedRoot, sawShadow, shadowRootsIn } from './shadow_roots.js';
import { AFTER, animated, BACKGROUND, BEFORE, PAINT, rootTraits, traitsOf, VISIBILITY } from './traits.js';

// Bits of styleFlags: what `display` and `visibility` compute to.
const DISPLAY_NONE = 1;
const VISIBILITY_HIDDEN = 2;
const INLINE = 4;
const CONTENTS = 8;
const INLINE_BLOCK = 16;

function styleOf(el) {
  if (pass.lastStyled === el) return pass.lastStyle;
  pass.lastStyled = el;
  return (pass.lastStyle = getComputedStyle(el));
}

// Display and visibility in one number. An ancestor's display:none is the walker's business, not looked at here.
function styleFlags(el) {
  let flags = pass.flags.get(el);
  if (flags !== undefined) return flags;
  const style = styleOf(el);
  const display = style.display;
  flags = 0;
  if (display === 'none' || display === '') flags |= DISPLAY_NONE;
  else if (display === 'inline') flags |= INLINE;
  else if (display === 'contents') flags |= CONTENTS | INLINE;
  else if (display === 'inline-block') flags |= INLINE_BLOCK;
  if (isVisibilityUsed(el) && style.visibility !== 'visible') flags |= VISIBILITY_HIDDEN;
  pass.flags.set(el, flags);
  return flags;
}

// Visibility is inherited, also into shadow trees and what is slotted there, so it is read everywhere if it may be set
// anywhere, and nowhere else.
function isVisibilityUsed(el) {
  if (sawShadow || anyClosedRoot) return true;
  if (pass.visibilityUsed !== null) return pass.visibilityUsed;
  const root = rootNodeOf(el);
  if (root !== document) return true;
  const { everyone, setsVisibility } = rootTraits(root);
  return (pass.visibilityUsed =
    (everyone & VISIBILITY) !== 0 || setsVisibility || animated().size > 0 || isAnyFound('[style*=visib]'));
}

function isVisible(el) {
  if (!isRendered(el, { visibilityProperty: true })) return false;
  const box = rectOf(el);
  return box.width > 0 && box.height > 0;
}

// Elements that an animation or a transition is changing at this moment.
function movingElements() {
  return (pass.moving ??= new Set(
    animationsNow().flatMap(({ playState, effect }) => (playState === 'running' ? [effect?.target] : [])),
  ));
}

// Elements that may paint something below what is no descendant of theirs; null where too many may.
const kPaintedMax = 1500;

function paintedElements() {
  if (pass.painted !== undefined) return pass.painted;
  const found = new Set();
  for (const root of [document, ...(sawShadow || anyClosedRoot ? shadowRootsIn(document) : [])]) {
    const { everyone, lists } = rootTraits(root);
    const anyone = (everyone & (BACKGROUND | PAINT)) !== 0;
    for (const el of querySelectorAllOf(root, anyone ? '*' : kMayPaint)) found.add(el);
    for (const bit of [BACKGROUND, PAINT])
      if (lists.has(bit)) for (const el of querySelectorAllOf(root, lists.get(bit))) found.add(el);
  }
  return (pass.painted = found.size > kPaintedMax ? null : [...found]);
}
const kMayPaint = 'img,video,canvas,svg,picture,iframe,object,embed,[style*=background]';

// The text of ::before or ::after. Counters and images have none, nor has what only sets off a counter, as the dot of `1.`;
// `content: "x" / "alt"` means the alternative.
function pseudoText(el, which) {
  const bit = which === '::before' ? BEFORE : AFTER;
  if (!(traitsOf(el, true) & bit) && tagOf(el) !== 'q') return '';
  const known = pass.pseudos.get(el);
  if (known?.[bit] !== undefined) return known[bit];
  const text = readPseudo(el, which);
  if (known) known[bit] = text;
  else pass.pseudos.set(el, { [bit]: text });
  return text;
}

function readPseudo(el, which) {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (
    !content ||
    content === 'none' ||
    content === 'normal' ||
    style.display === 'none' ||
    style.visibility !== 'visible' ||
    parseFloat(style.opacity) <= kOpacityMin ||
    isClearText(style)
  )
    return '';
  const slash = content.lastIndexOf(' / ');
  const source = slash !== -1 && content.endsWith('"') ? content.slice(slash + 3) : content;
  if (isIconSign(style, el)) return '';
  let text = '';
  for (const [, quoted, attribute, mark] of source.matchAll(
    /url\("(?:[^"\\]|\\.)*"\)|"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)|(open-quote|close-quote)/g,
  ))
    text +=
      quoted !== undefined ? quoted.replace(/\\(.)/g, '$1') : mark ? '"' : attribute ? (attr(el, attribute) ?? '') : '';
  if (!text || (/\bcounters?\(/.test(source) && !/[\p{L}\p{N}]/u.test(text))) return '';
  if (kSortArrow.test(text) && isOfSortedHeader(el, style)) return '';
  return style.display === 'inline' && source === content ? text : ` ${text} `;
}

// Whether an arrow that is drawn in a header says no more than the header's own attribute, or is pale: that of a way to sort by
// which the table isn't sorted.
function isOfSortedHeader(el, { opacity }) {
  const header = closestOf(el, 'th,[role=columnheader]');
  return header !== null && (attr(header, 'aria-sort') !== null || parseFloat(opacity) <= kPale);
}
const kSortArrow = /^\s*[↑↓↕⇅⇵▲▼△▽▴▾▵▿⬆⬇]\s*$/;
const kPale = 0.5;

// Whether a computed colour is that of nothing.
const isUnpainted = (colour) => kNoPaint.test(colour);
const kNoPaint = /^rgba\(.*, 0\)$/;

// Whether a box has a background.
const paints = (style) => style.backgroundImage !== 'none' || !isUnpainted(style.backgroundColor);

// Letters that nothing paints, as pages put them somewhere to keep a line's height.
const isClearText = (style) =>
  isUnpainted(style.webkitTextFillColor) && // of nearly none, and each property that is read costs
  style.webkitBackgroundClip !== 'text' &&
  style.textShadow === 'none' &&
  parseFloat(style.webkitTextStrokeWidth) === 0;

// Whether a pseudo-element draws a sign of an icon font: by its private-use character, or by the name of a font that has
// some elsewhere, or draws a word as one; or by a letter in a font of its own, where the element is called an icon.
function isIconSign(style, el) {
  const { content, fontFamily } = style;
  if (hasSign(content) || (kSignOrWord.test(content) && kIconFont.test(fontFamily))) return true;
  return kLetter.test(content) && kCalledIcon.test(attr(el, 'class') ?? '') && fontFamily !== styleOf(el).fontFamily;
}
const kLetter = /^"[\x21-\x7e]"$/;
const kCalledIcon = /(^|[-_\s])icons?([-_\s]|$)/i;
const kSignOrWord = /^"([^\x00-\x7f]|[a-z][a-z0-9]*(_[a-z0-9]+)*)"$/u;
const kIconFont = /icon|awesome|glyph|symbol/i;

// The word that such a font draws as one sign, where it is all that an element holds, also in a box of its own, or ''.
function ligatureOf(el) {
  let first = soleChildOf(el);
  if (first !== null && nodeTypeOf(first) === 1) first = soleChildOf(first);
  if (first === null || nodeTypeOf(first) !== 3) return '';
  const word = nodeValueOf(first).trim();
  return kSignWord.test(word) && kWordFont.test(styleOf(el).fontFamily) ? word : '';
}

// The only thing that an element holds, comments aside, or null.
function soleChildOf(el) {
  let sole = null;
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
    if (nodeTypeOf(child) === 8) continue;
    if (sole !== null) return null;
    sole = child;
  }
  return sole;
}
const kSignWord = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const kWordFont = /^[^,]*(\bicons?|Icons?|[Ss]ymbols|[Ii]co[Mm]oon)\b/; // not that of a fallback, and no Lexicon

// The word that such a font draws as a sign before or behind what an element holds, or ''.
function iconWordOf(el) {
  const word = ligatureOf(el);
  if (word !== '') return word;
  const traits = traitsOf(el, true);
  for (const which of [traits & BEFORE ? '::before' : '', traits & AFTER ? '::after' : '']) {
    if (which === '') continue;
    const style = getComputedStyle(el, which);
    if (isIconSign(style, el) && /^"[a-z]{2}/.test(style.content)) return style.content.slice(1, -1);
  }
  return '';
}

const kOpacityMin = 0.05; // nobody sees what has less

// Whether a line goes through what an element says.
const isStruck = (el) => styleOf(el).textDecorationLine.includes('line-through');

// Whether the text of an element is set as it is written, line by line.
const keepsLines = (el) => /^(preserve|break-spaces)/.test(styleOf(el).whiteSpaceCollapse);

// Whether a clear text is what the canvas below it draws: a viewer of documents lays it over each page, so that it can be
// selected.
function isDrawnBelow(el) {
  const root = rootNodeOf(el);
  const { x, y, width, height } = rectOf(el); // first of all: so it is looked at anew when a canvas comes
  let canvases = pass.canvases.get(root);
  if (canvases === undefined) pass.canvases.set(root, (canvases = [...elementsOf(root, 'canvas')]));
  if (canvases.length === 0 || styleOf(el).userSelect === 'none') return false;
  if (width === 0 || height === 0) return false;
  return canvases.some((canvas) => {
    const { left, top, right, bottom } = rectOf(canvas);
    const [middle, centre] = [x + width / 2, y + height / 2];
    return middle > left && middle < right && centre > top && centre < bottom;
  });
}

// --- What clips an element away

// Whether the box with a style clips what it holds. What is inline has no such box, and `display: contents` none at all.
const clipsContents = ({ overflowX, overflowY, display }) =>
  (overflowX !== 'visible' || overflowY !== 'visible') && display !== 'inline' && display !== 'contents';

// Whether an icon in an element isn't seen: for its opacity, or as a box of no width cuts it off, which the full star has that lies
// over an empty one.
const isUnseenIcon = (el) =>
  parseFloat(styleOf(el).opacity) <= kOpacityMin || (clipsContents(styleOf(el)) && rectOf(el).width === 0);

const kCuts = words('hidden clip'); // the overflow that nobody but a script scrolls
const kPixelBox = 2; // CSS px: what is no larger shows nothing

// rect(top, right, bottom, left)
function isEmptyClip(clip) {
  const [top, right, bottom, left] = (clip.match(/-?[\d.]+(?=px)|auto/g) ?? []).map(Number);
  return right - left <= kPixelBox || bottom - top <= kPixelBox;
}

// inset(50%), inset(0 100% 0 0)
function isEmptyInset(path, { width, height }) {
  const inset = /^inset\(([^)]*?)( round .*)?\)/.exec(path);
  if (!inset) return false;
  const [top, right = top, bottom = top, left = right] = inset[1].split(' ');
  const sum = (parts, size) =>
    parts.reduce((all, part) => all + (parseFloat(part) * (part.endsWith('%') ? size / 100 : 1) || 0), 0);
  return sum([top, bottom], height) >= height || sum([left, right], width) >= width;
}

// circle(0), polygon(0 0, 0 9px)
function isEmptyShape(path) {
  if (/^(circle|ellipse)\(0(px|%)?[ )]/.test(path)) return true;
  const polygon = /^polygon\((?:\w+, )?([^)]*)\)/.exec(path);
  if (!polygon) return false;
  const points = polygon[1].split(', ');
  return (
    new Set(points.map((p) => p.split(' ')[0])).size === 1 || new Set(points.map((p) => p.split(' ')[1])).size === 1
  );
}

// Whether what the style leaves beside a text sets it apart from the next one, as a space would.
const isWordGap = (margin, padding) => parseFloat(margin) + parseFloat(padding) >= kWordGap;
const kWordGap = 3; // CSS px

export {
  isUnpainted,
  isDrawnBelow,
  isEmptyClip,
  isEmptyInset,
  isEmptyShape,
  iconWordOf,
  isIconSign,
  isStruck,
  keepsLines,
  ligatureOf,
  paints,
  clipsContents,
  isUnseenIcon,
  kCuts,
  kOpacityMin,
  kPixelBox,
  DISPLAY_NONE,
  VISIBILITY_HIDDEN,
  INLINE,
  CONTENTS,
  INLINE_BLOCK,
  styleOf,
  styleFlags,
  isVisible,
  isWordGap,
  movingElements,
  paintedElements,
  pseudoText,
};
