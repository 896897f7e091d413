// Refs: a number belongs to one element for as long as it lives and is never given to another.
//
// A record outlives its element in two ways. If the page rebuilds the same thing (a framework's re-render), the
// record moves to the new element, provided that only one match is possible; otherwise it stays behind and
// tells, for as long as we remember, what the ref was.

import { attr, hasAnyAttr, hasAttr, isConnected, tagOf } from '../dom/members.js';
import { group } from '../dom/collections.js';

const records = new Map(); // number -> record whose element was alive when last looked at
const goneRecords = new Map(); // number -> record without an element
const recordOf = new WeakMap(); // element -> record
const kGoneMax = 5000;
let nextRef = 1;
let framePrefix = '';
let lastMinted = []; // records that the latest snapshot numbered, in order
const refText = (record) => framePrefix + 'e' + record.n;

// `node` is a node of the snapshot's tree.
function mintRef(node) {
  const known = recordOf.get(node.el);
  if (known) return known;
  const record = {
    n: nextRef++,
    el: new WeakRef(node.el),
    role: node.role,
    name: node.name,
    tag: tagOf(node.el),
    mark: markOf(node.el),
    items: [],
    text: '',
    seen: 0,
  };
  records.set(record.n, record);
  recordOf.set(node.el, record);
  lastMinted.push(record);
  return record;
}
// The first one is what the tests of the page go by; --test-id-attribute names another.
const kTestIds = [
  ...(globalThis.bridleTestId ? [globalThis.bridleTestId] : []),
  'data-testid',
  'data-test-id',
  'data-test',
  'data-cy',
  'data-qa',
];

// What the author calls the element, if anything.
function markOf(el) {
  if (!hasAnyAttr(el)) return '';
  let mark = attr(el, 'id') ?? '';
  for (const name of kTestIds)
    if (hasAttr(el, name)) {
      mark += '\u0001' + attr(el, name);
      break;
    }
  return mark;
}

// Moves the records of elements that left the document from the living ones to the gone ones.
function retireRecords() {
  for (const [n, record] of records) {
    const el = record.el.deref();
    if (el && isConnected(el)) continue;
    records.delete(n);
    goneRecords.set(n, record);
    if (goneRecords.size > kGoneMax) goneRecords.delete(goneRecords.keys().next().value);
  }
}

// An element that was taken out and put back is the same element.
function restoreRecords() {
  for (const [n, record] of goneRecords) {
    const el = record.el.deref();
    if (!el || !isConnected(el) || recordOf.get(el) !== record) continue;
    goneRecords.delete(n);
    records.set(n, record);
  }
}
const baseKey = (role, name, tag, mark) => role + '\u0000' + name + '\u0000' + tag + '\u0000' + mark;

// Gives gone records to the nodes that replace them. `nodes` are the tree's nodes in document order; `itemsOf` and `ownWords`
// tell of one what its record has as `items` and `text`.
function moveRecordsToReplacements(nodes, { itemsOf, ownWords, generation }) {
  retireRecords();
  if (!goneRecords.size) return;
  restoreRecords();
  const fresh = nodes.filter((node) => !recordOf.has(node.el));
  if (!fresh.length || !goneRecords.size) return;

  const goneByKey = new Map();
  const freshByKey = new Map();
  for (const record of goneRecords.values())
    group(goneByKey, baseKey(record.role, record.name, record.tag, record.mark), record);
  for (const node of fresh) {
    const key = baseKey(node.role, node.name, tagOf(node.el), markOf(node.el));
    if (goneByKey.has(key)) group(freshByKey, key, node);
  }
  const living = new Map();
  if (freshByKey.size)
    for (const record of records.values()) {
      const key = baseKey(record.role, record.name, record.tag, record.mark);
      living.set(key, (living.get(key) ?? 0) + 1);
    }
  for (const [key, candidates] of freshByKey) {
    const lost = goneByKey.get(key);
    const isUnique = !living.get(key);
    const isNamed = lost[0].name !== '';
    if (!isNamed) moveByText(lost, candidates, ownWords);
    // What has no name and another text is the same thing only where the snapshot before this one had it.
    const isBack = (record) => goneRecords.has(record.n) && (isNamed || record.seen >= generation - 1);
    const waiting = candidates.filter((node) => !recordOf.has(node.el));
    const isLike = (record, node) => isNamed || saysTheLike(record.text, ownWords(node));
    moveWithin(lost.filter(isBack), waiting, 0, { itemsOf, isUnique, isLike });
    // Then anywhere, if there is one of each and nothing else like it.
    const stillLost = latestGeneration(lost.filter(isBack));
    const stillFresh = candidates.filter((node) => !recordOf.has(node.el));
    if (
      stillLost.length === 1 &&
      stillFresh.length === 1 &&
      isUnique &&
      lost.length === stillLost.length &&
      !(stillLost[0].items.length && itemsOf(stillFresh[0]).length) &&
      isLike(stillLost[0], stillFresh[0])
    )
      moveRecord(stillLost[0], stillFresh[0]);
  }
}

