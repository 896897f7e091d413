// Large pages in fewer tokens. Above kLargePage lines a snapshot leaves out what can be had again by asking for a part
// of the page (`target`) or for words in it (find): URLs, the options of closed selects, refs of what only stands
// there, and wrappers around a single thing. A last line says so.

import { optionSelectedOf, selectOptionsOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { kWidgets } from '../aria/roles.js';
import { optionText } from '../aria/names.js';

const kLargePage = 1000; // lines of the snapshot

// Besides widgets, what is worth a ref because one asks for it as a region.
const kRegions = words(
  'iframe dialog alertdialog main navigation form region search banner contentinfo complementary table grid treegrid ' +
    'tree tablist tabpanel menu menubar toolbar radiogroup application feed',
);

function makeCompact(node) {
  const kids = [];
  for (const kid of node.kids) {
    if (typeof kid === 'string') {
      kids.push(kid);
      continue;
    }
    makeCompact(kid);
    kids.push(compactOf(kid));
  }
  node.kids = kids;
}

// The node in short: itself, its only child, or its text.
function compactOf(node) {
  const { kids } = node;
  node.url = null;
  if (node.tag === 'select' && node.role === 'combobox') {
    node.value =
      Array.from(selectOptionsOf(node.el))
        .filter((option) => optionSelectedOf(option))
        .map(optionText)
        .join(', ') || null;
    node.kids = [];
    return node;
  }
  const operable = kWidgets.has(node.role) || node.pointer || node.kept || node.marks !== '';
  if (operable || kRegions.has(node.role)) return node;
  node.ref = false;
  if (node.name !== '' || node.states !== '' || kids.length !== 1) return node;
  const only = kids[0];
  if ((node.role === 'paragraph' || node.role === 'generic') && typeof only === 'string') return only;
  if (typeof only === 'string') return node;
  if (node.role === 'paragraph') return only;
  // A list of one is no list.
  if (node.role === 'list' && only.role === 'listitem' && !only.ref)
    return only.kids.length === 1 ? only.kids[0] : only;
  return node;
}

export { kLargePage, makeCompact };
