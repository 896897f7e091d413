// Choosing: options of a <select>, and whether a checkbox has to be clicked.

import {
  attr,
  focusElement,
  hasAttr,
  inputTypeOf,
  inputValueOf,
  isConnected,
  nextElementOf,
  optionSelectedOf,
  previousElementOf,
  querySelectorAllOf,
  selectOptionsOf,
  tagOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { byIdNear, closestFlat, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { isControl } from '../dom/hit.js';
import { withPass } from '../dom/pass.js';
import { kChecked, roleOf } from '../aria/roles.js';
import { checkedStateOf, disabledReason } from '../aria/states.js';
import { controlOf } from '../aria/values.js';
import { optionText } from '../aria/parts.js';
import { isStoodForNow } from '../tree/natives.js';
import { widgetOf } from '../tree/widgets.js';
import { refOf } from '../target/nearest.js';
import { describeElement, describeTarget, resolveTarget } from '../target/targets.js';
import { poll } from '../wait/pollers.js';
import { chooserOf, textBesideLists } from './choosers.js';
import { fire, setField, setInputValue, setOptionSelected } from './setters.js';

const kOptionsListed = 30;

// What there is to choose from: of each option its label, its value (null without one) and whether it is disabled.
function optionsText(options) {
  const list = options
    .slice(0, kOptionsListed)
    .map(
      ({ label, value, disabled }) =>
        quote(cut(label, 60)) +
        (value !== null && value !== label ? ` (value ${quote(cut(value, 60))})` : '') +
        (disabled ? ' (disabled)' : ''),
    );
  return list.join(', ') + (options.length > kOptionsListed ? `, … ${options.length - kOptionsListed} more` : '');
}

const entryOf = (option) => ({
  label: optionText(option),
  value: option.value,
  disabled: disabledReason(option, 'option') !== '',
});

// The <select> that a target names: itself, its label's, or the hidden one that a styled widget stands for, beside the
// widget or around it, else the only one close by. Null without one.
function selectOf(target) {
  const el = controlOf(target);
  if (tagOf(el) === 'select') return el;
  return withPass(() => {
    for (let at = el, depth = 0; at && depth < kWidgetDepth; at = flatParentOf(at), depth++)
      for (const beside of [previousElementOf(at), nextElementOf(at)]) {
        const widget = beside !== null && tagOf(beside) === 'select' ? widgetOf(beside) : null;
        if (widget && (flatContains(widget, el) || flatContains(el, widget))) return beside;
      }
    for (let at = el, depth = 0; at && depth < kSearchDepth; at = flatParentOf(at), depth++) {
      const found = querySelectorAllOf(at, 'select');
      if (found.length > 0) return found.length === 1 && isStoodForNow(found[0]) ? found[0] : null;
    }
    return null;
  });
}
const kWidgetDepth = 6; // elements from a part of the widget up to what stands beside the select
const kSearchDepth = 3;

// By value first, then by label; one that isn't disabled, if there is any.
function optionFor(options, value) {
  const want = oneSpace(String(value));
  const isCalled = (wordsOf, called) => (option) => wordsOf(option) === called;
  return (
    pickEnabled(options.filter((option) => option.value === String(value))) ??
    pickEnabled(options.filter(isCalled(optionText, want))) ??
    pickEnabled(options.filter(isCalled((option) => optionText(option).toLowerCase(), want.toLowerCase())))
  );
}

// The words by which a person finds the options of a select in the widget that stands for it.
const wordsFor = (el, values) => {
  const options = Array.from(selectOptionsOf(el));
  return values.map((value) => {
    const option = optionFor(options, value);
    return option ? optionText(option) : String(value);
  });
};

// The suggestions that a field has by its `list` attribute, which the browser draws itself; null without any.
function suggestionsOf(el) {
  const list = tagOf(el) === 'input' && hasAttr(el, 'list') ? byIdNear(el, attr(el, 'list')) : null;
  return list !== null && tagOf(list) === 'datalist' ? [...querySelectorAllOf(list, 'option')] : null;
}

// Puts one of them into the field, as a person picks it.
function chooseSuggestion(el, count, suggestions, values) {
  if (values.length !== 1) throw new PageError(`${describeElement(el)} takes one value, not ${values.length}.`);
  if (el.readOnly) throw new PageError(`${describeElement(el)} is read-only.`);
  const match = optionFor(suggestions, values[0]);
  if (!match) {
    const offers = suggestions.map((one) => ({ ...entryOf(one), label: optionText(one) || one.value }));
    const list = offers.length > 0 ? `It suggests: ${optionsText(offers)}` : 'It suggests none';
    throw new PageError(
      `${describeElement(el)} has no suggestion ${quote(cut(String(values[0]), 80))}. ${list}; other text can be typed into it.`,
    );
  }
  focusElement(el);
  const changed = inputValueOf(el) !== match.value;
  if (changed) setField(el, setInputValue, match.value);
  const selected = [{ label: optionText(match) || match.value, value: match.value }];
  return { ok: true, ...describeTarget(el, count), changed, selected };
}

// Of what has one name, such as a tab and the list in it, what can be chosen in.
const takesChoice = (el) => selectOf(el) !== null || chooserOf(el) !== null || suggestionsOf(controlOf(el)) !== null;

// All or nothing: one bad value changes nothing.
function select({ target, values }) {
  const { el: found, count } = resolveTarget(target, takesChoice);
  const el = selectOf(found) ?? controlOf(found);
  const suggestions = suggestionsOf(el);
  if (tagOf(el) !== 'select' && suggestions === null)
    throw new PageError(`${describeElement(el)} is not a <select>: click it and then the option.`);
  const disabled = disabledReason(el, tagOf(el));
  if (disabled) throw new PageError(`${describeElement(el)} is ${disabled}.`);
  if (suggestions !== null) return chooseSuggestion(el, count, suggestions, values);
  const options = Array.from(selectOptionsOf(el));
  if (!el.multiple && values.length !== 1)
    throw new PageError(`${describeElement(el)} takes one value, not ${values.length}.`);
  const chosen = new Set();
  const widget = widgetOf(el);
  // What can't be chosen in the hidden select is chosen in its widget as a person would.
  const left = () => ({ ok: true, ...describeTarget(el, count), changed: false, selected: [], byWidget: true });
  for (const value of values) {
    const match = optionFor(options, value);
    const asked = quote(cut(String(value), 80));
    const list = options.length > 0 ? `It has: ${optionsText(options.map(entryOf))}.` : 'It has none.';
    if (!match) {
      const isPart = widget !== null && options.every((option) => optionSelectedOf(option)); // its widget holds the rest
      if (isPart && chooserOf(found)) return left();
      const more = isPart
        ? ` ${describeElement(widget)}${refOf(widget)}, which stands for it, may offer more: click that.`
        : '';
      throw new PageError(`${describeElement(el)} has no option ${asked}. ${list}${more}`);
    }
    if (disabledReason(match, 'option'))
      throw new PageError(`The option ${asked} of ${describeElement(el)} is disabled. ${list}`);
    chosen.add(match);
  }
  if (found === el && widget === null && !withPass(() => isStoodForNow(el))) focusElement(el);
  const before = options.filter((option) => optionSelectedOf(option));
  const shown = widget && shownWords(el, widget);
  const changed = choose(el, options, chosen);
  const selected = options.filter((option) => chosen.has(option)).map(labelAndValue);
  const done = () => {
    const now = Array.from(selectOptionsOf(el))
      .filter((option) => optionSelectedOf(option))
      .map(labelAndValue);
    // A page may take what was chosen for a command, and set the field back.
    const isOther = now.map(({ value }) => value).join('\n') !== selected.map(({ value }) => value).join('\n');
    return { ok: true, ...describeTarget(el, count), changed, selected, ...(isOther ? { now } : {}) };
  };
  if (!changed) return done();
  if (widget === null) return done().now === undefined ? done() : poll({ timeout: kKeptLimit }, untilKept(done), done);
  return poll({ timeout: kFollowLimit }, untilFollowed(el, widget, { shown, chosen, done }), () => {
    choose(el, options, new Set(before));
    if (chooserOf(found)) return left();
    throw new PageError(
      `${describeElement(el)} is hidden, and ${describeElement(widget)}${refOf(widget)}, which stands for it, ` +
        `${shown ? `still shows ${quote(cut(shown, 60))}` : 'does not follow it'}. Nothing was changed: click that, and then the option.`,
    );
  });
}

// A page that keeps the value itself sets the field back at once, and to what was chosen in one of its next frames.
const untilKept = (done) => (finish, again) => {
  const result = done();
  if (result.now === undefined) finish(result);
  else again();
};
const kKeptLimit = 100; // ms

const labelAndValue = (option) => ({ label: optionText(option), value: option.value });

// Whether anything has changed, which the page is told of.
function choose(el, options, chosen) {
  const before = options.map((option) => optionSelectedOf(option)).join();
  if (el.multiple) for (const option of options) setOptionSelected(option, chosen.has(option));
  else for (const option of chosen) setOptionSelected(option, true);
  if (options.map((option) => optionSelectedOf(option)).join() === before) return false;
  fire(el, 'input');
  fire(el, 'change');
  return true;
}

// A widget follows its hidden select if what it shows changes, or has the chosen labels in it. One that shows no words and has
// no field for any, such as a row of stars, can't be asked.
function untilFollowed(el, widget, { shown, chosen, done }) {
  const labels = [...chosen].map((option) => oneSpace(optionText(option)));
  return (finish, again) => {
    const now = isConnected(widget) ? shownWords(el, widget) : null;
    const isSilent = shown === '' && now === '' && !el.multiple && fieldsOn(el, widget).length === 0;
    if (now !== shown || isSilent || labels.every((label) => now.includes(label))) finish(done());
    else again();
  };
}
const kFollowLimit = 400; // ms

// What can be read on the widget and beside its select, where its parts may stand. What a list offers, which may be open, is
// not what the widget shows.
function shownWords(el, widget) {
  const around = aroundWidget(el, widget);
  const own = oneSpace(el.innerText); // the labels of all of its options, where it lies in the widget
  const all = oneSpace(textBesideLists(around, el)).replace(own, '');
  return oneSpace([all, ...fieldsOn(el, widget).map((field) => field.value)].join(' '));
}
const aroundWidget = (el, widget) =>
  flatContains(widget, el) ? widget : (childAbove(flatParentOf(el), widget) ?? widget);
const fieldsOn = (el, widget) => {
  const around = aroundWidget(el, widget);
  return [around, ...querySelectorAllOf(around, 'input,textarea')].filter(
    (field) => /^(input|textarea)$/.test(tagOf(field)) && !/^(checkbox|radio|hidden)$/.test(inputTypeOf(field)), // whose values nobody sees
  );
};

// The child of `parent` that holds an element, or null.
const childAbove = (parent, el) => closestFlat(el, (at) => flatParentOf(at) === parent);
const pickEnabled = (list) => list.find((option) => !disabledReason(option, 'option')) ?? list[0];

// The checkbox, radio button or switch that a target names: itself, its label's, or what it is a plain part of; null without one.
function checkableOf(found) {
  const isCheckable = (el) => isNativeCheck(el) || kSwitches.has(withPass(() => roleOf(el, tagOf(el))) ?? '');
  const control = controlOf(found);
  if (isCheckable(control)) return control;
  const around = closestFlat(found, (at) => isControl(at) || isCheckable(at));
  return around !== null && isCheckable(around) ? around : null;
}
const isNativeCheck = (el) => tagOf(el) === 'input' && /^(checkbox|radio)$/.test(inputTypeOf(el));
const kSwitches = words('checkbox radio switch menuitemcheckbox menuitemradio');

// Whether a click is needed to bring a checkbox, radio or switch into the wanted state. The click itself is C++'s.
function setChecked({ target, checked }) {
  const { el: found, count } = resolveTarget(target);
  const el = checkableOf(found) ?? controlOf(found);
  const tag = tagOf(el);
  const role = withPass(() => roleOf(el, tag)) ?? 'generic';
  const native = isNativeCheck(el);
  if (!native && !kChecked.has(role) && !hasAttr(el, 'aria-pressed'))
    throw new PageError(`${describeElement(el)} is no checkbox, radio button or switch.`);
  const now = native || kChecked.has(role) ? checkedStateOf(el, tag, role) : attr(el, 'aria-pressed') === 'true';
  if (!checked && now === true && (role === 'radio' || (native && inputTypeOf(el) === 'radio')))
    throw new PageError(`${describeElement(el)} is a radio button: it is unchecked by checking another one.`);
  return { ok: true, ...describeTarget(el, count), checked: now, needsClick: now !== Boolean(checked) };
}

export { checkableOf, optionsText, select, suggestionsOf, selectOf, setChecked, takesChoice, wordsFor };
