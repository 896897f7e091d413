// What is selected, as a line of a delta: a key that only moves the selection changes nothing else. And how it looks in an
// editor: what a toolbar's button gives it, as a colour, is nothing that the tree tells.

import { activeElementOf, isElement, matchesSelector, tagOf, textContentOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { colourName } from '../dom/colours.js';
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
let toldLook = null; // of the selection; null outside of an editor
let lookBefore = null;

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

// The first text of a range, or the element that it is in.
function firstTextOf({ startContainer, startOffset }) {
  let at = startContainer;
  if (isElement(at)) at = at.childNodes[startOffset] ?? at;
  else if (startOffset === at.length && at.nextSibling !== null) at = at.nextSibling;
  while (at.firstChild) at = at.firstChild;
  return at;
}

// What the tree tells by an element, with a look that goes along.
const kToldTags = words('a b code del em i ins kbd mark s small strong sub sup');
const kClear = 'rgba(0, 0, 0, 0)';

// The styles of the selected text and of its line that an editor's buttons set.
function lookOfSelection() {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return null;
  const first = firstTextOf(selection.getRangeAt(0));
  let at = isElement(first) ? first : flatParentOf(first);
  if (at === null || !closestFlat(at, isEditableRoot)) return null;
  const { color, fontSize, fontFamily, fontWeight, fontStyle } = getComputedStyle(at);
  const text = { color, fontSize, fontFamily, bold: fontWeight >= 600, italic: fontStyle !== 'normal' };
  Object.assign(text, { underlined: false, background: kClear, tags: '' });
  for (; at !== null && styleFlags(at) & INLINE; at = flatParentOf(at)) {
    const { textDecorationLine, backgroundColor } = getComputedStyle(at);
    text.underlined ||= textDecorationLine.includes('underline');
    if (text.background === kClear) text.background = backgroundColor;
    if (kToldTags.has(tagOf(at))) text.tags += ` ${tagOf(at)}`;
  }
  if (at === null) return null;
  const { textAlign, marginLeft, paddingLeft, textIndent } = getComputedStyle(at);
  // The editor as a whole is placed by its page, as where it lies over what it edits.
  const parts = isEditableRoot(at) ? [textIndent] : [marginLeft, paddingLeft, textIndent];
  const indent = Math.round(parts.reduce((sum, part) => sum + parseFloat(part), 0));
  text.tags += ` ${tagOf(at)}`;
  return {
    selected: oneSpace(String(selection)),
    line: new WeakRef(at),
    words: textContentOf(at),
    text,
    textAlign,
    indent,
  };
}

const kAligned = {
  __proto__: null,
  start: 'aligned left',
  left: 'aligned left',
  center: 'centered',
  right: 'aligned right',
  end: 'aligned right',
  justify: 'justified',
};
const not = (is, word) => (is ? word : `not ${word}`);

// What has become of the same text, and of its line: nothing where something else is selected.
function lookLine(before, now) {
  if (before === null || now === null || before.selected !== now.selected || before.words !== now.words) return '';
  if (before.words === '' && before.line.deref() !== now.line.deref()) return '';
  const line = [];
  const isElsewhere = before.text.tags !== now.text.tags;
  if (before.textAlign !== now.textAlign) line.push(kAligned[now.textAlign] ?? now.textAlign);
  const further = now.indent - before.indent;
  if (further !== 0 && !isElsewhere) line.push(`indented ${Math.abs(further)}px ${further > 0 ? 'more' : 'less'}`);
  const text = now.selected === '' || isElsewhere ? [] : textChanges(before.text, now.text);
  const parts = [];
  if (text.length > 0) parts.push(`${quote(cut(now.selected, kSelectedShown))} is now ${text.join(', ')}`);
  if (line.length > 0)
    parts.push(`the line of the ${now.selected === '' ? 'caret' : 'selection'} is now ${line.join(', ')}`);
  return parts.length > 0 ? `- text: … ${parts.join('; ')}` : '';
}

function textChanges(before, now) {
  const changes = [];
  if (before.color !== now.color) changes.push(`in ${colourName(now.color) || now.color}`);
  if (before.background !== now.background)
    changes.push(
      now.background === kClear ? 'without a background' : `on ${colourName(now.background) || now.background}`,
    );
  if (before.underlined !== now.underlined) changes.push(not(now.underlined, 'underlined'));
  if (before.bold !== now.bold) changes.push(not(now.bold, 'bold'));
  if (before.italic !== now.italic) changes.push(not(now.italic, 'italic'));
  if (before.fontSize !== now.fontSize) changes.push(`${now.fontSize} high`);
  if (before.fontFamily !== now.fontFamily) changes.push(`in ${cut(now.fontFamily, kFamilyShown)}`);
  return changes;
}
const kFamilyShown = 40; // characters

function noteSelection() {
  toldBefore = toldSelection;
  blankBefore = toldBlank;
  lookBefore = toldLook;
  toldLook = lookOfSelection() ?? toldLook; // a menu may have the focus meanwhile
  toldSelection = selectedText();
  const blank = toldSelection === '' ? blankLine() : null;
  toldBlank = blank === null ? null : new WeakRef(blank);
}

function takeBackSelection() {
  toldSelection = toldBefore;
  toldBlank = blankBefore;
  toldLook = lookBefore;
}

// ` of cell [ref=e5]`, where the line is in one that a snapshot has shown: a table has many.
function cellWords(line) {
  const record = recordOf.get(closestFlat(line, (at) => matchesSelector(at, kCellTags)));
  return record === undefined ? '' : ` of ${record.role} [ref=${refText(record)}]`;
}
const kCellTags = 'td,th,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]';

// No line where nothing is selected, or what was when it was asked last, and it looks as it did.
function selectionLines() {
  const before = toldSelection;
  const blank = toldBlank?.deref();
  const look = toldLook;
  noteSelection();
  const lines = [];
  const line = toldBlank?.deref();
  if (line !== undefined && line !== blank) lines.push(`- text: … the caret is on an empty line${cellWords(line)}`);
  else if (toldSelection !== '' && toldSelection !== before)
    lines.push(`- text: … selected: ${quote(cut(toldSelection, kSelectedShown))}`);
  lines.push(lookLine(look, toldLook));
  return lines.filter((one) => one !== '');
}

export { noteSelection, selectionLines, takeBackSelection };
