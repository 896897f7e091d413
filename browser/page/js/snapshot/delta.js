// Deltas: what differs from the last snapshot of this frame, each change under the path that leads to it.

import { cut } from '../dom/text.js';
import { group } from '../dom/collections.js';
import { yamlKey, yamlValue } from './yaml.js';
import { headerOf, kTextMax, renderNode } from './render.js';

// A tree is kept for the next comparison, but none of its elements: it must not keep a page's old nodes alive.
function forgetElements(nodes) {
  for (const node of nodes) node.el = null;
}

// What a node shows by itself; marks of position are left out, as scrolling is no change of the page.
function ownText(node) {
  return (
    headerOf(node) +
    (/invisible|hidden text/.test(node.marks) ? '\u0000i' : '') +
    '\u0000' +
    (node.value ?? '') +
    '\u0000' +
    (node.url ?? '') +
    '\u0000' +
    (node.hint ?? '')
  );
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

function deltaLines(before, now, plan) {
  const lines = [];
  if (hashTree(before) !== hashTree(now)) diffKids(before, now, '', lines, plan);
  return lines;
}

// Pairs the children of two versions of a node: by ref, else by what they are, in order.
function pairKids(before, now) {
  const byRef = new Map();
  const byRole = new Map();
  const used = new Set();
  for (const kid of before.kids) {
    if (typeof kid === 'string') continue;
    if (kid.rec) byRef.set(kid.rec, kid);
    else group(byRole, kid.role, kid);
  }
  for (const kid of now.kids) {
    if (typeof kid === 'string') continue;
    kid.match = (kid.rec ? byRef.get(kid.rec) : bestOf(byRole.get(kid.role), kid, used)) ?? null;
    if (kid.match) used.add(kid.match);
  }
  return used;
}

// Unnumbered nodes have no identity: the same content pairs first, then the next of the same role.
function bestOf(list, kid, used) {
  if (!list) return null;
  return (
    list.find((other) => !used.has(other) && hashTree(other) === hashTree(kid)) ??
    list.find((other) => !used.has(other)) ??
    null
  );
}
const kGoneShown = 5;

function diffKids(before, now, pad, lines, plan) {
  const used = pairKids(before, now);
  const oldTexts = new Set(before.kids.filter((kid) => typeof kid === 'string'));
  for (const kid of now.kids) {
    if (typeof kid === 'string') {
      if (!oldTexts.has(kid)) lines.push(`${pad}- text: ${yamlValue(cut(kid, kTextMax))}`);
      continue;
    }
    const { match } = kid;
    kid.match = null;
    if (!match) renderNode(kid, pad, lines, plan);
    else if (hashTree(match) !== hashTree(kid)) diffNode(match, kid, pad, lines, plan);
  }
  const gone = before.kids.filter((kid) => typeof kid !== 'string' && !used.has(kid));
  for (const kid of gone.slice(0, kGoneShown)) lines.push(`${pad}- removed: ${yamlValue(cut(headerOf(kid), 120))}`);
  if (gone.length > kGoneShown) lines.push(`${pad}- removed: ${gone.length - kGoneShown} more`);
}

function diffNode(before, node, pad, lines, plan) {
  const onlyText = node.kids.every((kid) => typeof kid === 'string');
  if ((onlyText && before.kids.every((kid) => typeof kid === 'string')) || node.role === 'iframe') {
    renderNode(node, pad, lines, plan);
    return;
  }
  const inner = [];
  diffKids(before, node, pad + '  ', inner, plan);
  const key = yamlKey(headerOf(node) + node.marks);
  if (!inner.length) {
    lines.push(`${pad}- ${key}${node.value === null ? '' : ': ' + yamlValue(node.value)}`);
    return;
  }
  lines.push(`${pad}- ${key}:`, ...inner);
}

export { forgetElements, deltaLines };
