// The budget: what is left out is what is worth least, and each region that is cut leaves one line with a ref and a count.

import { words } from '../dom/collections.js';
import { mintRef } from '../tree/refs.js';
import { headerOf, kTextMax, kUrlMax } from './render.js';

// The characters that a node takes, with or without the URLs of links.
function measure(node, indent, urls) {
  let size = indent + headerOf(node).length + node.marks.length + 4;
  if (node.value !== null) size += Math.min(node.value.length, kTextMax) + 2;
  if (urls && node.url !== null) size += Math.min(node.url.length, kUrlMax) + indent + 10;
  if (node.hint !== null) size += node.hint.length + indent + 18;
  node.head = size;
  for (const kid of node.kids)
    size += typeof kid === 'string' ? textSize(node, kid, indent) : measure(kid, indent + 2, urls);
  return (node.size = size);
}

// An only text stands on the node's own line.
const textSize = ({ kids }, text, indent) => Math.min(text.length, kTextMax) + (kids.length === 1 ? 2 : indent + 12);

const kSummaryRoom = 34; // ": … 180 more items" and its indentation
const kLeastText = 60; // characters that are shown of a text that is cut

// What a person came for, and what stands around it on every page.
const kFirst = words('dialog alertdialog alert main form search menu listbox');
const kLast = words('banner navigation contentinfo complementary');
const kItems = words('listitem row option treeitem menuitem article cell gridcell link button');
const kRanks = [2, 1, 0];

// 2 first, 1, 0 last: of what a node holds the best counts, but in what comes last only a dialog or the focus does.
function rankOf(node) {
  if (typeof node === 'string') return 1;
  if (node.rank >= 0) return node.rank;
  let rank = kFirst.has(node.role) || /\[active\]/.test(node.states) ? 2 : kLast.has(node.role) ? 0 : -1;
  if (rank < 2) {
    const inside = node.kids.reduce((best, kid) => Math.max(best, typeof kid === 'string' ? 1 : rankOf(kid)), -1);
    if (rank < 0) rank = inside < 0 ? 1 : inside;
    else if (inside === 2) rank = 2;
  }
  return (node.rank = rank);
}

function planCuts(node, budget, indent, plan) {
  if (node.size <= budget) return;
  const { kids } = node;
  const room = budget - node.head - kSummaryRoom - indent;
  if (kids.length === 0) return;
  if (kids.length === 1) {
    // One thing is never summed up: it is cut itself.
    if (typeof kids[0] === 'string') (plan.textCuts ??= new Map()).set(node, Math.max(room, kLeastText));
    else planCuts(kids[0], Math.max(room, 0) + kSummaryRoom, indent + 2, plan);
    return;
  }
  if (room <= 0) {
    plan.cuts.set(node, 0);
    return;
  }
  const sizes = kids.map((kid) => (typeof kid === 'string' ? textSize(node, kid, indent) : kid.size));
  let least = 0; // to name them all
  for (let i = 0; i < kids.length; i++) least += leastOf(kids[i], sizes[i]);
  if (isListLike(kids) || least > room) planList(node, sizes, room, indent, plan);
  else planRegions(node, sizes, room, indent, plan);
}

const leastOf = (kid, size) => Math.min(size, (typeof kid === 'string' ? 0 : kid.head) + kSummaryRoom);

// Of a list the first items are shown.
function planList(node, sizes, room, indent, plan) {
  const { kids } = node;
  let left = room;
  let shown = 0;
  while (shown < kids.length && sizes[shown] <= left) left -= sizes[shown++];
  // The first item too large on its own, or only the last one: it is cut, not dropped.
  const cutOne = shown === 0 || shown === kids.length - 1;
  if (cutOne && typeof kids[shown] !== 'string') planCuts(kids[shown++], left, indent + 2, plan);
  plan.cuts.set(node, shown);
}

// Regions share what there is, the best first: small ones whole, what they leave goes to the large ones alike.
function planRegions(node, sizes, room, indent, plan) {
  const { kids } = node;
  let left = room;
  for (const rank of kRanks) {
    const members = kids.map((_, i) => i).filter((i) => rankOf(kids[i]) === rank);
    let kept = 0; // for the heads of those that come later
    for (let i = 0; i < kids.length; i++) if (rankOf(kids[i]) < rank) kept += leastOf(kids[i], sizes[i]);
    let mine = Math.max(left - kept, 0);
    let waiting = members.length;
    for (const i of members.sort((a, b) => sizes[a] - sizes[b])) {
      const share = Math.floor(mine / waiting--);
      let used = sizes[i];
      if (used > share) {
        if (typeof kids[i] !== 'string') planCuts(kids[i], share, indent + 2, plan);
        used = Math.min(used, Math.max(share, leastOf(kids[i], sizes[i])));
      }
      mine = Math.max(mine - used, 0);
      left -= used;
    }
  }
}

// Many of a kind are a list, whatever the page calls it; the regions of a page are none.
function isListLike(kids) {
  if (kids.length < 8) return false;
  const counts = new Map();
  for (const kid of kids) {
    const role = typeof kid === 'string' ? 'text' : kid.role;
    counts.set(role, (counts.get(role) ?? 0) + 1);
  }
  const most = [...counts.keys()].reduce((a, b) => (counts.get(b) > counts.get(a) ? b : a));
  if (!kItems.has(most) && kids.some((kid) => rankOf(kid) !== rankOf(kids[0]))) return false;
  return counts.get(most) >= kids.length * 0.6 || kids.length > 40;
}

// Cuts a measured node down to `budget` characters.
function cutNode(node, budget, indent, plan) {
  plan.cuts ??= new Map();
  planCuts(node, budget, indent, plan);
  // What is summed up must be reachable: a cut region gets a ref even where it wouldn't have one.
  for (const cut of plan.cuts.keys())
    if (cut.el !== null && cut.role !== 'fragment' && !cut.rec) {
      cut.rec = mintRef(cut);
      cut.header = null;
    }
}

function measureTop(top, urls) {
  top.head = 0;
  top.size = 0;
  for (const kid of top.kids) top.size += typeof kid === 'string' ? kid.length + 10 : measure(kid, 0, urls);
  return top.size;
}

// A whole page in `budget` characters; one of up to `whole` is left as it is. URLs go before elements do.
function fitTree(top, { budget, whole }, plan, out) {
  if (measureTop(top, true) <= Math.max(budget, whole)) return;
  out.cut = true;
  plan.urls = false;
  if (measureTop(top, false) > budget) cutNode(top, budget, 0, plan);
}

export { cutNode, fitTree, measure };
