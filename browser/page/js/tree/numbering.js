// Which nodes of a tree get a ref.

import { textContentOf } from '../dom/members.js';
import { oneSpace } from '../dom/text.js';
import { withPass } from '../dom/pass.js';
import { elementOf, passNumber } from './node.js';
import { buildTree } from './tree.js';
import { mintRef, moveRecordsToReplacements, recordOf } from './refs.js';

let generation = 0; // of snapshots; refs last seen in an older one do not come back before those of a newer one

function beginGeneration() {
  generation++;
}

// The nodes that will be printed, in document order: { all, fresh }, where `fresh` are those that this pass has made; each
// of those learns in which repeated item it stands. null: one that an earlier pass has made was not printed then, so that
// too little is known of it.
function printedNodes(top, last = 0) {
  const all = [];
  const fresh = [];
  let isKnown = true;
  const visit = (node, item) => {
    const { kids } = node;
    let repeated = null;
    for (const kid of kids) {
      if (typeof kid === 'string') continue;
      let itemNow = item;
      if (kid.kids.length) {
        repeated ??= repeatedRoles(kids);
        if (repeated.has(kid.role)) {
          itemNow = kid;
          kid.outerItem = item;
        }
      }
      all.push(kid);
      if (kid.pass !== passNumber) {
        if (kid.printed !== last) isKnown = false;
        else if (itemNow === kid) itemText(kid);
        kid.shared = passNumber;
        visitShared(kid, all);
        continue;
      }
      kid.printed = passNumber;
      kid.itemNode = itemNow;
      fresh.push(kid);
      visit(kid, itemNow);
    }
  };
  visit(top, null);
  return isKnown ? { all, fresh } : null;
}

// What an earlier pass has printed, too. It may have moved on the screen.
function visitShared(node, all) {
  node.printed = passNumber;
  node.place = '';
  for (const kid of node.kids) {
    if (typeof kid === 'string') continue;
    all.push(kid);
    visitShared(kid, all);
  }
}

// What this pass has not taken over from the last one: when it was seen last, and in which item, is noted with its ref.
function noteDropped(before) {
  const visit = (node, items) => {
    let repeated = null;
    for (const kid of node.kids) {
      if (typeof kid === 'string' || kid.shared === passNumber) continue;
      let itemsNow = items;
      if (kid.kids.length) {
        repeated ??= repeatedRoles(node.kids);
        if (repeated.has(kid.role)) itemsNow = [kid.itemText ?? '', ...items];
      }
      const record = kid.rec ?? kid.known;
      if (record) {
        record.seen = Math.max(record.seen, before.generation);
        record.items = itemsNow.slice(0, kItemLevels);
        record.text = ownWords(kid);
      }
      visit(kid, itemsNow);
    }
  };
  visit(before, []);
}

function repeatedRoles(kids) {
  const once = new Set();
  const more = new Set();
  for (const kid of kids) {
    if (typeof kid === 'string' || !kid.kids.length) continue;
    if (once.has(kid.role)) more.add(kid.role);
    else once.add(kid.role);
  }
  return more;
}
const kItemText = 160;

const kItemLevels = 4;

// The texts of the repeated items that a node stands in, the innermost first: a button "Delete" is that of its cell, and
// where all cells say the same, that of its row.
function itemsOf({ itemNode }) {
  const items = [];
  for (let at = itemNode; at && items.length < kItemLevels; at = at.outerItem) items.push(itemText(at));
  return items;
}

function itemText(node) {
  return (node.itemText ??= oneSpace(textContentOf(elementOf(node)).slice(0, kItemText * 2)).slice(0, kItemText));
}

// The text of a node without a name, which is all that tells it from others like it.
const ownWords = ({ name, kids }) =>
  name === ''
    ? kids
        .filter((kid) => typeof kid === 'string')
        .join(' ')
        .slice(0, kItemText)
    : '';

function numberNodes(nodes, mint) {
  const wanted = nodes.filter((node) => node.ref || node.role === 'iframe' || recordOf.has(node.el));
  moveRecordsToReplacements(wanted, { itemsOf, ownWords, generation });
  for (const node of wanted) {
    const record = (mint && node.ref) || node.role === 'iframe' ? mintRef(node) : recordOf.get(node.el);
    if (!record) continue;
    record.role = node.role;
    record.name = node.name;
    record.items = itemsOf(node);
    record.text = ownWords(node);
    record.seen = generation;
    if (node.ref || node.role === 'iframe') node.rec = record;
    else node.known = record;
  }
  // A node outlives what stood around it.
  for (const node of nodes) node.itemNode = node.outerItem = null;
}

// Looks again without numbering anything new: has a gone element come back in another shape?
function rescan() {
  withPass(() => numberNodes(printedNodes(buildTree(document).top).all, false));
}

export { generation, beginGeneration, printedNodes, noteDropped, numberNodes, rescan };
