// What a person leaves before going on to the next field: one whose list or calendar is open over that, and one that lets go of the
// text that was typed into it, as it takes only what is chosen.

import { attr, documentById, focusElement, inputValueOf, tagOf } from '../dom/members.js';
import { flatContains, idListOf, meets } from '../dom/flat_tree.js';
import { withPass } from '../dom/pass.js';
import { isVisible } from '../dom/style.js';
import { controlOf, isTypedInto } from '../aria/values.js';
import { everywhere } from '../target/css.js';
import { resolveTarget } from '../target/targets.js';
import { chooserOf, isShownBy } from './choosers.js';

const kOpenFields = '[aria-expanded=true][aria-controls],[aria-expanded=true][aria-owns]';

const openedBy = (field) =>
  ['aria-controls', 'aria-owns'].flatMap((name) => idListOf(field, name)).map((id) => documentById(document, id));

// The combobox whose open list is hit where another element is; null where that isn't what lies over it.
const openerOver = (el, hit) =>
  everywhere(kOpenFields).find(
    (one) =>
      (isTypedInto(one) || attr(one, 'role') === 'combobox') &&
      !flatContains(one, el) &&
      openedBy(one).some((popup) => popup !== null && flatContains(popup, hit) && !flatContains(popup, el)),
  ) ?? null;

// A combobox that has a list open, of which the element is no part; or null.
const openField = (el) =>
  everywhere(kOpenFields).find(
    (one) =>
      (isTypedInto(one) || attr(one, 'role') === 'combobox') &&
      !flatContains(one, el) &&
      openedBy(one).some((popup) => popup !== null && isVisible(popup) && !flatContains(popup, el)),
  ) ?? null;

// -> { focused }: whether another field than the target has something open over it; that field has the focus then.
function leaveFieldOver({ target }) {
  return withPass(() => {
    const { el } = resolveTarget(target);
    const isOver = (popup) => popup !== null && isVisible(popup) && !flatContains(popup, el) && meets(popup, el);
    const field = everywhere(kOpenFields).find((one) => one !== el && isTypedInto(one) && openedBy(one).some(isOver));
    if (field === undefined) return { ok: true };
    focusElement(field);
    return { ok: true, focused: true };
  });
}

// -> { lost }: whether a combobox has let go of a text that was typed into it, and doesn't show it as what is chosen either.
function lostText({ target, text }) {
  const { el } = resolveTarget(target);
  const field = controlOf(el);
  if (tagOf(field) !== 'input' || inputValueOf(field) !== '') return { ok: true };
  const isLost = text.trim() !== '' && !isShownBy(chooserOf(el) ?? el, text);
  return { ok: true, ...(isLost && { lost: true }) };
}

export { leaveFieldOver, lostText, openField, openerOver };
