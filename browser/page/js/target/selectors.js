// Selectors: `text=...`, `role=button[name="..."]` and CSS, looked up through shadow roots.

import {
  attr,
  bodyOf,
  closestOf,
  elementQueryAll,
  firstChildOf,
  inputTypeOf,
  inputValueOf,
  isElement,
  isInput,
  isRendered,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  querySelectorAllOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { shadowRootOf, shadowRootsIn } from '../dom/shadow_roots.js';
import { kSkippedTags, roleOf } from '../aria/roles.js';
import { checkedStateOf, disabledReason, expandedStateOf, levelOf, selectedStateOf } from '../aria/states.js';
import { nameOf } from '../aria/names.js';

function matchAll(text) {
  if (/^text\s*=/i.test(text)) return matchText(text.replace(/^text\s*=\s*/i, ''));
  if (/^role\s*=/i.test(text)) return matchRole(text.replace(/^role\s*=\s*/i, ''), text);
  return matchCss(text.replace(/^css\s*=\s*/i, ''), text);
}

function matchCss(selector, text) {
  let found;
  try {
    found = querySelectorAllOf(document, selector);
  } catch {
    throw new PageError(
      `Invalid selector ${quote(cut(text, 200))}: it is no ref, and not CSS that the browser understands.`,
    );
  }
  if (found.length) return [...found, ...inShadows(document, selector)];
  const inner = inShadows(document, selector);
  return inner.length ? inner : pierce(selector);
}

function inShadows(root, selector) {
  const found = [];
  for (const shadow of shadowRootsIn(root)) found.push(...querySelectorAllOf(shadow, selector));
  return found;
}

// `my-app .save`: a descendant combinator may cross into a shadow tree. Split at the last plain blank and try.
function pierce(selector) {
  const parts = splitTop(selector, /\s/);
  if (parts.length < 2 || parts.some((part) => /^[>+~]$/.test(part)) || splitTop(selector, /,/).length > 1) return [];
  let scopes = [document];
  for (const part of parts) {
    const next = new Set();
    for (const scope of scopes) {
      for (const el of querySelectorAllOf(scope, part)) next.add(el);
      const own = nodeTypeOf(scope) === 1 ? shadowRootOf(scope) : null;
      for (const shadow of own ? [own, ...shadowRootsIn(own), ...shadowRootsIn(scope)] : shadowRootsIn(scope))
        for (const el of querySelectorAllOf(shadow, part)) next.add(el);
    }
    if (!next.size) return [];
    scopes = [...next];
  }
  return scopes;
}

// Splits at a separator outside quotes and brackets.
function splitTop(text, separator) {
  const parts = [];
  let depth = 0;
  let quoteMark = '';
  let part = '';
  for (const c of text) {
    if (quoteMark) {
      if (c === quoteMark) quoteMark = '';
    } else if (c === '"' || c === "'") quoteMark = c;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (depth === 0 && separator.test(c)) {
      if (part) parts.push(part);
      part = '';
      continue;
    }
    part += c;
  }
  if (part) parts.push(part);
  return parts;
}

// text=Save: a case-insensitive part; text="Save": the whole text as written; text=/re/i: a regular expression.
function textMatcher(source) {
  const regex = /^\/(.+)\/([a-z]*)$/s.exec(source);
  if (regex) {
    let re;
    try {
      re = new RegExp(regex[1], regex[2].replace(/[gy]/g, ''));
    } catch {
      throw new PageError(`Invalid regular expression ${quote(cut(source, 200))}.`);
    }
    return (text) => re.test(text);
  }
  const quoted = /^"(.*)"$|^'(.*)'$/s.exec(source);
  if (quoted) {
    const whole = oneSpace(quoted[1] ?? quoted[2]);
    return (text) => text === whole;
  }
  const want = oneSpace(source).toLowerCase();
  if (!want) throw new PageError('text= needs the text to look for.');
  return (text) => text.toLowerCase().includes(want);
}

// The deepest elements whose text matches; a button's value counts as its text.
function matchText(source) {
  const fits = textMatcher(source);
  const found = [];
  const scopes = [document, ...shadowRootsIn(document)];
  for (const scope of scopes) {
    const start = nodeTypeOf(scope) === 9 ? bodyOf(document) : scope;
    if (start) deepestWithText(start, fits, found);
  }
  return found;
}

function deepestWithText(node, fits, found) {
  let inner = false;
  for (let child = firstChildOf(node); child; child = nextSiblingOf(child)) {
    if (!isElement(child)) continue;
    const tag = tagOf(child);
    if (kSkippedTags.has(tag)) continue;
    if (deepestWithText(child, fits, found)) inner = true;
  }
  if (inner) return true;
  if (!isElement(node)) return false;
  const text = isInput(node)
    ? /^(submit|button|reset)$/.test(inputTypeOf(node))
      ? inputValueOf(node)
      : ''
    : textContentOf(node);
  if (!text || !fits(oneSpace(text))) return false;
  if (firstSkipped(node) && !fits(oneSpace(textWithoutScripts(node)))) return false;
  found.push(node);
  return true;
}
const firstSkipped = (node) => elementQueryAll(node, 'script,style,template,noscript').length > 0;

// textContent counts scripts and styles as text.
function textWithoutScripts(node) {
  let text = '';
  for (let child = firstChildOf(node); child; child = nextSiblingOf(child)) {
    if (nodeTypeOf(child) === 3) text += nodeValueOf(child);
    else if (isElement(child) && !kSkippedTags.has(tagOf(child))) text += textWithoutScripts(child);
  }
  return text;
}

// role=button[name="Save"][checked]
function matchRole(source, whole) {
  const form = /^([a-z]+)\s*((?:\[[^\]]*\]\s*)*)$/i.exec(
    source.trim().replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (q) => q.replaceAll(']', '\u0001')),
  );
  if (!form) throw new PageError(`Invalid selector ${quote(cut(whole, 200))}: write role=button[name="Save"].`);
  const want = form[1].toLowerCase() === 'image' ? 'img' : form[1].toLowerCase();
  const filters = [];
  for (const [, key, , sign, value] of form[2].matchAll(/\[\s*([\w-]+)\s*((=)\s*([^\]]*?))?\s*\]/g))
    filters.push(roleFilter(key.toLowerCase(), sign ? value.replaceAll('\u0001', ']') : null, whole));
  const found = [];
  for (const scope of [document, ...shadowRootsIn(document)])
    for (const el of querySelectorAllOf(scope, '*')) {
      const tag = tagOf(el);
      if (kSkippedTags.has(tag) || (roleOf(el, tag) ?? 'generic') !== want) continue;
      if (filters.every((fits) => fits(el, tag, want)) && isExposed(el)) found.push(el);
    }
  return found;
}

