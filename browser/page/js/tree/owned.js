// What aria-owns shows under another element than its own parent, from one walk to the next.

import { flatParentOf } from '../dom/flat_tree.js';

let before = []; // [owned, owner] of the last walk, as WeakRefs
let owners = null; // owned -> owner in this pass, or null for none

// Called by a walk of the whole page. False: one of them stands within another, of which a delta keeps no account.
function noteOwned(owned) {
  owners = owned;
  const all = owned === null ? [] : [...owned];
  before = all.map(([el, owner]) => [new WeakRef(el), new WeakRef(owner)]);
  return !all.some(([el]) => isWithin(el, (at) => owned.has(at)));
}

// Whether the same elements are owned by the same ones as in the last walk.
function areOwnedAsBefore(owned) {
  owners = owned;
  if ((owned?.size ?? 0) !== before.length) return false;
  return before.every(([el, owner]) => {
    const there = owner.deref();
    return there !== undefined && owned.get(el.deref()) === there;
  });
}

// The element that this one is shown under though it stands elsewhere; null for most.
const ownerOf = (el) => owners?.get(el) ?? null;

const ownersNow = () => owners;
const ownedNow = () => (owners === null ? [] : [...owners.keys()]);

// Whether anything around an element is such a one.
function isWithin(el, is) {
  for (let at = flatParentOf(el); at !== null; at = flatParentOf(at)) if (is(at)) return true;
  return false;
}

export { areOwnedAsBefore, isWithin, noteOwned, ownedNow, ownerOf, ownersNow };
