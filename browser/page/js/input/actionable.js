// Actionability: is the element there, visible, still, enabled, and would it get the click? Asked once a frame until
// yes, until it can't become yes, or until time is up. The reason of the last no is the error.

import {
  closestOf,
  hasAttr,
  inputTypeOf,
  isRendered,
  isOffPage,
  labelControlOf,
  rectOf,
  tagOf,
} from '../dom/members.js';
import { cut, quote } from '../dom/text.js';
import { words } from '../dom/collections.js';
import { AbsentError, noTextWords, PageError, tagSketch } from '../dom/errors.js';
import { animationsNow, closedHosts, deepQueryAll, scanClosedHosts } from '../dom/shadow_roots.js';
import { closestFlat, flatContains, flatParentOf, middleOfArea, pictureOfArea } from '../dom/flat_tree.js';
import { withPass } from '../dom/pass.js';
import { fadedFrom } from '../dom/surroundings.js';
import { firstBox, hitPoint, isHitOn, isInView, kOutOfView, kTakesNoClicks, pointIn, shownPart } from '../dom/hit.js';
import { roleOf } from '../aria/roles.js';
import { disabledReason } from '../aria/states.js';
import { linkUrlOf } from '../aria/links.js';
import { controlOf, isEditable, takesText } from '../aria/values.js';
import { unsaidSlider } from './sliders.js';
import { isStoodForNow } from '../tree/natives.js';
import { seenAt } from '../tree/positions.js';
import { shutPaneOf } from '../tree/sight_marks.js';
import { refOf } from '../target/nearest.js';
import {
  describeElement,
  describeTarget,
  dialogWords,
  resolveTarget,
  widgetWords,
  wordsInstead,
} from '../target/targets.js';
import { hoveredFor } from '../target/under_mouse.js';
import { noteHovered } from '../wait/interest.js';
import { poll } from '../wait/pollers.js';
import { isQuiet, kLongQuiet, kQuiet, restsLong } from '../wait/rest.js';
import { arrivalAt, noteArrival } from './arrival.js';
import { kAlignments, outsideOf, putBack, scrollTo, wheelTurner } from './bring_in.js';
import { checkableOf, selectOf, suggestionsOf, takesChoice } from './choices.js';
import { chooserOf } from './choosers.js';
import { installGuard } from './click_guard.js';
import { openerOver } from './leave.js';
import { isActedByPage } from './unheard.js';
import { coverWords, isUnderMouse, usualOf } from './covers.js';
import { unveilWords } from './unveiled.js';
import { isHiddenFile, isSetUnseen, labelPoint, placeOf } from './place.js';

