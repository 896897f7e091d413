// Native controls that nobody can see, and labels: what of them is said by another line.

import {
  attr,
  closestOf,
  hasAnyAttr,
  hasAttr,
  inputTypeOf,
  isRendered,
  isOffPage,
  labelControlOf,
  matchesSelector,
  nextElementOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
  firstElementOf,
  lastElementOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { innerControlOf } from '../dom/shadow_roots.js';
import { flatContains, flatParentOf, idListOf, isLarger, largerAround } from '../dom/flat_tree.js';
import { styleOf } from '../dom/style.js';
import { traitsOf } from '../dom/traits.js';
import { FOR_READERS, isGone, isTransparent, sightOf } from '../dom/sight.js';
import { controlLabelled, labelsOf, labelsStoodFor } from '../aria/labels.js';
import { roleOf } from '../aria/roles.js';
import { nameOf } from '../aria/names.js';
import { withClip } from './clipped.js';
import { copyNode, elementOf, isBare, isPlain } from './node.js';
import { kHiddenText } from './sight_marks.js';

// What the ancestors of a part of the page say of its sight.
function sightAround(el) {
  const parent = flatParentOf(el);
  return parent === null ? 0 : sightHere(parent);
}

function sightHere(el) {
  const above = sightAround(el);
  const traits = traitsOf(el, !hasAnyAttr(el));
  return sightOf(el, tagOf(el), traits, above);
}

const kStandIns = words('select input textarea');
const kOperatedByLabel = words('checkbox radio file submit button reset image');
const kSliver = 2; // CSS px

// A widget of the page's own stands for a native control that nobody can see or hit: the widget has the ref
// [tool.snapshot.hidden-controls]. A transparent one of some size is hit where it lies, and checkboxes are by their labels.
function isStoodFor(el, tag, sight) {
  if (tag === 'input' && isBelowField(el)) return true;
  if (sight === 0 || !kStandIns.has(tag)) return false;
  if (tag === 'input' && kOperatedByLabel.has(inputTypeOf(el))) return false;
  if (tag !== 'select' && attr(el, 'tabindex') !== '-1') return false; // an editor takes its keys by such a field
  if (sight & FOR_READERS) return tag !== 'input' || inputTypeOf(el) !== 'range' || isInSlider(el);
  if (!isGone(sight)) return false;
  if (!isTransparent(sight) || styleOf(el).pointerEvents === 'none') return true;
  const { width, height } = rectOf(el);
  return width <= kSliver || height <= kSliver;
}

// Whether what is drawn for a slider's <input> is a slider by itself; what has the keys without a role says nothing.
function isInSlider(el) {
  let box = el;
  for (let depth = 0; depth < kThumbDepth && box !== null; depth++) box = flatParentOf(box);
  return box === null || matchesSelector(box, kSliders) || querySelectorAllOf(box, kSliders).length > 0;
}
const kSliders = '[role=slider]';

// Whether a field that no key gets to and nothing can be typed in lies where the next one does: it draws how a text may go on.
function isBelowField(el) {
  if (attr(el, 'tabindex') !== '-1' || !hasAttr(el, 'readonly')) return false;
  const next = nextElementOf(el);
  if (next === null || tagOf(next) !== 'input') return false;
  const [own, over] = [rectOf(el), rectOf(next)];
  return kEdges.every((edge) => Math.abs(own[edge] - over[edge]) <= kSliver);
}
const kEdges = ['left', 'top', 'width', 'height'];

// The same, outside of a walk; what isn't rendered at all is stood for too.
const isStoodForNow = (el) => !isRendered(el, { visibilityProperty: true }) || isStoodFor(el, tagOf(el), sightHere(el));

// The checkbox or radio button that isn't rendered and that a label is drawn in place of: the label is its line
// [tool.snapshot.hidden-controls]. Of several labels the one around it is; null where a label is no such.
function controlDrawnBy(label) {
  const control = labelControlOf(label);
  if (control === null || tagOf(control) !== 'input' || !kDrawnTypes.has(inputTypeOf(control))) return null;
  if (hasAttr(label, 'role') || isRendered(control, { visibilityProperty: true })) return null;
  if ([...querySelectorAllOf(label, kInLabels)].some((one) => one !== control)) return null;
  const shown = labelsOf(control).filter((one) => isRendered(one, { visibilityProperty: true }));
  if ((shown.find((one) => flatContains(one, control)) ?? shown[0]) !== label) return null;
  const parts = [label, ...querySelectorAllOf(label, '*')].slice(0, kLabelParts);
  const isPressed = parts.some((part) => kPressCursors.has(styleOf(part).cursor));
  return isPressed || matchesSelector(control, ':disabled') ? control : null;
}
const drawnIn = (control) => labelsOf(control).find((label) => controlDrawnBy(label) === control) ?? null;
const kDrawnTypes = words('checkbox radio');
const kInLabels = 'a[href],button,input,select,textarea,[role],[tabindex]';
const kLabelParts = 8; // elements
const kPressCursors = words('pointer not-allowed');

// An element and its tag, or those of the control whose line it is.
function standsFor(el, tag) {
  const control = tag === 'label' ? controlDrawnBy(el) : null;
  return control === null ? [el, tag] : [control, 'input'];
}

// What a person takes hold of for a slider's <input> that is hidden for readers: the thumb, or the handle, around it; and for
// a combobox that is put off the page or is for readers alone, while the box around it shows what is chosen: that box.
function thumbOf(el) {
  const isCombobox = attr(el, 'role') === 'combobox';
  const isForReaders = () => (sightHere(el) & FOR_READERS) !== 0;
  if (tagOf(el) !== 'input') {
    if (!isCombobox || !isForReaders()) return el;
  } else if (inputTypeOf(el) === 'range' ? !isForReaders() : !isCombobox || !isOffPage(el)) return el;
  const box = largerAround(flatParentOf(el), kSliver, kThumbDepth);
  return box === null || isOffPage(box) ? el : box;
}
const kThumbDepth = 3; // elements

// Drops a label's words where the line of its control has them in its name [tool.snapshot.labels].
function dropLabelText(node, label, root) {
  const name = nameSaidFor(label, root);
  if (name === '') return;
  node.said = name;
  if (node.name === name && node.from === 'author') node.name = node.from = '';
  node.kids = withoutSaidWords(node.kids, name);
  if (node.kids.length === 0) node.states = node.states.replace(' [invalid]', ''); // as the control is
}

// The name of the control of a label, where the line of that tells it, or ''.
function nameSaidFor(label, root) {
  const control = printedFor(label, root);
  if (control === null) return '';
  const tag = tagOf(control);
  if ((tag === 'button' && !hasAttr(control, 'role')) || (tag === 'input' && kButtons.has(inputTypeOf(control))))
    return '';
  return nameOf(control, tag, roleOf(control, tag) ?? 'generic');
}

// A cell that holds but the label of a control has no line either.
function dropLabelCell(node, cell, root) {
  const label = node.kids.length === 0 && node.name !== '' ? firstElementOf(cell) : null;
  if (label === null || tagOf(label) !== 'label' || lastElementOf(cell) !== label) return;
  if (nameSaidFor(label, root) === node.name) Object.assign(node, { role: 'generic', name: '', from: '' });
}

// Less what a name says, also within boxes that do no more than place it.
const withoutSaidWords = (kids, name) =>
  kids.flatMap((kid) => {
    if (isSaid(kid, name)) return [];
    if (typeof kid === 'string' || kid.role !== 'generic' || kid.name !== '' || kid.quiet) return [kid];
    const left = withoutSaidWords(kid.kids, name);
    if (left.length === 0 && kid.marks === kHiddenText) return []; // for readers alone
    return left.length === kid.kids.length && left.every((one, i) => one === kid.kids[i])
      ? [kid]
      : [Object.assign(copyNode(kid), { kids: left, hash: 0 })];
  });

// The control whose line has a label's words, or null: what it labels, or the combobox that stands for that, or is called by it.
function printedFor(label, root) {
  const labelled = controlLabelled(label);
  const next = labelled !== null && tagOf(labelled) === 'select' ? nextElementOf(labelled) : null;
  const widget = next === null || !isStoodForNow(labelled) ? null : closestOrWithin(next, '[role=combobox]');
  const found = widget !== null && labelsStoodFor(widget).includes(label) ? widget : (labelled ?? namedBy(label));
  const control = found && (innerControlOf(found) ?? found);
  if (control && isPrinted(control, root)) return control;
  const other = labelled === null ? null : namedBy(label); // which is drawn in place of what it labels
  return other !== null && isPrinted(other, root) ? other : null;
}
const closestOrWithin = (el, selector) =>
  matchesSelector(el, selector) ? el : ([...querySelectorAllOf(el, selector)][0] ?? null);

// The widget beside a label that is called by it, as kits do that make their controls of other elements.
function namedBy(label) {
  const id = attr(label, 'id');
  if (!id) return null;
  for (let at = flatParentOf(label), level = 0; at !== null && level < kLabelLevels; at = flatParentOf(at), level++) {
    const widget = [...querySelectorAllOf(at, kNamedWidgets)].find((one) =>
      idListOf(one, 'aria-labelledby').includes(id),
    );
    if (widget !== undefined) return widget;
  }
  return null;
}
const kLabelLevels = 4;
const kNamedWidgets = '[role=combobox][aria-labelledby],[role=listbox][aria-labelledby],[role=group][aria-labelledby]';
const kButtons = words('submit button reset image hidden');

function isPrinted(control, root) {
  const shown = isRendered(control, { visibilityProperty: true }) ? control : drawnIn(control);
  if (shown === null || closestOf(shown, '[aria-hidden=true],[inert]')) return false;
  if (root !== document && !flatContains(root, shown)) return false;
  if (shown !== control) return true;
  const tag = tagOf(control);
  return !(tag === 'select' || attr(control, 'tabindex') === '-1') || !isStoodForNow(control);
}

function isSaid(kid, name) {
  if (typeof kid === 'string') return name.includes(kid.trim());
  if (!isPlain(kid) || kid.quiet) return false;
  return (
    kid.kids.every((inner) => isSaid(inner, name)) &&
    name.includes(kid.name) &&
    (kid.kids.length > 0 || kid.name !== '')
  );
}

const holdsWords = (kid) =>
  typeof kid === 'string' ? /\S/.test(kid) : kid.role === 'generic' && kid.kids.some(holdsWords);

// The field that a control is drawn around, as kits do with what is ticked, or a box that does no more than name it, and the box
// to tick in an option; null where there is none. What both say is one line, with the outer one's name and the ref of that which
// the keyboard reaches.
function fieldIn({ role, name, kids, states, pointer, kept, marks }) {
  const isItem = kTickedItems.has(role);
  const isNaming = role === 'generic' && name !== '';
  if (!kFieldBoxes.has(role) && !isItem && !isNaming) return null;
  const found = [];
  const visit = (kid) => {
    if (typeof kid !== 'string' && kid.role === 'generic' && isBare(kid)) kid.kids.forEach(visit);
    else if (!isPlain(kid)) found.push(kid);
  };
  kids.forEach(visit);
  const [field] = found;
  if (isNaming && (pointer || kept || marks !== '' || kids.some(holdsWords))) return null;
  if (isNaming && (field === undefined || field.name !== '' || !isReachedByKeys(field))) return null;
  if (found.length !== 1 || !kFieldBoxes.has(field.role) || field.marks !== '' || field.kids.length > 0) return null;
  if (field.name !== '' && (role === 'option' || (name !== '' && field.name !== name))) return null;
  if (isItem && field.name !== '' && name === '') return null;
  if (role === 'option' && /(checked|selected)\]/.test(states) !== field.states.includes('[checked]')) return null;
  return field;
}
const kFieldBoxes = words('checkbox radio switch');
const kTickedItems = words('option menuitem');

