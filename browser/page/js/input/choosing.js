// The course of a choice in a combobox or listbox that a page has made of other elements: C++ clicks as a person would
// [tool.select.made], and asks here what to click next.

import { focusElement, hasAttr, isConnected, isRendered, tagOf } from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { deepQueryAll } from '../dom/shadow_roots.js';
import { activeDescendant, deepActiveElement } from '../dom/flat_tree.js';
import { isAnyFound } from '../dom/found.js';
import { withPass } from '../dom/pass.js';
import { isVisible } from '../dom/style.js';
import { disabledReason } from '../aria/states.js';
import { isTypedInto } from '../aria/values.js';
import { describeElement, describeTarget, resolveTarget } from '../target/targets.js';
import { refOf } from '../target/nearest.js';
import { pointTo } from '../target/pointed.js';
import { poll } from '../wait/pollers.js';
import { optionsText, selectOf, takesChoice, wordsFor } from './choices.js';
import {
  boxOf,
  chooserOf,
  headingOf,
  isExpanded,
  isShownBy,
  listOf,
  listsNow,
  openerOf,
  optionsOf,
  scrollerOf,
  shownBy,
  signBeside,
  takesSeveral,
  tellsExpanded,
  wordsOn,
} from './choosers.js';
import { hasFocus } from './typing.js';

// The choice that is being made. One at a time: a call has the tab to itself.
let choice = null;

function beginChoice({ target, values }) {
  const { el: found, count } = resolveTarget(target, takesChoice);
  const widget = chooserOf(found);
  if (!widget) throw new PageError(`${describeElement(found)} is not a <select>, combobox or listbox.`);
  if (disabledReason(widget, tagOf(widget)))
    throw new PageError(`${describeElement(widget)} is ${disabledReason(widget, tagOf(widget))}.`);
  pointTo(null);
  const select = selectOf(found);
  choice = {
    widget: new WeakRef(widget),
    values: select ? wordsFor(select, values) : values.map(String),
    phase: 'look',
    before: isExpanded(widget) ? null : new WeakSet(listsNow()),
    opened: false, // by us
    openings: 0,
    signed: false, // the sign beside the field was pressed
    keyed: false,
    several: false,
    found: new Map(), // value -> the option that it names
    seen: new Map(), // label -> option
    tried: new Set(), // labels of the options that were clicked
    search: null, // for an option that a list shows only once it is scrolled there
    pick: null,
    changed: false,
    unsure: false,
    hides: false, // the list leaves out what is chosen
  };
  return { ok: true, ...describeTarget(widget, count) };
}

function choiceStep({ callId, timeout, quiet, last = false }) {
  let poller = null;
  const isOver = (mayCome) =>
    last ||
    (quiet &&
      !mayCome &&
      performance.now() - poller.changedAt >= kNothingMore &&
      document.readyState !== 'loading' &&
      !isAnyFound('[aria-busy=true]'));
  const step = (finish, again) => {
    for (;;) {
      const widget = choice?.widget.deref();
      const isThere = widget !== undefined && isConnected(widget);
      const phase = choice?.phase;
      const next = isThere ? kPhases[phase](widget, { isOver, last }) : widgetGone();
      if (next) {
        finish({ ok: true, ...next });
        return;
      }
      if (choice.phase === phase) break;
    }
    again(kPause);
  };
  step.onStart = (self) => {
    poller = self;
    self.watch(document);
  };
  return poll({ callId, timeout }, step, () => ({ ok: true, step: 'wait' }));
}
const kNothingMore = 400; // ms
const kPause = 30; // ms, between two looks at what changes in a shadow tree

// The widget has left the page, or another document has come: what was picked last may have been the reason, else there is
// nothing to go on with.
function widgetGone() {
  if (choice === null) return { step: 'lost' };
  if (choice.phase === 'picked') return choiceDone();
  return failed('The widget is no longer on the page. Take a new snapshot.');
}

const failed = (words) => ({ step: 'fail', words });
const kPhases = {
  __proto__: null,
  look: lookForList,
  opening: awaitOptions,
  match: matchValues,
  pick: pickNext,
  picked: awaitPick,
};

// A widget that has told that its list is open tells that it is closed too, while the list may still be seen to go.
const openList = (widget) => (choice.pick?.expanded && !isExpanded(widget) ? null : listOf(widget, choice.before));

function lookForList(widget) {
  const list = openList(widget);
  if ((list && optionsOf(list).length > 0) || isExpanded(widget)) {
    choice.phase = 'opening';
    return null;
  }
  if (choice.openings++ > choice.values.length)
    return failed(`${describeElement(widget)} closes its list again and again.`);
  choice.before = new WeakSet(listsNow());
  choice.opened = true;
  choice.signed = false;
  choice.phase = 'opening';
  pointTo(openerOf(widget));
  return { step: 'open' };
}

