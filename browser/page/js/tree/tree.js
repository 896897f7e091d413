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
  labelControlOf,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  querySelectorAllOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { shownForSecret } from '../dom/secrets.js';
import { watchRoot } from '../dom/changes.js';
import { restartPass } from '../dom/pass.js';
import { noteShadowRoot, sawShadow, shadowRootOf } from '../dom/shadow_roots.js';
import { byIdNear, idListOf } from '../dom/flat_tree.js';
import {
  DISPLAY_NONE,
  INLINE,
  INLINE_BLOCK,
  isStruck,
  keepsLines,
  styleFlags,
  styleOf,
  VISIBILITY_HIDDEN,
} from '../dom/style.js';
import { ALL, COLOR, CONTENT_VISIBILITY, LINES, OVERFLOW, PICTURE, PSEUDO, STRIKE, traitsOf } from '../dom/traits.js';
import { kPictures } from '../dom/colours.js';
import { FOR_READERS, isGone, NAMED, sightOf, sightOfPicture } from '../dom/sight.js';
import { isHiddenSoon } from '../dom/slides.js';
import { askInternals, internalsOf, listens } from '../dom/asked.js';
import { drawsFormula, isDrawnBeside } from '../aria/math.js';
import { isEditableRoot, isEditor, kNamedByContent, isUndrawn, roleOf } from '../aria/roles.js';
import { statesOf } from '../aria/states.js';
import { hintOfField, isSecretEditor, valueOf, watchTypes } from '../aria/values.js';
import { isAtomic, nameHidden, nameOf, nameSource } from '../aria/names.js';
import { childWithTag } from '../aria/parts.js';
import { isSlideNow, kClipped, noteSlides } from './clipped.js';
import { CLEAN, DEEP, entries, haveSameCircumstances, keepCircumstances, newEntry, SELF } from './entries.js';
import { kWritten, newNode } from './node.js';
import { foldInto, settleText, showsKidsAlone, unwrapSoleGroup } from './fold.js';
import { fileInputsIn, keepHiddenFiles } from './hidden_files.js';
import { dropLabelCell, dropLabelText, isStoodFor, sightAround, standsFor } from './natives.js';
import { fillDrawn, fillOptions } from './options.js';
import { dropCutWords, isLeftHidden, kNoText, mayBeSeen, settleQuiet } from './quiet.js';
import { takeIcon, takePicture, visitQuietIcon } from './icons.js';
import { tellOwnIcons } from './own_icons.js';
import { isFolded } from './folded.js';
import { callByLooks, kDrawings, kHinted, markDrawing, tellState } from './hints.js';
import { hasBox, isPicture, isPointedAt, isSilent, kInControl, markPointer, takesFocus } from './pointers.js';
import { areasOf, linkUrlOf } from '../aria/links.js';
import { hasPartsToTell, kLeafRoles, topModal } from './places.js';
import { markScroller } from './scrollers.js';
import { isShutAway, isShutPane, markSight } from './sight_marks.js';
import {
  ALL_OF_IT,
  BELOW,
  NOTHING,
  beginWalk,
  endWalk,
  enterEntry,
  leaveEntry,
  markFocus,
  pushMarker,
  pushPart,
  pushPseudo,
  noteHost,
  pushSpace,
  pushText,
  replay,
  walk,
} from './walk.js';

// The tree of an element, or of all of the document.
const buildTree = (root) => treeOf(root, { isKept: false, reuses: false });

// The tree of the document, kept for the next one. `reuses`: only what was stamped is walked; null if that won't do.
const buildPage = (reuses) => treeOf(document, { isKept: true, reuses });

