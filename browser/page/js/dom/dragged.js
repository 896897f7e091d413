// What a drag has done to what was pressed: it may have another place or another size, of which no mutation needs to tell.

import {
  bareRectOf,
  firstChildOf,
  isConnected,
  isElement,
  isSvg,
  nextSiblingOf,
  parentNodeOf,
  querySelectorAllOf,
  scrollLeftOf,
  scrollTopOf,
  tagOf,
} from './members.js';
import { actedSince } from './acted.js';
import { words } from './collections.js';
import { flatParentOf } from './flat_tree.js';
import { isVisible, styleOf } from './style.js';

const kPageTags = words('html body');
const kAround = 3; // ancestors of a handle that it may resize
const kDragged = 8; // ancestors that may be what is dragged by something in them, as by the picture on a box of a diagram
const kBeside = 20; // elements beside a handle, which it may resize

// As it was at the press: { around, beside, strokes }: lists of what boxWithin() returns, of which `around` begins with what was
// pressed, and the shapes of the page that may be lines, held weakly.
let pressed = null;
let toldOf = null; // for a snapshot that is taken again

let pressedLast = null; // { el, time }

// Whether the last action pressed this element, to drag from it: what it was to act on may be where the drag ended.
const isPressedLast = (el) => pressedLast !== null && pressedLast.time >= actedSince() && pressedLast.el.deref() === el;

function notePressed(el) {
  pressedLast = { el: new WeakRef(el), time: performance.now() };
  pressed = null;
  if (kPageTags.has(tagOf(el))) return;
  const around = [];
  for (let at = el; at && around.length <= kDragged && !kPageTags.has(tagOf(at)); at = flatParentOf(at))
    around.push(at);
  const beside = [];
  const parent = parentNodeOf(el);
  for (let at = parent && firstChildOf(parent); at && beside.length < kBeside; at = nextSiblingOf(at))
    if (isElement(at) && at !== el) beside.push(at);
  pressed = {
    around: around.map(boxWithin),
    beside: beside.map(boxWithin),
    strokes: [...strokes()].map((one) => new WeakRef(one)),
  };
}

// Whether something was pressed for a drag of which no snapshot has told yet.
const isDragUntold = () => pressed !== null;

// Where an element is within what holds it, so that no scrolling and nothing that pushes the holder moves it; `holder` is
// null where that can't be said.
function boxWithin(el) {
  const { x, y, width, height } = bareRectOf(el);
  const holder = boxHolderOf(el);
  const onPage = { x: x + scrollX, y: y + scrollY };
  const place = { el: new WeakRef(el), holder: holder && new WeakRef(holder), x, y, width, height, onPage };
  if (holder === null) return place;
  const box = bareRectOf(holder);
  if (tagOf(holder) === 'body') return { ...place, x: x - box.x, y: y - box.y }; // its scrolling moves its own box
  return { ...place, x: x - box.x + scrollLeftOf(holder), y: y - box.y + scrollTopOf(holder) };
}

function boxHolderOf(el) {
  const isShape = isSvg(el) && tagOf(el) !== 'svg';
  if (!isShape && /fixed|sticky/.test(styleOf(el).position)) return null;
  let at = flatParentOf(el);
  // A group of shapes is as large as what it holds.
  while (at && (isShape ? tagOf(at) !== 'svg' : styleOf(at).display === 'contents')) at = flatParentOf(at);
  return at;
}

// -> [{ el, x, y, width, height }]: how far what was pressed, or what holds it, has gone (null where it hasn't), and the size
// that it or what stands beside it has now (null where it is the same). What has been put into another box is `isElsewhere`, by how
// far it has gone on the page. Each press is told once. `again`: the last one.
function draggedSince(again) {
  if (!again) {
    toldOf = pressed;
    pressed = null;
  }
  if (toldOf === null) return [];
  const { around, beside } = toldOf;
  if (hasOtherHolder(around[0])) return putElsewhere(around[0]);
  const changed = around.map(changeSince);
  const own = changed.findIndex((change) => change !== null);
  const resized = (change) => change !== null && change.width !== null;
  const others = [...changed.slice(own + 1, kAround + 1), ...beside.map(changeSince)].filter(resized);
  return own < 0 ? [] : [changed[own], ...others.map((change) => ({ ...change, x: null, y: null }))];
}

const strokes = () => querySelectorAllOf(document, 'svg path, svg line, svg polyline');
const kLineLeast = 24; // px: less is a mark of something

// Lines that the drag of which draggedSince() told last has drawn, as editors of diagrams do between two things. One that is drawn
// several times over, to be seen and to be hit, is one. A chart draws all its lines anew.
function linesDrawn() {
  if (toldOf === null) return [];
  const before = new Set(toldOf.strokes.map((one) => one.deref()));
  if ([...before].some((el) => el === undefined || !isConnected(el))) return [];
  const byPlace = new Map();
  for (const el of strokes()) {
    if (before.has(el)) continue;
    const { x, y, width, height } = bareRectOf(el);
    if (Math.max(width, height) >= kLineLeast && isLine(el))
      byPlace.set([x + width / 2, y + height / 2].map((at) => Math.round(at / kLineLeast)).join(), el);
  }
  return [...byPlace.values()];
}

function isLine(el) {
  const { fill, stroke } = styleOf(el);
  return stroke !== 'none' && (fill === 'none' || tagOf(el) === 'line') && isVisible(el);
}

function putElsewhere(before) {
  const el = before.el.deref();
  if (!el || !isConnected(el)) return [];
  const { onPage } = boxWithin(el);
  const x = Math.round(onPage.x - before.onPage.x);
  const y = Math.round(onPage.y - before.onPage.y);
  return x !== 0 || y !== 0 ? [{ el, x, y, width: null, height: null, isElsewhere: true }] : [];
}

function hasOtherHolder({ el, holder }) {
  const now = el.deref();
  return !now || !isConnected(now) || (holder !== null && boxHolderOf(now) !== holder.deref());
}

function changeSince(before) {
  const el = before.el.deref();
  if (!el || hasOtherHolder(before)) return null;
  const now = boxWithin(el);
  const x = Math.round(now.x - before.x);
  const y = Math.round(now.y - before.y);
  const isMoved = now.holder !== null && before.holder !== null && (x !== 0 || y !== 0);
  const width = Math.round(now.width);
  const height = Math.round(now.height);
  const isResized = Math.abs(now.width - before.width) >= 1 || Math.abs(now.height - before.height) >= 1;
  if ((!isMoved && !isResized) || width === 0 || height === 0) return null;
  return {
    el,
    ...(isMoved ? { x, y } : { x: null, y: null }),
    ...(isResized ? { width, height } : { width: null, height: null }),
  };
}

export { draggedSince, isDragUntold, isPressedLast, linesDrawn, notePressed };
