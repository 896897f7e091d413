// What the last snapshot told of and this one doesn't: what is gone, and what is inert.

import { attr, isConnected, isOffPage, matchesSelector, rectOf, tagOf, textContentOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { cut, quote } from '../dom/text.js';
import { closestFlat, flatContains } from '../dom/flat_tree.js';
import { inViewport, shownPart } from '../dom/hit.js';
import { isVisible } from '../dom/style.js';
import { refText } from '../tree/refs.js';
import { kHiddenText } from '../tree/sight_marks.js';
import { headerOf, headerWith } from './render.js';
import { yamlValue } from './yaml.js';

const kUrgent = words('dialog alertdialog alert menu listbox tooltip status');
const kGoneShown = 5;

// Of the nodes of the tree before those that are gone. What is inert is not: it is kept for the comparison with what
// comes after. A closed menu is often aria-hidden too, but as nobody sees it, it is gone.
function goneFrom({ nodes, asleep }, now, state) {
  const gone = [];
  for (const node of nodes) {
    if (node.match || node.live || isReadAloudAlone(node) || hasWordsNow(node) || (node.again && isShownNow(node)))
      continue;
    if (!isInert(node, now, state)) {
      if (!asleep.has(node) || node.rec) gone.push(node);
      continue;
    }
    if (!asleep.has(node) && !isForMouse(node)) state.asleep.push(node);
    now.inert = [...now.inert, node];
    state.keepsInert = true;
  }
  return gone;
}

// A message to readers alone, which a kit empties by itself after a while, has gone without anybody seeing that.
const isReadAloudAlone = ({ marks, kids }) =>
  marks.includes(kHiddenText) && kids.every((kid) => typeof kid === 'string');

// Whether a drawing of which its looks alone were told has a text of its own now, as a chart over which the mouse is, or something
// to click, as a diagram has for what is selected in it: its parts are told instead of it.
function hasWordsNow({ rec, name, kids, called }) {
  if (rec === null || name !== '' || kids.length > 0 || !called.startsWith(' [looks=')) return false;
  const el = rec.el.deref();
  return el !== undefined && isConnected(el) && isVisible(el) && (tagOf(el) === 'svg' || /\S/.test(textContentOf(el)));
}

// What is hidden from readers at all times has its line because a mouse can press it: where that can't, nothing is said.
function isForMouse({ pointer, rec }) {
  const el = pointer ? rec?.el.deref() : undefined;
  return el !== undefined && matchesSelector(el, '[aria-hidden=true]');
}

function isInert(node, now, { modal }) {
  const el = elementIn(node);
  if (!el) return modal !== null && now.role === 'fragment';
  if (modal) return !flatContains(modal, el);
  if (!isShownNow(node) || isPutAway(node)) return false;
  return closestFlat(el, (at) => matchesSelector(at, kInertWithin)) !== null;
}

function inertLine({ modal, asleep }) {
  if (modal) return '- text: … the rest of the page is inert while the dialog is open';
  const parts = asleep.flatMap(headersOf);
  const all = parts.join(', ');
  if (all.length <= kInertWords || parts.length <= kInertShown) return `- text: … inert now: ${cut(all, kInertWords)}`;
  // Of so much a few tell that it is the page.
  const few = cut(parts.slice(0, kInertShown).join(', '), kInertWords);
  return `- text: … inert now: ${few} and ${parts.length - kInertShown} more`;
}
const kInertWords = 200; // characters
const kInertShown = 2;

// What a group without a name is called by: what it holds.
const headersOf = (node) =>
  node.name === '' && node.rec === null && node.kids.some((kid) => typeof kid !== 'string')
    ? node.kids.filter((kid) => typeof kid !== 'string').flatMap(headersOf)
    : [headerOf(node).replace(' [active]', '')]; // which it had until then

const kInertWithin = '[inert],[aria-hidden=true]';

// Whether a panel has been hidden from readers itself and slid to where a box around it cuts it off, to be used again. A dialog below
// another one is hidden from readers too, but shows.
function isPutAway({ role, rec }) {
  const el = kUrgent.has(role) ? rec?.el.deref() : undefined;
  if (el === undefined || attr(el, 'aria-hidden') !== 'true') return false;
  const box = rectOf(el);
  return isOffPage(el) || (inViewport(box) !== null && shownPart(el, box) === null);
}

// An element of the node or of what is below it, if it is still on the page.
function elementIn(node) {
  const el = node.rec?.el.deref();
  if (el && isConnected(el)) return el;
  for (const kid of node.kids) {
    const found = typeof kid === 'string' ? null : elementIn(kid);
    if (found) return found;
  }
  return null;
}

// Whether an element of the node or of what is below it is drawn: a closed menu's own may be, without a size.
function isShownNow(node) {
  const el = node.rec?.el.deref();
  if (el && isConnected(el) && isVisible(el)) return true;
  return node.kids.some((kid) => typeof kid !== 'string' && isShownNow(kid));
}

// What lay over the page is told in a line of its own, the rest of what has gone from beside each other in one. One thing is
// told in its words; of several, those that have a ref are named by that alone, as it was told before. `before`: all that
// stood there.
function goneLines(all, texts, before) {
  const parts = all.flatMap(partsOf);
  const left = new Set(all);
  const stayed = new Set(before.filter((node) => !left.has(node)).map(({ role }) => role));
  // Which of several has gone matters where others of them remain.
  const sketchOf = (node) => (stayed.has(node.role) ? sketchAmong(node, before) : sketch(node)) + sizeWords(node);
  const lines = parts.filter(({ role }) => kUrgent.has(role)).map((node) => goneLine(sketchOf(node)));
  const gone = parts.filter(({ role }) => !kUrgent.has(role));
  const textWords = texts.map((text) => `text "${cut(text, 100)}"`);
  if (gone.length + textWords.length === 0) return lines;
  if (gone.length + textWords.length === 1) return [...lines, goneLine(textWords[0] ?? sketchOf(gone[0]))];
  const counts = new Map();
  for (const one of [...textWords, ...gone.filter(({ rec }) => rec === null).map(sketchOf)])
    counts.set(one, (counts.get(one) ?? 0) + 1);
  const told = [...counts].slice(0, kGoneShown);
  const refs = gone.filter(({ rec }) => rec !== null).slice(0, kRefsShown);
  const items = [
    ...told.map(([one, count]) => yamlItem((count > 1 ? `${count} × ` : '') + cut(one, kGoneWords))),
    ...refs.map(({ rec }) => refText(rec)),
  ];
  const more = gone.length + textWords.length - refs.length - told.reduce((sum, [, count]) => sum + count, 0);
  if (more > 0) items.push(`${more} more`);
  const list = items.join(', ');
  return [...lines, `- removed: ${told.length ? `[${list}]` : list}`];
}

// A box goes with all that it holds, where its first words alone would read as if no more than those had gone.
function sizeWords(node) {
  if (node.role !== 'generic' || node.name !== '' || firstText(node) === null || firstUrgent(node) !== null) return '';
  const count = countNodes(node.kids);
  return count >= kManyElements ? ` … (${count} elements)` : '';
}
const kManyElements = 3;

const goneLine = (text) => `- removed: ${yamlValue(cut(text, kGoneWords))}`;
const kGoneWords = 120; // characters
const kRefsShown = 12;

// In a list in brackets, where more signs mean something.
const yamlItem = (text) => (/^[\w ]+$/.test(text) ? yamlValue(text) : quote(text));

// What a group that had no ref is gone with, where that is not too much: a dialog and its menu, a list and its field.
function partsOf(node) {
  if (node.role !== 'generic' || node.name !== '' || node.rec !== null) return [node];
  const urgent = urgentIn(node);
  if (urgent.length > 1) return urgent;
  const kids = node.kids.filter((kid) => typeof kid !== 'string');
  return kids.length > 0 && kids.length <= kFewParts && kids.every(({ rec }) => rec !== null) ? kids : [node];
}
const kFewParts = 2;

const urgentIn = ({ kids }) =>
  kids.flatMap((kid) => (typeof kid === 'string' ? [] : kUrgent.has(kid.role) ? [kid] : urgentIn(kid)));

function sketch(node) {
  const dialog = node.role === 'generic' && node.name === '' ? firstUrgent(node) : null;
  if (dialog) return goneHeader(dialog);
  const text = node.name === '' ? ((kTitled.has(node.role) ? headingIn(node) : null) ?? leadText(node)) : null;
  return goneHeader(node) + (text === null ? '' : ': ' + text);
}

const kTitled = words('dialog alertdialog');

// What a box is headed by, which may stand behind a button that closes it.
function headingIn({ kids }) {
  for (const kid of kids) {
    const found = typeof kid === 'string' ? null : kid.role === 'heading' ? kid.name || firstText(kid) : headingIn(kid);
    if (found) return found;
  }
  return null;
}

// The same where others may begin alike, as the rows of a table do whose first cells have a checkbox each: by the first text
// that only one of them has.
function sketchAmong(node, nodes) {
  const whole = sketch(node);
  if (node.name !== '') return whole;
  if (!counted.has(nodes)) counted.set(nodes, { sketches: countIn(nodes, (one) => [sketchBare(one)]), texts: null });
  const counts = counted.get(nodes);
  if (counts.sketches.get(sketchBare(node)) === 1) return whole;
  counts.texts ??= countIn(nodes, allTextsIn);
  const own = allTextsIn(node).find((text) => counts.texts.get(text) === 1);
  return own === undefined ? whole : `${goneHeader(node)}: ${own}`;
}
// Which ref it had tells nobody which of them it was.
const sketchBare = (node) => `${node.role}: ${leadText(node) ?? ''}`;
const counted = new WeakMap(); // by the list of nodes: how many of them have a sketch, and a text

function countIn(nodes, textsOf) {
  const counts = new Map();
  for (const node of nodes) for (const text of new Set(textsOf(node))) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const allTextsIn = ({ kids }) =>
  kids.flatMap((kid) => (typeof kid === 'string' ? [kid] : [kid.name, ...allTextsIn(kid)])).filter(Boolean);

// What state it was in matters no more.
const goneHeader = (node) => headerWith(node, { states: '', pointer: false });

// What a group without a name is gone with: a dialog tells more than the words that it begins with.
function firstUrgent({ kids }) {
  for (const kid of kids) {
    const found = typeof kid === 'string' ? null : kUrgent.has(kid.role) && kid.name ? kid : firstUrgent(kid);
    if (found) return found;
  }
  return null;
}

// What a node begins with. A box to tick that is called by the number of its row says nothing of what a row holds.
const leadText = (node) => (node.role === 'row' ? firstText(node, isNumbered) : null) ?? firstText(node);
const isNumbered = ({ role, name }) => kRowTicks.has(role) && /\b(row|line) \d+$/i.test(name);
const kRowTicks = words('checkbox radio');

function firstText({ kids }, isPassedOver = () => false) {
  for (const kid of kids) {
    if (typeof kid !== 'string' && isPassedOver(kid)) continue;
    const text = typeof kid === 'string' ? kid : kid.name || firstText(kid, isPassedOver);
    if (text) return text;
  }
  return null;
}

// With all that is below them; texts don't count.
const countNodes = (kids) =>
  kids.reduce((sum, kid) => (typeof kid === 'string' ? sum : sum + 1 + countNodes(kid.kids)), 0);

export {
  countNodes,
  elementIn,
  firstText,
  goneFrom,
  goneLines,
  inertLine,
  kGoneShown,
  kRefsShown,
  kUrgent,
  sketch,
  sketchAmong,
};
