// The budget: what is left out is what is worth least, and each region that is cut leaves one line with a ref and a count.

import { words } from '../dom/collections.js';
import { elementOf, kTextLevel } from '../tree/node.js';
import { hasOptions } from '../tree/options.js';
import { isScrolledAway } from '../tree/positions.js';
import { mintRef } from '../tree/refs.js';
import {
  leaveButtons,
  leaveClipped,
  leaveHands,
  leaveOptions,
  leaveScrolled,
  leaveUnseen,
  takeBackHands,
} from './lighten.js';
import { measure, textSize } from './sizes.js';
import { controlsAlike, kEmpty, kindOf, kOwnWords, mostOf, rankOf, worthInItem } from './worth.js';

const kSummaryRoom = 34; // ": … 180 more items" and its indentation
const kLeastText = 60; // characters that are shown of a text that is cut
const kGapRoom = 26; // "- text: … 180 more items" without its indentation
const kRefRoom = 13; // " [ref=e12345]"
const kItemRoom = 600; // characters: where an item of a list has more, it is a region with parts of its own
const kLeastItem = 90; // characters: in less of an item nothing is told, without its parts' indentation
const kFewItems = 3;
const kOwnShare = 400; // characters: where each item of a list may have as many, they are regions rather than items
const kLesserShare = 300; // characters that what stands around every page has before what one came for fills the rest
const kTextSteps = [2000, 1000, 500, 240]; // characters that texts are cut to before elements are left out
const kLastLineRoom = 125; // for the line that says what was cut

const kItems = words('listitem row option treeitem menuitem article cell gridcell link button');

// `alike`: of an item of a list, the controls that all items have; null elsewhere.
function planCuts(node, budget, indent, plan, alike = null) {
  if (node.size <= budget) return;
  const { kids } = node;
  const room = budget - node.head - kSummaryRoom - indent;
  if (kids.length === 0) return;
  if (hasOptions(node)) {
    (plan.shortSelects ??= new Set()).add(node);
    return;
  }
  const told = plan.leftOut === null ? kids : kids.filter((kid) => !plan.leftOut.has(kid));
  if (told.length <= 1) {
    // One thing is never summed up: it is cut itself.
    if (typeof told[0] === 'string') (plan.textCuts ??= new Map()).set(node, Math.max(room, kLeastText));
    else if (told.length === 1) planCuts(told[0], Math.max(room, 0) + kSummaryRoom, indent + 2, plan, alike);
    return;
  }
  if (room <= kGapRoom) {
    plan.cuts.set(node, []);
    return;
  }
  if (plan.cuts.has(node)) {
    let left = room;
    plan.cuts.set(
      node,
      plan.cuts.get(node).filter((i) => (left -= kids[i].size) >= 0),
    );
    return;
  }
  const sizes = kids.map((kid) => (typeof kid === 'string' ? textSize(node, kid, indent, plan.textMax) : kid.size));
  if (node.role === 'row' || (alike !== null && room < kItemRoom)) {
    planItem(node, sizes, room, indent, plan, alike ?? kNone);
    return;
  }
  let least = 0; // to name them all
  for (let i = 0; i < kids.length; i++) least += leastOf(kids[i], sizes[i]);
  const ownShare = least <= room && room / kids.length >= kOwnShare;
  if ((isListLike(told) && !ownShare) || least > room || hasNoRoomForEach(kids, room, indent))
    planList(node, sizes, room, indent, plan);
  else planRegions(node, sizes, room, indent, plan, alike);
  if (plan.cuts.has(node) && plan.cuts.get(node).length === 0) return;
  joinCounts(node, plan);
}

const kNone = new Set();

// Items without names of which nothing but a count would be left.
function hasNoRoomForEach(kids, room, indent) {
  const { role, count } = mostOf(kids);
  return (
    kItems.has(role) &&
    count >= kFewItems &&
    room / kids.length < kLeastItem + 2 * indent &&
    !kids.some((kid) => kindOf(kid) === role && kid.name !== '')
  );
}

