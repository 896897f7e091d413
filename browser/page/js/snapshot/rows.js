// A cell that has changed says nothing without its row's name, nor without the label that stands before it; so does a
// definition without its term, an item that has neither a name nor a ref without its first words, and what is new in one of several
// boxes without the heading of that, nor a message without the field beside it, nor a field without a name and the text before it.

import { words } from '../dom/collections.js';
import { cut } from '../dom/text.js';
import { isScrolledAway } from '../tree/positions.js';
import { firstText } from './gone.js';
import { headerOf } from './render.js';
import { yamlKey, yamlValue } from './yaml.js';

const kCellRoles = words('cell gridcell rowheader columnheader');
const kNamingRoles = words('cell gridcell rowheader link'); // a link that is all of its cell
const kLabelWords = 80; // characters

const wordsOfCell = (cell) => cell.name || (firstText(cell) ?? '');

// All that a cell says, in its order.
const textsOfCell = ({ name, kids }) =>
  name !== '' ? [name] : kids.flatMap((kid) => (typeof kid === 'string' ? [kid] : textsOfCell(kid)));

// Where a table is sorted or filtered, some rows come between such as stay: those beside a new one are named in their place.
// -> the changes with these; `lineOf` makes one.
function withKeptRows(changes, nodes, gone, lineOf) {
  const isNew = ({ node, kids, lines }) => kids === null && lines === null && node.role === 'row' && !node.match;
  const fresh = new Set(changes.filter(isNew).map(({ node }) => node));
  if (fresh.size < kRowsCome || gone.filter(({ role }) => role === 'row').length < kRowsCome) return changes;
  const byNode = new Map(changes.map((change) => [change.node, change]));
  const kept = nodes.filter(
    (node, i) => !byNode.has(node) && (fresh.has(nodes[i - 1]) || fresh.has(nodes[i + 1])) && isNamedRow(node),
  );
  if (kept.length === 0 || kept.length > kRowsNamed) return changes;
  const rest = changes.filter(({ node }) => !nodes.includes(node));
  const inOrder = nodes.flatMap((node) =>
    kept.includes(node) ? lineOf(keptLine(node), node) : (byNode.get(node) ?? []),
  );
  return [...inOrder, ...rest];
}
const kRowsCome = 2; // and go: else a row was added, or put in another's place
const kRowsNamed = 12;
const isNamedRow = (node) => node.role === 'row' && !isScrolledAway(node) && node.kids.some(isNamingAlone);
const keptLine = (node) =>
  `- ${yamlKey(headerOf(node))}: ${yamlValue(`… ${cut(wordsOfCell(node.kids.find(isNamingAlone)), kLabelWords)}, as before`)}`;
// Not by a field in it, as in the row of a grid's filters.
const isNamingAlone = (cell) =>
  isNamingCell(cell) && (cell.name !== '' || cell.kids.some((kid) => typeof kid === 'string'));
const isNamingCell = (cell) =>
  typeof cell !== 'string' && kNamingRoles.has(cell.role) && !isOfControls(cell) && /\p{L}/u.test(wordsOfCell(cell));

// The terms of the changed definitions. Several definitions may follow one term.
function termsThatTell({ kids }, changed) {
  const terms = new Set();
  let term = null;
  for (const kid of kids) {
    if (kid.role === 'term') term = kid;
    else if (kid.role === 'definition' && changed.has(kid) && term !== null && !changed.has(term)) terms.add(term);
  }
  return Array.from(terms, (part) => ({ part, text: firstText(part) }));
}

// Whether a cell holds but what its row is chosen by, or what can be done with it, which is called alike in all rows.
const isOfControls = ({ name, kids }) =>
  name === '' &&
  kids.length > 0 &&
  kids.every(({ role }, _, { length }) => role === 'button' || (length === 1 && kBoxRoles.has(role)));
const kBoxRoles = words('checkbox radio switch');

// What tells whose the changed parts of a node are: in a row the first cell that has a word, and if
// possible not the same one as in the rows beside; and a label before a changed one.
function partsThatTell(node, changed) {
  const { role, kids } = node;
  if (role !== 'row') return termsThatTell(node, changed);
  const cellsChanged = [...changed].filter((cell) => cell !== null);
  if (cellsChanged.length > 0 && cellsChanged.every((cell) => kHeaderRoles.has(cell.role))) return []; // they tell their own words
  const cells = kids.filter((kid) => typeof kid !== 'string');
  const others = rowsBeside(node);
  const isAlone = (cell, i) => isNamingCell(cell) && textNotBeside(cell, i, others) !== undefined;
  const name = cells.find(isAlone) ?? cells.find(isNamingCell);
  // Links side by side may be what can be done with each row, and say nothing of this one.
  const isOfMany = name?.role === 'link' && cells[cells.indexOf(name) + 1]?.role === 'link';
  const text = isOfMany ? cells.find((cell) => cell.role !== 'link' && isNamingCell(cell)) : undefined;
  return cells.flatMap((cell, i) => {
    const isLabel = () => i + 1 < cells.length && changed.has(cells[i + 1]) && isLabelCell(cell);
    if (changed.has(cell) || (cell !== name && cell !== text && !isLabel())) return [];
    return { part: cell, text: textNotBeside(cell, i, others) ?? firstText(cell) };
  });
}
const kNoCell = { name: '', kids: [] };

