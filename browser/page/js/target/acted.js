// The element that was acted on last: what changes around it is told first.

let acted = null;

function noteActed(el) {
  acted = new WeakRef(el);
}

const actedElement = () => acted?.deref() ?? null;

export { actedElement, noteActed };
