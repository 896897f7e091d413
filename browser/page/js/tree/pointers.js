// What a person would take for something to click though no role says so: by its cursor, by its picture
// [tool.snapshot.pointers]. All that makes an element clickable without a role is asked here.

import {
  assignedNodesOf,
  attr,
  closestOf,
  firstChildOf,
  firstElementOf,
  hasAttr,
  inputTypeOf,
  isElement,
  isSvg,
  kTickTypes,
  labelControlOf,
  matchesSelector,
  nextElementOf,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  previousElementOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { closestFlat, flatContains, flatParentOf, meets } from '../dom/flat_tree.js';
import { BOX, note } from '../dom/noted.js';
import { inState } from '../dom/states.js';
import { styleOf } from '../dom/style.js';
import { getsHand } from '../dom/sheets.js';
import { CURSOR, PICTURE, traitsOf } from '../dom/traits.js';
import { shadowRootOf } from '../dom/shadow_roots.js';
import { isPrinted, printedFor } from './natives.js';
import { kClickable } from './node.js';
import { controlRemovedBy } from './removers.js';
import { isShapeForMouse } from './shapes.js';
import { kPictured } from './sight_marks.js';

// What lies in one of these is a part of it: ripples, icons, touch targets.
const kWhole = words('button link checkbox radio tab menuitem menuitemcheckbox menuitemradio option switch');
const kInControl = 'in a control'; // of node.pointed, else the outermost element with a pointer cursor, or null

// In drawings an attribute may say so. What lets clicks through is none that one aims at.
const hasPointer = (el, traits) =>
  (((traits & CURSOR || hasAttr(el, 'cursor')) && styleOf(el).cursor === 'pointer') || getsHand(el)) &&
  !((isSvg(el) || isChildless(el)) && styleOf(el).pointerEvents === 'none');

// Whether an element of role presentation has a pointer cursor or a handler of its own: the x of a chip.
const isPointedAt = (el, tag, traits, parent) =>
  tag !== 'body' &&
  tag !== 'html' &&
  !(tag === 'input' && hasCursorOfParent(el)) &&
  parent.pointed === null &&
  (hasPointer(el, traits) || (tag === 'img' && hasAttr(el, 'onclick'))) &&
  isChildless(el);

// What draws the sign of a button is pressed with that.
function hasCursorOfParent(el) {
  const around = flatParentOf(el);
  return around !== null && styleOf(around).cursor === styleOf(el).cursor;
}

function markPointer(node, parent, el, tag, role, traits) {
  node.pointed = parent.pointed;
  if (kWhole.has(role) || isWholeLink(tag, role) || (role === 'gridcell' && isNamedStop(el))) {
    node.pointed = kInControl;
    return;
  }
  if (kClickable.has(role)) return;
  if (node.pointed === kInControl) {
    node.pointer = isPartToPress(el, traits) || (traits & CURSOR && isConnector(el) && handleCursor(el));
    return;
  }
  const isPointed = hasPointer(el, traits) && !(kRowParts.has(role) && isLitWithRow(el));
  // A label without text draws its control, also that of one that is disabled.
  if (tag === 'label' && (isPointed || !/\S/.test(textContentOf(el)))) {
    if (printedFor(el, document) !== null) {
      node.pointed = kInControl;
      return;
    }
  }
  // So do the words in the label of what is ticked.
  if (isPointed && node.pointed === null) {
    const label = closestOf(el, 'label');
    const control = label && labelControlOf(label);
    if (control && tagOf(control) === 'input' && kTickTypes.has(inputTypeOf(control)) && isPrinted(control, document)) {
      node.pointed = kInControl;
      return;
    }
  }
  if (isPointed && node.pointed === null && holdsLabelAlone(el)) {
    node.pointed = kInControl;
    return;
  }
  if (!isPointed) {
    node.pointer =
      (traits & CURSOR && handleCursor(el)) || (tag === 'a' && isIconLink(el, node.pointed)) || isShapeForMouse(el);
    return;
  }
  if (node.pointed !== null) node.pointer = isTargetWithin(el, node.pointed);
  else {
    node.pointed = el;
    node.pointer = !isEmpty(el) || (hasBox(el) && !isRipple(el));
  }
}

const isNamedStop = (el) => hasAttr(el, 'tabindex') && hasAttr(el, 'aria-label');
// An item of a tree may hold what unfolds it, but not where a link is all of it.
const isWholeLink = (tag, role) => tag === 'a' && role === 'treeitem';

// Whether a cell has its cursor only while the mouse is over its row, which is clicked as a whole: the row beside it has none there.
function isLitWithRow(cell) {
  const row = flatParentOf(cell);
  if (row === null || !matchesSelector(row, inState('hover'))) return false;
  let other = nextElementOf(row) ?? previousElementOf(row);
  other = other && firstElementOf(other);
  for (let at = previousElementOf(cell); at && other; at = previousElementOf(at)) other = nextElementOf(other);
  return other !== null && styleOf(other).cursor !== 'pointer';
}
const kRowParts = words('cell gridcell');

// Whether a part of a control is pressed by itself: what removes the control, or lies beside its box with a cursor of its own, as
// the plus does at the end of a box's line in a diagram.
function isPartToPress(el, traits) {
  if (!hasPointer(el, traits) || !hasBox(el)) return false;
  const control = controlRemovedBy(el, kWhole) ?? restingAround(el);
  if (control !== null) return !coversMost(el, control);
  const around = flatParentOf(el);
  if (around === null || styleOf(around).cursor === 'pointer') return false;
  const box = closestFlat(around, isButtonLike);
  return box !== null && styleOf(box).cursor === 'pointer' && !meets(el, box);
}
const isButtonLike = (at) => attr(at, 'role') === 'button' || tagOf(at) === 'button' || tagOf(at) === 'a';

// A small place that a line is drawn from, as in a diagram: it is one in a control too.
const isConnector = (el) => styleOf(el).cursor === kConnecting;
const kConnecting = 'crosshair';
const kCaptionMax = 30; // characters: what such a place may be called, as one of several that lead out of a box

// Whether all that a box holds, or a component puts into it, is the label of what the page tells.
function holdsLabelAlone(el) {
  const [part, ...others] = querySelectorAllOf(el, 'label,slot');
  if (part === undefined || others.length > 0) return false;
  const [label, ...rest] = tagOf(part) === 'slot' ? assignedNodesOf(part).filter(isElement) : [part];
  if (label === undefined || rest.length > 0 || tagOf(label) !== 'label') return false;
  const text = textContentOf(el).trim(); // of a component's slot the element has none
  return (text === '' || text === textContentOf(label).trim()) && printedFor(label, document) !== null;
}

// The option around an icon with a pointer cursor which the option hasn't: a chip that its x removes; null where there is none.
function restingAround(el) {
  if (textContentOf(el).trim().length > kSignMax) return null;
  const option = closestFlat(flatParentOf(el), (at) => attr(at, 'role') === 'option');
  return option !== null && styleOf(option).cursor !== 'pointer' ? option : null;
}

// The cursor of what holds no more than a sign and is there to drag something by, or false.
function handleCursor(el) {
  const { cursor } = styleOf(el);
  if (
    !kHandles.test(cursor) ||
    (isSvg(el) && tagOf(el) !== 'svg') ||
    textContentOf(el).trim().length > (cursor === kConnecting ? kCaptionMax : kSignMax) ||
    !hasBox(el)
  )
    return false;
  const { width, height } = rectOf(el);
  if (width > kHandleMax || height > kHandleMax) return false;
  const around = flatParentOf(el);
  if (around === null) return cursor;
  return styleOf(around).cursor !== cursor && !isOneOfHandles(cursor, around) && cursor;
}

// Whether a box has a handle at its lower right corner too, which is enough to resize it by.
function isOneOfHandles(cursor, box) {
  if (!/^([nesw]|ns|ew|nesw|nw|ne|sw)-resize/.test(cursor) || !hasFewChildren(box)) return false;
  for (let child = firstElementOf(box); child; child = nextElementOf(child))
    if (styleOf(child).cursor === 'se-resize') return true;
  return false;
}
const isEdgeOfBox = (el) => flatParentOf(el) !== null && isOneOfHandles(styleOf(el).cursor, flatParentOf(el));
const kHandles = /^(move|grab|crosshair|(nwse|nesw|nw|ne|sw|se)-resize)$/; // those of edges are too many
const kHandleMax = 64; // CSS px

// A shape, a swatch or a sign, with nothing to tell by its look whether it can be clicked: scripts may listen on it, and on
// each of some icons in a row, which may be one thing to click by its cursor.
function isSilent({ el, tag, name, kept, pointer, pointed }) {
  if (name !== '' || kept || pointer || pointed === kInControl) return false;
  if (isSvg(el) && isUnseenBelow(el)) return false;
  if (pointed === null && isChildless(el)) return isSilentText(textContentOf(el), el) && !isEdgeOfBox(el);
  if (pointed === null && isIconInPlace(el, tag)) return true;
  if ((pointed === null && tag !== 'svg') || pointed === el || !hasTwin(el, tag)) return false;
  const { width, height } = rectOf(el);
  return (
    Math.min(width, height) >= kSwatchMin && Math.max(width, height) <= kHandleMax && !/\S/.test(textContentOf(el))
  );
}

// Whether a shape draws nothing, and lies below what is drawn next, as one that takes the mouse where that has gaps.
function isUnseenBelow(el) {
  const { fill, fillOpacity, stroke } = styleOf(el);
  const over = stroke === 'none' && (fillOpacity === '0' || fill === 'none') ? nextElementOf(el) : null;
  if (over === null) return false;
  note(BOX);
  const [own, other] = [rectOf(el), rectOf(over)];
  const [x, y] = [own.left + own.width / 2, own.top + own.height / 2];
  return x > other.left && x < other.right && y > other.top && y < other.bottom;
}

// Whether a box holds an icon or a drawing alone, or is one, and stands beside a field, of which it may open what the field takes, or
// is a link that leads nowhere, such as a shape to drag into a diagram.
function isIconInPlace(el, tag) {
  if (tag !== 'a' && !isBesideField(el)) return false;
  if (tag === 'svg') return true;
  const inner = firstElementOf(el);
  if (inner === null || nextElementOf(inner) !== null || /\S/.test(textContentOf(el))) return false;
  return isChildless(inner) || (tag === 'a' && tagOf(inner) === 'svg');
}

const isInputTag = (at) => at !== null && tagOf(at) === 'input';
const isBesideField = (el) => isInputTag(previousElementOf(el)) || isInputTag(nextElementOf(el));

function hasTwin(el, tag) {
  const around = flatParentOf(el);
  const other = nextElementOf(el) ?? (around && firstElementOf(around));
  return other !== null && other !== el && tagOf(other) === tag;
}
const isSilentText = (text, el) =>
  /\S/.test(text) ? kSigns.test(text) && hasBox(el, kSignBox) : hasBox(el, kSwatchMin);
// What stands on a button of one sign. Those that only set words apart are none.
const kSigns = /^\s*[-+−＋×✕✖✗✓✔<>‹›«»▲▼◀▶▴▾◂▸△▽←→↑↓⋮⋯☰★☆♥♡↻⟳⚙]\s*$/;
const kSignBox = 3; // CSS px
const kSwatchMin = 8; // CSS px; what is narrower is an edge to drag

const kBoxMin = 4; // CSS px

function hasBox(el, least = kBoxMin) {
  const { width, height } = rectOf(el);
  if (width >= least && height >= least) return true;
  // The box of a level line in a drawing is no higher than its points: a person sees, and hits, its stroke.
  if (Math.max(width, height) < least || !isSvg(el)) return false;
  const { stroke, strokeWidth } = styleOf(el);
  return stroke !== 'none' && Math.min(width, height) + parseFloat(strokeWidth) >= least;
}

function isChildless(el) {
  if (shadowRootOf(el) !== null) return false;
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) if (isElement(child)) return false;
  return true;
}
const isEmpty = (el) => isChildless(el) && !/\S/.test(textContentOf(el));

