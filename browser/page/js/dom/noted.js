// What the visit of an element has looked at besides the element, what is around it and what is below it. A delta walks
// again only what has changed, so that whatever depends on something else must be known: each such look is noted here.

const BOX = 1; // boxes, scroll positions, hit tests: anything may move them
const LABELS = 2; // which label belongs to which control, and what those say
const IDS = 4; // an element that an attribute names by its id
const UNREPEATED = 8; // at boxes, of which it isn't kept what each look came to: only another visit tells

let noted = 0;
let looks = null; // that are kept, in a row: the function, the element, what it came to
let isKept = false; // whether those that follow are
let depth = 0; // of notes begun: what is looked at outside of all is nobody's

function note(bits) {
  noted |= bits & BOX ? bits | UNREPEATED : bits;
}

// A look at a box: `read(el)` came to `value`, a number or a DOMRect.
function noteLook(read, el, value) {
  noted |= isKept ? BOX : BOX | UNREPEATED;
  if (isKept) (looks ??= []).push(read, el, value);
}

// Begins notes of their own; endNotes gives them, and goes on with those before. `keeps`: whether what follows depends on boxes
// alone, by looks that can be repeated.
function beginNotes(keeps = false) {
  const outer = { bits: noted, looks, keeps: isKept };
  noted = 0;
  looks = null;
  isKept = keeps;
  depth++;
  return outer;
}

function endNotes(outer) {
  const notes = { bits: noted, looks };
  noted = outer.bits;
  ({ looks, keeps: isKept } = outer);
  depth--;
  return notes;
}

// What was noted before, where its outcome is used.
function addNotes(notes) {
  noted |= notes.bits;
  if (notes.looks !== null && depth > 0) (looks ??= []).push(...notes.looks);
}

// A visit that was ended by force has not ended its notes.
function dropNotes() {
  noted = depth = 0;
  looks = null;
  isKept = false;
}

// Whether all looks come to what they came to.
function areLooksSame(all) {
  for (let i = 0; i < all.length; i += 3) if (!isSameLook(all[i](all[i + 1]), all[i + 2])) return false;
  return true;
}

const isSameLook = (now, was) =>
  now === was ||
  (typeof now === 'object' &&
    now.left === was.left &&
    now.top === was.top &&
    now.width === was.width &&
    now.height === was.height);

export { BOX, LABELS, IDS, UNREPEATED, note, noteLook, beginNotes, endNotes, addNotes, dropNotes, areLooksSame };
