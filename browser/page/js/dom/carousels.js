// Which slides of a carousel can't be seen [tool.snapshot.clipped]: a track is moved behind a box that clips it and that
// nobody can scroll, so that neither a style nor a scroll position tells what is in view; only boxes do.

import {
  attr,
  clientHeightOf,
  clientWidthOf,
  firstChildOf,
  isElement,
  nextSiblingOf,
  rectOf,
  scrollHeightOf,
  scrollWidthOf,
  tagOf,
} from './members.js';
import { words } from './collections.js';
import { eachFlatChild, flatContains, flatParentOf, meets } from './flat_tree.js';
import { clipWhere } from './hit.js';
import { BOX, note } from './noted.js';
import { pass } from './pass.js';
import { animationsNow, shadowRootOf } from './shadow_roots.js';
import { styleOf } from './style.js';
import { animated } from './traits.js';

const kSlidesMax = 100; // elements side by side; what holds more is a list
const kBesideTrack = 6; // elements in the box among which the track is: arrows, dots
const kTrackDepth = 3; // boxes around each other
const kWidthLeast = 32; // CSS px; what is narrower is a letter or a dot
const kHeightLeast = 12;
const kAlike = 3; // how many times as large one slide may be as another
const kInSight = 1; // CSS px: less of a slide nobody sees

// Cells and rows belong to a table, which has other ways to be read; options and items of trees to lists.
const kNoSlideTags = words('tr td th tbody thead option br script style');
const kNoSlideRoles = words('row rowgroup cell gridcell columnheader rowheader option treeitem');

// An axis of the page.
const kAxes = [
  { overflow: 'overflowX', start: 'left', end: 'right', from: 'top', to: 'bottom' },
  { overflow: 'overflowY', start: 'top', end: 'bottom', from: 'left', to: 'right' },
];
const kClips = words('hidden clip');

// The slides that a box shows or clips: element -> whether it is clipped; null where it clips none, or shows none.
function slidesIn(box) {
  let slides = pass.slides.get(box);
  if (slides === undefined) {
    slides = findSlides(box);
    pass.slides.set(box, slides);
  }
  if (slides !== null) note(BOX);
  return slides;
}

function findSlides(box) {
  const tag = tagOf(box);
  if (tag === 'body' || tag === 'html') return null;
  const style = styleOf(box);
  const axes = kAxes.filter(({ overflow }) => kClips.has(style[overflow]));
  if (axes.length === 0 || style.display === 'inline' || style.display === 'contents') return null;
  let frame = null;
  let overflows = false;
  for (const track of tracksIn(box)) {
    const elements = elementsIn(track, kSlidesMax);
    // Most boxes that clip have nothing alike in them, which is known without a look at boxes.
    if (elements === null || !elements.some((el, i) => i > 0 && areOfKind(el, elements[i - 1]))) continue;
    if (frame === null) {
      frame = rectOf(box);
      overflows = scrollWidthOf(box) > clientWidthOf(box) + 1 || scrollHeightOf(box) > clientHeightOf(box) + 1;
    }
    // What overflows to the front doesn't count as overflow: the first slide tells of that.
    const first = rectOf(elements[0]);
    if (!overflows && first.left >= frame.left - kInSight && first.top >= frame.top - kInSight) continue;
    for (const axis of axes) {
      const slides = slidesOnTrack({ box, frame, track, axis, elements });
      if (slides !== null) return slides;
    }
  }
  return null;
}

// The elements that may hold slides: the box itself, what it holds, and what is the only element in one of these.
function tracksIn(box) {
  const tracks = [box];
  for (const kid of elementsIn(box, kBesideTrack) ?? []) {
    let track = kid;
    for (let depth = 1; depth < kTrackDepth; depth++) {
      const inner = elementsIn(track, 1);
      if (inner === null || inner.length === 0) break;
      [track] = inner;
    }
    tracks.push(track);
  }
  return tracks;
}

// The elements in the flat tree below one; null where they are more than `most`.
function elementsIn(el, most) {
  const tag = tagOf(el);
  const found = [];
  if (tag === 'slot' || shadowRootOf(el) !== null) {
    eachFlatChild(el, tag, (child) => {
      if (isElement(child)) found.push(child);
    });
  } else
    for (let child = firstChildOf(el); child && found.length <= most; child = nextSiblingOf(child))
      if (isElement(child)) found.push(child);
  return found.length > most ? null : found;
}

