// Choosing: options of a <select>, and whether a checkbox has to be clicked.

import { attr, focusElement, hasAttr, inputTypeOf, optionSelectedOf, selectOptionsOf, tagOf } from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { withPass } from '../dom/style.js';
import { kChecked, roleOf } from '../aria/roles.js';
import { checkedStateOf, disabledReason } from '../aria/states.js';
import { controlOf } from '../aria/values.js';
import { optionText } from '../aria/names.js';
import { describeElement, describeTarget, resolveTarget } from '../target/targets.js';
import { fire, setOptionSelected } from './setters.js';

const kOptionsListed = 30;

function optionsText(options) {
  const list = options.slice(0, kOptionsListed).map((option) => {
    const label = quote(cut(optionText(option), 60));
    const value = option.value;
    return (
      label +
      (value !== optionText(option) ? ` (value ${quote(cut(value, 60))})` : '') +
      (disabledReason(option, 'option') ? ' (disabled)' : '')
    );
  });
  return list.join(', ') + (options.length > kOptionsListed ? `, … ${options.length - kOptionsListed} more` : '');
}

// By value first, then by label. All or nothing: one bad value changes nothing.
function select({ target, values }) {
  const { el: found, count } = resolveTarget(target);
  const el = controlOf(found);
  if (tagOf(el) !== 'select')
    throw new PageError(`${describeElement(el)} is not a <select>: click it and then the option.`);
  if (disabledReason(el, 'select')) throw new PageError(`${describeElement(el)} is ${disabledReason(el, 'select')}.`);
  const options = Array.from(selectOptionsOf(el));
  if (!el.multiple && values.length !== 1)
    throw new PageError(`${describeElement(el)} takes one value, not ${values.length}.`);
  const chosen = new Set();
  for (const value of values) {
    const want = oneSpace(String(value));
    const fits = options.filter((option) => option.value === String(value));
    const match =
      pickEnabled(fits) ??
      pickEnabled(options.filter((option) => optionText(option) === want)) ??
      pickEnabled(options.filter((option) => optionText(option).toLowerCase() === want.toLowerCase()));
    const asked = quote(cut(String(value), 80));
    const list = `It has: ${optionsText(options)}.`;
    if (!match) throw new PageError(`${describeElement(el)} has no option ${asked}. ${list}`);
    if (disabledReason(match, 'option'))
      throw new PageError(`The option ${asked} of ${describeElement(el)} is disabled. ${list}`);
    chosen.add(match);
  }
  focusElement(el);
  const before = options.map((option) => optionSelectedOf(option)).join();
  if (el.multiple) for (const option of options) setOptionSelected(option, chosen.has(option));
  else for (const option of chosen) setOptionSelected(option, true);
  const changed = options.map((option) => optionSelectedOf(option)).join() !== before;
  if (changed) {
    fire(el, 'input');
    fire(el, 'change');
  }
  const selected = options
    .filter((option) => optionSelectedOf(option))
    .map((option) => ({ label: optionText(option), value: option.value }));
  return { ok: true, ...describeTarget(el, count), changed, selected };
}
const pickEnabled = (list) => list.find((option) => !disabledReason(option, 'option')) ?? list[0];

// Whether a click is needed to bring a checkbox, radio or switch into the wanted state. The click itself is C++'s.
function setChecked({ target, checked }) {
  const { el: found, count } = resolveTarget(target);
  const el = controlOf(found);
  const tag = tagOf(el);
  const role = withPass(() => roleOf(el, tag)) ?? 'generic';
  const native = tag === 'input' && /^(checkbox|radio)$/.test(inputTypeOf(el));
  if (!native && !kChecked.has(role) && !hasAttr(el, 'aria-pressed'))
    throw new PageError(`${describeElement(el)} is no checkbox, radio button or switch.`);
  const now = native || kChecked.has(role) ? checkedStateOf(el, tag, role) : attr(el, 'aria-pressed') === 'true';
  if (!checked && now === true && (role === 'radio' || (native && inputTypeOf(el) === 'radio')))
    throw new PageError(`${describeElement(el)} is a radio button: it is unchecked by checking another one.`);
  return { ok: true, ...describeTarget(el, count), checked: now, needsClick: now !== Boolean(checked) };
}

export { select, setChecked };
