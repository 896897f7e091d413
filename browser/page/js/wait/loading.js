// Signs that a page shows a stand-in for what it is still loading: a busy region, a spinner, an empty root, an element
// whose class has yet to come.

import {
  attr,
  bodyOf,
  elementsOf,
  isElement,
  isRendered,
  parentElementOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { animationsNow, deepQueryAll, sawShadow } from '../dom/shadow_roots.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { foundAll } from '../dom/found.js';
import { isIdleDue } from '../dom/acted.js';
import { withPass } from '../dom/pass.js';
import { isVisible } from '../dom/style.js';
import { nameOf } from '../aria/names.js';
import { roleOf } from '../aria/roles.js';
import { visibleTextOf } from './wait_for.js';
import { poll } from './pollers.js';

// Each is asked for alone: the browser keeps elements by their tag, and passes over those without an attribute, but matches all
// of the page's with each selector of a list.
const kBusy = '[aria-busy="true"]';
// One that is hidden from readers is kept to be used again, and draws nothing until then.
const kProgress = [
  '[role="progressbar"]:not([aria-valuenow],progress[value],[aria-hidden="true"])',
  'progress:not([value])',
];
const kStepsOfWizard = 'li,[role="listitem"],a[href],button,[role="button"]'; // how far a person has got, no work of the page's
// By their class alone only those count that are animated: the words are used for much else.
const kStandIn = /(^|[-_ ])(skeleton|shimmer|spinner|loader|loading|preloader|placeholder|indeterminate)([-_ ]|$)/i;
const kViews = ['main', 'dialog[open]', '[role]:is([role="main"],[role="dialog"],[role="tabpanel"])'];
const kContent = 'img,svg,canvas,video,audio,iframe,embed,object,input,button,select,textarea,a[href]';
const kWaitWords = /^(loading|please wait|one moment|just a moment|initiali[sz]ing|starting|connecting)\b.{0,40}$/i;
const kSmall = 200; // elements; a larger page shows more than a stand-in

// What was waited for in vain: it is told of, and not waited for again.
const outlasted = new WeakSet();
const neverDefined = new Set(); // the tags of those that weren't

const inWindow = (el) => {
  const { left, top, right, bottom } = rectOf(el);
  return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
};

const signs = (...selectors) => (sawShadow ? deepQueryAll(document, selectors.join(',')) : selectors.flatMap(foundAll));

function named(el, words) {
  const tag = tagOf(el);
  const name = withPass(() => nameOf(el, tag, roleOf(el, tag)));
  return { el, words: name ? `${words} ${quote(cut(name, 60))}` : words };
}

// { el, words } of the first sign that is seen; null without any. `fetching`: requests are under way, so that an empty
// page is one that has yet to be filled. `scripts`: a script is, which may define an element. `skipped`: what doesn't count.
function signOfLoading(fetching, scripts, skipped = kNothing) {
  for (const el of signs(kBusy, ...kProgress)) {
    if (skipped.has(el) || !isVisible(el) || !inWindow(el)) continue;
    if (attr(el, 'aria-busy') === 'true') return named(el, 'busy');
    if (querySelectorAllOf(el, kStepsOfWizard).length > 1 || isTimeLeft(el)) continue;
    return named(el, 'a progress indicator');
  }
  for (const animation of animationsNow()) {
    const el = standInOf(animation);
    if (el && !skipped.has(el)) return { el, words: 'a placeholder is animated' };
    if (el === null && isTurning(animation) && !skipped.has(animation.effect.target))
      return { el: animation.effect.target, words: 'a ring turns' };
  }
  for (const el of signs(...kViews))
    if (!skipped.has(el) && saysWait(el) && isVisible(el)) return { el, words: quote(wordsIn(el)) };
  return (scripts ? signOfUndefined() : null) ?? signOfEmptiness(fetching);
}
const kNothing = new WeakSet();

// Whether it shrinks to nothing once, as a bar in a message does that draws how much longer the message stays.
const isTimeLeft = (el) =>
  animationsNow().some(({ effect }) => {
    if (effect?.target !== el || effect.getComputedTiming().endTime === Infinity) return false;
    const last = effect.getKeyframes().at(-1);
    return kNoWidth.test(`${last.transform} ${last.scale} ${last.width}`);
  });
const kNoWidth = /scaleX?\(0[,)]|^\S+ 0( |$)| 0(px|%)$/;

// A custom element shows but its light tree until the module that defines it is there. One that shows something has been
// filled by other means, and some are never defined: AngularJS writes its directives so.
function signOfUndefined() {
  for (const el of querySelectorAllOf(document, ':not(:defined)')) {
    if (neverDefined.has(tagOf(el)) || !isRendered(el) || showsAnything(el)) continue;
    return { el, words: `<${tagOf(el)}> is not defined yet`, isUndefined: true };
  }
  return null;
}

function showsAnything(el) {
  for (const part of querySelectorAllOf(el, kContent)) if (isVisible(part)) return true;
  return visibleTextOf(el) !== '';
}

const wordsIn = (el) => oneSpace(textContentOf(el));
const saysWait = (el) => textContentOf(el).length <= 200 && kWaitWords.test(wordsIn(el));

function standInOf({ playState, effect }) {
  let el = effect?.target;
  if (playState !== 'running' || !el || effect.getComputedTiming().endTime !== Infinity) return null;
  const kLevels = 3; // the parts of a spinner are often animated instead of it
  for (let level = 0; level < kLevels && el && isElement(el); level++, el = parentElementOf(el)) {
    if (kStandIn.test(attr(el, 'class') ?? '')) return isVisible(el) && inWindow(el) && isDrawn(effect) ? el : null;
  }
  return null;
}

// Whether what is animated isn't transparent: galleries keep a spinner over each picture, to be shown where that takes long.
function isDrawn(effect) {
  if (effect.getKeyframes().some((frame) => frame.opacity !== undefined)) return true; // at another moment it may be
  for (let at = effect.target; at; at = flatParentOf(at)) if (getComputedStyle(at).opacity === '0') return false;
  return true;
}

// Whether it turns something small round and round, as fast as a ring that is to say "wait" does: its class needn't say so. A picture in
// it would be a logo.
function isTurning({ playState, effect }) {
  const el = effect?.target;
  if (playState !== 'running' || !el || effect.pseudoElement !== null) return false;
  const { endTime, duration } = effect.getComputedTiming();
  if (endTime !== Infinity || !(duration <= kTurnMax) || !turnsWhole(effect.getKeyframes())) return false;
  const { width, height } = rectOf(el);
  if (!(Math.max(width, height) <= kRingMax) || visibleTextOf(el) !== '') return false;
  return isVisible(el) && inWindow(el) && isDrawn(effect);
}
function turnsWhole(frames) {
  const angles = frames.map(({ transform, rotate }) => angleIn(transform ?? '') || angleIn(`rotate(${rotate})`));
  return Math.max(...angles) - Math.min(...angles) >= 360;
}
function angleIn(transform) {
  const [, number, unit] = /rotate[zZ]?\((?:z )?(-?[\d.]+)(deg|turn)\)/.exec(transform) ?? [];
  return number === undefined ? 0 : unit === 'turn' ? number * 360 : +number;
}
const kTurnMax = 3000; // ms
const kRingMax = 100; // CSS px, of a box that turns to its corners

function signOfEmptiness(fetching) {
  const body = bodyOf(document);
  if (!body || elementsOf(document, 'script').length === 0) return null;
  if (elementsOf(document, '*').length > kSmall) return null;
  const seen = signs(kContent).filter(isVisible);
  if (seen.some((el) => !fetching || !isSplash(el)) || seen.length > kSplashes) return null;
  const text = visibleTextOf(body);
  if (text === '') return fetching ? { el: body, words: 'nothing is shown yet' } : null;
  return kWaitWords.test(text) ? { el: body, words: quote(cut(text, 60)) } : null;
}

// A picture that a page may show before all else: its logo, or a ring that turns.
function isSplash(el) {
  if (!kSplashTags.test(tagOf(el))) return false;
  const { width, height } = rectOf(el);
  return Math.max(width, height) <= kSplashMax;
}
const kSplashTags = /^(svg|img)$/;
const kSplashMax = 256; // CSS px
const kSplashes = 2;

// What the page says of its loading now; '' where there is no sign.
const loadingWords = () => signOfLoading(false, false)?.words ?? '';

// Whether a page that fetches nothing shows nothing, as one does whose scripts have yet to begin with what it shows.
const isPageBlank = () => !leftBlank.has(bodyOf(document)) && signOfEmptiness(true) !== null;
const leftBlank = new WeakSet(); // the bodies that stayed so

// Waits until the signs have gone. `words`: of the one that is left, else ''. `waitedMs` 0: nothing was waited for.
// `idle`: the page has asked for callbacks when it is idle. `blank`: for how many ms a page is waited for that shows nothing and
// fetches nothing.
function loaded({ callId, timeout, fetching = false, scripts = false, blank = 0 }) {
  const began = performance.now();
  let last = null;
  let wasBlank = false;
  const view = firstView();
  const tell = (sign) => ({
    ok: true,
    words: sign?.words ?? '',
    waitedMs: last === null && !wasBlank ? 0 : performance.now() - began,
    idle: isIdleDue(),
  });
  return poll(
    { callId, timeout },
    (finish, again) => {
      const sign = signOfLoading(fetching, scripts, outlasted);
      if (!sign && blank > 0 && isPageBlank()) {
        wasBlank = true;
        if (performance.now() - began < blank) return again();
        leftBlank.add(bodyOf(document));
      }
      if (!sign && wasBlank && !leftBlank.has(bodyOf(document)) && !view.isOver()) return again();
      if (!sign || outlasted.has(sign.el)) {
        finish(tell(sign ?? signOfLoading(fetching, scripts)));
        return;
      }
      last = sign;
      again();
    },
    () => {
      if (last) outlasted.add(last.el);
      if (last?.isUndefined) neverDefined.add(tagOf(last.el));
      return tell(last);
    },
  );
}

// The first that a page shows may be left at once for another view, which has an address of its own: whoever isn't logged in sees
// the login. isOver() is asked from when something is shown until it says so.
function firstView() {
  let address = null;
  let until = 0;
  return {
    isOver() {
      const now = performance.now();
      if (location.href !== address) {
        until = now + (address === null ? kLedOn : kNextView);
        address = location.href;
      }
      return now >= until;
    },
  };
}
const kLedOn = 50; // ms, after which a page isn't led on
const kNextView = 150; // ms, for which the next view is waited for

export { loaded, loadingWords };
