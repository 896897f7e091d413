// What was acted on last, and since when: what changes around it is told first, and what has begun since belongs to it.

let acted = null;
let since = 0; // ms of performance.now()

function noteActed(el) {
  acted = el ? new WeakRef(el) : null;
  since = performance.now();
}

const actedElement = () => acted?.deref() ?? null;
const actedSince = () => since;

export { actedElement, actedSince, noteActed };