function actionable(args) {
  let last = null; // the box of the frame before
  let reason = '';
  let reasonMore = () => ''; // what takes a look at the whole page
  let scrolls = 0;
  let coveredSince = null;
  let scanned = false;
  let unveiled = null; // the element for which it was asked what shows it under the mouse
  let looksInFrame = 0;
  let movesSince = null; // in one go: from frame to frame by less than half its size
  const kind = args.kind ?? 'click';
  const asked = args.atX === undefined ? null : { x: args.atX, y: args.atY };
  let poller = null;
  // The reason stands until there is another one, as a look may come to none.
  const because = (why, more = () => '') => {
    reason = why;
    reasonMore = more;
  };
  const turnAt = wheelTurner(args);
  const covers = []; // of the last looks: { cover, hit, at }
  // Whether the mouse shows it, which is to move there now.
  const wakeFor = (el, why, finish) => {
    if (!args.wakes || el === unveiled) return false; // all rules are read for it, so once
    unveiled = el;
    const over = withPass(() => hoveredFor(el));
    const rest = over && hitPoint(over, 'hover');
    if (!rest || rest.blocker) return false;
    finish({ ok: false, asleep: true, x: rest.x, y: rest.y, error: `${describeElement(el)} is ${why}.` });
    return true;
  };
  const step = (finish, again) => {
    let found;
    try {
      found = resolveTarget(args.target, kTakes[kind]);
    } catch (error) {
      if (!(error instanceof AbsentError)) throw error;
      if (args.hosts && !scanned && (scanned = true) && scanClosedHosts()) {
        finish({ ok: false, closedHosts: closedHosts.length, error: error.message });
        return;
      }
      because(error.message, () => wordsInstead(error)); // not there yet
      last = null;
      if (isQuiet(poller)) finish({ ok: false, absent: true, error: reason + reasonMore() });
      else again();
      return;
    }
    const { el, count } = found;
    const done = (where) => finish({ ok: true, ...describeTarget(el, count), ...where });
    if (/^(none|field|file)$/.test(kind)) {
      done(kind !== 'file' ? { made: isMadeChoice(el), checks: checkableOf(el) !== null } : {});
      return;
    }
    const lock = document.pointerLockElement;
    if (lock !== null && kNeedsMouse.has(kind) && !isHitOn(el, lock))
      throw new PageError(
        `${describeElement(el)} can't be reached: the page has locked the mouse to ${tagSketch(lock)}. browser_press_key Escape lets go of it.`,
      );
    const state = withPass(() => inspect(el, kind));
    if (state.hopeless) throw new PageError(`${describeElement(el)} ${state.hopeless}.`);
    if (state.reason) {
      if (state.hidden && wakeFor(el, state.reason, finish)) return;
      because(`${describeElement(el)} is ${state.reason}`);
      last = null;
      if (state.lasts && isQuiet(poller, state.lasts === kUnlessShown ? kLongQuiet : kQuiet))
        finish({ ok: false, error: `${reason}.`, ...((state.lasts !== true || !args.quiet) && { absent: true }) });
      else again();
      return;
    }
    if (kind === 'select' || (kind === 'type' && isSetUnseen(el))) {
      done({ unplaced: true, made: kind === 'select' && selectOf(el) === null && !hasSuggestions(el) });
      return;
    }
    const picture = tagOf(el) === 'area' ? pictureOfArea(el) : null;
    const at = asked ?? (picture && middleOfArea(el, picture));
    const place = picture ?? (at && !isSetUnseen(el) ? el : placeOf(el));
    const box = rectOf(place);
    const same =
      last &&
      last.el === el &&
      last.x === box.x &&
      last.y === box.y &&
      last.width === box.width &&
      last.height === box.height;
    const motion = motionOf(place);
    const time = document.timeline.currentTime;
    // Where a frame takes long, two looks fall into one, and show the same box whatever moves.
    const sameFrame = same && last.time === time && ++looksInFrame < kLooksInFrame[motion];
    if (!sameFrame) looksInFrame = 0;
    if (!last || last.el !== el || !isMiddleIn(box, last)) movesSince = null;
    else if (!same) movesSince ??= performance.now();
    const isOnItsWay = movesSince !== null && performance.now() - movesSince >= (motion === 'endless' ? 0 : kMovesOn);
    const still =
      motion !== 'starting' && ((motion === 'none' && seenAt(place, box)) || (same && !sameFrame) || isOnItsWay);
    const outside = at && outsideOf(place, at);
    if (outside) throw new PageError(`${describeElement(el)} is ${outside}.`);
    const centred = isInView(place, at);
    // What is cut off by a box that doesn't scroll, or that scrolls back, is clicked where it is seen.
    const partly = !centred && !at && scrolls > kAlignments.length && shownPart(place, firstBox(place) ?? box) !== null;
    const inView = centred || partly;
    const turn = inView || scrolls > 0 ? null : turnAt(place, motion !== 'none');
    if (turn) {
      if (!turn.rests) again();
      else finish({ ok: false, wheel: true, ...turn, error: `${describeElement(el)} is ${kOutOfView}.` });
      return;
    }
    if (!still || !inView) {
      const moves = (last && !same) || motion === 'starting';
      if (moves && (inView || scrolls <= kAlignments.length)) because(`${describeElement(el)} is still moving`);
      // Scrolled before the first look at a box counts, so that the second look can already agree.
      if (!inView) scrollTo(place, scrolls++, at);
      const { x, y, width, height } = rectOf(place);
      last = { x, y, width, height, el, time };
      if (inView || scrolls === 1) {
        again();
        return;
      }
      if (scrolls > kAlignments.length) because(`${describeElement(el)} is ${kOutOfView}`, () => unveilWords(el));
      if (scrolls > kAlignments.length && wakeFor(el, kOutOfView, finish)) return;
      if (scrolls > kAlignments.length && still && isOffPage(place) && isQuiet(poller)) {
        putBack();
        finish({ ok: false, absent: true, error: `${reason}${reasonMore()}.` }); // unless a timer brings it in
      } else again();
      return;
    }
    const beside = scrolls > kAlignments.length; // what no scrolling frees is pressed where it is free
    const isLabel = place !== el && tagOf(place) === 'label';
    const point = isLabel ? labelPoint(place, el) : hitPoint(place, kind, at, partly, beside);
    if (point.blocker) {
      if (args.wakes && point.hit && fadedFrom(place) !== null) {
        const { x, y } = point; // its controls come where the mouse moves
        finish({ ok: false, asleep: true, x, y, error: `${describeElement(el)} is ${point.blocker}.` });
        return;
      }
      if (args.leaves && point.hit && isUnderMouse(point.hit, place)) {
        finish({ ok: false, underMouse: true, error: `${describeElement(el)} is ${point.blocker}.` });
        return;
      }
      coveredSince ??= performance.now();
      const opener = point.hit && scrolls > kAlignments.length ? openerOver(el, point.hit) : null;
      if (opener !== null && performance.now() - coveredSince >= kQuiet)
        throw new PageError(
          `${describeElement(el)} is covered by the open list of ${describeElement(opener)}${refOf(opener)}: close that first, by the key Escape.`,
        );
      covers.push({ cover: point.blocker, hit: point.hit, at: `${box.x} ${box.y}` });
      if (covers.length > kAlignments.length) covers.shift();
      const { cover, hit } = usualOf(covers);
      because(`${describeElement(el)} is ${cover}`, () => coverWords(place, hit));
      const isEverywhere = covers.length === kAlignments.length && covers.every((one) => one.cover === cover);
      const isStill = motion === 'none' && (hit === null || motionOf(hit) === 'none');
      const isDead = cover.startsWith(kTakesNoClicks);
      if (isEverywhere && isStill && (isQuiet(poller, isDead ? kQuiet : kLongQuiet) || restsLong(poller))) {
        finish({ ok: false, absent: true, error: `${reason}${reasonMore()}.` }); // unless a timer takes it away
        return;
      }
      scrollTo(place, scrolls++, at); // perhaps a sticky header is over it: the other edge may be free
      last = null;
      again(scrolls > kAlignments.length ? kCoveredPause : 0);
      return;
    }
    if (args.guard) installGuard(place, args.callId);
    const { x: left, y: top } = pointIn(place, kCorner);
    if (kind === 'click') noteArrival();
    if (kind === 'hover') noteHovered(el);
    const byPage = isActedByPage(place);
    done({ x: point.x, y: point.y, left, top, byPage, ...(kind === 'hover' && arrivalAt(place)) });
  };
  step.onStart = (self) => {
    poller = self;
    self.watch(document);
  };
  return poll(args, step, () => {
    putBack();
    const n = Math.round(args.whole ?? args.timeout ?? 5000);
    reason += reasonMore();
    return {
      ok: false,
      timedOut: true,
      error: `${(reason || `Nothing on the page matches ${quote(cut(String(args.target), 200))}`).replace(/\.$/, '')} (waited ${n} ms).`,
    };
  });
}

