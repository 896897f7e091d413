// The flat tree: what the user sees once shadow roots are filled in and slots are assigned.

// Closed shadow roots that C++ has handed in, by host. Weak: a page's element must be free to die.
const closedRoots = new WeakMap();
const shadowRootOf = (el) => openRootOf(el) ?? closedRoots.get(el) ?? null;
let anyClosedRoot = false;

function registerClosedRoot(host, root) {
  closedRoots.set(host, root);
  anyClosedRoot = true;
  return true;
}

// Closed roots can't be seen from here. What may have one is handed to C++, which can, once: custom elements, and
// elements of the kinds that take a shadow root with a size but nothing in them to give it.
const kShadowHosts = new Set(['article', 'aside', 'blockquote', 'body', 'div', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'main', 'nav', 'p', 'section', 'span']);
const kHostsAtOnce = 64;
const askedHosts = new WeakMap(); // element -> its size when asked: one that has changed since may have got a root
let closedHosts = [];

function noteClosedHost(el, tag) {
  if (closedHosts.length >= kHostsAtOnce) return;
  if (!tag.includes('-')) {
    const child = firstChildOf(el);
    if (child !== null && (nodeTypeOf(child) !== 3 || nextSiblingOf(child) !== null || /\S/.test(nodeValueOf(child)))) return;
    if (!kShadowHosts.has(tag)) return;
  } else if (!matchesSelector(el, ':defined')) return;
  const { width, height } = rectOf(el);
  if (!tag.includes('-') && (width === 0 || height === 0)) return;
  const size = width + 'x' + height;
  if (askedHosts.get(el) === size) return;
  askedHosts.set(el, size);
  closedHosts.push(el);
}

// Looks at the whole document, for who doesn't walk it. How many there are to ask about.
function scanClosedHosts() {
  const look = (root) => {
    for (const el of querySelectorAllOf(root, '*')) {
      const shadow = shadowRootOf(el);
      if (shadow) look(shadow); else noteClosedHost(el, tagOf(el));
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

// The slot that shows a node. assignedSlot is null for closed roots, so there the slot is looked up by name.
function assignedSlotOf(node) {
  const type = nodeTypeOf(node);
  if (type !== 1 && type !== 3) return null;
  const slot = type === 1 ? slotOf(node) : node.assignedSlot;
  if (slot || !anyClosedRoot) return slot;
  const host = parentElementOf(node);
  const root = host && closedRoots.get(host);
  if (!root) return null;
  for (const candidate of fragmentQueryAll(root, 'slot'))
    if (assignedNodesOf(candidate).includes(node)) return candidate;
  return null;
}

// The parent in the flat tree, or null above the document element.
function flatParentOf(node) {
  const slot = assignedSlotOf(node);
  if (slot) return slot;
  const parent = parentNodeOf(node);
  if (!parent) return null;
  if (nodeTypeOf(parent) === 11) return parent instanceof ShadowRoot ? parent.host : null;
  return nodeTypeOf(parent) === 1 ? parent : null;
}

function flatContains(ancestor, node) {
  for (let at = node; at; at = flatParentOf(at)) if (at === ancestor) return true;
  return false;
}

// Calls `visit` for each flat-tree child. `tag` saves a second look-up.
function eachFlatChild(el, tag, visit) {
  const root = shadowRootOf(el);
  if (!root && tag === 'slot') {
    const assigned = assignedNodesOf(el);
    if (assigned.length) {
      for (const node of assigned) visit(node);
      return;
    }
  }
  for (let child = firstChildOf(root ?? el); child; child = nextSiblingOf(child)) visit(child);
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

// An element by id in the tree scope of `near`.
function byIdNear(near, id) {
  const root = rootNodeOf(near);
  const type = nodeTypeOf(root);
  return type === 9 ? documentById(root, id) : type === 11 ? fragmentById(root, id) : null;
}

function idListOf(el, name) {
  const value = attr(el, name);
  return value ? value.split(/\s+/).filter(Boolean) : [];
}

// The focused element, looked for through shadow roots; body and null count as none.
function deepActiveElement() {
  let active = activeElementOf(document);
  while (active) {
    const root = shadowRootOf(active);
    const inner = root && shadowActiveElementOf(root);
    if (!inner) break;
    active = inner;
  }
  return active && active !== bodyOf(document) && active !== documentElementOf(document) ? active : null;
}

// Zero-width spaces and soft hyphens are layout hints, no text; lone surrogates would break the JSON on the wire.
const oneSpace = (text) => (plainAscii.test(text) ? text : text.replace(/[\u200b\u00ad]/g, '').toWellFormed())
  .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
const plainAscii = /^[\x20-\x7e]*$/;

function cut(text, max) {
  return text.length <= max ? text : text.slice(0, max).toWellFormed() + '…';
}

// `<div class="overlay">`: how error messages name an element.
function tagSketch(el) {
  const tag = tagOf(el);
  let out = '<' + tag;
  const id = attr(el, 'id');
  if (id) out += ` id="${cut(oneSpace(id), 40)}"`;
  const cls = attr(el, 'class');
  if (cls) out += ` class="${cut(oneSpace(cls), 60)}"`;
  if (!id && !cls) for (const name of ['name', 'type', 'role', 'href'])
    if (hasAttr(el, name)) { out += ` ${name}="${cut(oneSpace(attr(el, name)), 40)}"`; break; }
  return out + '>';
}
