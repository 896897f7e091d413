// Which parts of the page a delta has to walk again: where something has changed, and where what has changed may be felt
// [why.delta-by-regions]. Whatever can't be told to be felt nearby only makes the walk go over all of the page.

import {
  attr,
  documentById,
  elementsOf,
  isConnected,
  isElement,
  matchesSelector,
  nodeTypeOf,
  parentElementOf,
  parentNodeOf,
  querySelectorAllOf,
  rootNodeOf,
  tagOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { actedElement } from '../dom/acted.js';
import { anyInternals } from '../dom/asked.js';
import { changesSince, rootsWatched } from '../dom/changes.js';
import { OWN, SIBLINGS, UP } from '../dom/features.js';
import { idsLookedUp } from '../dom/flat_tree.js';
import { IDS, LABELS, BOX } from '../dom/noted.js';
import { noteStates, stateChanges } from '../dom/states.js';
import { controlLabelled } from '../aria/labels.js';
import { animated } from '../dom/traits.js';
import { isAnyHostNew, shadowRootOf } from '../dom/shadow_roots.js';
import { addControls, changedControls, noteControls } from './controls.js';
import { isFaultWord } from '../aria/state_words.js';
import {
  areBoxesSame,
  deepElements,
  DEEP,
  entries,
  isDeep,
  isTouched,
  lookersAt,
  SELF,
  stamp,
  PATH,
} from './entries.js';
import { areOwnedAsBefore, isWithin, ownedNow } from './owned.js';
import { ownedElements } from './places.js';
import { openDialogs } from './quiet.js';
import { optionKeysAreAt, shownAsFocused } from './walk.js';

const kRegionsMax = 100; // to match their elements with the rules one by one costs as much as all at once

// As it was at the last snapshot.
let active = null; // WeakRefs
let highlighted = null;
let moving = [];
let dialogs = [];
let labels = []; // { label, control }
let isRelinked = false; // whether labels or ids have changed since

// Called when the walk of a snapshot is over: what was found there is what the next one compares with.
function noteRegions(whole) {
  noteStates();
  if (whole) noteControls();
  const focused = shownAsFocused();
  active = focused && new WeakRef(focused);
  const descendant = optionKeysAreAt();
  highlighted = descendant && new WeakRef(descendant);
  moving = Array.from(animated().keys(), (el) => new WeakRef(el));
  dialogs = openDialogs().map((el) => new WeakRef(el));
  if (whole || isRelinked) labels = lookersAt(LABELS).length ? labelLinks() : [];
}

// Stamps the entries of what has changed. Returns the elements below which styles may be others, or null: walk all.
function findRegions() {
  const changes = changesSince();
  const states = changes === null ? null : stateChanges();
  if (states === null || isAnyHostNew() || anyInternals()) return null;
  const { features } = states;
  const moved = changes.moved.map((ref) => ref.deref()).filter((el) => el && isConnected(el));
  if (!areOwnedAsBefore(ownedElements(document)) || ownedNow().some((el) => isOrIsWithin(el, new Set(moved))))
    return null;
  if (moved.some((el) => attr(el, 'aria-owns') !== null || querySelectorAllOf(el, '[aria-owns]').length)) return null;
  if (features.directed && isDirectionOfText()) return null;
  for (const ref of changes.moved) {
    const el = ref.deref();
    if (el) entries.delete(el);
  }
  for (const one of changes.touched) {
    const node = one.node.deref();
    if (node && isConnected(node) && !stampTouched(node, one, features)) return null;
  }
  addControls(moved);
  for (const { el, reach } of states.changed) if (!stampReach(el, reach, features)) return null;
  for (const el of changedControls()) if (!stampControl(el, features)) return null;
  stampOne(active?.deref(), SELF);
  stampOne(shownAsFocused(), SELF);
  stampOne(highlighted?.deref(), SELF);
  stampOne(optionKeysAreAt(), SELF);
  stampOne(actedElement(), SELF);
  for (const ref of moving) stampOne(ref.deref(), DEEP);
  for (const el of animated().keys()) stampOne(el, DEEP);
  const open = openDialogs();
  if (open.length !== dialogs.length || open.some((el, i) => dialogs[i].deref() !== el)) return null;
  stampLookers(changes);
  stampOwned();
  const regions = [...new Set([...deepElements(), ...moved])].filter(isConnected);
  return regions.length > kRegionsMax ? null : regions;
}

const isOrIsWithin = (el, some) => some.has(el) || isWithin(el, (at) => some.has(at));

// What is owned is visited under its owner, but has its style and its place from what is around it.
function stampOwned() {
  for (let left = ownedNow(); ; ) {
    const due = left.filter((el) => isWithin(el, isDeep));
    if (due.length === 0) return;
    for (const el of due) stamp(el, DEEP);
    left = left.filter((el) => !due.includes(el));
  }
}

function stampOne(el, state) {
  if (el && isConnected(el)) stamp(el, state);
}

// --- How far a change reaches. All return false where that can't be told.

// `reach`: bits of dom/features.js.
function stampReach(el, reach, features) {
  if (reach === 0 || !isConnected(el)) return true;
  if (reach & (OWN | SIBLINGS)) stamp(el, DEEP);
  if (reach & SIBLINGS) stampParent(el);
  return !(reach & UP) || stampAnchors(el, features);
}

// What a rule asks with :has() what it holds, and holds this element, at which or in which something has changed.
function stampAnchors(el, { anchors: { within, beside, isAny, reach } }) {
  if (isAny) return false;
  if (within.size + beside.size === 0) return true;
  try {
    const asksBeside = [...beside].join(',');
    if (asksBeside !== '' && rootsWatched().some((root) => querySelectorAllOf(root, asksBeside).length)) return false;
    const asks = [...within].join(',');
    for (let at = asks === '' ? null : el; at !== null; at = parentElementOf(at)) {
      if (!matchesSelector(at, asks)) continue;
      stamp(at, DEEP);
      if (reach & SIBLINGS) stampParent(at);
    }
    return true;
  } catch {
    return false; // a selector of a kind only style sheets know
  }
}

// Whether an element may have the direction of its text.
const isDirectionOfText = () =>
  rootsWatched().some((root) => querySelectorAllOf(root, 'bdi,[dir="auto" i]').length > 0);

// All that stands beside an element.
function stampParent(el) {
  const parent = parentNodeOf(el);
  if (parent === null) return;
  if (isElement(parent)) stamp(parent, DEEP);
  else if (nodeTypeOf(parent) === 11) stamp(parent.host, DEEP);
}

function stampControl(el, features) {
  stampOne(el, SELF);
  return features.form === 0 || stampReach(el, features.form, features);
}

function stampTouched(node, one, features) {
  const type = nodeTypeOf(node);
  if (type === 9) return false;
  if (type === 11) return stampTree(node, one, features);
  if (type !== 1) return stampText(node, features);
  if (one.attributes !== null)
    for (const [name, old] of one.attributes) if (!stampAttribute(node, name, old, features)) return false;
  return !one.children || stampChildren(node, one, features);
}

// A shadow tree, at whose top something has come or gone.
function stampTree(root, one, features) {
  if (one.elements && !stampAnchors(null, features)) return false;
  stamp(root.host, one.elements ? DEEP : SELF);
  return true;
}

function stampText(node, features) {
  const parent = parentNodeOf(node);
  if (parent === null) return true;
  if (!isElement(parent)) {
    if (nodeTypeOf(parent) === 11) stamp(parent.host, SELF);
    return true;
  }
  stampHolder(parent);
  return stampReach(parent, features.empty, features);
}

// What holds a text that has changed. What a host holds shows in a slot.
function stampHolder(el) {
  stamp(el, shadowRootOf(el) === null ? SELF : DEEP);
}

// Of these the first of a kind means something else than the others, or each decides about those beside it.
const kBoundChildren = words('tr fieldset details summary select optgroup datalist picture ruby slot');

function stampChildren(el, { elements }, features) {
  if (!stampReach(el, features.empty, features)) return false;
  if (!elements) {
    stampHolder(el);
    return true;
  }
  if (!stampAnchors(el, features)) return false;
  const bound = features.structural || kBoundChildren.has(tagOf(el)) || shadowRootOf(el) !== null;
  stamp(el, bound ? DEEP : SELF);
  const root = rootNodeOf(el);
  if (nodeTypeOf(root) === 11 && querySelectorAllOf(root, 'slot').length) stamp(root.host, DEEP);
  return true;
}

// --- Attributes

// What these say is said of their own element alone.
const kOwnAttributes = words(
  'id class title alt placeholder href xlink:href src srcset value checked selected for name tabindex maxlength min max ' +
    'step pattern autocomplete required readonly multiple size list accept rel target draggable spellcheck onclick',
);
const kInheritedAria = words('aria-hidden aria-disabled aria-owns');
const kForm = words('input button select textarea option optgroup fieldset form');

const isOwn = (name) =>
  kOwnAttributes.has(name) || name.startsWith('data-') || (name.startsWith('aria-') && !kInheritedAria.has(name));

function stampAttribute(el, name, old, features) {
  const now = attr(el, name);
  if (now === old) return true;
  if (name === 'aria-owns') return false;
  const tag = tagOf(el);
  if (name === 'slot' || (name === 'name' && tag === 'slot')) {
    const host = name === 'slot' ? parentNodeOf(el) : rootNodeOf(el).host;
    if (host && isElement(host)) stamp(host, DEEP);
  }
  let reach = features.attributes.get(name) ?? 0;
  const changed = name === 'class' ? changedWords(old, now) : [];
  for (const word of changed) reach |= features.classes.get(word) ?? 0;
  if (name === 'id') reach |= (features.ids.get(old) ?? 0) | (features.ids.get(now) ?? 0);
  if (kForm.has(tag)) reach |= features.form;
  stamp(el, isOwn(name) && !changed.some(isFaultWord) ? SELF : DEEP); // a fault is told with the field in the box
  return stampReach(el, reach, features);
}

function changedWords(old, now) {
  const before = new Set((old ?? '').split(/\s+/));
  const after = new Set((now ?? '').split(/\s+/));
  return [...before].filter((word) => !after.has(word)).concat([...after].filter((word) => !before.has(word)));
}

// --- What looks elsewhere

const kLinking = ['id', 'for', 'type'];

function stampLookers(changes) {
  isRelinked =
    changes.moved.length > 0 ||
    changes.touched.some(({ attributes }) => attributes !== null && kLinking.some((name) => attributes.has(name)));
  if (isRelinked && relinkLabels()) for (const el of lookersAt(LABELS)) stampOne(el, PATH);
  let idsDue = isRelinked && relinkIds();
  let idsDone = false;
  // What depends on a label or on a target may itself be a part of one.
  for (let links = labels; ; ) {
    const touched = links.filter(isLinkTouched);
    links = links.filter((link) => !touched.includes(link));
    for (const { label, control } of touched) {
      stampOne(label.deref(), PATH);
      stampOne(control?.deref(), PATH);
    }
    idsDue ||= areTargetsTouched();
    const idsNow = idsDue && !idsDone;
    if (idsNow) for (const el of lookersAt(IDS)) stampOne(el, PATH);
    idsDone ||= idsNow;
    if (!touched.length && !idsNow) break;
  }
  for (const el of lookersAt(BOX)) if (!areBoxesSame(el)) stampOne(el, entries.get(el).quiet ? SELF : PATH); // quiet texts look themselves
}

// Finds anew which label belongs to which control. Whether any has changed.
function relinkLabels() {
  const now = labelLinks();
  const changed =
    now.length !== labels.length ||
    now.some(
      ({ label, control }, i) =>
        labels[i].label.deref() !== label.deref() || labels[i].control?.deref() !== control?.deref(),
    );
  labels = now;
  return changed;
}

const labelLinks = () =>
  rootsWatched().flatMap((root) =>
    Array.from(elementsOf(root, 'label'), (label) => {
      const control = controlLabelled(label);
      return { label: new WeakRef(label), control: control && new WeakRef(control) };
    }),
  );

function isLinkTouched({ label, control }) {
  return [label, control].some((ref) => {
    const el = ref?.deref();
    return el !== undefined && isTouched(el);
  });
}

function relinkIds() {
  let changed = false;
  for (const [id, ref] of idsLookedUp) {
    const el = documentById(document, id);
    if (el === (ref?.deref() ?? null)) continue;
    idsLookedUp.set(id, el && new WeakRef(el));
    changed = true;
  }
  return changed;
}

function areTargetsTouched() {
  for (const ref of idsLookedUp.values()) {
    const el = ref?.deref();
    if (el && isTouched(el)) return true;
  }
  return false;
}

export { findRegions, noteRegions };