// The first words of a cell that the cells above and below don't say: what comes before may be a button that each of them has.
function textNotBeside(cell, place, others) {
  const said = new Set(others.flatMap((row) => textsOfCell(row[place] ?? kNoCell)));
  return textsOfCell(cell).find((text) => /\p{L}/u.test(text) && !said.has(text));
}

// The cells of the rows beside one, as they were.
function rowsBeside({ match }) {
  const rows = match?.up?.kids.filter((kid) => kid.role === 'row' && kid !== match) ?? [];
  return rows.slice(0, kRowsCompared).map(({ kids }) => kids.filter((kid) => typeof kid !== 'string'));
}
const kRowsCompared = 30;

const isLabelCell = (cell) => {
  const text = wordsOfCell(cell);
  return text !== '' && (cell.role === 'rowheader' || text.endsWith(':'));
};

// The heading of a box that is one of several alike, where something is new in it, as a card in the column of a board: the box has
// no name that would tell which of them it is.
function headOfBox(box, changed, changes) {
  const head = isNameless(box) ? headIn(box) : null;
  if (head === null || !box.match?.up || changed.has(box.kids[0]) || !changes.some(isNewWithin)) return null;
  const alike = box.match.up.kids.filter((kid) => typeof kid !== 'string' && isNameless(kid) && headIn(kid) !== null);
  return alike.length > 1 ? head : null;
}
const isNameless = ({ role, name, rec }) => kNamelessBoxes.has(role) && name === '' && rec === null;
const kNamelessBoxes = words('generic group list listitem');
const isNewWithin = ({ node, lines, kids }) =>
  kids === null ? lines === null && !node.match : isNameless(node) && kids.some(isNewWithin);

// The heading that a box begins with, or the text, where the next thing in it is a box too.
function headIn({ kids }) {
  const [first, next] = kids;
  if (first === undefined || typeof first === 'string') return null;
  if (first.role === 'heading') return first;
  if (first.role !== 'generic' || first.kids.length === 0) return null;
  const [inner] = first.kids;
  if (isNameless(first) && typeof inner !== 'string' && inner.role === 'heading') return inner;
  if (next === undefined || typeof next === 'string' || !isNameless(next)) return null;
  // What is said of it may stand beside that text in a box of both, as marks of a dish.
  return [first, inner].find(isTextAlone) ?? null;
}
const isTextAlone = ({ role, pointer, kids }) =>
  role === 'generic' && !pointer && kids.length > 0 && kids.every((kid) => typeof kid === 'string');

// Adds to the changes of a row, or of a list of terms, the lines that tell whose they are, in the page's order.
function addRowsWords(changes, around) {
  const changed = new Set(changes.map(({ node }) => node));
  const head = headOfBox(around, changed, changes);
  if (head !== null) changes.unshift(oldChange(head));
  for (const { part, text } of partsThatTell(around, changed)) {
    const place = around.kids.indexOf(part);
    const at = changes.findIndex(({ node }) => node === null || around.kids.indexOf(node) > place);
    changes.splice(at < 0 ? changes.length : at, 0, oldChange(part, text));
  }
}
const oldChange = (node, text = firstText(node)) => ({
  worth: 0,
  node,
  place: -1,
  lines: [cellLine(node, text)],
  kids: null,
  isOld: true,
});

// Adds the first words of an item that nothing else in its changes tells from those beside it.
function addItemsWords(changes, item) {
  if (!kItemRoles.has(item.role) || item.name !== '' || isKnown(item) || changes.some(isKnownChange)) return;
  const first = firstWithWords(item);
  if (first === null || changes.some(({ node, kids }) => node !== null && kids === null && holds(node, first))) return;
  const line =
    typeof first === 'string' ? `- text: ${yamlValue(cut(first, kLabelWords))}` : cellLine(first, firstText(first));
  if (changes.some(({ lines }) => lines?.includes(line))) return; // it is new itself
  changes.unshift({ worth: 0, node: null, place: -1, lines: [line], kids: null, isOld: true });
}
const kHeaderRoles = words('rowheader columnheader');
const kItemRoles = new Set([...kHeaderRoles, 'listitem', 'article']);

