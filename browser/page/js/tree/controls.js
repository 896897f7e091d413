// What form controls hold, whether their lists are open, and whether media play: no mutation tells of it, so that all of
// them are looked at.

import {
  inputCheckedOf,
  inputIndeterminateOf,
  inputValueOf,
  areaValueOf,
  isEndedOf,
  isPausedOf,
  matchesSelector,
  querySelectorAllOf,
  selectOptionsOf,
  optionSelectedOf,
  selectedIndexOf,
  tagOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { rootsWatched } from '../dom/changes.js';
import { isListOpen } from '../aria/states.js';

const kValued = 'input,textarea,select,video,audio';
const kMedia = words('video audio');
const isPlaying = (el) => !isPausedOf(el) && !isEndedOf(el);
const kFakePath = 'C:\\fakepath\\';

let controls = []; // { el, tag, value, flags }, where `el` is a WeakRef

function newControl(el) {
  const control = { el: new WeakRef(el), tag: tagOf(el), value: '', flags: 0 };
  isChanged(control, el);
  return control;
}

// Takes what the control holds now. Whether it held something else.
function isChanged(control, el) {
  let value = '';
  let flags = 0;
  if (control.tag === 'input') {
    value = inputValueOf(el);
    flags = (inputCheckedOf(el) ? 1 : 0) | (inputIndeterminateOf(el) ? 2 : 0);
    if (value.startsWith(kFakePath)) value = Array.from(el.files ?? [], ({ name }) => name).join('\u0000');
  } else if (kMedia.has(control.tag)) flags = isPlaying(el) ? 1 : 0;
  else if (control.tag === 'textarea') value = areaValueOf(el);
  else {
    value = el.multiple ? selectedOf(el) : selectedIndexOf(el);
    flags = isListOpen(el) ? 1 : 0;
  }
  const same = control.value === value && control.flags === flags;
  control.value = value;
  control.flags = flags;
  return !same;
}

const selectedOf = (el) => Array.from(selectOptionsOf(el), (option) => (optionSelectedOf(option) ? 1 : 0)).join('');

// Begins anew with all controls that are there.
function noteControls() {
  controls = rootsWatched().flatMap((root) => Array.from(querySelectorAllOf(root, kValued), newControl));
}

// Those that have come since, in elements that were added.
function addControls(elements) {
  const known = elements.length ? new Set(controls.map(({ el }) => el.deref())) : null;
  const add = (el) => {
    if (known.has(el)) return;
    known.add(el);
    controls.push(newControl(el));
  };
  for (const el of elements) {
    if (matchesSelector(el, kValued)) add(el);
    querySelectorAllOf(el, kValued).forEach(add);
  }
}

// The controls that hold something else than at the last look.
function changedControls() {
  const changed = [];
  let gone = 0;
  for (const control of controls) {
    const el = control.el.deref();
    if (el === undefined) gone++;
    else if (isChanged(control, el)) changed.push(el);
  }
  if (gone > 0) controls = controls.filter(({ el }) => el.deref() !== undefined);
  return changed;
}

export { noteControls, addControls, changedControls, isPlaying, kMedia };
