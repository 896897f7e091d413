// What a control holds, and whether a text can be put into it.

import {
  areaValueOf,
  attr,
  clientHeightOf,
  editContextOf,
  hasAttr,
  inputTypeOf,
  inputValueOf,
  isInput,
  isRendered,
  labelControlOf,
  observeMutations,
  optionSelectedOf,
  parentElementOf,
  querySelectorAllOf,
  selectOptionsOf,
  tagOf,
  textContentOf,
  takeMutations,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { oneSpace } from '../dom/text.js';
import { innerControlOf } from '../dom/shadow_roots.js';
import { closestFlat } from '../dom/flat_tree.js';
import { isPlainPart } from '../dom/hit.js';
import { clipsContents, styleOf } from '../dom/style.js';
import { isPlainAutocomplete, isSecretAutocomplete, isSecretName, shownForSecret } from '../dom/secrets.js';
import { formulaOf } from './math.js';
import { optionText } from './parts.js';

// Whether what a field holds must never leave the page [tool.secrets]: passwords, codes, keys, card numbers. A field is
// known by its type, what it once was, its autocomplete, its name, its short labels, and by how it is drawn.
function isSecret(el, tag, label = '') {
  if (tag !== 'input' && tag !== 'textarea') return false;
  if (tag === 'input' && inputTypeOf(el) === 'password') {
    wasPassword.add(el);
    return true;
  }
  if (hasBeenPassword(el)) return true;
  return isNamedSecret(el, label) || isDrawnSecret(el);
}

function isNamedSecret(el, label) {
  const autocomplete = attr(el, 'autocomplete');
  if (autocomplete) {
    if (isSecretAutocomplete(autocomplete) && !keepsAutofillOff(el, autocomplete)) return true;
    if (isPlainAutocomplete(autocomplete)) return false;
  }
  return (
    isSecretName(attr(el, 'name') ?? '') ||
    isSecretName(attr(el, 'id') ?? '') ||
    isSecretLabel(attr(el, 'aria-label') ?? '') ||
    isSecretLabel(attr(el, 'placeholder') ?? '') ||
    isSecretLabel(label)
  );
}

// Libraries give the fields of their lists new-password so that the browser fills nothing in.
function keepsAutofillOff(el, autocomplete) {
  if (autocomplete.trim().toLowerCase() !== 'new-password') return false;
  return inputTypeOf(el) === 'search' || /^(combobox|searchbox)$/.test(attr(el, 'role') ?? '');
}

// A label of a few words that ends with a secret's name: "Card number", and not "Forgot your password? Enter your mail".
const isSecretLabel = (label) => label.length <= kLabelMax && label.split(' ').length <= 4 && isSecretName(label);
const kLabelMax = 40; // characters

// -webkit-text-security draws dots, as a password field does.
function isDrawnSecret(el) {
  const drawn = getComputedStyle(el).webkitTextSecurity;
  return drawn !== 'none' && drawn !== '' && drawn !== undefined;
}

// An editable element that is no field of a form has no name but its label and id.
function isSecretEditor(el) {
  return isSecretName(attr(el, 'id') ?? '') || isSecretLabel(attr(el, 'aria-label') ?? '') || isDrawnSecret(el);
}

// "Show password" turns the type into text, and a field that ever was a password stays one. The page may do so before a
// snapshot has seen the field, so changes of the type are noted from the document's first moment on; in a shadow tree,
// from the moment on when a snapshot has met it.
const wasPassword = new WeakSet();
const typeChanges = new MutationObserver(noteTypes);
const watchedRoots = new WeakSet();
const kTypeChanges = { subtree: true, attributeFilter: ['type'], attributeOldValue: true };

function noteTypes(changes) {
  for (const { target, oldValue } of changes)
    if (oldValue !== null && /^password$/i.test(oldValue) && isInput(target)) wasPassword.add(target);
}

function watchTypes(root) {
  if (watchedRoots.has(root)) return;
  watchedRoots.add(root);
  for (const el of querySelectorAllOf(root, 'input[type=password i]')) wasPassword.add(el);
  observeMutations(typeChanges, root, kTypeChanges);
}

function hasBeenPassword(el) {
  noteTypes(takeMutations(typeChanges));
  return wasPassword.has(el);
}

// Whether the page draws a password as text now. Its field was one of dots before.
const isRevealed = (el) => hasBeenPassword(el) && inputTypeOf(el) !== 'password' && !isDrawnSecret(el);

// The text that a control holds, or null when it holds none. Secrets give a mark.
function valueOf(el, tag, role, name = '') {
  if (tag === 'input') {
    const type = inputTypeOf(el);
    if (type === 'password') wasPassword.add(el); // though nothing is in it yet
    if (type === 'file') return fileNames(el);
    if (/^(checkbox|radio|button|submit|reset|image|hidden)$/.test(type)) return null;
    const value = inputValueOf(el);
    if (value === '') return null;
    return isSecret(el, tag, name) ? shownForSecret(el, value) : value;
  }
  if (tag === 'textarea') {
    const value = areaValueOf(el);
    if (value === '' || isForKeysAlone(el)) return null;
    return isSecret(el, tag, name) ? shownForSecret(el, value) : value;
  }
  if (tag === 'progress') return hasAttr(el, 'value') ? shareText(String(el.value), 0, el.max) : null;
  if (tag === 'math') return formulaOf(el);
  if (tag === 'meter') return hasAttr(el, 'value') ? String(el.value) : null;
  if (role === 'progressbar') return attr(el, 'aria-valuetext') || shareOfBar(el);
  if (kRanges.has(role) || (role === 'separator' && hasAttr(el, 'tabindex')))
    return attr(el, 'aria-valuetext') || shortNumber(attr(el, 'aria-valuenow'));
  return null;
}

// Whether a field is clipped to no height, as an editor's that takes the keys: it holds what was typed last, also when the editor
// that draws the text shows another one by now.
function isForKeysAlone(el) {
  const box = parentElementOf(el);
  return box !== null && clipsContents(styleOf(box)) && clientHeightOf(box) === 0; // the size last: it would be looked at again each time
}

// A share of a length, as of a split page, has more digits than anybody needs.
const shortNumber = (text) => (/^-?\d+\.\d{5,}$/.test(text ?? '') ? String(Number(Number(text).toFixed(3))) : text);

const kRanges = words('slider spinbutton meter scrollbar');

function shareOfBar(el) {
  const [now, least, most] = ['aria-valuenow', 'aria-valuemin', 'aria-valuemax'].map((name) => attr(el, name));
  return now === null ? null : shareText(now, parseFloat(least ?? '0'), parseFloat(most ?? '100'));
}

// How far a bar is filled, as a person sees that: a number alone says it only of a hundred.
function shareText(now, least, most) {
  const value = parseFloat(now);
  if (most === 100 || !(most > least) || Number.isNaN(value)) return now;
  if (most <= kCounted && Number.isInteger(value) && Number.isInteger(most) && most > 1) return `${now} of ${most}`;
  return `${Math.round((100 * (value - least)) / (most - least))}%`;
}
const kCounted = 100;

function fileNames(el) {
  const files = el.files;
  return files && files.length ? Array.from(files, (file) => file.name).join(', ') : null;
}
const kTypedInputs = words('text search email url tel password number');
const kSetInputs = words('date time datetime-local month week color range');

// Whether text can be put in: '' says no.
function isEditable(el) {
  const tag = tagOf(el);
  if (tag === 'textarea') return !el.readOnly;
  if (tag === 'input') return (kTypedInputs.has(inputTypeOf(el)) || kSetInputs.has(inputTypeOf(el))) && !el.readOnly;
  if (!(el instanceof HTMLElement) || tag === 'form') return false;
  return el.isContentEditable || editContextOf(el) !== null;
}

// Whether a field completes what is typed by a list of what there is.
const completesText = (el) => /^(list|both)$/.test(attr(el, 'aria-autocomplete') ?? '');

const isTypedInto = (el) => /^(input|textarea)$/.test(tagOf(el)) && isEditable(el);

// A slider that a page has made of other elements: keys move it, and its value stands in aria-valuenow.
const isMadeSlider = (el) => tagOf(el) !== 'input' && /^\s*slider(\s|$)/i.test(attr(el, 'role') ?? '');

// A part of a date or a time that is no field and can't be edited either: its page makes the value of the keys.
const isKeyedPart = (el) =>
  /^\s*spinbutton(\s|$)/i.test(attr(el, 'role') ?? '') &&
  !/^(input|textarea)$/.test(tagOf(el)) &&
  hasAttr(el, 'tabindex') &&
  querySelectorAllOf(el, 'input,textarea,button').length === 0;

// A label and the words in it stand for its control, a custom element for the only one that it holds or has in its shadow tree,
// and a combobox that is wrapped around a field for that.
function controlOf(el) {
  const tag = tagOf(el);
  const label = tag === 'label' ? el : labelWith(el);
  const control = (label && labelControlOf(label)) ?? el;
  if (tag.includes('-') || (tag !== 'input' && attr(el, 'role') === 'combobox')) {
    const fields = [...querySelectorAllOf(el, 'input,textarea')].filter((one) => isEditable(one) && isRenderedNow(one));
    if (fields.length === 1) return fields[0];
  }
  return innerControlOf(control) ?? control;
}

// Whether a text can be typed into what an element stands for.
const takesText = (el) => [isEditable, isMadeSlider, isKeyedPart].some((takes) => takes(controlOf(el)));

// The label of which an element is a plain part; null without one.
function labelWith(el) {
  const label = closestFlat(el, (at) => tagOf(at) === 'label');
  return label !== null && isPlainPart(el, label) && !isEditable(el) ? label : null;
}

// What a control within a label says there, or null.
function embeddedValue(el, tag, role) {
  if (tag === 'select' || role === 'combobox' || role === 'listbox') {
    if (tag === 'select')
      return Array.from(selectOptionsOf(el))
        .filter((o) => optionSelectedOf(o))
        .map((o) => optionText(o))
        .join(' ');
    if (tag === 'input') return isSecret(el, tag) ? '' : inputValueOf(el);
    return (
      oneSpace(Array.from(querySelectorAllOf(el, '[role=option][aria-selected=true]'), textContentOf).join(' ')) || null
    );
  }
  if (role === 'textbox' || role === 'searchbox' || role === 'spinbutton' || role === 'slider') {
    if (tag === 'input' || tag === 'textarea') {
      return isSecret(el, tag) ? '' : (valueOf(el, tag, role) ?? '');
    }
    if (role === 'textbox' || role === 'searchbox') return isSecretEditor(el) ? '' : textContentOf(el);
    return attr(el, 'aria-valuetext') ?? attr(el, 'aria-valuenow') ?? '';
  }
  return null;
}

const isRenderedNow = (el) => isRendered(el, { visibilityProperty: true });

// As what the browser's own fields for dates and times are given one.
const kDateFormats = {
  __proto__: null,
  date: 'YYYY-MM-DD',
  time: 'HH:MM',
  'datetime-local': 'YYYY-MM-DDTHH:MM',
  month: 'YYYY-MM',
  week: 'YYYY-Www',
};

// What an empty field shows in place of a value, unless it is called so: its placeholder, or as what it takes a date; or null.
function hintOfField(el, tag, name) {
  const text = oneSpace(attr(el, 'placeholder') ?? '');
  if (text !== '') return text === name ? null : text;
  return tag === 'input' && isInput(el) && inputValueOf(el) === '' ? (kDateFormats[inputTypeOf(el)] ?? null) : null;
}

export {
  kDateFormats,
  hintOfField,
  shortNumber,
  isSecret,
  isSecretEditor,
  isRevealed,
  watchTypes,
  valueOf,
  embeddedValue,
  isEditable,
  completesText,
  isTypedInto,
  isMadeSlider,
  isKeyedPart,
  takesText,
  controlOf,
};
