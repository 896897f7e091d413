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

const kGuardLife = 5000; // ms; a guard that nobody asks any more must not stop what a user does later

function installGuard(el, callId) {
  dropGuard();
  const state = { el: new WeakRef(el), callId, seen: [], missed: null, handler: null, expire: later(kGuardLife, dropGuard) };
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
  guard.expire();
  guard = null;
}

// A call that was cancelled takes its guard with it.
function dropGuardOf(callId) {
  if (guard && callId !== undefined && guard.callId === callId) dropGuard();
}

// What happened since hitGuard; takes the listeners away.
function hitResult() {
  if (!guard) return { ok: true, hit: null, seen: [] };
  const { seen, missed } = guard;
  dropGuard();
  return { ok: true, hit: seen.length ? missed === null : null, seen, hitInstead: missed, blocked: missed !== null };
}

// ---- Frames: C++ puts the frames' coordinates together.

// Whether a point of this frame's viewport hits the target: for a frame element, whether its content is reachable there.
function hitAt({ target, x, y }) {
  const { el } = resolveTarget(target);
  const hit = deepHit(x, y);
  if (isHitOn(el, hit)) return { ok: true };
  if (!hit) return { ok: false, error: `${describeElement(el)} is outside of the viewport at this point` };
  return { ok: false, error: `${describeElement(el)} is ${coverText(el, hit)}`, hitInstead: tagSketch(hit) };
}

// One step out of a frame: a point of the frame's viewport in ours, and whether the frame itself is there to be hit.
// Called on the frame's element, with C++ going from frame to frame.
function frameStep(el, { x: px, y: py }) {
  const box = rectOf(el);
  const style = getComputedStyle(el);
  const scaleX = el.offsetWidth ? box.width / el.offsetWidth : 1, scaleY = el.offsetHeight ? box.height / el.offsetHeight : 1;
  const inset = (name) => parseFloat(style[name]) || 0;
  const x = box.x + (el.clientLeft + inset('paddingLeft') + px) * scaleX, y = box.y + (el.clientTop + inset('paddingTop') + py) * scaleY;
  const inView = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && !isClippedBy(el, x, y);
  const hit = inView ? deepHit(x, y) : null;
  if (isHitOn(el, hit)) return { ok: true, x, y, inView };
  return { ok: false, x, y, inView, error: hit ? `the frame is ${coverText(el, hit)}` : 'that part of the frame is out of view, and scrolling does not bring it in' };
}

// ---- Drags: has the page's own dragging begun since dragWatch?

let drag = null;

function dragWatch() {
  dropDragWatch();
  const state = { started: false, event: null, expire: later(kGuardLife, dropDragWatch) };
  state.handler = (event) => { if (isTrustedOf(event)) state.started = true, state.event = event; };
  addListener(window, 'dragstart', state.handler, { capture: true, passive: true });
  live.listeners++;
  drag = state;
  return { ok: true };
}

function dropDragWatch() {
  if (!drag) return;
  removeListener(window, 'dragstart', drag.handler, { capture: true });
  live.listeners--;
  drag.expire();
  drag = null;
}

// -> { started }: a drag that the page called off hasn't.
function dragResult() {
  const started = drag !== null && drag.started && !drag.event.defaultPrevented;
  dropDragWatch();
  return { ok: true, started };
}

// The middle of an element, wherever that is.
function pointOf({ target }) {
  const { el } = resolveTarget(target);
  const { x, y, width, height } = firstBox(el) ?? rectOf(el);
  return { ok: true, x: x + width / 2, y: y + height / 2 };
}

function pageInfo() {
  return { ok: true, url: location.href, title: oneSpace(titleOf(document)),
    width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio,
    view: { x: visualViewport.pageLeft, y: visualViewport.pageTop, scale: visualViewport.scale } };
}
