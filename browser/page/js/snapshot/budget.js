// The budget: what is left out is what is worth least, and each region that is cut leaves one line with a ref and a count.

import { words } from '../dom/collections.js';
import { elementOf } from '../tree/node.js';
import { marksLength } from '../tree/positions.js';
import { mintRef } from '../tree/refs.js';
import { headerOf, kTextMax, kUrlMax } from './render.js';

// The characters that a node takes, with or without the URLs of links, and with texts of `textMax` at most.
function measure(node, indent, urls, textMax = kTextMax) {
  let size = indent + headerOf(node).length + marksLength(node) + 4;
  if (node.value !== null) size += Math.min(node.value.length, textMax) + 2;
  if (urls && node.url !== null) size += Math.min(node.url.length, kUrlMax) + indent + 10;
  if (node.hint !== null) size += node.hint.length + indent + 18;
  node.head = size;
  for (const kid of node.kids)
    size += typeof kid === 'string' ? textSize(node, kid, indent, textMax) : measure(kid, indent + 2, urls, textMax);
  return (node.size = size);
}

// An only text stands on the node's own line.
const textSize = ({ kids }, text, indent, textMax = kTextMax) =>
  Math.min(text.length, textMax) + (kids.length === 1 ? 2 : indent + 12);

const kSummaryRoom = 34; // ": … 180 more items" and its indentation
const kLeastText = 60; // characters that are shown of a text that is cut
const kGapRoom = 26; // "- text: … 180 more items" without its indentation
const kRefRoom = 13; // " [ref=e12345]"
const kOwnShare = 400; // characters: where each item of a list may have as many, they are regions rather than items
const kLesserShare = 300; // characters that what stands around every page has before what one came for fills the rest
const kTextSteps = [2000, 1000, 500, 240]; // characters that texts are cut to before elements are left out
const kLastLineRoom = 125; // for the line that says what was cut

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
  if (room <= kGapRoom) {
    plan.cuts.set(node, []);
    return;
  }
  const sizes = kids.map((kid) => (typeof kid === 'string' ? textSize(node, kid, indent, plan.textMax) : kid.size));
  let least = 0; // to name them all
  for (let i = 0; i < kids.length; i++) least += leastOf(kids[i], sizes[i]);
  const ownShare = least <= room && room / kids.length >= kOwnShare;
  if ((isListLike(kids) && !ownShare) || least > room) planList(node, sizes, room, indent, plan);
  else planRegions(node, sizes, room, indent, plan);
}

const leastOf = (kid, size) => Math.min(size, (typeof kid === 'string' ? 0 : kid.head) + kSummaryRoom);

// Of a list is shown what isn't like the others (its headings, a form below it, the button that ends it), one line of
// each item that has a name to be asked for by, and the first items, in that order as far as there is room.
function planList(node, sizes, room, indent, plan) {
  const { kids } = node;
  const gap = indent + kGapRoom;
  const shown = new Map(); // index -> characters
  let left = room;
  const take = (i, size, most) => {
    if (shown.has(i) || size > left - most) return;
    shown.set(i, size);
    left -= size;
  };
  const usual = mostOf(kids).role;
  const isKey = (kid) => kindOf(kid) !== usual || kOutline.has(kindOf(kid));
  const keys = kids.map((_, i) => i).filter((i) => typeof kids[i] !== 'string' && isKey(kids[i]));
  if (keys.length < kids.length) {
    keys.sort((a, b) => rankOf(kids[b]) - rankOf(kids[a]) || headingLevel(kids[a]) - headingLevel(kids[b]) || a - b);
    // The more there are, the less of each: but a part of the room stays for the items.
    for (const i of keys) take(i, leastOf(kids[i], sizes[i]) + gap + kRefRoom, room / 8);
  }
  const named = kids.map((_, i) => i).filter((i) => kNamed.has(kindOf(kids[i])) && kids[i].name !== '');
  for (const i of named) take(i, leastOf(kids[i], sizes[i]) + kRefRoom, room / 4);
  // What is shown in short gets more: first what isn't like the others, then the first items.
  const grow = (i) => {
    const before = shown.get(i) ?? 0;
    if (sizes[i] <= before) return true;
    if (sizes[i] > left + before) return false;
    shown.set(i, sizes[i]);
    left -= sizes[i] - before;
    return true;
  };
  for (const i of keys) if (shown.has(i)) grow(i);
  let whole = 0;
  while (whole < kids.length && grow(whole)) whole++;
  // The first one that is too large is cut, not dropped, where much room is left, nothing of its kind is shown or nothing
  // else is missing.
  const isOnly = whole === kids.length - 1 || !kids.slice(0, whole).some((kid) => kindOf(kid) === usual);
  if (whole < kids.length && (isOnly || left > kOwnShare) && typeof kids[whole] !== 'string') {
    const mine = left + (shown.get(whole) ?? 0);
    shown.set(whole, mine);
    left = 0;
  }
  const order = [...shown.keys()].sort((a, b) => a - b);
  for (const i of order)
    if (sizes[i] > shown.get(i) && typeof kids[i] !== 'string')
      planCuts(kids[i], Math.max(shown.get(i) - gap - kRefRoom, 0), indent + 2, plan);
  if (order.length < kids.length) plan.cuts.set(node, order);
  for (const i of keys) if (shown.has(i) && kids[i].role === 'heading') (plan.outline ??= new Set()).add(kids[i]);
}