// Whether a change is told with a ref that an earlier answer has shown.
const isKnown = ({ rec, match }) => rec !== null && Boolean(match) && match.rec !== null;
const isKnownChange = ({ node, kids }) =>
  (node !== null && isKnown(node)) || (kids !== null && kids.some(isKnownChange));

// The first text of a node's own, or the first node below it that has a name or a text.
function firstWithWords({ kids }) {
  for (const kid of kids) {
    if (typeof kid === 'string' ? /\p{L}/u.test(kid) : /\p{L}/u.test(kid.name)) return kid;
    const inner = typeof kid === 'string' ? null : firstWithWords(kid);
    if (inner !== null) return typeof inner === 'string' ? kid : inner;
  }
  return null;
}

const holds = (node, part) => node === part || node.kids.some((kid) => kid === part || (kid.kids && holds(kid, part)));

function cellLine(cell, text) {
  const key = yamlKey(headerOf(cell));
  return text === null || cell.name !== '' ? `- ${key}` : `- ${key}: ${yamlValue(cut(text, kLabelWords))}`;
}

// An empty cell whose place another one has taken, as one that got a text.
const isEmptyCell = ({ role, name, rec, kids }) =>
  kCellRoles.has(role) && name === '' && rec === null && kids.length === 0;

// Where only texts of a small group have changed, the one field in it tells whose they are: an error message is read with
// the field that it is about. `tell`: makes the change that tells of the field.
function addControlBeside(changes, { name, kids }, tell) {
  if (!changes.length || name !== '' || kids.length > kSmallGroup || !changes.every(saysWordsAlone)) return;
  const fields = kids.flatMap((kid) => (typeof kid === 'string' ? [] : kFields.has(kid.role) ? [kid] : kid.kids));
  const controls = fields.filter((kid) => typeof kid !== 'string' && kFields.has(kid.role));
  if (controls.length !== 1) return;
  const at = kids.findIndex((kid) => kid === controls[0] || kid.kids?.includes(controls[0]));
  const placeOf = ({ place, node }) => (node === null ? place : kids.indexOf(node));
  const isBelow = changes.every((change) => placeOf(change) < at);
  const beside = tell(controls[0]);
  if (controls[0].match && controls[0].kids.length > kFewOptions) beside.kids = []; // which it had before
  changes.splice(isBelow ? changes.length : 0, 0, beside);
}
const kSmallGroup = 4;
const kFewOptions = 2;
const kFields = words('textbox searchbox combobox listbox spinbutton checkbox radio slider switch');

const saysWordsAlone = ({ lines, node, kids }) =>
  lines !== null || (kids === null && !node.match && !node.pointer && (isMessage(node) || isListOfWords(node)));
const isWords = (kid) => typeof kid === 'string';
const isMessage = ({ role, kids }) => kMessages.has(role) && kids.every(isWords);
const isListOfWords = ({ role, kids }) =>
  role === 'list' && kids.every((kid) => kid.role === 'listitem' && !kid.pointer && kid.kids.every(isWords));
const kMessages = words('generic paragraph alert status');

// The same of a group that has come only by the message, as what held but the field has no line: its changes are among those of what
// it stands in.
function addControlInGroup(changes, group, tell) {
  const own = changes.filter(({ node }) => node !== null && group.kids.includes(node));
  if (own.length === 0) return;
  const known = new Set(changes.map(({ node }) => node));
  const beside = [...own];
  addControlBeside(beside, group, tell);
  const told = beside.filter((change) => own.includes(change) || !known.has(change.node));
  if (told.length > own.length) changes.splice(changes.indexOf(own[0]), own.length, ...told);
}

// Adds the text that stands right before a field which has no name and has changed, as the label of it that a person sees.
function addLabelsBefore(changes, around) {
  if (around.name !== '' || !kWithLabels.has(around.role)) return;
  for (const { node, lines } of [...changes]) {
    const isField = lines === null && node.match && kFields.has(node.role) && node.name === '';
    const label = isField ? around.kids[around.kids.indexOf(node) - 1] : undefined;
    if (label === undefined || changes.some((one) => one.node === label)) continue;
    const told = labelChange(label);
    if (told !== null)
      changes.splice(
        changes.findIndex((one) => one.node === node),
        0,
        told,
      );
  }
}

function labelChange(label) {
  const text = typeof label === 'string' ? label : isTextAlone(label) ? firstText(label) : '';
  if (!/\p{L}/u.test(text) || text.length > kShortLabel) return null;
  if (typeof label !== 'string') return oldChange(label);
  return { worth: 0, node: null, place: -1, lines: [`- text: ${yamlValue(text)}`], kids: null, isOld: true };
}
const kWithLabels = new Set([...kNamelessBoxes, 'paragraph', 'form']);
const kShortLabel = 40; // characters

export { withKeptRows, addControlBeside, addLabelsBefore, addControlInGroup, addItemsWords, addRowsWords, isEmptyCell };
