// Targets: a ref or a selector becomes an element, and an element becomes words.

import { hasAttr, inputTypeOf, isConnected, tagOf, textContentOf } from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { noteActed } from '../dom/acted.js';
import { AbsentError, PageError, tagSketch } from '../dom/errors.js';
import { closestFlat } from '../dom/flat_tree.js';
import { isVisible, withPass } from '../dom/style.js';
import { roleOf } from '../aria/roles.js';
import { isSecret } from '../aria/values.js';
import { nameOf } from '../aria/names.js';
import { goneRecords, recordOf, records, refText } from '../tree/refs.js';
import { rescan } from '../tree/numbering.js';
import { matchAll } from './selectors.js';

const kRefForm = /^(?:f\d+)?e\d+$/;

// -> { el, count }: the first visible match and how many there were. Throws PageError.
function resolveTarget(target) {
  if (typeof target !== 'string' || target.trim() === '')
    throw new PageError('The target is empty: give a ref of the snapshot, a CSS selector, text=... or role=...');
  const text = target.trim();
  if (kRefForm.test(text)) return { el: elementByRef(text), count: 1 };
  return withPass(() => {
    const found = matchAll(text);
    if (!found.length) throw new AbsentError(`Nothing on the page matches ${quote(cut(text, 200))}.`);
    return { el: found.length === 1 ? found[0] : (found.find(isVisible) ?? found[0]), count: found.length };
  });
}

// The element of a ref; a gone one is looked for among what the page shows now.
function elementByRef(ref) {
  const n = Number(/e(\d+)$/.exec(ref)[1]);
  const record = records.get(n) ?? goneRecords.get(n);
  if (!record) throw new PageError(`${ref} is not a ref of this page as last seen. Take a new snapshot.`);
  let el = record.el.deref();
  if (el && isConnected(el)) return el;
  rescan();
  el = record.el.deref();
  if (el && isConnected(el)) return el;
  const name = record.name ? ` ${quote(cut(record.name, 80))}` : '';
  throw new PageError(`${ref} was ${record.role}${name}; it is no longer on the page. Take a new snapshot.`);
}

// Human words for an element: `button "Save"`.
function describeElement(el) {
  return withPass(() => {
    const tag = tagOf(el);
    const role = roleOf(el, tag) ?? 'generic';
    const name = nameOf(el, tag, role);
    if (name) return `${role} ${quote(cut(name, 80))}`;
    const text =
      role === 'generic' || role === 'listitem' || role === 'paragraph'
        ? cut(oneSpace(textContentOf(el).slice(0, 200)), 60)
        : '';
    return role === 'generic'
      ? tagSketch(el) + (text ? ' ' + quote(text) : '')
      : text
        ? `${role} ${quote(text)}`
        : `${role} ${tagSketch(el)}`;
  });
}

// What the C++ side asks of any element that it is about to act on. The ref is given without taking a new number from the counter.
function describeTarget(el, count) {
  noteActed(el);
  const tag = tagOf(el);
  const record = recordOf.get(el);
  const role = withPass(() => roleOf(el, tag)) ?? 'generic';
  const link = closestFlat(el, (at) => (tagOf(at) === 'a' || tagOf(at) === 'area') && hasAttr(at, 'href'));
  return {
    ref: record ? refText(record) : null,
    count,
    describe: describeElement(el),
    tag,
    role,
    inputType: tag === 'input' ? inputTypeOf(el) : null,
    isLink: link !== null,
    multiple: tag === 'input' || tag === 'select' ? el.multiple : false,
    secret: isSecret(el, tag),
  };
}

export { resolveTarget, describeElement, describeTarget };
