// The walk under way: what it goes by, the texts that it takes, and what it keeps of each element for the next one
// (entries.js).

import {
  attr,
  firstChildOf,
  hasAttr,
  previousElementOf,
  querySelectorAllOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { oneSpace } from '../dom/text.js';
import { kHiddenValue } from '../dom/secrets.js';
import { beginNotes, dropNotes, endNotes } from '../dom/noted.js';
import { hostsRound, mayTakeRoot, noteClosedHost, noteMayHost, noteMayHostClosed } from '../dom/shadow_roots.js';
import { activeDescendant, closestFlat, deepActiveElement, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { pseudoText, styleOf } from '../dom/style.js';
import { FADING, FOR_READERS, isGone, NAMED } from '../dom/sight.js';
import { markerOf } from '../aria/markers.js';
import { roleOf } from '../aria/roles.js';
import { completesText, isEditable } from '../aria/values.js';
import { newEntry, noteLooker } from './entries.js';
import { fileInputsIn } from './hidden_files.js';
import { passNumber } from './node.js';
import { isInSight } from './quiet.js';
import { ownersNow } from './owned.js';
import { ownedElements } from './places.js';

let walk = null;

// How much of what is kept of an element still holds.
const NOTHING = 0;
const BELOW = 1; // what is below it, but not what its own visit made of it
const ALL_OF_IT = 2;

// `isKept`: what is made of each element is kept for the next walk of the whole page; `reuses`: it is taken from there, but
// where that was stamped.
function beginWalk(root, { isKept, reuses }) {
  dropNotes();
  walk = {
    root,
    visited: new Set(),
    owned: reuses ? ownersNow() : ownedElements(root),
    ownerNow: null,
    active: shownAsFocused(),
    highlighted: optionKeysAreAt(),
    files: fileInputsIn(root, null),
    unseen: 0, // texts left out
    quiet: false, // within what is aria-hidden
    editor: null, // the node of the editable content around
    isPre: false, // within preformatted text
    inGrid: false, // whether something around takes the focus, and with it the keys that are meant for its cells
    anyQuiet: false,
    shown: 0, // texts and pictures that can be seen
    isKept,
    trust: reuses ? ALL_OF_IT : NOTHING,
    entry: newEntry(), // of the element that is being visited
    parts: [], // what it is made of: texts, and entries of what it holds
  };
}

// The focused element; where it is an empty one within a control, to which only a script moves the focus so that the control
// looks focused without being it, the control.
function shownAsFocused() {
  const el = deepActiveElement();
  if (el === null || !(Number(attr(el, 'tabindex')) < 0) || attr(el, 'role') !== null || firstChildOf(el) !== null)
    return el;
  if (!kPlainTags.has(tagOf(el))) return el;
  for (let at = flatParentOf(el), depth = 0; at !== null && depth < kRingDepth; at = flatParentOf(at), depth++)
    if (kFocusedWhole.has(roleOf(at, tagOf(at)))) return at;
  return el;
}
const kPlainTags = words('div span i');
const kRingDepth = 3; // elements
const kFocusedWhole = words('button link checkbox radio switch tab option menuitem');

// Text that nobody can see is left out and counted; of text that is drawn as dots it is only said that it is there.
function pushText(text, parent, sight) {
  if (walk.quiet && /\S/.test(text) && (sight & ~FADING & ~NAMED || !isInSight(parent.el))) return;
  if (!(sight & ~(FOR_READERS | FADING | NAMED))) {
    if (/\S/.test(text)) {
      walk.shown++;
      walk.entry.ownShown++;
    }
    pushPart(text, parent);
  } else if (!/\S/.test(text)) pushPart(' ', parent);
  else if (!isGone(sight)) pushPart(kHiddenValue, parent);
  else if (!(sight & NAMED)) {
    walk.unseen++;
    walk.entry.ownUnseen++;
  }
}

// What stands beside the text that an editor doesn't have yet is drawn in place of it. Beside one that it has, it is what would
// complete it, or a prompt: none of its value.
function pushPseudo(el, which, node, sight) {
  const text = pseudoText(el, which);
  if (!text) return;
  if (isBlankEditor(walk.editor)) {
    const hint = oneSpace(text);
    if (hint !== '') walk.editor.hint = hint;
  } else if (walk.editor?.el !== el && !isPlaceholderBeside(el, text)) pushText(text, node, sight);
}
// What is drawn over an empty field is the placeholder that the field's own line tells.
function isPlaceholderBeside(el, text) {
  const field = previousElementOf(el);
  const hint = field && kHintedFields.has(tagOf(field)) ? attr(field, 'placeholder') : null;
  return hint !== null && oneSpace(hint) === oneSpace(text);
}
const kHintedFields = words('input textarea');
const isBlankEditor = (node) => node !== null && !/\S/.test(textContentOf(node.el));

function pushPart(text, parent) {
  parent.kids.push(text);
  walk.parts.push(text);
}

// What the browser draws before an item of a list.
function pushMarker(item, parent) {
  const marker = markerOf(item);
  if (marker !== '') pushPart(marker, parent);
}

// Blocks stand apart from the text around them, which says that itself where it is preformatted.
function pushSpace(kids) {
  if (walk.isPre) return;
  if (kids.length === 0 || kids[kids.length - 1] !== ' ') kids.push(' ');
}

// Puts into the parent's node what the entry has.
function replay(entry, parent) {
  appendKids(parent.kids, entry.kids);
  walk.parts.push(entry);
  walk.shown += entry.shown;
  walk.unseen += entry.unseen;
  if (entry.anyQuiet) walk.anyQuiet = true;
}

function appendKids(to, kids) {
  for (const kid of kids) if (kid !== ' ' || to.length === 0 || to[to.length - 1] !== ' ') to.push(kid);
}

// Begins to visit an element; leaveEntry keeps what comes of it.
function enterEntry(entry, trust, parent) {
  const { shown, unseen, anyQuiet, entry: around, parts, trust: trusted } = walk;
  const outer = { kids: parent.kids, shown, unseen, anyQuiet, around, parts, trusted, noted: beginNotes() };
  parent.kids = [];
  walk.trust = trust;
  walk.entry = entry;
  walk.parts = [];
  walk.shown = walk.unseen = 0;
  walk.anyQuiet = false;
  entry.wasWalked = trust !== NOTHING && entry.walked;
  entry.walked = false;
  return outer;
}

function leaveEntry(entry, el, parent, outer) {
  entry.kids = parent.kids;
  entry.parts = walk.parts.some((part) => typeof part !== 'string') ? walk.parts : null;
  entry.shown = walk.shown;
  entry.unseen = walk.unseen;
  entry.anyQuiet = walk.anyQuiet;
  entry.visited = passNumber;
  noteLooker(entry, el, endNotes(outer.noted));
  parent.kids = outer.kids;
  walk.trust = outer.trusted;
  walk.entry = outer.around;
  walk.parts = outer.parts;
  walk.shown = outer.shown;
  walk.unseen = outer.unseen;
  walk.anyQuiet = outer.anyQuiet;
  replay(entry, parent);
}

function endWalk() {
  const { unseen, anyQuiet, owned } = walk;
  walk = null;
  return { unseen, anyQuiet, owned };
}

// What has the focus, and what keys act on, is told and keeps its line.
function markFocus(node) {
  if (node.el === walk.active) node.states += ' [active]';
  else if (node.el === walk.highlighted) node.states = highlightedStates(node);
  else return;
  node.kept = true;
}

// The option below a field that keys act on: the one that the field names or, where it names none, the only one that a list
// which lies over the page calls selected though nothing around the field shows it.
function optionKeysAreAt() {
  const named = activeDescendant();
  const field = deepActiveElement();
  if (named !== null || field === null || !completesText(field)) return named;
  if (hasAttr(field, 'aria-activedescendant') || !isEditable(field)) return null;
  const chosen = querySelectorAllOf(document, kSelectedOption);
  if (chosen.length !== 1 || isShownAround(field, chosen[0], oneSpace(textContentOf(chosen[0])))) return null;
  const over = closestFlat(chosen[0], (at) => /absolute|fixed/.test(styleOf(at).position));
  return over !== null && !flatContains(over, field) ? chosen[0] : null;
}
const kSelectedOption = '[role=listbox] [role=option][aria-selected=true]';

// The states of the option that keys act on below a field. Lists say `selected` of it, as ARIA's authoring practices have
// them do; it is chosen only where the field or what is drawn around it says the same.
function highlightedStates({ el, role, name, states }) {
  const field = deepActiveElement();
  const isOnlyAt = role === 'option' && field !== null && isEditable(field) && !isShownAround(field, el, name);
  return (isOnlyAt ? states.replace(' [selected]', '') : states) + ' [highlighted]';
}

function isShownAround(field, option, name) {
  if (oneSpace(field.value ?? textContentOf(field)).includes(name)) return true;
  for (let at = flatParentOf(field), depth = 0; at !== null && depth < kFieldDepth; at = flatParentOf(at), depth++) {
    if (flatContains(at, option)) return false;
    if (oneSpace(textContentOf(at)).includes(name)) return true;
  }
  return false;
}
const kFieldDepth = 3; // from a field to what it is drawn in, with what is chosen beside it

// An element that may get a shadow root, or have a closed one.
function noteHost(el, tag) {
  const isMeasured = noteClosedHost(el, tag);
  if (!walk.isKept || !mayTakeRoot(tag)) return;
  const { entry } = walk;
  if (entry.host !== hostsRound) noteMayHost(el);
  entry.host = hostsRound;
  if (!isMeasured || entry.asked === hostsRound) return;
  noteMayHostClosed(el);
  entry.asked = hostsRound;
}

export {
  walk,
  NOTHING,
  BELOW,
  ALL_OF_IT,
  beginWalk,
  endWalk,
  enterEntry,
  leaveEntry,
  replay,
  pushText,
  pushMarker,
  pushPart,
  noteHost,
  pushPseudo,
  pushSpace,
  markFocus,
  optionKeysAreAt,
  shownAsFocused,
};
