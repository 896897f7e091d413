// What the browser itself says at a field that it doesn't take, as a line of a delta: a form wasn't sent for it
// [tool.snapshot.delta].

import { cut, oneSpace, quote } from '../dom/text.js';
import { closestFlat } from '../dom/flat_tree.js';
import { messageOf, refusedSince } from '../dom/validity.js';
import { recordOf, refText } from '../tree/refs.js';
import { describeElement } from '../target/targets.js';
import { yamlValue } from './yaml.js';

const kMessageMax = 200; // characters

function refusalLines(again) {
  const field = refusedSince(again);
  if (field === null) return [];
  const message = quote(cut(oneSpace(messageOf(field)), kMessageMax));
  return [`- text: ${yamlValue(`… at ${placeOfField(field)} the browser says ${message}`)}`];
}

// A field that no snapshot shows is called by what is around it.
function placeOfField(field) {
  const shown = closestFlat(field, (at) => recordOf.has(at));
  if (shown === null) return describeElement(field);
  const called = `${describeElement(shown)} [ref=${refText(recordOf.get(shown))}]`;
  return shown === field ? called : `a hidden field in ${called}`;
}

export { refusalLines };
