// Items that are all one thing to press: their one line tells both.

import { words } from '../dom/collections.js';
import { withClip } from './clipped.js';
import { takeTold } from './icons.js';
import { copyNode } from './node.js';

// Whether an item is all link, or all a box without a role that takes the focus or has the pointer of a link and says what the item
// is called: its line tells both then, and its ref is the inner one's, as a click on that reaches the item too.
function isItemOfLink({ role, name, kids: [kid, ...others], marks, value }) {
  if (!kItemsOfLinks.has(role) || others.length > 0 || name === '' || marks !== '' || value !== null) return false;
  if (typeof kid !== 'object' || kid.marks !== '' || (kid.states !== '' && kid.states !== ' [active]')) return false;
  if (kLinks.has(kid.role)) return kid.name === name;
  const isBox = kid.role === 'generic' && kid.name === '' && kid.value === null;
  return isBox && kid.kids.length === 1 && kid.kids[0] === name;
}
const kItemsOfLinks = words('tab menuitem menuitemcheckbox menuitemradio option');
const kLinks = words('link button');

// The same of an item of a list that is all a text to click.
function isItemToPress({ role, kids: [kid, ...others], kept, pointer, name, marks, icons }) {
  if (role !== 'listitem' || others.length > 0 || kept || pointer || name + marks !== '' || icons !== null)
    return false;
  return kid?.role === 'generic' && kid.pointer === true && kid.kids.length === 1 && typeof kid.kids[0] === 'string';
}

// The line of such an item.
function itemOfLink(node, link) {
  const item = Object.assign(copyNode(withClip(link, node)), {
    role: node.role,
    states: node.states + link.states,
    called: link.called || node.called,
    kept: true,
    hash: 0,
    ...(link.role === 'generic' && node.name !== '' && { name: node.name, kids: [], pointer: false }),
  });
  if (node.role === 'tab' && item.url?.startsWith('#')) item.url = null; // its panel, on this page
  takeTold(item, node);
  return item;
}

const isAllOneToPress = (node) => isItemOfLink(node) || isItemToPress(node);

export { isAllOneToPress, itemOfLink };
