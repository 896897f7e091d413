// Actionability: is the element there, visible, still, enabled, and would it get the click? Asked once a frame until
// yes, until it can't become yes, or until time is up. The reason of the last no is the error.

function actionable(args) {
  let last = null; // the box of the frame before
  let reason = '';
  let scrolls = 0, scanned = false;
  const kind = args.kind ?? 'click';
  const step = (finish, again) => {
    let found;
    try {
      found = resolveTarget(args.target);
    } catch (error) {
      if (!(error instanceof AbsentError)) throw error;
      if (args.hosts && !scanned && (scanned = true) && scanClosedHosts()) { finish({ ok: false, closedHosts: closedHosts.length, error: error.message }); return; }
      reason = error.message; // not there yet
      last = null;
      again();
      return;
    }
    const { el, count } = found;
    const done = (point) => finish({ ok: true, ...describeTarget(el, count), ...point });
    if (kind === 'none' || kind === 'file') { done({}); return; }
    const state = withPass(() => inspect(el, kind));
    if (state.hopeless) throw new PageError(`${describeElement(el)} ${state.hopeless}.`);
    if (state.reason) {
      reason = `${describeElement(el)} is ${state.reason}`;
      last = null;
      again();
      return;
    }
    const box = rectOf(el);
    const same = last && last.el === el && last.x === box.x && last.y === box.y && last.width === box.width && last.height === box.height;
    const motion = motionOf(el);
    const still = motion === 'starting' ? false : motion === 'running' ? same : seenAt(el, box) || same;
    const inView = isInView(el);
    if (!still || !inView) {
      if (last && !same) reason = `${describeElement(el)} is still moving`;
      // Scrolled before the first look at a box counts, so that the second look can already agree.
      if (!inView) scrollTo(el, scrolls++);
      const { x, y, width, height } = rectOf(el);
      last = { x, y, width, height, el };
      if (inView || scrolls === 1) { again(); return; }
      reason ||= `${describeElement(el)} is outside of the viewport, and scrolling does not bring it in`;
      again();
      return;
    }
    const point = hitPoint(el, kind, args);
    if (point.blocker) {
      reason = `${describeElement(el)} is ${point.blocker}`;
      scrollTo(el, scrolls++); // perhaps a sticky header is over it: the other edge may be free
      last = null;
      again(scrolls > kAlignments.length ? kCoveredPause : 0);
      return;
    }
    if (args.guard) installGuard(el, args.callId);
    done({ x: point.x, y: point.y, box: plainBox(rectOf(el)) });
  };
  return poll(args, step, () => {
    const n = Math.round(args.timeout ?? 5000);
    return { ok: false, timedOut: true, error: `${reason || `Nothing on the page matches ${quote(cut(String(args.target), 200))}`.replace(/\.$/, '')} (waited ${n} ms).` };
  });
}

// An animation that has just been started shows the same box for two frames; while one runs, only neighbouring frames
// tell. (One that never ends and doesn't move the element passes.)
function motionOf(el) {
  let motion = '';
  for (const animation of animationsOf(document)) {
    if (animation.playState !== 'running') continue;
    const target = animation.effect?.target;
    if (!target || !flatContains(target, el)) continue;
    if (animation.pending || animation.currentTime === 0) return 'starting';
    motion = 'running';
  }
  return motion;
}

const plainBox = ({ x, y, width, height }) => ({ x, y, width, height });

// Why not now (reason), or why never (hopeless).
function inspect(el, kind) {
  const hidden = hiddenReason(el);
  if (hidden) return { reason: hidden };
  const inert = closestFlat(el, (at) => hasAttr(at, 'inert'));
  if (inert) return { hopeless: `is inert${inert === el ? '' : ` inside ${tagSketch(inert)}`}: it takes no input` };
  const tag = tagOf(el);
  const disabled = kind === 'hover' || kind === 'drop' ? '' : disabledReason(operated(el, tag), tagOf(operated(el, tag)));
  if (disabled.startsWith('aria-disabled')) return { hopeless: `is disabled (${disabled})` };
  if (disabled) return { reason: disabled };
  if (kind === 'type' && !isEditable(controlOf(el))) {
    if ((tag === 'input' || tag === 'textarea') && el.readOnly) return { reason: 'read-only' };
    return { hopeless: 'is not an input, textarea or editable element: text can\'t be typed into it' };
  }
  if (kind === 'select' && tagOf(controlOf(el)) !== 'select') return { hopeless: 'is not a <select>: click it and then the option' };
  return {};
}

