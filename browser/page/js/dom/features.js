// What the selectors of a page's rules speak of, and how far a change of it reaches: a class that no selector names changes
// no style; one that stands before a sibling combinator may change those of all that its parent holds.

import { words } from './collections.js';

const OWN = 1; // the element and what is below it
const SIBLINGS = 2; // what its parent holds too
const WHOLE = 4; // any element: :has() looks up and sideways

const newFeatures = () => ({
  classes: new Map(), // name -> how far
  ids: new Map(),
  attributes: new Map(),
  states: new Map(), // pseudo-class -> { reach, compounds }, where the compounds say on which elements
  form: 0, // how far what a form control holds reaches
  empty: 0, // :empty
  structural: false, // :first-child and the like, sibling combinators: a child that comes or goes is felt by the others
  has: false,
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
const kUnreasoned = words('dir default');

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
  const { tokens, hasSiblings, has } = found;
  const reach = has ? WHOLE : hasSiblings ? SIBLINGS : OWN;
  if (has) into.has = true;
  if (hasSiblings) into.structural = true;
  for (const { kind, name, compound } of tokens) {
    if (kind === 'class') widen(into.classes, name, reach);
    else if (kind === 'id') widen(into.ids, name, reach);
    else if (kind === 'attribute') widen(into.attributes, name.toLowerCase(), reach);
    else noteState(name, compound, reach, into);
  }
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
  else if (kUnreasoned.has(name)) into.unknown = true;
  else {
    if (kValidity.has(name)) into.form |= reach;
    const key = name === 'valid' ? 'invalid' : name; // what leaves the one comes to the other, or is an attribute's doing
    const state = into.states.get(key) ?? { reach: 0, compounds: new Set() };
    state.reach |= reach;
    state.compounds.add(compound.text);
    into.states.set(key, state);
  }
}
const kValidity = words('valid invalid user-valid user-invalid');

// The tokens that name something, each state with the compound selector that it stands in, less its states; null where
// the selector can't be read.
function selectorTokens(selector) {
  const tokens = [];
  const outer = [];
  let compound = { from: 0, cuts: [], text: '' };
  let hasSiblings = false;
  let has = false;
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
    if (groups.class !== undefined) tokens.push({ kind: 'class', name: unescapeIdent(groups.class) });
    else if (groups.id !== undefined) tokens.push({ kind: 'id', name: unescapeIdent(groups.id) });
    else if (groups.attribute !== undefined) tokens.push({ kind: 'attribute', name: unescapeIdent(groups.attribute) });
    else if (groups.state !== undefined || groups.element !== undefined) {
      const name = (groups.state ?? groups.element).toLowerCase();
      if (groups.state !== undefined) tokens.push({ kind: 'state', name, compound });
      if (name === 'has') has = true;
      if (groups.opens === undefined && groups.elementOpens === undefined) compound.cuts.push([at, next]);
      else if (kSelectorLists.has(name)) {
        outer.push(compound);
        compound = { from: next, cuts: [], text: '' };
      } else {
        const argument = /(?<text>[^()]*?)(?<ends>\)| of )/y;
        argument.lastIndex = next;
        const read = argument.exec(selector);
        if (read === null) return null;
        kSelectorToken.lastIndex = argument.lastIndex;
        if (read.groups.ends === ' of ') {
          hasSiblings = true;
          outer.push(compound);
          compound = { from: argument.lastIndex, cuts: [], text: '' };
        } else compound.cuts.push([at, argument.lastIndex]);
      }
    } else if (groups.close !== undefined) {
      if (outer.length === 0) return null;
      end(at);
      compound = outer.pop();
    } else if (groups.type === undefined) {
      if (groups.sibling !== undefined) hasSiblings = true;
      end(at);
      compound = { from: next, cuts: [], text: '' };
    }
  }
  if (outer.length) return null;
  end(selector.length);
  return { tokens, hasSiblings, has };
}

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
    const state = into.states.get(name) ?? { reach: 0, compounds: new Set() };
    state.reach |= reach;
    for (const compound of compounds) state.compounds.add(compound);
    into.states.set(name, state);
  }
  into.form |= from.form;
  into.empty |= from.empty;
  into.structural ||= from.structural;
  into.has ||= from.has;
  into.unknown ||= from.unknown;
}

export { OWN, SIBLINGS, WHOLE, newFeatures, noteFeatures, mergeFeatures };
