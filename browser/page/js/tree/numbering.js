// Which nodes of a tree get a ref.

import { isConnected, textContentOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { beginPlaces, knownPlace, notePlace } from '../dom/surroundings.js';
import { oneSpace } from '../dom/text.js';
import { withPass } from '../dom/pass.js';
import { elementOf, passNumber } from './node.js';
import { tellIconsDrawnAnew } from './own_icons.js';
import { noteDrawn } from './style_changes.js';
import { buildTree } from './tree.js';
import { kDialogs, kItemText, mintRef, moveRecordsToReplacements, recordOf } from './refs.js';

let generation = 0; // of snapshots; refs last seen in an older one do not come back before those of a newer one

let lastTold = 0; // the last one that was of the whole page

function beginGeneration() {
  generation++;
}

function endPage(top) {
  top.printed = passNumber;
  top.generation = lastTold = generation;
}

// The nodes that will be printed, in document order: { all, fresh }, where `fresh` are those that this pass has made; each
// of those learns what it stands in. null: one that an earlier pass has made was not printed then, so that too little is
// known of it.
function printedNodes(top, last = 0) {
  const all = [];
  const fresh = [];
  let isKnown = true;
  // -> whether it holds a node of an earlier pass, which isn't numbered now, and so doesn't ask for what it stands in.
  const visit = (node, frame) => {
    const { kids } = node;
    let repeated = null;
    let holdsShared = false;
    for (const kid of kids) {
      if (typeof kid === 'string') continue;
      let isItem = false;
      if (kid.kids.length) {
        repeated ??= repeatedRoles(kids);
        isItem = repeated.has(kid.role);
      }
      all.push(kid);
      if (kid.pass !== passNumber) {
        if (kid.printed !== last) isKnown = false;
        else if (isItem) itemText(kid);
        kid.shared = passNumber;
        holdsShared = true;
        visitShared(kid, all);
        continue;
      }
      kid.printed = passNumber;
      kid.holder = node;
      kid.frame = isItem || isPart(kid) ? newFrame(kid, isItem, frame) : frame;
      fresh.push(kid);
      if (!visit(kid, kid.frame)) continue;
      holdsShared = true;
      if (isItem) itemText(kid);
    }
    return holdsShared;
  };
  visit(top, null);
  return isKnown ? { all, fresh } : null;
}

// What tells where things stand: a repeated item, by its text, or a part of the page, by its role and name.
const newFrame = (node, isItem, up) => ({
  up,
  node, // until its text is known
  role: node.role,
  name: node.name,
  isItem,
  isPart: !isItem || (node.name === '' && kPageParts.has(node.role)), // another one beside it may come and go: a dialog's form
  text: '',
  place: null,
});

const isPart = ({ role, name, kids }) =>
  kids.length > 0 && (kPageParts.has(role) || (name !== '' && kNamedParts.has(role)));
const kPageParts = words(
  'dialog alertdialog menu menubar toolbar listbox tooltip tablist tabpanel table grid treegrid tree form search navigation ' +
    'main banner contentinfo complementary',
);
const kNamedParts = words('region group radiogroup article list feed figure');

// What a frame and those around it say, once that is needed.
function settleFrame(frame) {
  for (let at = frame; at && at.node; at = at.up) {
    const { node } = at;
    at.place = notePlace(node.el);
    if (at.isItem || kDialogs.has(at.role)) at.text = itemText(node);
    at.node = null;
  }
  return frame;
}

// What an earlier pass has printed, too. It may have moved on the screen.
function visitShared(node, all) {
  node.printed = passNumber;
  node.place = '';
  for (const kid of node.kids) {
    if (typeof kid === 'string') continue;
    all.push(kid);
    visitShared(kid, all);
  }
}

// What this pass has not taken over from the last one: when it was seen last, what it stood in, and what the outermost of
// what has gone with it said, is noted with its ref. What was inert then was there too.
function noteDropped(before) {
  const visit = (node, frame, said) => {
    let repeated = null;
    const kids = node.inert.length > 0 ? [...node.kids, ...node.inert] : node.kids;
    for (const kid of kids) {
      if (typeof kid === 'string' || kid.shared === passNumber) continue;
      let isItem = false;
      if (kid.kids.length) {
        repeated ??= repeatedRoles(kids);
        isItem = repeated.has(kid.role);
      }
      const frameNow = isItem || isPart(kid) ? droppedFrame(kid, isItem, frame) : frame;
      const saidNow = said || (hasLeft(kid) ? frontWords(kid) : '');
      const record = kid.rec ?? kid.known;
      if (record) {
        record.seen = Math.max(record.seen, before.generation);
        record.frame = frameNow;
        record.text = ownWords(kid);
        record.isEmpty = kid.kids.length === 0;
        record.said = saidNow;
      }
      visit(kid, frameNow, saidNow);
    }
  };
  visit(before, null, '');
}

function droppedFrame(node, isItem, up) {
  const el = elementLeft(node);
  const frame = newFrame(node, isItem, up);
  frame.node = null;
  if (isItem || kDialogs.has(node.role)) frame.text = node.itemText ?? '';
  if (el) frame.place = knownPlace(el);
  return frame;
}

const elementLeft = (node) => node.rec?.el.deref() ?? node.weak?.deref() ?? null;

function hasLeft(node) {
  const el = elementLeft(node);
  return !el || !isConnected(el);
}

function repeatedRoles(kids) {
  const once = new Set();
  const more = new Set();
  for (const kid of kids) {
    if (typeof kid === 'string' || !kid.kids.length) continue;
    if (once.has(kid.role)) more.add(kid.role);
    else once.add(kid.role);
  }
  return more;
}

const kItemRaw = 8 * kItemText; // characters as they are written, with their indents

function itemText(node) {
  return (node.itemText ??= oneSpace(textContentOf(elementOf(node)).slice(0, kItemRaw)).slice(0, kItemText));
}

// The text of a node without a name, which is all that tells it from others like it. A group without words of its own is
// known by what it holds.
function ownWords(node) {
  if (node.name !== '') return '';
  const text = node.kids.filter((kid) => typeof kid === 'string').join(' ');
  return text === '' && node.role === 'generic' ? frontWords(node) : text.slice(0, kItemText);
}

// What a node and those in it say, from the front.
function frontWords({ name, kids }, room = kItemText) {
  let text = name;
  for (const kid of kids) {
    if (text.length >= room) break;
    text += (text && ' ') + (typeof kid === 'string' ? kid : frontWords(kid, room - text.length));
  }
  return text.slice(0, room);
}

function numberNodes(nodes, mint) {
  const wanted = nodes.filter((node) => node.ref || node.role === 'iframe' || recordOf.has(node.el));
  beginPlaces();
  moveRecordsToReplacements(wanted, { itemText, ownWords, frontWords, told: lastTold });
  for (const node of wanted) {
    const record = (mint && node.ref) || node.role === 'iframe' ? mintRef(node) : recordOf.get(node.el);
    if (!record) continue;
    tellIconsDrawnAnew(node, record);
    noteDrawn(node.el, record);
    record.role = node.role;
    record.name = node.name;
    notePlace(node.el);
    record.frame = settleFrame(node.frame);
    record.text = ownWords(node);
    record.isEmpty = node.kids.length === 0;
    record.seen = generation;
    if (node.ref || node.role === 'iframe') node.rec = record;
    else node.known = record;
  }
  // A node outlives what stood around it.
  for (const node of nodes) node.holder = null;
  if (mint) for (const { frame } of nodes) if (frame) frame.node = null;
}

// Looks again without numbering anything new: has a gone element come back in another shape?
function rescan() {
  withPass(() => numberNodes(printedNodes(buildTree(document).top).all, false));
}

export { beginGeneration, endPage, printedNodes, noteDropped, numberNodes, rescan };
