// The one walk: from the flat tree to a tree of { el, role, name, kids } with text strings in between.
//
// It reads and never writes, so that layout is computed at most once. What needs a box (off-screen, covered) is
// asked afterwards, of the few nodes where it matters.

import {
  assignedNodesOf,
  attr,
  documentElementOf,
  firstChildOf,
  hasAnyAttr,
  hasAttr,
  inputTypeOf,
  isElement,
  isRendered,
  labelControlOf,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  optionSelectedOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
} from '../dom/members.js';
import { oneSpace } from '../dom/text.js';
import { words } from '../dom/collections.js';
import { deepQueryAll, noteClosedHost, noteShadowRoot, sawShadow, shadowRootOf } from '../dom/shadow_roots.js';
import { byIdNear, deepActiveElement, flatContains, idListOf } from '../dom/flat_tree.js';
import {
  ALL,
  COLOR,
  CONTENT_VISIBILITY,
  CURSOR,
  DISPLAY_NONE,
  INLINE,
  OPACITY,
  OVERFLOW,
  PSEUDO,
  pseudoText,
  styleFlags,
  styleOf,
  traitsOf,
  VISIBILITY_HIDDEN,
} from '../dom/style.js';
import { deepHit } from '../dom/hit.js';
import { isEditableRoot, kSkippedTags, roleOf } from '../aria/roles.js';
import { disabledReason, statesOf } from '../aria/states.js';
import { valueOf } from '../aria/values.js';
import { isAtomic, nameOf, nameSource, optionText, summaryOf } from '../aria/names.js';
import { newNode } from './node.js';
import { foldInto, isPlain, settleText, unwrapSoleGroup } from './fold.js';
import { invisibleButHitTestable } from './invisible.js';
import { fileInputsIn, keepHiddenFiles } from './hidden_files.js';
import { markScroller } from './scrollers.js';

// Roles whose text children say nothing that the value or name doesn't.
const kLeafRoles = words('textbox searchbox spinbutton slider progressbar meter scrollbar separator');

const kClickable = words(
  'button link checkbox radio tab menuitem menuitemcheckbox menuitemradio option switch combobox treeitem ' +
    'textbox searchbox spinbutton slider listbox',
);

// State of the walk under way.
let walk = null;

