// What is there instead of what was looked for: up to three elements that are nearest by role and by words.

import {
  attr,
  bodyOf,
  closestOf,
  documentElementOf,
  innerTextOf,
  isConnected,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { oneSpace } from '../dom/text.js';
import { deepHit, isHitOn } from '../dom/hit.js';
import { withPass } from '../dom/pass.js';
import { isVisible } from '../dom/style.js';
import { roleOf } from '../aria/roles.js';
import { nameOf } from '../aria/names.js';
import { recordOf, records, refText } from '../tree/refs.js';

const kShown = 3;
const kLooked = 600; // elements
const kNearEnough = 0.45; // of what is as near as can be, 1
const kSameRole = 0.25;
const kLongest = 40; // characters that are compared one by one
const kSuggested = 'a[href],button,input,select,textarea,summary,[role],[contenteditable]';

// ` Nearest: button "Go" [ref=e2].`, or ''. `describe` names an element.
function nearestWords({ role = '', words: said = '', text }, describe) {
  if (isPageEmpty()) return ' The page is empty.';
  const words = said || (kWordsAlone.exec(text)?.[1] ?? '');
  const wanted = tokensOf(words || text);
  if (!wanted.length) return '';
  return withPass(() => {
    const scored = [];
    const alike = []; // of the same role, whatever their names
    for (const el of role === 'option' ? [...candidates(), ...nativeOptions()] : candidates()) {
      const tag = tagOf(el);
      const its = roleOf(el, tag) ?? 'generic';
      const name =
        nameOf(el, tag, its) || (its === 'generic' || (its === 'paragraph' && role === '') ? shortTextOf(el) : '');
      const score = nearness(words, wanted, name, el) + (its === role ? kSameRole : 0);
      if (score >= kNearEnough) scored.push({ el, score });
      else if (its === role) alike.push({ el, score });
    }
    scored.sort((a, b) => b.score - a.score);
    const shown = scored.length ? visibleOf(scored) : onTopFirst(visibleOf(alike));
    if (!shown.length) return '';
    return ` Nearest: ${shown
      .slice(0, kShown)
      .map(({ el }) => describe(el) + refOf(el))
      .join(', ')}.`;
  });
}

// What has no name is known by its words.
function shortTextOf(el) {
  const text = textContentOf(el);
  return text.length <= kShortText ? oneSpace(text) : '';
}
const kShortText = 60; // characters

const visibleOf = (found) =>
  found.filter(({ el }) => isVisible(tagOf(el) === 'option' ? (closestOf(el, 'select') ?? el) : el));

// Those of a list that is closed have no refs.
const nativeOptions = () => Array.from(querySelectorAllOf(document, 'select option')).slice(0, kLooked);

// Below what lies over the page nobody looks for anything, nor elsewhere than in the window first.
function onTopFirst(found) {
  const [top, others] = [[], []];
  for (const one of found) {
    if (top.length === kShown) break;
    (isOnTop(one.el) ? top : others).push(one);
  }
  return [...top, ...others];
}

function isOnTop(el) {
  const { x, y, width, height } = rectOf(el);
  return width > 0 && height > 0 && isHitOn(el, deepHit(x + width / 2, y + height / 2));
}

// Whether nothing is drawn, as after an error that has ended the page's script. A document without a body is a drawing.
function isPageEmpty() {
  const body = bodyOf(document);
  if (body === null) return documentElementOf(document) === null;
  return !/\S/.test(innerTextOf(body)) && !Array.from(querySelectorAllOf(body, kSeenWithoutText)).some(isVisible);
}
const kSeenWithoutText = 'img,svg,canvas,video,iframe,frame,object,embed,input,button,select,textarea,[role]';

const refOf = (el) => (recordOf.has(el) ? ` [ref=${refText(recordOf.get(el))}]` : '');

function candidates() {
  const seen = [];
  for (const record of records.values()) {
    const el = record.el.deref();
    if (el && isConnected(el)) seen.push(el);
    if (seen.length === kLooked) break;
  }
  return seen.length ? seen : fresh();
}

// What no snapshot needs to have shown.
const fresh = () => Array.from(querySelectorAllOf(document, kSuggested)).slice(0, kLooked);

// Words as authors join them: `submit-btn`, `submitButton`, `Submit the order`.
function tokensOf(text) {
  const split = text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return split.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1 && !kSyntax.has(word));
}
const kSyntax = new Set([
  'css',
  'text',
  'role',
  'name',
  'div',
  'span',
  'xpath',
  'nth',
  'has',
  'child',
  'first',
  'last',
]);

// What is neither CSS nor a locator, but perhaps for the sign of an id or a class before it: it is meant for a name.
const kWordsAlone = /^[#.]?([\p{L}\p{N}][\p{L}\p{N} _-]*)$/u;

// `E-mail` and `Email` are one word.
const onlyLettersOf = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const kLeastWord = 3; // letters: of less, much is a part

function nearness(words, wanted, name, el) {
  const whole = onlyLettersOf(words);
  const its = onlyLettersOf(name);
  if (whole && its) {
    if (whole === its) return 1;
    if (its.includes(whole) || (whole.includes(its) && its.length >= kLeastWord)) return 0.8;
  }
  const own = tokensOf(`${name} ${attr(el, 'id') ?? ''} ${attr(el, 'class') ?? ''} ${attr(el, 'name') ?? ''}`);
  const common = wanted.filter((word) => own.includes(word)).length;
  const byWords = common ? 0.5 + 0.25 * (common / wanted.length) : 0;
  if (!whole || !its || Math.abs(whole.length - its.length) > 6 || its.length > kLongest) return byWords;
  const byLetters = 0.8 * (1 - distance(whole, its) / Math.max(whole.length, its.length));
  return Math.max(byWords, byLetters > 0.4 ? byLetters : 0);
}

// Levenshtein's.
function distance(a, b) {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++)
      row[j] = Math.min(row[j - 1] + 1, above[j] + 1, above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    above = row;
  }
  return above[b.length];
}

export { candidates, fresh, isOnTop, nearestWords, refOf };
