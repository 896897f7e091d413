// Locators by which a test finds an element again: the best that names it alone, as Playwright writes it, and a CSS
// selector. Each is tried by the code that reads targets before it is told.

import {
  attr,
  elementQueryAll,
  hasAttr,
  isElement,
  nodeTypeOf,
  parentNodeOf,
  previousElementOf,
  rootNodeOf,
  tagOf,
} from '../dom/members.js';
import { cut, oneSpace } from '../dom/text.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { withPass } from '../dom/pass.js';
import { roleOf } from '../aria/roles.js';
import { nameOf } from '../aria/names.js';
import { kTestIds } from '../tree/refs.js';
import { parseLocator } from './locators.js';
import { cssFinder } from './css.js';
import { selectorText } from './text_match.js';
import { runSteps } from './targets.js';

const kNameShown = 80; // characters of a name; a part of it is enough
const kScopes = 12; // elements around it that are tried as the place to look in
const kPassingId = /\d{3}|^:|[^\w-]|__?[A-Za-z0-9]{5}$/; // an id that is another one the next time
const kNoRoles = new Set(['generic', 'none', 'presentation', 'text', 'iframe']);

const quoted = (text) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;

function matchesOf(locator) {
  try {
    return runSteps(parseLocator(locator));
  } catch {
    return [];
  }
}

function isAlone(locator, el) {
  const found = matchesOf(locator);
  return found.length === 1 && found[0] === el;
}

// Ways to call the element, the best first; each may fit others too.
function waysTo(el) {
  const tag = tagOf(el);
  const role = roleOf(el, tag) ?? 'generic';
  const ways = [];
  const add = (call, wanted) => {
    const words = oneSpace(wanted ?? '');
    if (words === '') return;
    const shown = cut(words, kNameShown).replace(/…$/, '');
    ways.push(`${call}(${quoted(shown)})`);
    if (shown === words) ways.push(`${call}(${quoted(shown)}, { exact: true })`);
  };
  if (attr(el, kTestIds[0])) ways.push(`getByTestId(${quoted(attr(el, kTestIds[0]))})`);
  if (!kNoRoles.has(role)) {
    const name = oneSpace(nameOf(el, tag, role));
    const shown = cut(name, kNameShown).replace(/…$/, '');
    if (name !== '') ways.push(`getByRole('${role}', { name: ${quoted(shown)} })`);
    if (name !== '' && shown === name) ways.push(`getByRole('${role}', { name: ${quoted(name)}, exact: true })`);
    if (name !== '' && /^(input|select|textarea)$/.test(tag)) add('getByLabel', name);
  }
  add('getByPlaceholder', attr(el, 'placeholder'));
  add('getByAltText', attr(el, 'alt'));
  add('getByTitle', attr(el, 'title'));
  // What holds other elements is better called by its role than by all that stands in it.
  const byRoleAlone = kNoRoles.has(role) ? [] : [`getByRole('${role}')`];
  const isBox = elementQueryAll(el, '*').length > 0;
  if (isBox) ways.push(...byRoleAlone);
  const inside = selectorText(el);
  if (inside.length <= kNameShown) add('getByText', inside);
  if (!isBox) ways.push(...byRoleAlone);
  return ways;
}

// Places that the element is in: by what they are called, or as the item that has the words in it.
function placesOf(el) {
  const places = [];
  let around = flatParentOf(el);
  for (let i = 0; around && i < kScopes; around = flatParentOf(around)) {
    if (!isElement(around)) continue;
    const tag = tagOf(around);
    const role = roleOf(around, tag) ?? 'generic';
    if (attr(around, kTestIds[0])) places.push(`getByTestId(${quoted(attr(around, kTestIds[0]))})`);
    if (kNoRoles.has(role)) continue;
    i++;
    const name = oneSpace(nameOf(around, tag, role));
    if (name !== '') places.push(`getByRole('${role}', { name: ${quoted(cut(name, kNameShown).replace(/…$/, ''))} })`);
    const words = oneSpace(selectorText(around));
    if (/^(listitem|row|article|option|treeitem)$/.test(role) && words !== '')
      places.push(`getByRole('${role}').filter({ hasText: ${quoted(cut(words, kNameShown).replace(/…$/, ''))} })`);
    else if (name === '') places.push(`getByRole('${role}')`);
  }
  return places;
}

function locatorOf(el) {
  const ways = waysTo(el);
  const alone = ways.find((way) => isAlone(way, el));
  if (alone) return alone;
  const id = attr(el, 'id');
  if (id && !kPassingId.test(id) && isAlone(`locator('#${id}')`, el)) return `locator('#${id}')`;
  for (const place of placesOf(el)) {
    const inside = ways.map((way) => `${place}.${way}`).find((way) => isAlone(way, el));
    if (inside) return inside;
  }
  for (const way of ways) {
    const at = matchesOf(way).indexOf(el);
    if (at >= 0) return `${way}.nth(${at})`;
  }
  return `locator(${quoted(cssOf(el))})`;
}

// A selector that finds the element first: its id, a name of its author's, else the way to it from what has one.
// A descendant combinator leads into a shadow tree.
function cssOf(el) {
  const root = rootNodeOf(el);
  const isUnique = (selector) => {
    const found = cssFinder(selector, selector)(root);
    return found.length === 1 && found[0] === el;
  };
  const own = nodeTypeOf(root) === 11 && root.host ? `${cssOf(root.host)} ` : '';
  const parts = [];
  for (let at = el; at && isElement(at); at = parentNodeOf(at)) {
    const tag = tagOf(at).replace(/[^\w-]/g, '\\$&');
    const id = attr(at, 'id');
    const names = [
      id && !kPassingId.test(id) ? `#${id}` : '',
      ...[kTestIds[0], 'name', 'title', 'aria-label'].map((key) =>
        hasAttr(at, key) ? `${tag}[${key}=${JSON.stringify(attr(at, key))}]` : '',
      ),
      tag,
    ].filter((name) => name !== '');
    const short = names.map((name) => [name, ...parts].join(' > ')).find(isUnique);
    if (short) return own + short;
    let n = 1;
    for (let before = previousElementOf(at); before; before = previousElementOf(before))
      if (tagOf(before) === tagOf(at)) n++;
    parts.unshift(`${tag}:nth-of-type(${n})`);
  }
  return own + parts.join(' > ');
}

// -> { locator, css, role }: role is the element's with its name, as a target takes it.
function locatorsOf(el) {
  return withPass(() => {
    const tag = tagOf(el);
    const role = roleOf(el, tag) ?? 'generic';
    const name = kNoRoles.has(role) ? '' : oneSpace(nameOf(el, tag, role));
    return {
      locator: locatorOf(el),
      css: cssOf(el),
      role: name === '' ? '' : `role=${role}[name=${JSON.stringify(name)}]`,
    };
  });
}

export { cssOf, locatorsOf };
