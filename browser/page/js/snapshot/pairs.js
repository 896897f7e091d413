// Which nodes of two trees are the same thing: by ref, wherever they stand; then what stands around them; then what is
// left within each pair, by content and role. A node's `match` is its partner in the other tree.

import { group, words } from '../dom/collections.js';
import { passNumber } from '../tree/node.js';
import { hashTree } from './hashes.js';

// A node that both trees have is its own partner, and what is below it needs no look.
const isShared = (node) => node.shared === passNumber;

// `live`: it, or something below it, has a partner. `sleeps`: it, or something below it, keeps nodes that are inert.
// `away`: the records of what has come again, with all that it holds; they have no partners. -> the nodes of `now` around those.
function pairTrees(before, now, away) {
  const numbered = new Map();
  const around = new Set();
  prepare(before, null, { numbered, away, around });
  couple(now, before);
  pairNumbered(now, { numbered, away, around });
  pairAround(now);
  pairRest(now);
  return around;
}

function prepare(node, up, how) {
  node.up = up;
  node.match = null;
  node.live = false;
  node.sleeps = node.inert.length > 0;
  const record = recordOfNode(node);
  node.again = how.away.size > 0 && ((up?.again ?? false) || how.away.has(record));
  if (record && !node.again) how.numbered.set(record, node);
  for (const kid of childNodes(node)) {
    if (isShared(kid)) prepareShared(kid, node, how);
    else prepare(kid, node, how);
    if (kid.sleeps) node.sleeps = true;
    if (kid.live) node.live = true;
  }
}

// What has come again may be a node that both trees have, or be below one: then that has no partner.
function prepareShared(node, up, how) {
  node.up = up;
  node.again = how.away.size > 0 && how.away.has(recordOfNode(node));
  node.match = node.again ? null : node;
  node.live = !node.again;
  node.sleeps = false;
  if (node.again || !holdsAway(node, how.away)) return;
  how.around.add(node);
  for (const kid of childNodes(node)) prepareShared(kid, node, how);
}

const holdsAway = (node, away) =>
  away.size > 0 &&
  node.kids.some((kid) => typeof kid !== 'string' && (away.has(recordOfNode(kid)) || holdsAway(kid, away)));

// Lets go of each other's trees; `whole`: also of what is below the nodes that both have.
function unpairTrees(before, now, whole) {
  unpair(before, whole);
  unpair(now, whole);
}

function unpair(node, whole) {
  node.match = null;
  node.up = null;
  for (const kid of childNodes(node))
    if (isShared(kid) && !whole) kid.match = kid.up = null;
    else unpair(kid, whole);
}

function* childNodes(node) {
  for (const kid of node.kids) if (typeof kid !== 'string') yield kid;
  yield* node.inert;
}

function couple(node, old) {
  node.match = old;
  old.match = node;
  for (let at = old; at && !at.live; at = at.up) at.live = true;
}

// What is known by a ref is the same thing also where it doesn't show that: a cell may have one only while it has the focus.
const recordOfNode = ({ rec, known }) => rec ?? known;

// -> whether something that has come again is below the node.
function pairNumbered(node, how) {
  let holds = false;
  for (const kid of node.kids) {
    if (typeof kid === 'string') continue;
    if (isShared(kid)) {
      if (kid.again || how.around.has(kid)) holds = true;
      continue;
    }
    const record = recordOfNode(kid);
    const old = record ? how.numbered.get(record) : undefined;
    if (old) couple(kid, old);
    const isAgain = how.away.size > 0 && how.away.has(record);
    if (pairNumbered(kid, how) || isAgain) holds = true;
  }
  if (holds) how.around.add(node);
  return holds;
}

