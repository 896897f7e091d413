// What a check of the page compares: whether a target can be seen, and what it holds. What a secret's field holds is
// compared here and never told.

import { checkedStateOf } from '../aria/states.js';
import { isSecret, valueOf } from '../aria/values.js';
import { roleOf } from '../aria/roles.js';
import { inputTypeOf, tagOf, textContentOf } from '../dom/members.js';
import { shownForSecret } from '../dom/secrets.js';
import { isVisible } from '../dom/style.js';
import { cut, oneSpace } from '../dom/text.js';
import { visibleTextOf } from '../wait/wait_for.js';
import { describeElement, resolveTarget } from '../target/targets.js';
import { fieldValue } from './typing.js';

const kHeldShown = 300; // characters of what there is instead

// What the element holds, as a text: true, false or mixed for what is checked, a select's chosen labels.
function heldBy(el) {
  const tag = tagOf(el);
  const role = roleOf(el, tag) ?? 'generic';
  if (/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role))
    return String(checkedStateOf(el, tag, role));
  if (tag === 'select') return Array.from(el.selectedOptions, (option) => oneSpace(textContentOf(option))).join(', ');
  if (tag === 'textarea' || (tag === 'input' && inputTypeOf(el) !== 'file')) return fieldValue(el);
  return valueOf(el, tag, role) ?? oneSpace(visibleTextOf(el));
}

function isHolding(el, now, value) {
  if (now === value) return true;
  return tagOf(el) === 'select' && Array.from(el.selectedOptions, (option) => option.value).join(', ') === value;
}

// `value`: is that what it holds? `items`: the first of these texts that it doesn't show, in this order, is `missing`.
function held({ target, value = null, items = null }) {
  const { el } = resolveTarget(target);
  const answer = { ok: true, describe: describeElement(el), visible: isVisible(el) };
  if (value !== null) {
    const now = heldBy(el);
    answer.matches = isHolding(el, now, value);
    answer.held = isSecret(el, tagOf(el)) ? shownForSecret(el, now) : cut(now, kHeldShown);
  }
  if (items !== null) {
    const text = oneSpace(visibleTextOf(el));
    let from = 0;
    for (const item of items) {
      const words = oneSpace(item);
      const at = text.indexOf(words, from);
      if (at < 0) {
        answer.missing = item;
        break;
      }
      from = at + words.length;
    }
    answer.held = cut(text, kHeldShown);
  }
  return answer;
}

export { held };