function awaitOptions(widget, { isOver }) {
  const list = openList(widget);
  if (list && optionsOf(list).length > 0) {
    choice.phase = 'match';
    return null;
  }
  const isOpen = list !== null || isExpanded(widget);
  const alert = list === null ? undefined : deepQueryAll(list, '[role=alert]').find(isVisible); // nothing more will come
  if (!isOver(isOpen && alert === undefined)) return null;
  const isField = !isOpen && isTypedInto(widget);
  const sign = isField && !choice.signed ? signBeside(widget) : null;
  if (sign !== null) {
    choice.signed = true;
    pointTo(sign);
    return { step: 'open' };
  }
  if (isField && !choice.keyed && hasFocus(widget)) {
    choice.keyed = true;
    return { step: 'key' };
  }
  const what = describeElement(widget);
  const focused = deepActiveElement();
  if (alert !== undefined)
    return failed(
      `${what} has opened, but shows no options: it says ${quote(cut(oneSpace(alert.innerText), 120))}.` +
        (focused !== null && isTypedInto(focused)
          ? ` For some, ${kTypeInto.replace('it', `${describeElement(focused)}${refOf(focused)}`)}.`
          : ''),
    );
  if (isTypedInto(widget)) return failed(`${what} shows no options when it is clicked: ${kTypeInto}.`);
  return failed(
    isOpen
      ? `${what} has opened, but shows no options.`
      : `${what} was clicked, but no list of options has come: click what opens it, and then the option.`,
  );
}
const kTypeInto = 'type into it with browser_type, and click the option that comes';

// All or nothing: every value is looked for before anything is chosen.
function matchValues(widget, { isOver, last }) {
  const list = listOf(widget, choice.before);
  const options = list ? noteSeen(optionsOf(list)) : [];
  const { values, found } = choice;
  const what = describeElement(widget);
  if (options.length > 0) {
    choice.several = takesSeveral(widget, list, options);
    if (!choice.several && values.length !== 1) return failed(`${what} takes one value, not ${values.length}.`);
  }
  for (const value of values) {
    const fit = found.has(value) ? null : fitting(options, value);
    if (fit) found.set(value, fit);
    else if (!found.has(value) && choice.several && isShownBy(widget, value)) {
      choice.hides = true;
      found.set(value, chosenAlready(value));
    }
  }
  const missing = values.find((value) => !found.has(value));
  if (missing !== undefined) {
    if (!last && scrolls(options)) return null;
    if (!isOver(options.every((option) => option.disabled))) return null;
    unscroll();
    const words = `${what} has no option ${quote(cut(missing, 80))}. It has: ${optionsText([...choice.seen.values()])}.`;
    return failed(isTypedInto(widget) ? `${words} For more, ${kTypeInto}.` : words);
  }
  const disabled = values.find((value) => found.get(value).disabled);
  if (disabled !== undefined) {
    unscroll();
    return failed(
      `The option ${quote(cut(disabled, 80))} of ${what} is disabled. It has: ${optionsText([...choice.seen.values()])}.`,
    );
  }
  choice.phase = 'pick';
  return null;
}

// By value first, then by label, as of a <select>, then by the heading of the only one that has it.
function fitting(options, value) {
  const want = oneSpace(value);
  const among = (fits) => {
    const all = options.filter(fits);
    return all.find(({ disabled }) => !disabled) ?? all[0];
  };
  return (
    among((option) => option.value === value) ??
    among(({ label }) => label === want) ??
    among(({ label }) => label.toLowerCase() === want.toLowerCase()) ??
    among(({ name }) => name === want) ??
    withPass(() => onlyOne(options.filter((option) => headingOf(option).toLowerCase() === want.toLowerCase())))
  );
}
const onlyOne = (found) => (found.length === 1 ? found[0] : undefined);

function noteSeen(options) {
  if (choice.search === null) choice.seen.clear();
  for (const option of options) if (!choice.seen.has(option.label)) choice.seen.set(option.label, option);
  return options;
}

const chosenAlready = (value) => ({ label: oneSpace(value), value: null, disabled: false, selected: true });

// Scrolls a list on, from its top to its end, as long lists hold only the options that are seen. Whether it did.
function scrolls(options) {
  const scroller = options.length > 0 ? scrollerOf(options[0].el) : null;
  if (!scroller) return false;
  const now = performance.now();
  choice.search ??= { scroller: new WeakRef(scroller), from: scroller.scrollTop, top: false, at: now };
  const { search } = choice;
  const before = scroller.scrollTop;
  if (search.scrolledAt !== undefined && now - search.scrolledAt < kRedrawn) return true;
  if (!search.top && before > 0) scroller.scrollTop = 0;
  else scroller.scrollTop = before + scroller.clientHeight * kShare;
  search.top = true;
  search.scrolledAt = now;
  return scroller.scrollTop !== before;
}
const kShare = 0.8; // of its height, so that no row is passed by
const kRedrawn = 40; // ms in which a page draws what a list is scrolled to

function unscroll() {
  const scroller = choice.search?.scroller.deref();
  if (scroller) scroller.scrollTop = choice.search.from;
  choice.search = null;
}

