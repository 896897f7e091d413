// Deltas: what differs from the last snapshot of this frame, each change under the path that leads to it
// [tool.snapshot.delta]. In which order they are told is up to change_lines.js.

import { cut } from '../dom/text.js';
import { words } from '../dom/collections.js';
import { isScrolledAway, marksOf } from '../tree/positions.js';
import { kHiddenText } from '../tree/sight_marks.js';
import { noteComers } from './came_again.js';
import { kGoneWorth, kLeastRoom, kUrgentWorth, writeChanges } from './change_lines.js';
import { takeDisabled } from './disabled.js';
import { foldedToIcons } from './folded.js';
import {
  countNodes,
  elementIn,
  firstText,
  goneFrom,
  goneLines,
  inertLine,
  kGoneShown,
  kRefsShown,
  kUrgent,
  sketchAmong,
} from './gone.js';
import { hashTree, ownText } from './hashes.js';
import { isAsLarge, isOnlyLeft } from './hovered.js';
import { leftOutLines } from './lighten.js';
import { gather, isShared, kFocused, middleOf, movedAmong, pairTrees, unpairTrees } from './pairs.js';
import { headerOf, kTextMax } from './render.js';
import {
  addControlBeside,
  addControlInGroup,
  addItemsWords,
  addLabelsBefore,
  addRowsWords,
  isEmptyCell,
  withKeptRows,
} from './rows.js';
import { cameIntoSight, cameLine, holdsMarked, isKnownWell, sightLine, isMarked } from './sighted.js';
import { kUncut, measure } from './sizes.js';
import { coveredLine } from './uncovered.js';
import { focusLine, marksTaken } from './taken.js';
import { kCells } from './worth.js';
import { yamlKey, yamlValue } from './yaml.js';

const kActedWorth = 2;
const kNearWorth = 1;
const kNearLevels = 3; // ancestors of what was acted on
const kShort = 700; // characters: what a list that has shrunk or was put in another order may cost to be shown whole
const kFewLeft = 1600; // the same of a filtered one, of which more has gone than is named, and no more than that is left
const kSentence = 500; // characters: up to which a sentence is shown whole
const kWithoutBudget = 1e9;
const kNoneAway = new Set();
const kGoneForEachNew = 4; // from so many on, what has come doesn't take the place of what has gone
const kTellsWhich = 200; // characters of what has neither a name nor a ref to be known by

// `modal`: the dialog that makes the rest inert, or null; `acted`: the element that was acted on, or null; `away`: the records of
// what the action found away, and that may have come again.
function deltaLines(before, now, plan, { modal, acted, away = kNoneAway, budget = 0 }, out) {
  const isAlike = hashTree(before) === hashTree(now) && away.size === 0;
  if (isAlike && !before.sleeps && !holdsMarked(before) && !holdsMarked(now)) return [];
  const again = pairTrees(before, now, away);
  const state = {
    before,
    modal,
    near: nearestTo(acted, now),
    ...marksTaken(now),
    countsRows: budget > 0,
    asleep: [],
    came: 0, // elements, as gone
    gone: 0,
    keepsInert: false,
    sighted: cameIntoSight(before, now),
    folded: foldedToIcons(now),
    again,
  };
  const changes = changesIn(before, now, state);
  const disabled = takeDisabled(changes);
  noteComers(changes);
  now.sleeps = state.keepsInert;
  const writer = {
    left: budget > 0 ? budget - kLeastRoom : kWithoutBudget,
    lines: [],
    dropped: 0,
    plan,
    out,
  };
  writeChanges(changes, '', writer);
  if (changes.some(tellsGone)) {
    if (!changes.some(tellsNew)) out.shrunk = true;
    if (state.came * kGoneForEachNew <= state.gone) out.thinned = true;
  }
  if (state.asleep.length) writer.lines.push(inertLine(state));
  const { came, went } = state.sighted;
  const cameIn = came.length ? cameLine(came, writer.lines) : null;
  if (cameIn) writer.lines.push(cameIn);
  if (went.length) writer.lines.push(sightLine('now invisible', went));
  const covered = coveredLine(changes, before, now, modal);
  if (covered) writer.lines.push(covered);
  if (state.folded.size)
    writer.lines.push(
      sightLine(
        'an icon alone now',
        Array.from(state.folded, ({ match }) => match),
      ),
    );
  writer.lines.push(...disabled);
  if (writer.dropped > 0) {
    out.cut = true;
    const noun = writer.dropped === 1 ? 'change is' : 'changes are';
    writer.lines.push(`- text: … ${writer.dropped} more ${noun} left out; take a snapshot`);
  }
  writer.lines.push(...leftOutLines(plan));
  if (writer.lines.length === 0 && state.isNowhere) writer.lines.push(...focusLine(now));
  unpairTrees(before, now, again.size > 0);
  return writer.lines;
}

