// Where things are: off-screen and covered, asked only of what a user could operate.

// The topmost element at a point of the viewport (CSS px), through shadow roots.
function deepHit(x, y) {
  let hit = hitInDocument(document, x, y);
  while (hit) {
    const root = shadowRootOf(hit);
    const inner = root && hitInRoot(root, x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

// Whether a hit on `hit` is a hit on `el`: itself, something in it, its shadow host, or its own label.
function isHitOn(el, hit) {
  if (!hit) return false;
  if (flatContains(el, hit)) return true;
  const root = rootNodeOf(el);
  if (root instanceof ShadowRoot && root.host === hit) return true;
  for (let at = hit; at; at = flatParentOf(at)) {
    if (tagOf(at) !== 'label') continue;
    const control = labelControlOf(at);
    return control === el;
  }
  return false;
}

const kHitTestsMax = 600; // a hit test costs about 4 µs; beyond this a page is no page
const kOffScreenEach = 20; // more than this many are told by the first of each run only

function markPositions(nodes) {
  const off = [];
  let tests = 0;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (!(kWidgets.has(node.role) || node.pointer || node.kept) || node.tag === 'option' || node.marks.includes('hidden file')) continue;
    const box = rectOf(node.el);
    const { x, y, width, height } = box;
    if (width === 0 && height === 0) continue;
    if (x + width <= 0 || y + height <= 0 || x >= innerWidth || y >= innerHeight) {
      off.push({ node, i, stuck: x + width + scrollX <= 0 || y + height + scrollY <= 0 || isFixedInPlace(node.el) });
      continue;
    }
    if (tests++ >= kHitTestsMax || !kWidgets.has(node.role) && !node.pointer) continue;
    const cx = Math.min(Math.max(x + width / 2, 0), innerWidth - 1), cy = Math.min(Math.max(y + height / 2, 0), innerHeight - 1);
    const hit = deepHit(cx, cy);
    if (isHitOn(node.el, hit)) continue;
    if (width <= 1 || height <= 1) continue; // visually hidden on purpose
    if (isClippedAway(node.el, cx, cy)) off.push({ node, i, stuck: false });
    else if (hit) node.marks += ' [covered]';
  }
  let last = -2;
  for (const { node, i, stuck } of off) {
    if (stuck || off.length <= kOffScreenEach || i !== last + 1 && off.length <= 10 * kOffScreenEach) node.marks += ' [off-screen]';
    last = i;
  }
}

// A fixed element outside the viewport can't be scrolled in.
function isFixedInPlace(el) {
  for (let at = el; at; at = flatParentOf(at)) if (styleOf(at).position === 'fixed') return true;
  return false;
}

// Whether a scroll container or clipping box around the element doesn't show this point.
function isClippedAway(el, x, y) {
  for (let at = flatParentOf(el); at && at !== documentElementOf(document) && at !== bodyOf(document); at = flatParentOf(at)) {
    const style = styleOf(at);
    if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
    const box = rectOf(at);
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) return true;
  }
  return false;
}