function treeOf(root, options) {
  const top = newNode(root, '', 'fragment', '', '');
  top.header = '';
  const isPage = nodeTypeOf(root) === 9;
  const modal = isPage && !options.reuses ? topModal() : null;
  const knew = sawShadow;
  beginWalk(root, options);
  if (isPage) {
    const start = modal ?? documentElementOf(document);
    if (start) visitElement(start, top, false, 0);
    // What was taken for granted without shadow trees is wrong.
    if (!knew && sawShadow) {
      restartPass();
      return options.reuses ? null : treeOf(root, options);
    }
  } else visitElement(root, top, false, sightAround(root));
  settleText(top);
  const { anyQuiet, ...found } = endWalk();
  if (anyQuiet) settleQuiet(top);
  unwrapSoleGroup(top);
  return { top, modal, ...found };
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

// Visits an element, or takes what the last visit made of it.
function visitElement(el, parent, visibilityHiddenAbove, sightAbove) {
  const tag = tagOf(el);
  if (isUndrawn(el, tag)) return;
  if (tag === 'br') {
    pushPart(' ', parent);
    return;
  }
  if (!walk.isKept) {
    visitSelf(el, tag, parent, visibilityHiddenAbove, sightAbove);
    return;
  }
  let entry = entries.get(el);
  if (entry === undefined) {
    entry = newEntry();
    entries.set(el, entry);
  } else if (walk.trust === ALL_OF_IT && entry.state === CLEAN) {
    replay(entry, parent);
    return;
  }
  // What an editor holds may say something of the editor: its placeholder.
  const isTrusted = walk.trust !== NOTHING && entry.state !== DEEP && !isEditableRoot(el);
  const outer = enterEntry(entry, isTrusted ? BELOW : NOTHING, parent);
  visitSelf(el, tag, parent, visibilityHiddenAbove, sightAbove);
  leaveEntry(entry, el, parent, outer);
}

function visitSelf(el, tag, parent, visibilityHiddenAbove, sightAbove) {
  const slide = (walk.entry.slide = isSlideNow(el));
  const bare = !hasAnyAttr(el);
  if (!bare && tag !== 'body' && tag !== 'html') {
    if (hasAttr(el, 'inert')) return;
    if (!walk.quiet && attr(el, 'aria-hidden') === 'true' && !isLeftHidden(el, tag)) {
      visitQuiet(el, tag, parent, visibilityHiddenAbove, sightAbove);
      return;
    }
  }
  if (walk.quiet && kNoText.has(tag)) return;
  if (isHiddenSoon(el)) return;
  const flags = styleFlags(el);
  if (flags & DISPLAY_NONE && !(tag === 'area' && parent.tag === 'img')) {
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
  if (!walk.quiet && (traits & OVERFLOW || walk.entry.slides !== null)) noteSlides(el, walk.entry, walk.isKept);
  let sight = sightOf(el, tag, traits, sightAbove);
  if (sight !== 0 && kPictures.has(tag)) sight = sightOfPicture(sight);
  if (sight !== 0 && isDrawnBeside(el)) sight = 0;
  if (el !== walk.active && isStoodFor(el, tag, sight)) return;
  const isWholeEditor = tag === 'body' && isEditor(el);
  const [own, ownTag] = standsFor(el, tag);
  let role =
    visibilityHidden || tag === 'html' || (tag === 'body' && !hasAttr(el, 'role') && !isWholeEditor)
      ? 'none'
      : walk.quiet
        ? 'generic'
        : (roleOf(own, ownTag) ?? 'generic');
  if (role === 'generic' && walk.editor !== null && tag in kWritten) role = kWritten[tag];
  if (isShutAway(el, role, sight) || isShutPane(el, sight & ~sightAbove)) return;

  let internals;
  if (tag.includes('-') && !walk.quiet && !hasAttr(el, 'role')) {
    askInternals(el, tag);
    internals = internalsOf(el);
  }

  if (role === 'none' && !visibilityHidden)
    if (slide !== null || sight & FOR_READERS & ~sightAbove || isPointedAt(el, tag, traits, parent) || tag === 'pre')
      role = 'generic'; // which gets a line of its own
  if (role === 'none') {
    if (!inline) pushSpace(parent.kids);
    if (tag === 'img' && !visibilityHidden) takePicture(el, parent, sight);
    else if (tag !== 'input') walkKids(el, tag, parent, visibilityHidden, sight, traits);
    if (!inline) pushSpace(parent.kids);
    return;
  }

  const nameless = role === 'generic' && (bare || walk.quiet);
  const name = nameless ? (internals?.name ?? '') : nameOf(own, ownTag, role, sight);
  const node = newNode(el, tag, role, name, nameless ? '' : nameSource);
  if (!walk.quiet) node.states = statesOf(own, ownTag, role) + (internals?.states ?? '');
  if (traits & STRIKE && role !== 'deletion' && isStruck(el)) node.states += ' [struck]';
  node.inline = inline;
  node.boxed = (flags & INLINE_BLOCK) !== 0;
  node.isPre = traits & LINES ? keepsLines(el) : tag === 'pre' || walk.isPre;
  node.typedIn = !walk.quiet && (walk.editor !== null || walk.inGrid);
  if (slide && !walk.quiet) node.clip = kClipped;
  const hiddenPart = name === '' ? '' : nameHidden;
  markFocus(node);
  if (!walk.quiet) markPointer(node, parent, el, tag, role, traits);
  if (!walk.quiet && isFolded(node)) node.states += ' [collapsed]';
  if (!bare || isWholeEditor) {
    const editable = isWholeEditor || isEditableRoot(el);
    if (editable && isSecretEditor(el) && /\S/.test(textContentOf(el)))
      node.value = shownForSecret(el, textContentOf(el));
    const isClicked = hasAttr(el, 'onclick') && !(tag === 'label' && labelControlOf(el)); // whose click is its control's
    if (!walk.quiet && (editable || isClicked || takesFocus(el) || attr(el, 'draggable') === 'true')) node.kept = true;
    if (editable && node.kept && (role === 'generic' || (walk.editor === null && kEditedBlocks.has(role))))
      node.states += ' [editable]';
    if (editable && !walk.quiet) walk.editor = node;
  }
  if (traits & OVERFLOW && !walk.quiet) markScroller(node, el);
  if (traits & PICTURE && !walk.quiet && node.pointed !== kInControl && isPicture(el, traits)) node.kept = true;

  if (role === 'img' && !isGone(sight)) walk.shown++;
  const shownBefore = walk.shown;
  const named = node.from === 'content' && kNamedByContent.has(role);
  const { inGrid, isPre } = walk;
  walk.isPre = node.isPre;
  if (!bare && isGridAround(el, role)) walk.inGrid = true;
  fillKids(node, el, tag, role, named ? sight | NAMED : sight, traits);
  walk.inGrid = inGrid;
  walk.isPre = isPre;
  if ((role === 'generic' || tag === 'svg') && sight === 0 && !walk.quiet && isSilent(node) && listens(el))
    node.pointer = true;
  if (walk.editor === node) walk.editor = null;
  const isClickable =
    node.pointer ||
    kHinted.has(role) ||
    (node.kept && (role === 'generic' || tag === 'svg') && (!hasAttr(el, 'tabindex') || hasBox(el)));
  if (name === '' && isClickable && !walk.quiet) callByLooks(node);
  if (!walk.quiet) tellOwnIcons(node);
  if ((!bare || role === 'button' || role === 'row' || role === 'columnheader') && !walk.quiet) tellState(node);
  if (tag === 'textarea' && name === '' && role === 'textbox') node.called += ' [multiline]'; // a person sees which fields are
  if (kDrawings.has(tag) && role !== 'iframe' && sight === 0 && !walk.quiet) markDrawing(node);
  const hiddenName = hiddenPart === '' || showsKidsAlone(node) ? '' : hiddenPart;
  if ((sight !== 0 || hiddenName !== '') && !markSight(node, sight, sightAbove, hiddenName, walk.shown > shownBefore)) {
    if (!inline) pushSpace(parent.kids);
    return;
  }
  if (!inline) pushSpace(parent.kids);
  if (bare || walk.quiet || !takeIcon(node, parent, sight)) foldInto(parent, node);
  if (!inline) pushSpace(parent.kids);
}

// What is aria-hidden has no line of its own, and gives its text alone.
function visitQuiet(el, tag, parent, visibilityHidden, sight) {
  if (drawsFormula(el)) return;
  if (!mayBeSeen(el, tag)) {
    visitQuietIcon(el, tag, parent, visibilityHidden, sight);
    return;
  }
  const node = newNode(el, tag, 'generic', '', '');
  node.quiet = true;
  node.inline = (styleFlags(el) & INLINE) !== 0;
  walk.quiet = true;
  visitSelf(el, tag, node, visibilityHidden, sight);
  walk.quiet = false;
  settleText(node);
  if (node.kids.length === 0) return;
  walk.anyQuiet = true;
  parent.kids.push(node);
}

function fillKids(node, el, tag, role, sight, traits) {
  switch (role) {
    case 'iframe':
      return;
    case 'link':
      node.url = linkUrlOf(el);
      break;
    case 'img':
      for (const area of areasOf(el)) visitElement(area, node, false, 0);
      break;
    case 'textbox':
    case 'searchbox':
    case 'spinbutton':
    case 'combobox':
      if (node.from !== 'placeholder') node.hint = hintOfField(el, tag, node.name);
  }
  if (node.value !== null) return;
  node.value = valueOf(el, tag, role, node.name);
  if (
    tag === 'input' ||
    tag === 'textarea' ||
    (kLeafRoles.has(role) && node.value !== null && !hasPartsToTell(el, role))
  )
    return;
  if (tag === 'select') {
    fillOptions(node, el);
    return;
  }
  if (tag === 'canvas') fillDrawn(node, el);
  if (tag === 'video' || tag === 'audio' || tag === 'canvas' || tag === 'progress' || tag === 'meter') return;
  if (tag !== 'img') walkKids(el, tag, node, false, sight, traits); // which has the links of its map already
  if (role === 'switch') dropCutWords(node);
  settleText(node, walk.editor !== null);
  if (tag === 'label') dropLabelText(node, el, walk.root);
  else if (role === 'cell' || role === 'rowheader') dropLabelCell(node, el, walk.root);
}

function walkKids(el, tag, node, visibilityHidden, sight, traits) {
  const maySkip = traits & CONTENT_VISIBILITY || hasAttr(el, 'hidden'); // "until-found", by the browser's own sheet
  if (maySkip && styleOf(el).contentVisibility === 'hidden') return;
  const { entry, trust } = walk;
  const isSame = entry.wasWalked && haveSameCircumstances(entry, node, visibilityHidden, sight, walk);
  keepCircumstances(entry, node, visibilityHidden, sight, walk);
  if (isSame && entry.state < SELF && entry.parts !== null) {
    walk.trust = ALL_OF_IT;
    replayParts(entry, node, visibilityHidden, sight);
  } else {
    walk.trust = !entry.wasWalked ? NOTHING : isSame ? ALL_OF_IT : BELOW;
    entry.ownShown = entry.ownUnseen = 0;
    visitKids(el, tag, node, visibilityHidden, sight, traits);
  }
  entry.walked = tag !== 'details' || hasAttr(el, 'open');
  walk.trust = trust;
}

function replayParts(entry, node, visibilityHidden, sight) {
  walk.shown += entry.ownShown;
  walk.unseen += entry.ownUnseen;
  for (const part of entry.parts) {
    if (typeof part === 'string') pushPart(part, node);
    else if (part.state === CLEAN) replay(part, node);
    else visitElement(part.el, node, visibilityHidden, sight);
  }
}

function visitKids(el, tag, node, visibilityHidden, sight, traits) {
  if (tag === 'li' && !visibilityHidden) pushMarker(el, node);
  const pseudo = !visibilityHidden && (traits & PSEUDO || tag === 'q');
  if (pseudo) pushPseudo(el, '::before', node, sight);
  const root = shadowRootOf(el);
  if (tag === 'details' && !hasAttr(el, 'open')) {
    const summary = childWithTag(el, 'summary');
    if (summary) visitNode(summary, node, visibilityHidden, sight);
  } else if (root !== null) {
    if (!sawShadow) traits = ALL;
    noteShadowRoot(root);
    watchTypes(root);
    if (walk.isKept) watchRoot(root);
    if (querySelectorAllOf(root, 'input[type=file]').length) walk.files = fileInputsIn(root, walk.files);
    for (let child = firstChildOf(root); child; child = nextSiblingOf(child))
      visitNode(child, node, visibilityHidden, sight);
  } else {
    noteHost(el, tag);
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
      if (owned && walk.owned.get(owned) === el) visitElement(owned, node, visibilityHidden, sightAround(owned));
    }
    walk.ownerNow = outer;
  }
  if (pseudo) pushPseudo(el, '::after', node, sight);
}

const kEditedBlocks = words('heading paragraph listitem blockquote cell gridcell'); // others say so themselves
// Whether an element takes the focus for all that it holds, as that of a spreadsheet does.
const isGridAround = (el, role) => role === 'generic' && hasAttr(el, 'tabindex') && Number(attr(el, 'tabindex')) >= 0;

export { buildTree, buildPage };