const takesValue = (el) => takesText(el) || takesChoice(el) || checkableOf(el) !== null;
const kTakes = { __proto__: null, type: takesText, select: takesChoice, field: takesValue };
const kNeedsMouse = words('click hover drag drop');

// So many, and no frame will come: the page isn't drawn. Without an animation only a script can move the element.
const kLooksInFrame = { none: 4, running: 20, endless: 20, starting: 20 };

// What moves on and on, as a button that beats or a line of news, is clicked as a person does, where it is; that the click arrives
// at it the guard sees to.
const isMiddleIn = ({ x, y, width, height }, around) =>
  x + width / 2 > around.x &&
  x + width / 2 < around.x + around.width &&
  y + height / 2 > around.y &&
  y + height / 2 < around.y + around.height;
const kMovesOn = 2000; // ms, after which what no animation moves is taken for endless too

// An animation that has just been started shows the same box for two frames; while one runs, only neighbouring frames
// tell. (One that never ends and doesn't move the element passes.)
function motionOf(el) {
  let motion = 'none';
  for (const animation of animationsNow()) {
    // What follows the scrolling, and not the time, stands as long as nothing scrolls, and may never begin.
    if (animation.playState !== 'running' || !(animation.timeline instanceof DocumentTimeline)) continue;
    const target = animation.effect?.target;
    if (!target || !flatContains(target, el)) continue;
    if (animation.pending || animation.currentTime === 0) return 'starting';
    const isEndless = animation.effect.getComputedTiming().endTime === Infinity;
    motion = isEndless && motion !== 'running' ? 'endless' : 'running';
  }
  return motion;
}

// What can only be chosen in: no text can be typed into it.
const isMadeChoice = (el) => selectOf(el) === null && chooserOf(el) !== null && !isEditable(controlOf(el));

const hasSuggestions = (el) => suggestionsOf(controlOf(el)) !== null;

