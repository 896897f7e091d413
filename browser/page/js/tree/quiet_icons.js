// An icon is aria-hidden even where it is all there is to click.

import { closestOf, textContentOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { DISPLAY_NONE, styleFlags, VISIBILITY_HIDDEN } from '../dom/style.js';
import { traitsOf } from '../dom/traits.js';
import { isGone, kSightTraits, sightOf, sightOfPicture } from '../dom/sight.js';
import { newNode } from './node.js';
import { callByLooks } from './hints.js';
import { hasBox, markPointer } from './pointers.js';

function visitQuietIcon(el, tag, parent, visibilityHidden, sightAbove) {
  if (visibilityHidden || kNoIcon.has(tag) || /\S/.test(textContentOf(el))) return;
  if (closestOf(el, '[role=combobox]')) return; // which opens wherever it is clicked
  const traits = traitsOf(el, false);
  const node = newNode(el, tag, 'generic', '', '');
  node.inline = true;
  markPointer(node, parent, el, tag, 'generic', traits);
  if (!node.pointer || styleFlags(el) & (DISPLAY_NONE | VISIBILITY_HIDDEN) || !hasBox(el)) return;
  const sight = traits & kSightTraits ? sightOf(el, tag, traits, sightAbove) : sightAbove;
  if (isGone(sightOfPicture(sight))) return;
  callByLooks(node);
  parent.kids.push(' ', node, ' ');
}
const kNoIcon = words('input textarea select video audio iframe');

export { visitQuietIcon };
