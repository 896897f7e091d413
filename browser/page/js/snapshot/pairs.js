// Which nodes of two trees are the same thing: by ref, wherever they stand; then what stands around them; then what is
// left within each pair, by content and role. A node's `match` is its partner in the other tree.

import { group } from '../dom/collections.js';
import { hashTree } from './hashes.js';

// `live`: it, or something below it, has a partner. `sleeps`: it, or something below it, keeps nodes that are inert.
function pairTrees(before, now) {
  const numbered = new Map();
  prepare(before, null, numbered);
  couple(now, before);
  pairNumbered(now, numbered);
  pairAround(now);
  pairRest(now);
}

function prepare(node, up, numbered) {
  node.up = up;
  node.match = null;
  node.live = false;
  node.sleeps = node.inert.length > 0;
  if (node.rec) numbered.set(node.rec, node);
  for (const kid of childNodes(node)) {
    prepare(kid, node, numbered);
    if (kid.sleeps) node.sleeps = true;
  }
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

function pairNumbered(node, numbered) {
  for (const kid of node.kids) {
    if (typeof kid === 'string') continue;
    const old = kid.rec ? numbered.get(kid.rec) : undefined;
    if (old) couple(kid, old);
    pairNumbered(kid, numbered);
  }
}

// What stands around a pair is a pair, where the role agrees. From the inside out.
function pairAround(node) {
  node.live = node.match !== null;
  for (const kid of node.kids) {
    if (typeof kid === 'string') continue;
    pairAround(kid);
    if (kid.live) node.live = true;
  }
  if (node.match || !node.live) return;
  for (const kid of node.kids) {
    const old = typeof kid === 'string' ? null : (kid.match?.up ?? null);
    if (!old || old.match || old.role !== node.role) continue;
    couple(node, old);
    return;
  }
}

// Unnumbered nodes have no identity: the same content pairs first, then the next of the same role.
function pairRest(node) {
  if (node.match) {
    const fresh = gather(node).nodes.filter(isFree);
    if (fresh.length) {
      const old = gather(node.match).nodes.filter(isFree);
      pairBy(hashTree, fresh, old);
      pairBy((one) => one.role, fresh, old);
    }
  }
  for (const kid of node.kids) if (typeof kid !== 'string') pairRest(kid);
}
const isFree = (node) => !node.match && !node.live && !node.rec;

function pairBy(keyOf, fresh, old) {
  const waiting = new Map();
  for (const node of old.toReversed()) if (!node.match) group(waiting, keyOf(node), node);
  for (const node of fresh) {
    const other = node.match ? undefined : waiting.get(keyOf(node))?.pop();
    if (other) couple(node, other);
  }
}

const isWrapper = (node) =>
  (node.role === 'generic' || node.role === 'group') && node.name === '' && node.states === '' && node.value === null;

// What a node holds: { nodes, texts, asleep }, where `asleep` are those of the nodes that were inert already. A wrapper that
// came or went around what is there in both trees counts as absent.
function gather(node, into = { nodes: [], texts: [], asleep: new Set() }) {
  for (const kid of node.kids) {
    if (typeof kid === 'string') into.texts.push(kid);
    else if (kid.live && !kid.match && (isWrapper(kid) || kid.up)) gather(kid, into);
    else into.nodes.push(kid);
  }
  for (const kept of node.inert) {
    into.nodes.push(kept);
    into.asleep.add(kept);
  }
  return into;
}

export { gather, pairTrees };