// An empty element over a control, or over all that can be clicked around it, only shows that it was hit.
const kControls = 'input,button,select,textarea,a[href],[role]';

function isRipple(el) {
  const around = flatParentOf(el);
  if (around === null) return false;
  if (!hasFewChildren(around)) return false;
  const box = rectOf(el);
  for (const control of controlsIn(around)) {
    if (flatContains(el, control)) continue;
    const inner = rectOf(control);
    if (overlaps(inner, box) || (box.height <= kRowRoom * inner.height && overlaps(box, inner))) return true;
  }
  return false;
}
// Also those that a component has in a slot there.
const controlsIn = (around) =>
  [...querySelectorAllOf(around, `${kControls},slot`)]
    .flatMap((at) => (tagOf(at) === 'slot' ? assignedNodesOf(at).filter(isElement) : [at]))
    .filter((at) => matchesSelector(at, kControls));
const kRowRoom = 1.5; // what lies below a row of a tree is not much higher than its item

// Whether an element of a row lies where a control does that is drawn by it: the handle of a switch.
function liesOnControl(el, row) {
  const box = rectOf(el);
  for (let at = flatParentOf(el); at; at = at === row ? null : flatParentOf(at)) {
    if (!hasFewChildren(at)) return false;
    for (const control of querySelectorAllOf(at, kControls))
      if (!flatContains(el, control) && overlaps(rectOf(control), box)) return true;
  }
  return false;
}

