// Actionability: is the element there, visible, still, enabled, and would it get the click? Asked once a frame until
// yes, until it can't become yes, or until time is up. The reason of the last no is the error.

import { animationsOf, hasAttr, isRendered, labelControlOf, rectOf, scrollIntoViewOf, tagOf } from '../dom/members.js';
import { cut, quote } from '../dom/text.js';
import { AbsentError, PageError, tagSketch } from '../dom/errors.js';
import { closedHosts, scanClosedHosts } from '../dom/shadow_roots.js';
import { closestFlat, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { withPass } from '../dom/style.js';
import { firstBox, hitPoint, isInView, plainBox } from '../dom/hit.js';
import { disabledReason } from '../aria/states.js';
import { controlOf, isEditable } from '../aria/values.js';
import { seenAt } from '../tree/positions.js';
import { describeElement, describeTarget, resolveTarget } from '../target/targets.js';
import { poll } from '../wait/pollers.js';
import { installGuard } from './click_guard.js';

function actionable(args) {
  let last = null; // the box of the frame before
  let reason = '';
  let scrolls = 0;
  let scanned = false;
  const kind = args.kind ?? 'click';
  const step = (finish, again) => {
    let found;
    try {
      found = resolveTarget(args.target);
    } catch (error) {
      if (!(error instanceof AbsentError)) throw error;
      if (args.hosts && !scanned && (scanned = true) && scanClosedHosts()) {
        finish({ ok: false, closedHosts: closedHosts.length, error: error.message });
        return;
      }
      reason = error.message; // not there yet
      last = null;
      again();
      return;
    }
    const { el, count } = found;
    const done = (where) => finish({ ok: true, ...describeTarget(el, count), ...where });
    if (kind === 'none' || kind === 'file') {
      done({});
      return;
    }
    const state = withPass(() => inspect(el, kind));
    if (state.hopeless) throw new PageError(`${describeElement(el)} ${state.hopeless}.`);
    if (state.reason) {
      reason = `${describeElement(el)} is ${state.reason}`;
      last = null;
      again();
      return;
    }
    const box = rectOf(el);
    const same =
      last &&
      last.el === el &&
      last.x === box.x &&
      last.y === box.y &&
      last.width === box.width &&
      last.height === box.height;
    const motion = motionOf(el);
    const still = motion === 'starting' ? false : motion === 'running' ? same : seenAt(el, box) || same;
    const inView = isInView(el);
    if (!still || !inView) {
      if (last && !same) reason = `${describeElement(el)} is still moving`;
      // Scrolled before the first look at a box counts, so that the second look can already agree.
      if (!inView) scrollTo(el, scrolls++);
      const { x, y, width, height } = rectOf(el);
      last = { x, y, width, height, el };
      if (inView || scrolls === 1) {
        again();
        return;
      }
      reason ||= `${describeElement(el)} is outside of the viewport, and scrolling does not bring it in`;
      again();
      return;
    }
    const point = hitPoint(el, kind);
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
    return {
      ok: false,
      timedOut: true,
      error: `${reason || `Nothing on the page matches ${quote(cut(String(args.target), 200))}`.replace(/\.$/, '')} (waited ${n} ms).`,
    };
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

// Why not now (reason), or why never (hopeless).
function inspect(el, kind) {
  const hidden = hiddenReason(el);
  if (hidden) return { reason: hidden };
  const inert = closestFlat(el, (at) => hasAttr(at, 'inert'));
  if (inert) return { hopeless: `is inert${inert === el ? '' : ` inside ${tagSketch(inert)}`}: it takes no input` };
  const tag = tagOf(el);
  const disabled =
    kind === 'hover' || kind === 'drop' ? '' : disabledReason(operated(el, tag), tagOf(operated(el, tag)));
  if (disabled.startsWith('aria-disabled')) return { hopeless: `is disabled (${disabled})` };
  if (disabled) return { reason: disabled };
  if (kind === 'type' && !isEditable(controlOf(el))) {
    if ((tag === 'input' || tag === 'textarea') && el.readOnly) return { reason: 'read-only' };
    return { hopeless: "is not an input, textarea or editable element: text can't be typed into it" };
  }
  if (kind === 'select' && tagOf(controlOf(el)) !== 'select')
    return { hopeless: 'is not a <select>: click it and then the option' };
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
      if (at !== el && style.contentVisibility === 'hidden')
        return `not visible: content-visibility:hidden on ${tagSketch(at)}`;
      if (at !== el && tagOf(at) === 'details' && !hasAttr(at, 'open'))
        return `not visible: inside a closed ${tagSketch(at)}`;
    }
    if (getComputedStyle(el).display !== 'contents') return 'not visible: it is not rendered';
  }
  if (getComputedStyle(el).visibility !== 'visible') {
    let origin = el;
    for (let at = flatParentOf(el); at && getComputedStyle(at).visibility !== 'visible'; at = flatParentOf(at))
      origin = at;
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

// Each retry tries another alignment, as a sticky header or footer may lie over one of them.
const kAlignments = [
  { block: 'center', inline: 'center' },
  { block: 'end', inline: 'end' },
  { block: 'start', inline: 'start' },
  { block: 'nearest', inline: 'nearest' },
];

function scrollTo(el, turn) {
  scrollIntoViewOf(el, { behavior: 'instant', ...kAlignments[turn % kAlignments.length] });
}

export { actionable };
