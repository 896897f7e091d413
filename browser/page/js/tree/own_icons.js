// What of a control's icons tells more than what it is for [tool.snapshot.icons.controls]: a sign of its state, a dot on it,
// the icon beside a mere number, the stars of a rating, and each icon once any of them has changed.

import {
  attr,
  firstChildOf,
  firstElementOf,
  hasAttr,
  isSvg,
  nextElementOf,
  previousElementOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { ligatureOf, paints, styleOf } from '../dom/style.js';
import { sortSign } from '../aria/sorting.js';
import { signOf } from '../aria/strokes.js';
import { gatherIcons, iconWords, isColoured, isGlyph, kDyed, kIconLevels } from './icons.js';
import { inkOf, kIconClass } from './hints.js';
import { isChildless, kWhole } from './pointers.js';

// Tells them on the control's line.
function tellOwnIcons(node) {
  const { el, role, name, kids } = node;
  if (isChildless(el)) {
    if (name !== '' && ligatureOf(el) !== '' && name !== ligatureOf(el)) node.kids = []; // it is drawn as a sign
    node.called = sortSign(el, role) + node.called;
    return;
  }
  const isEach = name === '' && node.called.startsWith(' [icon=') && tellEach(node);
  if (!kWhole.has(role)) return;
  const { markup, mayHaveDot } = markupOf(el);
  const hasChanged = isNewMarkup(el, markup);
  const areOthers = hasChanged && markupWithin(firstMarkup.get(el)) !== markupWithin(markup);
  if (name === '' && kids.length === 0) {
    const ink = hasChanged && !isEach ? inkWithin(el) : '';
    if (ink !== '') node.called = node.called.replace(/ \[icon=[^ \]]+(?: outline)?/, `$& ${ink}`);
    return;
  }
  const text = [name, ...kids.filter((kid) => typeof kid === 'string')].join(' ');
  const isToggle = kToggles.has(role) || /\[(checked|selected|pressed)/.test(node.states);
  const sign = sortSign(el, role) || (mayHaveDot && !isToggle && !hasAttr(el, 'aria-pressed') ? drawnSwitch(el) : '');
  node.called = sign + (isToggle ? '' : tickOfOne(el)) + node.called;
  const isForNumber = /\d/.test(text) && !/\p{L}/u.test(text);
  const isOfSigns = name !== '' && !/[\p{L}\p{N}]/u.test(text); // which tell less than what is drawn: +-, ->
  const mayRate = kRatingIcon.test(markup);
  if (!hasChanged && !isForNumber && !isOfSigns && !mayHaveDot && !mayRate && !kStateMarkup.test(markup)) return;
  const found = [];
  gatherIcons(el, tagOf(el), found, kIconLevels);
  if (isOfSigns) {
    node.called = iconWords(found, true) + node.called;
    return;
  }
  const tellsState = (icon) => kStateIcon.test(icon) || (kTick.test(icon) && (kChosen.has(role) || isColoured(icon)));
  const isRated = mayRate && found.filter((icon) => kRatingIcon.test(icon)).length > 1;
  const isTold = (icon) =>
    areOthers ||
    (hasChanged && isColoured(icon)) ||
    isForNumber ||
    (isRated && kRatingIcon.test(icon)) ||
    (!isToggle && tellsState(icon));
  const icons = found.filter((icon) =>
    icon.startsWith('icon=') ? isTold(icon) && !sign.includes(icon) : !isToggle && kDot.test(icon),
  );
  node.called = iconWords(icons, false) + node.called;
}

// The tick that only one of several items alike has, as the line of the chosen one prints it, or ''.
function tickOfOne(el) {
  const drawings = querySelectorAllOf(el, 'svg');
  if (drawings.length === 0 || signOf(drawings[drawings.length - 1]) !== 'tick') return '';
  const box = flatParentOf(el);
  const isHeld = box !== null && firstElementOf(box) === el && nextElementOf(el) === null; // by an item of its own
  const item = isHeld ? box : el;
  const beside = [previousElementOf(item), nextElementOf(item)].filter(
    (other) => other !== null && tagOf(other) === tagOf(item),
  );
  const isAlone =
    beside.length > 0 && beside.every((other) => querySelectorAllOf(other, 'svg').length < drawings.length);
  return isAlone ? ' [looks=tick]' : '';
}

// Whether a switch that is drawn in a control is on, as its line prints it, or '': a round knob at one end of its track.
function drawnSwitch(el) {
  for (const knob of [...querySelectorAllOf(el, '*')].slice(0, kDrawnParts)) {
    const track = isSvg(knob) || firstChildOf(knob) !== null ? null : flatParentOf(knob);
    if (track === null || firstElementOf(track) !== knob || nextElementOf(knob) !== null) continue;
    const [inner, outer] = [rectOf(knob), rectOf(track)];
    if (!isRound(knob, inner) || !isRound(track, outer) || /\S/.test(textContentOf(track))) continue;
    const isKnob = Math.abs(inner.width - inner.height) < 2 && inner.height >= 0.5 * outer.height;
    const isTrack = outer.width >= 1.4 * outer.height && outer.width <= 2.6 * outer.height;
    if (!isKnob || !isTrack || !paints(styleOf(track))) continue;
    const isRight = inner.left + inner.right > outer.left + outer.right;
    return ` [looks=switch ${isRight === (styleOf(track).direction !== 'rtl') ? 'on' : 'off'}]`;
  }
  return '';
}

function isRound(el, { height }) {
  const radius = styleOf(el).borderTopLeftRadius;
  return height > 0 && (radius.includes('%') ? parseFloat(radius) >= 40 : parseFloat(radius) >= 0.4 * height);
}

// Calls a control, if its icon calls it, by each of several of a kind, as their number is what they tell. Whether it does.
function tellEach(node) {
  if (querySelectorAllOf(node.el, '*').length < 2) return false; // nor has the one a colour that its surroundings are asked for
  const found = [];
  gatherIcons(node.el, node.tag, found, kIconLevels);
  const names = found.map((icon) => /^\??icon=\S+(?: outline)?|^.*/.exec(icon)[0]);
  const isDyed = new Set(found.map((icon, i) => icon.slice(names[i].length))).size > 1; // each in its own way
  const icons = isDyed ? found : names;
  const isRating = icons.length > 1 && icons.every((icon) => kRatingIcon.test(icon));
  if (!isRating && new Set(icons).size === icons.length) return false;
  node.called = node.called.replace(/ \[icon=[^\]]+\]/, () => iconWords(icons, true));
  return true;
}
const kRatingIcon = /star|heart/i;
const kToggles = words('checkbox radio switch menuitemcheckbox menuitemradio'); // whose drawing is their state
const kChosen = words('menuitem option'); // one of several; on a button a tick without a colour says what it does
const kTicks = 'check|checkmark|tick|done';
const kStateSigns = '(?:un)?lock|warning|error|exclamation|alert|verified';
const kTick = new RegExp(`[=_-](${kTicks})\\b`, 'i');
const kStateIcon = new RegExp(`[=_-](${kStateSigns})\\b`, 'i');
const kStateMarkup = new RegExp(`${kTicks}|${kStateSigns}`, 'i'); // may have one of them
const kDot = / circle$/;

// The markup that draws a control's icons, and whether any part of it is empty.
function markupOf(el) {
  let markup = looksByMarkup(el);
  let mayHaveDot = false;
  let left = kDrawnParts;
  for (const part of querySelectorAllOf(el, '*')) {
    if (left-- === 0) break;
    if (hasAttr(part, 'class') && withoutFocus(part) === '' && firstChildOf(part) === null) continue;
    const isDrawn = isSvg(part);
    mayHaveDot ||= !isDrawn && firstChildOf(part) === null && tagOf(part) !== 'i'; // which is an icon
    markup += `|${looksByMarkup(part)}|${isDrawn ? '' : ligatureOf(part)}|${attr(part, isDrawn ? 'd' : 'src') ?? ''}|${attr(part, isDrawn ? 'href' : 'name') ?? ''}`;
  }
  return { markup, mayHaveDot };
}
// What a control's own class says is told as its state; of its icons it changes the colour at most.
const markupWithin = (markup) => markup.slice(markup.indexOf('|') + 1);
const looksByMarkup = (el) => `${withoutFocus(el)}|${attr(el, 'style') ?? ''}`;
const withoutFocus = (el) => (attr(el, 'class') ?? '').replace(kOfFocus, '');
// What it says comes and goes with the focus and the mouse, and draws no other icon; nor does a number that stands for some styles.
const kOfFocus = /\S*(?:focus|hover|ripple)\S*\s*|(?<=^|\s)(?:css|sc|jss)-\w+\s*/gi;
const kDrawnParts = 8;

// Whether it isn't that of the first snapshot: a colour alone may be the mouse's.
function isNewMarkup(el, markup) {
  const first = firstMarkup.get(el);
  if (first === undefined) firstMarkup.set(el, markup);
  return first !== undefined && first !== markup;
}
const firstMarkup = new WeakMap();

// A control that a page has drawn anew has the ref of the one before it: where that had other icons, its line tells them.
function tellIconsDrawnAnew(node, record) {
  const { el, called } = node;
  const markup = firstMarkup.get(el);
  if (markup === undefined || markup === record.drawn) return;
  const before = record.drawn ?? markup;
  if (iconsNamed(before) === iconsNamed(markup)) {
    record.drawn = markup;
    return;
  }
  firstMarkup.set(el, before); // so that later snapshots tell them, too
  const found = [];
  gatherIcons(el, tagOf(el), found, kIconLevels);
  const icons = found.filter((icon) => !called.includes(icon));
  node.called = iconWords(icons, false) + called;
  node.hash = 0;
}

// A class that a script adds to what is drawn anew makes it no other icon.
const iconsNamed = (markup) =>
  markup
    .split(/[\s|]/)
    .filter((word) => kIconClass.test(word))
    .join(' ');

// The colour of the icon that a control is called by, or ''.
function inkWithin(el) {
  const part = [...querySelectorAllOf(el, '*')].find((at) => isSvg(at) || (isChildless(at) && isGlyph(at)));
  const ink = part === undefined ? '' : inkOf(part);
  return kDyed.test(ink) ? ink : '';
}

export { tellIconsDrawnAnew, tellOwnIcons };
