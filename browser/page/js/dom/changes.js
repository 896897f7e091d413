// What has changed in the document since the last snapshot: one observer keeps which nodes, and nothing of what they were
// but the attributes' first old values. It gives up where much changes, so that a busy page pays next to nothing for it.

import { nodeTypeOf, observeMutations, takeMutations } from './members.js';
import { dropPass } from './pass.js';

const kTouchedMax = 2000; // nodes; to look at so many one by one costs as much as to walk the page
const kWatched = {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeOldValue: true,
};

const observer = new MutationObserver(noteMutations);
let changedAt = 0; // ms of performance.now(); when it has changed last, or else the watch began
let changes = null; // since the last snapshot; null: nobody has watched, or there were too many
let shadowRoots = []; // that walks have met, as WeakRefs
let watched = new WeakSet(); // the same

// `touched`: { node, children, elements, text, attributes }, where `node` is a WeakRef; `children`: what it holds has
// come, gone or moved; `elements`: so have elements among it; `text`: its own characters changed; `attributes`: name ->
// first old value. `moved`: elements that came or went, as WeakRefs.
const newChanges = () => ({ touched: [], byNode: new WeakMap(), moved: [] });

function noteMutations(records) {
  if (records.length > 0) changedAt = performance.now();
  for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of records) {
    if (changes === null) return;
    const one = touch(target);
    if (type === 'attributes') {
      one.attributes ??= new Map();
      if (!one.attributes.has(attributeName)) one.attributes.set(attributeName, oldValue);
    } else if (type === 'childList') {
      one.children = true;
      noteMoved(one, addedNodes);
      noteMoved(one, removedNodes);
    } else one.text = true;
    if (changes.touched.length > kTouchedMax || changes.moved.length > kTouchedMax) stopWatching();
  }
}

function touch(node) {
  let one = changes.byNode.get(node);
  if (one === undefined) {
    one = { node: new WeakRef(node), children: false, elements: false, text: false, attributes: null };
    changes.byNode.set(node, one);
    changes.touched.push(one);
  }
  return one;
}

function noteMoved(one, nodes) {
  for (const node of nodes) {
    if (nodeTypeOf(node) !== 1) continue;
    one.elements = true;
    changes.moved.push(new WeakRef(node));
  }
}

function stopWatching() {
  observer.disconnect();
  changes = null;
}

// Begins anew: from now on all changes of the document are kept. `anew`: the roots of its shadow trees will be told again.
function watchChanges(anew) {
  if (!anew) changesSince(); // may turn out to be too many
  if (anew || changes === null) {
    stopWatching();
    if (anew) {
      shadowRoots = [];
      watched = new WeakSet();
    }
    for (const root of rootsWatched()) observeMutations(observer, root, kWatched);
    changedAt = performance.now();
  }
  changes = newChanges();
}

// A shadow root that a walk has met.
function watchRoot(root) {
  if (changes === null || watched.has(root)) return;
  watched.add(root);
  shadowRoots.push(new WeakRef(root));
  observeMutations(observer, root, kWatched);
}

// The changes since then, or null where they aren't known.
function changesSince() {
  if (changes !== null) noteMutations(takeMutations(observer));
  return changes;
}

// Since when nothing has changed, as far as that is known: a page that nobody watched has been seen from now on only.
const unchangedSince = () => (changesSince() === null ? performance.now() : changedAt);

// The document and the shadow roots that are watched.
const rootsWatched = () => [document, ...shadowRoots.map((ref) => ref.deref()).filter(Boolean)];

// Called whenever a task of ours begins, when no pass can be under way. A read of the page that takes too long is ended by
// force, between any two of its steps, and no `finally` runs then: what it was at work on must not be taken for whole by who
// comes next, and the next snapshot walks all of the page.
function recover() {
  if (dropPass()) stopWatching();
}

export { recover, watchChanges, watchRoot, changesSince, stopWatching, rootsWatched, unchangedSince };
