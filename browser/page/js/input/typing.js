// Text by trusted input: the script gives the focus and selects what is to go, the browser puts the text in, and the
// script tells the page of the change, as it would hear it when the user leaves the field.

import {
  activeElementOf,
  areaValueOf,
  attr,
  bodyOf,
  documentElementOf,
  editContextOf,
  firstChildOf,
  focusElement,
  hasAttr,
  inputTypeOf,
  inputValueOf,
  isConnected,
  lastChildOf,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  parentElementOf,
  previousSiblingOf,
  rootNodeOf,
  shadowActiveElementOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { noTextWords, PageError } from '../dom/errors.js';
import { deepActiveElement, flatContains } from '../dom/flat_tree.js';
import { withPass } from '../dom/pass.js';
import { isTransparent } from '../dom/sight.js';
import { controlOf, isEditable, isKeyedPart, takesText } from '../aria/values.js';
import { sightHere } from '../tree/natives.js';
import { refOf } from '../target/nearest.js';
import { describeElement, describeTarget, resolveTarget } from '../target/targets.js';
import { laterUnwatched, startFrames } from '../wait/frames.js';
import { live, nextFrame } from '../wait/pollers.js';
import {
  addListener,
  composedPathOf,
  isTrustedOf,
  kWatchLife,
  preventNow,
  removeListener,
  stopNow,
} from '../target/events.js';
import { isSeenAtAll } from './place.js';
import { fire } from './setters.js';

const focusWindow = window.focus.bind(window);

const isField = (tag) => tag === 'input' || tag === 'textarea';
const fieldValue = (el) => (tagOf(el) === 'input' ? inputValueOf(el) : areaValueOf(el));
const heldText = (el) => (isField(tagOf(el)) ? fieldValue(el) : (textOfContext(el) ?? textContentOf(el)));

// An editor that takes its text by an EditContext, or by a field that nobody sees, draws the text and what is selected of it
// itself: only a key of the user's selects all of it.
const selectsByKey = (el) => hasContext(el) || isEditorsField(el);
const hasContext = (el) => el instanceof HTMLElement && editContextOf(el) !== null;
const textOfContext = (el) => (hasContext(el) ? editContextOf(el).text : null);

// The hidden field of an editor (CodeMirror's, Ace's) holds a part of its text or nothing. That of a terminal says that it
// takes one line; there the key means something else.
function isEditorsField(el) {
  if (tagOf(el) !== 'textarea' || attr(el, 'aria-multiline') === 'false') return false;
  return withPass(() => isTransparent(sightHere(el)) || !isSeenAtAll(el));
}

// What takes the focus: of editable content, the outermost element that is editable.
function hostOf(el) {
  if (isField(tagOf(el))) return el;
  let host = el;
  for (let at = parentElementOf(el); at instanceof HTMLElement && at.isContentEditable; at = parentElementOf(at))
    host = at;
  return host === documentElementOf(document) ? bodyOf(document) : host;
}

// Gives the focus to an element or its editing host. In a frame the window is given it first: there the body may be
// the active element while keys still go to the page around.
function focusEditable(el) {
  if (window !== window.top && !document.hasFocus()) focusWindow();
  focusElement(hostOf(el));
}

function hasFocus(el) {
  if (window !== window.top && !document.hasFocus()) return false;
  const host = hostOf(el);
  const root = rootNodeOf(host);
  if (deepActiveElement() === host || (root instanceof ShadowRoot && shadowActiveElementOf(root) === host)) return true;
  return activeElementOf(document) === host; // a body that is edited
}

function selectContents(el) {
  if (selectsByKey(el)) return;
  if (isField(tagOf(el))) {
    el.select();
    return;
  }
  const selection = getSelection();
  const [range, last] = [new Range(), new Range()];
  range.selectNodeContents(edgeWithin(el, firstChildOf, nextSiblingOf));
  last.selectNodeContents(edgeWithin(el, lastChildOf, previousSiblingOf));
  range.setEnd(last.endContainer, last.endOffset);
  selection.removeAllRanges();
  selection.addRange(range);
}

// The text or block that an element begins or ends with. There the keyboard's command to select all has its ends, where an editor looks
// for the line that they are in; in one that holds all its lines it would begin a line within a line.
function edgeWithin(el, childOf, besideOf) {
  let at = el;
  for (;;) {
    let child = childOf(at);
    while (child !== null && nodeTypeOf(child) !== 1 && !/\S/.test(nodeValueOf(child))) child = besideOf(child);
    if (child === null) return at;
    if (nodeTypeOf(child) === 3) return child;
    if (nodeTypeOf(child) !== 1 || !kLines.has(tagOf(child)) || hasAttr(child, 'contenteditable')) return at;
    at = child;
  }
}
const kLines = words('p div h1 h2 h3 h4 h5 h6 ul ol li blockquote pre span b i u s em strong');

// Focus for keyboard input; `clear` empties the field the way a user would, by selecting all: what is typed next
// replaces it. An empty field gets the caret at its end.
function focusForTyping({ target, clear = false }) {
  const { el: found, count } = resolveTarget(target, takesText);
  const el = controlOf(found);
  const tag = tagOf(el);
  const isKeyed = !isEditable(el) && isKeyedPart(el);
  if (!isEditable(el) && !isKeyed) throw new PageError(`${describeElement(el)} ${noTextWords()}.`);
  focusEditable(el);
  if (isKeyed) getSelection().removeAllRanges();
  else if (clear) selectContents(el);
  else if (!isField(tag) && !selectsByKey(el)) {
    selectContents(el);
    getSelection().collapseToEnd();
  } else if (tag === 'textarea' || /^(text|search|url|tel|password)$/.test(inputTypeOf(el)))
    el.setSelectionRange(el.value.length, el.value.length);
  const empty = heldText(el) === '';
  const selectAll = clear && selectsByKey(el);
  if (clear) watchKeys(el);
  return { ok: true, ...describeTarget(el, count), focused: hasFocus(el), empty, selectAll };
}

// Which element gets the first of the keys that are typed one by one, and whether it does anything with it.
let keys = null;

function watchKeys(el) {
  dropKeys();
  const state = { el: new WeakRef(el), before: heldText(el), first: null, isLeft: false, heard: false };
  state.onKey = (event) => {
    if (isTrustedOf(event)) state.first ??= new WeakRef(composedPathOf(event)[0]);
  };
  state.onKeyLeft = (event) => {
    if (isTrustedOf(event) && !event.defaultPrevented) state.isLeft = true;
  };
  state.onInput = () => (state.heard = true);
  addListener(window, 'keydown', state.onKey, { capture: true });
  addListener(window, 'keydown', state.onKeyLeft);
  addListener(window, 'input', state.onInput, { capture: true });
  live.listeners += 3;
  state.expire = laterUnwatched(kWatchLife, dropKeys);
  keys = state;
}

function dropKeys() {
  const state = keys;
  if (!state) return;
  keys = null;
  removeListener(window, 'keydown', state.onKey, { capture: true });
  removeListener(window, 'keydown', state.onKeyLeft);
  removeListener(window, 'input', state.onInput, { capture: true });
  live.listeners -= 3;
  state.expire();
}

// After a text has been typed key by key. `astray`: what has got the keys in the place of the element; `kept`: none has
// changed anything, and the page hasn't taken them for something else either.
function endKeys() {
  const state = keys;
  dropKeys();
  const el = state?.el.deref();
  const got = state?.first?.deref();
  if (!el || !isConnected(el) || !(got instanceof Element)) return { ok: true, astray: '', kept: false };
  const isOurs = flatContains(hostOf(el), got) || flatContains(got, hostOf(el));
  if (isOurs) return { ok: true, astray: '', kept: state.isLeft && !state.heard && heldText(el) === state.before };
  return { ok: true, astray: describeElement(got) + refOf(got), kept: false };
}

// The text that the browser is about to put in.
let typing = null;

// Before the browser puts a text in: the focus, and what it replaces is selected. Input that would reach another element
// is stopped. False: the element didn't take the focus. `otherwise` puts the text in where the input doesn't reach it.
function beginTyping(el, text, { watch, otherwise }) {
  dropTyping();
  focusEditable(el);
  if (!hasFocus(el)) return false;
  selectContents(el);
  const state = {
    el: new WeakRef(el),
    watch,
    otherwise,
    before: heldText(el),
    isEmptied: text === '',
    text,
    reached: false,
    heard: false,
    told: false,
    expire: laterUnwatched(kWatchLife, dropTyping),
  };
  const isOurs = (event) => {
    const at = composedPathOf(event)[0];
    const aim = state.el.deref();
    // Of what happens in a closed shadow tree only the host is told.
    return aim !== undefined && at instanceof Element && (flatContains(hostOf(aim), at) || flatContains(at, aim));
  };
  state.onBefore = (event) => {
    if (!isTrustedOf(event)) return;
    if (isOurs(event)) {
      state.reached = true;
      return;
    }
    stopNow(event);
    preventNow(event);
  };
  state.onCapture = (event) => {
    if (isTrustedOf(event) && isOurs(event)) state.heard = true;
  };
  // At the end of the input's own task, so that the frame that it needs is asked for in time. A text of several lines
  // comes in several events.
  state.onInput = (event) => {
    if (!isTrustedOf(event) || !isOurs(event)) return;
    if (!text.includes('\n')) tellChange(state);
    if (state.watch) startFrames();
  };
  addListener(window, 'beforeinput', state.onBefore, { capture: true });
  addListener(window, 'input', state.onCapture, { capture: true });
  addListener(window, 'input', state.onInput);
  live.listeners += 3;
  typing = state;
  return true;
}

function dropTyping() {
  const state = typing;
  if (!state) return;
  typing = null;
  removeListener(window, 'beforeinput', state.onBefore, { capture: true });
  removeListener(window, 'input', state.onCapture, { capture: true });
  removeListener(window, 'input', state.onInput);
  live.listeners -= 3;
  state.expire();
}

function tellChange(state) {
  if (state.told) return;
  state.told = true;
  const el = state.el.deref();
  if (!el || !isField(tagOf(el))) return;
  const told = fieldValue(el);
  fire(el, 'change');
  keepSecondChange(el, told);
}

// The browser fires a change event of its own when the field loses the focus: of a value that the page was told of, it
// would be the second.
let kept = null;
function keepSecondChange(el, told) {
  kept?.();
  const aim = new WeakRef(el);
  const onChange = (event) => {
    if (!isTrustedOf(event) || composedPathOf(event)[0] !== aim.deref()) return;
    if (fieldValue(aim.deref()) === told) stopNow(event);
    kept?.();
  };
  const onBlur = (event) => {
    if (composedPathOf(event)[0] === aim.deref()) kept?.();
  };
  addListener(window, 'change', onChange, { capture: true });
  addListener(window, 'blur', onBlur, { capture: true });
  kept = () => {
    removeListener(window, 'change', onChange, { capture: true });
    removeListener(window, 'blur', onBlur, { capture: true });
    kept = null;
  };
}

// After the browser has put the text in. `kept`: the page kept it out.
function endTyping() {
  const state = typing;
  dropTyping();
  const el = state?.el.deref();
  if (!el) return { ok: true, kept: false, most: 0, movedOn: false };
  const same = heldText(el) === state.before;
  const asked = !state.told;
  if (!state.reached && (same || textOfContext(el) === null)) state.otherwise();
  else if (state.heard || !same) tellChange(state);
  if (state.watch && asked) startFrames();
  const wasEmpty = state.isEmptied && state.before === ''; // nothing was to come
  const isKeptOut = state.reached && !state.heard && same && !wasEmpty;
  const ended = { ok: true, kept: isKeptOut, most: mostTaken(el, state.text.length), movedOn: false };
  if (!isCutShort(el, state.text)) return ended;
  return new Promise((resolve) => {
    nextFrame(() => resolve({ ...ended, movedOn: hasMovedOn(el) }));
  });
}

// Whether a field has taken but the beginning of a text, as one of the fields of a code does.
function isCutShort(el, text) {
  const value = isField(tagOf(el)) ? fieldValue(el) : '';
  return value !== '' && value.length < text.length && text.startsWith(value);
}

// Whether the page has given the focus to another field for text.
function hasMovedOn(el) {
  const now = deepActiveElement();
  return now !== null && now !== el && isField(tagOf(now)) && isEditable(now);
}

// How many characters a field takes, if a text was longer than that; else 0.
const mostTaken = (el, length) => (isField(tagOf(el)) && el.maxLength > 0 && length > el.maxLength ? el.maxLength : 0);

export {
  fieldValue,
  isEditorsField,
  beginTyping,
  endKeys,
  endTyping,
  focusEditable,
  focusForTyping,
  hasFocus,
  isField,
  selectContents,
  selectsByKey,
};
