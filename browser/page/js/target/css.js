// CSS, through shadow roots, with the pseudo-classes that Playwright adds: :has-text(), :text(), :text-is(), :visible.

import {
  elementQueryAll,
  firstChildOf,
  isElement,
  matchesSelector,
  nextSiblingOf,
  nodeTypeOf,
  querySelectorAllOf,
} from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { shadowRootOf, shadowRootsIn } from '../dom/shadow_roots.js';
import { isVisible } from '../dom/style.js';
import { kForms, textMatcher, selectorText } from './text_match.js';

const kAdded = /:(has-text|text-is|text|visible)(?![\w-])/;

// -> the function that finds what a selector matches in a document, an element or a shadow root.
function cssFinder(selector, whole) {
  if (!kAdded.test(selector)) return (root) => findCss(root, selector, whole);
  const lists = splitTop(selector, ',').map((one) => compoundsOf(one.trim(), whole));
  return (root) => {
    const found = new Set();
    for (const compounds of lists) for (const el of findCompounds(root, compounds, whole)) found.add(el);
    return [...found];
  };
}

function invalid(whole) {
  return new PageError(
    `Invalid selector ${quote(cut(whole, 200))}: it is no ref, and not CSS that the browser understands. ${kForms}`,
  );
}

function query(root, selector, whole) {
  try {
    return querySelectorAllOf(root, selector);
  } catch {
    throw invalid(whole);
  }
}

function findCss(root, selector, whole) {
  const found = [...query(root, selector, whole)];
  if (found.length > 0 && kIdAlone.test(selector)) return found;
  found.push(...inShadows(root, selector));
  return found.length ? found : pierce(root, selector);
}

const kIdAlone = /^#[\w-]+$/; // it names one element: what shadow trees call so by chance isn't looked for

function shadowsOf(root) {
  const own = nodeTypeOf(root) === 1 ? shadowRootOf(root) : null;
  return own ? [own, ...shadowRootsIn(own), ...shadowRootsIn(root)] : shadowRootsIn(root);
}

function inShadows(root, selector) {
  const found = [];
  for (const shadow of shadowsOf(root)) found.push(...querySelectorAllOf(shadow, selector));
  return found;
}

// All elements of the page that a selector fits, those in shadow trees after the others.
const everywhere = (selector) => [...querySelectorAllOf(document, selector), ...inShadows(document, selector)];

// `my-app .save`: a descendant combinator may cross into a shadow tree. Split at the last plain blank and try.
function pierce(root, selector) {
  const parts = splitTop(selector, ' ');
  if (parts.length < 2 || parts.some((part) => /^[>+~]$/.test(part)) || splitTop(selector, ',').length > 1) return [];
  let scopes = [root];
  for (const part of parts) {
    const next = new Set();
    for (const scope of scopes) {
      for (const el of querySelectorAllOf(scope, part)) next.add(el);
      for (const el of inShadows(scope, part)) next.add(el);
    }
    if (!next.size) return [];
    scopes = [...next];
  }
  return scopes;
}

// Splits at a separator outside quotes and brackets; a blank stands for any white space.
function splitTop(text, separator) {
  const parts = [];
  let part = '';
  eachTop(text, (c, i, top) => {
    if (top && (separator === ' ' ? /\s/.test(c) : text.startsWith(separator, i))) {
      if (part) parts.push(part);
      part = '';
      return separator.length;
    }
    part += c;
    return 1;
  });
  if (part) parts.push(part);
  return parts;
}

// Calls `take(character, index, isTop)` along a text; it returns how many characters it took.
function eachTop(text, take) {
  let depth = 0;
  let mark = '';
  for (let i = 0; i < text.length; ) {
    const c = text[i];
    const top = depth === 0 && !mark;
    if (mark) {
      if (c === '\\') {
        i += take(c, i, false);
        if (i < text.length) i += take(text[i], i, false);
        continue;
      }
      if (c === mark) mark = '';
    } else if (c === '"' || c === "'") mark = c;
    else if (c === '(' || c === '[' || c === '{') depth++;
    else if (c === ')' || c === ']' || c === '}') depth--;
    i += take(c, i, top && c !== '"' && c !== "'");
  }
}

// A selector as its compounds, each with the combinator before it, its plain CSS and what else must hold.
function compoundsOf(selector, whole) {
  const compounds = [];
  let combinator = ' ';
  for (const part of splitTop(selector.replace(/\s*([>+~])\s*(?![^(]*\))/g, ' $1 '), ' ')) {
    if (/^[>+~]$/.test(part)) {
      combinator = part;
      continue;
    }
    compounds.push({ combinator, ...compoundOf(part, whole) });
    combinator = ' ';
  }
  if (!compounds.length || combinator !== ' ') throw invalid(whole);
  return compounds;
}

function compoundOf(text, whole) {
  const filters = [];
  let plain = text;
  for (let match = kAdded.exec(plain); match; match = kAdded.exec(plain)) {
    const start = match.index;
    let end = start + match[0].length;
    let argument = '';
    if (match[1] !== 'visible') {
      if (plain[end] !== '(') throw invalid(whole);
      let length = 0;
      let depth = 0;
      let mark = '';
      do {
        const c = plain[end + length++];
        if (c === undefined) throw invalid(whole);
        if (mark) mark = c === mark ? '' : mark;
        else if (c === '"' || c === "'") mark = c;
        else if (c === '(') depth++;
        else if (c === ')') depth--;
      } while (depth > 0);
      argument = plain.slice(end + 1, end + length - 1).trim();
      end += length;
    }
    filters.push(filterOf(match[1], argument));
    plain = plain.slice(0, start) + plain.slice(end);
  }
  return { plain: plain || '*', filters };
}

function filterOf(name, argument) {
  if (name === 'visible') return isVisible;
  const bare = argument.replace(/^(["'])(.*)\1$/s, '$2');
  const want = oneSpace(bare).toLowerCase();
  const fits =
    name === 'text-is'
      ? (text) => text === oneSpace(bare)
      : textMatcher(/^\/.+\/[a-z]*$/s.test(argument) ? argument : want);
  if (name === 'has-text') return (el) => fits(selectorText(el));
  // The smallest element that has the text.
  return (el) => {
    if (!fits(selectorText(el))) return false;
    for (let child = firstChildOf(el); child; child = nextSiblingOf(child))
      if (isElement(child) && fits(selectorText(child))) return false;
    return true;
  };
}

function findCompounds(root, compounds, whole) {
  let scopes = [root];
  for (const { combinator, plain, filters } of compounds) {
    const next = new Set();
    for (const scope of scopes)
      for (const el of related(scope, combinator, plain, whole)) if (filters.every((fits) => fits(el))) next.add(el);
    scopes = [...next];
  }
  return scopes;
}

function related(scope, combinator, plain, whole) {
  if (combinator === ' ') return [...query(scope, plain, whole), ...inShadows(scope, plain)];
  if (nodeTypeOf(scope) !== 1) return [];
  if (combinator === '>') return [...elementQueryAll(scope, ':scope > *')].filter((el) => matchesSelector(el, plain));
  const siblings = [];
  for (let at = nextSiblingOf(scope); at; at = nextSiblingOf(at))
    if (isElement(at)) {
      if (matchesSelector(at, plain)) siblings.push(at);
      if (combinator === '+') break;
    }
  return siblings;
}

export { cssFinder, everywhere, shadowsOf, splitTop };
