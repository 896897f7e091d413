// Selectors: parts joined by `>>`, each CSS, `text=...`, `role=button[name="..."]`, XPath, an attribute or a choice of
// what the part before it has found.

import { attr, isElement, methodOf, nodeTypeOf, querySelectorAllOf } from '../dom/members.js';
import { cut, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { isVisible } from '../dom/style.js';
import { kTestIds } from '../tree/refs.js';
import { cssFinder, shadowsOf, splitTop } from './css.js';
import { bareRole, lineRole, roleFinder, tagOrRole } from './by_role.js';
import { textFinder } from './by_text.js';
import { kForms, textMatcher, selectorText } from './text_match.js';

const evaluateIn = methodOf(Document, 'evaluate');

// -> steps, each of which makes a list of elements of the one before: `find` in each of them, `keep` some, `pick` by
// place. Throws PageError at once for what isn't understood.
function parseSelector(text) {
  const parts = splitTop(text, '>>').map((part) => part.trim());
  if (!parts.length || parts.includes('') || /^>>|>>$/.test(text)) throw unknown(text);
  return parts.flatMap((part) => stepsOf(part, text));
}

const unknown = (text) => new PageError(`Invalid selector ${quote(cut(text, 200))}. ${kForms}`);

function stepsOf(part, whole) {
  const line = lineRole(part) ?? bareRole(part) ?? tagOrRole(part, (root) => allIn(root, part));
  if (line) return [line];
  if (/^\(*(\/\/|\.\.?(\/|$))/.test(part)) return [{ find: xpathFinder(part, whole) }];
  const engine = /^([a-z][\w-]*)\s*=\s*(.*)$/is.exec(part);
  if (!engine || !(engine[1].toLowerCase() in kEngines)) {
    if (/^\w+\(/.test(part)) throw unknown(whole);
    return [{ find: cssFinder(part, whole) }];
  }
  return [kEngines[engine[1].toLowerCase()](engine[2], whole)];
}

const byAttribute = (names) => (value) => {
  const wanted = value.replace(/^(["'])(.*)\1$/s, '$2');
  return {
    find: (root) =>
      allIn(root, names.map((name) => `[${name}]`).join(',')).filter((el) =>
        names.some((name) => attr(el, name) === wanted),
      ),
  };
};

const kEngines = {
  __proto__: null,
  css: (value, whole) => ({ find: cssFinder(value, whole) }),
  text: (value) => ({ find: textFinder(textMatcher(value)) }),
  role: (value, whole) => roleFinder(value, whole),
  xpath: (value, whole) => ({ find: xpathFinder(value, whole) }),
  id: byAttribute(['id']),
  ...Object.fromEntries(kTestIds.map((name) => [name, byAttribute([name])])),
  nth: (value, whole) => nthStep(Number(value), whole),
  visible: (value) => ({ keep: (el) => isVisible(el) === (value.trim() !== 'false') }),
  'has-text': (value) => hasTextStep(textMatcher(value)),
};

const hasTextStep = (fits) => ({ keep: (el) => fits(selectorText(el)) });

function nthStep(n, whole) {
  if (!Number.isInteger(n)) throw unknown(whole);
  return { pick: (list) => list.slice(n, n === -1 ? undefined : n + 1) };
}

// In a document, an element or a shadow root, and in the shadow trees within.
function allIn(root, selector) {
  const found = [...querySelectorAllOf(root, selector)];
  for (const shadow of shadowsOf(root)) found.push(...querySelectorAllOf(shadow, selector));
  return found;
}

function xpathFinder(expression, whole) {
  return (root) => {
    const inside = nodeTypeOf(root) === 1 ? expression.replace(/^(\(*)\//, '$1./') : expression;
    const found = [];
    try {
      const result = evaluateIn(document, inside, root, null, 7, null); // ORDERED_NODE_SNAPSHOT_TYPE
      for (let i = 0; i < result.snapshotLength; i++) found.push(result.snapshotItem(i));
    } catch {
      throw new PageError(`Invalid selector ${quote(cut(whole, 200))}: the browser doesn't understand this XPath.`);
    }
    return found.filter(isElement);
  };
}

export { allIn, hasTextStep, nthStep, parseSelector };
