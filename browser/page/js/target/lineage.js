// What an element is, and what is around it, each in a few words: for who tells where its styles come from.

import { flatParentOf } from '../dom/flat_tree.js';
import { tagSketch } from '../dom/errors.js';
import { nodeTypeOf } from '../dom/members.js';
import { describeElement, resolveTarget } from './targets.js';

const kAncestors = 100;

function lineage({ target }) {
  const { el, count } = resolveTarget(target);
  const ancestors = [];
  for (let up = flatParentOf(el); up !== null && ancestors.length < kAncestors; up = flatParentOf(up))
    if (nodeTypeOf(up) === 1) ancestors.push(tagSketch(up));
  return { ok: true, describe: describeElement(el), sketch: tagSketch(el), count, ancestors };
}

export { lineage };
