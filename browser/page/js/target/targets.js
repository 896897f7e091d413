// Targets: a ref or a selector becomes an element, and an element becomes words.

import {
  closestOf,
  hasAttr,
  innerTextOf,
  inputTypeOf,
  isConnected,
  rectOf,
  tagOf,
  textContentOf,
  viewHeight,
  viewWidth,
} from '../dom/members.js';
import { everywhere } from './css.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { beginActing } from './acting.js';
import { wholeNameOf } from './by_role.js';
import { controlsNamed, fieldNamedInPart, readsLikeTags, readsLikeWords } from './by_words.js';
import { AbsentError, PageError, tagSketch } from '../dom/errors.js';
import { closestFlat, flatContains } from '../dom/flat_tree.js';
import { hitPoint, isInView, outermostOver } from '../dom/hit.js';
import { withPass } from '../dom/pass.js';
import { isVisible } from '../dom/style.js';
import { AWAY, FOR_READERS } from '../dom/sight.js';
import { roleOf } from '../aria/roles.js';
import { isSecret } from '../aria/values.js';
import { goneRecords, recordOf, records, refText } from '../tree/refs.js';
import { iconOf, kHinted } from '../tree/hints.js';
import { rescan } from '../tree/numbering.js';
import { sightHere } from '../tree/natives.js';
import { widgetOf } from '../tree/widgets.js';
import { parseSelector } from './selectors.js';
import { selectorText } from './text_match.js';
import { isLocator, parseLocator } from './locators.js';
import { nearestWords, refOf } from './nearest.js';
import { kPointedTarget, pointedElement } from './pointed.js';

// `e12`, `f1e3`, `ref=e12`, `@e12`, `[ref=e12]`, or a line of a snapshot with its ref.
const kRefForm = /^(?:@|ref=)?((?:f\d+)?e\d+)$|\[ref=((?:f\d+)?e\d+)\][^[\]]*(?:\[[^\]]*\][^[\]]*)*$/;

// -> { el, count }: the first visible match and how many there were. `takes`: whether what is to be done can be done with an element;
// of several controls that words name, one that takes it is meant. Throws PageError.
function resolveTarget(target, takes = kTakesAll) {
  if (typeof target !== 'string' || target.trim() === '')
    throw new PageError('The target is empty: give a ref of the snapshot, a CSS selector, text=... or role=...');
  const text = target.trim();
  if (text === kPointedTarget) return { el: pointedElement(), count: 1 };
  const ref = kRefForm.exec(text);
  if (ref) return { el: elementByRef(ref[1] ?? ref[2]), count: 1 };
  return withPass(() => {
    let found = readsLikeTags(text) ? meantBy(controlsNamed(text, true), takes) : [];
    if (found.length === 0 && takes !== kTakesAll && readsLikeTags(text)) found = fieldNamedInPart(text, true, takes);
    if (found.length === 1) return { el: found[0], count: 1 };
    try {
      const steps = isLocator(text) ? parseLocator(text) : parseSelector(text);
      const all = runSteps(steps);
      if (!all.length) throw absence(text, steps);
      found = sayingJust(steps.at(-1).find?.part, all);
    } catch (error) {
      if (isLocator(text)) throw error;
      const isCss = error instanceof AbsentError;
      found = meantBy(controlsNamed(text, isCss), takes);
      if (found.length === 0 && takes !== kTakesAll) found = fieldNamedInPart(text, isCss, takes);
      if (found.length > 1) found = uncovered(found);
      if (found.length > 1 && !leadToOne(found)) throw severalAre(text, found.length);
      if (found.length === 0) throw isCss || !readsLikeWords(text) ? error : absence(text, []);
    }
    return { el: found.length === 1 ? found[0] : firstOf(found), count: found.length };
  });
}

const kTakesAll = () => true;

function meantBy(named, takes) {
  const taking = named.length > 1 ? named.filter(takes) : [];
  return taking.length > 0 ? taking : named;
}

// What lies under a menu that is open, nobody means who names what is in that.
function uncovered(found) {
  const free = found.filter((el) => hitPoint(el, 'click').blocker === undefined);
  return free.length > 0 ? free : found;
}

// Links that lead to the same, as above a list and below it, are one to a person.
function leadToOne(found) {
  const urls = new Set(found.map((el) => (tagOf(el) === 'a' && hasAttr(el, 'href') ? el.href : '')));
  return urls.size === 1 && !urls.has('') && !/#$|^javascript:/i.test([...urls][0]);
}

function severalAre(text, count) {
  const error = new AbsentError(
    `${count} controls are called ${quote(cut(text, 200))}: give the ref of the one that is meant.`,
  );
  error.wanted = { text };
  return error;
}

// Of those that a part of a text was looked for in, those that can be seen and say no more than that; else all.
function sayingJust(part, found) {
  if (part === undefined || found.length === 1) return found;
  const just = found.filter((el) => selectorText(el) === part && isSeenTarget(el));
  return just.length > 0 ? just : found;
}

