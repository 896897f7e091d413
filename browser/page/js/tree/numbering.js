// Which nodes of a tree get a ref.

import { textContentOf } from '../dom/members.js';
import { oneSpace } from '../dom/text.js';
import { withPass } from '../dom/style.js';
import { buildTree } from './tree.js';
import { mintRef, moveRecordsToReplacements, recordOf } from './refs.js';

let generation = 0; // of snapshots; refs last seen in an older one do not come back before those of a newer one

function beginGeneration() {
  generation++;
}

// The nodes that will be printed, in document order; each learns in which repeated item it stands.
function printedNodes(top) {
  const out = [];
  const visit = (node, item) => {
    const { kids } = node;
    let repeated = null;
    for (const kid of kids) {
      if (typeof kid === 'string') continue;
      let itemNow = item;
      if (kid.kids.length) {
        repeated ??= repeatedRoles(kids);
        if (repeated.has(kid.role)) itemNow = kid;
      }
      kid.itemNode = itemNow;
      out.push(kid);
      visit(kid, itemNow);
    }
  };
  visit(top, null);
  return out;
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

function itemText(node) {
  if (!node) return '';
  return (node.itemText ??= oneSpace(textContentOf(node.el).slice(0, kItemText * 2)).slice(0, kItemText));
}

function numberNodes(nodes, mint) {
  for (const node of nodes) node.item = itemText(node.itemNode);
  const wanted = nodes.filter((node) => node.ref || node.role === 'iframe' || recordOf.has(node.el));
  moveRecordsToReplacements(wanted);
  for (const node of wanted) {
    const record = (mint && node.ref) || node.role === 'iframe' ? mintRef(node) : recordOf.get(node.el);
    if (!record) continue;
    record.role = node.role;
    record.name = node.name;
    record.item = node.item;
    record.seen = generation;
    if (node.ref || node.role === 'iframe') node.rec = record;
  }
}

// Looks again without numbering anything new: has a gone element come back in another shape?
function rescan() {
  withPass(() => numberNodes(printedNodes(buildTree(document).top), false));
}

export { beginGeneration, printedNodes, numberNodes, rescan };
