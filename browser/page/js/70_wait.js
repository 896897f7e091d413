// Waiting: every poller is in one table, can be cancelled by its call's id and leaves nothing behind.

const pollers = new Map(); // callId -> { stop }
const live = { pollers: 0, observers: 0, timers: 0, frames: 0, listeners: 0 };
const kFrameFallback = 50; // ms; a background tab's requestAnimationFrame never fires

// The next animation frame, or soon after if none comes. Returns a function that calls it off.
function nextFrame(then) {
  let over = false;
  live.frames++;
  live.timers++;
  const end = () => { over = true; live.frames--; live.timers--; cancelAnimationFrame(frame); clearTimeout(timer); };
  const run = () => { if (over) return; end(); then(); };
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, kFrameFallback);
  return () => { if (!over) end(); };
}

function later(ms, then) {
  let over = false;
  live.timers++;
  const timer = setTimeout(() => { if (over) return; over = true; live.timers--; then(); }, ms);
  return () => { if (over) return; over = true; live.timers--; clearTimeout(timer); };
}

// Runs `step(finish, again)` until it calls finish(result). `again(delay?)` asks for another turn, at the next frame
// or after a delay; a poller out of time gets `late()`'s result, a cancelled one { ok: false, cancelled: true }.
function poll({ callId, timeout }, step, late) {
  return new Promise((resolve) => {
    const key = callId ?? Symbol('call');
    pollers.get(key)?.stop();
    let callOff = null, over = false, observer = null, stirred = false;
    const deadline = performance.now() + (timeout ?? 5000);
    live.pollers++;
    const finish = (result) => {
      if (over) return;
      over = true;
      live.pollers--;
      callOff?.();
      offDeadline();
      if (observer) { observer.disconnect(); live.observers--; }
      if (pollers.get(key) === self) pollers.delete(key);
      resolve(result);
    };
    const turn = () => {
      callOff = null;
      stirred = false;
      if (over) return;
      try {
        step(finish, again);
      } catch (error) {
        finish(failure(error));
      }
    };
    const again = (delay) => {
      if (over) return;
      callOff?.();
      callOff = delay ? later(delay, turn) : nextFrame(turn);
    };
    const expire = () => { try { finish(late()); } catch (error) { finish(failure(error)); } };
    const offDeadline = later(Math.max(0, deadline - performance.now()), expire);
    const self = { stop: () => finish({ ok: false, cancelled: true, error: 'cancelled' }) };
    pollers.set(key, self);
    // A busy page changes many times a frame: it is looked at once a frame.
    const stir = () => { if (!stirred) stirred = true, again(); };
    self.watch = (root) => { observer = observer ?? (live.observers++, new MutationObserver(stir)); observer.observe(root, kWatchAll); };
    if (step.onStart) step.onStart(self);
    turn();
  });
}

const kWatchAll = { subtree: true, childList: true, characterData: true, attributes: true };

function failure(error) {
  if (error instanceof PageError) return { ok: false, error: error.message };
  return { ok: false, error: `page script failed: ${error?.message ?? error}`, bug: true };
}

function cancel({ callId }) {
  const poller = pollers.get(callId);
  poller?.stop();
  dropGuardOf(callId);
  return { ok: true, cancelled: poller !== undefined };
}

// What has happened in this document since watchAction: did anything change, did the page ask for a frame or a timer?
// Handles of both count up in the document, whoever asks: one that isn't the next tells that the page has asked too.
let actionWatch = null;

function nextHandles() {
  const frame = requestAnimationFrame(nothing);
  cancelAnimationFrame(frame);
  const timer = setTimeout(nothing, 0);
  clearTimeout(timer);
  return { frame, timer };
}
const nothing = () => {};