const kOutline = words('heading dialog alertdialog alert form search main navigation');
const kNamed = words('region group article listitem row tabpanel table list grid figure');
const kindOf = (kid) => (typeof kid === 'string' ? 'text' : kid.role);
const headingLevel = (kid) => Number(/\[level=(\d)\]/.exec(kid.states)?.[1] ?? 0);

// Regions share what there is, the best first: small ones whole, what they leave goes to the large ones alike.
function planRegions(node, sizes, room, indent, plan) {
  const { kids } = node;
  let left = room;
  for (const rank of kRanks) {
    const members = kids.map((_, i) => i).filter((i) => rankOf(kids[i]) === rank);
    let kept = 0; // for those that come later: their heads, and a little of what they hold
    let wish = 0;
    for (let i = 0; i < kids.length; i++) {
      if (rankOf(kids[i]) >= rank) continue;
      kept += leastOf(kids[i], sizes[i]);
      wish += Math.min(sizes[i], Math.max(leastOf(kids[i], sizes[i]), kLesserShare));
    }
    kept = Math.max(kept, Math.min(wish, Math.floor(room / 4)));
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

// The role that most of them have, and how many have it.
function mostOf(kids) {
  const counts = new Map();
  for (const kid of kids) counts.set(kindOf(kid), (counts.get(kindOf(kid)) ?? 0) + 1);
  const role = [...counts.keys()].reduce((a, b) => (counts.get(b) > counts.get(a) ? b : a));
  return { role, count: counts.get(role) };
}

// Many of a kind are a list, whatever the page calls it; the regions of a page are none.
function isListLike(kids) {
  if (kids.length < 8) return false;
  const { role, count } = mostOf(kids);
  if (!kItems.has(role) && kids.some((kid) => rankOf(kid) !== rankOf(kids[0]))) return false;
  return count >= kids.length * 0.6 || kids.length > 40;
}

// Nodes that have a ref only because they were cut, in the snapshot that is told now.
let lent = [];

function takeBackRefs() {
  for (const node of lent) {
    node.rec = null;
    node.header = null;
  }
  lent = [];
}

// Cuts a measured node down to `budget` characters.
function cutNode(node, budget, indent, plan) {
  plan.cuts ??= new Map();
  planCuts(node, budget, indent, plan);
  // What is summed up must be reachable: a cut region gets a ref even where it wouldn't have one, and so does a heading
  // that stands for what was left out below it.
  for (const cut of [...plan.cuts.keys(), ...(plan.outline ?? [])])
    if (cut.role !== 'fragment' && !cut.rec && elementOf(cut) !== null) {
      cut.rec = mintRef(cut);
      cut.header = null;
      lent.push(cut);
    }
}

function measureTop(top, urls, textMax) {
  top.head = 0;
  top.size = 0;
  for (const kid of top.kids)
    top.size += typeof kid === 'string' ? Math.min(kid.length, textMax) + 10 : measure(kid, 0, urls, textMax);
  return top.size;
}

// A whole page in `budget` characters; one of up to `whole` is left as it is. URLs go first, then the ends of long texts,
// then elements. `plan.cutFrom`: the characters that all of it has, where more than URLs is missing.
function fitTree(top, { budget, whole }, plan, out) {
  const size = measureTop(top, true, kTextMax);
  if (size <= Math.max(budget, whole)) return;
  out.cut = true;
  plan.urls = false;
  if (measureTop(top, false, kTextMax) <= budget) return;
  plan.cutFrom = size;
  const room = budget > 4 * kLastLineRoom ? budget - kLastLineRoom : budget;
  for (const textMax of kTextSteps) {
    plan.textMax = textMax;
    if (measureTop(top, false, textMax) <= room) return;
  }
  cutNode(top, room, 0, plan);
}

export { cutNode, fitTree, measure, takeBackRefs };
