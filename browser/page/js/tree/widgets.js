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
    for (const beside of [nextElementOf(el), previousElementOf(el)]) {
      if (beside === null || !isVisible(beside) || isAnothers(beside, el)) continue;
      const fits = (one) => !hasAttr(one, 'name') && isVisible(one);
      if (matchesSelector(beside, kWidgetsBeside) && fits(beside)) return beside;
      const within = [...querySelectorAllOf(beside, kWidgetsBeside)].filter(fits);
      const typedIn = tag === 'textarea' ? within.find((one) => matchesSelector(one, kTypedIn)) : undefined;
      if (within.length > 0) return typedIn ?? within[0];
      if (tag === 'select' && isOnButton(el, beside)) return buttonsIn(beside)[0];
    }
    return null;
  });
}

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
  return before !== null && before !== el && kNatives.has(tagOf(before));
}

export { widgetOf };
