// What an action has zoomed, as a line of a delta: a pane that is drawn larger or smaller than before, as those of boards and
// maps are, while all that it holds is the same.

import { attr, isConnected, rectOf } from '../dom/members.js';
import { closestFlat } from '../dom/flat_tree.js';
import { changesSince } from '../dom/changes.js';
import { scaleOf } from '../dom/slides.js';
import { refWords } from './drag_lines.js';
import { recordOf } from '../tree/refs.js';
import { yamlValue } from './yaml.js';

const kLargePart = 1 / 16; // of the viewport: what is smaller is pressed or hovered over
const kZoomedLeast = 1.04; // times as large: less nobody means
const kNames = ['style', 'transform'];

let zoomed = null; // { pane: WeakRef, from, to }, for the snapshot that is being taken

// Called before the walk, which may forget the changes. Where several have another scale they are pictures that come and go
// beside each other.
function noteZoomed() {
  zoomed = null;
  const scaled = [];
  for (const { node, attributes } of changesSince()?.touched ?? []) {
    const name = attributes && kNames.find((one) => attributes.has(one));
    const el = name ? node.deref() : undefined;
    if (el === undefined || !isConnected(el)) continue;
    const [before, now] = [attributes.get(name), attr(el, name)].map((text) => scaleSet(name, text ?? ''));
    if (before !== now) scaled.push({ pane: el, from: before, to: now });
  }
  if (scaled.length !== 1) return;
  const [{ pane, from, to }] = scaled;
  const { width, height } = rectOf(pane);
  if (width * height < kLargePart * innerWidth * innerHeight) return;
  if (Math.max(from / to, to / from) >= kZoomedLeast) zoomed = { pane: new WeakRef(pane), from, to };
}

// How large the text of an attribute draws an element.
function scaleSet(name, text) {
  if (name === 'transform') return scaleOf(text.replaceAll(/\s+(?=[-\d.])/g, ','));
  const [transform, scale, zoom] = ['transform', 'scale', 'zoom'].map(
    (property) => new RegExp(`(?:^|;)\\s*${property}:\\s*([^;]+)`).exec(text)?.[1] ?? '',
  );
  return scaleOf(transform) * scaleOf(`scale(${scale})`) * scaleOf(`scale(${zoom})`);
}

function zoomLines() {
  const el = zoomed?.pane.deref();
  if (el === undefined) return [];
  const [from, to] = [zoomed.from, zoomed.to].map((scale) => `${Math.round(scale * 100)} %`);
  return [
    `- text: ${yamlValue(`… ${refWords(closestFlat(el, (at) => recordOf.has(at)) ?? el)} is zoomed from ${from} to ${to}`)}`,
  ];
}

export { noteZoomed, zoomLines };
