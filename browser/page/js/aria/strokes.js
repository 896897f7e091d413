// The signs that an icon draws by a few strokes [tool.snapshot.hints]: markup that draws its icons in place, as many sites do, calls
// them nothing, and what a person presses a button by is its cross, its tick, its arrow.

import { attr, hasAttr, nextElementOf, querySelectorAllOf, tagOf } from '../dom/members.js';
import { styleOf } from '../dom/style.js';

// Of lines along one path, the first of which is wide to be hit, the last is seen.
const lineSeen = (el) => {
  const next = hasAttr(el, 'd') ? nextElementOf(el) : null;
  return next !== null && attr(next, 'd') === attr(el, 'd') ? lineSeen(next) : el;
};

const kStroked = 'path,line,polyline,circle,rect,ellipse,polygon,text,image,use';
const kMostStrokes = 4;

// What the only drawing in an element draws: 'cross', 'tick', 'plus', 'minus', 'chevron down', 'arrow left', 'three lines',
// 'three dots', 'magnifier', or ''.
function signOf(el) {
  const svg = tagOf(el) === 'svg' ? el : querySelectorAllOf(el, 'svg')[0];
  if (svg === undefined || (svg !== el && querySelectorAllOf(el, 'svg,img,canvas,i').length > 1)) return '';
  const shapes = [...querySelectorAllOf(svg, kStroked)].filter(isStroked);
  if (shapes.length === 0 || shapes.length > kMostStrokes) return '';
  const strokes = [];
  for (const shape of shapes) {
    const drawn = strokesOf(shape);
    if (drawn === null) return '';
    strokes.push(...drawn);
  }
  return strokes.length > kMostStrokes ? '' : signIn(strokes);
}

function isStroked(shape) {
  const { fill, stroke, opacity } = styleOf(shape);
  return (fill !== 'none' || stroke !== 'none') && opacity !== '0';
}

// Each as { points } as they lie in the window, or { radius, points: [its middle] } of a circle; null where it draws anything else.
function strokesOf(shape) {
  const tag = tagOf(shape);
  const { fill, stroke } = styleOf(shape);
  const number = (name) => Number(attr(shape, name) ?? 0);
  let drawn = null;
  if (tag === 'circle') drawn = [{ radius: number('r'), points: [[number('cx'), number('cy')]] }];
  else if (stroke === 'none') return null;
  else if (tag === 'line')
    drawn = [{ points: [[number('x1'), number('y1')], [number('x2'), number('y2')]] }]; // prettier-ignore
  else if (tag === 'polyline' && fill === 'none') drawn = [{ points: pairsIn(attr(shape, 'points') ?? '') }];
  else if (tag === 'path' && fill === 'none') drawn = subpathsOf(attr(shape, 'd') ?? '');
  const matrix = drawn === null ? null : shape.getScreenCTM();
  if (matrix === null) return null;
  const { a, b, c, d } = matrix;
  return drawn.map(({ radius, points }) => ({
    radius: radius === undefined ? undefined : radius * Math.hypot(a, b),
    points: points.map(([x, y]) => [a * x + c * y, b * x + d * y]),
  }));
}

const numbersOfPath = (text) =>
  Array.from(text.matchAll(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/gi), ([number]) => Number(number));
function pairsIn(text) {
  const numbers = numbersOfPath(text);
  return numbers.flatMap((x, i) => (i % 2 === 0 && i + 1 < numbers.length ? [[x, numbers[i + 1]]] : []));
}

// Of a path of straight lines; and of circles, if arcs draw all of one.
function subpathsOf(path) {
  if (path.length > kLongPath) return null;
  const found = [];
  let [x, y] = [0, 0];
  const to = (isBy, nextX, nextY) => [x, y] = isBy ? [x + nextX, y + nextY] : [nextX, nextY]; // prettier-ignore
  for (const [, command, text] of path.matchAll(/([a-z])([^a-z]*)/gi)) {
    const isBy = command === command.toLowerCase();
    const kind = command.toLowerCase();
    const numbers = numbersOfPath(text);
    const open = found.at(-1);
    if (kind === 'z') {
      if (open === undefined || !open.isCurved) return null;
      [x, y] = open.points[0];
    } else if (kind === 'm' || kind === 'l') {
      for (let i = 0; i + 1 < numbers.length; i += 2) {
        to(isBy, numbers[i], numbers[i + 1]);
        if (kind === 'm' && i === 0) found.push({ points: [[x, y]] });
        else found.at(-1)?.points.push([x, y]);
      }
    } else if (kind === 'h' || kind === 'v') {
      for (const by of numbers) {
        to(false, kind === 'h' ? by + (isBy ? x : 0) : x, kind === 'v' ? by + (isBy ? y : 0) : y);
        open?.points.push([x, y]);
      }
    } else if (kind === 'a' && open?.points.length === 1) {
      const arcs = Array.from(text.matchAll(kArc), ([, ...of]) => of.map(Number));
      if (arcs.length === 0 || arcs.some(([rx, ry]) => rx !== arcs[0][0] || ry !== rx)) return null;
      for (const [, , , , , endX, endY] of arcs) to(isBy, endX, endY);
      Object.assign(open, { radius: arcs[0][0], isCurved: true });
    } else return null;
  }
  return found.length === 0 ? null : found;
}
const kLongPath = 160; // characters
const kOfPath = '(-?(?:\\d+\\.?\\d*|\\.\\d+)(?:e-?\\d+)?)[\\s,]*';
const kArc = new RegExp(kOfPath.repeat(3) + '([01])[\\s,]*'.repeat(2) + kOfPath.repeat(2), 'gi'); // flags may stand without a space

