// States: what the user sees of a control besides its name and value.

import {
  attr,
  closestOf,
  firstElementOf,
  hasAnyAttr,
  hasAttr,
  inputCheckedOf,
  inputIndeterminateOf,
  inputTypeOf,
  matchesSelector,
  nextElementOf,
  optionSelectedOf,
  querySelectorAllOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { tagSketch } from '../dom/errors.js';
import { anyClosedRoot, sawShadow } from '../dom/shadow_roots.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { isAnyFound } from '../dom/found.js';
import { BOX, note } from '../dom/noted.js';
import { pass } from '../dom/pass.js';
import { styleOf } from '../dom/style.js';
import { labelsOf } from './labels.js';
import { kChecked, kDisabled, kExpanded, kRequirable, kSelected } from './roles.js';
import { isRevealed } from './values.js';

// Why a control takes no input, or '' when it does. Order: what the author wrote on it, then around it.
function disabledReason(el, tag) {
  if (kNativeControls.has(tag) && matchesSelector(el, ':disabled')) {
    if (hasAttr(el, 'disabled')) return 'disabled';
    if (tag === 'option') return 'disabled by optgroup';
    return 'disabled by fieldset';
  }
  if (!mayBeAriaDisabled()) return '';
  for (let at = el; at; at = flatParentOf(at)) {
    const value = attr(at, 'aria-disabled');
    if (value === 'true') return at === el ? 'aria-disabled' : `aria-disabled by ${tagSketch(at)}`;
    if (value === 'false') return '';
  }
  return '';
}

// Every control asks this of its ancestors, so each pass finds out once whether any element uses aria-disabled at
// all.
function mayBeAriaDisabled() {
  if (!pass || sawShadow || anyClosedRoot) return true;
  return isAnyFound('[aria-disabled]');
}
const kNativeControls = words('button input select textarea option optgroup fieldset');
const isAriaTrue = (el, name) => attr(el, name) === 'true';

function checkedStateOf(el, tag, role) {
  if (tag === 'input') {
    const type = inputTypeOf(el);
    if (type === 'checkbox' || type === 'radio') {
      if (type === 'checkbox' && (inputIndeterminateOf(el) || isHalfDrawn(el))) return 'mixed';
      return inputCheckedOf(el);
    }
  }
  if (!kChecked.has(role)) return false;
  const value = attr(el, 'aria-checked') ?? attr(el, 'aria-pressed'); // as some authors say it of a checkbox
  const called = attr(el, 'class') ?? '';
  if (kHalfClass.test(called) || (role === 'treeitem' && hasHalfBox(el))) return 'mixed';
  if (value === null) return kCheckedClass.test(called); // or by its looks alone
  return value === 'mixed' ? 'mixed' : value === 'true';
}
// Of some choices below it all and of others none is made: so is a box drawn whose input says no more than that it isn't ticked.
const isHalfDrawn = (input) =>
  attr(input, 'aria-checked') === 'mixed' ||
  kHalfClass.test(attr(input, 'class') ?? '') ||
  kHalfClass.test(attr(flatParentOf(input) ?? input, 'class') ?? '');

// Whether the box that is drawn before an item's words is half ticked.
function hasHalfBox(item) {
  let left = kBoxPartsLooked;
  const look = (el) => {
    for (let at = firstElementOf(el); at !== null && left-- > 0; at = nextElementOf(at))
      if (kHalfClass.test(attr(at, 'class') ?? '') || look(at)) return true;
    return false;
  };
  return look(item);
}
const kBoxPartsLooked = 4;
const kHalfClass =
  /(^|[\s_-])(?<!\bnot[-_])(indeterminate|undetermined|half-?checked|partsel|partial(ly)?-?(checked|selected))(\s|$)/i;
const kCheckedClass = /(^|\s)([\w-]*[-_])?(?<!\b(?:un|not[-_]?))checked(\s|$)/;

function expandedStateOf(el, tag, role) {
  if (tag === 'details') return hasAttr(el, 'open');
  if (tag === 'summary') {
    const parent = flatParentOf(el);
    return parent !== null && tagOf(parent) === 'details' && hasAttr(parent, 'open');
  }
  if (tag === 'select' && isListOpen(el)) return true;
  if (tag === 'button' && (hasAttr(el, 'popovertarget') || hasAttr(el, 'commandfor')) && opensOpenPopover(el))
    return true;
  return kExpanded.has(role) && isAriaTrue(el, 'aria-expanded');
}

// Whether a <select> shows its list, be it the browser's or one that the page draws.
const isListOpen = (select) => kKnowsOpen && matchesSelector(select, ':open');
const kKnowsOpen = CSS.supports('selector(:open)');

// Whether what the button shows by itself, without a script, is there.
function opensOpenPopover(button) {
  note(BOX); // the popover comes and goes without a change of the button's
  const target = button.popoverTargetElement ?? button.commandForElement ?? null;
  return target !== null && hasAttr(target, 'popover') && matchesSelector(target, ':popover-open');
}

const kDrawnSelected = words('generic button'); // a calendar's days

function selectedStateOf(el, tag, role) {
  if (tag === 'option') return optionSelectedOf(el);
  return (kSelected.has(role) || kDrawnSelected.has(role)) && isAriaTrue(el, 'aria-selected'); // what its author draws so
}

function levelOf(el, tag, role) {
  if (role !== 'heading' && role !== 'treeitem' && role !== 'listitem' && role !== 'row') return 0;
  const value = parseInt(attr(el, 'aria-level') ?? '', 10);
  if (value > 0) return value;
  if (role !== 'heading') return 0;
  return tag.length === 2 && tag[0] === 'h' ? Number(tag[1]) || 2 : 2;
}

// Nothing else tells of these that there is more below them: a leaf looks the same.
const kBranches = words('treeitem row');

// Whether an item of a menu opens another one, which a person sees by its arrow. Those of a bar all do.
const opensMenu = (el) =>
  !/^(false)?$/.test(attr(el, 'aria-haspopup') ?? '') &&
  attr(closestOf(el, '[role=menu],[role=menubar]') ?? el, 'role') !== 'menubar';

// The `[...]` marks of a node, in Playwright's order, then the ones it lacks.
const kStateOfItsOwn = words('input summary select'); // beside being disabled
const kNotCurrent = new Set(['', 'false', 'undefined', 'null']); // the last two are no words of an author's

function statesOf(el, tag, role) {
  let out = '';
  const plain = !hasAnyAttr(el);
  const level = levelOf(el, tag, role);
  if (plain && !kStateOfItsOwn.has(tag))
    return level
      ? ` [level=${level}]`
      : kNativeControls.has(tag) && matchesSelector(el, ':disabled')
        ? ' [disabled]'
        : tag === 'option' && optionSelectedOf(el)
          ? ' [selected]'
          : '';
  const checked = checkedStateOf(el, tag, role);
  if (checked) out += checked === 'mixed' ? ' [checked=mixed]' : ' [checked]';
  if ((kDisabled.has(role) && disabledReason(el, tag) !== '') || isLinkShutOff(el, tag)) out += ' [disabled]';
  if (expandedStateOf(el, tag, role)) out += ' [expanded]';
  else if (kBranches.has(role) && attr(el, 'aria-expanded') === 'false') out += ' [collapsed]';
  else if (role === 'menuitem' && opensMenu(el)) out += ' [haspopup]';
  if (level) out += ` [level=${level}]`;
  if (role === 'button') {
    const pressed = attr(el, 'aria-pressed');
    if (pressed === 'true') out += ' [pressed]';
    else if (pressed === 'mixed') out += ' [pressed=mixed]';
    if (pressed === null && isAriaTrue(el, 'aria-checked')) out += ' [checked]'; // as some authors say it of a button
  }
  if (selectedStateOf(el, tag, role)) out += ' [selected]';
  const invalid = attr(el, 'aria-invalid');
  if (invalid && invalid !== 'false') out += ' [invalid]';
  if (kRequirable.has(role) && isRequired(el, tag)) out += ' [required]';
  if (tag === 'input' && isRevealed(el)) out += ' [revealed]';
  if (isAriaTrue(el, 'aria-readonly') || ((tag === 'input' || tag === 'textarea') && hasAttr(el, 'readonly')))
    out += ' [readonly]';
  if (!kNotCurrent.has(attr(el, 'aria-current') ?? '')) out += ' [current]';
  if (role === 'columnheader' || role === 'rowheader') out += sortStateOf(el);
  return out;
}

// The headers of some kits say it in a word of their own.
function sortStateOf(el) {
  const sort = attr(el, 'aria-sort') ?? attr(el, 'sort-direction') ?? attr(el, 'data-sort-direction') ?? '';
  const [, way] = /^(asc|desc)(ending)?$/.exec(sort) ?? [];
  return way === undefined ? '' : ` [sort=${way}ending]`;
}

// By its own word, or by the star in its label that is drawn for the eye alone.
function isRequired(el, tag) {
  if (hasAttr(el, 'required') || isAriaTrue(el, 'aria-required')) return true;
  return kNativeControls.has(tag) && labelsOf(el).some(hasStar);
}
const hasStar = (label) =>
  Array.from(querySelectorAllOf(label, '[aria-hidden=true]')).some((part) => textContentOf(part).trim() === '*');

// What an author says of a link by an attribute that HTML has for controls alone holds where a style makes it so.
function isLinkShutOff(el, tag) {
  if (tag !== 'a' || !hasAttr(el, 'disabled')) return false;
  const { pointerEvents, cursor } = styleOf(el);
  return pointerEvents === 'none' || (cursor !== 'pointer' && cursor !== 'auto');
}

export { disabledReason, checkedStateOf, expandedStateOf, isListOpen, selectedStateOf, levelOf, statesOf };
