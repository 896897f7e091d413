// What the walk made of each element, so that a delta walks again only where something has changed: what it has put into
// its parent's node, from which parts, and under which circumstances.

import { attr } from '../dom/members.js';
import { areLooksSame, BOX, IDS, LABELS, UNREPEATED } from '../dom/noted.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { ownerOf } from './owned.js';

// What is to be done about an element, in this order.
const CLEAN = 0;
const PATH = 1; // visited again, for what is below it has changed; its own text has not
const SELF = 2; // visited again, with its own text
const DEEP = 3; // visited again with all that is below it

// An element has one entry for as long as it lives. An entry keeps no element alive: `el` is there during a pass only.
const entries = new WeakMap();

const newEntry = () => ({
  kids: [], // what was put into the parent's node: nodes and texts
  parts: null, // of which entries and texts those were made, in order; null: of no entries
  walked: false, // whether all that it holds was visited, and had been before
  wasWalked: false,
  hidden: false, // under which circumstances: visibility, sight, what can be clicked around it, aria-hidden, a grid, preformatted text
  sight: 0,
  pointed: null,
  quiet: false,
  inGrid: false,
  isPre: false,
  shown: 0, // texts and pictures to be seen, and texts left out: all, and by its own
  unseen: 0,
  ownShown: 0,
  ownUnseen: 0,
  anyQuiet: false,
  slide: null, // whether its box clips it, if it is a slide
  slides: null, // those that it shows or clips, as WeakRefs
  noted: 0, // what its visit has looked at (dom/noted.js)
  weak: null,
  host: -1, // in which round it was kept as one that may get a shadow root, and as one that may have a closed one
  asked: -1,
  state: CLEAN,
  el: null,
  visited: 0, // the last pass that did
});

// Whether what it holds is visited under the circumstances of its last visit.
const haveSameCircumstances = (entry, node, hidden, sight, { quiet, inGrid, isPre }) =>
  entry.hidden === hidden &&
  entry.sight === sight &&
  entry.quiet === quiet &&
  entry.inGrid === inGrid &&
  entry.isPre === isPre &&
  entry.pointed === keyOfPointed(node.pointed);

function keepCircumstances(entry, node, hidden, sight, { quiet, inGrid, isPre }) {
  entry.hidden = hidden;
  entry.sight = sight;
  entry.quiet = quiet;
  entry.inGrid = inGrid;
  entry.isPre = isPre;
  entry.pointed = keyOfPointed(node.pointed);
}

// What stands for an element with a pointer cursor, which parts of it compare their class with.
const pointedKeys = new WeakMap();

function keyOfPointed(pointed) {
  if (pointed === null || typeof pointed === 'string') return pointed;
  const known = pointedKeys.get(pointed);
  const name = attr(pointed, 'class');
  if (known !== undefined && known.name === name) return known;
  const key = { name };
  pointedKeys.set(pointed, key);
  return key;
}

// Entries by what their visits have looked at.
const lookers = new Map([BOX, LABELS, IDS].map((bit) => [bit, new Set()]));

// The looks of those whose visit was at boxes alone, by element: they hold other elements, which must not outlive it.
const looksAtBoxes = new WeakMap();

function noteLooker(entry, el, { bits, looks }) {
  if (bits === 0 && entry.noted === 0) return;
  entry.weak ??= new WeakRef(el);
  for (const [bit, found] of lookers) {
    if (bits & bit) found.add(entry);
    else if (entry.noted & bit) found.delete(entry);
  }
  entry.noted = bits;
  if (bits & BOX && !(bits & UNREPEATED)) looksAtBoxes.set(el, looks);
  else looksAtBoxes.delete(el);
}

// Whether what the visit of an element has looked at is where it was.
function areBoxesSame(el) {
  const looks = looksAtBoxes.get(el);
  return looks !== undefined && areLooksSame(looks);
}

// The elements whose visit has looked at one of these.
function lookersAt(bit) {
  const found = [];
  for (const entry of lookers.get(bit)) {
    const el = entry.weak.deref();
    if (el !== undefined && entries.get(el) === entry) found.push(el);
    else lookers.get(bit).delete(entry);
  }
  return found;
}

function forgetEntries() {
  for (const found of lookers.values()) found.clear();
}

// --- The stamps of a pass

let stamped = []; // entries
let climbed = new Set(); // elements that hold what was stamped
let deep = new Set(); // elements

// Stamps an element, or what is around it and was visited, and all that holds it.
function stamp(el, state) {
  if (state === DEEP) deep.add(el);
  let at = el;
  let entry = entries.get(at);
  while (entry === undefined) {
    climb(at);
    at = flatParentOf(at);
    if (at === null) return;
    entry = entries.get(at);
    state = SELF;
  }
  raise(entry, at, state);
  while (!climbed.has(at)) {
    climb(at);
    at = flatParentOf(at);
    if (at === null) return;
    entry = entries.get(at);
    if (entry !== undefined) raise(entry, at, PATH);
  }
}

// What is owned is a part of its owner's, too.
function climb(el) {
  const isNew = !climbed.has(el);
  climbed.add(el);
  const owner = isNew ? ownerOf(el) : null;
  if (owner !== null) stamp(owner, SELF);
}

function raise(entry, el, state) {
  if (entry.state === CLEAN) stamped.push(entry);
  entry.el = el;
  if (state > entry.state) entry.state = state;
}

// Whether what an element holds, or what is around it, was stamped.
function isTouched(el) {
  if (climbed.has(el)) return true;
  if (deep.size > 0) for (let at = el; at !== null; at = flatParentOf(at)) if (deep.has(at)) return true;
  return false;
}

// After the walk. What was stamped and is no longer part of the page as it is shown is as good as unknown.
function dropStamps(pass) {
  for (const entry of stamped) {
    if (entry.visited !== pass) entries.delete(entry.el);
    entry.state = CLEAN;
    entry.el = null;
  }
  stamped = [];
  climbed = new Set();
  deep = new Set();
}

const deepElements = () => [...deep];
const isDeep = (el) => deep.has(el);

export {
  CLEAN,
  PATH,
  SELF,
  DEEP,
  entries,
  newEntry,
  haveSameCircumstances,
  keepCircumstances,
  noteLooker,
  areBoxesSame,
  lookersAt,
  forgetEntries,
  stamp,
  isTouched,
  dropStamps,
  deepElements,
  isDeep,
};