function slidesOnTrack({ box, frame, track, axis, elements }) {
  const { start, end, from, to } = axis;
  const isOut = (rect) => rect[end] <= frame[start] + kInSight || rect[start] >= frame[end] - kInSight;
  const isBeside = (rect) => rect[to] > frame[from] + kInSight && rect[from] < frame[to] - kInSight;
  const rects = new Map();
  for (const el of elements) {
    const rect = rectOf(el);
    if (rect.width >= kWidthLeast && rect.height >= kHeightLeast && isBeside(rect) && maySlide(el)) rects.set(el, rect);
  }
  const shown = [...rects].filter(([, rect]) => !isOut(rect));
  if (shown.length === 0 || shown.length === rects.size) return null;
  const slides = new Map();
  let clipped = null;
  for (const [el, rect] of rects) {
    if (!shown.some(([other, its]) => areAlike(el, rect, other, its, axis))) continue;
    slides.set(el, isOut(rect));
    if (isOut(rect)) clipped ??= el;
  }
  if (clipped === null || (axis.start === 'top' && !isTrack(track, clipped)) || runsForEver(track)) return null;
  return clipWhere(clipped, (_, at) => at === box) === box ? slides : null;
}

const maySlide = (el) => !kNoSlideTags.has(tagOf(el)) && !kNoSlideRoles.has(attr(el, 'role') ?? '');

// Of the same kind, in the same line, and about as large: no drawer beside the page.
function areAlike(el, rect, other, its, { start, end, from, to }) {
  if (el === other) return true;
  if (!areOfKind(el, other)) return false;
  const [size, itsSize] = [rect[end] - rect[start], its[end] - its[start]];
  if (size > kAlike * itsSize || itsSize > kAlike * size) return false;
  const [across, itsAcross] = [rect[to] - rect[from], its[to] - its[from]];
  const shared = Math.min(rect[to], its[to]) - Math.max(rect[from], its[from]);
  return shared >= Math.min(across, itsAcross) / 2;
}

function areOfKind(el, other) {
  if (tagOf(el) !== tagOf(other) || attr(el, 'role') !== attr(other, 'role')) return false;
  if (tagOf(el).includes('-')) return true; // a kit's own element, whose classes tell which of them is shown
  const [classes, itsClasses] = [attr(el, 'class'), attr(other, 'class')];
  if (classes === itsClasses) return true;
  if (classes === null || itsClasses === null) return false;
  const names = itsClasses.split(/\s+/);
  return classes.split(/\s+/).some((name) => name !== '' && names.includes(name));
}

// Below each other stands whatever a page cuts short: only what something moves is a track.
const isTrack = (track, slide) => [track, slide].some((el) => isShifted(styleOf(el)));

const isShifted = ({ transform, translate, position, top, marginTop, willChange }) =>
  transform !== 'none' ||
  translate !== 'none' ||
  (position !== 'static' && top !== 'auto' && parseFloat(top) !== 0) ||
  parseFloat(marginTop) < 0 ||
  /transform|translate/.test(willChange);

// A banner's texts come and go all the time.
const runsForEver = (track) =>
  animated().size > 0 &&
  animationsNow().some(
    ({ effect }) =>
      effect?.target && effect.getComputedTiming().endTime === Infinity && flatContains(effect.target, track),
  );

// Whether an element lies where its slide is, which the next click may bring into view.
function isInSlide(el) {
  const path = [];
  for (let at = el; at; at = flatParentOf(at)) {
    const slides = path.length > 0 && /hidden|clip/.test(styleOf(at).overflow) ? slidesIn(at) : null;
    const slide = slides && path.find((one) => slides.has(one));
    if (slide) return meets(el, slide);
    path.push(at);
  }
  return false;
}

// Whether an element is a slide of a carousel, or the track that moves them.
function carriesSlides(el) {
  let at = flatParentOf(el);
  for (let depth = 1; at && depth < kTrackDepth; depth++, at = flatParentOf(at)) {
    const slides = slidesIn(at);
    if (slides !== null) return [...slides.keys()].some((slide) => flatContains(el, slide));
  }
  return false;
}

export { carriesSlides, isInSlide, slidesIn };
