// Problems that the caller may read, and the words that they name an element with.

import { attr, hasAttr, tagOf } from './members.js';
import { cut, oneSpace } from './text.js';

// Problems that the caller may read as they are: what happened, to what, what to do next.
class PageError extends Error {}

// A selector that matches nothing here, perhaps in another frame, perhaps later.
class AbsentError extends PageError {}

function failure(error) {
  if (error instanceof PageError) return { ok: false, error: error.message };
  return { ok: false, error: `page script failed: ${error?.message ?? error}`, bug: true };
}

// `<div class="overlay">`: how error messages name an element.
function tagSketch(el) {
  const tag = tagOf(el);
  let out = '<' + tag;
  const id = attr(el, 'id');
  if (id) out += ` id="${cut(oneSpace(id), 40)}"`;
  const cls = attr(el, 'class');
  if (cls) out += ` class="${cut(oneSpace(cls), 60)}"`;
  if (!id && !cls)
    for (const name of ['name', 'type', 'role', 'href'])
      if (hasAttr(el, name)) {
        out += ` ${name}="${cut(oneSpace(attr(el, name)), 40)}"`;
        break;
      }
  return out + '>';
}

// Why no text can be put into an element.
const noTextWords = (kinds = 'input, textarea') =>
  `is not an ${kinds} or editable element: text can't be typed into it`;

export { PageError, AbsentError, failure, noTextWords, tagSketch };
