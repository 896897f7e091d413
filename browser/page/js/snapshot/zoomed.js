// What an action has zoomed or panned, as a line of a delta: a pane that is drawn larger, smaller or elsewhere than before, as
// those of boards and maps are, while all that it holds is the same.

import { attr, isConnected, rectOf } from '../dom/members.js';
import { closestFlat, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { actedElement } from '../dom/acted.js';
import { changesSince } from '../dom/changes.js';
import { isDragUntold } from '../dom/dragged.js';
import { scaleOf, shiftOf } from '../dom/slides.js';
import { refWords } from './drag_lines.js';
import { recordOf } from '../tree/refs.js';
import { yamlValue } from './yaml.js';

const kLargePart = 1 / 16; // of the viewport: what is smaller is pressed or hovered over
const kZoomedLeast = 1.04; // times as large: less nobody means
const kNames = ['style', 'transform'];

let zoomed = null; // { pane: WeakRef, from, to }, for the snapshot that is being taken
let panned = null; // { pane: WeakRef, x, y, dragged }, the same

// Called before the walk, which may forget the changes. Where several have another scale they are pictures that come and go
// beside each other.
function noteZoomed() {
  zoomed = null;
  panned = null;
  const scaled = [];
  const moved = [];
  const changes = changesSince() ?? { touched: [], moved: [] };
  for (const { node, attributes } of changes.touched) {
    const name = attributes && kNames.find((one) => attributes.has(one));
    const el = name ? node.deref() : undefined;
    if (el === undefined || !isConnected(el)) continue;
    if (hasCome(el, changes)) continue;
    const [was, is] = [attributes.get(name) ?? '', attr(el, name) ?? ''];
    const [before, now] = [was, is].map((text) => scaleSet(name, text));
    if (before !== now) scaled.push({ pane: el, from: before, to: now });
    const [x, y] = shiftBetween(shiftSet(name, was), shiftSet(name, is));
    if ((x !== 0 || y !== 0) && isLarge(el)) moved.push({ el, x, y });
  }
  // A drawing in a pane may be moved back by as much, to show more.
  const [pan, ...others] = moved.filter(
    ({ el }) => !moved.some((other) => other.el !== el && flatContains(other.el, el)),
  );
  if (pan !== undefined && others.length === 0 && !scaled.some((one) => isLarge(one.pane)))
    panned = { pane: new WeakRef(pan.el), x: pan.x, y: pan.y, dragged: isDragUntold() };
  if (scaled.length !== 1) return;
  const [{ pane, from, to }] = scaled;
  const { width, height } = rectOf(pane);
  if (width * height < kLargePart * innerWidth * innerHeight) return;
  if (Math.max(from / to, to / from) >= kZoomedLeast) zoomed = { pane: new WeakRef(pane), from, to };
}

// A dialog that comes may grow to its size: it had none before.
const hasCome = (el, { moved }) =>
  moved.some((ref) => {
    const one = ref.deref();
    return one !== undefined && isConnected(one) && flatContains(one, el);
  });

// A pane may have no size of its own: then it is as large as what holds it.
function isLarge(el) {
  const { width, height } = rectOf(el);
  const { width: w, height: h } = width * height > 0 ? { width, height } : rectOf(flatParentOf(el) ?? el);
  return w * h >= kLargePart * innerWidth * innerHeight;
}

const shiftBetween = (before, now) => [now.x - before.x, now.y - before.y].map(Math.round);

// How large the text of an attribute draws an element.
function scaleSet(name, text) {
  if (name === 'transform') return scaleOf(text.replaceAll(/\s+(?=[-\d.])/g, ','));
  const [transform, scale, zoom] = ['transform', 'scale', 'zoom'].map(
    (property) => new RegExp(`(?:^|;)\\s*${property}:\\s*([^;]+)`).exec(text)?.[1] ?? '',
  );
  return scaleOf(transform) * scaleOf(`scale(${scale})`) * scaleOf(`scale(${zoom})`);
}

// How far it moves an element, in px: a part of the element's own size is a slide of several.
function shiftSet(name, text) {
  const transform =
    name === 'transform'
      ? text.replaceAll(/\s+(?=[-\d.])/g, ',')
      : (/(?:^|;)\s*transform:\s*([^;]+)/.exec(text)?.[1] ?? '');
  return shiftOf(transform, 0, 0);
}

// `lines`: of the delta; `isAlone`: none of them tells what the action has done. Only of a pane around what the action went to,
// or within it.
function panLines(lines, isAlone) {
  const el = panned?.pane.deref();
  const acted = actedElement();
  if (el === undefined || acted === null || !(isAlone || panned.dragged)) return [];
  if (lines.some((line) => line.includes(' moved by '))) return []; // what is dragged
  if (el === acted || !(flatContains(el, acted) || flatContains(acted, el))) return [];
  const { x, y } = panned;
  const shown = closestFlat(el, (at) => recordOf.has(at)) ?? el;
  return [`- text: ${yamlValue(`… what ${refWords(shown)} shows has moved by ${x}, ${y} px`)}`];
}

function zoomLines() {
  const el = zoomed?.pane.deref();
  if (el === undefined) return [];
  const [from, to] = [zoomed.from, zoomed.to].map((scale) => `${Math.round(scale * 100)} %`);
  return [
    `- text: ${yamlValue(`… ${refWords(closestFlat(el, (at) => recordOf.has(at)) ?? el)} is zoomed from ${from} to ${to}`)}`,
  ];
}

export { isLarge, noteZoomed, panLines, zoomLines };
