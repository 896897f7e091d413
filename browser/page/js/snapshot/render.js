// From the folded tree to yaml lines.

import { rectOf } from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { hasOptions, optionsIn } from '../tree/options.js';
import { marksOf } from '../tree/positions.js';
import { refText } from '../tree/refs.js';
import { yamlKey, yamlValue } from './yaml.js';

// Playwright leaves [cursor=pointer] on links and buttons too; there the role says it already.
function headerOf(node) {
  return (node.header ??= headerText(node, kNameMax));
}

const headerWith = (node, members) => headerText({ ...node, ...members }, kNameMax);

function headerText(node, nameMax) {
  let key = node.role;
  if (node.name !== '') key += ' ' + quote(cut(node.name, nameMax));
  key += node.states;
  if (node.rec !== null) key += ` [ref=${refText(node.rec)}]`;
  key += node.called;
  if (node.pointer) key += ` [cursor=${node.pointer === true ? 'pointer' : node.pointer}]`;
  return key;
}

// Characters; what is longer ends in an ellipsis.
const kNameMax = 1000;
const kTextMax = 8000;
const kUrlMax = 300;
const kUrlCut = 100;
const kDataUrlMax = 60;

function boxText(el) {
  const { x, y, width, height } = rectOf(el);
  return ` [box=${Math.round(x)},${Math.round(y)},${Math.round(width)},${Math.round(height)}]`;
}
const shortUrl = (url) => cut(oneSpace(url), roomOfUrl(url));

// Of a URL that is too long to be told whole, and so can't be opened by what is told, its path says where it leads.
function roomOfUrl(url) {
  if (url.startsWith('data:')) return kDataUrlMax;
  return url.length <= kUrlMax ? kUrlMax : Math.min(Math.max(url.indexOf('?') + 1, kUrlCut), kUrlMax);
}

// Renders what stands below one node: its properties, its text or its children.
function renderNode(node, pad, out, plan) {
  const key = yamlKey(headerOf(node) + marksOf(node) + (plan.boxes && node.rec ? boxText(node.el) : ''));
  const { kids } = node;
  const url = plan.urls ? node.url : null;
  if (node.role === 'iframe') {
    out.push(`${pad}- ${key}:`, pad + '  ' + frameToken(node, plan));
    return;
  }
  const cutAt = plan.cuts === null ? undefined : plan.cuts.get(node);
  const isTooDeep = plan.depthLeft === 0 && kids.length > 0 && !isOnlyText(kids);
  if ((cutAt?.length === 0 && node.value === null) || isTooDeep) {
    out.push(`${pad}- ${key}: … ${countText(node, plan)}`);
    return;
  }
  const part = plan.asBefore?.get(node);
  if (part !== undefined) {
    out.push(`${pad}- ${part.isRun ? 'text' : key}: ${yamlValue(part.words)}`);
    return;
  }
  node.untold = false;
  if (hasOptions(node) && renderChosen(node, key, pad, out, plan)) return;
  const value = node.value === null ? null : cut(node.value.toWellFormed(), plan.textMax);
  if (kids.length === 0 && url === null && node.hint === null) {
    out.push(value === null ? `${pad}- ${key}` : `${pad}- ${key}: ${yamlValue(value)}`);
    return;
  }
  if (kids.length === 1 && typeof kids[0] === 'string' && url === null && node.hint === null && value === null) {
    out.push(`${pad}- ${key}: ${yamlValue(cut(kids[0], plan.textCuts?.get(node) ?? plan.textMax))}`);
    return;
  }
  out.push(`${pad}- ${key}:`);
  const inner = pad + '  ';
  if (url !== null) out.push(`${inner}- /url: ${yamlValue(shortUrl(url))}`);
  if (node.hint !== null) out.push(`${inner}- /placeholder: ${yamlValue(cut(node.hint, kNameMax))}`);
  if (value !== null) out.push(`${inner}- text: ${yamlValue(value)}`);
  const { length } = out;
  renderKids(node, inner, out, plan, cutAt);
  if (out.length === length && url === null && node.hint === null && value === null) out[length - 1] = `${pad}- ${key}`;
}

