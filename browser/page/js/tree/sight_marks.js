// Marks of what can't be seen [tool.snapshot.hidden].

import {
  attr,
  clientHeightOf,
  clientWidthOf,
  firstElementOf,
  hasAttr,
  inputTypeOf,
  isInput,
  isOffPage,
  isRendered,
  matchesSelector,
  offsetHeightOf,
  offsetWidthOf,
  querySelectorAllOf,
  rectOf,
  rootNodeOf,
  scrollHeightOf,
  tagOf,
  textContentOf,
  viewHeight,
  viewWidth,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { fadedFrom } from '../dom/surroundings.js';
import { oneSpace } from '../dom/text.js';
import { AWAY, FADING, FOR_READERS, hidesTextAlone, isGone, NAMED, showsPicture } from '../dom/sight.js';
import { withPass } from '../dom/pass.js';
import { paints, styleOf } from '../dom/style.js';
import { closestFlat, deepActiveElement, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { labelsOf } from '../aria/labels.js';
import { kWidgets } from '../aria/roles.js';
import { kHiddenFile } from './hidden_files.js';
import { elementOf, isBare, isForScripts } from './node.js';

const kHiddenText = ' [hidden text]';

// Marks what can't be seen, or only now not: [invisible] what can be operated all the same, or fades; [hidden text] what
// a page means for assistive technology. False: nobody can see it and nothing can be done with it, so that no line of
// its own is due.
function markSight(node, sight, sightAbove, hiddenName, showsAny) {
  const { role } = node;
  const hasWords = node.kids.length > 0 || node.from === 'content';
  const operable = kWidgets.has(role) || role === 'iframe' || node.kept || node.pointer;
  let mark = '';
  if (showsAny && isGone(sight)) return true; // something in it is seen: letters of their own size, what no box of no size clips
  if (node.icons !== null && hidesTextAlone(sight)) return true;
  if (isGone(sight)) {
    if ((isForMouseAlone(node) || isForPastes(node)) && isOffPage(node.el)) return false;
    if (!operable && node.kids.length === 0 && (node.from !== 'author' || role === 'img')) return false;
    const isTold =
      hasWords || hasLeftOutContents(node, sight) || (sightAbove & AWAY && isFieldBeside(node)) || isFieldFaded(node);
    if (operable && isTold && !isSeenWithoutText(node, sight) && !liesOverItsChoice(node)) {
      mark = ' [invisible]';
      node.unseen = true;
    }
  } else if (hasWords && !(sightAbove & NAMED)) {
    const forReaders =
      sight & FOR_READERS & ~sightAbove &&
      !holdsOwnedAlone(node) &&
      !holdsDrawnAlone(node) &&
      !(kWidgets.has(role) && showsPicture(node.el));
    if (forReaders || (hiddenName === 'all' && !showsCopyOfName(node))) mark = kHiddenText;
    else if (hiddenName === 'part' && !kWidgets.has(role)) mark = ' [partly hidden text]';
    else if (sight & FADING & ~sightAbove) mark = ' [invisible]';
  }
  if (mark === '' && (isGone(sight) || sight & FOR_READERS) && standsBehindButton(node)) mark = kHiddenFile;
  if (mark !== '') {
    node.marks += mark;
    node.kept = true;
  }
  return true;
}

// What lies off the page for the mouse alone nobody operates, as a row that a list keeps to show another time.
const isForMouseAlone = ({ role, kept, pointer, from }) =>
  pointer && !kept && !kWidgets.has(role) && role !== 'iframe' && from !== 'author';

// Whether the name is drawn by a copy that is no part of it, as where the one that is chosen has bolder letters.
const showsCopyOfName = ({ el, name }) => showsCopyOf(el, name);
const showsCopyOf = (el, text) =>
  Array.from(querySelectorAllOf(el, '[aria-hidden=true]')).some(
    (copy) =>
      oneSpace(textContentOf(copy)) === text && isRendered(copy, { visibilityProperty: true, opacityProperty: true }),
  );

// An editor that no key leads to and that has no name takes what a script of another editor has the browser paste.
const isForPastes = ({ role, name, el }) =>
  role === 'generic' && name === '' && isForScripts(el) && hasAttr(el, 'contenteditable') && deepActiveElement() !== el;

// What it owns is drawn elsewhere.
const holdsOwnedAlone = ({ el }) => hasAttr(el, 'aria-owns') && !/\S/.test(textContentOf(el));

// A checkbox or a slider has a drawing of the page's own in its place, whatever box hides it.
function holdsDrawnAlone({ role, kids: [kid, ...others] }) {
  if (role !== 'generic' || kid === undefined || typeof kid === 'string' || others.length > 0) return false;
  return kDrawnAnew.has(kid.role) && kid.tag === 'input';
}
const kDrawnAnew = words('checkbox radio switch slider');

// Whether a button of the page's own is shown for a field for files; a label that is shown is all there is of it.
const standsBehindButton = ({ el, tag }) =>
  tag === 'input' && isInput(el) && inputTypeOf(el) === 'file' && !labelsOf(el).some(isShownLabel);
function isShownLabel(label) {
  const { width, height } = rectOf(label);
  return width > 1 && height > 1 && isRendered(label, { visibilityProperty: true });
}

// What it holds goes with it, and where its name is its author's or an icon's no words are left to be marked. One that is empty
// may lie over what it stands for.
function hasLeftOutContents({ el }, sight) {
  if (hidesTextAlone(sight)) return false;
  return /\S/.test(textContentOf(el)) || querySelectorAllOf(el, kPictured).length > 0;
}
const kPictured = 'svg,img,i,canvas';

// Whether a field is beside the page together with what is around it, as in a drawer, or scaled to nothing with it. One of
// which nobody sees but where it is drawn anew, as an editor's, lies in the page and has its size.
function isFieldBeside({ el, role }) {
  if (!kTextFields.has(role)) return false;
  if (isScaledAway(el)) return true;
  const { left, right } = rectOf(el);
  return right <= 0 || left >= viewWidth();
}

function isScaledAway(el) {
  const { width, height } = rectOf(el);
  return width * height === 0 && el instanceof HTMLElement && offsetWidthOf(el) * offsetHeightOf(el) > 0;
}

// Whether a list or a menu is closed by being scaled to nothing, which leaves as little to operate as one that isn't drawn.
const isShutAway = (el, role, sight) => (sight & AWAY) !== 0 && kShutLists.has(role) && isScaledAway(el);
const kShutLists = words('listbox menu');

// Whether a part of the page is shut by a box of no height that cuts off all of it, as tabs shut what belongs to another one, which
// is as wide as it is open. One for a control that something else is drawn for isn't, nor one that holds what has the focus.
function isShutPane(el, ownSight) {
  if ((ownSight & AWAY) === 0) return false;
  if (clientHeightOf(el) > 0 || clientWidthOf(el) < kPaneWidth || scrollHeightOf(el) < kPaneHeight) return false;
  const { overflowY } = styleOf(el);
  if (overflowY !== 'hidden' && overflowY !== 'clip') return false;
  const active = deepActiveElement();
  return (active === null || !flatContains(el, active)) && !holdsFilesAlone(el);
}
// The part that is shut and that an element stands in, or null.
const shutPaneOf = (el) => withPass(() => closestFlat(el, (at) => at !== el && isShutPane(at, AWAY)));
const kPaneWidth = 100; // CSS px
const kPaneHeight = 60; // CSS px

// Whether all that can be operated in it is a field for files, which a button elsewhere may stand for.
function holdsFilesAlone(el) {
  const controls = [...querySelectorAllOf(el, 'input,button,select,textarea,a[href]')];
  return controls.length > 0 && controls.every((one) => tagOf(one) === 'input' && attr(one, 'type') === 'file');
}
const kTextFields = words('textbox searchbox combobox spinbutton listbox slider');

// Whether a field is in a box that is transparent and lets the mouse through, as a bar to search in that a button brings.
function isFieldFaded({ el, role }) {
  const faded = kTypedFields.has(role) ? fadedFrom(el) : null;
  return faded !== null && faded !== el;
}
const kTypedFields = words('textbox searchbox spinbutton');

// A button that waits: its text has gone, its box is there.
const isSeenWithoutText = ({ el, role }, sight) => hidesTextAlone(sight) && role === 'button' && paints(styleOf(el));

// A select that takes the clicks on a copy of what is chosen in it.
function liesOverItsChoice({ el, tag }) {
  if (tag !== 'select' || el.selectedOptions.length !== 1) return false;
  const chosen = oneSpace(textContentOf(el.selectedOptions[0]));
  const around = flatParentOf(el);
  return chosen !== '' && around !== null && showsCopyOf(around, chosen);
}

// Leaves out what a node says to readers alone though its line says it already: the text of a control with that name, all that its
// author calls another element, and the tooltip within the box that is drawn for it, which is the tooltip then.
function dropSaidAgain(node) {
  const { role, name } = node;
  let { kids } = node;
  const isHidden = (kid) => kid.marks === kHiddenText && !kWidgets.has(kid.role) && !kid.pointer;
  if (kids.length > kFewKids) return;
  // In what is named by all its text nothing is marked.
  const repeatsName = (kid) => kid.role === 'generic' && !kid.pointer && !kid.kept && kid.marks === '' && toldWords(kid) === name; // prettier-ignore
  if (name !== '' && node.from === 'author' && !kWidgets.has(role) && kids.length > 1 && kids.some(repeatsName))
    node.kids = kids.filter((kid) => !repeatsName(kid));
  if (role === 'gridcell' && kids.length === 1 && node.from === 'author' && isNumberOf(name, kids[0])) node.kids = [];
  if (!kids.some(isHidden)) return;
  if (kids.length > 1) node.kids = kids = kids.filter((kid) => !(isHidden(kid) && describesPressed(kid, kids)));
  if (kWidgets.has(role)) {
    const isInName = (kid) => isHidden(kid) && kid.role === 'generic' && name.includes(toldWords(kid));
    if (name !== '' && node.from !== 'content') node.kids = kids.filter((kid) => !isInName(kid));
  } else if (name !== '' && node.from === 'author') {
    node.kids = joinedTexts(
      node.kids.filter((kid) => !(isHidden(kid) && kid.role === 'generic' && toldWords(kid) === name)),
    );
  } else if (kTooltipBoxes.has(role) && name === '') {
    const shown = oneSpace(kids.filter((kid) => !isHidden(kid)).map(toldWords).join(' ')); // prettier-ignore
    const twin = shown && kids.find((kid) => isHidden(kid) && toldWords(kid) === shown);
    if (!twin) return;
    node.kids = kids.filter((kid) => kid !== twin);
    if (twin.role !== 'tooltip') return;
    Object.assign(node, { role: 'tooltip', name: shown, from: 'content', kept: true });
    if (node.kids.every((kid) => typeof kid === 'string' || kid.role === 'generic')) node.kids = [];
  }
}
// The texts that something left out stood between are one.
function joinedTexts(kids) {
  const joined = [];
  for (const kid of kids)
    if (typeof kid === 'string' && typeof joined.at(-1) === 'string') joined.push(joined.pop() + kid);
    else joined.push(kid);
  return joined;
}

// Whether it is the description of a button beside it, which a person gets from its picture.
function describesPressed(node, kids) {
  const el = elementOf(node);
  const own = (el && (attr(el, 'id') ?? attr(firstElementOf(el) ?? el, 'id'))) ?? '';
  if (own === '') return false;
  return kids.some(
    (kid) =>
      kSaidByPicture.has(kid.role) && (attr(elementOf(kid) ?? el, 'aria-describedby') ?? '').split(/\s+/).includes(own),
  );
}
const kSaidByPicture = words('button link tab menuitem');
// Which number a day has its name says.
const isNumberOf = (name, kid) => typeof kid === 'string' && (name.match(/\d+/g) ?? []).includes(kid.trim());
const kFewKids = 4;
const kTooltipBoxes = words('generic listitem paragraph');
const toldWords = (kid) => (typeof kid === 'string' ? kid : kid.name || kid.kids.map(toldWords).join(' ')).trim();

// An element of no size, or of a pixel, that holds nothing: one that takes the focus only to hand it on, as those around a dialog
// or a grid do, which may be as wide as that; or one that nobody can see or focus, whatever its author calls it; a link without a
// name, as the box around it is clicked then; and a tooltip that doesn't show its words yet.
function isNothing({ el, role, name, kids, states, value, called, kept, pointer }) {
  if (role === 'tooltip') return name === '' && kids.length === 0;
  const isLink = role === 'link';
  if (kept || isLink ? name !== '' : name === '') return false;
  if (pointer || kids.length > 0 || value !== null || states !== '') return false;
  if (
    isLink ? /\[(icon|looks|testid)=/.test(called) || firstElementOf(el) !== null : role !== 'generic' || called !== ''
  )
    return false;
  const { width, height } = rectOf(el);
  if (kept && role === 'generic' && hasAttr(el, 'tabindex')) return width <= 1 || height <= 1;
  return width === 0 || height === 0 || (width <= 1 && height <= 1);
}

// A row for what isn't there yet: one cell across all columns, which holds nothing. Or one of no height, which gives the columns
// their widths.
function isEmptyRow(row) {
  if (row.role !== 'row' || row.kids.length === 0 || row.told !== null || !isBare(row) || row.called !== '')
    return false;
  if (row.kids.length > 1) return row.kids.every(isEmptyOfAll) && rectOf(elementOf(row)).height < 1;
  const [cell] = row.kids;
  if (cell.role !== 'cell' || cell.kids.length > 0 || cell.told !== null || cell.typedIn || !isBare(cell)) return false;
  return Number(attr(elementOf(cell), 'colspan')) > 1;
}

const isEmptyOfAll = ({ role, kids, name, value, told }) =>
  kEmptyCells.has(role) && kids.length === 0 && name === '' && value === null && told === null;
const kEmptyCells = words('cell gridcell');

// What only shades the page behind an open dialog: a click on it does no more than close that. So does a drawing with a hole for
// what the dialog tells of.
function isShade({ el, tag, role, name, kids, states, value, pointer }) {
  if (kids.length > 0 || name !== '' || value !== null || states !== '') return false;
  const isPressed = pointer || isForScripts(el); // which takes the focus from the page
  if (tag === 'svg' ? !isDrawnShade(el) : !isPressed || role !== 'generic') return false;
  const { left, top, right, bottom } = rectOf(el);
  if (left > 0 || top > 0 || right < viewWidth() || bottom < viewHeight()) return false;
  if (closestFlat(el, (at) => matchesSelector(at, kShadedFor))) return true; // a component's, which is the dialog as a whole
  const dialogs = [...querySelectorAllOf(rootNodeOf(el), kShadedFor)];
  return dialogs.some((dialog) => isRendered(dialog, { visibilityProperty: true }) && !flatContains(el, dialog));
}
const isDrawnShade = (el) => styleOf(el).position === 'fixed' && querySelectorAllOf(el, '*').length <= kShadeParts;
const kShadeParts = 4;
const kShadedFor = '[role=dialog],[role=alertdialog],[aria-modal=true],dialog[open]';

// An empty element over a control that only shows that this has the focus: neither the mouse nor the Tab key gets to it.
function isFocusRing({ el, role, name, kids, states, value, kept, pointer }) {
  if (!kept || pointer || role !== 'generic' || kids.length > 0 || name !== '' || value !== null || states !== '')
    return false;
  return Number(attr(el, 'tabindex')) < 0 && styleOf(el).pointerEvents === 'none';
}

// A box that has a line because it can have the focus, or can be dragged, and that says nothing itself.
const isMereBox = ({ role, name, kept, pointer, states, marks, value }) =>
  kept && role === 'generic' && !pointer && name + states + marks === '' && value === null;

// One that a script alone can give the focus: to operate it is to operate what it holds.
const isFocusedByScript = (node) => isMereBox(node) && isForScripts(node.el);

const isBoxForScripts = (node) =>
  isLabelOfTick(node) ||
  (!node.inline &&
    node.called === '' &&
    (isDraggedByControl(node) || (node.kids.some((kid) => typeof kid !== 'string') && isFocusedByScript(node))));

// One that can be dragged by the only control that it holds. A link is dragged itself.
const isDraggedByControl = (node) =>
  isMereBox(node) &&
  node.kids.length === 1 &&
  kDraggedWith.has(node.kids[0].role) &&
  attr(node.el, 'draggable') === 'true' &&
  !hasAttr(node.el, 'tabindex') &&
  !hasAttr(node.el, 'onclick');
const kDraggedWith = words('button option treeitem menuitem tab');

// The label of the only control in it, a box to tick, which has the focus in the place of that.
const isLabelOfTick = (node) =>
  node.tag === 'label' &&
  isMereBox(node) &&
  kTickedByLabel.has(node.kids[0]?.role) &&
  !node.kids.slice(1).some(saysOrHolds);
const saysOrHolds = (kid) => typeof kid !== 'string' || /\S/.test(kid);
const kTickedByLabel = words('checkbox radio switch');

// One whose contents are told elsewhere, as the items of a popup with their field.
const isEmptied = (node) => node.kids.length === 0 && isFocusedByScript(node) && kAnyWord.test(textContentOf(node.el));
const kAnyWord = /[\p{L}\p{N}]/u;

// The caption that names a table or a group says what its line says.
const isCaption = (parent, { tag, role, kids, pointer, kept, states, marks, called }) =>
  (kCaptions.has(tag) || (kCaptioned.has(parent.role) && role === 'generic')) &&
  !pointer &&
  (marks === kHiddenText || (!kept && marks === '')) &&
  states + called === '' &&
  kids.length === 1 &&
  textAlone(kids[0]) === parent.name;
const textAlone = (kid) =>
  typeof kid !== 'string' && kid.role === 'generic' && !kid.pointer && kid.kids.length === 1 ? kid.kids[0] : kid;
const kCaptions = words('caption legend');
const kCaptioned = words('group radiogroup listbox list menu grid table tree toolbar tablist');

export {
  isBoxForScripts,
  isCaption,
  isEmptied,
  dropSaidAgain,
  kHiddenText,
  kPictured,
  isEmptyRow,
  isFocusRing,
  isNothing,
  isShade,
  isShutAway,
  isShutPane,
  shutPaneOf,
  markSight,
};
