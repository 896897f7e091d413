// What was acted on last, and since when: what changes around it is told first, and what has begun since belongs to it.

import { bodyOf, lastElementOf } from './members.js';
import { animationsNow } from './shadow_roots.js';
import { noteIdle } from './idle_asked.js';

let acted = null;
let lastBefore = null; // the body's last element
let animatedBefore = new WeakSet(); // the animations that there were
let since = 0; // ms of performance.now()

function noteActed(el) {
  acted = el ? new WeakRef(el) : null;
  since = performance.now();
  animatedBefore = new WeakSet(animationsNow());
  noteIdle();
  const body = bodyOf(document);
  const last = body ? lastElementOf(body) : null;
  lastBefore = last ? new WeakRef(last) : null;
}

const actedElement = () => acted?.deref() ?? null;
const actedSince = () => since;
const isOlder = (animation) => animatedBefore.has(animation);
const lastOfBody = () => lastBefore?.deref() ?? null;

export { actedElement, actedSince, isOlder, lastOfBody, noteActed };
