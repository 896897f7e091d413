// Refs: a number belongs to one element for as long as it lives and is never given to another.
//
// A record outlives its element in two ways. If the page rebuilds the same thing (a framework's re-render), the
// record moves to the new element, provided that only one match is possible and that it took the place of the old one;
// otherwise it stays behind and tells, for as long as we remember, what the ref was.

import { attr, hasAnyAttr, hasAttr, isConnected, tagOf } from '../dom/members.js';
import { group, words } from '../dom/collections.js';
import { isSameBut, textsWithMore } from '../dom/text.js';
import { elementOfPlace, keptAround, knownAround, knownPlace, movePlace, notePlace } from '../dom/surroundings.js';

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
  const el = new WeakRef(node.el);
  const record = {
    n: nextRef++,
    el,
    role: node.role,
    name: node.name,
    tag: tagOf(node.el),
    mark: markOf(node.el),
    place: notePlace(node.el, el),
    frame: null, // what it stands in (numbering.js)
    text: '',
    isEmpty: false,
    said: '', // what the outermost of what has gone with it said
    seen: 0,
  };
  records.set(record.n, record);
  recordOf.set(node.el, record);
  lastMinted.push(record);
  return record;
}

// The record of a ref that another document has handed out: it waits for what takes its element's place here.
function bringRecord({ n, role, name, tag, mark }) {
  const el = { deref: () => undefined };
  const place = { el, up: null, looked: 0 };
  const record = {
    n,
    el,
    role,
    name,
    tag,
    mark,
    place,
    frame: null,
    text: '',
    isEmpty: false,
    said: '',
    seen: 0,
    isBrought: true,
  };
  goneRecords.set(n, record);
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
const baseKey = ({ role, name, isEmpty }, tag, mark) =>
  role + '\u0000' + name + '\u0000' + tag + '\u0000' + mark + (isEmpty && name === '' ? '\u0000empty' : '');

// Gives gone records to the nodes that replace them. `nodes` are the tree's nodes in document order; the functions tell of a
// node what its frame has as `text`, its record as `text`, and what it says from the front; `told`: when the page was told last.
function moveRecordsToReplacements(nodes, { itemText, ownWords, frontWords, told }) {
  retireRecords();
  if (!goneRecords.size) return;
  restoreRecords();
  const fresh = nodes.filter((node) => !recordOf.has(node.el));
  if (!fresh.length || !goneRecords.size) return;

  const how = { itemText, ownWords, frontWords, told };
  moveAlike(fresh, (mark) => mark, how);
  moveAlike(fresh.filter(isKnownWithoutId), withoutId, how);
  for (const { place, el } of replaced) movePlace(place, el);
  replaced = [];
}

// An id is often the framework's, which draws the same thing anew under another one.
const isKnownWithoutId = ({ el, role, name }) => !recordOf.has(el) && (name !== '' || kKnownCells.has(role));
const kKnownCells = words('cell gridcell'); // fields without a name are told apart by their ids
const withoutId = (mark) => mark.replace(/^[^\u0001]*/, '');

function moveAlike(fresh, markedBy, how) {
  const goneByKey = new Map();
  const freshByKey = new Map();
  const keyOf = (record) => baseKey(record, record.tag, markedBy(record.mark));
  for (const record of goneRecords.values()) group(goneByKey, keyOf(record), record);
  for (const node of fresh) {
    const { role, name, el, kids } = node;
    const key = baseKey({ role, name, isEmpty: kids.length === 0 }, tagOf(el), markedBy(markOf(el)));
    if (goneByKey.has(key)) group(freshByKey, key, node);
  }
  if (!freshByKey.size) return;
  const living = new Map();
  for (const record of records.values()) {
    const key = keyOf(record);
    living.set(key, (living.get(key) ?? 0) + 1);
  }
  for (const [key, candidates] of freshByKey) {
    const isUnique = !living.get(key);
    for (const [lost, found] of byPlace(goneByKey.get(key), candidates, how)) moveWhere(lost, found, isUnique, how);
  }
}

// Of records and nodes that are alike those that stand in the same place: what has stayed around them is the same, and so are
// the parts of the page that came anew with them. -> pairs of lists of { record, ...standingIn } and { node, ...standingIn }.
function byPlace(lost, fresh, { itemText }) {
  const around = new Map(); // what has stayed -> the parts within it -> [lost, fresh]
  for (const node of fresh) {
    const one = { node, ...standingIn(framesOfNode(node), itemText) };
    const kept = knownAround(node.el);
    if (!around.has(kept)) around.set(kept, new Map());
    const byParts = around.get(kept);
    if (!byParts.has(one.parts)) byParts.set(one.parts, [[], []]);
    byParts.get(one.parts)[1].push(one);
  }
  for (const record of lost) {
    const byParts = around.get(keptAround(record.place));
    if (!byParts) continue;
    const one = { record, ...standingIn(framesOfRecord(record), itemText) };
    byParts.get(one.parts)?.[0].push(one);
  }
  return [...around.values()].flatMap((byParts) => [...byParts.values()]).filter(([gone]) => gone.length > 0);
}

// What it stands in, from the inside out, as far as that has gone with it.
function framesOfRecord({ frame }) {
  const frames = [];
  for (let at = frame; at && !(at.place && elementOfPlace(at.place)); at = at.up) frames.push(at);
  return frames;
}

// The same of a node, as far as it is new.
function framesOfNode(node) {
  const frames = [];
  for (let at = node.frame; at && (at.node === node || !knownPlace(at.node.el)); at = at.up) frames.push(at);
  return frames;
}

// -> { items, dialogs, names, parts }: the texts of the repeated items around, the innermost first (a button "Delete" is that
// of its cell, and where all cells say the same, that of its row), the frames of dialogs, and the other parts of the page, as
// they are called and without their numbers, which may be counters.
function standingIn(frames, itemText) {
  const wordsOf = ({ node, text }) => (node ? itemText(node) : text);
  const items = frames.filter(({ isItem }) => isItem);
  const others = frames.filter(({ isPart }) => isPart);
  const names = others.map(({ role, name }) => `${role} ${name}`).join('\u0000');
  return {
    items: items.slice(0, kItemLevels).map(wordsOf),
    dialogs: frames.filter(({ role }) => kDialogs.has(role)).map((frame) => frame.name + ' ' + wordsOf(frame)),
    names,
    parts: names.replace(/\d+/g, '0'),
  };
}
const kItemLevels = 4;
const kItemText = 160; // characters of an item's text
const kDialogs = words('dialog alertdialog');

// `isUnique`: nothing that lives is like them.
function moveWhere(lost, fresh, isUnique, how) {
  const recent = lost.filter(({ record }) => record.seen >= how.told);
  if (recent.length > 0) moveRecent(recent, fresh, isUnique, how);
  moveBack(lost.filter(isLost), fresh.filter(isWaiting), how);
}
const isLost = ({ record }) => goneRecords.has(record.n);
const isWaiting = ({ node }) => !recordOf.has(node.el);

// What the last snapshot had.
function moveRecent(lost, fresh, isUnique, { ownWords }) {
  const isNamed = lost[0].record.name !== '';
  if (!isNamed) moveByText(lost, fresh, ownWords);
  const isLike = (one, other) =>
    (isNamed || saysTheLike(one.record.text, ownWords(other.node))) && haveLikeDialogs(one, other);
  moveWithin(lost.filter(isLost), fresh.filter(isWaiting), 0, { isUnique, isLike });
  // Then anywhere in that place, if there is one of each and nothing else like it.
  const stillFresh = fresh.filter(isWaiting);
  if (
    lost.length === 1 &&
    isLost(lost[0]) &&
    stillFresh.length === 1 &&
    isUnique &&
    haveLikeItems(lost[0], stillFresh[0]) &&
    isLike(lost[0], stillFresh[0])
  )
    moveRecord(lost[0].record, stillFresh[0].node);
}

// A server that renders a page again may have put a message into a box that stands beside others, which is no other box for that. One
// with much text is a part of the page rather than an item: of what has a name it doesn't matter what else it says.
const haveLikeItems = (one, other) => {
  const [before, now] = [one.items[0], other.items[0]];
  if (before === undefined || now === undefined) return true;
  if (!one.record.isBrought) return false;
  const isPartOfPage = before.length >= kItemText && now.length >= kItemText;
  return (isPartOfPage && one.record.name !== '') || isSameBut(before, now, kItemText);
};

// A dialog may have got a message or lost one.
const haveLikeDialogs = (one, other) => one.dialogs.every((text, i) => arePartly(text, other.dialogs[i] ?? ''));

// What a snapshot has told as removed comes back only with what it stood in: the same item, or what says the same.
function moveBack(lost, fresh, { ownWords, frontWords }) {
  if (!lost.length || !fresh.length) return;
  const keyOf = ({ items, dialogs, names }, text, said) =>
    JSON.stringify([names, dialogs, items.length ? items : said, text]);
  const lostByKey = new Map();
  const freshByKey = new Map();
  for (const one of lost) {
    const { name, text, said } = one.record;
    if ((name !== '' || text !== '') && (said !== '' || one.items.length))
      group(lostByKey, keyOf(one, text, said), one);
  }
  if (!lostByKey.size) return;
  for (const one of fresh) {
    const said = one.items.length ? '' : frontWords(outermostNew(one.node));
    group(freshByKey, keyOf(one, ownWords(one.node), said), one);
  }
  for (const [key, found] of freshByKey) {
    const newest = latestGeneration(lostByKey.get(key) ?? []);
    if (newest.length === found.length) found.forEach(({ node }, i) => moveRecord(newest[i].record, node));
  }
}

// Whether one text has all the words and numbers of the other.
function arePartly(before, now) {
  const was = new Set(before.match(kWord));
  const is = new Set(now.match(kWord));
  return [...was].every((word) => is.has(word)) || [...is].every((word) => was.has(word));
}
const kWord = /[\p{L}\p{N}]+/gu;

// Of what came anew with a node that which holds the others. The top of the tree has no holder, and is none.
function outermostNew(node) {
  let at = node;
  while (at.holder?.holder && !knownPlace(at.holder.el)) at = at.holder;
  return at;
}

// What has no name is known by its text, where that is the only one of its kind.
function moveByText(lost, fresh, ownWords) {
  const lostByText = new Map();
  const freshByText = new Map();
  for (const one of lost) group(lostByText, one.record.text, one);
  for (const one of fresh) group(freshByText, ownWords(one.node), one);
  for (const [text, found] of freshByText) {
    const before = lostByText.get(text) ?? [];
    if (text !== '' && found.length === 1 && before.length === 1 && haveLikeDialogs(before[0], found[0]))
      moveRecord(before[0].record, found[0].node);
  }
}

// Whether what had one text may have the other now: a counter, a status. What has none is no text with other words, nor does
// a message that has gone come back as the next one.
function saysTheLike(before, now) {
  if (before === now) return true;
  const found = new Set(statusWords(now));
  return statusWords(before).some((word) => found.has(word));
}
const statusWords = (text) => text.toLowerCase().match(/\p{L}+/gu) ?? (/\d/.test(text) ? ['0'] : []); // a number alone is like another

// Within the same repeated item (the row "Milk") one is the other; of several the item around tells them apart, and within
// the outermost they come in order, if the numbers agree.
function moveWithin(lost, fresh, level, how) {
  const { isUnique, isLike } = how;
  const lostByItem = new Map();
  const freshByItem = new Map();
  for (const one of lost) group(lostByItem, one.items[level] ?? '', one);
  for (const one of fresh) group(freshByItem, one.items[level] ?? '', one);
  const moreByItem = lost.some(({ record }) => record.isBrought)
    ? textsWithMore(lostByItem, freshByItem, kItemText)
    : null;
  for (const [item, wanted] of freshByItem) {
    const found = lostByItem.get(item) ?? lostByItem.get(moreByItem?.get(item));
    if (!found) continue;
    const isOutermost = item === '' && !found.some(({ items }) => items.length > level);
    if (wanted.length > 1 && !isOutermost) {
      moveWithin(found, wanted, level + 1, how);
      continue;
    }
    const newest = latestGeneration(found);
    if (newest.length !== wanted.length) continue;
    if (level === 0 && item === '' && wanted.length > 1 && !isUnique) continue;
    wanted.forEach((one, i) => {
      if (isLike(newest[i], one)) moveRecord(newest[i].record, one.node);
    });
  }
}

// Of several generations of gone records only the one last seen in a snapshot can come back.
function latestGeneration(list) {
  let latest = 0;
  for (const { record } of list) latest = Math.max(latest, record.seen);
  return list.filter(({ record }) => record.seen === latest);
}

let replaced = []; // records, whose places follow once all are found: until then what stands in them counts as new

function moveRecord(record, node) {
  goneRecords.delete(record.n);
  record.el = new WeakRef(node.el);
  record.isBrought = false;
  replaced.push(record);
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
  kDialogs,
  kItemText,
  kTestIds,
  records,
  goneRecords,
  recordOf,
  nextRef,
  framePrefix,
  refText,
  mintRef,
  bringRecord,
  moveRecord,
  moveRecordsToReplacements,
  beginNumbering,
};
