// Putting a text into a control at once. Nothing is changed when the text is refused.

import { attr, focusElement, hasAttr, inputTypeOf, inputValueOf, methodOf, tagOf } from '../dom/members.js';
import { nameValue } from '../dom/secrets.js';
import { cut, quote } from '../dom/text.js';
import { noTextWords, PageError } from '../dom/errors.js';
import { disabledReason } from '../aria/states.js';
import { controlOf, isEditable, isMadeSlider, kDateFormats, takesText } from '../aria/values.js';
import { describeElement, describeTarget, resolveTarget } from '../target/targets.js';
import { startFrames, watchAction } from '../wait/frames.js';
import { setAreaValue, setField, setInputValue } from './setters.js';
import { select } from './choices.js';
import { beginSlider } from './sliders.js';
import { beginTyping, isEditorsField, isField, selectContents, selectsByKey } from './typing.js';

const createIn = methodOf(Document, 'createElement');
const execIn = methodOf(Document, 'execCommand');

const kFormats = {
  __proto__: null,
  ...kDateFormats,
  color: '#rrggbb',
  number: 'a number',
  range: 'a number',
};

// Why an input would not take this text as its value, or ''. A detached twin is asked, so that the page sees nothing.
function refusal(el, type, text) {
  if (type === 'file') return 'is a file input: use browser_file_upload';
  if (/^(checkbox|radio)$/.test(type)) return `is a ${type}: click it`;
  if (/^(button|submit|reset|image|hidden)$/.test(type)) return `is an input of type ${type}: it takes no text`;
  if (!(type in kFormats) || text === '') return '';
  const twin = createIn(document, 'input');
  twin.type = type;
  for (const name of ['min', 'max', 'step']) if (hasAttr(el, name)) twin.setAttribute(name, attr(el, name));
  if (type === 'color') return /^#[0-9a-f]{6}$/i.test(text) ? '' : badValue(type, text);
  if (type === 'range') {
    const number = Number(text);
    if (text.trim() === '' || !Number.isFinite(number)) return badValue(type, text);
    setInputValue(twin, text);
    if (Number(inputValueOf(twin)) === number) return '';
    return `takes values from ${twin.min || 0} to ${twin.max || 100} in steps of ${twin.step || 1}, not ${quote(cut(text, 60))}`;
  }
  setInputValue(twin, text);
  if (inputValueOf(twin) === '') return badValue(type, text);
  return '';
}
const badValue = (type, text) => `takes a ${type} as ${kFormats[type]}, not ${quote(cut(text, 60))}`;

// Checks the text and readies the element for it. `input`: C++ has the browser put it in, and calls endTyping then.
// What takes a text only as a whole (a date, a colour), and what doesn't take the focus, is set here; with `byScript`
// everything is. `shown` stands for the text where the element's value is hidden, as long as it holds this text. `slider`: C++ is to move it to the number `wanted` by keys.
function fill({ target, text, watch = false, byScript = false, shown = '' }) {
  const el = controlOf(resolveTarget(target, takesText).el);
  const tag = tagOf(el);
  if (isMadeSlider(el) && !disabledReason(el, tag))
    return { ok: true, ...describeTarget(el, 1), slider: true, wanted: beginSlider(el, String(text)) };
  if (watch) watchAction();
  const refuse = (why) => {
    throw new PageError(`${describeElement(el)} ${why}.`);
  };
  text = String(text);
  if (tag === 'select') return select({ target, values: [text] });
  if (disabledReason(el, tag)) refuse(`is ${disabledReason(el, tag)}`);
  let put = setContent;
  let whole = false;
  if (tag === 'input') {
    const type = inputTypeOf(el);
    const why = refusal(el, type, text);
    if (why) refuse(why);
    if (el.readOnly) refuse('is read-only');
    whole = kSetWhole.test(type);
    put = (into, value) => setField(into, setInputValue, type === 'color' ? value.toLowerCase() : value);
  } else if (tag === 'textarea') {
    if (el.readOnly) refuse('is read-only');
    whole = text.split('\n', kLinesTyped + 1).length > kLinesTyped && !isEditorsField(el);
    put = (into, value) => setField(into, setAreaValue, value);
  } else if (!isEditable(el)) refuse(noTextWords('input, textarea, select'));
  if (shown !== '') nameValue(el, text, shown);
  const aim = new WeakRef(el);
  const otherwise = () => {
    if (aim.deref()) put(aim.deref(), text);
  };
  const input = !whole && !byScript && beginTyping(el, text, { watch, otherwise });
  if (!input) {
    focusElement(el);
    put(el, text);
    if (watch) startFrames();
  }
  const selectAll = input && selectsByKey(el);
  return { ok: true, ...describeTarget(el, 1), input, selectAll, isField: input && isField(tag) && !selectAll };
}
// Their fields are made of parts, or have no caret.
const kSetWhole = /^(date|time|datetime-local|month|week|color|range)$/;

// The browser puts in line by line, and takes longer for each: 1,000 lines take 3 s.
const kLinesTyped = 12;

// The editing command keeps an editor's own model and undo stack right, and fires its events.
function setContent(el, text) {
  selectContents(el);
  if (text === '') execIn(document, 'delete');
  else execIn(document, 'insertText', false, text);
}

export { fill };
