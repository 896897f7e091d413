// What the visit of an element has looked at besides the element, what is around it and what is below it. A delta walks
// again only what has changed, so that whatever depends on something else must be known: each such look is noted here.

const BOX = 1; // boxes, scroll positions, hit tests: anything may move them
const LABELS = 2; // which label belongs to which control, and what those say
const IDS = 4; // an element that an attribute names by its id

let noted = 0;

function note(bits) {
  noted |= bits;
}

// Begins a count of its own, and returns the one before.
function swapNoted(bits) {
  const before = noted;
  noted = bits;
  return before;
}

export { BOX, LABELS, IDS, noted, note, swapNoted };
