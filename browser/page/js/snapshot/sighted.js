// What nobody could see when the last snapshot told it, and everybody can see now. That a mark of visibility is gone is no
// change by itself, as what a pointer's hover brings out was told with its words already. A popup that opens is told all
// the same, and so is what comes into sight together with text, which was left out before [tool.snapshot.delta].

import { words } from '../dom/collections.js';
import { kWidgets } from '../aria/roles.js';
import { measure } from './budget.js';
import { isShared } from './pairs.js';

const kMark = ' [invisible]';
const kPopups = words('dialog alertdialog menu listbox tooltip');
const kToldAgain = 700; // characters: up to which what was told with all its words already is told with them again

const isMarked = ({ marks }) => marks.includes(kMark);

// Whether anything in the tree may come into sight: without such a thing no pairs need be looked at.
const holdsMarked = (node) => countMarked(node) > 0;

function countMarked(node) {
  if (node.marked >= 0) return node.marked;
  let count = isMarked(node) ? 1 : 0;
  for (const kid of node.kids) if (typeof kid !== 'string') count += countMarked(kid);
  return (node.marked = count);
}

// Of a tree whose nodes have their partners: { told, around }, the outermost nodes to tell as if they were new, and those
// around them.
function cameIntoSight(before, now) {
  const found = { told: new Set(), around: new Set() };
  if (!holdsMarked(before)) return found;
  for (const node of look(now, found.around).told) found.told.add(node);
  return found;
}

const CAME = 1; // it was marked and is not now
const STAYED = 2; // it could be seen before
const NEW = 4; // it has words that weren't there

// What a node and what is below it is, and the outermost nodes there that have come or are to be told.
function look(node, around) {
  const old = node.match;
  if (!old && !node.live) return { is: NEW, came: [], told: [] };
  if (isShared(node)) return { is: isMarked(node) ? 0 : STAYED, came: [], told: [] };
  let is = old && isMarked(old) && !isMarked(node) ? CAME : 0;
  const isSeen = old && !isMarked(old) && !isMarked(node);
  let [came, told] = [[], []];
  for (const kid of node.kids) {
    if (typeof kid === 'string') {
      if (!old?.kids.includes(kid)) is |= NEW;
      else if (isSeen) is |= STAYED;
      continue;
    }
    const below = look(kid, around);
    // What is around it came with it.
    is |= is & CAME ? below.is & ~STAYED : below.is;
    came.push(...below.came);
    told.push(...below.told);
  }
  if (isSeen && !isOnlyAround(node)) is |= STAYED;
  if (old && is & CAME && !(is & STAYED)) came = [node];
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
  isMarked(node.match) && countMarked(node.match) === 1 && measure(node, 0, true) > kToldAgain;

export { cameIntoSight, holdsMarked, isKnownWell };
