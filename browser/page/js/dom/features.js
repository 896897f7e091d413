// What the selectors of a page's rules speak of, and how far a change of it reaches: a class that no selector names changes
// no style; one that stands before a sibling combinator may change those of all that its parent holds.

import { words } from './collections.js';

const OWN = 1; // the element and what is below it
const SIBLINGS = 2; // what its parent holds too
const UP = 4; // the elements around it that a rule with :has() asks what they hold: the anchors

const newFeatures = () => ({
  classes: new Map(), // name -> how far
  ids: new Map(),
  attributes: new Map(),
  states: new Map(), // pseudo-class -> { reach, compounds, list }, where the compounds say on which elements
  form: 0, // how far what a form control holds reaches
  empty: 0, // :empty
  structural: false, // :first-child and the like, sibling combinators: a child that comes or goes is felt by the others
  // What :has() stands with, as compound selectors: an anchor's style depends on what it holds (`within`), or on what stands
  // after it (`beside`). `isAny`: it may be any element; `reach`: how far its own change reaches.
  anchors: { within: new Set(), beside: new Set(), isAny: false, reach: 0 },
  directed: false, // :dir()
  unknown: false, // something that can't be reasoned about
});

const kIdent = String.raw`(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?|\\[^\n])+`;
const kSelectorToken = new RegExp(
  [
    String.raw`\.(?<class>${kIdent})`,
    String.raw`#(?<id>${kIdent})`,
    String.raw`\[\s*(?:(?:${kIdent}|\*)?\|)?(?<attribute>${kIdent})\s*(?:[~|^$*]?=\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\]"'\s]+)\s*[is]?\s*)?\]`,
    String.raw`::(?<element>[\w-]+)(?<elementOpens>\()?`,
    String.raw`:(?<state>[\w-]+)(?<opens>\()?`,
    String.raw`(?<close>\s*\))`,
    String.raw`(?<comma>\s*,\s*)`,
    String.raw`(?<sibling>\s*[+~]\s*)`,
    String.raw`(?<combinator>\s*>\s*|\s+)`,
    String.raw`(?<type>(?:(?:${kIdent}|\*)?\|)?(?:${kIdent}|\*))`,
  ].join('|'),
  'y',
);

const kNoStates = words(
  'root scope host is where not matches -webkit-any before after first-line first-letter nth-child nth-last-child ' +
    'nth-of-type nth-last-of-type host-context',
);
const kSelectorLists = words('is where not has matches -webkit-any host host-context slotted current cue');
const kStructuralStates = words('first-child last-child only-child first-of-type last-of-type only-of-type');
const kFormStates = words(
  'checked indeterminate placeholder-shown in-range out-of-range required optional enabled disabled read-only read-write',
);
const kLinkStates = words('link any-link visited');
const kUnreasoned = words('default');
const kSameElement = words('is where not matches -webkit-any'); // what stands in their brackets alone is of the element itself

const unescapeIdent = (text) =>
  text.includes('\\')
    ? text.replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g, (_, hex, sign) =>
        hex ? String.fromCodePoint(parseInt(hex, 16)) : sign,
      )
    : text;

function widen(map, key, reach) {
  map.set(key, (map.get(key) ?? 0) | reach);
}

// Adds what a selector, as CSSOM prints it, speaks of.
function noteFeatures(selector, into) {
  const found = selectorTokens(selector);
  if (found === null) {
    into.unknown = true;
    return;
  }
  const { tokens, hasSiblings } = found;
  const usual = hasSiblings ? SIBLINGS : OWN;
  if (hasSiblings) into.structural = true;
  for (const { kind, name, compound, inHas, isBeside } of tokens) {
    const reach = inHas ? UP : usual;
    if (kind === 'anchor') noteAnchor(anchorIn(compound), isBeside || inHas, usual, into.anchors);
    else if (kind === 'class') widen(into.classes, name, reach);
    else if (kind === 'id') widen(into.ids, name, reach);
    else if (kind === 'attribute') widen(into.attributes, name.toLowerCase(), reach);
    else noteState(name, compound, reach, into);
  }
}

function noteAnchor(text, isBeside, reach, anchors) {
  if (text === '*') anchors.isAny = true;
  else (isBeside ? anchors.beside : anchors.within).add(text);
  anchors.reach |= reach;
}

// The compound selector of the element of which :has() is asked: of :not(:has(img)) it is the one that :not() stands in.
function anchorIn({ text, outer, isAlone, kind }) {
  if (text !== '*' || outer === null || !isAlone || !kSameElement.has(kind)) return text;
  return anchorIn(outer);
}

function noteState(name, compound, reach, into) {
  if (kNoStates.has(name) || name === 'has') {
    if (name.startsWith('nth-')) into.structural = true;
  } else if (kStructuralStates.has(name)) into.structural = true;
  else if (kFormStates.has(name)) into.form |= reach;
  else if (kLinkStates.has(name)) {
    widen(into.attributes, 'href', reach);
    widen(into.attributes, 'xlink:href', reach);
  } else if (name === 'lang') {
    widen(into.attributes, 'lang', reach);
    widen(into.attributes, 'xml:lang', reach);
  } else if (name === 'empty') into.empty |= reach;
  else if (name === 'dir') {
    widen(into.attributes, 'dir', reach);
    into.directed = true;
  } else if (kUnreasoned.has(name)) into.unknown = true;
  else {
    if (kValidity.has(name)) into.form |= reach;
    const key = name === 'valid' ? 'invalid' : name; // what leaves the one comes to the other, or is an attribute's doing
    const state = into.states.get(key) ?? newState();
    state.reach |= reach;
    state.compounds.add(compound.text);
    state.list = null;
    into.states.set(key, state);
  }
}
const newState = () => ({ reach: 0, compounds: new Set(), list: null }); // `list`: the compounds, once it is asked for
const kValidity = words('valid invalid user-valid user-invalid');

