// Comboboxes and listboxes that pages make of other elements [tool.select.made]: the widget that a target means, the list
// that belongs to it, the options of that.

import {
  attr,
  documentById,
  firstChildOf,
  hasAttr,
  isElement,
  isRendered,
  labelControlOf,
  matchesSelector,
  nextElementOf,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { oneSpace } from '../dom/text.js';
import { deepQueryAll } from '../dom/shadow_roots.js';
import {
  activeDescendant,
  byIdNear,
  closestFlat,
  eachFlatChild,
  flatContains,
  flatParentOf,
  idListOf,
  isLarger,
  largerAround,
} from '../dom/flat_tree.js';
import { FOR_READERS, isGone } from '../dom/sight.js';
import { isVisible, styleOf } from '../dom/style.js';
import { withPass } from '../dom/pass.js';
import { nameOf } from '../aria/names.js';
import { roleOf } from '../aria/roles.js';
import { completesText } from '../aria/values.js';
import { disabledReason } from '../aria/states.js';
import { sightHere } from '../tree/natives.js';
import { saysRemove } from '../tree/removers.js';
import { widgetOf } from '../tree/widgets.js';

const kChoosers = '[role=combobox],[role=listbox],[aria-haspopup=listbox]';
const kOtherPopups = /^(dialog|grid)$/; // what a combobox may open instead of a list, such as a calendar
const kWholes = /^(html|body|main|form)$/;
const kDepthAround = 4; // elements from a part of a widget up to it

// What completes a text that is typed has a list of what there is, whatever it stands in.
const isChooser = (el) =>
  tagOf(el) !== 'select' &&
  matchesSelector(el, kChoosers) &&
  (!kOtherPopups.test(attr(el, 'aria-haspopup') ?? '') || completesText(el));

// The widget to choose in that a target means: itself, its label's, the one that stands for a hidden select, the only one in
// it, or the one that it is a part of.
function chooserOf(target) {
  return withPass(() => {
    const el = tagOf(target) === 'label' ? (labelControlOf(target) ?? target) : target;
    if (isChooser(el)) return el;
    const widget = tagOf(el) === 'select' ? widgetOf(el) : null;
    if (widget && isChooser(widget)) return widget;
    if (kWholes.test(tagOf(el))) return null;
    const within = deepQueryAll(el, kChoosers).filter((one) => isChooser(one) && isVisible(one));
    const outer = within.filter((one) => !within.some((other) => other !== one && flatContains(other, one)));
    if (outer.length === 1) return outer[0];
    for (let at = el, depth = 0; at && depth < kDepthAround; at = flatParentOf(at), depth++)
      if (isChooser(at)) return at;
    return null;
  });
}

// The elements that may tell of a widget's list: a combobox is wrapped around a field, or around it.
function* tellersOf(widget) {
  yield widget;
  for (const inner of deepQueryAll(widget, '[role=combobox]')) yield inner;
  for (let at = flatParentOf(widget), depth = 0; at && depth < kDepthAround; at = flatParentOf(at), depth++)
    if (attr(at, 'role') === 'combobox') yield at;
}

function isExpanded(widget) {
  for (const el of tellersOf(widget)) if (hasAttr(el, 'aria-expanded')) return attr(el, 'aria-expanded') === 'true';
  return false;
}
const tellsExpanded = (widget) => [...tellersOf(widget)].some((el) => hasAttr(el, 'aria-expanded'));

const isList = (el) => attr(el, 'role') === 'listbox';

// What opens a list of its own holds but the option that is chosen, as what stands for a select does.
const opensAnother = (list) => /^(true|listbox|menu)$/.test(attr(list, 'aria-haspopup') ?? '');

// The lists that can be seen now.
const listsNow = () => deepQueryAll(document, '[role=listbox]').filter(isVisible);

// What holds the options of a list as they are seen. Those of a list without a size, for readers, are drawn beside it.
const boxOf = (list) => largerAround(list, kNoRoom, kDepthAround + 1) ?? list;

// One without a size is there only while its widget says that it is open.
const isShownFor = (widget, list) =>
  isVisible(list) || (isExpanded(widget) && isRendered(list, { visibilityProperty: true }) && isVisible(boxOf(list)));

const kNoRoom = 2; // CSS px

// The list that a widget has now, or null: itself; the one that it names; the one come since `before`, or without that the only one.
function listOf(widget, before) {
  if (isList(widget) && !opensAnother(widget) && optionsOf(widget).length > 0) return widget;
  for (const el of tellersOf(widget))
    for (const name of ['aria-controls', 'aria-owns'])
      for (const id of idListOf(el, name)) {
        const named = byIdNear(el, id) ?? documentById(document, id);
        if (named && named !== widget && isShownFor(widget, named) && (isList(named) || holdsList(named))) return named;
      }
  const active = activeDescendant();
  const around = active && closestFlat(active, isList);
  // What is in the widget is its own, though others may name theirs by the same id.
  const isAnothers = (list) =>
    !flatContains(widget, list) && (flatContains(list, widget) || isNamedByAnother(list, widget));
  if (around && isShownFor(widget, around) && !isAnothers(around)) return around;
  const others = listsNow().filter((el) => !isAnothers(el));
  const within = before === null ? others.filter((el) => flatContains(widget, el) && offersAny(el)) : [];
  if (within.length === 1) return within[0];
  const fresh = before === null ? others : others.filter((el) => !before.has(el));
  return before === null && fresh.length !== 1 ? null : (fresh.at(-1) ?? null);
}

// Whether the list that is open is that of another combobox, which has the focus still.
function isNamedByAnother(list, widget) {
  const id = attr(list, 'id');
  if (id === null) return false;
  const own = new Set(tellersOf(widget));
  return deepQueryAll(document, '[role=combobox][aria-controls],[role=combobox][aria-owns]').some(
    (one) =>
      !own.has(one) &&
      ['aria-controls', 'aria-owns'].some((name) => idListOf(one, name).includes(id)) &&
      !flatContains(one, widget),
  );
}

// A menu that a combobox names is its list where it has boxes to check: so several are chosen.
const holdsList = (el) => deepQueryAll(el, '[role=listbox],[role=option],[role=menuitemcheckbox]').length > 0;
// A list of groups may call its options the items of a tree.
const isOption = (el) => /^(option|menuitemcheckbox|treeitem)$/.test(attr(el, 'role') ?? '');

// The options of a list, in the order in which they are seen.
function optionsOf(list) {
  return withPass(() => {
    const found = [];
    let left = kOptionsLooked;
    const look = (el) => {
      if (--left < 0) return;
      if (isOption(el)) {
        if (isVisible(el)) found.push(madeOption(el));
        return;
      }
      eachFlatChild(el, tagOf(el), (child) => {
        if (isElement(child)) look(child);
      });
    };
    look(list);
    return found.length === 0 && !isLarger(list, kNoRoom) ? drawnOptions(list) : found;
  });
}
const kOptionsLooked = 20000; // elements

function madeOption(el) {
  const tag = tagOf(el);
  const value = attr(el, 'data-value') ?? attr(el, 'value');
  const name = nameOf(el, tag, roleOf(el, tag));
  // What a style writes beside the words, such as what the highlighted one waits for, goes on to the next option.
  const own = oneSpace(textContentOf(el));
  return {
    el,
    name,
    label: own !== '' && name.startsWith(`${own} `) ? own : name,
    value,
    disabled: disabledReason(el, tag) !== '',
    selected: attr(el, 'aria-selected') === 'true' || attr(el, 'aria-checked') === 'true',
  };
}

// The words that an option begins with, where they stand apart from more of them: JSON, above what that is for.
function headingOf({ el, label }) {
  let text = '';
  let at = el;
  for (let first = firstWordsIn(el); first !== null && first !== el; first = flatParentOf(first)) {
    const words = oneSpace(textContentOf(first));
    if (text === '') text = words;
    if (words !== text) break;
    at = first;
  }
  if (at === el || text === '' || text === label) return '';
  const next = nextElementOf(at);
  return [at, next].some((one) => one !== null && styleOf(one).display !== 'inline') ? text : '';
}

// The innermost element that has the first words within one.
function firstWordsIn(el) {
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
    if (nodeTypeOf(child) === 3 && /\S/.test(nodeValueOf(child))) return el;
    const found = isElement(child) ? firstWordsIn(child) : null;
    if (found !== null) return found;
  }
  return null;
}

