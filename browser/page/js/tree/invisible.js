// Text that can be hit but not seen: of no opacity, of no size, or of its background's colour.

import { hitsInDocument, rectOf, tagOf, textContentOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { flatContains, flatParentOf } from '../dom/flat_tree.js';
import { BACKGROUND, COLOR, OPACITY, pass, styleOf, traitsOf } from '../dom/style.js';

// 1: opacity, which no descendant can undo; 2: a colour or size that shows nothing, which one can.
function invisibleButHitTestable(el, tag, traits, above) {
  const style = styleOf(el);
  let invisible = above & 1;
  if (traits & OPACITY && style.opacity === '0') invisible |= 1;
  if (traits & COLOR) {
    if (style.fontSize === '0px' || isSameColour(el, style)) invisible |= 2;
  } else invisible |= above & 2;
  return invisible;
}

function isSameColour(el, style) {
  const colour = style.color;
  if (!/^rgba.*, 0\)$/.test(colour) && backgroundBehind(el) !== colour) return false;
  return style.webkitBackgroundClip !== 'text' && /\S/.test(textContentOf(el)) && !liesOnAnother(el);
}

// What the browser's own sheet gives a background.
const kPainted = words('button input select textarea mark dialog');

// The colour behind an element's text, as its ancestors paint it; '' where a picture does.
function backgroundBehind(el) {
  const known = pass.backgrounds.get(el);
  if (known !== undefined) return known;
  let background;
  if (!(traitsOf(el, false) & BACKGROUND) && !kPainted.has(tagOf(el))) {
    const parent = flatParentOf(el);
    background = parent ? backgroundBehind(parent) : 'rgb(255, 255, 255)';
    pass.backgrounds.set(el, background);
    return background;
  }
  const style = styleOf(el);
  if (style.backgroundImage !== 'none') background = '';
  else {
    background = style.backgroundColor;
    if (/^rgba/.test(background)) {
      const parent = flatParentOf(el);
      background = !/, 0\)$/.test(background) ? '' : parent ? backgroundBehind(parent) : 'rgb(255, 255, 255)';
    }
  }
  pass.backgrounds.set(el, background);
  return background;
}

// White text may lie on a dark picture that is no ancestor of it.
function liesOnAnother(el) {
  const box = rectOf(el);
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return !isInFlow(el);
  for (const other of hitsInDocument(document, x, y))
    if (!flatContains(other, el) && !flatContains(el, other)) return true;
  return false;
}

function isInFlow(el) {
  for (let at = el; at; at = flatParentOf(at)) if (/absolute|fixed|sticky/.test(styleOf(at).position)) return false;
  return true;
}

export { invisibleButHitTestable };