// A click on a label or on a button's icon works the control.
function operated(el, tag) {
  if (tag === 'label') return labelControlOf(el) ?? el;
  return closestFlat(el, (at) => /^(button|select|option)$/.test(tagOf(at)) || hasAttr(at, 'aria-disabled')) ?? el;
}

function hiddenReason(el) {
  if (!isRendered(el)) {
    for (let at = el; at; at = flatParentOf(at)) {
      const style = getComputedStyle(at);
      if (style.display === 'none') return `not visible: display:none on ${tagSketch(at)}`;
      if (at !== el && style.contentVisibility === 'hidden') return `not visible: content-visibility:hidden on ${tagSketch(at)}`;
      if (at !== el && tagOf(at) === 'details' && !hasAttr(at, 'open')) return `not visible: inside a closed ${tagSketch(at)}`;
    }
    if (getComputedStyle(el).display !== 'contents') return 'not visible: it is not rendered';
  }
  if (getComputedStyle(el).visibility !== 'visible') {
    let origin = el;
    for (let at = flatParentOf(el); at && getComputedStyle(at).visibility !== 'visible'; at = flatParentOf(at)) origin = at;
    return `not visible: visibility:${getComputedStyle(el).visibility} on ${tagSketch(origin)}`;
  }
  const box = rectOf(el);
  if (box.width === 0 || box.height === 0) {
    if (tagOf(el) === 'area' || getComputedStyle(el).display === 'contents') return '';
    if (firstBox(el)) return '';
    return `not visible: zero size (${Math.round(box.width)}x${Math.round(box.height)})`;
  }
  return '';
}

const kCoveredPause = 100; // ms between looks once every alignment was tried: each look scrolls the page

// The first of an element's boxes with an area: an inline link may have an empty first line.
function firstBox(el) {
  for (const box of clientRectsOf(el)) if (box.width > 0 && box.height > 0) return box;
  return null;
}

function isInView(el) {
  const box = firstBox(el) ?? rectOf(el);
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  return !isClippedBy(el, x, y);
}

const isClippedBy = (el, x, y) => withPass(() => isClippedAway(el, x, y));

// Each retry tries another alignment, as a sticky header or footer may lie over one of them.
const kAlignments = [{ block: 'center', inline: 'center' }, { block: 'end', inline: 'end' }, { block: 'start', inline: 'start' }, { block: 'nearest', inline: 'nearest' }];
function scrollTo(el, turn) {
  scrollIntoViewOf(el, { behavior: 'instant', ...kAlignments[turn % kAlignments.length] });
}

// The point to click: the middle of the first visible box, clipped to the viewport. With `blocker` when another
// element would get it.
function hitPoint(el, kind, args) {
  const boxes = [...clientRectsOf(el)].filter((box) => box.width > 0 && box.height > 0);
  let first = null, blocker = '';
  for (const box of boxes.length ? boxes : [rectOf(el)]) {
    const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth), top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
    if (right <= left || bottom <= top) { blocker ||= 'outside of the viewport, and scrolling does not bring it in'; continue; }
    const x = (left + right) / 2, y = (top + bottom) / 2;
    first ??= { x, y };
    const hit = deepHit(x, y);
    if (kind === 'drop' || isHitOn(el, hit) || tagOf(el) === 'area' && hit && tagOf(hit) === 'img') return { x, y };
    blocker = hit ? coverText(el, hit) : 'outside of the viewport, and scrolling does not bring it in';
  }
  return { ...(first ?? { x: 0, y: 0 }), blocker: blocker || 'without a box to click' };
}

// Names the outermost element of what lies over: an overlay rather than the text in it.
function coverText(el, hit) {
  if (withPass(() => closestFlat(el, (at) => styleOf(at).pointerEvents === 'none')) && flatContains(hit, el)) return 'not receiving clicks: pointer-events is none';
  let outer = hit;
  for (let at = flatParentOf(hit); at && !flatContains(at, el); at = flatParentOf(at)) outer = at;
  const inner = outer === hit ? '' : ` (${tagSketch(hit)} in it)`;
  return `covered by ${tagSketch(outer)}${inner}`;
}