const tellsGone = ({ worth, kids }) => worth === kGoneWorth || (kids !== null && kids.some(tellsGone));
const tellsNew = ({ worth, kids, node, lines, isOld }) =>
  kids !== null
    ? kids.some(tellsNew)
    : lines !== null
      ? worth !== kGoneWorth && !isOld
      : !node.match || contentOf(node) !== contentOf(node.match);
const contentOf = ({ kids, value }) => kids.filter((kid) => typeof kid === 'string').join(' ') + (value ?? '');

// The node of what was acted on, which is visited in each pass, and those around it: node -> worth.
function nearestTo(acted, now) {
  const near = new Map();
  const visit = (node) => {
    let level = node.el === acted ? 0 : -1;
    for (const kid of node.kids) {
      if (level >= 0) break;
      const below = typeof kid === 'string' || isShared(kid) ? -1 : visit(kid);
      if (below >= 0) level = below + 1;
    }
    if (level >= 0 && level <= kNearLevels) near.set(node, level === 0 ? kActedWorth : kNearWorth);
    return level;
  };
  if (acted) visit(now);
  return near;
}

// What a node showed before, less what is no change: { states, called, pointer, rec }; null: nothing of it was less. That a
// ref isn't shown any more is none.
function shownBefore(old, node, { taken, before }) {
  let { states, called, pointer, rec } = old;
  for (const mark of taken) if (!node.states.includes(mark)) states = states.replace(mark, '');
  if ((called !== node.called || pointer !== node.pointer) && isOnlyLeft(node, before)) ({ called, pointer } = node);
  if (called !== node.called && isAsLarge(called, node.called)) ({ called } = node);
  if (rec !== null && node.rec === null && node.known === rec) rec = null;
  const isAll = states === old.states && called === old.called && pointer === old.pointer && rec === old.rec;
  return isAll ? null : { states, called, pointer, rec };
}

// --- What has changed, in the page's order: { worth, node, place, lines, kids }, where `lines` are ready, and `kids` stand
// below the node's line.

function changesIn(before, now, state) {
  const was = gather(before);
  const is = gather(now);
  const { fresh: texts, left } = compareTexts(was.texts, is);
  const changes = [];
  const [from, end] = middleOf(was.nodes, is.nodes, state);
  const middle = from === 0 && end === 0 ? is.nodes : is.nodes.slice(from, is.nodes.length - end);
  const places = new Map(); // what was inert is kept apart from what it stood among, and has none
  for (let i = from; i < was.nodes.length - end; i++) if (!was.asleep.has(was.nodes[i])) places.set(was.nodes[i], i);
  const moved = movedAmong(middle, places);
  let last = from > 0 ? is.nodes[from - 1] : null;
  for (const node of middle) {
    const old = node.match;
    if (!old) changes.push(newChange(node, state));
    else {
      const change = isAsItWas(old, node, state) ? null : changeOf(old, node, state);
      if (change) changes.push(change);
      else if (moved.has(node) || !(places.has(old) || was.asleep.has(old)))
        changes.push(moveChange(node, last, is.nodes));
    }
    last = node;
  }
  for (const group of is.groups) {
    addControlInGroup(changes, group, (control) => newChange(control, state));
    if (group.states === kFocused && group.rec !== null)
      changes.push(lineChange(`- ${yamlKey(headerOf(group))}: … around what was here`, kActedWorth));
  }
  // What is there still, in something that nobody sees now, has not gone by itself.
  const isMissed = (node) =>
    !(isMarked(now) && elementIn(node) !== null) &&
    (!isEmptyCell(node) || is.nodes.length < was.nodes.length) &&
    !(now.role === 'row' && isDrawnAnew(node, was.nodes, is.nodes));
  const gone = goneFrom(was, now, state).filter(isMissed);
  state.came += countNodes(middle.filter((node) => !node.match));
  state.gone += countNodes(gone);
  if (!isRedrawn(was.nodes, is.nodes, now, moved) && !isToldWhole(is.nodes, now, moved, gone)) {
    const goneTexts = textsGone(left, is);
    const isReplaced = texts.length > 0 && goneTexts.length < texts.length + kTextsMore;
    return [
      ...inPageOrder(countUnseenRows(withKeptRows(changes, is.nodes, gone, keptChange), state), texts, is),
      ...goneLines(gone, isReplaced ? [] : goneTexts, was.nodes).map((line) => lineChange(line, kGoneWorth)),
    ];
  }
  const whole = inPageOrder(
    countUnseenRows(
      is.nodes.map((node) => newChange(node, state)),
      state,
    ),
    texts,
    is,
  );
  if (gone.length) {
    const which = gone.length === was.nodes.length ? `all ${gone.length}` : `${gone.length} of the ${was.nodes.length}`;
    whole.push(lineChange(`- removed: ${which} from before`, kGoneWorth));
  }
  return whole;
}

