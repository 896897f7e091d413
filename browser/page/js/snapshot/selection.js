// What is selected, as a line of a delta: a key that only moves the selection changes nothing else.

import { activeElementOf, isElement, matchesSelector, tagOf, textContentOf } from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { closestFlat, deepActiveElement, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { withPass } from '../dom/pass.js';
import { isGone } from '../dom/sight.js';
import { INLINE, styleFlags } from '../dom/style.js';
import { isEditableRoot } from '../aria/roles.js';
import { isSecret } from '../aria/values.js';
import { sightHere } from '../tree/natives.js';
import { recordOf, refText } from '../tree/refs.js';

const kSelectedShown = 100; // characters
let toldSelection = '';
let toldBefore = ''; // for a snapshot that is taken again
let toldBlank = null; // the empty line of an editor that the caret was told to be on, held weakly
let blankBefore = null;

function selectedText() {
  const el = deepActiveElement() ?? activeElementOf(document);
  const tag = el ? tagOf(el) : '';
  if (tag !== 'input' && tag !== 'textarea') {
    const selection = getSelection();
    if (selection === null || selection.isCollapsed || isSelectedUnseen(selection.focusNode)) return '';
    return oneSpace(String(selection));
  }
  const { selectionStart, selectionEnd } = el;
  if (selectionStart === selectionEnd || isSecret(el, tag)) return '';
  return oneSpace(el.value.slice(selectionStart, selectionEnd));
}

// An editor may take what is pasted by an element that nobody sees.
function isSelectedUnseen(node) {
  const el = isElement(node) ? node : flatParentOf(node);
  return el !== null && withPass(() => isGone(sightHere(el)));
}

// The empty line of an editor that has the caret: it has no text to be shown by, so that Enter would seem to do nothing.
function blankLine() {
  const selection = getSelection();
  if (selection === null || !selection.isCollapsed || selection.focusNode === null) return null;
  let at = selection.focusNode;
  if (!isElement(at)) at = flatParentOf(at);
  while (at !== null && styleFlags(at) & INLINE) at = flatParentOf(at);
  if (at === null || /[^\s\u200b\u2060\ufeff]/.test(textContentOf(at)) || isEditableRoot(at)) return null;
  const focus = deepActiveElement(); // a button may have it, and the editor draw its caret still
  if (focus !== null && !flatContains(focus, at)) return null;
  return closestFlat(flatParentOf(at), isEditableRoot) ? at : null;
}

function noteSelection() {
  toldBefore = toldSelection;
  blankBefore = toldBlank;
  toldSelection = selectedText();
  const blank = toldSelection === '' ? blankLine() : null;
  toldBlank = blank === null ? null : new WeakRef(blank);
}

function takeBackSelection() {
  toldSelection = toldBefore;
  toldBlank = blankBefore;
}

// ` of cell [ref=e5]`, where the line is in one that a snapshot has shown: a table has many.
function cellWords(line) {
  const record = recordOf.get(closestFlat(line, (at) => matchesSelector(at, kCellTags)));
  return record === undefined ? '' : ` of ${record.role} [ref=${refText(record)}]`;
}
const kCellTags = 'td,th,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]';

// '' where nothing is selected, or what was when it was asked last.
function selectionLine() {
  const before = toldSelection;
  const blank = toldBlank?.deref();
  noteSelection();
  const line = toldBlank?.deref();
  if (line !== undefined && line !== blank) return `- text: … the caret is on an empty line${cellWords(line)}`;
  if (toldSelection === '' || toldSelection === before) return '';
  return `- text: … selected: ${quote(cut(toldSelection, kSelectedShown))}`;
}

export { noteSelection, selectionLine, takeBackSelection };