// The states of an item, with those of the box in it that draws whether it is ticked: that the keys act on the item says nothing of
// it, and that the box is read-only is no more than that the item is what is pressed.
const statesWith = ({ states }, node) =>
  kKeysActOn.test(node.states) ? states.replace(' [readonly]', '') + node.states : node.states;
const kKeysActOn = /^( \[(active|highlighted)\])*$/;

function isReachedByKeys(node) {
  const el = elementOf(node);
  return el !== null && Number(attr(el, 'tabindex') ?? 0) >= 0;
}

function fieldFor(node, field) {
  const name = node.name || field.name;
  const called = name === '' ? field.called : '';
  return Object.assign(copyNode(withClip(field, node)), { name, called, kept: true, hash: 0 });
}

// Leaves out the text beside the only field there that is all of its name, as what draws a label above a field is called by
// nothing else.
function dropDrawnName(node) {
  dropNamesBefore(node);
  const { kids } = node;
  if (node.role !== 'generic' || kids.length < 2 || kids.length > kDrawnMost) return;
  const fields = kids.filter((kid) => typeof kid !== 'string' && !isPlain(kid));
  if (fields.length !== 1 || fields[0].name === '' || !kNamedFields.has(fields[0].role)) return;
  const left = kids.filter((kid) => !isWordOfName(kid, fields[0]));
  if (left.length < kids.length) node.kids = left;
}
const isWordOfName = (kid, field) =>
  typeof kid === 'string'
    ? [field.name, field.hint].includes(kid.replace(kStar, '').trim()) // a placeholder may be drawn by an element of its own
    : isPlain(kid) && kid.name === '' && kid.kids.length > 0 && kid.kids.every((inner) => isWordOfName(inner, field));

