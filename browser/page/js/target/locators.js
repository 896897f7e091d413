// Playwright's locators as text: getByRole('button', {name: 'Save'}).first(), page.locator('css').filter({...}).

import { attr, labelControlOf, matchesSelector, querySelectorAllOf, tagOf } from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { isVisible } from '../dom/style.js';
import { roleOf } from '../aria/roles.js';
import { nameOf } from '../aria/names.js';
import { kTestIds } from '../tree/refs.js';
import { byName, byRole, stateFilter } from './by_role.js';
import { textFinder } from './by_text.js';
import { allIn, hasTextStep, nthStep, parseSelector } from './selectors.js';
import { exactMatcher, kForms, partMatcher, regexMatcher, selectorText } from './text_match.js';

const kLocator = /^(?:await\s+)?(?:(?:this\.)?page\s*\.\s*)?(getBy[A-Z]\w*|locator|frameLocator)\s*\(/;

const isLocator = (text) => kLocator.test(text);

// -> steps, as parseSelector gives them.
function parseLocator(text) {
  const reader = new Reader(text.replace(/^(?:await\s+)?(?:(?:this\.)?page\s*\.\s*)?/, '').replace(/;\s*$/, ''), text);
  let steps = [];
  let depth = 0;
  do {
    const name = reader.word();
    const make = kCalls[name];
    if (!make && !kFrameCalls.has(name)) throw reader.unknown();
    const values = reader.values();
    if (kFrameCalls.has(name)) {
      depth++;
      steps = [ofFrame(depth, values[0])]; // what comes before is of the documents around
      continue;
    }
    const step = make(values, reader);
    steps.push(...(Array.isArray(step) ? step : [step]));
  } while (reader.skip('.'));
  reader.end();
  return steps;
}

const kFrameCalls = new Set(['frameLocator', 'contentFrame']);

// Everything of this document if it is that of a frame so deep, in an element that the selector matches. Whether it
// does is only known where the document around is of the same origin, and for selectors that are CSS.
function ofFrame(depth, selector) {
  return {
    find: (root) => {
      let around = 0;
      for (let view = window; view.parent !== view; view = view.parent) around++;
      return around === depth && fitsOwner(window.frameElement, selector) ? [root] : [];
    },
  };
}

function fitsOwner(owner, selector) {
  if (owner === null || typeof selector !== 'string') return true;
  try {
    return matchesSelector(owner, selector);
  } catch {
    return true;
  }
}

// Reads calls and literals of JavaScript: strings, regular expressions, numbers, true, false, objects of those.
class Reader {
  constructor(text, whole) {
    Object.assign(this, { text, whole, at: 0 });
  }
  unknown() {
    return new PageError(`Not understood: ${quote(cut(this.whole, 200))}. ${kForms}`);
  }
  take(pattern) {
    const match = new RegExp(`\\s*(?:${pattern.source})\\s*`, 'y' + pattern.flags);
    match.lastIndex = this.at;
    const found = match.exec(this.text);
    if (found) this.at = match.lastIndex;
    return found;
  }
  skip(c) {
    return this.take(new RegExp('\\' + c)) !== null;
  }
  need(c) {
    if (!this.skip(c)) throw this.unknown();
  }
  word() {
    const found = this.take(/([A-Za-z_]\w*)/);
    if (!found) throw this.unknown();
    return found[1];
  }
  end() {
    if (this.at < this.text.length) throw this.unknown();
  }
  values() {
    const values = [];
    this.need('(');
    while (!this.skip(')')) {
      values.push(this.value());
      if (!this.skip(',')) {
        this.need(')');
        break;
      }
    }
    return values;
  }
  value() {
    const string = this.take(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/s);
    if (string) return (string[1] ?? string[2] ?? string[3]).replace(/\\(.)/gs, (_, c) => (c === 'n' ? '\n' : c));
    const regex = this.take(/\/((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/([a-z]*)/);
    if (regex) return { regex: regex[1], flags: regex[2] };
    const number = this.take(/(-?\d+(?:\.\d+)?)/);
    if (number) return Number(number[1]);
    const flag = this.take(/(true|false)\b/);
    if (flag) return flag[1] === 'true';
    if (!this.skip('{')) throw this.unknown();
    const object = { __proto__: null };
    while (!this.skip('}')) {
      const key = this.take(/["']?([A-Za-z_]\w*)["']?/);
      if (!key) throw this.unknown();
      this.need(':');
      object[key[1]] = this.value();
      if (!this.skip(',')) {
        this.need('}');
        break;
      }
    }
    return object;
  }
}

// Whether a text is the wanted one, as Playwright compares: a part without regard to case, unless it is to be exact.
function matcher(wanted, exact, reader) {
  if (wanted?.regex !== undefined) return regexMatcher(wanted.regex, wanted.flags, `/${wanted.regex}/${wanted.flags}`);
  if (typeof wanted !== 'string') throw reader.unknown();
  return exact ? exactMatcher(wanted) : partMatcher(wanted);
}

const byAttributes =
  (names) =>
  ([wanted, options], reader) => {
    const fits = matcher(wanted, options?.exact, reader);
    const selector = names.map((name) => `[${name}]`).join(',');
    return {
      words: wordsOf(wanted),
      find: (root) => allIn(root, selector).filter((el) => names.some((name) => fits(oneSpace(attr(el, name) ?? '')))),
    };
  };

const wordsOf = (wanted) => (typeof wanted === 'string' ? wanted : (wanted?.regex ?? ''));

const kStates = ['checked', 'disabled', 'expanded', 'pressed', 'selected', 'level'];
const kLabelled =
  'input:not([type=hidden]),textarea,select,button,meter,output,progress,[role],[contenteditable],[aria-label],[aria-labelledby]';

const kCalls = {
  __proto__: null,
  getByRole: ([role, options = {}], reader) => {
    if (typeof role !== 'string') throw reader.unknown();
    const filters = [];
    if (options.name !== undefined) filters.push(byName(matcher(options.name, options.exact, reader)));
    for (const state of kStates)
      if (options[state] !== undefined) filters.push(stateFilter(state, String(options[state])));
    return byRole(role, filters, wordsOf(options.name), options.includeHidden === true);
  },
  getByText: ([wanted, options], reader) => ({
    words: wordsOf(wanted),
    find: textFinder(matcher(wanted, options?.exact, reader)),
  }),
  getByLabel: ([wanted, options], reader) => {
    const fits = matcher(wanted, options?.exact, reader);
    return {
      words: wordsOf(wanted),
      find: (root) =>
        allIn(root, kLabelled).filter((el) => {
          const tag = tagOf(el);
          if (attr(el, 'aria-label') && fits(oneSpace(attr(el, 'aria-label')))) return true;
          const labelled = [...querySelectorAllOf(document, 'label')].filter((label) => labelControlOf(label) === el);
          if (labelled.length) return labelled.some((label) => fits(selectorText(label)));
          return attr(el, 'aria-labelledby') !== null && fits(oneSpace(nameOf(el, tag, roleOf(el, tag) ?? 'generic')));
        }),
    };
  },
  getByPlaceholder: byAttributes(['placeholder']),
  getByTitle: byAttributes(['title']),
  getByAltText: byAttributes(['alt']),
  getByTestId: ([wanted], reader) => byAttributes(kTestIds)([wanted, { exact: true }], reader),
  locator: ([selector, options], reader) => {
    if (typeof selector !== 'string') throw reader.unknown();
    return [...parseSelector(selector), ...filterSteps(options, reader)];
  },
  filter: ([options], reader) => filterSteps(options, reader),
  first: (_, reader) => nthStep(0, reader.whole),
  last: (_, reader) => nthStep(-1, reader.whole),
  nth: ([n], reader) => nthStep(n, reader.whole),
};

function filterSteps(options, reader) {
  return Object.entries(options ?? {}).map(([key, value]) => {
    if (key === 'hasText') return hasTextStep(matcher(value, false, reader));
    if (key === 'visible') return { keep: (el) => isVisible(el) === value };
    if (key !== 'hasNotText') throw reader.unknown();
    const fits = matcher(value, false, reader);
    return { keep: (el) => !fits(selectorText(el)) };
  });
}

export { isLocator, parseLocator };