// Counts side by side, each of something without a name, are one count.
function joinCounts(node, plan) {
  const { kids } = node;
  const shown = plan.cuts.get(node) ?? kids.map((_, i) => i);
  const isCount = (i) =>
    typeof kids[i] !== 'string' &&
    kids[i].name === '' &&
    kids[i].value === null &&
    !plan.leftOut?.has(kids[i]) &&
    plan.cuts.get(kids[i])?.length === 0;
  const isJoined = (i, at) => isCount(i) && (isBeside(at - 1, i) || isBeside(at + 1, i));
  const isBeside = (at, i) => at >= 0 && at < shown.length && Math.abs(shown[at] - i) === 1 && isCount(shown[at]);
  const left = shown.filter((i, at) => !isJoined(i, at));
  if (left.length === shown.length) return;
  for (const i of shown) if (!left.includes(i)) plan.cuts.delete(kids[i]);
  plan.cuts.set(node, left);
}

// Of an item what says most of it is shown whole, as far as there is room; the first that has too little is cut.
function planItem(node, sizes, room, indent, plan, alike) {
  const { kids } = node;
  const gap = indent + kGapRoom;
  const worth = kids.map((kid) => (plan.leftOut?.has(kid) ? kEmpty : worthInItem(kid, alike)));
  const order = kids.map((_, i) => i).filter((i) => worth[i] !== kEmpty);
  const shown = new Set();
  let left = room;
  let gaps = 1;
  for (const i of order.sort((a, b) => worth[b] - worth[a] || a - b)) {
    const isEdge = (n) => n < 0 || n === kids.length || shown.has(n);
    const after = gaps + 1 - (isEdge(i - 1) ? 1 : 0) - (isEdge(i + 1) ? 1 : 0);
    const most = left - Math.max(after - 1, 0) * gap;
    if (sizes[i] <= most) left -= sizes[i];
    else if (worth[i] === kOwnWords && typeof kids[i] !== 'string' && most > leastOf(kids[i], sizes[i]) + kLeastText) {
      planCuts(kids[i], most - kRefRoom, indent + 2, plan, alike);
      left -= most;
    } else continue;
    gaps = after;
    shown.add(i);
  }
  plan.cuts.set(node, closeGaps(shown, sizes, gap));
}

// A thing that is no longer than the line that would count it has its place.
function closeGaps(shown, sizes, gap) {
  const isShown = (i) => i < 0 || i >= sizes.length || shown.has(i);
  const order = [];
  for (let i = 0; i < sizes.length; i++)
    if (shown.has(i) || (sizes[i] <= gap && isShown(i - 1) && isShown(i + 1))) order.push(i);
  return order;
}

const leastOf = (kid, size) =>
  Math.min(size, typeof kid === 'string' ? kSummaryRoom : (roomOfSelect(kid) ?? kid.head + kSummaryRoom));

// The least that a select takes, and what holds nothing but one.
function roomOfSelect(node) {
  if (hasOptions(node)) return node.head + kSummaryRoom;
  if (node.kids.length !== 1 || typeof node.kids[0] === 'string') return null;
  const inside = roomOfSelect(node.kids[0]);
  return inside === null ? null : node.head + inside;
}

