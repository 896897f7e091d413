// What a page that an action has led to has in common with the one before: the menus and bars that a site has around each of its
// pages are a line each there, as they were told [tool.snapshot.as-before].

import { words } from '../dom/collections.js';
import { bringRecord, moveRecord, recordOf } from '../tree/refs.js';
import { firstText, countNodes } from './gone.js';
import { hashText } from './hashes.js';
import { headerWith } from './render.js';

const kLeast = 240; // characters: less is told again
const kLeastInAll = 300; // the same of all such parts of a page
const kPlacesTried = 8; // of those where a part may have been before
const kWordsTold = 3; // of which each has
const kWordMost = 24; // characters

// What stands on its own in both trees, of which each says the same by the same words: [before, now][], each of nodes side by side.
function commonParts(before, now) {
  const signs = new Map();
  signTree(before, signs);
  signTree(now, signs);
  const places = new Map();
  const note = (parent) =>
    parent.kids.forEach((kid, i) => {
      if (typeof kid === 'string') return;
      const { hash, isWhole } = signs.get(kid);
      if (!places.has(hash)) places.set(hash, []);
      const found = places.get(hash);
      if (isWhole && found.length < kPlacesTried) found.push([parent, i]);
      note(kid);
    });
  note(before);
  const parts = [];
  const taken = new Set(); // of the nodes before: what is there twice now takes the place of one
  const visit = (node, isAround) => {
    for (let i = 0; i < node.kids.length; i++) {
      if (typeof node.kids[i] === 'string') continue;
      const run = longestRun(node, i, places, signs);
      const size = run.now.reduce((sum, one) => sum + signs.get(one).size, 0);
      const isMenu = size >= kLeast && (isAround || run.now.every(isOfSite) || areLinks(run.now));
      if (isMenu && run.before.every((one) => isUntaken(one, taken))) {
        run.before.forEach((one) => takeAll(one, taken));
        parts.push({ ...run, size });
        i += run.now.length - 1;
      } else visit(node.kids[i], isAround || isOfSite(node.kids[i]));
    }
  };
  visit(now, false);
  return parts.reduce((sum, { size }) => sum + size, 0) < kLeastInAll ? [] : parts;
}

// What stands around the pages of a site rather than in one of them.
const isOfSite = ({ role }) => kOfSite.has(role);
const kOfSite = words('banner navigation contentinfo complementary menubar');

// The same of what its author hasn't called so: some links, and little else.
function areLinks(nodes) {
  let [links, others] = [0, 0];
  const visit = (node) => {
    if (kMenuRoles.has(node.role)) links++;
    else if (kOfContent.has(node.role)) others += kMenuLeast;
    else if (node.role !== 'row' && (node.kids.length === 0 || typeof node.kids[0] === 'string')) others++;
    for (const kid of node.kids) if (typeof kid !== 'string') visit(kid);
  };
  nodes.forEach(visit);
  return links >= kMenuLeast && others < links;
}
const kMenuRoles = words('link menuitem');
const kMenuLeast = 4;
const kLineRoom = 20; // characters of a ref, of dashes and indentation
const kOfContent = words('form article textbox searchbox combobox spinbutton slider checkbox radio switch option');

const isUntaken = (node, taken) =>
  !taken.has(node) && node.kids.every((kid) => typeof kid === 'string' || isUntaken(kid, taken));

function takeAll(node, taken) {
  taken.add(node);
  for (const kid of node.kids) if (typeof kid !== 'string') takeAll(kid, taken);
}

// The nodes from the i-th on that stand side by side as they did before.
function longestRun({ kids }, i, places, signs) {
  let best = { before: [], now: [] };
  const { hash, isWhole } = signs.get(kids[i]);
  if (!isWhole) return best;
  for (const [parent, at] of places.get(hash) ?? []) {
    let n = 0;
    while (i + n < kids.length && areSameParts(parent.kids[at + n], kids[i + n], signs)) n++;
    if (n > best.now.length) best = { before: parent.kids.slice(at, at + n), now: kids.slice(i, i + n) };
  }
  return best;
}

function areSameParts(before, now, signs) {
  if (before === undefined || typeof before === 'string' || typeof now === 'string') return false;
  if (signs.get(before).hash !== signs.get(now).hash || !signs.get(before).isWhole || !signs.get(now).isWhole)
    return false;
  return saySame(before, now);
}

