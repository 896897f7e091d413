// Large pages in fewer tokens. Above kLargePage lines a snapshot leaves out what can be had again by asking for a part
// of the page (`target`) or for words in it (find): URLs, the options of closed selects, refs of what only stands
// there, and wrappers around a single thing. A last line says so.

import { optionSelectedOf, selectOptionsOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { kWidgets } from '../aria/roles.js';
import { optionText } from '../aria/parts.js';
import { copyNode, elementOf } from '../tree/node.js';

const kLargePage = 1000; // lines of the snapshot

// Besides widgets, what is worth a ref because one asks for it as a region.
const kRegions = words(
  'iframe dialog alertdialog main navigation form region search banner contentinfo complementary table grid treegrid ' +
    'tree tablist tabpanel menu menubar toolbar radiogroup application feed',
);

// The tree in short. What is short already stays the same node; others are copied, once each.
function makeCompact(top) {
  top.kids = top.kids.map(shortOf);
}

const shortOf = (kid) => (typeof kid === 'string' ? kid : (kid.short ??= compactOf(kid)));

// The node in short: itself, its only child, or its text.
function compactOf(node) {
  let short = node;
  const change = (members) => {
    if (short === node) short = copyNode(node);
    Object.assign(short, members);
  };
  const kids = node.kids.map(shortOf);
  if (kids.some((kid, i) => kid !== node.kids[i])) change({ kids });
  if (node.url !== null) change({ url: null });
  if (node.tag === 'select' && node.role === 'combobox') {
    const value = Array.from(selectOptionsOf(elementOf(node)))
      .filter((option) => optionSelectedOf(option))
      .map(optionText)
      .join(', ');
    change({ value: value || null, kids: [] });
    return short;
  }
  const operable = kWidgets.has(node.role) || node.pointer || node.kept || node.marks !== '';
  if (operable || kRegions.has(node.role)) return short;
  if (node.ref) change({ ref: false });
  if (node.name !== '' || node.states !== '' || node.clip !== '' || kids.length !== 1) return short;
  const only = kids[0];
  if ((node.role === 'paragraph' || node.role === 'generic') && typeof only === 'string') return only;
  if (typeof only === 'string') return short;
  if (node.role === 'paragraph') return only;
  // A list of one is no list.
  if (node.role === 'list' && only.role === 'listitem' && !only.ref)
    return only.kids.length === 1 ? only.kids[0] : only;
  return short;
}

export { kLargePage, makeCompact };