// Of several the first that can be seen; where something lies over that in which there is another, a dialog, that one; and where
// it lies over all of the page, as the shade of a dialog does, the first that is above it.
function firstOf(found) {
  const first = found.find((el) => isSeenTarget(el) && !isCopyAway(el)) ?? found.find(isSeenTarget);
  if (first === undefined) return found.find(isVisible) ?? found[0];
  const { hit } = hitPoint(first, 'click');
  if (!hit || flatContains(hit, first)) return first;
  const over = outermostOver(first, hit);
  const within = found.find((el) => flatContains(over, el) && isSeenTarget(el));
  if (within !== undefined || !fillsView(hit)) return within ?? first;
  const isAbove = (el) => isSeenTarget(el) && hitPoint(el, 'click').blocker === undefined;
  return found.slice(0, kMatchesHit).find(isAbove) ?? first;
}
// A carousel that goes round has copies of its slides at both ends, which readers aren't told of.
const isCopyAway = (el) => closestOf(el, '[aria-hidden=true]') !== null && !isInView(el);
const kMatchesHit = 100; // each costs a look at the page's layout

function fillsView(el) {
  const { left, top, right, bottom } = rectOf(el);
  return left <= 0 && top <= 0 && right >= viewWidth() && bottom >= viewHeight();
}

// What is there for assistive technology alone, or in a part that a box of no size cuts off, is only taken where there is nothing else.
const isSeenTarget = (el) => isVisible(el) && !(sightHere(el) & (FOR_READERS | AWAY));

function runSteps(steps) {
  let found = [document];
  for (const { find, keep, pick } of steps) {
    if (find) found = [...new Set(found.flatMap(find))];
    else if (keep) found = found.filter(keep);
    else found = pick(found);
  }
  return found;
}

// What is there but kept from assistive technology is no match of a role; what may come later is an AbsentError.
function absence(text, steps) {
  const asked = quote(cut(text, 200));
  const kept = steps.flatMap(({ unexposed }) => unexposed ?? []);
  if (kept.length) {
    const inert = closestOf(kept[0], '[inert]') !== null;
    const why = inert
      ? `is inert${dialogWords()}`
      : `is hidden from assistive technology (aria-hidden)${widgetWords(kept[0]) || dialogWords()}`;
    return new PageError(`${asked}: ${describeElement(kept[0])} exists, but it ${why}.`);
  }
  const error = new AbsentError(`Nothing on the page matches ${asked}.`);
  const step = steps.findLast(({ role, words }) => role || words);
  error.wanted = { role: step?.role, words: step?.words, text };
  return error;
}

// `: use combobox "Country" [ref=e3] in its place`, or ''.
function widgetWords(el) {
  const widget = widgetOf(el);
  return widget === null ? '' : `: use ${describeElement(widget)}${refOf(widget)} in its place`;
}

// ` while the dialog "Cookies" [ref=e7] is open`, or ''.
function dialogWords() {
  const open = everywhere(kModal).filter(isVisible).at(-1);
  return open ? ` while ${describeElement(open)}${refOf(open)} is open` : '';
}
const kModal = 'dialog[open],[role=dialog],[role=alertdialog]';

// What there is in place of what an error says is absent.
const wordsInstead = ({ wanted }) => (wanted ? nearestWords(wanted, describeElement) : '');

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
    const its = roleOf(el, tag) ?? 'generic';
    const role = its === 'none' ? 'generic' : its;
    const name = wholeNameOf(el, tag, role);
    if (name) return `${role} ${quote(cut(name, 80))}`;
    const text =
      role === 'generic' || role === 'listitem' || role === 'paragraph'
        ? cut(oneSpace(textSeenIn(el).slice(0, 200)), 60)
        : '';
    return role === 'generic'
      ? tagSketch(el) + (text ? ' ' + quote(text) : '')
      : text
        ? `${role} ${quote(text)}`
        : `${role} ${iconHint(el, role) || tagSketch(el)}`;
  });
}

// The text of an element without what isn't drawn of it, such as the menu that it opens; of much text all but scripts and styles.
function textSeenIn(el) {
  let text = textContentOf(el);
  if (text.length > kTextSeen) text = selectorText(el);
  return el instanceof HTMLElement && text.length <= kTextSeen ? innerTextOf(el) : text;
}
const kTextSeen = 5000; // characters

// What a snapshot calls a control by that is nothing but an icon.
function iconHint(el, role) {
  const icon = kHinted.has(role) ? iconOf(el) : '';
  return icon === '' ? '' : `[icon=${icon}]`;
}

// What the C++ side asks of any element that it is about to act on. The ref is given without taking a new number from the counter.
function describeTarget(el, count) {
  beginActing(el);
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

export { resolveTarget, runSteps, describeElement, describeTarget, dialogWords, widgetWords, wordsInstead };
