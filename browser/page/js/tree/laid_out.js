// Tables that only place what they hold: controls, the items of a menu.

import { querySelectorAllOf } from '../dom/members.js';
import { styleOf } from '../dom/style.js';
import { copyNode, elementOf, isBare, isPlacedControl, isPlain, withState } from './node.js';

// A table that has no headers and places nothing but controls, as around a button whose corners are pictures and in a bar of
// buttons: what it holds, else null.
function laidOut(node) {
  if (node.role !== 'table' || node.name !== '' || node.kept || node.states !== '' || node.marks !== '') return null;
  const rows = node.kids.flatMap((kid) => (kid.role === 'rowgroup' && isBare(kid) ? kid.kids : [kid]));
  if (!rows.every((row) => row.role === 'row' && isBare(row))) return null;
  const cells = rows.flatMap((row) => row.kids);
  const isPlace = (cell) => cell.role === 'cell' && isBare(cell) && cell.told === null && !cell.typedIn;
  if (!cells.every((cell) => isPlace(cell) || isPlacedControl(cell))) return null;
  const full = cells.filter((cell) => cell.role !== 'cell' || cell.kids.length > 0);
  if (full.length === 0) return rows.length === 1 ? [] : null;
  if (full.length > 1 && rows.length > 1) return null;
  const kids = full.flatMap((cell) => (cell.role === 'cell' ? cell.kids.map((kid) => withState(kid, cell)) : [cell]));
  return kids.every(isPlacedControl) ? kids : null;
}

// The rows of a table without headers that are pressed as a whole, as of a menu: each has a cell or two with words beside one or more
// without any, which are left out, and one cell's words are the row's; what only parts them is a separator. Null for any other table.
function rowsOfMenu({ name, kept, kids }) {
  if (name !== '' || kept) return null;
  const rows = kids.flatMap((kid) => (kid.role === 'rowgroup' && isBare(kid) ? kid.kids : [kid]));
  const lines = rows.map((row) => (row.role === 'row' ? lineOfMenu(row) : null));
  return lines.length > 0 && lines.every((line) => line !== null) && lines.some(({ role }) => role === 'row')
    ? lines
    : null;
}

function lineOfMenu(row) {
  const isMere = (cell) =>
    cell.role === 'cell' && cell.marks + cell.states + cell.called === '' && !cell.kept && cell.told === null;
  if (!row.kids.every(isMere)) return null;
  const parts = row.kids.flatMap((cell) => (cell.name !== '' ? [cell.name] : cell.kids));
  if (row.pointer !== true) return parts.length === 1 && parts[0].role === 'separator' ? parts[0] : null;
  const worded = row.kids.filter((cell) => cell.name !== '' || cell.kids.some((kid) => typeof kid === 'string'));
  if (worded.length === 0 || worded.length > kWordedMost || worded.length === row.kids.length) return null;
  const isSign = (part) => part.role === 'img' && part.name === '' && isPlainSign(part);
  if (!parts.every((part) => typeof part === 'string' || isPlain(part) || isSign(part))) return null;
  const said = parts.filter((part) => typeof part === 'string' || !isSign(part));
  const called = row.called + (hasPaintedSign(row) ? ' [looks=picture]' : '');
  return Object.assign(copyNode(row), { kids: worded.length === 1 ? said : worded, called, hash: 0 }); // each is known by its words
}

// A tick is often a picture without a name, which the other items lack.
function hasPaintedSign(row) {
  const el = elementOf(row);
  if (el === null) return false;
  return [...querySelectorAllOf(el, 'td')].some((cell) => styleOf(cell).backgroundImage.startsWith('url('));
}
const kWordedMost = 2; // what the item is called, and its key
const isPlainSign = ({ kids, called, marks }) => kids.length === 0 && called + marks === '';

export { laidOut, rowsOfMenu };
