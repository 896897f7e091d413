// What a drag has moved, resized or drawn, as lines of a delta: no other line tells of a place, a size or a stroke.

import { words } from '../dom/collections.js';
import { draggedSince, linesDrawn } from '../dom/dragged.js';
import { tagSketch } from '../dom/errors.js';
import { closestFlat } from '../dom/flat_tree.js';
import { firstElementOf, isSvg, nextElementOf, tagOf, textContentOf } from '../dom/members.js';
import { cut, quote } from '../dom/text.js';
import { recordOf, refText } from '../tree/refs.js';
import { yamlValue } from './yaml.js';

const kLinesMax = 3;
const kDraggedName = 80; // characters
const kTellPlace = words('slider scrollbar'); // by their values

// `lines`: of the delta; where they tell of another order already, places only say the same.
function dragLines(lines, again) {
  const isTold = lines.length > 0; // a box without words has no line by which it is told what is in it now
  const found = draggedSince(again).filter(
    ({ el, isElsewhere }, i) => (i === 0 || recordOf.has(el)) && !(isElsewhere && isTold),
  );
  const drawn = drawnLines();
  if (lines.some((line) => /^ *- moved /.test(line))) return drawn;
  const moved = found
    .filter(({ el }) => !kTellPlace.has(recordOf.get(el)?.role))
    .slice(0, kLinesMax)
    .map((one) => `- text: ${yamlValue(`… ${refWords(one.el)} ${whatHappened(one)}`)}`);
  return [...moved, ...drawn];
}

// Lines that have no line of their own.
function drawnLines() {
  const unknown = linesDrawn().filter((el) => closestFlat(el, isKnownShape) === null);
  if (unknown.length === 0) return [];
  const on = closestFlat(unknown[0], (at) => recordOf.has(at));
  const where = on === null ? '' : ` in ${refWords(on)}`;
  const said = unknown.length === 1 ? 'a line has been drawn' : `${unknown.length} lines have been drawn`;
  return [`- text: ${yamlValue(`… ${said}${where}`)}`];
}
const isKnownShape = (el) => isSvg(el) && tagOf(el) !== 'svg' && recordOf.has(el);

function whatHappened({ x, y, width, height }) {
  const moved = x === null ? '' : `moved by ${x}, ${y} px`;
  const resized = width === null ? '' : `is now ${width} x ${height} px`;
  return [moved, resized].filter(Boolean).join(' and ');
}

// A box without a ref is known by what is all that it holds.
function refWords(el) {
  const record = recordOf.get(el);
  const only = record === undefined ? onlyElementIn(el) : null;
  if (only !== null && recordOf.has(only)) return refWords(only);
  if (record === undefined) return tagSketch(el);
  const name = record.name === '' ? '' : ' ' + quote(cut(record.name, kDraggedName));
  return `${record.role}${name} [ref=${refText(record)}]`;
}

function onlyElementIn(el) {
  const first = firstElementOf(el);
  if (first === null || nextElementOf(first) !== null) return null;
  return textContentOf(first).trim() === textContentOf(el).trim() ? first : null;
}

export { dragLines, refWords };