// What stands around a pair is a pair, where the role agrees. From the inside out. What has come around a few of a group's
// members is new: the group is what holds more of them, which is known one level up.
function pairAround(node) {
  node.live = node.match !== null;
  const around = new Map();
  for (const kid of node.kids) {
    if (typeof kid === 'string') continue;
    if (!isShared(kid)) pairAround(kid);
    if (!kid.live) continue;
    node.live = true;
    if (!kid.match) around.set(kid, partnerAround(kid, node));
  }
  for (const [kid, old] of around) {
    if (!old || old.match) continue;
    const others = node.kids.filter((other) => (other.match ?? around.get(other))?.up === old);
    const members = membersOf(kid, old);
    const most = 2 * members - old.kids.filter(({ live }) => live).length;
    const isMost = !isWrapper(kid) || most > 0 || (most === 0 && isInPlaceOf(kid, node, old));
    const isGroup = (isMost && others.length < members) || (node.match !== null && others.length <= members);
    if (isGroup && !isOtherGroup(kid, old, members)) couple(kid, old);
  }
}

// Whether one of several boxes side by side, as the columns of a board that is drawn anew, stands where another one stood.
const isInPlaceOf = (node, up, old) =>
  old.up !== null && up.kids.length === old.up.kids.length && up.kids.indexOf(node) === old.up.kids.indexOf(old);

// One that is called otherwise, and holds little of what was there, as the form of a record does beside the field of a filter.
const isOtherGroup = (node, old, members) =>
  node.name !== '' && node.name !== old.name && 2 * members <= node.kids.length;

// What was inert there was kept beside it, wherever it had stood.
const membersOf = (node, old) =>
  membersWithin(node).filter(({ match }) => holderOf(match, node) === old && !old.inert.includes(match)).length;

// What held a node's member before; a wrapper that has gone from around it counts as absent.
function holderOf(match, node) {
  let old = match?.up;
  while (old && !old.match && old.role !== node.role && isWrapper(old)) old = old.up;
  return old;
}

// What a node holds, and what a wrapper holds that has come around some of that.
const membersWithin = ({ kids }) =>
  kids.flatMap((kid) =>
    typeof kid !== 'string' && kid.live && !kid.match && isWrapper(kid) ? membersWithin(kid) : [kid],
  );

// The node of the tree before that held most of what this one holds, if it is free; of a wrapper and what is around that, which
// held as much, the latter: it is the wrapper that has gone. A wrapper that holds more from elsewhere is none of what was there.
function partnerAround(node, up) {
  let best = null;
  for (const { match } of membersWithin(node)) {
    const old = holderOf(match, node);
    if (!old || old.match || old.role !== node.role || old === best) continue;
    const more = best === null ? 1 : membersOf(node, old) - membersOf(node, best);
    const isOuter = more === 0 && best.up === old && isWrapper(best);
    if (more > 0 || isOuter || (more === 0 && isInPlaceOf(node, up, old) && !isInPlaceOf(node, up, best))) best = old;
  }
  return best !== null && isWrapper(node) && holdsMoreFromElsewhere(node, best) ? null : best;
}

function holdsMoreFromElsewhere(node, old) {
  const known = membersWithin(node).filter(({ match }) => match);
  return known.length > 2 * known.filter(({ match }) => holderOf(match, node) === old).length;
}

// Unnumbered nodes have no identity: the same content pairs first, then the next of the same name and role, where it holds
// other nodes only if it is the same element: a box of new things in another place's stead is a new box, and so is a row of
// new things.
function pairRest(node) {
  if (node.match) {
    const fresh = gather(node).nodes.filter(isFree);
    if (fresh.length) {
      const old = gather(node.match).nodes.filter(isFree);
      pairBy(hashTree, fresh, old);
      pairBy((one) => (one.name === '' ? null : `${one.role} ${one.name}`), fresh, old);
      pairBy((one) => (one.kids.some((kid) => typeof kid !== 'string') ? elementOfGroup(one) : one.role), fresh, old);
    }
  }
  for (const kid of node.kids) if (typeof kid !== 'string' && !isShared(kid)) pairRest(kid);
}
const elementOfGroup = (node) => (node.role === 'row' ? null : (node.el ?? node.weak?.deref() ?? null));
const isFree = (node) => !node.match && !node.live && !node.rec && !node.again;