// What has no name is known by its text, where that is the only one of its kind.
function moveByText(lost, fresh, ownWords) {
  const lostByText = new Map();
  const freshByText = new Map();
  for (const record of lost) group(lostByText, record.text, record);
  for (const node of fresh) group(freshByText, ownWords(node), node);
  for (const [text, nodes] of freshByText) {
    const found = latestGeneration(lostByText.get(text) ?? []);
    if (text !== '' && nodes.length === 1 && found.length === 1) moveRecord(found[0], nodes[0]);
  }
}

// Whether what had one text may have the other now: a counter, a status. What has none is no text with other words, nor does
// a message that has gone come back as the next one.
function saysTheLike(before, now) {
  if (before === now) return true;
  const words = new Set(statusWords(now));
  return statusWords(before).some((word) => words.has(word));
}
const statusWords = (text) => text.toLowerCase().match(/\p{L}+/gu) ?? (/\d/.test(text) ? ['0'] : []); // a number alone is like another

// Within the same repeated item (the row "Milk") one is the other; of several the item around tells them apart, and within
// the outermost they come in order, if the numbers agree.
function moveWithin(lost, fresh, level, how) {
  const { itemsOf, isUnique, isLike } = how;
  const lostByItem = new Map();
  const freshByItem = new Map();
  for (const record of lost) group(lostByItem, record.items[level] ?? '', record);
  for (const node of fresh) group(freshByItem, itemsOf(node)[level] ?? '', node);
  for (const [item, wanted] of freshByItem) {
    const found = lostByItem.get(item);
    if (!found) continue;
    const isOutermost = item === '' && !found.some((record) => record.items.length > level);
    if (wanted.length > 1 && !isOutermost) {
      moveWithin(found, wanted, level + 1, how);
      continue;
    }
    const newest = latestGeneration(found);
    if (newest.length !== wanted.length) continue;
    if (level === 0 && item === '' && wanted.length > 1 && !isUnique) continue;
    wanted.forEach((node, i) => {
      if (isLike(newest[i], node)) moveRecord(newest[i], node);
    });
  }
}

// Of several generations of gone records only the one last seen in a snapshot can come back.
function latestGeneration(list) {
  let latest = 0;
  for (const record of list) latest = Math.max(latest, record.seen);
  return list.filter((record) => record.seen === latest);
}

function moveRecord(record, node) {
  goneRecords.delete(record.n);
  record.el = new WeakRef(node.el);
  records.set(record.n, record);
  recordOf.set(node.el, record);
}

// Two tabs may have numbered at once from the same counter: the loser renumbers what it handed out.
function reassignFrom(first, start) {
  const moved = lastMinted.filter((record) => record.n >= first);
  for (const record of moved) {
    records.delete(record.n);
    goneRecords.delete(record.n);
  }
  nextRef = start;
  for (const record of moved) {
    record.n = nextRef++;
    records.set(record.n, record);
  }
  return moved;
}

// Before a call that hands out refs: `refStart` is the first free number of the session. With `reassignFrom` the call
// before has handed out numbers that another tab had taken: those are given anew first.
function beginNumbering(args) {
  framePrefix = args.framePrefix ?? framePrefix;
  lastMinted = args.reassignFrom === undefined ? [] : reassignFrom(args.reassignFrom, args.refStart);
  nextRef = Math.max(nextRef, args.refStart ?? 1);
}

export {
  kTestIds,
  records,
  goneRecords,
  recordOf,
  nextRef,
  framePrefix,
  refText,
  mintRef,
  moveRecordsToReplacements,
  beginNumbering,
};
