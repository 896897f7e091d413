// The widget that a page puts in the place of a native control: the control holds the value, the widget shows it.

import {
  attr,
  hasAttr,
  isRendered,
  matchesSelector,
  nextElementOf,
  optionSelectedOf,
  previousElementOf,
  querySelectorAllOf,
  selectOptionsOf,
  tagOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { oneSpace } from '../dom/text.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { withPass } from '../dom/pass.js';
import { isVisible } from '../dom/style.js';
import { isStoodForNow } from './natives.js';

const kNatives = words('select input textarea');
const kWidgetsAround = '[role=combobox],[role=listbox],[aria-haspopup]';
const kWidgetsBeside = `${kWidgetsAround},[role=searchbox],[role=textbox],[role=spinbutton],[tabindex="0"],input,textarea,iframe`;
const kTypedIn = '[role=textbox],[contenteditable],textarea,iframe'; // an editor has menus and buttons before it, too
const kLevelsAround = 3; // elements from the control up

// The widget around a native control that nobody can see, or beside it; null without one. A form's own hidden fields
// stand beside others by chance: a field with a name of its own stands for none.
function widgetOf(el) {
  const tag = tagOf(el);
  if (!kNatives.has(tag)) return null;
  if (tag !== 'select' && attr(el, 'tabindex') !== '-1' && isRendered(el)) return null;
  return withPass(() => {
    if (!isStoodForNow(el)) return null;
    for (let at = flatParentOf(el), depth = 0; at && depth < kLevelsAround; at = flatParentOf(at), depth++)
      if (matchesSelector(at, kWidgetsAround) && isVisible(at)) return at;
    const next = nextElementOf(el);
    const leads = widgetsLead(el);
    // What is typed may gather in a box between the hidden field and the one that is seen.
    const typedAfter =
      tag === 'input' && next !== null && widgetIn(next, 'input') === null ? nextElementOf(next) : null;
    for (const beside of [leads ? null : next, typedAfter, previousElementOf(el)]) {
      if (beside === null || !isVisible(beside) || (!leads && isAnothers(beside, el))) continue;
      const widget = widgetIn(beside, tag);
      if (widget !== null) return widget;
      if (tag === 'select' && isOnButton(el, beside)) return buttonsIn(beside)[0];
    }
    return null;
  });
}

// What stands for a control with such a tag in an element, or is it; null without one. What is typed doesn't go to a list.
function widgetIn(beside, tag) {
  const fits = (one) => !hasAttr(one, 'name') && isVisible(one) && (tag !== 'input' || !matchesSelector(one, kLists));
  if (matchesSelector(beside, kWidgetsBeside) && fits(beside)) return beside;
  const within = [...querySelectorAllOf(beside, kWidgetsBeside)].filter(fits);
  const typedIn = tag === 'textarea' ? within.find((one) => matchesSelector(one, kTypedIn)) : undefined;
  return typedIn ?? within[0] ?? null;
}
const kLists = '[role=listbox]';

// Whether each of some hidden controls side by side comes after its widget, as the inputs of a row of sliders do.
function widgetsLead(el) {
  const isWidget = (one) => one !== null && !isNative(one) && isVisible(one) && widgetIn(one, tagOf(el)) !== null;
  const goesTo = (step) => {
    for (let at = el, n = 0; n < kRun; n++) {
      const widget = step(at);
      if (!isWidget(widget)) return at;
      at = step(widget);
      if (at === null || !isNative(at)) return widget;
    }
    return el;
  };
  const last = goesTo(nextElementOf);
  const [before, kin] = [previousElementOf(el), previousElementOf(previousElementOf(el) ?? el)];
  const isOneOfSome = last !== el || (isWidget(before) && kin !== null && isNative(kin));
  return isOneOfSome && !isNative(goesTo(previousElementOf)) && isNative(last);
}
const isNative = (el) => kNatives.has(tagOf(el));
const kRun = 20; // pairs looked at

// A button stands for a select if it shows what is selected there; by chance one may stand beside it that does something else.
const buttonsIn = (el) =>
  (tagOf(el) === 'button' ? [el] : [...querySelectorAllOf(el, 'button,[role=button]')]).filter(isVisible);
function isOnButton(select, beside) {
  const buttons = buttonsIn(beside);
  const shown = [...selectOptionsOf(select)].filter(optionSelectedOf).map((option) => oneSpace(option.label));
  return buttons.length === 1 && shown.length > 0 && oneSpace(buttons[0].innerText) === shown.join(', ');
}

// What stands between two native controls is the first one's.
function isAnothers(beside, el) {
  const before = previousElementOf(beside);
  return before !== null && before !== el && isNative(before);
}

export { widgetOf };
