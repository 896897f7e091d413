// The options of a native select.

import { attr, firstChildOf, isElement, nextSiblingOf, optionSelectedOf, tagOf } from '../dom/members.js';
import { oneSpace } from '../dom/text.js';
import { DISPLAY_NONE, styleFlags } from '../dom/style.js';
import { disabledReason } from '../aria/states.js';
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

export { fillOptions, hasOptions, optionsIn };