const saySame = (before, now) =>
  ownSign(before) === ownSign(now) &&
  before.kids.length === now.kids.length &&
  before.kids.every((kid, i) => (typeof kid === 'string' ? kid === now.kids[i] : saySame(kid, now.kids[i])));

// What a node says but for its ref, which the other document has given to another element.
const ownSign = (node) =>
  `${headerWith(node, { rec: null })}\u0000${node.value ?? ''}\u0000${node.url ?? ''}\u0000${node.hint ?? ''}`;

// -> about how many characters it takes, and whether all that is in it has been told; a frame tells what it holds elsewhere. Nothing has
// its header before it has its ref.
function signTree(node, signs) {
  const own = ownSign(node);
  let hash = hashText(0, own);
  let size = own.length + kLineRoom;
  let isWhole = node.role !== 'iframe' && node.role !== 'fragment' && !node.untold && !node.isCut;
  for (const kid of node.kids) {
    if (typeof kid === 'string') {
      hash = hashText(hash, kid);
      size += kid.length;
      continue;
    }
    const below = signTree(kid, signs);
    hash = hashText(hash ^ below.hash, ' ');
    isWhole &&= below.isWhole;
    size += below.size;
  }
  const sign = { hash, isWhole, size };
  signs.set(node, sign);
  return sign;
}

// Notes what a snapshot had no room for: what of a text it has left out says nothing of the rest of that.
function noteCuts(top, { cuts, leftOut, textMax, textCuts }) {
  const visit = (node, isCut) => {
    const shown = cuts?.get(node);
    node.isCut = isCut || (textCuts?.has(node) ?? false);
    node.kids.forEach((kid, i) => {
      if (typeof kid !== 'string') visit(kid, isCut || leftOut?.has(kid) || shown?.includes(i) === false);
      else if (kid.length > textMax || shown?.includes(i) === false) node.isCut = true;
    });
  };
  for (const kid of top.kids)
    if (typeof kid !== 'string') visit(kid, cuts?.get(top)?.includes(top.kids.indexOf(kid)) === false);
}

// The refs of the parts go on, as what stands in their elements' places is the same to whoever has read it.
function takeRefsOver(parts) {
  const take = (before, now) => {
    const { role, name, tag } = now;
    if (before.left !== null && !recordOf.has(now.el))
      moveRecord(bringRecord({ ...before.left, role, name, tag }), now);
    before.kids.forEach((kid, i) => typeof kid !== 'string' && take(kid, now.kids[i]));
  };
  for (const { before, now } of parts) before.forEach((one, i) => take(one, now[i]));
}

// What is printed in the place of what the nodes hold, of those parts whose refs are what they were: node -> its words; '': it is
// told with the one before it.
function wordsOfParts(parts) {
  const told = new Map();
  for (const { before, now } of parts) {
    if (!before.every((one, i) => haveSameRefs(one, now[i]))) continue;
    const isRun = now.length > 1;
    const count = isRun ? now.length : countNodes(now[0].kids);
    const what = `${count} ${isRun ? 'item' : 'element'}${count === 1 ? '' : 's'}`;
    const called = isRun && now.every(isOfSite) ? now.map(({ role }) => role).join(', ') : what;
    const line = `… ${called} as before${firstWords(now)}`;
    now.forEach((one, i) => told.set(one, { words: i > 0 ? '' : line, isRun }));
  }
  return told;
}

const haveSameRefs = (before, now) =>
  (before.rec?.n ?? before.left?.n) === (now.rec ?? now.known)?.n &&
  before.kids.every((kid, i) => typeof kid === 'string' || haveSameRefs(kid, now.kids[i]));

// By what they begin a reader knows which these are.
function firstWords(nodes) {
  const found = [];
  const visit = (node) => {
    if (found.length > kWordsTold) return;
    const text = node.name || (node.kids.every((kid) => typeof kid === 'string') ? firstText(node) : '');
    if (text) found.push(text.length > kWordMost ? `${text.slice(0, kWordMost)}…` : text);
    else for (const kid of node.kids) if (typeof kid !== 'string') visit(kid);
  };
  if (nodes.length > 1) nodes.forEach(visit);
  else for (const kid of nodes[0].kids) if (typeof kid !== 'string') visit(kid);
  const told = found.slice(0, kWordsTold).join(', ');
  return told === '' ? '' : ` (${told}${found.length > kWordsTold ? ' …' : ''})`;
}

const kAsBeforeLine = '- text: … what is "as before" the page before has told, with its refs';

export { commonParts, kAsBeforeLine, noteCuts, takeRefsOver, wordsOfParts };