// The options that are drawn beside a list without a size, which names some of them: the rows below it, which bear no roles. A
// list that is empty has still to get its own.
function drawnOptions(list) {
  let rows = [];
  if (firstElementIn(list) === null) return rows;
  for (let beside = nextSiblingOf(list); beside && rows.length === 0; beside = nextSiblingOf(beside))
    if (isElement(beside)) rows = rowsIn(beside);
  return rows.map((el) => ({
    el,
    label: oneSpace(el.innerText ?? ''),
    value: null,
    disabled: isStated(el, 'disabled'),
    selected: isStated(el, 'selected'),
  }));
}

function rowsIn(el) {
  for (let at = el; ; ) {
    const kids = [];
    for (let child = firstChildOf(at); child; child = nextSiblingOf(child))
      if (isElement(child) && isVisible(child) && oneSpace(child.innerText ?? '') !== '') kids.push(child);
    if (kids.length === 0) return firstElementIn(at) === null && oneSpace(at.innerText ?? '') !== '' ? [at] : [];
    if (kids.length > 1 || isRow(kids[0])) return kids;
    at = kids[0];
  }
}

function firstElementIn(el) {
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) if (isElement(child)) return child;
  return null;
}

const isRow = (el) => hasAttr(el, 'aria-selected') || /(^|[-_\s])(option|item)(\s|$)/.test(attr(el, 'class') ?? '');
const isStated = (el, state) =>
  attr(el, `aria-${state}`) === 'true' || new RegExp(`[-_]${state}(\\s|$)`).test(attr(el, 'class') ?? '');

