// The second look at the hit target: during the click itself. What C++ aimed at may have moved between the check and
// the event; a click that would land elsewhere is blocked before the page sees it, and reported.

let guard = null;
const kGuarded = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'];
const composedPathOf = methodOf(Event, 'composedPath');
const stopNow = methodOf(Event, 'stopImmediatePropagation');
const preventNow = methodOf(Event, 'preventDefault');
const isTrustedOf = (event) => event.isTrusted; // unforgeable
const addListener = methodOf(EventTarget, 'addEventListener');
const removeListener = methodOf(EventTarget, 'removeEventListener');

function hitGuard({ target }) {
  installGuard(resolveTarget(target).el);
  return { ok: true };
}

function installGuard(el) {
  dropGuard();
  const state = { el: new WeakRef(el), seen: [], missed: null, handler: null };
  state.handler = (event) => {
    if (!isTrustedOf(event)) return;
    const aim = state.el.deref();
    const at = composedPathOf(event)[0];
    // Once the first event has hit, the page may move things about as it likes: a menu opens on mousedown.
    if (state.seen.length === 0) {
      const hit = aim && (state.aimIsHit = at instanceof Element && isHitOn(aim, deepTargetOf(event, at)));
      if (!hit) state.missed = at instanceof Element ? tagSketch(at) : 'the window';
    }
    state.seen.push(event.type);
    if (state.missed) { stopNow(event); preventNow(event); }
  };
  for (const type of kGuarded) addListener(window, type, state.handler, { capture: true, passive: false });
  live.listeners += kGuarded.length;
  guard = state;
}

// Events from inside a closed root are retargeted to its host for us: ask the point.
function deepTargetOf(event, at) {
  if (!anyClosedRoot || !closedRoots.has(at)) return at;
  return deepHit(event.clientX, event.clientY) ?? at;
}

function dropGuard() {
  if (!guard) return;
  for (const type of kGuarded) removeListener(window, type, guard.handler, { capture: true });
  live.listeners -= kGuarded.length;
  guard = null;
}

// What happened since hitGuard; takes the listeners away.
function hitResult() {
  if (!guard) return { ok: true, hit: null, seen: [] };
  const { seen, missed } = guard;
  dropGuard();
  return { ok: true, hit: seen.length ? missed === null : null, seen, hitInstead: missed, blocked: missed !== null };
}

// ---- Frames: C++ puts the frames' coordinates together.

// The content box of a frame element in this frame's viewport (CSS px), and its scale if it is transformed.
function frameBox({ target }) {
  const { el } = resolveTarget(target);
  const box = rectOf(el);
  const style = getComputedStyle(el);
  const scaleX = el.offsetWidth ? box.width / el.offsetWidth : 1, scaleY = el.offsetHeight ? box.height / el.offsetHeight : 1;
  const px = (name) => parseFloat(style[name]) || 0;
  return { ok: true, x: box.x + (el.clientLeft + px('paddingLeft')) * scaleX, y: box.y + (el.clientTop + px('paddingTop')) * scaleY,
    width: el.clientWidth * scaleX, height: el.clientHeight * scaleY, scaleX, scaleY, inView: isInView(el), visible: isVisible(el) };
}

// Whether a point of this frame's viewport hits the target: for a frame element, whether its content is reachable there.
function hitAt({ target, x, y }) {
  const { el } = resolveTarget(target);
  const hit = deepHit(x, y);
  if (isHitOn(el, hit)) return { ok: true };
  return { ok: false, error: hit ? `${describeElement(el)} is ${coverText(el, hit)}` : `${describeElement(el)} is outside of the viewport at this point` };
}

function pageInfo() {
  const active = deepActiveElement();
  const record = active && recordOf.get(active);
  return { url: location.href, title: oneSpace(titleOf(document)), readyState: readyStateOf(document), activeRef: record ? refText(record) : null,
    width: innerWidth, height: innerHeight, scrollX, scrollY };
}
