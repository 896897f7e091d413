// What is held unseen at the start of its animation. Frameworks put a popup into the page so, place it, and let it run
// some frames later: what it shows belongs to the answer. One that isn't let go by then is held for something else.

import { bodyOf, firstChildOf, lastElementOf, previousElementOf, querySelectorAllOf } from '../dom/members.js';
import { actedSince, isOlder, lastOfBody } from '../dom/acted.js';
import { animationsNow } from '../dom/shadow_roots.js';

const kHeldMost = 500; // ms since the action
const kUnseen = 0.05; // opacity
const kRoots = 4; // the last elements of the body, where popups go
const kWithin = 8; // elements of each, the popup's own are the first

// Only of what has come with the action.
function anyHeld() {
  if (performance.now() - actedSince() >= kHeldMost) return false;
  for (const animation of animationsNow()) {
    const target = animation.effect?.target;
    const isHeld = animation.playState === 'paused' && animation instanceof CSSAnimation && !isOlder(animation);
    if (isHeld && target && firstChildOf(target) !== null && isHeldUnseen(target)) return true;
  }
  return popupsOfBody().some((el) => [el, ...[...querySelectorAllOf(el, '*')].slice(0, kWithin)].some(isHeldUnseen));
}

// Its style may hold an animation that it hasn't named yet.
function isHeldUnseen(el) {
  const { opacity, animationPlayState } = getComputedStyle(el);
  return parseFloat(opacity) <= kUnseen && animationPlayState.includes('paused');
}

function popupsOfBody() {
  const body = bodyOf(document);
  const roots = [];
  const before = lastOfBody();
  for (let at = body && before && lastElementOf(body); at && at !== before; at = previousElementOf(at)) {
    if (roots.length === kRoots) return []; // it is the page that has come
    roots.push(at);
  }
  return roots;
}

export { anyHeld };
