// What a node of the tree shows, as a number: equal trees have equal ones.

import { headerOf, headerWith } from './render.js';

// What a node shows by itself, or would with other members. Its marks are left out: neither scrolling nor fading is a change
// of what the page says. That another slide is in view is one.
function ownText(node, members = null) {
  const header = members === null ? headerOf(node) : headerWith(node, members);
  return `${header}${node.clip}\u0000${node.value ?? ''}\u0000${urlCompared(node.url ?? '')}\u0000${node.hint ?? ''}`;
}

// A list that a server filters, sorts or turns a page of writes so into all of its links: where that is left out, only where they
// lead to otherwise is another one.
let leavesQueries = false;
const urlCompared = (url) => withoutSession(leavesQueries ? url.replace(/\?[^#]*/, '') : url);

// A server writes the session into its links until it knows that the browser keeps its cookie.
const withoutSession = (url) => (url.includes(';') ? url.replace(/;jsessionid=[^?#/]*/i, '') : url);

function withoutQueries(trees, compare) {
  leavesQueries = true;
  trees.forEach(forgetHashes);
  try {
    return compare();
  } finally {
    leavesQueries = false;
    trees.forEach(forgetHashes);
  }
}

function forgetHashes(node) {
  node.hash = 0;
  for (const kid of node.kids) if (typeof kid !== 'string') forgetHashes(kid);
}

// A mark that goes from one line to another must not cancel out: what a node comes to is stirred, as a sum of products alone is blind
// to a part that moves by as many lines as the rest of its own line is longer.
function hashTree(node) {
  if (node.hash !== 0) return node.hash;
  let hash = hashText(kSeed, ownText(node));
  for (const kid of node.kids)
    hash = typeof kid === 'string' ? hashText(hash, kid) : Math.imul(hash ^ hashTree(kid), kPrime);
  return (node.hash = stir(hash) || 1);
}
const kSeed = 0x811c9dc5;
const kPrime = 0x01000193; // both of FNV-1a, of 32 bits

function hashText(hash, text) {
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), kPrime);
  return stir(hash);
}

// Each bit of the outcome depends on all of the hash, as in the last step of MurmurHash3.
function stir(hash) {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

export { hashText, hashTree, ownText, withoutQueries };
