// The page's script begins here: what C++ may call in a page (see README.md and ../world/page_contract.def).
//
// __bridle.call(name, args) runs a function that returns a value. Errors that are meant for the reader come back as
// { ok: false, error }; anything else is a bug of ours and is thrown. The other functions take or return elements.

import { titleOf } from './dom/members.js';
import { recover } from './dom/changes.js';
import { oneSpace } from './dom/text.js';
import { AbsentError, PageError } from './dom/errors.js';
import { answerQuestions, takeQuestions } from './dom/asked.js';
import { registerClosedRoot, takeClosedHosts } from './dom/shadow_roots.js';
import { focusedFrame } from './dom/flat_tree.js';
import { watchTypes } from './aria/values.js';
import { goneRecords, records } from './tree/refs.js';
import { held } from './input/held.js';
import { describeTarget, resolveTarget, wordsInstead } from './target/targets.js';
import { cssOf, locatorsOf } from './target/generate.js';
import { audit, noteIssue } from './audit/audit.js';
import { lineage } from './target/lineage.js';
import { snapshot, watchLeaving } from './snapshot/snapshot.js';
import { colourOfStyle, drawMarks, marks } from './snapshot/marks.js';
import { find } from './snapshot/find.js';
import { cancelPoller, live } from './wait/pollers.js';
import { frames, watchAction } from './wait/frames.js';
import { idled } from './wait/idle.js';
import { drawn, watchDrawing } from './wait/drawing.js';
import { loaded } from './wait/loading.js';
import { still } from './wait/motion.js';
import { inputSeen, inputWatch } from './wait/arriving.js';
import { waitFor } from './wait/wait_for.js';
import { dropGuardOf, guard, hitResult } from './input/click_guard.js';
import { watchRefusals } from './input/refusals.js';
import { watchReleases } from './input/releases.js';
import { actionable } from './input/actionable.js';
import { elementAt, frameStep, hitAt, pointOf, submenuClosed } from './input/points.js';
import { dragResult, dragWatch } from './input/drag.js';
import { leaveFieldOver, lostText } from './input/leave.js';
import { dropResult, dropWatch } from './input/drop.js';
import { elementsAround, scrollPlan, scrollResult } from './input/scroll.js';
import { select, setChecked } from './input/choices.js';
import { beginChoice, choiceClosed, choiceStep } from './input/choosing.js';
import { fill } from './input/fill.js';
import { sliderNow } from './input/sliders.js';
import { endKeys, endTyping, focusForTyping } from './input/typing.js';
import { clearFiles, fileInput, fileInputState } from './input/uploads.js';

function pageInfo() {
  return {
    ok: true,
    url: location.href,
    origin: window.origin,
    title: oneSpace(titleOf(document)),
    width: innerWidth,
    height: innerHeight,
    pixelRatio: devicePixelRatio,
    view: { x: visualViewport.pageLeft, y: visualViewport.pageTop, scale: visualViewport.scale },
  };
}

function stats() {
  return { ok: true, ...live, guard: guard !== null, refs: records.size, gone: goneRecords.size };
}

// Ends what a call has begun: its poller, and the guard that it installed.
function cancel({ callId }) {
  const cancelled = cancelPoller(callId);
  dropGuardOf(callId);
  return { ok: true, cancelled };
}

// What takes the listeners of the one away takes those of the other.
function watchPresses() {
  watchRefusals();
  return watchReleases();
}

const api = {
  __proto__: null,
  snapshot,
  actionable,
  hitResult,
  inputSeen,
  inputWatch,
  watchReleases: watchPresses,
  waitFor,
  cancel,
  frames,
  watchAction,
  still,
  loaded,
  idled,
  watchDrawing,
  drawn,
  stats,
  fill,
  endKeys,
  endTyping,
  sliderNow,
  focusForTyping,
  select,
  beginChoice,
  choiceStep,
  choiceClosed,
  setChecked,
  find,
  pageInfo,
  marks,
  drawMarks,
  colourOfStyle,
  held,
  lineage,
  audit,
  hitAt,
  elementAt,
  dragWatch,
  dragResult,
  leaveFieldOver,
  lostText,
  dropWatch,
  dropResult,
  scrollPlan,
  scrollResult,
  pointOf,
  submenuClosed,
  locate: ({ target }) => ({ ok: true, ...locatorsOf(resolveTarget(target).el) }),
  describe: ({ target }) => {
    const { el, count } = resolveTarget(target);
    return { ok: true, ...describeTarget(el, count) };
  },
};

function call(name, args = {}) {
  const run = api[name];
  if (!run) throw new Error(`__bridle has no call ${name}; it has ${Object.keys(api).join(' ')}`);
  try {
    return run(args);
  } catch (error) {
    if (!(error instanceof PageError)) throw error;
    const absent = error instanceof AbsentError;
    // By `describe` it is looked for in one frame after the other, and may be in the next.
    return {
      ok: false,
      error: absent && name !== 'describe' ? error.message + wordsInstead(error) : error.message,
      absent,
    };
  }
}

// What C++ calls begins a task of its own.
const task =
  (run) =>
  (...args) => {
    recover();
    return run(...args);
  };

watchTypes(document);
watchPresses();
watchLeaving();

Object.defineProperty(globalThis, '__bridle', {
  value: Object.freeze({
    call: task(call),
    element: task(({ target }) => resolveTarget(target).el),
    fileInput: task(fileInput),
    focusedFrame: task(focusedFrame),
    takeClosedHosts: task(takeClosedHosts),
    registerClosedRoot: task(registerClosedRoot),
    takeQuestions: task(takeQuestions),
    elementsAround: task(elementsAround),
    answerQuestions: task(answerQuestions),
    frameStep: task(frameStep),
    fileInputState: task(fileInputState),
    clearFiles: task(clearFiles),
    cssOf: task((el) => ({ ok: true, css: cssOf(el) })),
    noteIssue: task(noteIssue),
  }),
  enumerable: false,
  configurable: false,
  writable: false,
});
