// What an author calls a control: its labels, its own attribute.

import {
  attr,
  closestOf,
  elementsOf,
  isBefore,
  isRendered,
  labelControlOf,
  matchesSelector,
  nextElementOf,
  previousElementOf,
  querySelectorAllOf,
  rootNodeOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { group, words } from '../dom/collections.js';
import { byIdNear, flatContains, flatParentOf, idListOf } from '../dom/flat_tree.js';
import { CONTENTS, styleFlags } from '../dom/style.js';
import { LABELS, note } from '../dom/noted.js';
import { pass } from '../dom/pass.js';
import { oneSpace } from '../dom/text.js';

// What the browser shows of an element under the mouse, or a script does instead, which takes the attribute away for that, mostly as
// soon as the mouse first comes over the element.
function titleShown(el) {
  for (const name of kTitles) {
    const title = oneSpace(attr(el, name) ?? '');
    if (title !== '') return kMarkup.test(title) ? oneSpace(title.replace(kTag, ' ')) : title;
  }
  return '';
}
// A script may show it as HTML: what it says then are its words.
const kMarkup = /<\/[a-z]\w*>|<br\b/i;
const kTag = /<\/?[a-z][^<>]*>/gi;
const kTitles = ['title', 'data-original-title', 'data-bs-original-title'];

// `el.labels` walks the whole document anew for each control, so all labels of a scope are indexed at once.
function labelsOf(el) {
  note(LABELS);
  const root = rootNodeOf(el);
  pass.labels ??= new Map();
  let index = pass.labels.get(root);
  if (!index) {
    index = new Map();
    for (const label of elementsOf(root, 'label')) {
      const control = controlLabelled(label);
      if (control) group(index, control, label);
    }
    pass.labels.set(root, index);
  }
  return index.get(el) ?? kNoLabels;
}
const kNoLabels = [];

// Where several forms have fields of one id, a browser takes each label for that of the first; a person for that of the field in
// the label's own form. What is ticked is left to the browser, which a click on the label does it by.
function controlLabelled(label) {
  const control = labelControlOf(label);
  const id = attr(label, 'for');
  if (control === null) return fieldMeantBy(label, id);
  if (!id) return control;
  const form = closestOf(label, 'form');
  if (form === null || flatContains(form, control)) return control;
  const own = [...querySelectorAllOf(form, kFieldsWithId)].find((field) => attr(field, 'id') === id);
  return own ?? control;
}

// A label for an id that nothing has, as where a kit gives its fields ids of its own, was meant for the only field beside it, and one for a box
// for the only field in that; so was one for no id that stands before that field, as behind it a unit may stand.
function fieldMeantBy(label, id) {
  const box = id ? byIdNear(label, id) : null;
  if (box) return fieldAloneIn(box);
  if (!id && !/\S/.test(textContentOf(label))) return null;
  let around = flatParentOf(label);
  for (let level = 0; around !== null && level < kMeantLevels; level++, around = flatParentOf(around)) {
    if (querySelectorAllOf(around, kFieldsBeside).length === 0) continue;
    if (!isOnlyLabel(label, id, around)) return null;
    const field = fieldAloneIn(around);
    if (field === null) return boxAfter(label, around);
    return id || isBefore(label, field) ? field : null;
  }
  return null;
}

// Whether a box has no other label, or only such as say more of the same field behind it: its unit.
function isOnlyLabel(label, id, around) {
  const [first, ...others] = querySelectorAllOf(around, 'label');
  return first === label && others.every((other) => id && attr(other, 'for') === id);
}

// The box to tick right behind a label, with which it is alone, as in a row of settings, or in what stands there and has no words.
function boxAfter(label, around) {
  const next = nextElementOf(label);
  const [box, ...others] = querySelectorAllOf(around, kFieldsBeside);
  if (next === null || box === undefined || others.length > 0 || /\S/.test(textContentOf(next))) return null;
  return flatContains(next, box) && matchesSelector(box, 'input[type=checkbox],input[type=radio]') ? box : null;
}

// A list that has opened beside the field, as the days of a calendar, is a part of it.
function fieldAloneIn(box) {
  const [field, ...others] = querySelectorAllOf(box, kFieldsBeside);
  const isPart = (other) => attr(other, 'role') === 'listbox' || flatContains(field, other);
  return field && others.every(isPart) && matchesSelector(field, kFieldsMeant) ? field : null;
}
const kMeantLevels = 4;
const kFieldsBeside =
  'input:not([type=hidden],[role=presentation],[role=none]),select,textarea,[contenteditable],[role=combobox],[role=textbox],[role=listbox],[role=switch]';
const kFieldsMeant =
  'input:not([type=checkbox],[type=radio],[type=file],[type=submit],[type=button]),select,textarea,button[role=switch],[role=combobox],[role=listbox]';
const kFieldsWithId = 'input[id]:not([type=checkbox],[type=radio],[type=file],[type=hidden]),select[id],textarea[id]';

// The elements that an author names one by. Those around a table, a list or a box hold all of its text, and name nothing.
function namersOf(el, role) {
  const ids = idListOf(el, 'aria-labelledby');
  if (ids.length === 0 || !kHolders.has(role)) return ids;
  return ids.filter((id) => {
    const namer = byIdNear(el, id);
    return !namer || !flatContains(namer, el);
  });
}
const kHolders = words('table grid treegrid rowgroup row list listbox tree menu group region generic');

// The labels that a field of the page's own is called by, which the browser gives none.
function labelsMeantFor(el, role) {
  const own = labelsOf(el);
  return own.length > 0 || role !== 'combobox' ? own : labelsStoodFor(el);
}

// The labels of the <select> right before a combobox of the page's own, or before the box around it, that nobody is meant to see: they
// call what stands for it.
function labelsStoodFor(el) {
  let at = el;
  for (let level = 0; at !== null && level < kStoodForLevels; at = flatParentOf(at), level++) {
    const before = previousElementOf(at);
    if (before === null) continue;
    if (tagOf(before) !== 'select') return kNoLabels;
    return isHiddenHere(before) ? labelsOf(before) : kNoLabels;
  }
  return kNoLabels;
}
const kStoodForLevels = 3;

// Whether a label's own words are kept from assistive technology or nobody can see them.
function isHiddenHere(el) {
  return (
    (!isRendered(el, { visibilityProperty: true }) && !(styleFlags(el) & CONTENTS)) ||
    attr(el, 'aria-hidden') === 'true'
  );
}

// What an element's own attribute calls it. The braces of a template that nothing has filled in are no words, and of markup, which
// some widgets copy from what they stand on, its text is.
function authorLabel(el) {
  const text = oneSpace(attr(el, 'aria-label') ?? '');
  if (/^\{\{.*\}\}$/.test(text)) return '';
  return text.includes('</') ? oneSpace(text.replace(/<\/?[a-z][^>]*>/gi, ' ')) : text;
}

export { authorLabel, controlLabelled, isHiddenHere, labelsMeantFor, labelsOf, labelsStoodFor, namersOf, titleShown };
