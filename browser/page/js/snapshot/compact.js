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
  if (node.tag === 'select' && node.role === 'combobox') {
    const value = Array.from(selectOptionsOf(elementOf(node)))
      .filter((option) => optionSelectedOf(option))
      .map(optionText)
      .join(', ');
    return Object.assign(copyNode(node), { url: null, value: value || null, kids: [] });
  }
  const isOperated = kWidgets.has(node.role) || node.pointer || node.kept || node.marks !== '';
  const isAskedFor = isOperated || kRegions.has(node.role);
  const isRef = node.ref && isAskedFor;
  const kids = shortKids(node.kids);
  const short = kids !== node.kids || node.url !== null || isRef !== node.ref ? copyNode(node) : node;
  if (short !== node) {
    short.kids = kids;
    short.url = null;
    short.ref = isRef;
  }
  if (isAskedFor) return short;
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

// Children in short; the same list where they all are.
function shortKids(kids) {
  let out = kids;
  for (let i = 0; i < kids.length; i++) {
    const short = shortOf(kids[i]);
    if (out === kids && short !== kids[i]) out = kids.slice();
    if (out !== kids) out[i] = short;
  }
  return out;
}

export { kLargePage, makeCompact };
