// Which elements have got another style, class or attribute of the page's own since the last snapshot, also where an element
// stands in the place of another one that was drawn before.

import { changesSince } from '../dom/changes.js';
import { words } from '../dom/collections.js';
import { attr, isConnected, isSvg, nodeTypeOf, rectOf, tagOf } from '../dom/members.js';
import { hoveredIn } from '../dom/states.js';

const kRestyledMost = 12; // more are a page's own doing
const kNoLook =
  /^(aria-|on|(id|name|value|title|href|role|hidden|open|tabindex|for|checked|disabled|style|class|src)$)/;
const kSources = words('src srcset');
const kDrawingLeast = 40; // CSS px: a smaller one is a sign

// For the snapshot that is being taken, what was set before: { el: WeakRef, styled, classed, named, source }, where `named` are the
// names of other attributes, and `source` is where a picture came from.
let restyled = [];
let redrawn = new Set(); // drawings in which shapes have changed
let shapeHovered = null; // the shape that the mouse was over at the last snapshot, which it may have drawn otherwise: a WeakRef

// Called before the walk, which may forget the changes.
function noteRestyled() {
  restyled = [];
  redrawn = new Set();
  const now = hoveredIn(document).at(-1);
  const ofMouse = new Set([now, shapeHovered?.deref()]);
  shapeHovered = now === undefined ? null : new WeakRef(now);
  for (const { node, attributes, children } of changesSince()?.touched ?? []) {
    const el = attributes === null && !children ? undefined : node.deref();
    if (el === undefined || nodeTypeOf(el) !== 1 || !isConnected(el)) continue;
    if (isSvg(el) && !ofMouse.has(el)) noteDrawing(el, attributes, children);
    else if (!isSvg(el) && attributes !== null) noteAttributes(el, attributes);
    if (restyled.length > kRestyledMost) break;
  }
}

// How the drawing as a whole is styled is a look of its box.
function noteDrawing(el, attributes, children) {
  const drawing = el.ownerSVGElement ?? el;
  if (redrawn.has(drawing) || (el === drawing && !children && !attributes?.has('viewBox'))) return;
  const { width, height } = rectOf(drawing);
  if (width >= kDrawingLeast && height >= kDrawingLeast) redrawn.add(drawing);
}

function noteAttributes(el, attributes) {
  // A library may write an attribute again as it was.
  const isOther = ([name, was]) => attr(el, name) !== was && !kNoLook.test(name);
  const named = [...attributes].filter(isOther).map(([name]) => name);
  const [styled, classed] = [attributes.get('style'), attributes.get('class')];
  const isPicture = tagOf(el) === 'img';
  const source = isPicture
    ? [...kSources].map((name) => attributes.get(name)).find((was) => was !== undefined)
    : undefined;
  const isStyled = styled !== undefined || classed !== undefined || source !== undefined;
  if (!isStyled && (named.length === 0 || restyled.length >= kRestyledMost)) return;
  restyled.push({ el: new WeakRef(el), styled, classed, named, source });
}

// Called where an element is numbered: one that is drawn anew may be styled otherwise than the one in whose place it stands.
function noteDrawn(el, record) {
  const [styled, classed] = [attr(el, 'style'), attr(el, 'class')];
  const { style } = record;
  record.style = { styled, classed };
  if (style === undefined || (style.styled === styled && style.classed === classed)) return;
  if (restyled.length > kRestyledMost) return;
  const ifOther = (was, is) => (was === is ? undefined : was);
  restyled.push({
    el: new WeakRef(el),
    styled: ifOther(style.styled, styled),
    classed: ifOther(style.classed, classed),
    named: [],
    source: undefined,
  });
}

// Those of the snapshot that is being taken; none where there are too many.
const restyledNow = () => (restyled.length > kRestyledMost ? [] : restyled);

const redrawnNow = () => [...redrawn];

export { noteRestyled, noteDrawn, redrawnNow, restyledNow };
