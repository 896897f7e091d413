// Upload fields that are hidden behind a button or label of the page's own.

import {
  containsNode,
  elementsOf,
  firstElementOf,
  isInput,
  isRendered,
  matchesSelector,
  nextElementOf,
  parentElementOf,
  querySelectorAllOf,
} from '../dom/members.js';
import { BOX, note } from '../dom/noted.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { foundAll } from '../dom/found.js';
import { statesOf } from '../aria/states.js';
import { valueOf } from '../aria/values.js';
import { labelsOf } from '../aria/labels.js';
import { nameOf } from '../aria/names.js';
import { newNode } from './node.js';

const kHiddenFile = ' [hidden file input]';

const kFiles = 'input[type=file]';

// Upload fields are mostly hidden behind a styled label or button, and work all the same.
function fileInputsIn(root, known) {
  const list = root === document ? foundAll(kFiles) : elementsOf(root, kFiles);
  if (!list.length) return known;
  return new Set([...(known ?? []), ...[...list].filter(isInput)]);
}

function keepHiddenFiles(el, parent, files) {
  note(BOX); // what may be clicked for them can lie anywhere
  for (const input of files) {
    if (
      !containsNode(el, input) ||
      matchesSelector(input, ':disabled') ||
      isKeptBack(input) ||
      !hasVisibleTrigger(input)
    )
      continue;
    const node = newNode(input, 'input', 'button', nameOf(input, 'input', 'button'), 'native');
    node.states = statesOf(input, 'input', 'button');
    node.value = valueOf(input, 'input', 'button');
    node.marks = kHiddenFile;
    node.kept = true;
    parent.kids.push(' ', node, ' ');
    files.delete(input);
  }
}

// Whether a dialog keeps it ready together with fields of other kinds, to show that which it is to ask for.
function isKeptBack(input) {
  const around = parentElementOf(input);
  let others = 0;
  for (let at = around && firstElementOf(around); at !== null; at = nextElementOf(at))
    if (matchesSelector(at, kOtherKinds) && !isRendered(at)) others++;
  return others >= kKeptBack;
}
const kOtherKinds = 'select,textarea,input:not([type=file], [type=hidden])';
const kKeptBack = 2; // fields

function hasVisibleTrigger(input) {
  for (const label of labelsOf(input)) if (isRendered(label, { visibilityProperty: true })) return true;
  let at = flatParentOf(input);
  for (let i = 0; at && i < 4; i++, at = flatParentOf(at))
    for (const other of querySelectorAllOf(at, 'button,[role=button],a,label,input[type=button],[onclick],[tabindex]'))
      if (isRendered(other, { visibilityProperty: true })) return true;
  return false;
}

export { kHiddenFile, fileInputsIn, keepHiddenFiles };