// Whether several may be chosen: where the list doesn't say, its options' checkboxes do, or the name of its kind.
function takesSeveral(widget, list, options) {
  for (const el of [list, ...deepQueryAll(list, '[role=listbox]')]) {
    const told = attr(el, 'aria-multiselectable');
    if (told !== null) return told === 'true';
  }
  if (options.filter(({ selected }) => selected).length > 1) return true;
  if (options.some(({ el }) => hasAttr(el, 'aria-checked') || deepQueryAll(el, 'input[type=checkbox]').length > 0))
    return true;
  return saysSeveral(widget) || saysSeveral(list);
}
function saysSeveral(el) {
  for (let at = el, depth = 0; at && depth < kDepthAround; at = flatParentOf(at), depth++)
    if (kSeveral.test(attr(at, 'class') ?? '')) return true;
  return false;
}
const kSeveral = /(^|[-_\s])(multi(ple|select)?|tag-?box|tags?-?input|token-?field)([-_\s]|$)/i;

// The box that an option is scrolled in, or null where all of the list is seen.
function scrollerOf(option) {
  for (let at = flatParentOf(option), depth = 0; at && depth < kScrollDepth; at = flatParentOf(at), depth++)
    if (at.scrollHeight > at.clientHeight + 1 && /auto|scroll/.test(withPass(() => styleOf(at)).overflowY)) return at;
  return null;
}
const kScrollDepth = 6; // elements

// What to click to open a widget's list: itself, or what is drawn in its place around it. What was chosen may lie over the
// nearest box around a field, so that this is no place either.
function openerOf(widget) {
  return withPass(() => {
    const isNoPlace = (el) => isUnseen(el) || (el !== widget && (!isLarger(el, kNoRoom) || isOverlaid(el)));
    let at = widget;
    for (let depth = 0; depth < kDepthAround && isNoPlace(at); depth++) at = flatParentOf(at) ?? at;
    return isNoPlace(at) ? widget : at;
  });
}

// Whether a later part of the same box lies over the middle of one.
function isOverlaid(el) {
  const { left, top, width, height } = rectOf(el);
  const [x, y] = [left + width / 2, top + height / 2];
  for (let other = nextElementOf(el); other !== null; other = nextElementOf(other)) {
    const box = rectOf(other);
    if (x > box.left && x < box.right && y > box.top && y < box.bottom) return true;
  }
  return false;
}

