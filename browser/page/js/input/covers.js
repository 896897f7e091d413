// What the error says of that which lies over an element: what it is called, what can be done there, what closes it.

import {
  attr,
  fullscreenElementOf,
  isConnected,
  matchesSelector,
  rectOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { tagSketch } from '../dom/errors.js';
import { closestFlat, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { isShadeOfPage } from '../dom/surroundings.js';
import { inState } from '../dom/states.js';
import { deepQueryAll } from '../dom/shadow_roots.js';
import { saysClose } from '../tree/removers.js';
import { records } from '../tree/refs.js';
import { everywhere } from '../target/css.js';
import { isOnTop, refOf } from '../target/nearest.js';
import { describeElement, dialogWords } from '../target/targets.js';
import { openField } from './leave.js';

// What lies over a point, where it is a dialog: ` of dialog "Cookies" [ref=e7]: act on that first`.
function coverWords(el, hit) {
  const dialog =
    hit && closestFlat(hit, (at) => tagOf(at) === 'dialog' || /^(alert)?dialog$/.test(attr(at, 'role') ?? ''));
  if (dialog) return `, of ${describeElement(dialog)}${refOf(dialog)}: act on that first`;
  const full = fullscreenElementOf(document);
  if (hit && full && flatContains(full, hit) && !flatContains(full, el))
    return `, as ${full === hit ? 'that' : tagSketch(full)} is in full screen: the key Escape ends that`;
  return dialogWords() || knownCoverWords(el, hit) + closerWords(el, hit) + openFieldWords(el, hit);
}

// Of a page that takes no clicks while a list is open, nothing lies over an element.
function openFieldWords(el, hit) {
  const field = hit && flatContains(hit, el) ? openField(el) : null;
  if (field === null) return '';
  return ` while the list of ${describeElement(field)}${refOf(field)} is open: close that first, by the key Escape`;
}

// What the snapshot calls that which lies over: what it is a part of, or what it holds.
function knownCoverWords(el, hit) {
  for (let at = hit; at && !flatContains(at, el); at = flatParentOf(at))
    if (refOf(at)) return coveringWords(at, hit) + (saysAnything(hit) ? '' : aboveWords(hit));
  if (!hit || flatContains(hit, el)) return '';
  const within = knownElements().filter((at) => flatContains(hit, at));
  if (within.length === 1)
    return `, which is around ${describeElement(within[0])}${refOf(within[0])}: act on that in its place`;
  return within.length > 0 ? '' : aboveWords(hit);
}

// What lies over is named already, by its tag: of that but what more the snapshot says.
function coveringWords(at, hit) {
  const told = describeElement(at);
  const sketch = tagSketch(at);
  const own = at === hit && told.startsWith(sketch) ? told.slice(sketch.length) : `: that is ${told}`;
  return own + refOf(at);
}

// What can be operated above a shade of the whole page.
function aboveWords(hit) {
  const box = rectOf(hit);
  if (box.width * box.height < kShadeLeast * innerWidth * innerHeight) return '';
  const worked = everywhere(kWorked).slice(0, kAboveLooked).filter(isOnTop);
  const above =
    worked.length > 0
      ? worked
      : knownElements()
          .slice(-kAboveLooked)
          .filter((at) => isOnTop(at) && !flatContains(at, hit));
  const told = above.slice(0, kAboveTold).map((at) => describeElement(at) + refOf(at));
  if (told.length === 0) return '';
  return `; above that: ${told.join(', ')}${isShadeOfPage(hit) ? '; a click on that beside them may close them' : ''}`;
}
const knownElements = () =>
  Array.from(records.values(), (record) => record.el.deref()).filter((at) => at && isConnected(at));

const saysAnything = (el) => /\S/.test(textContentOf(el));
const kShadeLeast = 0.5; // of the viewport
const kWorked = 'button,a[href],input,select,textarea,[role=button]';
const kAboveLooked = 600; // elements
const kAboveTold = 3;

// `; button "Close" [ref=e5] in it closes that`, where the panel that lies over holds one such, or ''.
function closerWords(el, hit) {
  const isPanel = (at) => /^(fixed|absolute)$/.test(getComputedStyle(at).position);
  const panel = hit && closestFlat(hit, (at) => isPanel(at) || flatContains(at, el));
  if (!panel || flatContains(panel, el)) return '';
  const isToPress = (at) => matchesSelector(at, kWorked) || getComputedStyle(at).cursor === 'pointer';
  const closers = deepQueryAll(panel, '*').filter((at) => saysClose(at) && isToPress(at) && isOnTop(at));
  return closers.length === 1 ? `; ${describeElement(closers[0])}${refOf(closers[0])} in it closes that` : '';
}

// What covers an element at most of the places that it was scrolled to, and not what stands at one edge of the window.
function usualOf(covers) {
  const places = (one) => new Set(covers.filter(({ cover }) => cover === one.cover).map(({ at }) => at)).size;
  return covers.reduce((usual, one) => (places(one) > places(usual) ? one : usual));
}

// Whether what lies over an element is there because the mouse rests in it, or beside it: a tooltip, a menu that a header opens.
const isUnderMouse = (hit, el) =>
  closestFlat(hit, (at) => attr(at, 'role') === 'tooltip' || kTooltip.test(attr(at, 'class') ?? '')) !== null ||
  closestFlat(hit, (at) => matchesSelector(at, inState('hover')) && !flatContains(at, el)) !== null;
const kTooltip = /(^|[\s_-])tooltips?([\s_-]|$)/i;

export { coverWords, isUnderMouse, usualOf };
