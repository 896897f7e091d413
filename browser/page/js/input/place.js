// Where to point for an element that has no box of its own to point at.

import {
  clientRectsOf,
  closestOf,
  inputTypeOf,
  nextElementOf,
  nodeTypeOf,
  previousElementOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { closestFlat, eachFlatChild, flatContains, flatParentOf, isLarger, largerAround } from '../dom/flat_tree.js';
import { clipWhere, coverText, deepHit, hitPoint, isControl, isInView, isPlainPart } from '../dom/hit.js';
import { withPass } from '../dom/pass.js';
import { FOR_READERS, isGone, isTransparent } from '../dom/sight.js';
import { isVisible, paints, styleOf } from '../dom/style.js';
import { labelsOf } from '../aria/labels.js';
import { controlOf, isEditable } from '../aria/values.js';
import { sightHere, thumbOf } from '../tree/natives.js';

// The element to point at: itself; for a checkbox or radio that can't be hit, its label or what is drawn beside it, as a person
// would; for a slider hidden for readers, its thumb; for an editor's hidden field (Monaco's of no size, CodeMirror's in a box
// of no size), what is around it; for a field for files or a button that nobody sees, its label.
function placeOf(el) {
  if (isHiddenFile(el)) return withPass(() => labelPlace(el)) ?? el;
  const label = isHiddenButton(el) ? withPass(() => labelPlace(el)) : null;
  if (label !== null) return label;
  if (isChecked(el))
    return withPass(() =>
      isHitAlone(el) ? el : (labelAround(el) ?? wordlessBeside(el) ?? labelPlace(el) ?? drawnBeside(el) ?? el),
    );
  if (withPass(() => isWithoutBox(el))) return withPass(() => boxFor(el)) ?? el;
  if (isFlat(el)) return withPass(() => drawnWithin(el)) ?? el;
  const thumb = withPass(() => thumbOf(el));
  if (thumb !== el || !isEditable(el) || isSeenAtAll(el)) return thumb;
  const around = largerAround(flatParentOf(el), kEditorSize, kEditorDepth);
  return around === null ? el : withPass(() => withCover(around));
}

// Some editors lay what they tell readers over all that they draw, beside what the field is in: then the box around both.
function withCover(inner) {
  const { x, y, width, height } = rectOf(inner);
  const hit = deepHit(x + width / 2, y + height / 2);
  if (hit === null || flatContains(inner, hit)) return inner;
  const whole = closestFlat(inner, (at) => flatContains(at, hit));
  let cover = hit;
  while (cover !== whole && flatParentOf(cover) !== whole) cover = flatParentOf(cover);
  const isNear = [inner, flatParentOf(inner), flatParentOf(inner) && flatParentOf(flatParentOf(inner))].includes(whole);
  return isNear && cover !== whole && !paints(styleOf(cover)) && closestOf(hit, kOperatedItself) === null
    ? whole
    : inner;
}
const kOperatedItself = 'a,button,input,select,textarea,summary';
const kNoSize = 2; // CSS px
const kEditorSize = 8;
const kEditorDepth = 8; // elements

// Whether it has a size, and no box around it that has none clips it away.
const isSeenAtAll = (el) =>
  hasSize(el) && withPass(() => clipWhere(el, ({ width, height }) => width <= kNoSize || height <= kNoSize)) === null;

const isChecked = (el) => tagOf(el) === 'input' && /^(checkbox|radio)$/.test(inputTypeOf(el));

const isHiddenFile = (el) => tagOf(el) === 'input' && inputTypeOf(el) === 'file' && !hasSize(el);

// A switch is often a button of no size, the drawing of which stands in its label.
const isHiddenButton = (el) => tagOf(el) === 'button' && !hasSize(el);

const hasSize = (el) => isLarger(el, kNoSize);

// What stands for an element that is drawn as if its children stood in its place: the only one of these with a box, or what is
// around them; null without either.
const isWithoutBox = (el) => clientRectsOf(el).length === 0 && styleOf(el).display === 'contents';
function boxFor(el) {
  const parts = [];
  const look = (node) => {
    if (nodeTypeOf(node) !== 1) return;
    if (isWithoutBox(node)) eachFlatChild(node, tagOf(node), look);
    else if (hasSize(node)) parts.push(node);
  };
  eachFlatChild(el, tagOf(el), look);
  return parts.length === 1 ? parts[0] : closestFlat(el, (at) => at !== el && hasSize(at));
}

// What is seen of an element of no size: something in it that the page has placed, which no box of no size clips; or null.
const isFlat = (el) => !hasSize(el) && !isEditable(el) && tagOf(el) !== 'input' && clientRectsOf(el).length === 1;
const drawnWithin = (el) =>
  [...querySelectorAllOf(el, '*')]
    .slice(0, kPartsWithin)
    .find((part) => /absolute|fixed/.test(styleOf(part).position) && isSeenAtAll(part) && isVisible(part)) ?? null;
const kPartsWithin = 20; // elements

// Whether a checkbox or radio is hit where it is, or may be once it is scrolled to.
function isHitAlone(el) {
  if (!hasSize(el)) return false;
  if (isInView(el) && !hitPoint(el, 'click').blocker) return true;
  const sight = sightHere(el);
  return !(sight & FOR_READERS) && (!isGone(sight) || isTransparent(sight)) && !isLabelFree(el);
}

// Whether its label can be hit at once. One that is covered too leaves what the control itself waits for.
function isLabelFree(el) {
  const label = labelPlace(el);
  return label !== null && isInView(label) && !labelPoint(label, el).blocker;
}

// The first label with a box, or null.
function labelPlace(el) {
  for (const label of labelsOf(el)) if (hasSize(label) && isVisible(label)) return label;
  return null;
}

// The label that it stands in. One elsewhere passes a click on to the control itself, which a widget that listens around it
// may not expect: what is drawn beside it is clicked before that.
function labelAround(el) {
  const label = labelPlace(el);
  return label !== null && flatContains(label, el) ? label : null;
}

function wordlessBeside(el) {
  const drawn = drawnBeside(el);
  return drawn !== null && !/\S/.test(textContentOf(drawn)) && !isControl(drawn) ? drawn : null;
}

// What a page draws beside a checkbox or radio of no size, or beside the box of no size that it is in, to be clicked in its place;
// null without such.
function drawnBeside(el) {
  const fits = (at) => at && tagOf(at) !== 'input' && hasSize(at) && isVisible(at) && styleOf(at).cursor === 'pointer';
  if (isSeenAtAll(el)) return null;
  for (let at = el, depth = 0; at !== null && depth < kHidingDepth; at = flatParentOf(at), depth++) {
    if (at !== el && hasSize(at)) return null;
    for (const step of [nextElementOf, previousElementOf]) {
      let drawn = step(at);
      for (let n = 0; n < kUndrawnBeside && drawn !== null && !isDrawnAt(drawn); n++) drawn = step(drawn);
      if (fits(drawn)) return drawn;
    }
  }
  return null;
}
const kHidingDepth = 3; // a control and what hides it
const kUndrawnBeside = 4; // what is drawn in other states: the full star beside the empty one
const isDrawnAt = (el) => hasSize(el) && isVisible(el);

// The point of a label to press for its control: a link or another control in the label would take the press for itself.
function labelPoint(label, el) {
  const middle = hitPoint(label, 'click');
  if (middle.blocker) return middle;
  const { left, top, width, height } = rectOf(label);
  const y = top + height / 2;
  const others = kAcross.map((across) => ({ x: left + across * width, y }));
  for (const point of [middle, ...others]) {
    const at = deepHit(point.x, point.y);
    if (at !== null && takesPress(label, el, at)) return point;
  }
  const hit = deepHit(middle.x, middle.y);
  return { ...middle, hit, blocker: coverText(el, hit) };
}
const kAcross = [0.1, 0.9, 0.25, 0.75]; // of its width, where its middle isn't free

const takesPress = (label, el, hit) => hit === el || (flatContains(label, hit) && isPlainPart(hit, label));

// Whether a text is put into a control by script alone, which asks for no place on the screen: a range or a colour, in the
// place of which pages draw a thumb or a swatch of their own.
function isSetUnseen(el) {
  const control = controlOf(el);
  return tagOf(control) === 'input' && /^(range|color)$/.test(inputTypeOf(control));
}

export { isHiddenFile, isSeenAtAll, isSetUnseen, labelPoint, placeOf };