// Of a list is shown what isn't like the others (its headings, a form below it, the button that ends it), one line of
// each item that has a name to be asked for by, and the first items, in that order as far as there is room. Where those are
// scrolled away, the first ones that one sees are. Of a sentence it is the beginning.
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
  const isKey = (kid) => kindOf(kid) !== usual || kOutline.has(kindOf(kid)) || isChosen(kid);
  const all = kids.map((_, i) => i).filter((i) => typeof kids[i] !== 'string' && !plan.leftOut?.has(kids[i]));
  const keys = isProse(kids) ? [] : all.filter((i) => isKey(kids[i]));
  if (keys.length < kids.length) {
    keys.sort((a, b) => rankOf(kids[b]) - rankOf(kids[a]) || headingLevel(kids[a]) - headingLevel(kids[b]) || a - b);
    // The more there are, the less of each: but a part of the room stays for the items.
    for (const i of keys) take(i, leastOf(kids[i], sizes[i]) + gap + kRefRoom, room / 8);
  }
  const named = all.filter((i) => kNamed.has(kindOf(kids[i])) && kids[i].name !== '');
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
  const first = firstInView(kids);
  let whole = first;
  while (whole < kids.length && grow(whole)) whole++;
  if (whole === kids.length) for (let i = first - 1; i >= 0 && grow(i); ) i--;
  // The first one that is too large is cut, not dropped, where much room is left, nothing of its kind is shown or nothing
  // else is missing.
  const isOnly = whole === kids.length - 1 || !kids.slice(0, whole).some((kid) => kindOf(kid) === usual);
  if (whole < kids.length && (isOnly || left > kOwnShare) && typeof kids[whole] !== 'string') {
    const mine = left + (shown.get(whole) ?? 0);
    shown.set(whole, mine);
    left = 0;
  }
  const order = closeGaps(shown, sizes, gap);
  const alike = controlsAlike(kids);
  for (const i of order)
    if (sizes[i] > shown.get(i) && typeof kids[i] !== 'string')
      planCuts(kids[i], Math.max(shown.get(i) - gap - kRefRoom, 0), indent + 2, plan, alike);
  if (order.length < kids.length) plan.cuts.set(node, order);
  for (const i of keys) if (shown.has(i) && kids[i].role === 'heading') (plan.outline ??= new Set()).add(kids[i]);
}

const isProse = (kids) =>
  kids.some((kid) => typeof kid === 'string') &&
  kids.every((kid) => typeof kid === 'string' || kid.role === 'link' || kTextLevel.has(kid.role));

function firstInView(kids) {
  const isAway = (kid) => typeof kid === 'string' || isScrolledAway(kid);
  if (kids.length === 0 || typeof kids[0] === 'string' || !isAway(kids[0])) return 0;
  return Math.max(
    kids.slice(0, kItemsLooked).findIndex((kid) => !isAway(kid)),
    0,
  );
}
const kItemsLooked = 1000;

// What one has chosen among the items.
const isChosen = ({ role, states }) => kChoices.has(role) && /\[(selected|checked|active|highlighted)\]/.test(states);
const kChoices = words('option tab treeitem radio menuitemradio');
const kOutline = words('heading dialog alertdialog alert form search main navigation');
const kNamed = words('region group article listitem row tabpanel table list grid figure');
const headingLevel = (kid) => Number(/\[level=(\d)\]/.exec(kid.states)?.[1] ?? 0);

const kRanks = [2, 1, 0];

// Regions share what there is, the best first: small ones whole, what they leave goes to the large ones alike.
function planRegions(node, sizes, room, indent, plan, outer) {
  const { kids } = node;
  const alike = areItems(kids) ? controlsAlike(kids) : outer;
  const ranks = kids.map(rankOf);
  let left = room;
  for (const rank of kRanks) {
    const members = kids.map((_, i) => i).filter((i) => ranks[i] === rank);
    let kept = 0; // for those that come later: their heads, and a little of what they hold
    let wish = 0;
    for (let i = 0; i < kids.length; i++) {
      if (ranks[i] >= rank) continue;
      kept += leastOf(kids[i], sizes[i]);
      wish += Math.min(sizes[i], Math.max(leastOf(kids[i], sizes[i]), kLesserShare));
    }
    kept = Math.max(kept, Math.min(wish, Math.floor(room / 4)));
    let mine = Math.max(left - kept, 0);
    let waiting = members.length;
    const whole = new Set(members.filter((i) => isHead(kids[i]) && sizes[i] <= mine / 2));
    for (const i of members.sort((a, b) => whole.has(b) - whole.has(a) || sizes[a] - sizes[b])) {
      const share = whole.has(i) ? sizes[i] : Math.floor(mine / waiting);
      waiting--;
      let used = sizes[i];
      if (used > share) {
        if (typeof kids[i] !== 'string') planCuts(kids[i], share, indent + 2, plan, alike);
        used = Math.min(used, Math.max(share, leastOf(kids[i], sizes[i])));
      }
      mine = Math.max(mine - used, 0);
      left -= used;
    }
  }
}