// --- What they make

const kEven = 0.25; // by how much of their length what is even may differ
const gapOf = ([[x1, y1], [x2, y2]]) => [x2 - x1, y2 - y1];
const lengthOf = (line) => Math.hypot(...gapOf(line));
const isLevel = ([x, y]) => Math.abs(y) < Math.abs(x) * kEven;
const isUpright = ([x, y]) => Math.abs(x) < Math.abs(y) * kEven;
const isSlanting = ([x, y]) => Math.abs(Math.abs(x) - Math.abs(y)) < Math.max(Math.abs(x), Math.abs(y)) * 2 * kEven;
const middleOfLine = ([[x1, y1], [x2, y2]]) => [(x1 + x2) / 2, (y1 + y2) / 2];
const areNear = (one, other, size) => lengthOf([one, other]) < size * kEven;

// The head of an arrow may be drawn as two lines, one from where the other ends.
function withHead(strokes) {
  const [one, other, ...more] = strokes;
  if (strokes.length !== 3 || strokes.some(({ points }) => points.length !== 2)) return strokes;
  if (lengthOf([one.points[1], other.points[0]]) > 0) return strokes;
  return [{ points: [...one.points, other.points[1]] }, ...more];
}

function signIn(found) {
  const strokes = withHead(found);
  const lines = strokes
    .filter(({ points, radius }) => radius === undefined && points.length === 2)
    .map(({ points }) => points);
  const bends = strokes
    .filter(({ points, radius }) => radius === undefined && points.length === 3)
    .map(({ points }) => points);
  const rounds = strokes.filter(({ radius }) => radius !== undefined);
  if (lines.length + bends.length + rounds.length !== strokes.length) return '';
  const kinds = `${lines.length} ${bends.length} ${rounds.length}`;
  if (kinds === '0 1 0') return tickOf(bends[0]) || headPointing(bends[0], 'chevron');
  if (kinds === '1 1 0') return arrowOf(bends[0], lines[0]);
  if (kinds === '2 0 0') return crossOf(...lines);
  if (kinds === '1 0 0') return isLevel(gapOf(lines[0])) ? 'minus' : '';
  if (kinds === '3 0 0') return areStacked(lines) ? 'three lines' : '';
  if (kinds === '1 0 1')
    return isSlanting(gapOf(lines[0])) && lengthOf(lines[0]) < 2 * rounds[0].radius ? 'magnifier' : '';
  return kinds === '0 0 3' && areDots(rounds) ? 'three dots' : '';
}

function crossOf(one, other) {
  const size = Math.max(lengthOf(one), lengthOf(other));
  if (
    Math.abs(lengthOf(one) - lengthOf(other)) > size * kEven ||
    !areNear(middleOfLine(one), middleOfLine(other), size)
  )
    return '';
  const [first, second] = [gapOf(one), gapOf(other)];
  if ((isLevel(first) && isUpright(second)) || (isUpright(first) && isLevel(second))) return 'plus';
  return isSlanting(first) && isSlanting(second) && first[0] * first[1] * second[0] * second[1] < 0 ? 'cross' : '';
}

// Down to the right, then further up to the right.
function tickOf(points) {
  const [start, low, end] = points[0][0] < points[2][0] ? points : points.toReversed();
  const [down, up] = [gapOf([start, low]), gapOf([low, end])];
  const isTick = down[0] > 0 && down[1] > 0 && up[0] > 0 && up[1] < 0 && Math.hypot(...up) > 1.3 * Math.hypot(...down);
  return isTick ? 'tick' : '';
}

// Two lines of one length that meet at a point, and where that points.
function headPointing(points, what) {
  const [start, tip, end] = points;
  const [one, other] = [lengthOf([start, tip]), lengthOf([tip, end])];
  if (Math.abs(one - other) > Math.max(one, other) * kEven) return '';
  const ahead = gapOf([middleOfLine([start, end]), tip]);
  if (Math.hypot(...ahead) < one * kEven) return '';
  if (isLevel(ahead)) return `${what} ${ahead[0] < 0 ? 'left' : 'right'}`;
  return isUpright(ahead) ? `${what} ${ahead[1] < 0 ? 'up' : 'down'}` : '';
}

const arrowOf = (head, line) =>
  line.some((end) => areNear(end, head[1], lengthOf(line))) && lengthOf(line) > lengthOf(head)
    ? headPointing(head, 'arrow')
    : '';

function areStacked(lines) {
  const middles = lines.map(middleOfLine).sort(([, one], [, other]) => one - other);
  const [upper, lower] = [middles[1][1] - middles[0][1], middles[2][1] - middles[1][1]];
  return lines.every((line) => isLevel(gapOf(line))) && upper > 0 && Math.abs(upper - lower) < upper * kEven;
}

// Of one size, and evenly in a row or a column.
function areDots(rounds) {
  const places = rounds.map(({ points }) => points[0]).sort(([x1, y1], [x2, y2]) => x1 - x2 || y1 - y2);
  const gap = lengthOf([places[0], places[1]]);
  const isEven = areNear(middleOfLine([places[0], places[2]]), places[1], gap);
  return isEven && rounds.every(({ radius }) => radius === rounds[0].radius && radius < gap / 2);
}

export { lineSeen, signOf };
