// What a node of the tree shows, as a number: equal trees have equal ones.

import { headerOf, headerWith } from './render.js';

// What a node shows by itself, or would with other members. Its marks are left out: neither scrolling nor fading is a change
// of what the page says. That another slide is in view is one.
function ownText(node, members = null) {
  const header = members === null ? headerOf(node) : headerWith(node, members);
  return `${header}${node.clip}\u0000${node.value ?? ''}\u0000${node.url ?? ''}\u0000${node.hint ?? ''}`;
}

function hashTree(node) {
  if (node.hash !== 0) return node.hash;
  let hash = hashText(17, ownText(node));
  for (const kid of node.kids)
    hash = typeof kid === 'string' ? hashText(hash, kid) : (Math.imul(hash, 31) + hashTree(kid)) | 0;
  return (node.hash = hash || 1);
}

function hashText(hash, text) {
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (Math.imul(hash, 31) + 7) | 0;
}

export { hashTree, ownText };
