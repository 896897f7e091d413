// Which rules of a tree scope have come or gone between two reads of its sheets, so that a delta looks again only at the elements
// that those style: libraries that keep styles in scripts insert some whenever a component is first shown.

import { querySelectorAllOf } from './members.js';
import { kOfShadowTrees, kUnderMouse } from './rules.js';

const kRulesMax = 200; // to ask for each one's elements costs as much as to walk all of a page

// The rules that are in one of the two lists of sheets alone, as rules.js reads them; null where they are too many, or where how
// elements are drawn may depend on them that no selector of theirs names.
function rulesChanged(before, now) {
  const [were, are] = trimmed(before, now);
  if ([...were, ...are].some(({ opaque, said }) => opaque || said.unreasoned.length)) return null;
  const rulesOfAll = (sheets) => sheets.flatMap(({ rules }) => rules);
  const changed = differing(...trimmed(rulesOfAll(were), rulesOfAll(are)));
  return changed.length <= kRulesMax && changed.every(isTellable) ? changed : null;
}

// Without what both begin and end with.
function trimmed(some, others) {
  const most = Math.min(some.length, others.length);
  let start = 0;
  while (start < most && some[start] === others[start]) start++;
  let end = 0;
  while (end < most - start && some.at(-1 - end) === others.at(-1 - end)) end++;
  return [some, others].map((list) => list.slice(start, list.length - end));
}

// Rules of one key do the same, whichever object they are: a library may write the whole text of a sheet again.
function ruleKey({ rule, text, selector, within }) {
  return rule.constructor === CSSStyleRule && within !== null ? `${within}|${selector}|${text}` : rule;
}

// All but rules that both lists have in the same order. That there may be more of those makes only more to look at.
function differing(were, are) {
  const places = new Map();
  are.forEach((rule, i) => {
    const key = ruleKey(rule);
    const list = places.get(key);
    if (list === undefined) places.set(key, [i]);
    else list.push(i);
  });
  const kept = new Set();
  let next = 0;
  const gone = were.filter((rule) => {
    const isIt = (i) => i >= next && are[i].text === rule.text && are[i].read === rule.read;
    const at = places.get(ruleKey(rule))?.find(isIt);
    if (at === undefined) return true;
    kept.add(at);
    next = at + 1;
    return false;
  });
  return [...gone, ...are.filter((_, i) => !kept.has(i))];
}

// Fonts change only how large texts are, frames only what an animation is at, and both are looked at by themselves.
function isTellable({ rule, selector, within }) {
  if (selector !== null) return within !== null && !kOfShadowTrees.test(selector);
  return kWithoutElements.has(rule.constructor);
}
const kWithoutElements = new Set([
  CSSContainerRule,
  CSSFontFaceRule,
  CSSKeyframeRule,
  CSSKeyframesRule,
  CSSMediaRule,
  CSSSupportsRule,
]);

// The elements that such rules style, or would once the mouse is over them; null where they can't be asked for.
function styledBy(rules, root) {
  const found = new Set();
  try {
    for (const { selector } of rules) {
      if (selector === null) continue;
      const asked = selector.replace(kElementPseudos, '$1*').replace(kPseudosOfOne, '');
      for (const one of new Set([asked, asked.replace(kUnderMouse, '')]))
        if (one !== '') for (const el of querySelectorAllOf(root, one)) found.add(el);
    }
  } catch {
    return null; // a selector of a kind only style sheets know
  }
  return found;
}
const kName = String.raw`:(?::[\w-]+(?:\([^()]*\))?|(?:before|after|first-line|first-letter)\b)`;
const kElementPseudos = new RegExp(String.raw`(^|[\s>+~,(])${kName}`, 'g');
const kPseudosOfOne = new RegExp(kName, 'g');

export { rulesChanged, styledBy };
