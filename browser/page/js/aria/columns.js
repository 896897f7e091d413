// What marks a cell among those of its column, where only a look and a class tell [tool.snapshot.hints].

import { attr, firstElementOf, nextElementOf, parentElementOf, previousElementOf, tagOf } from '../dom/members.js';
import { pass } from '../dom/pass.js';
import { styleOf } from '../dom/style.js';
import { classesOf, isOfPress, kOfMouse, kStripe, saysState } from './state_words.js';

// The class that a cell has beyond those of most others of its column, where it draws another ground, as of what a search has
// found; or ''.
function wordOfCell(el) {
  const worn = attr(el, 'class');
  const row = worn !== null && tagOf(el) === 'td' ? parentElementOf(el) : null;
  const body = row === null ? null : parentElementOf(row);
  if (body === null) return '';
  let table = pass.columns.get(body);
  if (table === undefined) pass.columns.set(body, (table = columnsOf(body)));
  const { columns, usual } = table;
  if (usual.has(worn)) return '';
  let at = 0;
  for (let before = previousElementOf(el); before !== null; before = previousElementOf(before)) at++;
  const kinds = columns[at];
  if (kinds === undefined || kinds.size < (kinds.has(worn) ? 2 : 1) || kinds.size > kKindsMost) return '';
  if (saysState(el, '')) return '';
  const own = classesOf(el);
  for (const [others, { cell, count }] of kinds) {
    const had = others === worn || count <= (kinds.get(worn)?.count ?? 0) ? null : classesOf(cell);
    if (had === null || own.length !== had.length + 1 || own.length > kClassesMost) continue;
    const more = own.filter((word) => !had.includes(word));
    if (more.length !== 1 || isOfLook(more[0]) || isOfPress(el, more[0])) continue;
    if (styleOf(el).backgroundColor !== styleOf(cell).backgroundColor) return more[0];
  }
  return '';
}

// Of a table's first rows: { columns, usual }, by column the classes that cells have, as text -> { cell, count }, the first with
// them and how many; and those classes by which no cell differs from its column.
function columnsOf(body) {
  const columns = [];
  let rows = 0;
  for (let line = firstElementOf(body); line !== null && ++rows <= kRowsLooked; line = nextElementOf(line)) {
    let at = 0;
    for (let cell = firstElementOf(line); cell !== null; cell = nextElementOf(cell), at++) {
      const worn = attr(cell, 'class') ?? '';
      const kinds = (columns[at] ??= new Map());
      const kind = kinds.get(worn);
      if (kind !== undefined) kind.count++;
      else if (kinds.size <= kKindsMost) kinds.set(worn, { cell, count: 1 });
    }
  }
  const usual = new Set();
  for (const kinds of columns) if (kinds.size === 1) usual.add(kinds.keys().next().value);
  for (const kinds of columns) if (kinds.size > 1) for (const worn of kinds.keys()) usual.delete(worn);
  return { columns, usual };
}
const isOfLook = (word) => kStripe.test(word) || kOfMouse.test(word);
const kRowsLooked = 100;
const kKindsMost = 3;
const kClassesMost = 6;

export { wordOfCell };
