// What a drag has moved or resized, as lines of a delta: no other line tells of a place or a size.

import { words } from '../dom/collections.js';
import { draggedSince } from '../dom/dragged.js';
import { tagSketch } from '../dom/errors.js';
import { cut, quote } from '../dom/text.js';
import { recordOf, refText } from '../tree/refs.js';
import { yamlValue } from './yaml.js';

const kLinesMax = 3;
const kDraggedName = 80; // characters
const kTellPlace = words('slider scrollbar'); // by their values

// `lines`: of the delta; where they tell of another order already, places only say the same.
function dragLines(lines, again) {
  const found = draggedSince(again).filter((one, i) => i === 0 || recordOf.has(one.el));
  if (lines.some((line) => /^ *- moved /.test(line))) return [];
  return found
    .filter(({ el }) => !kTellPlace.has(recordOf.get(el)?.role))
    .slice(0, kLinesMax)
    .map((one) => `- text: ${yamlValue(`… ${refWords(one.el)} ${whatHappened(one)}`)}`);
}

function whatHappened({ x, y, width, height }) {
  const moved = x === null ? '' : `moved by ${x}, ${y} px`;
  const resized = width === null ? '' : `is now ${width} x ${height} px`;
  return [moved, resized].filter(Boolean).join(' and ');
}

function refWords(el) {
  const record = recordOf.get(el);
  if (record === undefined) return tagSketch(el);
  const name = record.name === '' ? '' : ' ' + quote(cut(record.name, kDraggedName));
  return `${record.role}${name} [ref=${refText(record)}]`;
}

export { dragLines, refWords };
