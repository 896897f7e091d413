// Where a walk begins and where it shows what is elsewhere in the document: the modal dialog on top, and aria-owns.

import {
  attr,
  elementsOf,
  isElement,
  isRendered,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { deepQueryAll, sawShadow } from '../dom/shadow_roots.js';
import { byIdNear, flatContains, idListOf, ownsInVain } from '../dom/flat_tree.js';
import { foundAll } from '../dom/found.js';
import { deepHit } from '../dom/hit.js';
import { styleOf } from '../dom/style.js';

// showModal() makes all but the dialog inert; of several dialogs the one that can be hit is on top.
function topModal() {
  const modals = sawShadow ? deepQueryAll(document, 'dialog:modal') : [...elementsOf(document, 'dialog:modal')];
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

const kOwners = '[aria-owns]';

// aria-owns moves elements: they are shown under their owner and nowhere else. Element -> owner, or null for none. What
// shows nothing below its own line owns nothing, or what it names would be shown nowhere.
function ownedElements(root) {
  const owned = new Map();
  const owners = root === document ? [...foundAll(kOwners)] : [...querySelectorAllOf(root, kOwners)];
  if (isElement(root)) owners.unshift(root); // which a snapshot of a target begins with
  for (const owner of owners) {
    const isLeaf = showsNoKids(owner);
    for (const id of idListOf(owner, 'aria-owns')) {
      const el = byIdNear(owner, id);
      if (el && ((isLeaf && !isCollapsed(el)) || !(isRendered(el) || styleOf(el).display === 'contents'))) continue;
      if (!el || el === owner || owned.has(el) || flatContains(el, owner) || ownsInVain(owner, el)) continue;
      owned.set(el, owner);
    }
  }
  return owned.size ? owned : null;
}

// A list of no size, which shows nothing of what it holds, is there for assistive technology: another one is drawn.
function isCollapsed(el) {
  const { width, height } = rectOf(el);
  return width * height === 0 && styleOf(el).overflowY !== 'visible';
}

// Fields, pictures and frames, what has a leaf's role, and what isn't rendered.
const kChildless = words('input textarea select img iframe video audio canvas object progress meter br hr');
const showsNoKids = (el) =>
  kChildless.has(tagOf(el)) || kLeafRoles.has(attr(el, 'role')?.trim().toLowerCase() ?? '') || !isRendered(el);

// Roles whose text children say nothing that the value or name doesn't.
const kLeafRoles = words('textbox searchbox spinbutton slider progressbar meter scrollbar separator math');

// A meter may hold what it measures, a spinbutton the buttons that turn it.
function hasPartsToTell(el, role) {
  if (role === 'meter' || role === 'progressbar') return /\p{L}/u.test(textContentOf(el));
  return role === 'spinbutton' && querySelectorAllOf(el, 'button,[role=button]').length > 0;
}

export { hasPartsToTell, kLeafRoles, ownedElements, topModal };