// A select by what is chosen in it and a count of the rest, where there is no room for all, or another select has told the
// same options before. False: all of them are due.
function renderChosen(node, key, pad, out, plan) {
  const options = optionsIn(node);
  const told = isLongList(options) ? plan.lists.get(options.key) : undefined;
  if (told === undefined && !plan.shortSelects?.has(node)) {
    plan.lists.set(options.key, node.rec === null ? 'above' : `in ${refText(node.rec)}`);
    return false;
  }
  const shown = chosenShown(options);
  const rest = options.total - shown.length;
  const count = `${rest}${shown.length ? ' more' : ''} option${rest === 1 ? '' : 's'}`;
  const line = `… ${count}${told === undefined ? '' : ', as ' + told}`;
  if (!shown.length) {
    out.push(`${pad}- ${key}: ${line}`);
    return true;
  }
  out.push(`${pad}- ${key}:`);
  for (const option of shown) renderNode(option, pad + '  ', out, plan);
  if (rest > 0) out.push(`${pad}  - text: ${line}`);
  return true;
}

const kChosenShown = 5;
const chosenShown = ({ chosen }) => chosen.slice(0, kChosenShown);

// Of a few options a count says no less in no more room.
const kLongList = 4;
const isLongList = ({ chosen, total }) => total - chosen.length >= kLongList;

// It stands on its element's line, and is no level of its own [tool.snapshot.depth].
const isOnlyText = (kids) => kids.length === 1 && typeof kids[0] === 'string';

// `shown`: the indices of the kids that are, in order; undefined: all. Where others stood, a line counts them; what nobody
// can see is counted at the end of the snapshot.
function renderKids(node, pad, out, plan, shown) {
  const { kids } = node;
  const count = shown?.length ?? kids.length;
  let next = 0;
  const skipTo = (i) => {
    const skipped = countSeen(kids, next, i, plan);
    if (skipped > 0) out.push(`${pad}- text: … ${skipped} more item${skipped === 1 ? '' : 's'}`);
    next = i + 1;
  };
  plan.depthLeft--;
  for (let n = 0; n < count; n++) {
    const i = shown ? shown[n] : n;
    const kid = kids[i];
    if (plan.leftOut?.has(kid)) continue;
    skipTo(i);
    if (plan.asBefore?.get(kid)?.words === '') continue; // told with the ones before it
    const end = shown ? i : endOfMarks(kids, i);
    if (end > i + kMarksLeast) {
      out.push(`${pad}- text: ${yamlValue(kids.slice(i, end).join(' '))}`);
      n = end - 1;
      next = end;
    } else if (typeof kid === 'string') out.push(`${pad}- text: ${yamlValue(cut(kid, plan.textMax))}`);
    else renderNode(kid, pad, out, plan);
  }
  plan.depthLeft++;
  skipTo(kids.length);
}

// Marks side by side, as the numbers of an editor's lines or the days of a week, are one line: the place of the first that is none.
function endOfMarks(kids, from) {
  let end = from;
  while (typeof kids[end] === 'string' && kids[end].length <= kMarkMax) end++;
  return end;
}
const kMarkMax = 4; // characters
const kMarksLeast = 2; // so many are told one by one

function countSeen(kids, from, end, { leftOut }) {
  if (leftOut === null) return end - from;
  let count = 0;
  for (let i = from; i < end; i++) if (!leftOut.has(kids[i])) count++;
  return count;
}

function countText({ kids }, plan) {
  const n = countSeen(kids, 0, kids.length, plan);
  return n === 1 ? '1 item' : `${n} items`;
}

// A line of its own that page text can't imitate: C++ puts the frame's yaml in its place, indented as it is.
function frameToken(node, plan) {
  const token = `@frame:${plan.secret}:${refText(node.rec)}@`;
  plan.frames.push({ ref: refText(node.rec), token, header: yamlKey(headerOf(node)) });
  return token;
}

const newPlan = (args) => ({
  frames: [],
  cuts: null, // node -> the indices of its kids that are shown
  cutFrom: 0, // characters of all of it, where more was cut than URLs
  textMax: kTextMax,
  textCuts: null, // node -> how many characters of its only text
  urls: true,
  shortSelects: null, // the selects of which only what is chosen is shown
  leftOut: null, // what nobody can see and there is no room for (lighten.js)
  controlsLeft: 0, // how many controls that are
  lists: new Map(), // of the options of each select that were shown: the same for all that offer them -> where
  toldBefore: null, // node -> what may be told of it in the place of what it holds (as_before.js)
  asBefore: null, // the same, once there is no room for all (budget.js)
  boxes: args.boxes === true,
  depthLeft: args.depth > 0 ? args.depth : -1,
  secret: Math.random().toString(36).slice(2, 12),
});

export {
  chosenShown,
  headerOf,
  headerText,
  headerWith,
  isLongList,
  kNameMax,
  kTextMax,
  roomOfUrl,
  shortUrl,
  renderNode,
  renderKids,
  newPlan,
};