// The tokens that name something, each with whether :has() asks for it, each state and each :has() with the compound selector
// that it stands in, less its states; null where the selector can't be read.
function selectorTokens(selector) {
  const tokens = [];
  let compound = newCompound(0, null, '');
  let inHas = 0; // how many :has() are open
  let hasSiblings = false;
  const add = (kind, name, of = null) => tokens.push({ kind, name, inHas: inHas > 0, compound: of, isBeside: false });
  const open = (kind, at, next) => {
    compound = newCompound(next, compound, kind);
    compound.opensAt = at;
    if (kind === 'has') {
      compound.anchor = tokens.at(-1);
      inHas++;
    }
  };
  const end = (at) => {
    compound.text = compoundText(selector, compound, at);
  };
  kSelectorToken.lastIndex = 0;
  for (let at = 0; at < selector.length; at = kSelectorToken.lastIndex) {
    kSelectorToken.lastIndex = at;
    const match = kSelectorToken.exec(selector);
    if (match === null) return null;
    const { groups } = match;
    const next = kSelectorToken.lastIndex;
    if (groups.class !== undefined) add('class', unescapeIdent(groups.class));
    else if (groups.id !== undefined) add('id', unescapeIdent(groups.id));
    else if (groups.attribute !== undefined) add('attribute', unescapeIdent(groups.attribute));
    else if (groups.state !== undefined || groups.element !== undefined) {
      const name = (groups.state ?? groups.element).toLowerCase();
      if (groups.state !== undefined) add(name === 'has' ? 'anchor' : 'state', name, compound);
      if (groups.opens === undefined && groups.elementOpens === undefined) compound.cuts.push([at, next]);
      else if (kSelectorLists.has(name)) open(name, at, next);
      else {
        const argument = /(?<text>[^()]*?)(?<ends>\)| of )/y;
        argument.lastIndex = next;
        const read = argument.exec(selector);
        if (read === null) return null;
        kSelectorToken.lastIndex = argument.lastIndex;
        if (read.groups.ends === ' of ') {
          hasSiblings ||= inHas === 0;
          open(name, at, argument.lastIndex);
        } else compound.cuts.push([at, argument.lastIndex]);
      }
    } else if (groups.close !== undefined) {
      const { outer, opensAt, kind, holdsHas } = compound;
      if (outer === null) return null;
      end(at);
      compound = outer;
      if (kind === 'has') inHas--;
      if (kind === 'has' || holdsHas) compound.cuts.push([opensAt, next]);
      compound.holdsHas ||= kind === 'has' || holdsHas;
    } else if (groups.type === undefined) {
      if (groups.sibling !== undefined && inHas === 0) hasSiblings = true;
      end(at);
      const { outer, opensAt, kind, holdsHas, anchor, from } = compound;
      if (groups.sibling !== undefined && anchor !== null && from === at) anchor.isBeside = true; // :has(+ x)
      const isNext = groups.comma === undefined; // another compound of the same complex selector
      if (isNext) compound.isAlone = false;
      compound = newCompound(next, outer, kind);
      Object.assign(compound, { opensAt, holdsHas, anchor, isAlone: !isNext });
    }
  }
  if (compound.outer !== null) return null;
  end(selector.length);
  return { tokens, hasSiblings };
}

// `outer`: the compound in whose brackets it stands, which are those of `kind` and begin at `opensAt`; `isAlone`: whether no other
// compound is before or after it in its part of the list; `holdsHas`: whether any in the same brackets holds :has(); `anchor`: the
// token of the :has() whose brackets they are.
const newCompound = (from, outer, kind) => ({
  from,
  cuts: [],
  text: '',
  outer,
  kind,
  opensAt: 0,
  isAlone: true,
  holdsHas: false,
  anchor: null,
});

// What is left of a compound selector without its states. Where it speaks of shadow trees, it may mean any element.
function compoundText(selector, { from, cuts }, to) {
  let text = '';
  let at = from;
  for (const [start, stop] of cuts) {
    text += selector.slice(at, start);
    at = stop;
  }
  text += selector.slice(at, to);
  return text === '' || /:(host|scope|has|:)/.test(text) ? '*' : text;
}

function mergeFeatures(into, from) {
  for (const key of ['classes', 'ids', 'attributes'])
    for (const [name, reach] of from[key]) widen(into[key], name, reach);
  for (const [name, { reach, compounds }] of from.states) {
    const state = into.states.get(name) ?? newState();
    state.reach |= reach;
    for (const compound of compounds) state.compounds.add(compound);
    state.list = null;
    into.states.set(name, state);
  }
  into.form |= from.form;
  into.empty |= from.empty;
  into.structural ||= from.structural;
  into.directed ||= from.directed;
  for (const key of ['within', 'beside']) for (const one of from.anchors[key]) into.anchors[key].add(one);
  into.anchors.isAny ||= from.anchors.isAny;
  into.anchors.reach |= from.anchors.reach;
  into.unknown ||= from.unknown;
}

export { OWN, SIBLINGS, UP, newFeatures, noteFeatures, mergeFeatures };
