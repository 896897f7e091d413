// What is selected, as a line of a delta: a key that only moves the selection changes nothing else.

import { activeElementOf, tagOf } from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { deepActiveElement } from '../dom/flat_tree.js';
import { isSecret } from '../aria/values.js';

const kSelectedShown = 100; // characters
let toldSelection = '';
let toldBefore = ''; // for a snapshot that is taken again

function selectedText() {
  const el = deepActiveElement() ?? activeElementOf(document);
  const tag = el ? tagOf(el) : '';
  if (tag !== 'input' && tag !== 'textarea') {
    const selection = getSelection();
    return selection === null || selection.isCollapsed ? '' : oneSpace(String(selection));
  }
  const { selectionStart, selectionEnd } = el;
  if (selectionStart === selectionEnd || isSecret(el, tag)) return '';
  return oneSpace(el.value.slice(selectionStart, selectionEnd));
}

function noteSelection() {
  toldBefore = toldSelection;
  toldSelection = selectedText();
}

function takeBackSelection() {
  toldSelection = toldBefore;
}

// '' where nothing is selected, or what was when it was asked last.
function selectionLine() {
  const before = toldSelection;
  noteSelection();
  if (toldSelection === '' || toldSelection === before) return '';
  return `- text: … selected: ${quote(cut(toldSelection, kSelectedShown))}`;
}

export { noteSelection, selectionLine, takeBackSelection };