// Whether a cell of a row, or the box to tick that is all of one, has another of its kind in its place, as where a grid draws its cells
// anew: which column it was is plain.
function isDrawnAnew(cell, before, nodes) {
  const other = before.length === nodes.length ? nodes[before.indexOf(cell)] : undefined;
  return other !== undefined && !other.match && other.role === cell.role;
}

// Texts among the elements that they stand between. What has no place stays behind the one before it.
function inPageOrder(changes, texts, { all }) {
  if (!changes.length || !texts.length) return [...changes, ...texts];
  const places = new Map(all.map((kid, i) => [kid, i]));
  const sorted = [];
  let next = 0;
  for (const change of changes) {
    while (next < texts.length && texts[next].place < places.get(change.node)) sorted.push(texts[next++]);
    sorted.push(change);
  }
  return [...sorted, ...texts.slice(next)];
}

// New rows that their grid doesn't show until it is scrolled are counted, but for the first one.
function countUnseenRows(changes, { countsRows }) {
  if (!countsRows || changes.length <= kGoneShown) return changes;
  const isUnseen = ({ node, worth, lines, kids }) =>
    kids === null && lines === null && worth <= 0 && node?.role === 'row' && isScrolledAway(node);
  const unseen = changes.filter(isUnseen).slice(1);
  if (unseen.length < kUnseenCounted) return changes;
  const line = lineChange(`- text: … ${unseen.length} more rows off-screen`, 0, unseen[0].node);
  return changes.flatMap((change) => (change === unseen[0] ? [line] : unseen.includes(change) ? [] : [change]));
}
const kUnseenCounted = 3;

const keptChange = (line, node) => ({ ...lineChange(line, 0, node), isOld: true });
// `node`: what the line is about; `place`: of a text, among what stands beside it.
const lineChange = (line, worth, node = null, place = -1) => ({ worth, node, place, lines: [line], kids: null });
const newChange = (node, state) => ({ worth: worthOf(node, state), node, place: -1, lines: null, kids: null });

// -> { fresh, left }: the texts that weren't there before, as changes, and how many of each that were there are no more.
function compareTexts(was, { all }) {
  const left = new Map();
  for (const text of was) left.set(text, (left.get(text) ?? 0) + 1);
  const fresh = [];
  for (let i = 0; i < all.length; i++) {
    const text = all[i];
    if (!isText(text)) continue;
    const count = left.get(text) ?? 0;
    if (count > 0) left.set(text, count - 1);
    else fresh.push(lineChange(`- text: ${yamlValue(cut(text, kTextMax))}`, 0, null, i));
  }
  return { fresh, left };
}

// What has words is told first: a list of code lines has their numbers beside it. A text that another line has now, as a field has the
// code that is drawn below it, isn't gone.
function textsGone(left, { nodes }) {
  const isGone = ([text, count]) => count > 0 && !nodes.some((node) => hasWords(node, text));
  const gone = [...left].filter(isGone).map(([text]) => text);
  return [...gone.filter(hasLetters), ...gone.filter((text) => !hasLetters(text))];
}
const hasLetters = (text) => /\p{L}/u.test(text);
// Where so many texts more have gone than have come, these don't just stand for those, as a new time does for an old one.
const kTextsMore = 3;

const hasWords = ({ name, value, kids }, text) => name.includes(text) || value?.includes(text) || kids.includes(text);

function moveChange(node, last, nodes) {
  const place = last ? `after ${cut(placeOfNode(last, nodes), 80)}` : 'to the front';
  return lineChange(`- moved ${yamlKey(place)}: ${yamlValue(cut(sketchAmong(node, nodes), 120))}`, 0, node);
}

// What has no ref is known by its first words that no other has.
const placeOfNode = (node, nodes) => (node.rec === null ? sketchAmong(node, nodes) : headerOf(node));

// Whether all that a node holds now says more than what has gone or has another place: much has, or all is short.
function isToldWhole(nodes, now, moved, gone) {
  if (now.role === 'fragment' || nodes.length === 0) return false;
  if (moved.size > kGoneShown) return true;
  if (moved.size === 0 && gone.length <= kGoneShown) return false;
  const size = nodes.reduce((sum, node) => sum + measure(node, 0, kUncut), 0);
  return size <= (gone.length > kRefsShown && nodes.length <= gone.length ? kFewLeft : kShort);
}