const kFew = 30;

function hasFewChildren(el) {
  let count = 0;
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) if (++count > kFew) return false;
  return true;
}

function overlaps(one, other) {
  const x = other.left + other.width / 2;
  const y = other.top + other.height / 2;
  return one.left <= x && x <= one.right && one.top <= y && y <= one.bottom;
}

// A link that leads nowhere, around an icon, is there for its script alone, or for a menu that the mouse opens. In a row that
// can be clicked as a whole it may be drawn by a style; elsewhere it is a drawing, and may draw a box to tick.
function isIconLink(el, row) {
  if (/\S/.test(textContentOf(el)) || !hasBox(el)) return false;
  if (row !== null) return !coversMost(el, row) && !isRipple(el) && !liesOnControl(el, row);
  if (querySelectorAllOf(el, 'svg').length !== 1) return false;
  const [around, box] = [flatParentOf(el), rectOf(el)];
  if (around === null || !hasFewChildren(around)) return false;
  return ![...querySelectorAllOf(around, kDrawnFieldTags)].some((field) => overlaps(rectOf(field), box));
}
const kDrawnFieldTags = 'input,button,select,textarea';

// An element with a cursor of its own in a row that can be clicked as a whole: the x of a chip, the + of a counter. A
// rule that gives the cursor to all of a row's parts makes no targets of them.
function isTargetWithin(el, row) {
  if (isSvg(el) || !hasBox(el) || attr(el, 'class') === attr(row, 'class')) return false;
  const text = textContentOf(el).trim();
  if (!isChildless(el) && (text !== '' || !(isInBranch(el) || standsAtRest(el)))) return false;
  if (text === '') return !coversMost(el, row) && !isRipple(el) && !liesOnControl(el, row);
  if (text.length <= kSignMax)
    return textContentOf(row).trim() !== text || querySelectorAllOf(row, kPictured).length > 0;
  const around = flatParentOf(el);
  if (around === null || !hasFewChildren(around) || (around !== row && traitsOf(around, false) & CURSOR)) return false;
  for (let other = firstChildOf(around); other; other = nextSiblingOf(other)) {
    if (nodeTypeOf(other) === 3 && /\S/.test(nodeValueOf(other))) return true;
    if (isElement(other) && !(traitsOf(other, false) & CURSOR)) return true;
  }
  return false;
}
const kSignMax = 2; // characters: -, +, x

