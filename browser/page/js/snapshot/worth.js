// What a part of a page is worth where there is no room for all.

import { words } from '../dom/collections.js';

// What a person came for, and what stands around it on every page.
const kFirst = words('dialog alertdialog alert main form search menu listbox');
const kLast = words('banner navigation contentinfo complementary');

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

const kindOf = (kid) => (typeof kid === 'string' ? 'text' : kid.role);

// The role that most of them have, and how many have it.
function mostOf(kids) {
  const counts = new Map();
  for (const kid of kids) counts.set(kindOf(kid), (counts.get(kindOf(kid)) ?? 0) + 1);
  const role = [...counts.keys()].reduce((a, b) => (counts.get(b) > counts.get(a) ? b : a));
  return { role, count: counts.get(role) };
}

// --- The parts of an item of a list, or of a row: first those with words of their own, as what each item has alike says
// nothing of this one; last what is empty.

const kOwnWords = 2;
const kNumberOnly = 1.5; // a counter's more often than what tells the item from others
const kNoWords = 1;
const kEmpty = 0;

// `alike`: the controls that the items have alike.
function worthInItem(kid, alike) {
  if (typeof kid === 'string') return kOwnWords;
  if (holdsNothing(kid)) return kEmpty;
  return hasOwnWords(kid, alike) ? (isCounted(kid) ? kNumberOnly : kOwnWords) : kNoWords;
}

const isCounted = ({ role, name, kids }) => kCells.has(role) && kids.length === 0 && /^\d+$/.test(name);

const holdsNothing = ({ role, name, value, kids, url, hint, called, states, rec }) =>
  kids.length === 0 &&
  (name + called + states).trim() === '' &&
  value === null &&
  url === null &&
  hint === null &&
  (rec === null || kCells.has(role));
const kCells = words('cell gridcell'); // a place to type when it is empty, which says nothing

function hasOwnWords(node, alike) {
  if (kRepeated.has(node.role) && (!/[\p{L}\p{N}]/u.test(node.name) || isAlike(node, alike))) return false;
  if (node.name !== '' || node.value !== null || (node.told !== null && !isAlike(node, alike))) return true;
  return node.kids.some((kid) => typeof kid === 'string' || hasOwnWords(kid, alike));
}

const kRepeated = words('link button checkbox radio switch menuitem');
const kTicked = words('checkbox radio switch');
const controlKey = ({ role, name, called }) => `${role} ${name === '' ? called : name}`;
const isAlike = (node, alike) => alike.has(controlKey(node)) || (kTicked.has(node.role) && alike.has(node.role));

// Of items of one kind the controls, and the icons without words, that at least half of them have, which a few of them tell; null: they are no items.
function controlsAlike(kids) {
  const { role, count } = mostOf(kids);
  if (role === 'text' || count < 2) return null;
  const sample = kids.filter((kid) => kindOf(kid) === role).slice(0, kSample);
  const counts = new Map();
  for (const item of sample) {
    const controls = [];
    collectControls(item, controls, kSampled);
    const keys = new Set(controls.map(controlKey));
    // The box that selects a row is the same whatever it is called.
    for (const box of kTicked) if (controls.filter((control) => control.role === box).length === 1) keys.add(box);
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const alike = new Set();
  for (const [key, number] of counts) if (number >= 2 && number >= sample.length / 2) alike.add(key);
  return alike;
}
const kSample = 20; // items
const kSampled = 100; // nodes of each

function collectControls(node, controls, room) {
  if (kRepeated.has(node.role) || (node.told !== null && node.name === '')) controls.push(node);
  for (const kid of node.kids) {
    if (room <= 0) break;
    if (typeof kid !== 'string') room = collectControls(kid, controls, room - 1);
  }
  return room;
}

export { controlsAlike, kCells, kEmpty, kindOf, kOwnWords, mostOf, rankOf, worthInItem };
