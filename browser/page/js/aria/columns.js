// What marks a cell among those of its column, where only a look and a class tell [tool.snapshot.hints].

import { attr, firstElementOf, nextElementOf, previousElementOf, tagOf } from '../dom/members.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { pass } from '../dom/pass.js';
import { styleOf } from '../dom/style.js';
import { classesOf, isOfPress, kStripe, saysState } from './state_words.js';

// The class that a cell has beyond those of most others of its column, where it draws another ground, as of what a search has
// found; or ''.
function wordOfCell(el) {
  const worn = attr(el, 'class');
  const body = worn !== null && tagOf(el) === 'td' ? flatParentOf(flatParentOf(el)) : null;
  if (body === null) return '';
  let columns = pass.columns.get(body);
  if (columns === undefined) pass.columns.set(body, (columns = columnsOf(body)));
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
    if (more.length !== 1 || kStripe.test(more[0]) || isOfPress(el, more[0])) continue;
    if (styleOf(el).backgroundColor !== styleOf(cell).backgroundColor) return more[0];
  }
  return '';
}

// Of a table's first rows, by column: the classes that cells have, as text -> { cell, count }, the first with them and how many.
function columnsOf(body) {
  const columns = [];
  let rows = 0;
  for (let row = firstElementOf(body); row !== null && ++rows <= kRowsLooked; row = nextElementOf(row)) {
    let at = 0;
    for (let cell = firstElementOf(row); cell !== null; cell = nextElementOf(cell), at++) {
      const worn = attr(cell, 'class') ?? '';
      const kinds = (columns[at] ??= new Map());
      const kind = kinds.get(worn);
      if (kind !== undefined) kind.count++;
      else if (kinds.size <= kKindsMost) kinds.set(worn, { cell, count: 1 });
    }
  }
  return columns;
}
const kRowsLooked = 100;
const kKindsMost = 3;
const kClassesMost = 6;

export { wordOfCell };
