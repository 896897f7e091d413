// Which rules of a tree scope have come or gone between two reads of its sheets, so that a delta looks again only at the elements
// that those style: libraries that keep styles in scripts insert some whenever a component is first shown.

import { querySelectorAllOf } from './members.js';
import { kUnderMouse } from './sheets.js';

const kRulesMax = 200; // to ask for each one's elements costs as much as to walk all of a page

// The rules that are in one of the two lists of sheets alone, as sheets.js reads them; null where they are too many, or where how
// elements are drawn may depend on them that no selector of theirs names.
function rulesChanged(before, now) {
  let start = 0;
  while (start < before.length && before[start] === now[start]) start++;
  const rest = Math.min(before.length, now.length) - start;
  let tail = 0;
  while (tail < rest && before.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const were = before.slice(start, before.length - tail);
  const are = now.slice(start, now.length - tail);
  if ([...were, ...are].some(({ opaque, unreasoned }) => opaque || unreasoned)) return null;
  const changed = differing(were.flatMap(keyedRules), are.flatMap(keyedRules));
  return changed.length <= kRulesMax && changed.every(isTellable) ? changed : null;
}

const keyedRules = ({ media, rules }) => rules.map((rule) => ({ rule, key: ruleKey(rule, media) }));

// Rules of one key do the same, whichever object they are: a library may write the whole text of a sheet again.
function ruleKey({ rule, text, selector, within }, media) {
  return rule.constructor === CSSStyleRule && within !== null ? `${media}|${within}|${selector}|${text}` : rule;
}

// All but rules that both lists have in the same order. That there may be more of those makes only more to look at.
function differing(were, are) {
  const places = new Map();
  are.forEach(({ key }, i) => places.set(key, [...(places.get(key) ?? []), i]));
  const kept = new Set();
  let next = 0;
  const gone = were.filter(({ rule, key }) => {
    const isIt = (i) => i >= next && are[i].rule.text === rule.text && are[i].rule.read === rule.read;
    const at = places.get(key)?.find(isIt);
    if (at === undefined) return true;
    kept.add(at);
    next = at + 1;
    return false;
  });
  return [...gone, ...are.filter((_, i) => !kept.has(i))].map(({ rule }) => rule);
}

// Fonts change only how large texts are, frames only what an animation is at, and both are looked at by themselves.
function isTellable({ rule, selector, within }) {
  if (selector !== null) return within !== null && !kOfHosts.test(selector);
  return kWithoutElements.has(rule.constructor);
}
const kOfHosts = /:host|::slotted|::part/;
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
