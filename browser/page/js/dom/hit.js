// Which element a point of the viewport hits, and where an element can be hit.

import {
  attr,
  bodyOf,
  clientLeftOf,
  clientRectsOf,
  clientTopOf,
  documentElementOf,
  firstElementOf,
  hasAttr,
  hitInDocument,
  hitInRoot,
  inputTypeOf,
  labelControlOf,
  matchesSelector,
  nextElementOf,
  nodeTypeOf,
  nodeValueOf,
  querySelectorAllOf,
  rectOf,
  rootNodeOf,
  tagOf,
  textContentOf,
} from './members.js';
import { innermostOf, words } from './collections.js';
import { tagSketch } from './errors.js';
import { shadowRootOf } from './shadow_roots.js';
import { closestFlat, eachFlatChild, flatContains, flatParentOf, holdsNoOther, pictureOfArea } from './flat_tree.js';
import { withPass } from './pass.js';
import { clipsContents, kOpacityMin, paints, styleOf } from './style.js';
import { boxesOfOwnLine, deadFrom, fadedFrom, isPartOver, isShadeOfPage } from './surroundings.js';

// The topmost element at a point of the viewport (CSS px), through shadow roots.
function deepHit(x, y) {
  let hit = hitInDocument(document, x, y);
  while (hit) {
    const root = shadowRootOf(hit);
    const inner = root && hitInRoot(root, x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

// Whether a hit on `hit` is a hit on `el`: itself, something in it, its shadow host, its own label, or the widget that it is
// drawn below.
function isHitOn(el, hit) {
  if (!hit) return false;
  if (flatContains(el, hit)) return true;
  if (tagOf(hit) === 'area') return tagOf(el) !== 'area' && isHitOn(el, pictureOfArea(hit));
  const root = rootNodeOf(el);
  if (root instanceof ShadowRoot && root.host === hit) return true;
  if (kFieldTags.has(tagOf(el)) && withPass(() => liesBelow(el, hit))) return true;
  if (isLabelOf(el, hit) || isLabelOf(hit, el)) return true; // pressing either works the control
  return withPass(
    () =>
      fallsThrough(el, hit) ||
      standsForField(el, hit) ||
      takesPressFor(el, hit) ||
      isSeenThrough(el, hit) ||
      isPartOver(el, hit, kAnyControl),
  );
}

const isLabelOf = (el, at) => closestFlat(at, (up) => tagOf(up) === 'label' && labelControlOf(up) === el) !== null;

// Whether an empty box that paints nothing, has the cursor of a link and is about as large as an element lies over it, as pages
// give fingers more room: what is around both holds no other control.
function takesPressFor(el, hit) {
  if (firstElementOf(hit) !== null || /\S/.test(textContentOf(hit)) || isControl(hit)) return false;
  const style = styleOf(hit);
  if (style.cursor !== 'pointer' || style.boxShadow !== 'none' || paints(style)) return false;
  const [over, under] = [rectOf(hit), rectOf(el)];
  if (over.width > under.width + kMoreRoom || over.height > under.height + kMoreRoom) return false;
  const box = boxAround(el, hit);
  return box !== null && holdsNoOther(box, kAnyControl, el);
}
const kMoreRoom = 48; // CSS px, as large as what a finger presses should be
const kAnyControl = 'a[href],button,input,select,textarea,summary,[tabindex],[role=button]';

// Whether a canvas is seen through boxes that paint nothing, as those that scroll a table that is drawn.
function isSeenThrough(el, hit) {
  if (tagOf(el) !== 'canvas' || /\S/.test(textContentOf(hit))) return false;
  const box = closestFlat(hit, (at) => flatContains(at, el) || isWidgetOver(at) || paints(styleOf(at)));
  return box !== null && box !== bodyOf(document) && flatContains(box, el);
}

// Whether an element is what a person sees of a field that lies over it and can't be seen, or sees in one that is typed into: the
// click that is meant for the one is the other's. Not of a <select>, whose list would open outside of the page: it is chosen in by
// its own tool. A control stands only for a field for files, which it is drawn for and which may lie over a part of it, or a thumb.
function standsForField(el, field) {
  if (tagOf(field) !== 'input') return false;
  const isForFiles = inputTypeOf(field) === 'file';
  if (isControl(el) && !isForFiles) return isThumbOf(el, field) && boxAround(el, field) !== null;
  if (parseFloat(styleOf(field).opacity) > kOpacityMin && !isSeenIn(el, field)) return false;
  const [over, own] = [rectOf(field), rectOf(el)];
  const out = Math.max(over.left - own.left, over.top - own.top, own.right - over.right, own.bottom - over.bottom);
  return (out <= 1 || isForFiles) && boxAround(el, field) !== null;
}

const isThumbOf = (el, field) => attr(el, 'role') === 'slider' && inputTypeOf(field) === 'range';
// Whether a sign or a text is drawn in a field for text: over it and letting clicks through, or below one that paints nothing, as
// what is chosen is in a field to look for more.
const isSeenIn = (el, field) =>
  !kPressedTypes.has(inputTypeOf(field)) && (styleOf(el).pointerEvents === 'none' || !paints(styleOf(field)));

// The nearest box that holds an element and what lies over it, or null: a page's body is none.
function boxAround(el, over) {
  for (let at = flatParentOf(over), depth = 0; at !== null && depth < kBelowDepth; at = flatParentOf(at), depth++)
    if (flatContains(at, el)) return at === bodyOf(document) ? null : at;
  return null;
}

// Whether a click on what lets clicks through (pointer-events: none) lands where a person's would: on what it is a part of, or on a
// plain part of that. A control that does so is meant to be dead, unless a control is around it, or what it is the handle of, or it is
// the field of a list that can be opened, which the box around it opens.
function fallsThrough(el, hit) {
  if (styleOf(el).pointerEvents !== 'none') return false;
  let around = flatParentOf(el);
  while (around !== null && takesNoHit(styleOf(around))) around = flatParentOf(around);
  if (around === null || around === bodyOf(document) || around === documentElementOf(document)) return false;
  if (!flatContains(around, hit) || !isPlainPart(hit, around)) return false;
  const isPart = !isControl(el) || isControl(around) || matchesSelector(around, kDraggedBy);
  return isPart || (kFieldTags.has(tagOf(el)) && (isInControl(around) || opensList(el)));
}

const takesNoHit = ({ pointerEvents, display }) => pointerEvents === 'none' || display === 'contents';
const kDraggedBy = '[draggable=true],[draggable=true] *';
const opensList = (el) => attr(el, 'role') === 'combobox' && hasAttr(el, 'aria-expanded');
// A widget has some boxes of its own around the field that it works.
function isInControl(el) {
  for (let at = flatParentOf(el), depth = 1; at !== null && depth < kBelowDepth; at = flatParentOf(at), depth++)
    if (isControl(at)) return true;
  return false;
}

const kFieldTags = words('input select textarea');

// Whether a field is drawn below the box of the widget that it belongs to, which is what a person clicks on: its z-index is
// negative within that. What else lies in the widget, such as the chips of what was chosen, is clicked in its place too,
// unless it is a control of its own.
function liesBelow(el, hit) {
  const body = bodyOf(document);
  if (hit === body || hit === documentElementOf(document)) return false;
  let widget = null;
  let at = el;
  for (let depth = 0; depth < kBelowDepth; depth++) {
    const style = styleOf(at);
    if (style.pointerEvents === 'none') return false;
    const around = flatParentOf(at);
    if (around === null) return false;
    if (widget === null && parseInt(style.zIndex, 10) < 0) widget = around;
    if (around === hit) return widget !== null;
    if (around === widget && around !== body && flatContains(widget, hit)) return isPlainPart(hit, widget);
    at = around;
  }
  return false;
}
const kBelowDepth = 3; // elements

function isPlainPart(hit, widget) {
  for (let at = hit; at !== widget; at = flatParentOf(at)) if (isControl(at)) return false;
  return true;
}

const isControl = (el) => isWidgetOver(el) || hasAttr(el, 'tabindex');
const isWidgetOver = (el) =>
  kFieldTags.has(tagOf(el)) || kOwnTags.has(tagOf(el)) || kOwnRoles.has(attr(el, 'role') ?? '');
const kOwnTags = words('a button summary label');
const kOwnRoles = words('button link checkbox radio switch tab option menuitem textbox combobox');

// The scroll container or clipping box around an element, of which `isWanted` says so; null without one. What is
// positioned is clipped only from its containing block on: a menu that is fixed shows beyond the box that scrolls its list.
// What is in the top layer shows whatever it stands in.
function clipWhere(el, isWanted) {
  let position = styleOf(el).position;
  for (
    let at = aboveInLayer(el);
    at && at !== documentElementOf(document) && at !== bodyOf(document);
    at = aboveInLayer(at)
  ) {
    const style = styleOf(at);
    if (style.display === 'contents') continue; // it has no position
    if (position === 'fixed' || position === 'absolute') {
      const contains = holdsFixed(style) || (position === 'absolute' && style.position !== 'static');
      if (!contains) continue;
    }
    position = style.position;
    if (clipsContents(style) && isWanted(rectOf(at), at)) return at;
  }
  return null;
}

const aboveInLayer = (el) => (isInTopLayer(el) ? null : flatParentOf(el));
const isInTopLayer = (el) =>
  (hasAttr(el, 'popover') && matchesSelector(el, ':popover-open')) ||
  (tagOf(el) === 'dialog' && matchesSelector(el, ':modal'));

// The first of them that doesn't show this point, or null.
const clipAt = (el, x, y) => clipWhere(el, (box) => x < box.left || x > box.right || y < box.top || y > box.bottom);
const isClippedAt = (el, x, y) => clipAt(el, x, y) !== null;

// The part of a box that the viewport shows; null without one.
const inViewport = ({ left, right, top, bottom }) =>
  right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight || right <= left || bottom <= top
    ? null
    : {
        left: Math.max(left, 0),
        right: Math.min(right, innerWidth),
        top: Math.max(top, 0),
        bottom: Math.min(bottom, innerHeight),
      };

// The part of an element's box that the viewport and the boxes around it show; null without one.
function shownPart(el, box) {
  const part = inViewport(box);
  if (part === null) return null;
  const cutsOff = ({ left, right, top, bottom }) => {
    part.left = Math.max(part.left, left);
    part.right = Math.min(part.right, right);
    part.top = Math.max(part.top, top);
    part.bottom = Math.min(part.bottom, bottom);
    return part.right - part.left < kShownLeast || part.bottom - part.top < kShownLeast;
  };
  return cutsOff(part) || withPass(() => clipWhere(el, cutsOff)) !== null ? null : part;
}
const kShownLeast = 2; // px each way: less of an element nobody aims at

// Whether an element is the containing block of what is fixed in it.
function holdsFixed({ transform, translate, rotate, scale, perspective, filter, backdropFilter, contain, willChange }) {
  return (
    [transform, translate, rotate, scale, perspective, filter, backdropFilter].some((one) => one && one !== 'none') ||
    /paint|layout|strict|content/.test(contain) ||
    /transform|translate|rotate|scale|perspective|filter/.test(willChange)
  );
}
const isClippedNow = (el, x, y) => withPass(() => isClippedAt(el, x, y));

// The first of an element's boxes with an area: an inline link may have an empty first line.
function firstBox(el) {
  for (const box of clientRectsOf(el)) if (box.width > 0 && box.height > 0) return box;
  return null;
}

function isInView(el, at = null) {
  const box = firstBox(el) ?? rectOf(el);
  const { x, y } = at ? pointIn(el, at) : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  return !isClippedNow(el, x, y);
}

// A point of an element, from the top left corner within its border, in the viewport.
function pointIn(el, at) {
  const { x, y } = rectOf(el);
  return { x: x + clientLeftOf(el) + at.x, y: y + clientTopOf(el) + at.y };
}

// A group of a drawing and a row of a table draw nothing themselves, and the middle may lie between the parts: a person clicks on
// one of these.
function* boxesOfParts(el) {
  if (tagOf(el) === 'g')
    for (const part of Array.from(querySelectorAllOf(el, kDrawn)).slice(0, kPartsLooked)) yield rectOf(part);
  else if (withPass(() => /^table-row/.test(styleOf(el).display)))
    for (let at = firstElementOf(el), n = 0; at && n < kPartsLooked; at = nextElementOf(at), n++) yield rectOf(at);
}
const kDrawn = 'path,rect,circle,ellipse,polygon,polyline,line,text,image,use,foreignObject';
const kPartsLooked = 30;

// In a column's header often not all of it sorts: a person clicks on what has the pointer of a link, or else on its words.
function* boxesOfHeader(el) {
  if (tagOf(el) !== 'th' && attr(el, 'role') !== 'columnheader') return;
  const part = withPass(() => (styleOf(el).cursor === 'pointer' ? null : (handIn(el) ?? boxOfWords(el))));
  if (part !== null && part !== el && (isPlainPart(part, el) || isButtonOf(part, el))) yield rectOf(part);
}

// Whether a part of a header lies in its only control, which is a button, or is what it has for one.
function isButtonOf(part, header) {
  const [button, more] = querySelectorAllOf(header, kHeaderControls);
  if (button === undefined || more !== undefined) return button === undefined;
  return matchesSelector(button, 'button,[role=button]') && flatContains(button, part);
}
const kHeaderControls = 'button,input,select,textarea,a[href],[role],[tabindex]';

// The only part of an element with the pointer of a link; null without one.
function handIn(el) {
  const hands = [];
  const look = (at) => {
    if (nodeTypeOf(at) !== 1) return;
    if (styleOf(at).cursor === 'pointer') hands.push(at);
    else if (hands.length < 2) eachFlatChild(at, tagOf(at), look);
  };
  look(el);
  return hands.length === 1 ? hands[0] : null;
}

// The smallest box within an element that holds all its words; null without words.
function boxOfWords(el) {
  const parts = new Set();
  eachFlatChild(el, tagOf(el), (kid) => {
    const isText = nodeTypeOf(kid) === 3 && /\S/.test(nodeValueOf(kid));
    const part = nodeTypeOf(kid) === 1 ? boxOfWords(kid) : isText ? el : null;
    if (part !== null) parts.add(part);
  });
  const [only = null] = parts;
  return parts.size > 1 || (only !== null && firstBox(only) === null) ? el : only;
}

// The point to click: the one asked for, or the middle of the first visible box, clipped to the viewport, or with `partly` to what is
// shown of it; with `beside` also one beside what lies over that middle. With `blocker` when another element, `hit`, would get it.
function hitPoint(el, kind, at = null, partly = false, beside = false) {
  if (at) {
    const { x, y } = pointIn(el, at);
    const hit = deepHit(x, y);
    if (kind === 'drop' || isHitOn(el, hit)) return { x, y };
    return { x, y, hit, blocker: hit ? coverText(el, hit) : kOutOfView };
  }
  const boxes = [...boxesOfHeader(el), ...boxesOfOwnLine(el), ...clientRectsOf(el), ...boxesOfParts(el)].filter(
    (box) => box.width > 0 && box.height > 0,
  );
  let first = null;
  let blocker = '';
  let over = null;
  for (const box of boxes.length ? boxes : [rectOf(el)]) {
    const part = partly ? shownPart(el, box) : inViewport(box);
    if (part === null) {
      blocker ||= kOutOfView;
      continue;
    }
    const x = (part.left + part.right) / 2;
    const y = (part.top + part.bottom) / 2;
    first ??= { x, y };
    const hit = deepHit(x, y);
    if (kind === 'drop' || isHitOn(el, hit)) return { x, y };
    const free = freePoint(el, part, beside);
    if (free !== null) return free;
    blocker = hit ? coverText(el, hit) : kOutOfView;
    over = hit;
  }
  return { ...(first ?? { x: 0, y: 0 }), hit: over, blocker: blocker || 'without a box to click' };
}

// Where a field is pressed whose middle something lies over, as a sign that empties it, or with `any` another control; or null.
function freePoint(el, { left, top, right, bottom }, any = false) {
  const isHoled = kHoled.test(tagOf(el));
  const isShade = isShadeOfPage(el);
  const isField = kFieldTags.has(tagOf(el)) && !(tagOf(el) === 'input' && kPressedTypes.has(inputTypeOf(el)));
  if (!isField && !isHoled && !isShade && !(any && isControl(el))) return null;
  const pointAt = ([across, down]) => ({ x: left + across * (right - left), y: top + down * (bottom - top) });
  const points = (isField ? kFieldParts : isShade ? kEdgeParts : isHoled ? kAllParts : kControlParts).map(pointAt);
  const isFree = ({ x, y }) => isHitOn(el, deepHit(x, y));
  return (points.length === kAllParts.length ? innermostOf(points, 5, isFree) : points.find(isFree)) ?? null;
}
const kHoled = /^(path|poly)/; // drawings whose middle may be a hole, and at whose edge the one beside may come to the front
const kAllParts = Array.from({ length: 25 }, (_, i) => [0.05 + 0.225 * (i % 5), 0.1 + 0.2 * Math.floor(i / 5)]);
const kEdgeParts = [[0.01, 0.5], [0.99, 0.5], [0.5, 0.01], [0.5, 0.99], [0.01, 0.01], [0.99, 0.01], [0.01, 0.99], [0.99, 0.99]]; // prettier-ignore
const kPressedTypes = words('button submit reset image checkbox radio range file color');
const kFieldParts = [[0.25, 0.5], [0.75, 0.5], [0.1, 0.5]]; // prettier-ignore
const kControlParts = [[0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]]; // prettier-ignore

const kOutOfView = 'outside of the viewport, and scrolling does not bring it in';

// Of what lies over an element the outermost: an overlay rather than the text in it.
function outermostOver(el, hit) {
  const around = flatParentOf(hit);
  return around === null || flatContains(around, el) ? hit : outermostOver(el, around);
}

const kTakesNoClicks = 'not receiving clicks: pointer-events is none';
function coverText(el, hit) {
  const dead = withPass(() => deadFrom(el));
  const unseen = dead && fadedFrom(el);
  if (unseen) return `not visible: opacity:0 on ${tagSketch(unseen)}, and it lets clicks through`;
  if (dead && flatContains(hit, el)) return `${kTakesNoClicks} on ${tagSketch(dead)}`;
  const outer = outermostOver(el, hit);
  return `covered by ${tagSketch(outer)}${outer === hit ? '' : ` (${tagSketch(hit)} in it)`}`;
}

export {
  boxesOfParts,
  deepHit,
  isControl,
  isHitOn,
  isPlainPart,
  clipAt,
  isClippedAt,
  isClippedNow,
  inViewport,
  clipWhere,
  firstBox,
  freePoint,
  isInView,
  hitPoint,
  coverText,
  outermostOver,
  pointIn,
  shownPart,
  kOutOfView,
  kTakesNoClicks,
};