function roleFilter(key, value, whole) {
  if (key === 'name') {
    const loose = /^(.*?)\s+i$/s.exec(value ?? '');
    let source = loose ? loose[1] : (value ?? '');
    const isRegex = /^\/.+\/[a-z]*$/s.test(source);
    if (!isRegex && !/^["'].*["']$/s.test(source)) source = `"${source}"`;
    if (!isRegex) source = source[0] + source.slice(1, -1).replace(/\\(.)/g, '$1') + source.at(-1);
    const fits = textMatcher(source);
    if (!loose) return (el, tag, role) => fits(oneSpace(nameOf(el, tag, role)));
    const lower = oneSpace(source.slice(1, -1)).toLowerCase();
    return (el, tag, role) =>
      oneSpace(nameOf(el, tag, role))
        .toLowerCase()
        .includes(lower);
  }
  const wanted = value === null ? 'true' : value.replace(/^["']|["']$/g, '');
  const read = kStateReaders[key];
  if (!read)
    throw new PageError(
      `Invalid selector ${quote(cut(whole, 200))}: unknown attribute [${key}]; known are name, ${Object.keys(kStateReaders).join(', ')}.`,
    );
  return (el, tag, role) => String(read(el, tag, role)) === wanted;
}

const kStateReaders = {
  checked: checkedStateOf,
  disabled: (el, tag) => disabledReason(el, tag) !== '',
  expanded: expandedStateOf,
  level: levelOf,
  pressed: (el) => attr(el, 'aria-pressed') ?? 'false',
  selected: selectedStateOf,
};
const isExposed = (el) =>
  isRendered(el, { visibilityProperty: true }) && closestOf(el, '[aria-hidden=true],[inert]') === null;

export { matchAll };