function buildTree(root) {
  const top = newNode(root, '', 'fragment', '', '');
  top.header = '';
  walk = {
    visited: new Set(),
    owned: ownedElements(root),
    ownerNow: null,
    active: deepActiveElement(),
    files: fileInputsIn(root, null),
  };
  const modal = nodeTypeOf(root) === 9 ? topModal() : null;
  if (nodeTypeOf(root) === 9) {
    const start = modal ?? documentElementOf(document);
    const knew = sawShadow;
    if (start) visitElement(start, top, false, 0);
    if (!knew && sawShadow) return buildTree(root); // what was taken for granted without shadow roots
  } else visitElement(root, top, false, 0);
  settleText(top);
  unwrapSoleGroup(top);
  walk = null;
  return { top, modal };
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

function visitNode(node, parent, visibilityHidden, invisible) {
  const type = nodeTypeOf(node);
  if (type === 3) {
    if (!visibilityHidden) parent.kids.push(nodeValueOf(node));
  } else if (type === 1) {
    if (walk.owned !== null && walk.owned.has(node) && walk.owned.get(node) !== walk.ownerNow) return;
    visitElement(node, parent, visibilityHidden, invisible);
  }
}

function visitElement(el, parent, visibilityHiddenAbove, invisibleAbove) {
  const tag = tagOf(el);
  if (kSkippedTags.has(tag)) return;
  if (tag === 'br') {
    parent.kids.push(' ');
    return;
  }
  const bare = !hasAnyAttr(el);
  if (!bare && (attr(el, 'aria-hidden') === 'true' || hasAttr(el, 'inert')) && tag !== 'body' && tag !== 'html') return;
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
  const traits = traitsOf(el, bare);
  const inline = (flags & INLINE) !== 0 && !isAtomic(tag);
  const invisible =
    traits & (OPACITY | COLOR) ? invisibleButHitTestable(el, tag, traits, invisibleAbove) : invisibleAbove;
  const role =
    visibilityHidden || tag === 'html' || (tag === 'body' && !hasAttr(el, 'role'))
      ? 'none'
      : (roleOf(el, tag) ?? 'generic');

  if (role === 'none') {
    if (!inline) pushSpace(parent.kids);
    if (tag !== 'input') walkKids(el, tag, parent, visibilityHidden, invisible, traits);
    if (!inline) pushSpace(parent.kids);
    return;
  }

  const nameless = role === 'generic' && bare;
  const name = nameless ? '' : nameOf(el, tag, role);
  const node = newNode(el, tag, role, name, nameless ? '' : nameSource);
  node.states = statesOf(el, tag, role);
  node.inline = inline;
  node.invisible = invisible;
  if (el === walk.active) {
    node.states += ' [active]';
    node.kept = true;
  }
  if (traits & CURSOR && !kClickable.has(role) && styleOf(el).cursor === 'pointer') node.pointer = true;
  if (!bare) {
    const editable = isEditableRoot(el);
    if (editable || hasAttr(el, 'onclick') || hasAttr(el, 'tabindex') || attr(el, 'draggable') === 'true')
      node.kept = true;
    if (editable && role === 'generic') node.states += ' [editable]';
  }
  if (traits & OVERFLOW) markScroller(node, el);
  if (node.pointer) {
    if (parent.pointed) node.pointer = false;
    node.pointed = true;
  } else node.pointed = parent.pointed;

  fillKids(node, el, tag, role, invisible, traits);
  if (invisible && !invisibleAbove && node.kids.length) {
    node.marks = ' [invisible]';
    node.kept = true;
  }
  if (!inline) pushSpace(parent.kids);
  foldInto(parent, node);
  if (!inline) pushSpace(parent.kids);
}

// Blocks stand apart from the text around them.
function pushSpace(kids) {
  if (kids.length === 0 || kids[kids.length - 1] !== ' ') kids.push(' ');
}

function fillKids(node, el, tag, role, invisible, traits) {
  switch (role) {
    case 'iframe':
      return;
    case 'link':
      node.url = attr(el, 'href') ?? attr(el, 'xlink:href');
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
  node.value = valueOf(el, tag, role);
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
  walkKids(el, tag, node, false, invisible, traits);
  settleText(node);
  if (tag === 'label') dropLabelText(node, el);
}

function walkKids(el, tag, node, visibilityHidden, invisible, traits) {
  if (traits & CONTENT_VISIBILITY && styleOf(el).contentVisibility === 'hidden') return;
  const pseudo = !visibilityHidden && (traits & PSEUDO || tag === 'q');
  if (pseudo) {
    const before = pseudoText(el, '::before');
    if (before) node.kids.push(before);
  }
  const root = shadowRootOf(el);
  if (tag === 'details' && !hasAttr(el, 'open')) {
    const summary = summaryOf(el);
    if (summary) visitNode(summary, node, visibilityHidden, invisible);
  } else if (root !== null) {
    if (!sawShadow) {
      noteShadowRoot();
      traits = ALL;
    }
    if (querySelectorAllOf(root, 'input[type=file]').length) walk.files = fileInputsIn(root, walk.files);
    for (let child = firstChildOf(root); child; child = nextSiblingOf(child))
      visitNode(child, node, visibilityHidden, invisible);
  } else {
    noteClosedHost(el, tag);
    const assigned = tag === 'slot' ? assignedNodesOf(el) : null;
    if (assigned !== null && assigned.length)
      for (const child of assigned) visitNode(child, node, visibilityHidden, invisible);
    else
      for (let child = firstChildOf(el); child; child = nextSiblingOf(child))
        visitNode(child, node, visibilityHidden, invisible);
  }
  if (walk.owned !== null && hasAttr(el, 'aria-owns')) {
    const outer = walk.ownerNow;
    walk.ownerNow = el;
    for (const id of idListOf(el, 'aria-owns')) {
      const owned = byIdNear(el, id);
      if (owned && walk.owned.get(owned) === el) visitElement(owned, node, visibilityHidden, invisible);
    }
    walk.ownerNow = outer;
  }
  if (pseudo) {
    const after = pseudoText(el, '::after');
    if (after) node.kids.push(after);
  }
}

// A closed select can't be clicked open: its options need no refs, and a long list is summed up.
const kOptionsShown = 20;

function fillOptions(node, select) {
  const listbox = node.role === 'listbox';
  let shown = 0;
  let left = 0;
  const visit = (el, parent) => {
    for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
      if (!isElement(child)) continue;
      const tag = tagOf(child);
      if (tag === 'optgroup' && !(styleFlags(child) & DISPLAY_NONE)) {
        const groupNode = newNode(child, tag, 'group', oneSpace(attr(child, 'label') ?? ''), 'native');
        groupNode.ref = false;
        visit(child, groupNode);
        if (groupNode.kids.length) parent.kids.push(groupNode);
      } else if (tag === 'option') {
        const selected = optionSelectedOf(child);
        if (shown >= kOptionsShown && !selected) {
          left++;
          continue;
        }
        if (styleFlags(child) & DISPLAY_NONE) continue;
        shown++;
        const kid = newNode(child, tag, 'option', optionText(child), 'content');
        kid.states = (disabledReason(child, tag) ? ' [disabled]' : '') + (selected ? ' [selected]' : '');
        kid.ref = listbox;
        parent.kids.push(kid);
      } else if (tag !== 'hr') visit(child, parent);
    }
  };
  visit(select, node);
  if (left) node.kids.push(`… ${left} more options`);
}

// The label's words are the control's name already.
function dropLabelText(node, label) {
  const control = labelControlOf(label);
  if (!control || hasAttr(control, 'aria-label') || hasAttr(control, 'aria-labelledby')) return;
  if (!isRendered(control, { visibilityProperty: true })) return;
  if (
    /^(submit|button|reset|image|hidden)$/.test(tagOf(control) === 'input' ? inputTypeOf(control) : '') ||
    tagOf(control) === 'button'
  )
    return;
  node.kids = node.kids.filter((kid) => typeof kid !== 'string' && !isPlain(kid));
}

export { buildTree };
