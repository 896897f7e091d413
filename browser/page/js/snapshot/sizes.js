// How many characters of yaml a node takes, as render.js will print it.

import { hasOptions, optionsIn } from '../tree/options.js';
import { marksLength } from '../tree/positions.js';
import { chosenShown, headerOf, isLongList, kTextMax, roomOfUrl } from './render.js';

// What is measured as it is.
const kUncut = { urls: true, textMax: kTextMax, cuts: null, shortSelects: null, leftOut: null, lists: null };

// `lists`: the lists of options in what is measured before it.
function measure(node, indent, plan, lists = new Set()) {
  const { urls, textMax } = plan;
  const part = plan.asBefore?.get(node);
  if (part !== undefined) return (node.size = node.head = part.words === '' ? 0 : indent + part.words.length + 40);
  let size = indent + headerOf(node).length + marksLength(node) + 4;
  if (node.value !== null) size += Math.min(node.value.length, textMax) + 2;
  if (urls && node.url !== null) size += Math.min(node.url.length, roomOfUrl(node.url)) + indent + 10;
  if (node.hint !== null) size += node.hint.length + indent + 18;
  node.head = size;
  if (hasOptions(node)) return measureSelect(node, indent, plan, lists);
  const shown = plan.cuts?.get(node);
  if (shown !== undefined) size += indent + kCountSize;
  node.kids.forEach((kid, i) => {
    if (typeof kid === 'string') size += textSize(node, kid, indent, textMax);
    else if (plan.leftOut?.has(kid) || shown?.includes(i) === false) kid.size = 0;
    else size += measure(kid, indent + 2, plan, lists);
  });
  return (node.size = size);
}

// What is selected stays however little room there is, so that it belongs to the head.
function measureSelect(node, indent, plan, lists) {
  const options = optionsIn(node);
  const isTold = isLongList(options) && (lists.has(options.key) || plan.lists?.has(options.key));
  let size = node.head;
  for (const kid of node.kids)
    size += typeof kid === 'string' ? textSize(node, kid, indent) : measure(kid, indent + 2, plan, lists);
  for (const option of chosenShown(options)) node.head += headerOf(option).length + indent + 6;
  lists.add(options.key);
  return (node.size = isTold || plan.shortSelects?.has(node) ? shortSize(node, indent) : size);
}

const shortSize = (select, indent) => select.head + kOptionsRoom + indent;

// An only text stands on the node's own line.
const textSize = ({ kids }, text, indent, textMax = kTextMax) =>
  Math.min(text.length, textMax) + (kids.length === 1 ? 2 : indent + 12);

const kCountSize = 26; // "- text: … 180 more items" without its indentation
const kOptionsRoom = 42; // "- text: … 180 more options, as in e12345" without its indentation

export { kUncut, measure, shortSize, textSize };
