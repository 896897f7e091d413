// What the browser itself says at a field that it doesn't take, as a line of a delta: a form wasn't sent for it
// [tool.snapshot.delta].

import { cut, oneSpace, quote } from '../dom/text.js';
import { messageOf, refusedSince } from '../dom/validity.js';
import { recordOf, refText } from '../tree/refs.js';
import { describeElement } from '../target/targets.js';
import { yamlValue } from './yaml.js';

const kMessageMax = 200; // characters

function refusalLines(again) {
  const field = refusedSince(again);
  if (field === null) return [];
  const record = recordOf.get(field);
  const ref = record === undefined ? '' : ` [ref=${refText(record)}]`;
  const message = quote(cut(oneSpace(messageOf(field)), kMessageMax));
  return [`- text: ${yamlValue(`… at ${describeElement(field)}${ref} the browser says ${message}`)}`];
}

export { refusalLines };
