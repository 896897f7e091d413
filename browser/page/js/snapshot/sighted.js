// What nobody could see when the last snapshot told it, and everybody can see now. What a pointer's hover brings out was told
// with its words already, so that one line names it, as one does what goes out of sight. A popup that opens is told whole
// all the same, and so is what comes into sight together with text, which was left out before [tool.snapshot.delta].

import { words } from '../dom/collections.js';
import { cut } from '../dom/text.js';
import { kWidgets } from '../aria/roles.js';
import { sketch } from './gone.js';
import { isShared } from './pairs.js';
import { kUncut, measure } from './sizes.js';

const kMark = ' [invisible]';
const kPopups = words('dialog alertdialog menu listbox tooltip');
const kToldAgain = 700; // characters: up to which what was told with all its words already is told with them again

const isMarked = ({ marks }) => marks.includes(kMark);

// The same of what is around it, of a node of the tree before.
const isWithinMarked = (node) => node !== null && (isMarked(node) || isWithinMarked(node.up));

// Whether anything in the tree may come into sight: without such a thing no pairs need be looked at.
const holdsMarked = (node) => countMarked(node) > 0;

function countMarked(node) {
  if (node.marked >= 0) return node.marked;
  let count = isMarked(node) ? 1 : 0;
  for (const kid of node.kids) if (typeof kid !== 'string') count += countMarked(kid);
  return (node.marked = count);
}

// Of a tree whose nodes have their partners: { told, around, came, went, away }, the outermost nodes to tell as if they were new,
// those around them, of the rest those that have come into sight or gone out of it, and of the latter those that have gone with
// all that they hold, such as a drawer.
function cameIntoSight(before, now) {
  const found = { told: new Set(), around: new Set(), came: [], went: [], away: new Set() };
  if (holdsMarked(before)) {
    const { told, came } = look(now, found.around);
    for (const node of told) found.told.add(node);
    found.came = came.filter((node) => !found.told.has(node));
  }
  if (holdsMarked(now)) found.went = goneIn(now);
  for (const node of found.went) if (!isMarked(node)) found.away.add(node);
  return found;
}

// The outermost nodes that have gone out of sight in what a node holds, which is the node itself where all of it has.
function goneIn(node) {
  if (node.match && isMarked(node) && !isWithinMarked(node.match)) return [node];
  if (isShared(node)) return [];
  const kids = node.kids.filter((kid) => typeof kid !== 'string');
  const went = kids.map(goneIn);
  const isGone = node.match && kids.length > 0 && kids.length === node.kids.length;
  return isGone && went.every((list, i) => list[0] === kids[i]) ? [node] : went.flat();
}

const CAME = 1; // it was marked and is not now
const STAYED = 2; // it could be seen before
const NEW = 4; // it has words that weren't there, or weren't told

// What a node and what is below it is, and the outermost nodes there that have come or are to be told.
function look(node, around) {
  const old = node.match;
  if (!old && !node.live) return { is: NEW, came: [], told: [] };
  if (isShared(node)) return { is: isMarked(node) ? 0 : STAYED, came: [], told: [] };
  let is = old && isMarked(old) && !isMarked(node) ? CAME : 0;
  if (old?.untold) {
    if (is & CAME) is |= NEW;
    else node.untold = true;
  }
  const isSeen = old && !isMarked(old) && !isMarked(node);
  const hasCome = (is & CAME) !== 0;
  let [came, told] = [[], []];
  for (const kid of node.kids) {
    if (typeof kid === 'string') {
      if (!old?.kids.includes(kid)) is |= NEW;
      else if (isSeen) is |= STAYED;
      continue;
    }
    const below = look(kid, around);
    // What is around it came with it.
    is |= hasCome ? below.is & ~STAYED : below.is;
    came.push(...below.came);
    told.push(...below.told);
  }
  if (isSeen && !isOnlyAround(node)) is |= STAYED;
  const isWhole = hasCome || kPopups.has(node.role) || countMarked(node) === 0;
  if (old && is & CAME && !(is & STAYED) && isWhole) came = [node];
  if (is & CAME && !(is & STAYED) && (is & NEW || kPopups.has(node.role))) told = came;
  if (told.length > 0 && told[0] !== node) around.add(node);
  return { is, came, told };
}

// Whether a node is seen by what it holds alone: a group, though it has a label of its author's.
const isOnlyAround = ({ role, from, kids }) =>
  kids.some((kid) => typeof kid !== 'string') && from !== 'content' && (!kWidgets.has(role) || kPopups.has(role));

// Whether all that a node holds was told with its words though it couldn't be seen, as what is faded in is. If that is
// long, its own line says enough.
const isKnownWell = (node) =>
  isMarked(node.match) && countMarked(node.match) === 1 && measure(node, 0, kUncut) > kToldAgain;

// What has come into sight or gone out of it, which was told with its words before. What can't be seen in what has come, as it has
// gone meanwhile or hasn't come with it, is no part of it.
const sightLine = (what, nodes) =>
  lineOfParts(
    what,
    nodes.flatMap((node) => partsInSight(node, () => false)),
  );

// The same of what none of the lines tells already, by its ref; null where they tell all of it.
function cameLine(nodes, lines) {
  const parts = nodes.flatMap((node) => partsInSight(node, isMarked));
  const untold = parts.filter((part) => {
    const ref = kRef.exec(part)?.[0];
    return ref === undefined || !lines.some((line) => line.includes(ref));
  });
  return untold.length === 0 ? null : lineOfParts('now visible', untold);
}
const kRef = /\[ref=[^\]]+\]/;

function lineOfParts(what, all) {
  const told = all.slice(0, all.length === kSightShown + 1 ? all.length : kSightShown);
  const more = all.length > told.length ? ` and ${all.length - told.length} more` : '';
  return `- text: … ${what}: ${cut(told.join(', '), kSightWords)}${more}`;
}
const partsInSight = (node, isUnseen) => {
  if (isUnseen(node)) return [];
  const kids = node.kids.filter((kid) => typeof kid !== 'string');
  return node.name === '' && kids.length > 0 ? kids.flatMap((kid) => partsInSight(kid, isUnseen)) : [sketch(node)];
};
const kSightShown = 5;
const kSightWords = 200; // characters

export { cameIntoSight, cameLine, holdsMarked, isKnownWell, isMarked, sightLine };
