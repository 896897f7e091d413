// Where a walk begins and where it shows what is elsewhere in the document: the modal dialog on top, and aria-owns.

import { querySelectorAllOf, rectOf } from '../dom/members.js';
import { deepQueryAll, sawShadow } from '../dom/shadow_roots.js';
import { byIdNear, flatContains, idListOf } from '../dom/flat_tree.js';
import { deepHit } from '../dom/hit.js';

// showModal() makes all but the dialog inert; of several dialogs the one that can be hit is on top.
function topModal() {
  const modals = sawShadow ? deepQueryAll(document, 'dialog:modal') : [...querySelectorAllOf(document, 'dialog:modal')];
  if (modals.length < 2) return modals[0] ?? null;
  for (const modal of modals) {
    const box = rectOf(modal);
    const hit = deepHit(box.x + box.width / 2, box.y + box.height / 2);
    if (
      hit &&
      flatContains(modal, hit) &&
      !modals.some((other) => other !== modal && flatContains(modal, other) && flatContains(other, hit))
    )
      return modal;
  }
  return modals[modals.length - 1];
}

// aria-owns moves elements: they are shown under their owner and nowhere else. Element -> owner, or null for none.
function ownedElements(root) {
  const owned = new Map();
  for (const owner of querySelectorAllOf(root, '[aria-owns]'))
    for (const id of idListOf(owner, 'aria-owns')) {
      const el = byIdNear(owner, id);
      if (el && el !== owner && !owned.has(el) && !flatContains(el, owner)) owned.set(el, owner);
    }
  return owned.size ? owned : null;
}

export { ownedElements, topModal };
