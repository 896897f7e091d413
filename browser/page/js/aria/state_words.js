// What a control, an item, a row or a step is in, where no ARIA attribute tells: the words of its class, or its author's own
// attributes [tool.snapshot.hints].

import {
  attr,
  attrNamesOf,
  closestOf,
  firstElementOf,
  hasAnyAttr,
  hasAttr,
  nextElementOf,
  previousElementOf,
  querySelectorAllOf,
  rootNodeOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { flatParentOf, holdsNoOther } from '../dom/flat_tree.js';
import { words } from '../dom/collections.js';
import { isClassOfPress } from '../dom/sheets.js';
import { pass } from '../dom/pass.js';
import { styleOf } from '../dom/style.js';

// The words of a class, without hyphens around them; those that a bundler has made unique are as their author wrote them.
const classesOf = (el) =>
  (attr(el, 'class') ?? '')
    .split(/\s+/)
    .map((word) => (word.startsWith('_') ? (kUniqueWord.exec(word)?.[1] ?? word) : word))
    .map((word) => (word.startsWith('-') ? word.replace(/^--?|--?$/g, '') : word))
    .filter((word) => /^[a-z][\w-]{1,39}$/i.test(word));
const kUniqueWord = /^_([a-z][\w-]*?)_[a-z0-9]{5}_\d+$/i;
const kStatedFields = words('textbox searchbox spinbutton combobox listbox checkbox radio switch slider');
const kSorting = words('columnheader button');

function stateWordOf(el, role) {
  const word = ownStateWord(el, role);
  return word === '' && role === 'columnheader' && !hasAttr(el, 'aria-sort') ? orderOfHeader(el) : word;
}

// By which way a column is sorted that only the box in its header says, or that a word for all that can be sorted says too: what is
// beside it has the same classes but for that. Where each has an order, it is how it would be sorted.
function orderOfHeader(header) {
  const boxOf = (at, isWithin) => (isWithin ? firstElementOf(at) : at);
  for (const isWithin of [false, true]) {
    const box = boxOf(header, isWithin);
    const own = box === null ? [] : classesOf(box);
    const order = own.find((word) => kSortState.test(word));
    if (order === undefined) continue;
    const rest = own.filter((word) => !kSortState.test(word));
    for (let at = firstElementOf(flatParentOf(header)); at !== null; at = nextElementOf(at)) {
      const had = at === header || boxOf(at, isWithin) === null ? [] : classesOf(boxOf(at, isWithin));
      if (rest.length > 0 && rest.every((word) => had.includes(word)) && !had.some((word) => kSortState.test(word)))
        return order;
    }
  }
  return '';
}

function ownStateWord(el, role) {
  const classes = attr(el, 'class');
  if (classes === null || !kStateWord.test(classes)) return '';
  const isField = kStatedFields.has(role);
  const own = classesOf(el);
  const isForSort = (own.includes('sortable') && !own.includes('sorted')) || isInSortedHeader(el); // how it would be sorted
  const says = (word) =>
    isField ? kFieldState.test(word) : kState.test(word) || (kSorting.has(role) && !isForSort && kSortState.test(word));
  // A highlight may be what all of its kind have, as what is drawn into a page by that name.
  // So may the words be of a button that leads to today's date.
  const isOfOne = (word) => isOneOfOthers(el, word) && (!kToday.test(word) || /\d/.test(textContentOf(el)));
  const tells = (word) => says(word) && (!kOfSome.test(word) || isOfOne(word));
  const told = own.filter(
    (word) => tells(word) && !kNoState.test(word) && !saysState(el, word) && !isOfPress(el, word),
  );
  return (
    told.find((word) => !/(current|today)$/i.test(word)) ?? // of which the chosen day may be another
    told[0] ??
    own.find((word) => !isField && isStateBeside(word) && !saysState(el, word) && isOneOfOthers(el, word)) ??
    ''
  );
}

// What says it beside others alone: current-layer-item, rowSelected.
const isStateBeside = (word) => kStateFirst.test(word) || kStateLast.test(word);
const kStateLast = /[a-z](Active|Current|Selected)$/;

const kOfSome = /(highlight|today)$/i;
const kToday = /today$/i;

// Whether what stands beside an element, or in the next box where it has its own, and has its tag lacks its class: of chosen ones
// alone each has it.
function isOneOfOthers(el, word) {
  const isOther = (at) => at !== null && tagOf(at) === tagOf(el) && !classesOf(at).includes(word);
  const [next, last] = [nextElementOf(el), previousElementOf(el)];
  if (next !== null || last !== null) return isOther(next) || isOther(last);
  const box = flatParentOf(el);
  return (
    box !== null &&
    [nextElementOf(box), previousElementOf(box)].some((at) => at !== null && isOther(firstElementOf(at)))
  );
}

// The class that an item of a list has beyond those that the others have in common, where a style draws it by that, as with the
// suggestion that the arrow keys have come to, or the items that are dragged together; or ''.
function wordOfSome(el) {
  if (!hasAttr(el, 'class') || saysState(el, '')) return '';
  const list = flatParentOf(el);
  if (list === null) return '';
  let marked = pass.marked.get(list);
  if (marked === undefined) pass.marked.set(list, (marked = markedIn(list)));
  if (marked === null || String(classesOf(el)) !== marked.classes || isOfPress(el, marked.word)) return '';
  if (tagOf(el) === 'tr' && kOfMouse.test(marked.word)) return '';
  const [own, other] = [styleOf(el), styleOf(marked.plain)];
  // What can't be clicked as the others can is none of them, but their heading.
  return own.backgroundColor !== other.backgroundColor && own.cursor === other.cursor ? marked.word : '';
}

// Of a list whose items have all the same classes, and some one more: { word, classes, plain }, that class, all of theirs, and an
// item without it; else null.
function markedIn(list) {
  const kinds = new Map(); // the classes, as text -> the first item that has them
  let items = 0;
  let tag = null;
  for (let at = firstElementOf(list); at !== null; at = nextElementOf(at)) {
    tag ??= tagOf(at);
    if (tagOf(at) !== tag || ++items > kItemsMost) return null;
    const worn = String(classesOf(at));
    if (!kinds.has(worn)) kinds.set(worn, at);
    if (kinds.size > 2) return null;
  }
  if (kinds.size < 2 || items < kItemsLeast) return null;
  const [[, plain], [classes, one]] = [...kinds].sort(([a], [b]) => a.length - b.length);
  const [own, had] = [classesOf(one), classesOf(plain)];
  const [word] = own.filter((each) => !had.includes(each));
  return own.length !== had.length + 1 || own.length > kFewClasses || word === undefined || kStripe.test(word)
    ? null
    : { word, classes, plain };
}
const kItemsLeast = 3;
const kStripe = /odd|even|alt|strip|zebra/i; // every second one, for the eye to keep to a line
const kFewClasses = 6;
const kItemsMost = 60;

// The class of the box that a drawing without a name of its own has to itself, where it says which sign that is; or ''.
function signWordAround(el) {
  const box = flatParentOf(el);
  if (box === null || nextElementOf(el) !== null || previousElementOf(el) !== null) return '';
  const word = classesOf(box).find((one) => kSignOfClass.test(one));
  return word === undefined || /\S/.test(textContentOf(box)) ? '' : word;
}
const kSignOfClass = /(^|[-_])(error|fail(ed|ure)?|success|warning|check(mark|ed)?|tick|done)([-_]|$)/i;

// The first class that one of two alike has and the other lacks, but for what may be a state; or ''.
function classUnlike(el, other) {
  const had = classesOf(other);
  const isOwn = (one) =>
    !had.includes(one) && !kMadeUp.test(one) && !isMadeByKit(one, el) && !kState.test(one) && !isOfPress(el, one);
  return classesOf(el).find(isOwn) ?? '';
}

// Whether the header that a control is in says itself by which way it is sorted.
function isInSortedHeader(el) {
  const header = closestOf(el, 'th,[role=columnheader]');
  return header !== null && hasAttr(header, 'aria-sort');
}

// The same of a box around a field that holds no other, where it says that what is in the field isn't taken.
function faultAround(el) {
  if (hasAttr(el, 'aria-invalid')) return '';
  for (let at = flatParentOf(el), level = 0; at !== null && level < kFaultLevels; at = flatParentOf(at), level++) {
    const word = kFaultIn.test(attr(at, 'class') ?? '') ? classesOf(at).find(isFaultWord) : undefined;
    if (word !== undefined) return holdsNoOther(at, kAnyField, el) ? word : '';
  }
  return '';
}
const isFaultWord = (word) => kFault.test(word) && !kNoState.test(word);
const kFaultIn = /invalid|error|validation-?fail/i; // in a class of several words
const kFaultLevels = 5;
const kFault = /^(?!ng-)(.*[-_])?(is|has)?-?(invalid|error|validation-?fail(ed|ure)?)$/i;
const kAnyField = 'input:not([type=hidden]),textarea,select,[role=combobox],[role=textbox]';

// The same of a row, an item, a step or any other place: also how it went.
function placeWordOf(el, role) {
  const classes = attr(el, 'class');
  if (classes === null || !kPlaceStateWord.test(classes)) return '';
  const isOther = role === 'generic';
  const state = isOther ? '' : stateWordOf(el, role);
  if (state !== '' || saysState(el, '')) return state;
  const own = classesOf(el);
  const isStep = isOther && (own.length > 1 || hasAttr(el, 'title'));
  const tells = (one) => (kTone.test(one) || (isStep && kState.test(one))) && !kNoState.test(one);
  return own.find(tells) ?? own.find((one) => kStepNow.test(one)) ?? '';
}
// The step of several that is being worked on, as kits call it.
const kStepNow = /^is-process$|(^|-)steps?[-_]+(item[-_])?process(-status)?$/i;

// A class that rules name only while the mouse or the focus is on what has it says how a press of it looks.
const isOfPress = (el, word) => isClassOfPress(rootNodeOf(el), word);

// A kit's own class for the cells or the rows that the mouse is over. That of an option may be where the keys are.
const kOfMouse = /(^|[-_])hover(ed|ing)?$/i;

// Whether an attribute says it; whether a control is disabled only its own do. That a control's menu is closed says nothing of
// the control: the closed menu of the current section is the current one all the same. That a day isn't the current one doesn't say
// that it isn't marked in another way, as today is, nor does that it isn't the chosen one, or can be chosen.
const saysState = (el, word) =>
  hasAnyAttr(el) &&
  ((/disabled$/i.test(word) ? kDisabledBy : kToldStates).some(
    (name) => hasAttr(el, name) && !(kOfSome.test(word) && attr(el, name) === 'false'),
  ) ||
    (!/disabled$/i.test(word) && attr(el, 'aria-expanded') === 'true'));
const kDisabledBy = ['aria-disabled', 'disabled'];
const kLooks =
  'today|active|selected|checked|current|highlight(?:ed)?|pressed|toggled|disabled|unread|loading|' +
  'check(?:box)?-indeterminate|half-?checked|partsel';
const kOrders = 'asc|desc|ascending|descending';
const kFaults = 'invalid|error|danger|disabled';
const kState = new RegExp(`(^|[-_]|is)(${kLooks})(__[A-Za-z0-9]{5})?$|^(is-?)?on$`, 'i');
const kStateFirst =
  /^(active|selected|current)[-_]?([a-z]+[-_])?(item|tab|link|page|menu|nav|option|row|step|rating|choice|button|btn|cat|category|color|size|lang|language)([-_]item)?$/i;
const kSortState = new RegExp(`(^|[-_])(${kOrders})$|sort(ed|ing)?[-_]?(up|down|${kOrders})$`, 'i');
const kFieldState = new RegExp(`^(?!ng-)(.*[-_])?(is-?)?(${kFaults})$`, 'i'); // Angular's say nothing of the look
const kStateWord = new RegExp(`${kLooks}|${kOrders}|sort(ed|ing)?[-_]?(up|down)|${kFaults}|on\\b`, 'i');
const kTones = 'danger|warning|success|error|positive|negative|done|completed?|finished|failed|passed|overdue|expired';
const kTone = new RegExp(`^(is-|table-|bg-|text-|list-group-item-)?(${kTones})$`, 'i');
const kPlaceStateWord = new RegExp(`${kLooks}|${kTones}|process|on\\b`, 'i');
// What is disabled is more often what can be done with a part than the part. What enters or leaves is drawn so for a moment.
const kNoState =
  /^(text|bg|fill|stroke|border|outline|decoration|accent|caret)-current$|(^|[-_])(not?|non|un|after|before|enter|leave|appear|exit)[-_]\w+$|(^|[-_])(focus|hover|drag|drop|scroll|sort(ing)?|swipe|resize|animations?|ripple)[-_]disabled$/i;
const kToldStates = ['aria-pressed', 'aria-selected', 'aria-checked', 'aria-current', 'aria-invalid', 'aria-sort'];

// That a day which a calendar shows is of the month before or after, by its class or that of the box that it fills; or ''.
function otherMonthOf(el) {
  const day = textContentOf(el).trim();
  if (!/^\d{1,2}$/.test(day)) return '';
  const box = flatParentOf(el);
  const around = box !== null && textContentOf(box).trim() === day ? classesOf(box) : [];
  const names = [...classesOf(el), ...around];
  const word = names.find((one) => kOtherMonth.test(one))?.replace(/^.*--/, '');
  return word ?? (names.some((one) => kOfDays.test(one)) ? (names.find((one) => kAroundMonth.test(one)) ?? '') : '');
}
// Short words that mean it beside one that tells of days.
const kAroundMonth = /^(old|new|off)$/;
const kOfDays = /^(day|date|weekend|ends|available)$/;
const kOtherMonth =
  /(^|[-_]|day)(prev(ious)?|next|other|outside|adjacent|not-?in)[-_]?(current-)?months?([-_]?(days?|dates?|cells?))?$|(^|[-_])(outside|adjacent|day-other|excluded)([-_]?days?)?$/i;

// Whether a box is there for one control alone.
function isBoxOfOne(box, el) {
  if ((tagOf(box) !== 'span' && tagOf(box) !== 'div') || hasAttr(box, 'role')) return false;
  return (
    firstElementOf(box) === el && nextElementOf(el) === null && textContentOf(box).trim() === textContentOf(el).trim()
  );
}

// The table that holds an element alone of what the selector finds, as those do that draw a button's corners; or null.
function tableOfOne(el, selector) {
  const table = closestOf(el, 'table');
  if (table === null || querySelectorAllOf(table, selector).length !== 1) return null;
  return textContentOf(table).trim() === textContentOf(el).trim() ? table : null;
}

// Of the icons that have a class in common each has one more that tells it from the others, all with one beginning.
function iconKindAmong(own, shared) {
  let kin = pass.iconKin.get(shared);
  if (kin === undefined) {
    kin = [...querySelectorAllOf(document, `.${CSS.escape(shared)}`)].slice(0, kIconsCompared).map(classesOf);
    pass.iconKin.set(shared, kin);
  }
  return own.findLast((word) => {
    const family = /^[a-z]+-(?=[a-z])/i.exec(word)?.[0];
    return family && kin.some((had) => !had.includes(word) && had.some((one) => one.startsWith(family)));
  });
}
const kIconsCompared = 12;

const kMadeUp =
  /\d{3}|(^|[-_:])(?=[a-z]*\d+[a-z]+\d)[a-z\d]{8,}([-_:]|$)|^(css|sc|jss|svelte|radix|react|headlessui|ember)-|-sc-[a-z\d]+-\d+$|^:|__?(?=[a-z]*[A-Z\d])[A-Za-z\d]{5}$|_(?=[a-z]*\d)[a-z\d]{5}_\d+$|[:_]r_?[a-z\d]{1,4}[:_]/; // no author's words
const isMadeByKit = (word, el) =>
  /^(?=.+[A-Z])[A-Za-z]{5,6}$/.test(word) && /^(\S+ )*(\S+-)?sc-/.test(attr(el, 'class'));

// Whether a library has made an id: it looks so, or does so in other elements, whose ids are the same but for one part as long.
function isMadeId(id) {
  if (kMadeUp.test(id)) return true;
  const [, head, part, tail] = /^([\w:.]+-)([a-z\d]{8,})(-[\w:.-]+)?$/.exec(id) ?? [];
  if (part === undefined) return isCountedId(id);
  const key = `${head}${part.length}${tail}`;
  let isMade = pass.madeIds.get(key);
  if (isMade === undefined) {
    const ends = tail === undefined ? '' : `[id$="${tail}"]`;
    const like = [...querySelectorAllOf(document, `[id^="${head}"]${ends}`)].slice(0, kIdsCompared);
    const length = id.length;
    isMade = like.some((el) => attr(el, 'id').length === length && kMadeUp.test(attr(el, 'id')));
    pass.madeIds.set(key, isMade);
  }
  return isMade;
}
const kIdsCompared = 40;

// Whether a number within an id is all that tells it from that of another element of its kind: it counts what a kit has made.
function isCountedId(id) {
  const [, head, tail] = /^([a-z][\w-]*-)\d+(-[a-z][\w-]*)$/i.exec(id) ?? [];
  if (head === undefined) return false;
  const key = `${head}#${tail}`;
  let isCounted = pass.madeIds.get(key);
  if (isCounted === undefined) {
    const like = [...querySelectorAllOf(document, `[id^="${head}"][id$="${tail}"]`)].slice(0, kIdsCompared);
    const isLike = (other) => other !== id && /^\d+$/.test(other.slice(head.length, -tail.length));
    isCounted = like.some((el) => isLike(attr(el, 'id')));
    pass.madeIds.set(key, isCounted);
  }
  return isCounted;
}

// What its author says by an attribute that other elements beside it, which are styled like it, have with another word: which
// way an arrow leads.
function wordAmongOthers(el) {
  const around = flatParentOf(el);
  if (around === null) return '';
  for (const name of attrNamesOf(el)) {
    if (!kAuthorsData.test(name)) continue;
    const word = attr(el, name);
    if (!kDataWord.test(word)) continue;
    let compared = 0;
    for (let at = firstElementOf(around); at !== null && ++compared <= kIdsCompared; at = nextElementOf(at)) {
      const other = at === el || tagOf(at) !== tagOf(el) ? null : attr(at, name);
      if (other !== null && other !== word && kDataWord.test(other) && attr(at, 'class') === attr(el, 'class'))
        return `${name}=${word}`;
    }
  }
  return classAmongOthers(el);
}

// The class that an element lacks beside it which is styled like it otherwise, as the corners of a frame are; or that of the box that it
// has to itself.
function classAmongOthers(el) {
  for (let at = el, level = 0; at !== null && level < 2; at = flatParentOf(at), level++) {
    const beside = nextElementOf(at) ?? previousElementOf(at);
    if (beside === null) continue;
    const had = tagOf(beside) === tagOf(at) ? classesOf(beside) : [];
    const word = classesOf(at).some((one) => had.includes(one)) ? classUnlike(at, beside) : '';
    return word === '' ? '' : `class=${word}`;
  }
  return '';
}
const kAuthorsData = /^data-(?!(state|test|v|variant|size|color)\b)/;
const kDataWord = /^(?!true$|false$)[a-z][a-z-]{1,19}$/i;

const wordIn = (text) =>
  text !== null && /^[\w.:-]{2,40}$/.test(text) && !/^(undefined|null|NaN)$/.test(text) ? text : ''; // no words of an author's

export {
  otherMonthOf,
  classUnlike,
  classesOf,
  faultAround,
  iconKindAmong,
  isBoxOfOne,
  isFaultWord,
  isMadeId,
  isOfPress,
  isMadeByKit,
  kMadeUp,
  kOfMouse,
  kStripe,
  kStatedFields,
  placeWordOf,
  saysState,
  signWordAround,
  stateWordOf,
  tableOfOne,
  wordAmongOthers,
  wordIn,
  wordOfSome,
};
