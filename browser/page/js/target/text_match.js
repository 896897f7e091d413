// The text of elements, as selectors look for it.

import {
  elementQueryAll,
  firstChildOf,
  inputTypeOf,
  inputValueOf,
  isElement,
  isInput,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { isUndrawn } from '../aria/roles.js';

// How a target may be written; what isn't understood is answered with it.
const kForms =
  "Give a ref (e12), CSS, text=..., role=button[name=\"...\"], getByRole('button', {name: '...'}) and its like, or XPath (//...).";

// `Save`: a part, without regard to case; `"Save"`: the whole text as written; `/re/i`: a regular expression.
function textMatcher(source) {
  const regex = /^\/(.+)\/([a-z]*)$/s.exec(source);
  if (regex) return regexMatcher(regex[1], regex[2], source);
  const quoted = /^"(.*)"$|^'(.*)'$/s.exec(source);
  if (quoted) return exactMatcher(quoted[1] ?? quoted[2]);
  return partMatcher(source);
}

function regexMatcher(source, flags, shown) {
  let re;
  try {
    re = new RegExp(source, flags.replace(/[gy]/g, ''));
  } catch {
    throw new PageError(`Invalid regular expression ${quote(cut(shown, 200))}.`);
  }
  return (text) => re.test(text);
}

function exactMatcher(words) {
  const whole = oneSpace(words);
  return Object.assign((text) => text === whole, { whole });
}

function partMatcher(words) {
  const part = oneSpace(words);
  const want = part.toLowerCase();
  if (!want) throw new PageError('text= needs the text to look for.');
  return Object.assign((text) => text.toLowerCase().includes(want), { part });
}

// A button's value counts as its text.
function selectorText(node) {
  if (isInput(node)) return /^(submit|button|reset)$/.test(inputTypeOf(node)) ? oneSpace(inputValueOf(node)) : '';
  return oneSpace(hasSkipped(node) ? textWithoutScripts(node) : textContentOf(node));
}
const hasSkipped = (node) => elementQueryAll(node, 'script,style,template,noscript').length > 0;

// textContent counts scripts and styles as text.
function textWithoutScripts(node) {
  let text = '';
  for (let child = firstChildOf(node); child; child = nextSiblingOf(child)) {
    if (nodeTypeOf(child) === 3) text += nodeValueOf(child);
    else if (isElement(child) && !isUndrawn(child, tagOf(child))) text += textWithoutScripts(child);
  }
  return text;
}

export { exactMatcher, kForms, partMatcher, regexMatcher, textMatcher, selectorText };