// Why not now (reason), which a page that is quiet won't change (lasts), or why never (hopeless).
function inspect(el, kind) {
  // What is set by the script needs no place on the screen, and a styled widget may stand there instead.
  const unseen = kind === 'select' || (kind === 'type' && isSetUnseen(el));
  const hidden = unseen ? '' : hiddenReason(el);
  const hopeless = unseen ? '' : hiddenForGood(el, hidden);
  if (hopeless) return { hopeless };
  if (hidden && isHiddenFile(el))
    return { reason: `${hidden}; files are given to it by browser_file_upload`, lasts: true };
  if (hidden.startsWith(kFlat) && motionOf(el) === 'none')
    return { reason: hidden + elsewhereWords(el), lasts: kUnlessTimed, hidden: true };
  if (hidden) return { reason: hidden, lasts: motionOf(el) === 'none' && kUnlessShown, hidden: true };
  const pane = unseen ? null : shutPaneOf(el);
  if (pane !== null)
    return {
      reason: `not visible: it stands in ${tagSketch(pane)}, which is shut to no height: open that first`,
      lasts: motionOf(el) === 'none' && kUnlessShown,
    };
  const inert = closestFlat(el, (at) => hasAttr(at, 'inert'));
  if (inert)
    return {
      hopeless: `is inert${inert === el ? '' : ` inside ${tagSketch(inert)}`}: it takes no input${dialogWords()}`,
    };
  const tag = tagOf(el);
  const worked = kind === 'select' ? (selectOf(el) ?? chooserOf(el) ?? el) : operated(el);
  const disabled = kind === 'hover' || kind === 'drop' ? '' : disabledReason(worked, tagOf(worked));
  if (disabled.startsWith('aria-disabled')) return { hopeless: `is disabled (${disabled})` };
  if (disabled) return { reason: disabled };
  if (kind === 'type' && !takesText(el)) {
    if ((tag === 'input' || tag === 'textarea') && el.readOnly)
      return { reason: 'read-only: click it, as that may open what sets it', lasts: true };
    return { hopeless: unsaidSlider(el) || noTextWords() + fieldWords(el) };
  }
  if (kind === 'select' && !selectOf(el) && !chooserOf(el) && !hasSuggestions(el))
    return { hopeless: 'is not a <select>, combobox or listbox: click it and then the option' };
  return {};
}

// What is done with it instead, as `: choose with browser_select_option`; of a box in which the snapshot has told just one field,
// `: type into textbox "Editor content" [ref=e1] in it`; or ''.
function fieldWords(el) {
  const tag = tagOf(el);
  if (tag === 'select') return ': choose with browser_select_option';
  if (/^(checkbox|radio|switch)$/.test(roleOf(el, tag) ?? '')) return ': tick it with browser_click';
  const told = deepQueryAll(el, kTypedInto).filter((one) => isEditable(one) && refOf(one) !== '');
  return told.length === 1 ? `: type into ${describeElement(told[0])}${refOf(told[0])} in it` : '';
}
const kTypedInto = 'input,textarea,[contenteditable],[role=textbox]';

// What no waiting brings into view: a native control that a widget stands for, an option of a list that is closed.
function hiddenForGood(el, hidden) {
  const widget = widgetWords(el);
  if (widget) return `is hidden${widget}`;
  const list = tagOf(el) === 'option' ? closestOf(el, 'select') : null;
  if (list !== null && (hidden || isStoodForNow(list)))
    return `is an option of ${describeElement(list)}${refOf(list) || widgetWords(list)}: choose it with browser_select_option`;
  if (!hidden) return '';
  const canvas = tagOf(el) === 'canvas' ? null : closestOf(el, 'canvas');
  if (canvas !== null)
    return `only describes what ${describeElement(canvas)}${refOf(canvas)} draws: click that at a position`;
  return tagOf(el) === 'input' && inputTypeOf(el) === 'hidden' ? 'is a hidden field' : '';
}

// A click on a label, on what stands in it or on a button's icon works the control.
function operated(el) {
  const control = closestFlat(el, (at) => /^(button|select|option)$/.test(tagOf(at)) || hasAttr(at, 'aria-disabled'));
  const around = closestFlat(el, (at) => at === control || /^(label|a|input|textarea)$/.test(tagOf(at)));
  const labelled = around !== null && tagOf(around) === 'label' ? labelControlOf(around) : null;
  return labelled ?? control ?? el;
}

function hiddenReason(el) {
  const picture = tagOf(el) === 'area' ? pictureOfArea(el) : null;
  if (picture !== null) return hiddenReason(picture);
  if (isHiddenFile(el) && placeOf(el) !== el) return '';
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
    if (getComputedStyle(el).display === 'contents') return '';
    if (firstBox(el) || placeOf(el) !== el) return '';
    return `${kFlat} (${Math.round(box.width)}x${Math.round(box.height)})`;
  }
  return '';
}
const kFlat = 'not visible: zero size';
const kUnlessTimed = 'unless timed'; // a timer of the page may give it a size
const kUnlessShown = 'unless shown'; // the page may show it, also for what comes from elsewhere

// How else a link that has no size is got at, or ''.
function elsewhereWords(el) {
  const link = closestFlat(el, (at) => tagOf(at) === 'a');
  const url = link === null ? null : linkUrlOf(link);
  return url === null
    ? ''
    : `, as where its icon has not loaded; it leads to ${cut(url, kUrlTold)}, which browser_navigate opens`;
}
const kUrlTold = 200; // characters
const kCorner = { x: 0, y: 0 };
const kCoveredPause = 100; // ms between looks once every alignment was tried: each look scrolls the page

export { actionable };
