// What goes before anything that one could read or act on does, where there is no room for all: the options of selects that
// aren't chosen, the longest lists first, then what nobody can see, the last first, then what carousels clip and boxes have scrolled away, then the buttons of
// bars beside what a form asks for [tool.snapshot.cuts].

import { rectOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { closestFlat, flatParentOf } from '../dom/flat_tree.js';
import { styleOf } from '../dom/style.js';
import { kWidgets } from '../aria/roles.js';
import { elementOf } from '../tree/node.js';
import { hasOptions, optionsIn } from '../tree/options.js';
import { headerText, kNameMax } from './render.js';
import { shortSize } from './sizes.js';

// Of many that stand side by side and are all clicked, as the days of a calendar, only the first says by its pointer that it is.
function leaveHands(trees) {
  const visit = (node) => {
    const hands = node.kids.filter((kid) => typeof kid !== 'string' && kid.pointer === true);
    if (hands.length >= kHandsLeast && hands.every(({ role }) => role === hands[0].role))
      for (const kid of hands.slice(1)) {
        kid.header = headerText({ ...kid, pointer: false }, kNameMax);
        handless.push(kid);
      }
    for (const kid of node.kids) if (typeof kid !== 'string') visit(kid);
  };
  for (const [node] of trees) visit(node);
}
const kHandsLeast = 5;

let handless = []; // nodes whose lines have been made without it

function takeBackHands() {
  for (const node of handless) node.header = null;
  handless = [];
}

// `trees`: [node, indent] of each that was measured; `excess`: how many characters they have too many.
function leaveOptions(trees, excess, plan) {
  const lists = new Map();
  const visit = (node, indent) => {
    if (hasOptions(node)) {
      const { key } = optionsIn(node);
      const list = lists.get(key) ?? { selects: [], saved: 0 };
      list.selects.push(node);
      list.saved += Math.max(node.size - shortSize(node, indent), 0);
      lists.set(key, list);
    } else for (const kid of node.kids) if (typeof kid !== 'string') visit(kid, indent + 2);
  };
  for (const [node, indent] of trees) visit(node, indent);
  for (const { selects, saved } of [...lists.values()].sort((a, b) => b.saved - a.saved)) {
    if (excess <= 0 || saved === 0) break;
    plan.shortSelects ??= new Set();
    for (const select of selects) plan.shortSelects.add(select);
    excess -= saved;
  }
}

// No part that is more than half of `most` goes as a whole, so that of what is unseen altogether something stays.
function leaveUnseen(trees, excess, plan, most) {
  const parts = [];
  for (const [node] of trees) if (isUnseenWhole(node, parts)) parts.push(node);
  const leave = (node) => {
    if (excess <= 0) return;
    if (node.size > most / 2 && node.kids.some((kid) => typeof kid !== 'string')) {
      node.kids.toReversed().forEach((kid) => typeof kid !== 'string' && leave(kid));
      return;
    }
    plan.leftOut ??= new Set();
    plan.leftOut.add(node);
    excess -= node.size;
    plan.controlsLeft += setUntold(node);
  };
  parts.toReversed().forEach(leave);
}

// Of what a carousel clips, such as the months beside the one that a calendar shows, stays its line.
function leaveClipped(trees, excess, plan) {
  const visit = (node) => {
    if (plan.leftOut?.has(node)) return;
    if (node.clip === '') {
      for (const kid of node.kids) if (typeof kid !== 'string') visit(kid);
    } else if (node.size - node.head > kCountRoom && excess > 0) {
      (plan.cuts ??= new Map()).set(node, []);
      excess -= node.size - node.head - kCountRoom;
    }
  };
  for (const [node] of trees) visit(node);
}

// The same of groups that a box has scrolled away, as the months of a calendar that runs on, where another one is seen in it.
function leaveScrolled(trees, excess, plan) {
  const leaveNumbers = (node) => {
    if (plan.leftOut?.has(node) || plan.cuts?.has(node)) return;
    if (isOfNumbers(node)) excess -= leaveItemsAway(node, plan);
    else for (const kid of node.kids) if (typeof kid !== 'string') leaveNumbers(kid);
  };
  for (const [node] of trees) leaveNumbers(node); // all of them alike, as those of a time's hours and minutes
  const visit = (node) => {
    if (excess <= 0 || plan.leftOut?.has(node) || plan.cuts?.has(node)) return;
    for (const group of awayIn(node)) {
      if (excess <= 0) break;
      (plan.cuts ??= new Map()).set(group, []);
      excess -= group.size - group.head - kCountRoom;
    }
    if (excess > 0) excess -= leaveItemsAway(node, plan);
    for (const kid of node.kids) if (typeof kid !== 'string') visit(kid);
  };
  for (const [node] of trees) visit(node);
}

function awayIn({ kids }) {
  const groups = kids.filter((kid) => typeof kid !== 'string' && kGroups.has(kid.role) && kid.kids.length > 0);
  const away = groups.length < kGroupsLeast ? [] : scrolledAway(groups);
  return away.length === groups.length ? [] : away;
}

// Of nodes that stand in one box those that it has scrolled out of its sight.
function scrolledAway(nodes) {
  const first = elementOf(nodes[0]);
  const box = first && closestFlat(flatParentOf(first), (at) => /auto|scroll/.test(styleOf(at).overflowY));
  if (!box) return [];
  const { top, bottom } = rectOf(box);
  return nodes.filter((node) => {
    const el = elementOf(node);
    const part = el && rectOf(el);
    return part && (part.bottom <= top || part.top >= bottom);
  });
}

// Of the items of a list of choices, as of a day's times, those that are in its sight stay, and those that have a state. Returns
// how many characters that saves.
function leaveItemsAway(list, plan) {
  const { kids } = list;
  if ((!kListsOfChoices.has(list.role) && !isOfNumbers(list)) || kids.length < kChoicesLeast) return 0;
  if (plan.cuts?.has(list)) return 0;
  if (kids.some((kid) => typeof kid === 'string' || kid.role !== kids[0].role)) return 0;
  const away = new Set(scrolledAway(kids).filter(({ states, called }) => states + called === ''));
  if (away.size === 0 || away.size === kids.length) return 0;
  (plan.cuts ??= new Map()).set(
    list,
    kids.map((_, i) => i).filter((i) => !away.has(kids[i])),
  );
  return kids.reduce((sum, kid) => sum + (away.has(kid) ? kid.size : 0), -2 * kCountRoom);
}
// Whether a column holds but numbers of two digits, as the minutes of an hour.
const isOfNumbers = ({ kids }) => kids.length >= kNumbersLeast && kids.every(isTwoDigits);
const isTwoDigits = (kid) =>
  typeof kid !== 'string' && kid.kids.length <= 1 && /^\d\d?$/.test(kid.name || String(kid.kids[0]));
const kNumbersLeast = 20;
const kListsOfChoices = words('listbox menu');
const kChoicesLeast = 12;
const kGroups = words('rowgroup grid table list group');
const kGroupsLeast = 3;

// Whether nobody can see anything of a node that could be operated. Where that holds for parts of it alone, adds those.
function isUnseenWhole(node, parts) {
  const from = parts.length;
  let all = node.unseen || node.kids.length > 0;
  for (const kid of node.kids) {
    if (typeof kid === 'string') all &&= node.unseen;
    else if (isUnseenWhole(kid, parts)) parts.push(kid);
    else all &&= node.unseen && !isSeen(kid);
  }
  const isSeenItself = !node.unseen && (kWidgets.has(node.role) || node.pointer !== false || node.told !== null);
  if (!all || isSeenItself || kStays.has(node.role) || /\[(active|highlighted)\]/.test(node.states)) return false;
  parts.length = from;
  return true;
}
const kStays = words('fragment dialog alertdialog main iframe');

// Beneath what can't be seen itself: text has no mark of its own.
const isSeen = (node) =>
  !node.unseen &&
  (kWidgets.has(node.role) ||
    node.pointer !== false ||
    kStays.has(node.role) ||
    /\[active\]/.test(node.states) ||
    node.kids.some((kid) => typeof kid !== 'string' && isSeen(kid)));

// -> how many controls these are.
function setUntold(node) {
  let count = node.unseen ? 1 : 0;
  node.untold = true;
  for (const kid of node.kids) if (typeof kid !== 'string') count += setUntold(kid);
  return count;
}

// In a form, of a bar of buttons, as an editor has above its text, the first ones stay and a count.
function leaveButtons(trees, excess, plan) {
  const bars = [];
  const visit = (node, inForm) => {
    const isForm = inForm || node.role === 'form';
    if (isForm && isBar(node)) bars.push(node);
    else for (const kid of node.kids) if (typeof kid !== 'string' && !plan.leftOut?.has(kid)) visit(kid, isForm);
  };
  for (const [node] of trees) visit(node, false);
  for (const bar of bars.sort((a, b) => b.size - a.size)) {
    if (excess <= 0) break;
    plan.cuts ??= new Map();
    const shown = bar.kids.map((_, i) => i).filter((i) => i < kBarShown || /\[active\]/.test(bar.kids[i].states));
    plan.cuts.set(bar, shown);
    excess -= bar.size - shown.reduce((sum, i) => sum + bar.kids[i].size, bar.head + kCountRoom);
  }
}
const kBarLeast = 8;
const kBarShown = 3;
const kCountRoom = 40; // "- text: … 15 more items" and its indentation

const isBar = ({ kids }) => kids.length >= kBarLeast && kids.every((kid) => kid.role === 'button');

// What has no other line that tells of it.
function leftOutLines({ urls, controlsLeft }) {
  if (controlsLeft === 0 && urls) return [];
  const controls = `${controlsLeft} invisible control${controlsLeft === 1 ? '' : 's'}`;
  const what =
    controlsLeft === 0
      ? 'URLs are'
      : urls
        ? `${controls} ${controlsLeft === 1 ? 'is' : 'are'}`
        : `URLs and ${controls} are`;
  return [`- text: … ${what} left out for the budget; snapshot a target to see them`];
}

export {
  leaveButtons,
  leaveClipped,
  leaveHands,
  leaveOptions,
  leaveScrolled,
  leaveUnseen,
  leftOutLines,
  takeBackHands,
};
