// Putting text into controls, at once or by keys. Nothing is changed when the text is refused.

import {
  areaValueOf,
  attr,
  focusElement,
  hasAttr,
  inputTypeOf,
  inputValueOf,
  methodOf,
  rootNodeOf,
  shadowActiveElementOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { cut, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { kHiddenValue } from '../dom/secrets.js';
import { deepActiveElement } from '../dom/flat_tree.js';
import { disabledReason } from '../aria/states.js';
import { controlOf, isEditable, isSecret } from '../aria/values.js';
import { describeElement, describeTarget, resolveTarget } from '../target/targets.js';
import { startFrames, watchAction } from '../wait/frames.js';
import { fire, setAreaValue, setInputValue } from './setters.js';
import { select } from './choices.js';

const createIn = methodOf(Document, 'createElement');
const execIn = methodOf(Document, 'execCommand');

const kFormats = {
  __proto__: null,
  date: 'YYYY-MM-DD',
  time: 'HH:MM',
  'datetime-local': 'YYYY-MM-DDTHH:MM',
  month: 'YYYY-MM',
  week: 'YYYY-Www',
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

function fill({ target, text, watch = false }) {
  const el = controlOf(resolveTarget(target).el);
  if (watch) watchAction();
  const tag = tagOf(el);
  const refuse = (why) => {
    throw new PageError(`${describeElement(el)} ${why}.`);
  };
  text = String(text);
  if (tag === 'select') return select({ target, values: [text] });
  if (disabledReason(el, tag)) refuse(`is ${disabledReason(el, tag)}`);
  if (tag === 'input') {
    const type = inputTypeOf(el);
    const why = refusal(el, type, text);
    if (why) refuse(why);
    if (el.readOnly) refuse('is read-only');
    focusElement(el);
    setInputValue(el, type === 'color' ? text.toLowerCase() : text);
  } else if (tag === 'textarea') {
    if (el.readOnly) refuse('is read-only');
    focusElement(el);
    setAreaValue(el, text);
  } else if (isEditable(el)) {
    focusElement(el);
    selectContents(el);
    // The editing command keeps an editor's own model and undo stack right, and fires its events.
    if (text === '') execIn(document, 'delete');
    else execIn(document, 'insertText', false, text);
    if (watch) startFrames();
    return { ok: true, ...describeTarget(el, 1), value: null };
  } else refuse('is not an input, textarea, select or editable element');
  fire(el, 'input', InputEvent, { inputType: 'insertText', data: text });
  fire(el, 'change');
  if (watch) startFrames();
  return {
    ok: true,
    ...describeTarget(el, 1),
    value: isSecret(el, tag) ? kHiddenValue : tag === 'input' ? inputValueOf(el) : areaValueOf(el),
  };
}

function selectContents(el) {
  const tag = tagOf(el);
  if (tag === 'input' || tag === 'textarea') {
    el.select();
    return;
  }
  const selection = getSelection();
  const range = new Range();
  range.selectNodeContents(el);
  selection.removeAllRanges();
  selection.addRange(range);
}

// Focus for keyboard input; `clear` empties the field the way a user would, by selecting all: what is typed next
// replaces it. An empty field gets the caret at its end.
function focusForTyping({ target, clear = false }) {
  const { el: found, count } = resolveTarget(target);
  const el = controlOf(found);
  const tag = tagOf(el);
  if (!isEditable(el))
    throw new PageError(
      `${describeElement(el)} is not an input, textarea or editable element: text can't be typed into it.`,
    );
  focusElement(el);
  const editable = tag !== 'input' && tag !== 'textarea';
  if (clear) selectContents(el);
  else if (editable) {
    selectContents(el);
    getSelection().collapseToEnd();
  } else if (tag === 'textarea' || /^(text|search|url|tel|password)$/.test(inputTypeOf(el)))
    el.setSelectionRange(el.value.length, el.value.length);
  const root = rootNodeOf(el);
  const focused = deepActiveElement() === el || (root instanceof ShadowRoot && shadowActiveElementOf(root) === el);
  return {
    ok: true,
    ...describeTarget(el, count),
    focused,
    empty: editable ? textContentOf(el) === '' : el.value === '',
  };
}

export { fill, focusForTyping };