// Whether what it stands in has another cursor than the row: a chip in a field, which its x removes.
function standsAtRest(el) {
  const around = flatParentOf(el);
  return around !== null && styleOf(around).cursor !== 'pointer';
}

// Whether it lies in an item of a tree that can be opened: what holds an icon there opens it, where a click elsewhere selects.
function isInBranch(el) {
  const item = closestFlat(el, (at) => attr(at, 'role') === 'treeitem');
  return item !== null && hasAttr(item, 'aria-expanded');
}

function coversMost(el, row) {
  const [inner, outer] = [rectOf(el), rectOf(row)];
  return inner.width * inner.height > 0.5 * outer.width * outer.height;
}

// Whether an element is a picture that a style has put there (content: url()).
function isPicture(el, traits) {
  if (!(traits & PICTURE) || !isChildless(el)) return false;
  return ['', '::before', '::after'].some((which) => /^url\(/.test(getComputedStyle(el, which).content));
}

// Whether an element may have the focus. The icon of a menu's item that only a script may give it is none to operate.
const takesFocus = (el) => hasAttr(el, 'tabindex') && !isIconOfItem(el);
const isIconOfItem = (el) =>
  Number(attr(el, 'tabindex')) < 0 &&
  firstChildOf(el) === null &&
  /^menuitem/.test(attr(closestOf(el, '[role]') ?? el, 'role') ?? '');

export {
  takesFocus,
  hasBox,
  isBesideField,
  isChildless,
  isPicture,
  isPointedAt,
  isSilent,
  kInControl,
  kWhole,
  markPointer,
};
