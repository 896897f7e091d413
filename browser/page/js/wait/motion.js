// Animations that an action has begun and that show or hide something: what they bring about belongs to its answer.

import { firstChildOf } from '../dom/members.js';
import { animationsNow } from '../dom/shadow_roots.js';
import { movesFar } from '../dom/slides.js';
import { actedSince } from '../dom/acted.js';
import { words } from '../dom/collections.js';
import { poll } from './pollers.js';

// Others, such as colours and shadows, change nothing that a snapshot tells. What slides to another place is told too.
const kShowing = words('opacity visibility display height maxHeight width maxWidth clipPath gridTemplateRows');
const kStatic = words('offset easing composite computedOffset');

// The ms until the last of them is over; 0 without any. One without an end is no matter of waiting.
function motionLeft() {
  let longest = 0;
  for (const animation of animationsNow()) {
    const { playState, startTime, effect } = animation;
    if (playState !== 'running' || (startTime !== null && startTime < actedSince()) || !shows(effect)) continue;
    const left = effect.getComputedTiming().endTime - (animation.currentTime ?? 0);
    if (Number.isFinite(left)) longest = Math.max(longest, left);
  }
  return longest;
}

function shows(effect) {
  const target = effect?.target;
  if (!target || firstChildOf(target) === null) return false; // it only decorates
  const frames = effect.getKeyframes();
  for (const frame of frames)
    for (const name of Object.keys(frame)) if (!kStatic.has(name) && kShowing.has(name)) return true;
  return movesFar(target, frames);
}

// Waits until they are over; `left`: the ms of what isn't.
function still({ callId, timeout }) {
  const told = () => ({ ok: true, left: motionLeft() });
  return poll(
    { callId, timeout },
    (finish, again) => {
      if (motionLeft() === 0) finish({ ok: true, left: 0 });
      else again();
    },
    told,
  );
}

export { motionLeft, still };
