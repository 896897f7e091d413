// The shapes of a drawing: which of them are drawn, and which are there for the mouse.

import {
  attr,
  closestOf,
  firstElementOf,
  hasAttr,
  isSvg,
  nextElementOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { colourName, isClear } from '../dom/colours.js';
import { isLarger } from '../dom/flat_tree.js';
import { styleOf } from '../dom/style.js';

const kShapes = {
  __proto__: null,
  circle: 'circle',
  ellipse: 'ellipse',
  rect: 'rectangle',
  line: 'line',
  polyline: 'line',
  polygon: 'polygon',
  path: 'shape',
};
const kShapeTags = Object.keys(kShapes).join(',');
const kStored = 'defs,symbol,marker,pattern,clipPath,mask';
const kStoredShapes = `:is(${kStored}) :is(${kShapeTags})`;

// Whether the size of a drawing says nothing of the shape in it.
function isSmallPartOf(shape, drawing) {
  const [inner, outer] = [rectOf(shape), rectOf(drawing)];
  return inner.width < 0.5 * outer.width && inner.height < 0.5 * outer.height;
}

// But for those that are only kept to be drawn elsewhere: the heads of arrows, the dots of a pattern.
const countDrawn = (el) => querySelectorAllOf(el, kShapeTags).length - querySelectorAllOf(el, kStoredShapes).length;

function firstDrawn(el) {
  const shapes = querySelectorAllOf(el, kShapeTags);
  for (const shape of shapes) if (closestOf(shape, kStored) === null) return shape;
  return shapes[0];
}

// What a box is to be told by that holds a drawing of one plain shape alone, or ''.
function formWithin(el) {
  const drawing = firstElementOf(el);
  if (drawing === null || tagOf(drawing) !== 'svg' || nextElementOf(drawing) !== null) return '';
  if (countDrawn(drawing) !== 1) return '';
  const shape = firstDrawn(drawing);
  const { width, height } = rectOf(shape);
  const isEven = Math.abs(width - height) <= 0.1 * Math.max(width, height);
  const rect = (attr(shape, 'rx') ? 'rounded ' : '') + (isEven ? 'square' : 'rectangle');
  const forms = { __proto__: null, rect, ellipse: isEven ? 'circle' : 'ellipse', circle: 'circle', line: 'line' };
  const form = forms[tagOf(shape)] ?? '';
  const colour = colourName(styleOf(shape).fill);
  return form === '' || /black|gray|white/.test(colour) ? form : `${colour} ${form}`.trim();
}

// Whether the author of a diagram has made a shape for the mouse, which another one only listens for: one that is painted, in what
// is no icon.
function isShapeForMouse(el) {
  if (!hasAttr(el, 'pointer-events') || !isSvg(el) || !(tagOf(el) in kShapes)) return false;
  if (!kTakingMouse.has(attr(el, 'pointer-events')) || closestOf(el, kStored) !== null) return false;
  const { fill, fillOpacity, opacity, visibility } = styleOf(el);
  if (fill === 'none' || isClear(fill) || fillOpacity === '0' || opacity === '0' || visibility !== 'visible')
    return false;
  const { width, height } = rectOf(el);
  const drawing = el.ownerSVGElement;
  return Math.min(width, height) >= kTargetSide && drawing !== null && isLarger(drawing, kDiagramSide);
}
const kTakingMouse = words('all visible fill visibleFill bounding-box');
const kTargetSide = 12; // CSS px; what is smaller is the head of an arrow
const kDiagramSide = 200;

export { countDrawn, firstDrawn, formWithin, isShapeForMouse, isSmallPartOf, kShapes, kShapeTags, kStoredShapes };
