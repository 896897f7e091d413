// Names: https://www.w3.org/TR/accname-1.2/ with HTML-AAM's native steps, as Chromium computes them.

import {
  attr,
  firstChildOf,
  hasAnyAttr,
  hasAttr,
  inputTypeOf,
  inputValueOf,
  isRendered,
  isSvg,
  matchesSelector,
  nextSiblingOf,
  nodeTypeOf,
  nodeValueOf,
  rootNodeOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { BOX, note } from '../dom/noted.js';
import { isSaidTwice, oneSpace } from '../dom/text.js';
import { kHiddenValue } from '../dom/secrets.js';
import { words } from '../dom/collections.js';
import { innerControlOf, shadowRootOf } from '../dom/shadow_roots.js';
import { byIdNear, eachFlatChild, idListOf, ownsInVain } from '../dom/flat_tree.js';
import { CONTENTS, DISPLAY_NONE, INLINE, ligatureOf, pseudoText, styleFlags, VISIBILITY_HIDDEN } from '../dom/style.js';
import { COLOR, FILL, PSEUDO, traitsOf } from '../dom/traits.js';
import { FOR_READERS, CONCEALED, hidesTextAlone, isGone, kSightTraits, ownSight } from '../dom/sight.js';
import { authorLabel, isHiddenHere, labelsOf, labelsMeantFor, namersOf, titleShown } from './labels.js';
import { internalsOf } from '../dom/asked.js';
import { childWithTag, onceOfTwo } from './parts.js';
import { isGridRow, kNamedByContent, kSkippedTags, kWidgets, roleOf } from './roles.js';
import { embeddedValue } from './values.js';

// The name of an element in the tree. `node.from` tells where it came from ('content' may be folded away).
let nameSource = '';
// How much of the last name, if it came from content, is hidden: '', 'part' of it, which only assistive technology is
// meant to read, or 'all' of it, which nobody can see.
let nameHidden = '';

// `sight`: what is known of whether the element itself can be seen (dom/sight.js). If it can't, what it contains names it
// only if it can be operated.
function nameOf(el, tag, role, sight = 0) {
  nameSource = '';
  nameHidden = '';
  if (role === 'none') return '';
  const plain = !hasAnyAttr(el);
  if (!plain) {
    const refs = namersOf(el, role);
    if (refs.length) {
      const text = labelledBy(el, refs);
      if (text) {
        nameSource = 'author';
        return text;
      }
    }
    const label = authorLabel(el);
    if (label) {
      nameSource = 'author';
      return label;
    }
    const stoodFor =
      kMadeFields.has(role) && !kOwnFields.has(tag) ? labelText(el, undefined, labelsMeantFor(el, role)) : '';
    if (stoodFor) {
      nameSource = 'author';
      return stoodFor;
    }
  }
  const native = nativeName(el, tag, role);
  if (native) {
    nameSource = 'native';
    return native;
  }
  if (kNamedByContent.has(role) || (role === 'row' && isGridRow(el))) {
    const operable = kWidgets.has(role);
    if (isGone(sight) && !hidesTextAlone(sight) && !operable) return titleOrHint(el, tag, plain);
    const text = sight & CONCEALED ? kHiddenValue : contentName(el, tag, operable, sight);
    if (text) {
      nameSource = 'content';
      return text;
    }
  }
  return titleOrHint(el, tag, plain) || (tag.includes('-') ? (internalsOf(el)?.name ?? '') : '');
}

function titleOrHint(el, tag, plain) {
  if (plain) return '';
  // A drawing's attribute isn't shown; that of what it stands in is.
  const title = isSvg(el) && matchesSelector(el, '[title] *') ? '' : titleShown(el);
  if (title) {
    nameSource = 'author';
    return title;
  }
  if (tag === 'input' || tag === 'textarea') {
    const hint = oneSpace(attr(el, 'placeholder') ?? attr(el, 'aria-placeholder') ?? '');
    if (hint) nameSource = 'placeholder';
    return hint;
  }
  return '';
}

// An element whose only child is one text node needs none of the machinery below. What can't be seen within an element
// that can isn't part of its name, unless it is all that a control has for one.
function contentName(el, tag, operable, sight) {
  const first = firstChildOf(el);
  const faint = hidesTextAlone(sight);
  if (
    first &&
    (operable || !faint) &&
    nodeTypeOf(first) === 3 &&
    !nextSiblingOf(first) &&
    !shadowRootOf(el) &&
    !(traitsOf(el, true) & PSEUDO) &&
    !hasAttr(el, 'aria-owns')
  )
    return oneSpace(nodeValueOf(first));
  const state = () => ({
    seen: new Set(),
    hidden: false,
    labelling: false,
    below: kBelow.get(roleOf(el, tag)),
    skipsGone: !isGone(sight) || faint,
    faint,
    dropped: false,
    marked: false,
    titled: hasAttr(el, 'title'),
    signs: 0, // words that a font of icons draws as such, or that nothing shows
    pictures: [], // what is in place of pictures
    plain: null, // what was found with both of these
  });
  const found = state();
  const text = oneSpace(textInside(el, tag, found));
  const once = onceOfTwo(text, el, tag);
  if (once !== null) return once;
  if (found.marked) nameHidden = 'part';
  if (found.signs > 0 || found.pictures.some((name) => isSaidTwice(text, name))) {
    const rest = oneSpace(textInside(el, tag, { ...state(), plain: text }));
    if (/[\p{L}\p{N}]/u.test(rest)) return rest;
  }
  if (text === '' && found.dropped && operable) {
    nameHidden = 'all';
    return oneSpace(textInside(el, tag, { ...state(), skipsGone: false, faint: false }));
  }
  return text;
}

function labelledBy(el, ids) {
  const parts = [];
  for (const id of ids) {
    const target = byIdNear(el, id);
    if (target) parts.push(referencedText(target, el));
  }
  return oneSpace(parts.join(' '));
}

// The text of something pointed at by aria-labelledby or a <label>: it counts even where it is hidden.
function referencedText(target, origin) {
  const state = { seen: new Set(), hidden: isHiddenHere(target), labelling: true, origin };
  return textOf(target, state);
}

// accname step 2, for an element met on the way.
function textOf(el, state) {
  if (state.seen.has(el)) return '';
  state.seen.add(el);
  const tag = tagOf(el);
  if (kSkippedTags.has(tag)) return '';
  if (!state.hidden) {
    if (attr(el, 'aria-hidden') === 'true') return '';
    const flags = styleFlags(el);
    if (flags & DISPLAY_NONE) return '';
  }
  if (state.pictures !== undefined && ligatureOf(el) !== '') {
    state.signs++;
    if (state.plain !== null) return '';
  }
  // What is hidden so may hold something that is shown, and is itself called nothing.
  const isUncalled = !state.hidden && (styleFlags(el) & VISIBILITY_HIDDEN) !== 0;
  const { faint } = state;
  let forReaders = false;
  if (state.skipsGone) {
    const traits = traitsOf(el, !hasAnyAttr(el)) | (tag === 'font' ? COLOR : 0);
    const sight = traits & kSightTraits ? ownSight(el, tag, traits) : 0;
    if (isGone(sight) && !hidesTextAlone(sight)) {
      state.dropped = true;
      return '';
    }
    forReaders = (sight & FOR_READERS) !== 0;
    if (sight & CONCEALED) return kHiddenValue;
    if (traits & (COLOR | FILL)) state.faint = hidesTextAlone(sight);
  }
  const text = isUncalled ? textInside(el, tag, state) : shownText(el, tag, state);
  if (state.pictures !== undefined && text !== '' && (tag === 'svg' || roleOf(el, tag) === 'img')) {
    state.pictures.push(text);
    if (state.plain !== null && isSaidTwice(state.plain, text)) return '';
  }
  if (forReaders && /\S/.test(text)) state.marked = true;
  state.faint = faint;
  return text;
}

function shownText(el, tag, state) {
  const role = roleOf(el, tag);
  if (state.below?.has(role)) return ''; // the items below have names of their own, and so has what holds them
  if (hasAnyAttr(el)) {
    const label = authorLabel(el);
    // A control inside a label speaks its value, unless it is itself what is being named.
    if (state.labelling && el !== state.origin) {
      const value = embeddedValue(el, tag, role);
      if (value !== null) return value;
    }
    if (label) return label;
  } else if (state.labelling && el !== state.origin) {
    const value = embeddedValue(el, tag, role);
    if (value !== null) return value;
  }
  const native = nativeName(el, tag, role, state);
  if (native) return native;
  if (role === 'iframe') return '';
  const text = textInside(el, tag, state);
  if (oneSpace(text)) return text;
  return titleInside(el, state);
}

// An empty element stands for a picture, and its title for what that is called. A drawing's attribute is shown by no browser,
// so any other name comes before it.
function titleInside(el, state) {
  const title = titleShown(el);
  if (title === '' || state.pictures === undefined) return title;
  if (isSvg(el)) {
    state.signs++;
    return state.titled || state.plain !== null ? '' : title;
  }
  state.pictures.push(title);
  return state.plain !== null && isSaidTwice(state.plain, title) ? '' : title;
}

// What holds the items below an item.
const kMenuBelow = words('menu');
const kBelow = new Map([
  ['tab', words('menu list')], // which its button opens
  ['treeitem', words('group tree')],
  ['menuitem', kMenuBelow],
  ['menuitemcheckbox', kMenuBelow],
  ['menuitemradio', kMenuBelow],
]);

// The joined text of an element's children. Blocks are words of their own; inline neighbours join up.
function textInside(el, tag, state) {
  const parts = [];
  // Letters of no size, or of the colour behind them, are left out; those that an element in here sets anew are not.
  const add = (text) => {
    if (!state.faint) parts.push(text);
    else if (/\S/.test(text)) state.dropped = true;
  };
  add(pseudoText(el, '::before'));
  const one = (node) => {
    const type = nodeTypeOf(node);
    if (type === 3) {
      if (state.hidden || !(styleFlags(el) & VISIBILITY_HIDDEN)) add(nodeValueOf(node));
      return;
    }
    if (type !== 1) return;
    const childTag = tagOf(node);
    if (childTag === 'br') {
      parts.push(' ');
      return;
    }
    const text = textOf(node, state);
    if (text === '') return;
    const inline = styleFlags(node) & INLINE && !isAtomic(childTag);
    parts.push(inline ? text : ` ${text} `);
  };
  if (tag === 'details' && !hasAttr(el, 'open') && !state.hidden) {
    const summary = childWithTag(el, 'summary');
    if (summary) one(summary);
  } else eachFlatChild(el, tag, one);
  for (const id of idListOf(el, 'aria-owns')) {
    const owned = byIdNear(el, id);
    if (!owned || ownsInVain(el, owned) || kOwnedPopups.has(attr(owned, 'role'))) continue;
    if (isRendered(owned) || styleFlags(owned) & CONTENTS) {
      parts.push(' ');
      one(owned);
      parts.push(' ');
    }
  }
  add(pseudoText(el, '::after'));
  return parts.join('');
}
const kOwnedPopups = new Set(['menu', 'listbox', 'dialog', 'tooltip', 'tree', 'grid']); // which open from it
const kAtomicTags = words('img svg input select textarea button canvas video audio iframe meter progress');
const kOwnFields = words('input select');
const kMadeFields = words('combobox listbox');
const isAtomic = (tag) => kAtomicTags.has(tag);

function labelText(el, within, labels = labelsOf(el)) {
  if (!labels.length) return '';
  const only = labels.length === 1 && !within ? labels[0] : null;
  if (only && !hasAttr(only, 'aria-label')) {
    const first = firstChildOf(only);
    if (first && nodeTypeOf(first) === 3 && !nextSiblingOf(first) && !(traitsOf(only, true) & PSEUDO))
      return oneSpace(nodeValueOf(first));
  }
  const parts = [];
  for (const label of labels) {
    const state = {
      seen: within ? within.seen.add(el) : new Set([el]),
      hidden: isHiddenHere(label),
      labelling: true,
      origin: el,
    };
    parts.push(within ? oneSpace(textOf(label, state)) : labelWords(label, state));
  }
  return oneSpace([...new Set(parts)].join(' ')); // two labels may say the same
}

// A picture in a label that is called as the words beside it adds nothing to them.
function labelWords(label, state) {
  const found = { ...state, seen: new Set(state.seen), titled: false, signs: 0, pictures: [], plain: null };
  const text = oneSpace(textOf(label, found));
  if (!found.pictures.some((name) => isSaidTwice(text, name))) return text;
  return oneSpace(textOf(label, { ...found, seen: new Set(state.seen), pictures: [], plain: text })) || text;
}

// The label of a custom element names the only control in its shadow tree.
function hostLabel(el, within) {
  for (let root = rootNodeOf(el); root instanceof ShadowRoot; root = rootNodeOf(root.host)) {
    note(BOX); // whether it is the only one
    if (innerControlOf(root.host) !== el) return '';
    const text = labelText(root.host, within);
    if (text) return text;
  }
  return '';
}

// HTML-AAM section 4: what names an element besides ARIA. `state` is given inside another name's computation.
function nativeName(el, tag, role, state) {
  switch (tag) {
    case 'input': {
      const type = inputTypeOf(el);
      if (type === 'submit' || type === 'button' || type === 'reset') {
        const label = state ? '' : labelText(el);
        if (label) return label;
        if (hasAttr(el, 'value')) return oneSpace(inputValueOf(el));
        return type === 'submit' ? 'Submit' : type === 'reset' ? 'Reset' : '';
      }
      if (type === 'image') {
        const label = state ? '' : labelText(el);
        return (
          label ||
          oneSpace(attr(el, 'alt') ?? '') ||
          oneSpace(attr(el, 'value') ?? '') ||
          oneSpace(attr(el, 'title') ?? '') ||
          'Submit'
        );
      }
      if (type === 'hidden' || state?.labelling) return '';
      if (type === 'file') return labelText(el, state) || (hasAttr(el, 'title') ? '' : 'Choose File');
      return labelText(el, state) || hostLabel(el, state);
    }
    case 'textarea':
    case 'select':
    case 'meter':
    case 'progress':
    case 'output':
    case 'button':
      return state?.labelling ? '' : labelText(el, state) || hostLabel(el, state);
    case 'img':
    case 'area':
      return oneSpace(attr(el, 'alt') ?? '');
    case 'svg': {
      const title = childWithTag(el, 'title');
      return title ? oneSpace(textContentOf(title)) : '';
    }
    case 'fieldset': {
      const legend = childWithTag(el, 'legend');
      return legend ? referencedOnce(legend, state) : '';
    }
    case 'table': {
      const caption = childWithTag(el, 'caption');
      return caption ? referencedOnce(caption, state) : '';
    }
    case 'option':
    case 'optgroup':
      return oneSpace(attr(el, 'label') ?? '');
    default:
      if (el instanceof SVGElement) {
        const title = childWithTag(el, 'title');
        return title ? oneSpace(textContentOf(title)) : '';
      }
      return '';
  }
}

function referencedOnce(el, state) {
  const inner = state ?? { seen: new Set(), hidden: false, labelling: false };
  return oneSpace(textOf(el, inner));
}

export { nameSource, nameHidden, nameOf, contentName, isAtomic };