// The sign beside a field, in a box of its own or not, that is pressed to open its list; null where not just one fits.
function signBeside(field) {
  const isSign = (el) =>
    el !== field &&
    isVisible(el) &&
    styleOf(el).cursor === 'pointer' &&
    oneSpace(el.innerText ?? '').length <= 1 &&
    !saysRemove(el) &&
    attr(el, 'aria-disabled') !== 'true';
  return withPass(() => {
    for (let at = flatParentOf(field), depth = 0; at && depth < kSignDepth; at = flatParentOf(at), depth++) {
      const parts = [...querySelectorAllOf(at, '*')];
      if (kWholes.test(tagOf(at)) || parts.length > kPartsOfField) return null;
      const signs = parts.filter(isSign);
      const outer = signs.filter((sign) => !signs.some((other) => other !== sign && flatContains(other, sign)));
      if (outer.length > 0) return outer.length === 1 ? outer[0] : null;
    }
    return null;
  });
}
const kSignDepth = 2;
const kPartsOfField = 60; // what holds more is more than a field

function isUnseen(el) {
  const sight = sightHere(el);
  return (sight & FOR_READERS) !== 0 || isGone(sight);
}

// Whether a list shows what may be chosen; what is chosen may stand in one too.
const offersAny = (list) =>
  isRendered(list, { visibilityProperty: true }) &&
  [...querySelectorAllOf(list, '[role=option],[role=treeitem]')].some(
    (option) => attr(option, 'aria-selected') !== 'true',
  );

// A field shows what is chosen beside it.
const partsAround = (widget) =>
  tagOf(widget) === 'input' ? (flatParentOf(flatParentOf(widget) ?? widget) ?? widget) : widget;
const wordsOn = (widget) => linesOf(textAround(widget));
const linesOf = (text) => text.split('\n').map((line) => oneSpace(line).replace(kRemoves, ''));
const kRemoves = / ?[×✕✖⨯]$/; // a button that takes the choice away

const textAround = (widget) => textBesideLists(partsAround(widget), widget);

// The text in an element without what the open lists in it offer, which isn't chosen. A list around `kept` stays.
function textBesideLists(around, kept) {
  const active = activeDescendant();
  let text = around.innerText ?? '';
  for (const select of deepQueryAll(around, 'select')) text = withoutOptions(text, select);
  for (const list of deepQueryAll(around, '[role=listbox]'))
    if (!flatContains(list, kept) && (offersAny(list) || (active && flatContains(list, active))))
      text = text.replace(list.innerText.trim(), '');
    else if (list !== kept && !flatContains(list, kept)) text = withChosenApart(text, list);
  for (const spoken of deepQueryAll(around, kSpoken))
    if (withPass(() => sightHere(spoken)) & FOR_READERS) text = text.replace((spoken.innerText ?? '').trim(), '');
  return text;
}

// One that a style draws in spite of its `hidden` has its options in lines in the text around it, and in its own in one.
function withoutOptions(text, select) {
  const lines = [...querySelectorAllOf(select, 'option')].map((option) => oneSpace(textContentOf(option))).join('\n');
  for (const said of [select.innerText.trim(), lines])
    if (said !== '' && text.includes(said)) return text.replace(said, '');
  return text;
}
const kSpoken = 'span,div,p'; // which may tell readers alone what is chosen and how to choose

// The chosen options of a list each in a line, without the buttons that take them away.
function withChosenApart(text, list) {
  const whole = (list.innerText ?? '').trim();
  if (whole === '') return text;
  const chosen = [...querySelectorAllOf(list, '[role=option]')].map((option) => {
    const buttons = [...querySelectorAllOf(option, 'button,[role=button]')];
    return buttons.reduce(
      (words, button) => words.replace((button.innerText ?? '').trim(), ''),
      option.innerText ?? '',
    );
  });
  return chosen.length === 0 ? text : text.replace(whole, `\n${chosen.map((words) => oneSpace(words)).join('\n')}\n`);
}

// What a widget shows of what is chosen in it: its words, and those of the fields in it and of what is close around it.
function shownBy(widget) {
  const around = partsAround(widget);
  const fields = deepQueryAll(around, 'input').map((field) => field.value);
  return [widget.value ?? '', textAround(widget), ...fields].join('\n');
}

// A list may leave out what is chosen already, and show it in the widget instead.
const isShownBy = (widget, value) => linesOf(shownBy(widget)).includes(oneSpace(value));

export {
  chooserOf,
  headingOf,
  isExpanded,
  isShownBy,
  listOf,
  listsNow,
  openerOf,
  boxOf,
  optionsOf,
  scrollerOf,
  shownBy,
  signBeside,
  takesSeveral,
  tellsExpanded,
  textBesideLists,
  wordsOn,
};