// The same of a text right before a field, or before the box in which that is the only one, as where a form has the labels and the
// fields of a kit in one row or column.
function dropNamesBefore(node) {
  const left = node.kids.filter((kid, i) => {
    if (typeof kid === 'string' || kid.role !== 'generic') return true;
    const field = fieldAtStart(node.kids[i + 1]);
    return field === null || !isWordOfName(kid, field);
  });
  if (left.length < node.kids.length) node.kids = left;
}

function fieldAtStart(kid) {
  if (kid === undefined || typeof kid === 'string') return null;
  if (kNamedFields.has(kid.role)) return kid.name === '' ? null : kid;
  if (kid.role !== 'generic' || !isBare(kid)) return null;
  const fields = kid.kids.filter((inner) => typeof inner !== 'string' && kNamedFields.has(inner.role));
  return fields.length === 1 && fields[0].name !== '' ? fields[0] : null;
}
const kNamedFields = words('textbox searchbox combobox spinbutton slider radio checkbox switch');
const kStar = /\s*\*\s*$/; // of what has to be filled in

// Leaves out the empty box that draws a field beside it: a switch that nobody sees itself, and the arrow of a list, which opens as
// the field is clicked.
function dropDrawn(node) {
  const { kids } = node;
  if (!kDrawnIn.has(node.role) || kids.length < 2 || kids.length > kDrawnMost) return;
  if (kids.some((kid) => typeof kid === 'string')) return;
  const fields = kids.filter(({ role }) => kFieldBoxes.has(role) || role === 'combobox');
  if (fields.length !== 1) return;
  const [field] = fields;
  const isDrawing = (kid) => {
    if (kid.role !== 'generic' || kid.pointer !== true || kid.name !== '' || kid.kids.length > 0) return false;
    const el = elementOf(kid);
    const box = elementOf(field);
    if (el === null || box === null) return false;
    if (kFieldBoxes.has(field.role)) return !isLarger(box, kSliver) || styleOf(box).opacity === '0';
    return hasAttr(box, 'readonly') && kOpens.test(attr(el, 'class') ?? '');
  };
  const drawn = kids.filter(isDrawing);
  if (drawn.length === 1) node.kids = kids.filter((kid) => kid !== drawn[0]);
}
const kDrawnIn = words('generic listitem cell gridcell');
const kDrawnMost = 4;
const kOpens = /caret|arrow|chevron/i;

