// The flat tree: what the user sees once shadow roots are filled in and slots are assigned.

import {
  activeElementOf,
  assignedNodesOf,
  attr,
  bodyOf,
  clientHeightOf,
  clientWidthOf,
  closestOf,
  documentById,
  documentElementOf,
  documentQuery,
  firstChildOf,
  fragmentById,
  fragmentQueryAll,
  nextSiblingOf,
  nodeTypeOf,
  parentElementOf,
  parentNodeOf,
  querySelectorAllOf,
  rectOf,
  rootNodeOf,
  shadowActiveElementOf,
  slotOf,
  tagOf,
  textContentOf,
} from './members.js';
import { words } from './collections.js';
import { BOX, IDS, note } from './noted.js';
import { anyClosedRoot, closedRoots, shadowRootOf } from './shadow_roots.js';

// The slot that shows a node. assignedSlot is null for closed roots, so there the slot is looked up by name.
function assignedSlotOf(node) {
  const type = nodeTypeOf(node);
  if (type !== 1 && type !== 3) return null;
  const slot = type === 1 ? slotOf(node) : node.assignedSlot;
  if (slot || !anyClosedRoot) return slot;
  const host = parentElementOf(node);
  const root = host && closedRoots.get(host);
  if (!root) return null;
  for (const candidate of fragmentQueryAll(root, 'slot'))
    if (assignedNodesOf(candidate).includes(node)) return candidate;
  return null;
}

// The parent in the flat tree, or null above the document element.
function flatParentOf(node) {
  const slot = assignedSlotOf(node);
  if (slot) return slot;
  const parent = parentNodeOf(node);
  if (!parent) return null;
  if (nodeTypeOf(parent) === 11) return parent instanceof ShadowRoot ? parent.host : null;
  return nodeTypeOf(parent) === 1 ? parent : null;
}

// Whether an element's box is larger than `size` CSS px each way.
function isLarger(el, size) {
  const { width, height } = rectOf(el);
  return width > size && height > size;
}

// Whether the boxes of two elements lie over each other.
function meets(el, other) {
  const [one, two] = [rectOf(el), rectOf(other)];
  return one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
}

// The first of an element and what is around it, `depth` elements in all, that is larger than `size`; null without one.
function largerAround(el, size, depth) {
  for (let at = el; at && depth > 0; at = flatParentOf(at), depth--) if (isLarger(at, size)) return at;
  return null;
}

function flatContains(ancestor, node) {
  for (let at = node; at; at = flatParentOf(at)) if (at === ancestor) return true;
  return false;
}

// Whether of what a selector names in a box nothing stands apart from an element: all is a part of it, or holds it.
function holdsNoOther(box, selector, el) {
  const isOfEl = (at) => flatContains(at, el) || flatContains(el, at);
  return [...querySelectorAllOf(box, selector)].every(isOfEl);
}

// Whether all that a table's cell shows is an element.
function isAllOfCell(el) {
  const cell = closestOf(el, kTableCells);
  return cell !== null && !/\S/.test(textContentOf(cell)) && holdsNoOther(cell, kShownInCell, el);
}
const kTableCells = 'td,[role=cell],[role=gridcell]';
const kShownInCell = 'img,svg,canvas,button,a[href],input,select,textarea,[role],[tabindex]';

function closestFlat(el, fits) {
  for (let at = el; at; at = flatParentOf(at)) if (fits(at)) return at;
  return null;
}

// Calls `visit` for each flat-tree child. `tag` saves a second look-up.
function eachFlatChild(el, tag, visit) {
  const root = shadowRootOf(el);
  if (!root && tag === 'slot') {
    const assigned = assignedNodesOf(el);
    if (assigned.length) {
      for (const node of assigned) visit(node);
      return;
    }
  }
  for (let child = firstChildOf(root ?? el); child; child = nextSiblingOf(child)) visit(child);
}

// An element by id in the tree scope of `near`.
function byIdNear(near, id) {
  const root = rootNodeOf(near);
  const type = nodeTypeOf(root);
  if (type === 9) {
    const el = documentById(root, id);
    noteId(id, el);
    return el;
  }
  note(BOX); // of shadow trees nobody keeps who was looked up
  return type === 11 ? fragmentById(root, id) : null;
}

// Who was looked up in the document by id since the last walk of all: id -> the element as a WeakRef, or null.
const idsLookedUp = new Map();

function noteId(id, el) {
  note(IDS);
  if (!idsLookedUp.has(id)) idsLookedUp.set(id, el === null ? null : new WeakRef(el));
}

function idListOf(el, name) {
  const value = attr(el, name);
  return value ? value.split(/\s+/).filter(Boolean) : [];
}

// The focused element, looked for through shadow roots; body and null count as none.
function deepActiveElement() {
  let active = activeElementOf(document);
  while (active) {
    const root = shadowRootOf(active);
    const inner = root && shadowActiveElementOf(root);
    if (!inner) break;
    active = inner;
  }
  return active && active !== bodyOf(document) && active !== documentElementOf(document) ? active : null;
}

// What the focused element names as the one that keys act on: the highlighted option of a list below a field.
function activeDescendant() {
  const active = deepActiveElement();
  const id = active === null ? null : attr(active, 'aria-activedescendant');
  if (!id) return null;
  const root = rootNodeOf(active);
  const el = nodeTypeOf(root) === 11 ? fragmentById(root, id) : documentById(document, id);
  return el === active ? null : el;
}

// The frame's element that keys go to, or null.
function focusedFrame() {
  const active = deepActiveElement();
  return active && /^i?frame$/.test(tagOf(active)) ? active : null;
}

// The picture that a link of an image map lies on; null without one.
function pictureOfArea(area) {
  const name = attr(closestOf(area, 'map') ?? area, 'name');
  return name ? documentQuery(document, `img[usemap="#${CSS.escape(name)}"]`) : null;
}

// Where to press such a link: a point of the picture.
function middleOfArea(area, picture) {
  const numbers = (attr(area, 'coords') ?? '').split(',').map(Number);
  const shape = attr(area, 'shape')?.toLowerCase() ?? 'rect';
  if (shape === 'circle' || shape === 'circ') return { x: numbers[0], y: numbers[1] };
  if (shape === 'default' || numbers.length < 4)
    return { x: clientWidthOf(picture) / 2, y: clientHeightOf(picture) / 2 };
  const middle = (some) => some.reduce((sum, number) => sum + number, 0) / some.length;
  return { x: middle(numbers.filter((_, i) => i % 2 === 0)), y: middle(numbers.filter((_, i) => i % 2 === 1)) };
}

// What holds nothing of the kind, whatever aria-owns says. Of items of a list or a menu none holds another: an author who says so of
// the next level's items means the one that they came from. Nor does a button hold rows: it turns the pages of that table.
function ownsInVain(owner, el) {
  const role = attr(owner, 'role') ?? '';
  if (role === 'button' || tagOf(owner) === 'button') return querySelectorAllOf(el, 'tr,[role=row]').length > 0;
  return kFellows.has(role) && role === attr(el, 'role');
}
const kFellows = words('menuitem menuitemcheckbox menuitemradio option tab radio');

export {
  ownsInVain,
  middleOfArea,
  pictureOfArea,
  activeDescendant,
  flatParentOf,
  flatContains,
  holdsNoOther,
  isAllOfCell,
  isLarger,
  meets,
  largerAround,
  closestFlat,
  eachFlatChild,
  byIdNear,
  idsLookedUp,
  idListOf,
  deepActiveElement,
  focusedFrame,
};
