// What is listed in an element that draws it by itself: the options of a native select, and what a canvas holds for readers.

import {
  attr,
  firstChildOf,
  isElement,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  optionSelectedOf,
  querySelectorAllOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { oneSpace } from '../dom/text.js';
import { DISPLAY_NONE, styleFlags } from '../dom/style.js';
import { roleOf } from '../aria/roles.js';
import { disabledReason, statesOf } from '../aria/states.js';
import { optionText } from '../aria/parts.js';
import { newNode } from './node.js';

// A closed select can't be clicked open: its options need no refs, and a long list is summed up.
const kOptionsShown = 20;

function fillOptions(node, select) {
  const listbox = node.role === 'listbox';
  let shown = 0;
  let left = 0;
  const visit = (el, parent) => {
    for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
      if (!isElement(child)) continue;
      const tag = tagOf(child);
      if (tag === 'optgroup' && !(styleFlags(child) & DISPLAY_NONE)) {
        const groupNode = newNode(child, tag, 'group', oneSpace(attr(child, 'label') ?? ''), 'native');
        groupNode.ref = false;
        visit(child, groupNode);
        if (groupNode.kids.length) parent.kids.push(groupNode);
      } else if (tag === 'option') {
        const selected = optionSelectedOf(child);
        if (shown >= kOptionsShown && !selected) {
          left++;
          continue;
        }
        if (styleFlags(child) & DISPLAY_NONE) continue;
        shown++;
        const kid = newNode(child, tag, 'option', optionText(child), 'content');
        kid.states = (disabledReason(child, tag) ? ' [disabled]' : '') + (selected ? ' [selected]' : '');
        kid.ref = listbox;
        parent.kids.push(kid);
      } else if (tag !== 'hr') visit(child, parent);
    }
  };
  visit(select, node);
  if (left) node.kids.push(`… ${left} more options`);
  node.optionsLeft = left;
}

// What stands for the drawing of a canvas: a grid's rows, each in one line, a list's items, controls. No mouse gets to any of it, so that
// none has a ref. That the browser is too old for canvases, as pages say there, has no role.
function fillDrawn(node, canvas) {
  if (querySelectorAllOf(canvas, kForReaders).length === 0) return;
  let left = kDrawnShown;
  const visit = (el, parent) => {
    for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
      const text = nodeTypeOf(child) === 3 ? oneSpace(nodeValueOf(child)) : '';
      if (text !== '') parent.kids.push(text);
      if (!isElement(child) || attr(child, 'aria-hidden') === 'true' || left === 0) continue;
      const tag = tagOf(child);
      const role = roleOf(child, tag) ?? 'generic';
      if (kPassed.has(role)) {
        visit(child, parent);
        continue;
      }
      left--;
      const kid = newNode(child, tag, role, oneSpace(attr(child, 'aria-label') ?? ''), 'author');
      kid.ref = false;
      kid.states = statesOf(child, tag, role);
      if (role === 'row') kid.kids = [rowWords(child)];
      else visit(child, kid);
      parent.kids.push(kid);
    }
  };
  visit(canvas, node);
}
const kForReaders =
  'table,[role=grid],[role=treegrid],[role=table],[role=list],[role=listbox],[role=tree],[tabindex],button,a[href]';
const kPassed = words('generic none presentation rowgroup');
const kDrawnShown = 300; // nodes

const rowWords = (row) =>
  [...querySelectorAllOf(row, 'td,th,[role$=cell],[role$=header]')]
    .map((cell) => oneSpace(textContentOf(cell)) + (attr(cell, 'aria-selected') === 'true' ? ' [selected]' : ''))
    .join(' | ');

// A select whose options have lines: in a large page they have none.
const hasOptions = ({ tag, kids }) => tag === 'select' && kids.some((kid) => typeof kid !== 'string');

// -> { chosen, total, key }: the nodes of the options that are selected, how many options there are, and what two selects
// that offer the same have in common.
function optionsIn(select) {
  const chosen = [];
  const names = [];
  let total = select.optionsLeft;
  const visit = (node) => {
    for (const kid of node.kids) {
      if (typeof kid === 'string') continue;
      if (kid.role === 'option') {
        total++;
        if (names.length < kOptionsShown) names.push(kid.name);
        if (kid.states.includes('[selected]')) chosen.push(kid);
      } else visit(kid);
    }
  };
  visit(select);
  return { chosen, total, key: JSON.stringify([total, ...names]) };
}

export { fillDrawn, fillOptions, hasOptions, optionsIn };