// Of radio buttons side by side that nobody can choose among, as the stars of a rating that is only shown, the chosen one is told.
function dropUnchosen(node) {
  const { kids } = node;
  if (kids.length < 2 || !kids.every(isShownAlone)) return;
  const radios = kids.filter((kid) => typeof kid !== 'string');
  if (radios.length < 2) return;
  const chosen = radios.filter(({ states }) => states.includes('[checked]'));
  const none = {
    role: 'radiogroup',
    name: '',
    called: '',
    kids: [`… none of ${radios.length} checked`],
    ref: false,
    hash: 0,
  };
  node.kids = chosen.length > 0 ? chosen : [Object.assign(copyNode(radios[0]), none)];
}
const isShownAlone = (kid) =>
  typeof kid === 'string'
    ? !/\S/.test(kid)
    : kid.role === 'radio' && kid.states.includes('[readonly]') && !kid.states.includes('[active]');

const withoutKid = (kids, gone) =>
  kids.flatMap((kid) => {
    if (kid === gone) return [];
    return typeof kid === 'string' || kid.role !== 'generic' || !isBare(kid)
      ? [kid]
      : [Object.assign(copyNode(kid), { kids: withoutKid(kid.kids, gone) })];
  });

export {
  kTickedItems,
  dropDrawn,
  dropDrawnName,
  dropLabelCell,
  dropLabelText,
  dropUnchosen,
  drawnIn,
  fieldFor,
  fieldIn,
  isPrinted,
  isReachedByKeys,
  isStoodFor,
  isStoodForNow,
  printedFor,
  sightAround,
  sightHere,
  standsFor,
  statesWith,
  thumbOf,
  withoutKid,
};
