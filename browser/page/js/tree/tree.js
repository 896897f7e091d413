// The one walk: from the flat tree to a tree of { el, role, name, kids } with text strings in between.
//
// It reads and never writes, so that layout is computed at most once. What needs a box (off-screen, covered) is
// asked afterwards, of the few nodes where it matters.

import {
  assignedNodesOf,
  attr,
  closestOf,
  documentElementOf,
  firstChildOf,
  hasAnyAttr,
  hasAttr,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { oneSpace } from '../dom/text.js';
import { hideInUrl, kHiddenValue } from '../dom/secrets.js';
import { words } from '../dom/collections.js';
import { deepQueryAll, noteClosedHost, noteShadowRoot, sawShadow, shadowRootOf } from '../dom/shadow_roots.js';
import { byIdNear, deepActiveElement, flatContains, idListOf } from '../dom/flat_tree.js';
import {
  ALL,
  COLOR,
  CONTENT_VISIBILITY,
  DISPLAY_NONE,
  INLINE,
  OVERFLOW,
  PICTURE,
  PSEUDO,
  pseudoText,
  styleFlags,
  styleOf,
  traitsOf,
  VISIBILITY_HIDDEN,
} from '../dom/style.js';
import { deepHit } from '../dom/hit.js';
import {
  FADING,
  FOR_READERS,
  hidesTextAlone,
  isGone,
  kPictures,
  kSightTraits,
  NAMED,
  sightOf,
  sightOfPicture,
} from '../dom/sight.js';
import { isEditableRoot, kNamedByContent, kSkippedTags, kWidgets, roleOf } from '../aria/roles.js';
import { statesOf } from '../aria/states.js';
import { isSecretEditor, valueOf, watchTypes } from '../aria/values.js';
import { isAtomic, nameHidden, nameOf, nameSource, summaryOf } from '../aria/names.js';
import { newNode } from './node.js';
import { foldInto, settleText, unwrapSoleGroup } from './fold.js';
import { fileInputsIn, keepHiddenFiles } from './hidden_files.js';
import { dropLabelText, isStoodFor, sightAround } from './natives.js';
import { fillOptions } from './options.js';
import { isInSight, kNoText, mayBeSeen, settleQuiet } from './quiet.js';
import { callByLooks, isPicture, kHinted } from './hints.js';
import { hasBox, kInControl, markPointer } from './pointers.js';
import { markScroller } from './scrollers.js';

// Roles whose text children say nothing that the value or name doesn't.
const kLeafRoles = words('textbox searchbox spinbutton slider progressbar meter scrollbar separator');

// State of the walk under way.
let walk = null;

function buildTree(root) {
  const top = newNode(root, '', 'fragment', '', '');
  top.header = '';
  walk = {
    root,
    visited: new Set(),
    owned: ownedElements(root),
    ownerNow: null,
    active: deepActiveElement(),
    files: fileInputsIn(root, null),
    unseen: 0, // texts left out
    quiet: false, // within what is aria-hidden
    anyQuiet: false,
    shown: 0, // texts and pictures that can be seen
  };
  const modal = nodeTypeOf(root) === 9 ? topModal() : null;
  if (nodeTypeOf(root) === 9) {
    const start = modal ?? documentElementOf(document);
    const knew = sawShadow;
    if (start) visitElement(start, top, false, 0);
    if (!knew && sawShadow) return buildTree(root); // what was taken for granted without shadow roots
  } else visitElement(root, top, false, sightAround(root));
  settleText(top);
  if (walk.anyQuiet) settleQuiet(top);
  unwrapSoleGroup(top);
  const { unseen } = walk;
  walk = null;
  return { top, modal, unseen };
}

// showModal() makes all but the dialog inert; of several dialogs the one that can be hit is on top.
function topModal() {
  const modals = sawShadow ? deepQueryAll(document, 'dialog:modal') : [...querySelectorAllOf(document, 'dialog:modal')];
  if (modals.length < 2) return modals[0] ?? null;
  for (const modal of modals) {
    const box = rectOf(modal);
    const hit = deepHit(box.x + box.width / 2, box.y + box.height / 2);
    if (
      hit &&
      flatContains(modal, hit) &&
      !modals.some((other) => other !== modal && flatContains(modal, other) && flatContains(other, hit))
    )
      return modal;
  }
  return modals[modals.length - 1];
}

// aria-owns moves elements: they are shown under their owner and nowhere else.
function ownedElements(root) {
  const owned = new Map();
  for (const owner of querySelectorAllOf(root, '[aria-owns]'))
    for (const id of idListOf(owner, 'aria-owns')) {
      const el = byIdNear(owner, id);
      if (el && el !== owner && !owned.has(el) && !flatContains(el, owner)) owned.set(el, owner);
    }
  return owned.size ? owned : null;
}

// `sight`: what is known of whether the parent can be seen (dom/sight.js).
function visitNode(node, parent, visibilityHidden, sight) {
  const type = nodeTypeOf(node);
  if (type === 3) {
    if (!visibilityHidden) pushText(nodeValueOf(node), parent, sight);
  } else if (type === 1) {
    if (walk.owned !== null && walk.owned.has(node) && walk.owned.get(node) !== walk.ownerNow) return;
    visitElement(node, parent, visibilityHidden, sight);
  }
}

// Text that nobody can see is left out and counted; of text that is drawn as dots it is only said that it is there.
function pushText(text, parent, sight) {
  if (walk.quiet && /\S/.test(text) && (sight & ~FADING & ~NAMED || !isInSight(parent.el))) return;
  if (!(sight & ~(FOR_READERS | FADING | NAMED))) {
    if (/\S/.test(text)) walk.shown++;
    parent.kids.push(text);
  } else if (!/\S/.test(text)) parent.kids.push(' ');
  else if (!isGone(sight)) parent.kids.push(kHiddenValue);
  else if (!(sight & NAMED)) walk.unseen++;
}

function visitElement(el, parent, visibilityHiddenAbove, sightAbove) {
  const tag = tagOf(el);
  if (kSkippedTags.has(tag)) return;
  if (tag === 'br') {
    parent.kids.push(' ');
    return;
  }
  const bare = !hasAnyAttr(el);
  if (!bare && tag !== 'body' && tag !== 'html') {
    if (hasAttr(el, 'inert')) return;
    if (!walk.quiet && attr(el, 'aria-hidden') === 'true') {
      visitQuiet(el, tag, parent, visibilityHiddenAbove, sightAbove);
      return;
    }
  }
  if (walk.quiet && kNoText.has(tag)) return;
  const flags = styleFlags(el);
  if (flags & DISPLAY_NONE) {
    if (walk.files !== null) keepHiddenFiles(el, parent, walk.files);
    return;
  }
  if (walk.owned !== null) {
    if (walk.visited.has(el)) return;
    walk.visited.add(el);
  }
  const visibilityHidden = (flags & VISIBILITY_HIDDEN) !== 0;
  if (visibilityHidden && walk.files !== null && walk.files.has(el)) {
    keepHiddenFiles(el, parent, walk.files);
    return;
  }
  const traits = traitsOf(el, bare) | (tag === 'font' ? COLOR : 0); // <font color>
  const inline = (flags & INLINE) !== 0 && !isAtomic(tag);
  let sight = traits & kSightTraits ? sightOf(el, tag, traits, sightAbove) : sightAbove;
  if (sight !== 0 && kPictures.has(tag)) sight = sightOfPicture(sight);
  if (el !== walk.active && isStoodFor(el, tag, sight)) return;
  let role =
    visibilityHidden || tag === 'html' || (tag === 'body' && !hasAttr(el, 'role'))
      ? 'none'
      : walk.quiet
        ? 'generic'
        : (roleOf(el, tag) ?? 'generic');

  if (role === 'none' && !visibilityHidden && sight & FOR_READERS & ~sightAbove) role = 'generic'; // which gets a line of its own
  if (role === 'none') {
    if (!inline) pushSpace(parent.kids);
    if (tag !== 'input') walkKids(el, tag, parent, visibilityHidden, sight, traits);
    if (!inline) pushSpace(parent.kids);
    return;
  }

  const nameless = role === 'generic' && (bare || walk.quiet);
  const name = nameless ? '' : nameOf(el, tag, role, sight);
  const node = newNode(el, tag, role, name, nameless ? '' : nameSource);
  if (!walk.quiet) node.states = statesOf(el, tag, role);
  node.inline = inline;
  const hiddenName = name === '' ? '' : nameHidden;
  if (el === walk.active) {
    node.states += ' [active]';
    node.kept = true;
  }
  if (!walk.quiet) markPointer(node, parent, el, tag, role, traits);
  if (!bare) {
    const editable = isEditableRoot(el);
    if (editable && isSecretEditor(el) && /\S/.test(textContentOf(el))) node.value = kHiddenValue;
    if (
      !walk.quiet &&
      (editable || hasAttr(el, 'onclick') || hasAttr(el, 'tabindex') || attr(el, 'draggable') === 'true')
    )
      node.kept = true;
    if (editable && node.kept && role === 'generic') node.states += ' [editable]';
  }
  if (traits & OVERFLOW && !walk.quiet) markScroller(node, el);
  if (traits & PICTURE && !walk.quiet && node.pointed !== kInControl && isPicture(el, traits)) node.kept = true;

  if (role === 'img' && !isGone(sight)) walk.shown++;
  const shownBefore = walk.shown;
  const named = node.from === 'content' && kNamedByContent.has(role);
  fillKids(node, el, tag, role, named ? sight | NAMED : sight, traits);
  const isClickable =
    node.pointer || kHinted.has(role) || (node.kept && role === 'generic' && !hasAttr(el, 'tabindex'));
  if (name === '' && isClickable && !walk.quiet) callByLooks(node);
  if ((sight !== 0 || hiddenName !== '') && !markSight(node, sight, sightAbove, hiddenName, walk.shown > shownBefore)) {
    if (!inline) pushSpace(parent.kids);
    return;
  }
  if (!inline) pushSpace(parent.kids);
  foldInto(parent, node);
  if (!inline) pushSpace(parent.kids);
}

// What is aria-hidden has no line of its own, and gives its text alone.
function visitQuiet(el, tag, parent, visibilityHidden, sight) {
  if (!mayBeSeen(el, tag)) {
    visitQuietIcon(el, tag, parent, visibilityHidden, sight);
    return;
  }
  const node = newNode(el, tag, 'generic', '', '');
  node.quiet = true;
  node.inline = (styleFlags(el) & INLINE) !== 0;
  walk.quiet = true;
  visitElement(el, node, visibilityHidden, sight);
  walk.quiet = false;
  settleText(node);
  if (node.kids.length === 0) return;
  walk.anyQuiet = true;
  parent.kids.push(node);
}

// An icon is aria-hidden even where it is all there is to click.
function visitQuietIcon(el, tag, parent, visibilityHidden, sightAbove) {
  if (visibilityHidden || parent.pointed === kInControl || kNoIcon.has(tag) || /\S/.test(textContentOf(el))) return;
  if (closestOf(el, '[role=combobox]')) return; // which opens wherever it is clicked
  const traits = traitsOf(el, false);
  const node = newNode(el, tag, 'generic', '', '');
  node.inline = true;
  markPointer(node, parent, el, tag, 'generic', traits);
  if (!node.pointer || styleFlags(el) & (DISPLAY_NONE | VISIBILITY_HIDDEN) || !hasBox(el)) return;
  const sight = traits & kSightTraits ? sightOf(el, tag, traits, sightAbove) : sightAbove;
  if (isGone(sightOfPicture(sight))) return;
  callByLooks(node);
  parent.kids.push(' ', node, ' ');
}
const kNoIcon = words('input textarea select video audio iframe');

// Marks what can't be seen, or only now not: [invisible] what can be operated all the same, or fades; [hidden text] what
// a page means for assistive technology. False: nobody can see it and nothing can be done with it, so that no line of
// its own is due.
function markSight(node, sight, sightAbove, hiddenName, showsAny) {
  const { role } = node;
  const hasWords = node.kids.length > 0 || node.from === 'content';
  const operable = kWidgets.has(role) || role === 'iframe' || node.kept || node.pointer;
  let mark = '';
  if (showsAny && hidesTextAlone(sight)) return true; // letters of no size around what has its own
  if (isGone(sight)) {
    if (!operable && node.kids.length === 0 && (node.from !== 'author' || role === 'img')) return false;
    if (operable && hasWords) mark = ' [invisible]';
  } else if (hasWords && !(sightAbove & NAMED)) {
    const forReaders = sight & FOR_READERS & ~sightAbove;
    if (forReaders || hiddenName === 'all' || (hiddenName === 'part' && !kWidgets.has(role))) mark = ' [hidden text]';
    else if (sight & FADING & ~sightAbove) mark = ' [invisible]';
  }
  if (mark !== '') {
    node.marks += mark;
    node.kept = true;
  }
  return true;
}

// Blocks stand apart from the text around them.
function pushSpace(kids) {
  if (kids.length === 0 || kids[kids.length - 1] !== ' ') kids.push(' ');
}

function fillKids(node, el, tag, role, sight, traits) {
  switch (role) {
    case 'iframe':
      return;
    case 'link':
      node.url = attr(el, 'href') ?? attr(el, 'xlink:href');
      if (node.url !== null) node.url = hideInUrl(node.url);
      break;
    case 'textbox':
    case 'searchbox':
    case 'spinbutton':
    case 'combobox': {
      const hint = attr(el, 'placeholder');
      if (hint && node.from !== 'placeholder') {
        const text = oneSpace(hint);
        if (text !== node.name) node.hint = text;
      }
    }
  }
  if (node.value !== null) return;
  node.value = valueOf(el, tag, role, node.name);
  if (tag === 'input' || tag === 'textarea' || (kLeafRoles.has(role) && node.value !== null)) return;
  if (tag === 'select') {
    fillOptions(node, el);
    return;
  }
  if (
    tag === 'video' ||
    tag === 'audio' ||
    tag === 'canvas' ||
    tag === 'object' ||
    tag === 'progress' ||
    tag === 'meter'
  )
    return;
  walkKids(el, tag, node, false, sight, traits);
  settleText(node);
  if (tag === 'label') dropLabelText(node, el, walk.root);
}

function walkKids(el, tag, node, visibilityHidden, sight, traits) {
  if (traits & CONTENT_VISIBILITY && styleOf(el).contentVisibility === 'hidden') return;
  const pseudo = !visibilityHidden && (traits & PSEUDO || tag === 'q');
  if (pseudo) {
    const before = pseudoText(el, '::before');
    if (before) pushText(before, node, sight);
  }
  const root = shadowRootOf(el);
  if (tag === 'details' && !hasAttr(el, 'open')) {
    const summary = summaryOf(el);
    if (summary) visitNode(summary, node, visibilityHidden, sight);
  } else if (root !== null) {
    if (!sawShadow) {
      noteShadowRoot();
      traits = ALL;
    }
    watchTypes(root);
    if (querySelectorAllOf(root, 'input[type=file]').length) walk.files = fileInputsIn(root, walk.files);
    for (let child = firstChildOf(root); child; child = nextSiblingOf(child))
      visitNode(child, node, visibilityHidden, sight);
  } else {
    noteClosedHost(el, tag);
    const assigned = tag === 'slot' ? assignedNodesOf(el) : null;
    if (assigned !== null && assigned.length)
      for (const child of assigned) visitNode(child, node, visibilityHidden, sight);
    else
      for (let child = firstChildOf(el); child; child = nextSiblingOf(child))
        visitNode(child, node, visibilityHidden, sight);
  }
  if (walk.owned !== null && hasAttr(el, 'aria-owns')) {
    const outer = walk.ownerNow;
    walk.ownerNow = el;
    for (const id of idListOf(el, 'aria-owns')) {
      const owned = byIdNear(el, id);
      if (owned && walk.owned.get(owned) === el) visitElement(owned, node, visibilityHidden, sight);
    }
    walk.ownerNow = outer;
  }
  if (pseudo) {
    const after = pseudoText(el, '::after');
    if (after) pushText(after, node, sight);
  }
}

export { buildTree };
