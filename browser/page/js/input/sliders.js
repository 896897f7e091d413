// Sliders that are no <input type=range>: C++ moves them by keys [tool.type.slider], and asks here where they stand.

import { attr, isConnected } from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { describeElement } from '../target/targets.js';
import { shortNumber } from '../aria/values.js';
import { poll } from '../wait/pollers.js';
import { focusEditable, hasFocus } from './typing.js';

// The slider that is being moved, and the value that C++ has last been told.
let moved = null;

// A value that the page has given a slider, or null. No value is an empty one.
function numberIn(text) {
  const number = text === null || !kNumberForm.test(text) ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}
const kNumberForm = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
const sliderValue = (el, name) => numberIn(attr(el, `aria-${name}`));

// `from 0 to 100, now at 20 ("20 %")`: the range where the page tells it, and where the slider stands.
function standing(el) {
  const [least, most] = [sliderValue(el, 'valuemin'), sliderValue(el, 'valuemax')];
  return `${least !== null && most !== null ? `from ${least} to ${most}, ` : ''}now at ${saidOf(el)}`;
}

// `20 ("20 %")`
function saidOf(el) {
  const now = cut(oneSpace(shortNumber(attr(el, 'aria-valuenow') ?? '')), 40);
  const words = cut(oneSpace(attr(el, 'aria-valuetext') ?? ''), 80);
  return words && words !== now ? `${now} (${quote(words)})` : now;
}

const kByMouse =
  'drag it with browser_drag to a point of its track (endTarget, endPosition), or click there with browser_click (position)';

// Why what its author calls a slider, as its handle, but no reader knows as one, can't be set; '' of any other.
const kSliderClass = /(^|[\s_-])slider([\s_-]|$)/i;
const unsaidSlider = (el) =>
  kSliderClass.test(attr(el, 'class') ?? '')
    ? `is drawn as a slider, but has no number by which it could be set: ${kByMouse}, or click it and press arrow keys`
    : '';

// Checks that a slider can be set to a number by keys, and gives it the focus; a click would move it. The number.
function beginSlider(el, text) {
  const refuse = (why) => {
    throw new PageError(`${describeElement(el)} ${why}.`);
  };
  if (sliderValue(el, 'valuenow') === null)
    refuse(`is a slider without a number in aria-valuenow, by which it could be set: ${kByMouse}`);
  const wanted = numberIn(text);
  const asked = quote(cut(text, 60));
  if (wanted === null) refuse(`is a slider ${standing(el)}: it is set to a number, not ${asked}`);
  const [least, most] = [sliderValue(el, 'valuemin'), sliderValue(el, 'valuemax')];
  if ((least !== null && wanted < least) || (most !== null && wanted > most))
    refuse(`is a slider ${standing(el)}: it can't be set to ${asked}`);
  if (attr(el, 'aria-readonly') === 'true') refuse(`is a slider ${standing(el)}, and read-only`);
  focusEditable(el);
  if (!hasFocus(el)) refuse(`is a slider ${standing(el)}, which doesn't take the focus and so no keys: ${kByMouse}`);
  moved = { el: new WeakRef(el), told: attr(el, 'aria-valuenow') };
  return wanted;
}

// Where the slider that is being moved stands, once its value is another than the last that was told, or the time is over.
// `left`: it was another document's.
function sliderNow({ callId, timeout }) {
  if (moved === null) return { ...kNoSlider, left: true };
  const step = (finish, again) => {
    const el = moved.el.deref();
    if (!el || !isConnected(el)) throw new PageError('The slider is no longer on the page. Take a new snapshot.');
    if (attr(el, 'aria-valuenow') === moved.told) again();
    else finish(sliderState(el));
  };
  return poll({ callId, timeout }, step, () => sliderState(moved.el.deref()));
}

const kNoSlider = { ok: true, now: 0, least: null, most: null, upright: false, focused: false, said: '', standing: '' };

function sliderState(el) {
  const now = sliderValue(el, 'valuenow');
  if (now === null) throw new PageError(`${describeElement(el)} has no number in aria-valuenow any more.`);
  moved.told = attr(el, 'aria-valuenow');
  return {
    ok: true,
    left: false,
    now,
    least: sliderValue(el, 'valuemin'),
    most: sliderValue(el, 'valuemax'),
    upright: attr(el, 'aria-orientation') === 'vertical',
    focused: hasFocus(el),
    said: saidOf(el),
    standing: standing(el),
  };
}

export { beginSlider, sliderNow, unsaidSlider };
