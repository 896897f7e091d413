// Whether a page has reacted to a press before the click: many act at pointerdown or mousedown already, and take away or
// replace what was pressed, so that no click comes of it and all has worked [why.click-watched].

import { attr, isConnected, methodOf, observeMutations, rectOf, rootNodeOf, takeMutations } from '../dom/members.js';
import { flatContains, flatParentOf } from '../dom/flat_tree.js';
import { live } from '../wait/pollers.js';

const isEqual = methodOf(Node, 'isEqualNode');
const kChanges = { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true };

// Watches from a press at a point of the viewport on; the function that it returns ends that, and tells.
function watchReaction(el, { clientX: x, clientY: y }) {
  let reacted = false;
  let watching = true;
  const look = (records) => {
    reacted ||= concernsMore(el, records);
    if (reacted) stop();
  };
  const observer = new MutationObserver(look);
  const stop = () => {
    if (!watching) return;
    watching = false;
    observer.disconnect();
    live.observers--;
  };
  // A component's popup is in its shadow tree, and what opens that in a slot of it.
  const roots = new Set();
  for (let at = el; at; at = flatParentOf(at)) roots.add(rootNodeOf(at));
  for (const root of roots) observeMutations(observer, root, kChanges);
  live.observers++;
  return () => {
    if (watching) look(takeMutations(observer));
    stop();
    return reacted && !hasMoved(el, x, y);
  };
}

// A page that only moves what was pressed away from the mouse, as by a message that the field left before now shows, has
// reacted to something else.
function hasMoved(el, x, y) {
  if (!isConnected(el)) return false;
  const { left, top, right, bottom, width, height } = rectOf(el);
  return width > 0 && height > 0 && (x < left || y < top || x > right || y > bottom);
}

function concernsMore(el, records) {
  const lists = new Map(); // parent -> what it has lost and what it has got
  for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of records) {
    if (!isConnected(target) || flatContains(el, target)) continue;
    if (type === 'characterData') return true;
    if (type === 'attributes') {
      if (attr(target, attributeName) !== oldValue) return true;
      continue;
    }
    if (!lists.has(target)) lists.set(target, { removed: [], added: [] });
    lists.get(target).removed.push(...removedNodes);
    lists.get(target).added.push(...addedNodes);
  }
  for (const { removed, added } of lists.values()) if (!isMadeAnew(removed, added)) return true;
  return false;
}

// A page may draw the same again whenever the mouse moves.
const isMadeAnew = (removed, added) =>
  removed.length === added.length && removed.every((node, i) => isEqual(node, added[i]));

export { watchReaction };