// Before an input whose effects frames({ quick: true }) is to judge. Not judged: focus in a frame, shadow trees, and a
// key that `scrolls` where it doesn't move a caret: the scrolling itself begins with a frame.
function watchAction({ scrolls = false } = {}) {
  dropActionWatch();
  const active = activeElementOf(document);
  if (focusedFrame()) return { ok: true, watching: false, inFrame: true };
  if (sawShadow || anyClosedRoot) return { ok: true, watching: false };
  if (scrolls && !(active && isEditable(active))) return { ok: true, watching: false };
  const state = { changed: false, grown: false, x: scrollX, y: scrollY, boxes: boxesNow(), early: null };
  state.observer = new MutationObserver((records) => noteChanges(state, records));
  state.observer.observe(document, kWatchAll);
  live.observers++;
  state.handles = nextHandles();
  actionWatch = state;
  return { ok: true, watching: true };
}

// The frame's element that keys go to, or null.
function focusedFrame() {
  const active = deepActiveElement();
  return active && /^i?frame$/.test(tagOf(active)) ? active : null;
}

function dropActionWatch() {
  if (!actionWatch) return;
  actionWatch.observer.disconnect();
  live.observers--;
  actionWatch = null;
}

function noteChanges(state, records) {
  for (const { addedNodes } of records) {
    state.changed = true;
    for (const node of addedNodes) if (isElement(node)) state.grown = true;
  }
}

const kBoxesWatched = 500; // elements; to look at more of them twice costs as much as the frame that it may save

// Where everything is; null on a page too large for it.
function boxesNow() {
  const all = querySelectorAllOf(document, '*');
  return all.length > kBoxesWatched ? null : [...all].map((el) => ({ el, box: rectOf(el) }));
}

// The text of an inline box may change its width: a ResizeObserver takes no notice of those.
function anyBoxMoved(boxes) {
  return boxes.some(({ el, box }) => {
    const { x, y, width, height } = rectOf(el);
    if (x === box.x && y === box.y && width === box.width && height === box.height) return false;
    return clientWidthOf(el) !== 0 || getComputedStyle(el).display !== 'inline';
  });
}

// Can a frame bring anything on? It runs what the page has asked for, a frame or a timer, and it tells the page's
// observers of size and of visibility: about elements that are new, or where a box isn't what it was. Other changes of
// the document, the text of a counter for one, need none.
function frameIsDue(state) {
  const { frame, timer } = nextHandles();
  const asked = frame !== state.handles.frame + 1 || timer !== state.handles.timer + 1;
  state.handles = { frame, timer };
  noteChanges(state, state.observer.takeRecords());
  if (asked || state.grown || scrollX !== state.x || scrollY !== state.y) return true;
  return state.changed && (!state.boxes || anyBoxMoved(state.boxes));
}

// At the end of the task of an input of ours: the frame that it needs is asked for right here. Asked for later it is the
// next but one, as the change has one drawn at once.
function startFrames() {
  const state = actionWatch;
  if (!state || !frameIsDue(state)) return;
  state.early = runFrames({ n: 2, adaptive: true, first: true });
}

// A task of its own: what the page queued before has run by then.
function queueTask(then) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); then(); };
  port2.postMessage(0);
}

// n animation frames and the tasks that they queue. `adaptive`: stops after the first frame in which nothing changed.
// `quick`: none at all, if nothing that a frame could bring on has happened since watchAction.
function frames({ n = 2, adaptive = false, quick = false }) {
  const state = quick ? actionWatch : null;
  const early = state?.early;
  if (early || !state || frameIsDue(state)) {
    dropActionWatch();
    return early ?? runFrames({ n, adaptive });
  }
  return new Promise((resolve) => {
    queueTask(() => {
      const due = actionWatch !== state || frameIsDue(state);
      dropActionWatch();
      resolve(due ? runFrames({ n, adaptive }) : { ok: true, frames: 0 });
    });
  });
}

// `first`: begun within the task of the input itself; what changes before the first frame is what that is for.
function runFrames({ n, adaptive, first = false }) {
  return new Promise((resolve) => {
    let changed = false, left = n, count = 0;
    const observer = adaptive ? new MutationObserver(() => { changed = true; }) : null;
    if (observer) live.observers++, observer.observe(document, kWatchAll);
    const end = () => {
      if (observer) live.observers--, observer.disconnect();
      resolve({ ok: true, frames: count });
    };
    const after = () => {
      left--;
      count++;
      if (observer?.takeRecords().length) changed = true;
      if (left <= 0 || observer && !changed) { end(); return; }
      changed = false;
      nextFrame(turn);
    };
    const turn = () => {
      if (first) first = false, changed = false, observer?.takeRecords();
      queueTask(after);
    };
    if (left <= 0) end(); else nextFrame(turn);
  });
}

