// What a person leaves before going on to the next field: one whose list or calendar is open over that.

import { documentById, focusElement } from '../dom/members.js';
import { flatContains, idListOf, meets } from '../dom/flat_tree.js';
import { withPass } from '../dom/pass.js';
import { isVisible } from '../dom/style.js';
import { isTypedInto } from '../aria/values.js';
import { everywhere } from '../target/css.js';
import { resolveTarget } from '../target/targets.js';

const kOpenFields = '[aria-expanded=true][aria-controls],[aria-expanded=true][aria-owns]';

// -> { focused }: whether another field than the target has something open over it; that field has the focus then.
function leaveFieldOver({ target }) {
  return withPass(() => {
    const { el } = resolveTarget(target);
    const isOver = (popup) => popup !== null && isVisible(popup) && !flatContains(popup, el) && meets(popup, el);
    const opened = (one) =>
      ['aria-controls', 'aria-owns'].flatMap((name) => idListOf(one, name)).map((id) => documentById(document, id));
    const field = everywhere(kOpenFields).find((one) => one !== el && isTypedInto(one) && opened(one).some(isOver));
    if (field === undefined) return { ok: true };
    focusElement(field);
    return { ok: true, focused: true };
  });
}

export { leaveFieldOver };