function pairBy(keyOf, fresh, old) {
  const waiting = new Map();
  for (const node of old.toReversed()) if (!node.match && keyOf(node) !== null) group(waiting, keyOf(node), node);
  for (const node of fresh) {
    const other = node.match ? undefined : waiting.get(keyOf(node))?.pop();
    if (other) couple(node, other);
  }
}

// One that has the focus is no more: a box takes it where what had it can't any longer, as a button that has been pressed.
const isWrapper = (node) =>
  (node.role === 'generic' || node.role === 'group') &&
  node.name === '' &&
  (node.states === '' || node.states === kFocused) &&
  node.value === null;
const kFocused = ' [active]';

// What a node holds: { all, nodes, texts, asleep, groups }, where `all` are both nodes and texts in the page's order, and `asleep`
// those of the nodes that were inert already. A wrapper that came or went around what is there in both trees counts as
// absent, and is one of the `groups`; but one of few things among which a control is new, as a row with a box to tick, is read whole.
function gather(node, into = { all: [], nodes: [], texts: [], asleep: new Set(), groups: [] }) {
  for (const kid of node.kids) {
    if (typeof kid !== 'string' && kid.live && !kid.match && (isWrapper(kid) || kid.up) && !isNewRow(kid)) {
      into.groups.push(kid);
      gather(kid, into);
      continue;
    }
    into.all.push(kid);
    (typeof kid === 'string' ? into.texts : into.nodes).push(kid);
  }
  for (const kept of node.inert) gatherInert(kept, into);
  return into;
}

// A node of the tree before has an `up`.
const isNewRow = ({ up, kids }) =>
  up === null &&
  kids.length <= kInRow &&
  kids.every((kid) => typeof kid === 'string' || kid.kids.every((inner) => typeof inner === 'string')) &&
  kids.some((kid) => typeof kid !== 'string' && !kid.live && kid.rec !== null && kControlsInRow.has(kid.role));
const kInRow = 4;
const kControlsInRow = words('button link checkbox radio switch textbox searchbox combobox spinbutton slider');

// The same of what is kept as it was: a wrapper whose contents are there again without it counts as absent too.
function gatherInert(kept, into) {
  const parts = isWrapper(kept) && kept.live && !kept.match ? kept.kids.filter((kid) => typeof kid !== 'string') : [];
  if (parts.some((part) => part.match)) {
    for (const part of parts) gatherInert(part, into);
    return;
  }
  into.all.push(kept);
  into.nodes.push(kept);
  into.asleep.add(kept);
}

// --- Two lists of nodes that have their partners

// How many nodes at the front and at the end of two lists are the very same.
function middleOf(was, is, { again }) {
  const most = Math.min(was.length, is.length);
  const isSame = (old, node) => old === node && !(node.again || again.has(node));
  let from = 0;
  while (from < most && isSame(was[from], is[from])) from++;
  let end = 0;
  while (end < most - from && isSame(was[was.length - 1 - end], is[is.length - 1 - end])) end++;
  return [from, end];
}

// What of the nodes stands in another order than before: all but the longest run that has kept its own. Where a slide waits that
// isn't in view, before or after the others, nobody sees.
function movedAmong(nodes, places) {
  const isInView = ({ clip, match }) => clip === '' && match.clip === '';
  const kept = nodes.filter((node) => node.match && places.has(node.match) && isInView(node));
  const order = kept.map((node) => places.get(node.match));
  if (order.every((place, i) => i === 0 || place > order[i - 1])) return new Set();
  const tails = []; // by length, the index of the least last place of a run
  const from = [];
  for (let i = 0; i < order.length; i++) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (order[tails[middle]] < order[i]) low = middle + 1;
      else high = middle;
    }
    from[i] = low > 0 ? tails[low - 1] : -1;
    tails[low] = i;
  }
  const stays = new Set();
  for (let at = tails.at(-1); at >= 0; at = from[at]) stays.add(kept[at]);
  return new Set(kept.filter((node) => !stays.has(node)));
}

export { gather, isShared, kFocused, middleOf, movedAmong, pairTrees, unpairTrees };