// Whether a row's cells are in part those of another row, or in another order, and say by themselves no more than a number, as in
// the next month of a calendar: that they moved tells nothing.
function isRedrawn(before, nodes, { role }, moved) {
  if (role !== 'row') return false;
  const was = new Set(before);
  const is = new Set(nodes);
  return (
    nodes.some((node) => node.match && (moved.has(node) || !was.has(node.match)) && isNumberCell(node)) ||
    before.some((old) => old.match && !is.has(old.match) && isNumberCell(old))
  );
}
const isNumberCell = (node) => kCells.has(node.role) && /^[\p{N}\s.,]*$/u.test(node.name || (firstText(node) ?? ''));

const isText = (kid) => typeof kid === 'string';

const kInSentences = words('generic strong emphasis code link mark time insertion deletion subscript superscript');
const isInSentence = (kid) => isText(kid) || (kid.inline && !kid.pointer && kInSentences.has(kid.role));
const isSentence = ({ kids }) => kids.some(isText) && kids.every(isInSentence);
const textsOf = ({ kids }) => kids.filter(isText).join('\n');
const sameTexts = (old, node) => textsOf(old) === textsOf(node);

const isAsItWas = (old, node, { sighted, again }) =>
  hashTree(old) === hashTree(node) &&
  !old.sleeps &&
  !sighted.told.has(node) &&
  !sighted.around.has(node) &&
  !again.has(node);

function changeOf(old, node, state) {
  if (state.sighted.away.has(node) || state.folded.has(node)) return null; // with all that it holds
  if (state.sighted.told.has(node)) {
    const change = newChange(node, state);
    return isKnownWell(node) ? { ...change, kids: [] } : change;
  }
  if (old.clip !== '' && node.clip === '') return newChange(node, state); // it came into view
  if (old.clip !== node.clip && sameKids(old, node)) return lineChange(clippedLine(node), 0, node);
  const textOnly = old.kids.every(isText) && node.kids.every(isText);
  const ownChanged = ownText(old, shownBefore(old, node, state)) !== ownText(node);
  if (textOnly || node.role === 'iframe') {
    node.inert = old.inert;
    if (old.inert.length) state.keepsInert = true;
    const isSame = old.kids.length === node.kids.length && old.kids.every((kid, i) => kid === node.kids[i]);
    if (!ownChanged && isSame) return null;
    const isEmptied = node.kids.length === 0 && old.kids.length > 0 && node.value === null;
    if (isEmptied && !node.marks.includes(kHiddenText)) return emptiedChange(old, node, state);
    const isUrlTold = node.kids.length === 0 && node.url !== null && node.url === old.url;
    return { ...newChange(node, state), kids: isUrlTold ? [] : null };
  }
  // Of a sentence with links or emphasis a part alone says nothing, and its parts in another order something else.
  if (isSentence(node) && !sameTexts(old, node) && measure(node, 0, kUncut) <= kSentence) return newChange(node, state);
  const kids = changesIn(old, node, state);
  if (!kids.length && !ownChanged) return null;
  const isOwn = !kids.length;
  addControlBeside(kids, node, (control) => newChange(control, state));
  addRowsWords(kids, node);
  addLabelsBefore(kids, node);
  // What tells of which one it is of two that are alike: of a row the cell that names it, else all of it.
  if (isOwn && !kids.length && node.name === '' && !node.rec && measure(node, 0, kUncut) <= kTellsWhich)
    return newChange(node, state);
  addItemsWords(kids, node);
  const worth = kids.reduce((most, kid) => Math.max(most, kid.worth), ownWorth(node, state));
  return { worth, node, place: -1, lines: null, kids };
}

// A line without its text would read as if it never had one.
function emptiedChange(old, node, state) {
  const texts = old.kids.filter((text) => !node.name.includes(text));
  const kids = goneLines([], texts, []).map((line) => lineChange(line, kGoneWorth));
  return { worth: worthOf(node, state), node, place: -1, lines: null, kids };
}

const sameKids = (old, node) =>
  old.kids.length === node.kids.length &&
  old.kids.every(
    (kid, i) =>
      kid === node.kids[i] || (!isText(kid) && !isText(node.kids[i]) && hashTree(kid) === hashTree(node.kids[i])),
  );

// A slide that has left the view is known by its name, or by its first words.
function clippedLine(node) {
  const text = node.name === '' ? firstText(node) : null;
  const key = yamlKey(headerOf(node) + marksOf(node));
  return text === null ? `- ${key}` : `- ${key}: ${yamlValue(cut(text, kClippedWords))}`;
}
const kClippedWords = 80; // characters

function ownWorth(node, state) {
  if (kUrgent.has(node.role)) return kUrgentWorth;
  if (/\[active\]/.test(node.states)) return kActedWorth;
  return state.near.get(node) ?? 0;
}

function worthOf(node, state) {
  let worth = ownWorth(node, state);
  for (const kid of node.kids) if (typeof kid !== 'string') worth = Math.max(worth, worthOf(kid, state));
  return worth;
}

export { deltaLines };
