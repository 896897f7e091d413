// The budget: regions are cut where they are largest, each leaving one line with a ref and a count.

import { mintRef } from '../tree/refs.js';
import { headerOf, kTextMax, kUrlMax } from './render.js';

function measure(node, indent) {
  let size = indent + headerOf(node).length + node.marks.length + 4;
  if (node.value !== null) size += Math.min(node.value.length, kTextMax) + 2;
  if (node.url !== null) size += Math.min(node.url.length, kUrlMax) + indent + 10;
  if (node.hint !== null) size += node.hint.length + indent + 18;
  node.head = size;
  for (const kid of node.kids)
    size += typeof kid === 'string' ? Math.min(kid.length, kTextMax) + indent + 10 : measure(kid, indent + 2);
  return (node.size = size);
}
const kSummaryRoom = 34; // ": … 180 more items" and its indentation

function planCuts(node, budget, indent, cuts) {
  if (node.size <= budget) return;
  const { kids } = node;
  let room = budget - node.head - kSummaryRoom - indent;
  if (kids.length === 0) return;
  if (room <= 0) {
    cuts.set(node, 0);
    return;
  }
  const sizes = kids.map((kid) => (typeof kid === 'string' ? Math.min(kid.length, kTextMax) + indent + 12 : kid.size));
  if (isListLike(kids)) {
    let shown = 0;
    while (shown < kids.length && sizes[shown] <= room) room -= sizes[shown++];
    // The first item too large on its own: it is cut, not dropped.
    if (shown === 0 && typeof kids[0] !== 'string') {
      planCuts(kids[0], room, indent + 2, cuts);
      shown = 1;
    }
    cuts.set(node, shown);
    return;
  }
  // Regions share what there is: small ones whole, what they leave goes to the large ones alike.
  const order = kids.map((_, i) => i).sort((a, b) => sizes[a] - sizes[b]);
  let left = order.length;
  for (const i of order) {
    const share = Math.floor(room / left--);
    if (sizes[i] <= share) {
      room -= sizes[i];
      continue;
    }
    const kid = kids[i];
    if (typeof kid !== 'string') planCuts(kid, Math.max(share, 0), indent + 2, cuts);
    room -= Math.min(sizes[i], Math.max(share, typeof kid === 'string' ? 0 : kid.head + kSummaryRoom));
  }
}

// Many of a kind are a list, whatever the page calls it.
function isListLike(kids) {
  if (kids.length < 8) return false;
  const counts = new Map();
  for (const kid of kids) {
    const role = typeof kid === 'string' ? 'text' : kid.role;
    counts.set(role, (counts.get(role) ?? 0) + 1);
  }
  return Math.max(...counts.values()) >= kids.length * 0.6 || kids.length > 40;
}

function fitTree(top, budget, plan, out) {
  top.head = 0;
  let size = 0;
  for (const kid of top.kids) size += typeof kid === 'string' ? kid.length + 10 : measure(kid, 0);
  top.size = size;
  if (size <= budget) return;
  plan.cuts = new Map();
  planCuts(top, budget, 0, plan.cuts);
  // What is summed up must be reachable: a cut region gets a ref even where it wouldn't have one.
  for (const node of plan.cuts.keys())
    if (node !== top && !node.rec) {
      node.rec = mintRef(node);
      node.header = null;
    }
  out.cut = true;
}

function fitLines(lines, budget, out) {
  if (!(budget > 0)) return lines.join('\n');
  let size = 0;
  let shown = 0;
  while (shown < lines.length && size + lines[shown].length + 1 <= Math.max(budget - 60, 0))
    size += lines[shown++].length + 1;
  if (shown === lines.length) return lines.join('\n');
  out.cut = true;
  return [...lines.slice(0, shown), `- text: … ${lines.length - shown} more changed lines; take a full snapshot`].join(
    '\n',
  );
}

export { fitTree, fitLines };
