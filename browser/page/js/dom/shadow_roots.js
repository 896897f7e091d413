// Shadow roots: the open ones, and the closed ones that C++ has handed in.

import {
  nextElementIn,
  walkElements,
  bareRectOf,
  bodyOf,
  documentAnimations,
  firstChildOf,
  isConnected,
  isRendered,
  matchesSelector,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  openRootOf,
  parentNodeOf,
  querySelectorAllOf,
  rootAnimations,
  tagOf,
} from './members.js';

// Closed shadow roots that C++ has handed in, by host. Weak: a page's element must be free to die.
const closedRoots = new WeakMap();
const shadowRootOf = (el) => openRootOf(el) ?? (anyClosedRoot ? closedRoots.get(el) : undefined) ?? null;
let anyClosedRoot = false;
let sawCustom = false; // whether any custom element was ever met

// Whether any shadow root was ever met: looking for them costs a walk of its own.
let sawShadow = false;

// Those that were met, as WeakRefs.
let metRoots = [];
const met = new WeakSet();

function noteShadowRoot(root) {
  sawShadow = true;
  if (met.has(root)) return;
  met.add(root);
  metRoots.push(new WeakRef(root));
}

// Calls `take` with each shadow root that was met and is still there.
function eachMetRoot(take) {
  for (const ref of metRoots) {
    const root = ref.deref();
    if (root !== undefined) take(root);
  }
}

// The animations and transitions of the document and of the shadow trees that were met: a document tells of its own tree
// alone.
function animationsNow() {
  const all = documentAnimations(document);
  let dead = false;
  for (const ref of metRoots) {
    const root = ref.deref();
    if (root === undefined) dead = true;
    else if (isConnected(root)) all.push(...rootAnimations(root));
  }
  if (dead) metRoots = metRoots.filter((ref) => ref.deref() !== undefined);
  return all;
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
// Elements that may take a shadow root, and had none when they were visited, as WeakRefs: nothing tells when one comes.
let mayHost = [];
let mayHostClosed = []; // those that would be asked about
let hostsRound = 0; // how often they were forgotten

const mayTakeRoot = (tag) => kShadowHosts.has(tag) || tag.includes('-');

function noteMayHost(el) {
  mayHost.push(new WeakRef(el));
}

function noteMayHostClosed(el) {
  mayHostClosed.push(new WeakRef(el));
}

function forgetHosts() {
  mayHost = [];
  mayHostClosed = [];
  hostsRound++;
}

// Whether one of them has got a shadow root since. Those that may have a closed one are noted anew.
function isAnyHostNew() {
  for (const ref of mayHost) {
    const el = ref.deref();
    if (el !== undefined && shadowRootOf(el) !== null) return true;
  }
  for (const ref of mayHostClosed) {
    const el = ref.deref();
    if (el !== undefined && isConnected(el) && isRendered(el)) noteClosedHost(el, tagOf(el));
  }
  return false;
}

const kHostsAtOnce = 64;
const reportedHosts = new WeakMap(); // element -> its size when asked: one that has changed since may have got a root
let closedHosts = [];

// Whether the element was measured.
function noteClosedHost(el, tag) {
  if (tag.includes('-')) sawCustom = true;
  if (closedHosts.length >= kHostsAtOnce) return true;
  if (!tag.includes('-')) {
    const child = firstChildOf(el);
    if (child !== null && (nodeTypeOf(child) !== 3 || nextSiblingOf(child) !== null || /\S/.test(nodeValueOf(child))))
      return false;
    if (!kShadowHosts.has(tag)) return false;
  } else if (!matchesSelector(el, ':defined')) return false;
  const { width, height } = bareRectOf(el);
  if (!tag.includes('-') && (width === 0 || height === 0) && !mayHoldFixed(el)) return true;
  const size = width + 'x' + height;
  if (reportedHosts.get(el) === size) return true;
  reportedHosts.set(el, size);
  closedHosts.push(el);
  return true;
}

// What lies over the page, as a banner does, takes no place in its host, which stands at the end of the page.
const mayHoldFixed = (el) => parentNodeOf(el) === bodyOf(document) && isRendered(el);

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

// Calls `visit` with the shadow root of each element below `root` that has one, not with those within these.
function eachShadowRoot(root, visit) {
  const walker = walkElements(root);
  for (let el = nextElementIn(walker); el !== null; el = nextElementIn(walker)) {
    const shadow = shadowRootOf(el);
    if (shadow !== null) visit(shadow);
  }
}

// Every shadow root below `root`, at any depth.
function shadowRootsIn(root) {
  const roots = [];
  const take = (shadow) => {
    noteShadowRoot(shadow);
    roots.push(shadow);
    eachShadowRoot(shadow, take);
  };
  eachShadowRoot(root, take);
  return roots;
}

// Every element below `root` in document order, open and known closed shadow trees included.
function deepQueryAll(root, selector) {
  const found = [...querySelectorAllOf(root, selector)];
  eachShadowRoot(root, (shadow) => found.push(...deepQueryAll(shadow, selector)));
  const own = nodeTypeOf(root) === 1 && shadowRootOf(root);
  if (own) found.push(...deepQueryAll(own, selector));
  return found;
}

// The only control in the shadow tree of a custom element, at any depth, or null: the element stands for it.
function innerControlOf(host) {
  if (!tagOf(host).includes('-')) return null;
  const root = shadowRootOf(host);
  const controls = root === null ? [] : deepQueryAll(root, kFormControls);
  return controls.length === 1 ? controls[0] : null;
}
const kFormControls = 'input:not([type=hidden]),textarea,select';

export {
  closedRoots,
  shadowRootOf,
  anyClosedRoot,
  sawCustom,
  sawShadow,
  noteShadowRoot,
  eachMetRoot,
  animationsNow,
  registerClosedRoot,
  closedHosts,
  noteClosedHost,
  mayTakeRoot,
  noteMayHost,
  noteMayHostClosed,
  forgetHosts,
  hostsRound,
  isAnyHostNew,
  scanClosedHosts,
  takeClosedHosts,
  shadowRootsIn,
  deepQueryAll,
  innerControlOf,
};
