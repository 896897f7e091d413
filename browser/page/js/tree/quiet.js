// Text that is aria-hidden though a person sees it [tool.snapshot.quiet]: the code of an editor, the number on a badge. The
// walk gathers it in nodes of their own; once the tree stands, what another line says, or what only decorates, goes.

import {
  attr,
  closestOf,
  hasAttr,
  inputTypeOf,
  isRendered,
  matchesSelector,
  nextElementOf,
  previousElementOf,
  querySelectorAllOf,
  rectOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { isClear } from '../dom/colours.js';
import { closestFlat, deepActiveElement, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { foundAll } from '../dom/found.js';
import { BOX, note } from '../dom/noted.js';
import { pass } from '../dom/pass.js';
import { kCuts, ligatureOf, styleOf } from '../dom/style.js';
import { clipWhere, deepHit, isHitOn } from '../dom/hit.js';
import { kWidgets } from '../aria/roles.js';
import { refoldInto } from './fold.js';
import { withoutKid } from './natives.js';
import { kHiddenText } from './sight_marks.js';
import { copyNode, elementOf } from './node.js';
import { recordOf } from './refs.js';

const kNoText = words('svg input textarea select img video audio canvas iframe object progress meter');
const kOperable = 'a[href],button,input,select,textarea,[role=button],[role=link],[tabindex="0"]';

// Whether an aria-hidden element has text to look at, and isn't shut off: by a dialog, or by what lies over its controls. Text alone
// is only where the element stands beside what shuts off, as a dialog hides what is around it: an icon in a page that is no more than
// covered is seen as the button is that it stands in.
function mayBeSeen(el, tag, wasLeft = false) {
  if (kNoText.has(tag) || !/\S/.test(textContentOf(el)) || ligatureOf(el) !== '') return false; // which is a picture
  const hasControls = querySelectorAllOf(el, kOperable).length > 0;
  const parent = placeAround(el);
  const isShut = (over) => !flatContains(over, el) && !coversPartOf(el, over);
  const isBeside = (over) => hasControls || (parent !== null && flatContains(parent, over));
  const liesBehind = (over) => closestOf(el, kOperable) === null && coversPartOf(over, el); // a control keeps its words
  const shade = overlay();
  if (
    isPageDead(el) ||
    isShutByPopup(el) ||
    (!wasLeft && hasControls && isLeftByFocus(el)) ||
    openDialogs().some((dialog) => isShut(dialog) && (isBeside(dialog) || liesBehind(dialog) || wasTold(el))) ||
    (shade !== null && isShut(shade) && isBeside(shade))
  ) {
    pass.shut ||= hasControls;
    return false;
  }
  return hasControls ? isHitInMiddle(el) : !isUnderSibling(el);
}

// Whether what stands beside it is drawn over all of it, as the tab panel that is open over the others.
function isUnderSibling(el) {
  const parent = flatParentOf(el);
  if (styleOf(el).position !== 'absolute' || parent === null) return false;
  const hit = hitInMiddle(el);
  const over = hit === null ? null : closestFlat(hit, (at) => flatParentOf(at) === parent);
  if (over === null || over === el || isClear(styleOf(over).backgroundColor)) return false;
  const [box, below] = [rectOf(over), rectOf(el)];
  return box.left <= below.left && box.top <= below.top && box.right >= below.right && box.bottom >= below.bottom;
}

// What an element stands in together with others: a page may be wrapped, and the wrapper that has nothing else hidden.
function placeAround(el) {
  let parent = flatParentOf(el);
  while (parent !== null && parent !== document.body && !nextElementOf(el) && !previousElementOf(el)) {
    el = parent;
    parent = flatParentOf(el);
  }
  return parent;
}

// Whether it was a part of the page, or what it stands beside was: what is live in a page stays open to readers while a dialog is
// open, and all around it is hidden piece by piece.
function wasTold(el) {
  const isToo = (at) => at !== null && attr(at, 'aria-hidden') === 'true' && hadRef(at);
  return hadRef(el) || isToo(previousElementOf(el)) || isToo(nextElementOf(el));
}

function isHitInMiddle(el) {
  const hit = hitInMiddle(el);
  return hit !== null && flatContains(el, hit);
}

function hitInMiddle(el) {
  note(BOX);
  const { left, top, right, bottom } = rectOf(el);
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  return deepHit(x, y);
}

// Whether what is hit there is what an element that takes no mouse stands in.
function isHitThrough(el) {
  const hit = hitInMiddle(el);
  return hit !== null && styleOf(el).pointerEvents === 'none' && flatContains(hit, el);
}

// Whether no part of the page takes the mouse, this element neither, as while a list is open that hides all that is around it.
function isPageDead(el) {
  pass.isDead ??= document.body !== null && styleOf(document.body).pointerEvents === 'none';
  return pass.isDead && styleOf(el).pointerEvents === 'none';
}

// Whether it was a part of the page until the popup was opened that has the focus, or whose field has, and stands beside that: it
// has been hidden from readers with all else.
const isShutByPopup = (el) => openedAtFocus().some((over) => standsBeside(el, over)) && hadRef(el);

// Whether it was a part of the page, and the focus is in what stands beside it: what was opened has a role of its own in few pages.
function isLeftByFocus(el) {
  const focused = deepActiveElement();
  return focused !== null && standsBeside(el, focused) && hadRef(el);
}

function standsBeside(el, other) {
  const place = placeAround(el);
  return place !== null && flatContains(place, other) && !flatContains(el, other);
}
const hadRef = (el) =>
  recordOf.has(el) ||
  Array.from(querySelectorAllOf(el, '*'))
    .slice(0, kLookedForRefs)
    .some((at) => recordOf.has(at));
const kLookedForRefs = 200;

// The popup that has the focus, or the field that has it and shows one; [] without one.
function openedAtFocus() {
  if (pass.opened !== null) return pass.opened;
  const focused = deepActiveElement();
  const popup = focused && closestFlat(focused, (at) => kFocusedPopups.has(attr(at, 'role')));
  const opener = focused !== null && attr(focused, 'aria-expanded') === 'true' ? focused : null;
  return (pass.opened = [popup, opener].filter(Boolean));
}
const kFocusedPopups = words('dialog alertdialog menu listbox');

// Whether an element covers a part of another one, as the list of a field does that a page appends to its body.
function coversPartOf(el, below) {
  note(BOX);
  const [a, b] = [rectOf(el), rectOf(below)];
  const [left, right] = [Math.max(a.left, b.left, 0), Math.min(a.right, b.right, innerWidth)];
  const [top, bottom] = [Math.max(a.top, b.top, 0), Math.min(a.bottom, b.bottom, innerHeight)];
  if (left >= right || top >= bottom) return false;
  const hit = deepHit((left + right) / 2, (top + bottom) / 2);
  return hit !== null && flatContains(el, hit);
}

// Whether an aria-hidden element is a page that a dialog has left so when it was closed: with nothing else open, a person sees
// and operates it all the same. So is a canvas that takes clicks, as of a table that is drawn; and a button that is hit where
// it stands and that the keyboard reaches, or that stands in a column's header, which the keyboard has other ways to open, or in
// a cell, where it opens the row; and the box of an item of a tree that a click on the item doesn't tick but selects.
function isLeftHidden(el, tag) {
  if (tag === 'input') return isBoxOfItem(el) && isOpenButton(el);
  if (tag === 'button')
    return (!(Number(attr(el, 'tabindex')) < 0) || closestOf(el, kColumnHeaders) !== null) && isOpenButton(el);
  if (attr(el, 'role') === 'button')
    return hasAttr(el, 'aria-expanded') && closestOf(el, kOfTable) !== null && isOpenButton(el);
  if (tag === 'canvas') return styleOf(el).pointerEvents !== 'none' && isHitOn(el, hitInMiddle(el));
  const { width, height } = rectOf(el);
  if (width * height < innerWidth * innerHeight * kMuchOfPage) return false;
  let left = kPageControls;
  for (const control of querySelectorAllOf(el, kOperable)) if (!(Number(attr(control, 'tabindex')) < 0)) left--;
  if (left > 0) return false;
  const isOpen = (over) => !flatContains(el, over) && isRendered(over, { visibilityProperty: true });
  return ![...querySelectorAllOf(document, kOpenOver)].some(isOpen) && mayBeSeen(el, tag, true);
}

const isBoxOfItem = (el) => {
  const item = inputTypeOf(el) === 'checkbox' ? closestOf(el, '[role=treeitem]') : null;
  return item !== null && hasAttr(item, 'aria-checked') && hasAttr(item, 'aria-selected');
};

// Whether a button is hit where it stands, or would be once it is scrolled to. One that is disabled may let the mouse through.
function isOpenButton(el) {
  const { top, bottom } = rectOf(el);
  if (top >= innerHeight) return bottom > top;
  if (bottom <= 0) return recordOf.has(el);
  return isHitInMiddle(el) || (matchesSelector(el, ':disabled') && isHitThrough(el));
}
const kColumnHeaders = 'th,[role=columnheader]';
const kOfTable = `${kColumnHeaders},td,[role=cell],[role=gridcell]`;
const kMuchOfPage = 0.25; // of the viewport
const kPageControls = 3;
const kOpenOver = 'dialog[open],[role=dialog],[role=alertdialog],[role=menu],[role=listbox]';

function openDialogs() {
  return (pass.dialogs ??= foundAll('[aria-modal=true]').filter((dialog) =>
    isRendered(dialog, { visibilityProperty: true }),
  ));
}

// A fixed box over the whole viewport, as the backdrop of a menu is; null without one. It is hit in opposite corners.
function overlay() {
  note(BOX);
  if (pass.overlay !== undefined) return pass.overlay;
  const hit = deepHit(kCornerInset, kCornerInset);
  const other = deepHit(innerWidth - 1 - kCornerInset, innerHeight - 1 - kCornerInset);
  const isOver = (at) => {
    if (styleOf(at).position !== 'fixed' || !flatContains(at, other)) return false;
    const { left, top, right, bottom } = rectOf(at);
    return left <= 0 && top <= 0 && right >= innerWidth && bottom >= innerHeight;
  };
  return (pass.overlay = hit && other && closestFlat(hit, isOver));
}
const kCornerInset = 2; // CSS px

// Whether the boxes that hide what overflows them leave an element's first words to be seen. Scrolling brings the rest.
function isInSight(el) {
  const { left, top, width, height } = rectOf(el);
  if (width === 0 && height === 0) return true; // display: contents
  const x = left + Math.min(width / 2, kFirstLetters);
  const y = top + height / 2;
  const isCut = (box, at) => {
    const { overflowX, overflowY } = styleOf(at);
    return (
      (kCuts.has(overflowX) && (x < box.left || x > box.right)) ||
      (kCuts.has(overflowY) && (y < box.top || y > box.bottom))
    );
  };
  return clipWhere(el, isCut) === null;
}
const kFirstLetters = 4; // CSS px

// Drops the words of a switch that its box cuts off: of ON and OFF side by side one is seen.
function dropCutWords(node) {
  const cut = [];
  const visit = (kid) => {
    if (typeof kid === 'string' || kid.role !== 'generic') return;
    const el = elementOf(kid);
    if (!kid.kids.every((inner) => typeof inner === 'string')) kid.kids.forEach(visit);
    else if (el !== null && !isInSight(el)) cut.push(kid);
  };
  node.kids.forEach(visit);
  for (const kid of cut) node.kids = withoutKid(node.kids, kid);
}

// --- What of it another line says

const kSymbols = /^[^\p{L}\p{N}]*$/u;
const kRating = 3; // as many symbols alone say something: ★★★☆☆
const kLevels = 3; // of ancestors whose lines may carry a text
const kNear = 600; // characters of them

const keyOf = (text) => ` ${text.toLowerCase().split(kBetween).filter(Boolean).join(' ')} `;
const kBetween = /[^\p{L}\p{N}]+/u;
const squeezed = (text) => text.toLowerCase().replace(kBetweenAll, '');
const kBetweenAll = /[^\p{L}\p{N}]+/gu;

// The words of a tree's lines, without those of quiet nodes; null if they are more than `most` characters.
function textsIn(node, most) {
  const out = [];
  let left = most;
  const add = (text) => {
    left -= text.length + 1;
    out.push(text);
  };
  const visit = ({ name, value, kids }) => {
    if (name !== '') add(name);
    if (value !== null) add(value);
    for (const kid of kids) {
      if (left < 0) return;
      if (typeof kid === 'string') add(kid);
      else if (!kid.quiet) visit(kid);
    }
  };
  visit(node);
  return left < 0 ? null : out;
}

function stringsIn(node, out) {
  for (const kid of node.kids) {
    if (typeof kid === 'string') {
      if (kid.trim() !== '') out.push(kid.trim());
    } else stringsIn(kid, out);
  }
  return out;
}

const isIn = (text, texts) =>
  texts.some((other) => keyOf(other).includes(keyOf(text)) || squeezed(other) === squeezed(text));

// `path`: the ancestors of a quiet node, the outermost first.
function isCarried(node, strings, path) {
  const text = strings.join(' ');
  const control = path.findLast((above) => kWidgets.has(above.role) || above.pointer || above.role === 'img');
  const named = path.findLast((above) => above.name !== '' && above.from !== '');
  const isSymbol = kSymbols.test(text);
  if (control && control.name === '' && textsIn(control, 0)?.length === 0) return false;
  if (isSymbol || isLigature(node, text))
    return control !== undefined || named === path.at(-1) || text.length < kRating || hasWordsBeside(path);
  if (path.some((above) => (above.name !== '' && isIn(text, [above.name])) || (above.said && isIn(text, [above.said]))))
    return true;
  // A number on a badge is in many lines around it, and what an editor shows may be shown elsewhere as well.
  const place = control ?? path.findLast(({ role }) => role === 'code');
  const within = place ? path.slice(path.lastIndexOf(place)) : path;
  for (const above of within.slice(-kLevels).reverse()) {
    const near = textsIn(above, kNear + text.length);
    if (near === null) break;
    if (isIn(text, near)) return true;
  }
  return false;
}
const hasWordsBeside = (path) => textsIn(path.at(-1), kNear)?.some((text) => !kSymbols.test(text)) ?? true;

// A word that a font of icons draws as one sign.
function isLigature(node, text) {
  if (!/^[a-z][a-z0-9_]{2,}$/.test(text)) return false;
  const el = elementOf(node);
  return el !== null && rectOf(el).width <= 1.5 * parseFloat(styleOf(el).fontSize);
}

function holdsQuiet(node) {
  return (node.holdsQuiet ??= node.kids.some((kid) => typeof kid !== 'string' && (kid.quiet || holdsQuiet(kid))));
}

// Puts the text of quiet nodes that stay where they stood, in all that is below `top`. Other nodes stay as the walk made
// them: what holds quiet nodes is copied.
function settleQuiet(top) {
  settleKids(top, top.kids, []);
}

// `node`: one that may be changed; `kids`: what it held; `above`: what is around it.
function settleKids(node, kids, above) {
  const path = [...above, node];
  const into = { kids: [] };
  const seen = new Set(); // what is left out, as a line says it
  let joins = false; // whether the next string goes on where the last one ended
  node.kids = [...kids];
  kids.forEach((kid, i) => {
    if (typeof kid === 'string') {
      addText(into.kids, kid, joins);
      joins = false;
    } else if (kid.quiet) {
      const strings = stringsIn(kid, []);
      if (isCarried(kid, strings, path)) {
        seen.add(strings.join(' '));
        return;
      }
      const inLine = kid.inline && strings.length === 1;
      for (const text of strings) addText(into.kids, text, inLine);
      joins = inLine;
    } else {
      joins = false;
      if (!holdsQuiet(kid)) {
        into.kids.push(kid);
        return;
      }
      const copy = copyNode(kid);
      node.kids[i] = copy; // its texts are near those that follow
      settleKids(copy, kid.kids, path);
      refoldInto(into, copy);
      if (into.kids.at(-1) === copy) into.kids[into.kids.length - 1] = settledNode(kid, copy);
    }
  });
  node.kids = into.kids
    .filter((kid) => kid !== ' ')
    .map((kid) => (isSaidToEye(kid, seen) ? withoutHiddenMark(kid) : kid));
}

// What is for readers alone isn't hidden where the eye is told the same.
const isSaidToEye = (kid, seen) =>
  seen.size > 0 && typeof kid !== 'string' && kid.marks === kHiddenText && seen.has(textsIn(kid, kNear)?.join(' '));
const withoutHiddenMark = (kid) => settledNode(kid, Object.assign(copyNode(kid), { marks: '', hash: 0 }));

// The copy, or that of the last pass if it is the same.
function settledNode(node, copy) {
  const last = node.settled;
  const isSame =
    last !== null &&
    last.name === copy.name &&
    last.ref === copy.ref &&
    last.kids.length === copy.kids.length &&
    last.kids.every((kid, i) => kid === copy.kids[i]);
  return (node.settled = isSame ? last : copy);
}

function addText(kids, text, joins) {
  if (joins && typeof kids.at(-1) === 'string') kids[kids.length - 1] += ' ' + text;
  else kids.push(text);
}

export { dropCutWords, isInSight, isLeftHidden, kNoText, mayBeSeen, openDialogs, settleQuiet };