// The headers of a table, which say what its cells are, as which month the days of a calendar are of.
const isHead = (kid) =>
  kid.role === 'rowgroup' && kid.kids.some((row) => row.kids?.some(({ role }) => role === 'columnheader'));

// Several boxes that have controls alike are items too, whatever the page calls them.
function areItems(kids) {
  const { role, count } = mostOf(kids);
  return kItems.has(role) || (kPlainBoxes.has(role) && count >= kFewItems && controlsAlike(kids).size > 0);
}
const kPlainBoxes = words('list group generic');

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
  takeBackHands();
}

// Cuts a measured node down to `budget` characters.
function cutNode(node, budget, indent, plan) {
  plan.cuts ??= new Map();
  planCuts(node, budget, indent, plan);
  lendRefs(plan);
}

function lendRefs(plan) {
  // What is summed up must be reachable: a cut region gets a ref even where it wouldn't have one, and so does a heading
  // that stands for what was left out below it.
  for (const cut of [...(plan.cuts?.keys() ?? []), ...(plan.outline ?? [])])
    if (cut.role !== 'fragment' && !cut.rec && elementOf(cut) !== null) {
      cut.rec = mintRef(cut);
      cut.header = null;
      lent.push(cut);
    }
}

function measureTop(top, plan) {
  const lists = new Set();
  top.head = 0;
  top.size = 0;
  for (const kid of top.kids) {
    if (typeof kid === 'string') top.size += Math.min(kid.length, plan.textMax) + 10;
    else if (plan.leftOut?.has(kid)) kid.size = 0;
    else top.size += measure(kid, 0, plan, lists);
  }
  return top.size;
}

// Leaves out what is worth least in `trees`, [node, indent] of each, step by step: whether they have room then. `excess`
// measures how many characters they have too many.
function lighten(trees, excess, room, plan) {
  for (const leave of kSteps) {
    const over = excess();
    if (over > 0) leave(trees, over, plan, room);
  }
  lendRefs(plan);
  return excess() <= 0;
}
const kSteps = [leaveOptions, leaveUnseen, leaveClipped, leaveScrolled, leaveHands, leaveButtons];

// A whole page in `budget` characters; one of up to `whole` is left as it is. What the page before has told goes first, and alone
// where that is enough; then URLs, then what lighten() leaves out, then the ends of long texts, then elements. `plan.cutFrom`: the
// characters that all of it has, where more than URLs is missing.
function fitTree(top, { budget, whole }, plan, out) {
  const size = measureTop(top, plan);
  if (size <= Math.max(budget, whole)) return;
  if (plan.toldBefore?.size > 0) {
    plan.asBefore = plan.toldBefore;
    if (measureTop(top, plan) <= Math.max(budget, whole)) return;
  }
  out.cut = true;
  plan.urls = false;
  if (measureTop(top, plan) <= budget) return;
  plan.cutFrom = size;
  const room = budget > 4 * kLastLineRoom ? budget - kLastLineRoom : budget;
  const trees = [[top, -2]];
  const excess = () => measureTop(top, plan) - room;
  if (lighten(trees, excess, room, plan)) return;
  for (const textMax of kTextSteps) {
    plan.textMax = textMax;
    if (measureTop(top, plan) <= room) return;
  }
  cutNode(top, room, 0, plan);
}

export { cutNode, fitTree, lighten, takeBackRefs };