// Some lists say `selected` of the option that the keys would choose. Where several may be chosen in one below a field, which
// shows each, that is what the field doesn't show.
function isChosenNow(widget, { el, label, selected }) {
  if (!selected || el === undefined || hasAttr(el, 'aria-checked')) return selected;
  if (![widget, ...deepQueryAll(widget, 'input')].some(isTypedInto)) return true;
  return choice.hides ? false : activeDescendant() !== el || isShownBy(widget, label);
}

const isWanted = ({ label }) => [...choice.found.values()].some((option) => option.label === label);

function pickNext(widget, { isOver, last }) {
  const list = openList(widget);
  const options = list ? optionsOf(list) : [];
  const todo = options.filter(
    (option) =>
      !choice.tried.has(option.label) &&
      (choice.several ? isWanted(option) !== isChosenNow(widget, option) : isWanted(option)),
  );
  const next = todo.find(isWanted) ?? todo.find(({ disabled }) => !disabled);
  if (next && !choice.several && next.selected && !choice.opened) return choiceDone();
  if (next) {
    choice.tried.add(next.label);
    const shown = shownBy(widget);
    choice.pick = {
      ...next,
      el: new WeakRef(next.el),
      list: new WeakRef(list),
      shown,
      expanded: isExpanded(widget),
      at: performance.now(),
    };
    choice.phase = 'picked';
    choice.changed = true;
    pointTo(next.el, () => {
      const now = listOf(widget, choice.before);
      return now && optionsOf(now).find(({ label }) => label === next.label)?.el;
    });
    return { step: 'pick', label: next.label };
  }
  const left = [...choice.found.values()].filter(
    (option) => !isChosenNow(widget, option) && !choice.tried.has(option.label),
  );
  const unseen = left.filter(({ label }) => !options.some((option) => option.label === label));
  if (unseen.length === 0) return choiceDone();
  if (!list) {
    choice.phase = 'look'; // it closes with each choice
    return null;
  }
  if (!last && scrolls(options)) return null;
  return isOver(false)
    ? failed(`The option ${quote(cut(unseen[0].label, 80))} of ${describeElement(widget)} has gone from its list.`)
    : null;
}

// Until the page shows that it took the click: the option's state, the end of the list, what the widget shows.
function awaitPick(widget) {
  const { el: ref, list: listRef, label, selected, shown, expanded, at } = choice.pick;
  const el = ref.deref();
  const list = listRef.deref();
  const now =
    el && isConnected(el) && list && isConnected(list) ? optionsOf(list).find((one) => one.label === label) : undefined;
  const isTaken = !now || now.selected !== selected || (expanded && !isExpanded(widget)) || shownBy(widget) !== shown;
  if (!isTaken && performance.now() - at < kTaken) return null;
  choice.hides ||= !now && list !== undefined && (optionsOf(list).length > 0 || isShownBy(widget, label));
  choice.unsure ||= !isTaken && !(selected && !choice.several);
  if (!choice.several) return choiceDone();
  choice.phase = 'pick';
  return null;
}
const kTaken = 700; // ms

const quotedLabels = (labels) => labels.map((label) => quote(cut(label, 80))).join(', ');

// What a widget still shows of what was chosen before, where its list doesn't offer that, so that no click there takes it away.
function othersBeside(labels) {
  const widget = choice.widget.deref();
  if (!choice.several || !choice.hides || !widget || !isConnected(widget)) return [];
  const list = listOf(widget, choice.before);
  const offered = list ? optionsOf(list).map(({ label }) => label) : [];
  return [...new Set(wordsOn(widget))]
    .filter((line) => line !== '' && !labels.includes(line) && !offered.includes(line))
    .slice(0, kOthersTold);
}
const kOthersTold = 5;

function choiceDone() {
  const { values, found, changed, unsure, several } = choice;
  const labels = values.map((value) => found.get(value).label);
  choice.phase = 'over';
  return {
    step: 'done',
    chosen: quotedLabels(labels),
    changed,
    unsure,
    several,
    others: quotedLabels(othersBeside(labels)),
  };
}

// Whether the list that was opened is closed again. One that stood there before is none of ours. `focus`: Escape is next, and
// where nothing has the focus, such as after a click on an option that takes none, the widget is to hear it.
function choiceClosed({ callId, timeout, focus = false }) {
  const opener = choice?.widget.deref();
  if (focus && opener && deepActiveElement() === null) focusElement(opener);
  const isClosed = () => {
    const widget = choice?.widget.deref();
    if (!widget || !isConnected(widget) || !choice.opened) return true;
    if (tellsExpanded(widget)) return !isExpanded(widget);
    const list = choice.pick?.list.deref() ?? listOf(widget, choice.before);
    return !list || !isConnected(list) || !isRendered(list, { visibilityProperty: true }) || !isVisible(boxOf(list));
  };
  const step = (finish, again) => {
    if (isClosed()) finish({ ok: true, closed: true });
    else again(kPause);
  };
  return poll({ callId, timeout }, step, () => ({ ok: true, closed: false }));
}

export { beginChoice, choiceClosed, choiceStep };