// ---- waitFor: text that is there or gone, as the user sees it.

// The text of the page, hidden parts left out; form values count. innerText forces layout, so text is first looked
// for in textContent, which is cheap, and confirmed only on the elements that hold it.
function pageShows(text) {
  const want = oneSpace(text).toLowerCase();
  for (const scope of [document, ...shadowRootsIn(document)]) {
    const start = nodeTypeOf(scope) === 9 ? bodyOf(document) : scope;
    if (start && showsIn(start, want)) return true;
  }
  for (const el of deepQueryAll(document, 'input:not([type=hidden]),textarea')) {
    const tag = tagOf(el);
    if (isSecret(el, tag)) continue;
    const value = tag === 'input' ? (/^(checkbox|radio|file)$/.test(inputTypeOf(el)) ? '' : inputValueOf(el)) : areaValueOf(el);
    if (value && oneSpace(value).toLowerCase().includes(want) && isVisible(el)) return true;
  }
  return false;
}

function showsIn(node, want) {
  if (!oneSpace(textContentOf(node)).toLowerCase().includes(want)) return false;
  for (let child = firstChildOf(node); child; child = nextSiblingOf(child)) {
    if (!isElement(child) || kSkippedTags.has(tagOf(child))) continue;
    if (showsIn(child, want)) return true;
  }
  if (!isElement(node)) return visibleTextOf(node).includes(want);
  return isRendered(node, { visibilityProperty: true }) && visibleTextOf(node).includes(want);
}

// Text of the parts that are rendered, blocks apart from each other.
function visibleTextOf(node) {
  const parts = [];
  const add = (at) => {
    for (let child = firstChildOf(at); child; child = nextSiblingOf(child)) {
      const type = nodeTypeOf(child);
      if (type === 3) parts.push(nodeValueOf(child));
      else if (type === 1 && !kSkippedTags.has(tagOf(child))) {
        const style = getComputedStyle(child);
        if (style.display === 'none' || style.visibility !== 'visible') continue;
        const inline = style.display === 'inline';
        if (!inline) parts.push(' ');
        add(child);
        if (!inline) parts.push(' ');
      }
    }
  };
  add(node);
  return oneSpace(parts.join('')).toLowerCase();
}

const kRecheck = 250; // ms; visibility can change by style alone, which no observer tells

function waitFor(args) {
  const started = performance.now();
  const waited = () => Math.round(performance.now() - started);
  const satisfied = () => (args.text === undefined || pageShows(args.text)) && (args.textGone === undefined || !pageShows(args.textGone));
  let asked = -Infinity;
  const step = (finish, again) => {
    const met = satisfied();
    // What a closed shadow root shows counts too. Are there any that nobody has looked into? Asked before a text is said
    // to be gone, and now and then while one doesn't come.
    if (args.hosts && (met ? args.textGone !== undefined : performance.now() >= asked + kRecheck)) {
      asked = performance.now();
      if (scanClosedHosts()) { finish({ ok: false, closedHosts: closedHosts.length, waitedMs: waited() }); return; }
    }
    if (met) finish({ ok: true, waitedMs: waited() });
    else again(kRecheck);
  };
  step.onStart = (self) => {
    self.watch(document);
    for (const root of shadowRootsIn(document)) self.watch(root);
  };
  return poll(args, step, () => ({ ok: false, timedOut: true, waitedMs: waited(),
    error: args.text !== undefined && !pageShows(args.text) ? `text ${quote(cut(args.text, 200))} did not appear within ${waited()} ms`
      : `text ${quote(cut(args.textGone ?? '', 200))} was still there after ${waited()} ms` }));
}

function stats() {
  return { ok: true, ...live, guard: guard !== null, refs: records.size, gone: goneRecords.size };
}
