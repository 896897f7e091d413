// Shadow roots: the open ones, and the closed ones that C++ has handed in.

import {
  firstChildOf,
  matchesSelector,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  openRootOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
} from './members.js';

// Closed shadow roots that C++ has handed in, by host. Weak: a page's element must be free to die.
const closedRoots = new WeakMap();
const shadowRootOf = (el) => openRootOf(el) ?? closedRoots.get(el) ?? null;
let anyClosedRoot = false;

// Whether any shadow root was ever met: looking for them costs a walk of its own.
let sawShadow = false;

function noteShadowRoot() {
  sawShadow = true;
}

function registerClosedRoot(host, root) {
  closedRoots.set(host, root);
  anyClosedRoot = true;
  return true;
}

// Closed roots can't be seen from here. Elements that may have one are handed to C++, which can see closed roots,
// once each: custom elements, and
// elements of the kinds that take a shadow root with a size but nothing in them to give it.
const kShadowHosts = new Set([
  'article',
  'aside',
  'blockquote',
  'body',
  'div',
  'footer',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'main',
  'nav',
  'p',
  'section',
  'span',
]);
const kHostsAtOnce = 64;
const reportedHosts = new WeakMap(); // element -> its size when asked: one that has changed since may have got a root
let closedHosts = [];

function noteClosedHost(el, tag) {
  if (closedHosts.length >= kHostsAtOnce) return;
  if (!tag.includes('-')) {
    const child = firstChildOf(el);
    if (child !== null && (nodeTypeOf(child) !== 3 || nextSiblingOf(child) !== null || /\S/.test(nodeValueOf(child))))
      return;
    if (!kShadowHosts.has(tag)) return;
  } else if (!matchesSelector(el, ':defined')) return;
  const { width, height } = rectOf(el);
  if (!tag.includes('-') && (width === 0 || height === 0)) return;
  const size = width + 'x' + height;
  if (reportedHosts.get(el) === size) return;
  reportedHosts.set(el, size);
  closedHosts.push(el);
}

// Scans the whole document, for callers that don't walk it. Returns how many hosts there are to ask about.
function scanClosedHosts() {
  const look = (root) => {
    for (const el of querySelectorAllOf(root, '*')) {
      const shadow = shadowRootOf(el);
      if (shadow) look(shadow);
      else noteClosedHost(el, tagOf(el));
    }
  };
  look(document);
  return closedHosts.length;
}

function takeClosedHosts() {
  const hosts = closedHosts;
  closedHosts = [];
  return hosts;
}

// Every shadow root below `root`, at any depth.
function shadowRootsIn(root) {
  const roots = [];
  const look = (scope) => {
    for (const el of querySelectorAllOf(scope, '*')) {
      const shadow = shadowRootOf(el);
      if (shadow) {
        roots.push(shadow);
        look(shadow);
      }
    }
  };
  look(root);
  return roots;
}

// Every element below `root` in document order, open and known closed shadow trees included.
function deepQueryAll(root, selector) {
  const found = [...querySelectorAllOf(root, selector)];
  const all = querySelectorAllOf(root, '*');
  for (const el of all) {
    const shadow = shadowRootOf(el);
    if (shadow) found.push(...deepQueryAll(shadow, selector));
  }
  const own = nodeTypeOf(root) === 1 && shadowRootOf(root);
  if (own) found.push(...deepQueryAll(own, selector));
  return found;
}

export {
  closedRoots,
  shadowRootOf,
  anyClosedRoot,
  sawShadow,
  noteShadowRoot,
  registerClosedRoot,
  closedHosts,
  noteClosedHost,
  scanClosedHosts,
  takeClosedHosts,
  shadowRootsIn,
  deepQueryAll,
};
