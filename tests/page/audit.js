// The page's script with two functions more, for the agreement test only.
import { attr, documentElementOf, firstChildOf, isElement, nextSiblingOf } from '../../browser/page/js/dom/members.js';
import { shadowRootOf } from '../../browser/page/js/dom/shadow_roots.js';
import { withPass } from '../../browser/page/js/dom/pass.js';
import { newNode } from '../../browser/page/js/tree/node.js';
import { buildTree } from '../../browser/page/js/tree/tree.js';
import '../../browser/page/js/main.js';

// Every element that the walk makes a node of, with its role and name before anything is folded away. Once joined, the
// modules share one scope, so that newNode can be replaced for the time of a walk.
globalThis.__bridleAudit = () => {
  const seen = [];
  const original = newNode;
  // eslint-disable-next-line no-import-assign
  newNode = (el, tag, role, name, from) => {
    if (el !== document) seen.push([attr(el, 'data-n'), role, name]);
    return original(el, tag, role, name, from);
  };
  try {
    withPass(() => buildTree(document));
  } finally {
    // eslint-disable-next-line no-import-assign
    newNode = original;
  }
  return seen;
};

// Numbers all elements, so that CDP's nodes and ours can be told to be the same.
globalThis.__bridleNumber = () => {
  let n = 0;
  const visit = (el) => {
    el.setAttribute('data-n', String(n++));
    const root = shadowRootOf(el);
    if (root) for (const child of root.children) visit(child);
    for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) if (isElement(child)) visit(child);
  };
  visit(documentElementOf(document));
  return n;
};
