// Sets of words, and lists by key.

const words = (text) => new Set(text.split(' '));

function group(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

// Of points in rows, so many in each, the one that is free with the most such around it; null without one.
function innermostOf(points, inRow, isFree) {
  const free = points.map(isFree);
  const isAt = (column, row) => column >= 0 && column < inRow && free[row * inRow + column] === true;
  const around = (i) => kNextTo.filter(([x, y]) => isAt((i % inRow) + x, Math.floor(i / inRow) + y)).length;
  let best = -1;
  for (let i = 0, most = -1; i < points.length; i++) {
    const count = free[i] ? around(i) : -1;
    if (count > most) [best, most] = [i, count];
  }
  return best < 0 ? null : points[best];
}
const kNextTo = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y]));

// Whether two lists hold the same things in the same order.
const areSame = (some, others) => some.length === others.length && some.every((one, i) => one === others[i]);

export { words, group, innermostOf, areSame };
