// The rules of style sheets: which selectors may give an element what the walk looks at (traits), what they speak of
// (features), and whether any rule has changed since.

import { attr, matchesSelector, nodeTypeOf, rootNodeOf } from './members.js';
import { pass } from './pass.js';
import { newFeatures, noteFeatures } from './features.js';
import { collectRules, kTraits, nothingSaid, ruleText } from './rules.js';

// A sheet is { media, rules, opaque, said, features, uses, textsFrom }: `media` and `rules` are what it was read from, to compare
// with; `opaque`: another origin's, which can't be read; `said`: all that its rules say (rules.js); `features` is null until
// somebody asks; `uses`: of classes that were asked for; `textsFrom`: of which of its rules on the texts are compared next.
const sheetsRead = new WeakMap();

// A sheet that many shadow roots adopt is compared once in a pass.
function readSheet(sheet) {
  pass.sheetsRead ??= new Map();
  let read = pass.sheetsRead.get(sheet);
  if (read === undefined) {
    read = readAnew(sheet);
    pass.sheetsRead.set(sheet, read);
  }
  return read;
}

function readAnew(sheet) {
  let known = sheetsRead.get(sheet);
  const media = sheet.media.mediaText; // which the page may set when it has loaded the sheet
  if (known?.media !== media) known = undefined;
  const rules = rulesOf(sheet);
  const isDue = known && textsDue(sheet, known);
  if (known && isUnchanged(rules, known, isDue)) return known;
  const textsFrom = known?.textsFrom ?? 0;
  const read = { media, rules: [], opaque: !rules, said: nothingSaid(), features: null, uses: new Map(), textsFrom };
  if (media !== '') read.said.conditions.push(media);
  if (rules) collectRules(rules, { parents: '', within: media }, read, isDue, readSheet);
  else {
    for (const trait of kTraits) read.said[trait].push('*');
    read.said.unreasoned.push(true);
  }
  sheetsRead.set(sheet, read);
  return read;
}

// The sheet's rules, or null for another origin's.
function rulesOf(sheet) {
  try {
    return sheet.cssRules;
  } catch {
    return null;
  }
}

// The same rules as when it was read: scripts may insert, delete and rewrite them, and nothing tells of it. A rule that held none
// when it was read gets some only by a script too.
function isUnchanged(list, { rules, opaque }, isDue) {
  if (list === null || opaque) return list === null && opaque;
  let at = 0;
  const isSame = (inner) => {
    for (const rule of inner) {
      const isRead = isDue(at);
      const known = rules[at++];
      if (known === undefined || known.rule !== rule || (isRead && known.text !== ruleText(rule))) return false;
      if ((isRead || known.holds) && rule.cssRules !== undefined && !isSame(rule.cssRules)) return false;
      if (known.imported !== null && (rule.styleSheet !== known.imported || readSheet(known.imported) !== known.read))
        return false;
    }
    return true;
  };
  return isSame(list) && at === rules.length;
}

// Of which of a sheet's rules the texts are compared in this pass. To write out the texts of a library's thousands of rules takes
// longer than all the rest, so each pass does that with some of them: of each sheet that the page has written itself, and of all
// those together that it has loaded, where scripts seldom change a rule.
function textsDue({ href }, read) {
  const { length } = read.rules;
  const from = href === null ? read.textsFrom : textsOfLoaded(length);
  const end = from + kTextsCompared;
  if (href === null) read.textsFrom = end < length ? end : 0;
  return (i) => i >= from && i < end;
}

const kTextsCompared = 500; // of a sheet's rules, or of all loaded ones'

// From which of a loaded sheet's rules on their texts are compared in this pass: one that it hasn't, where it is the others' turn.
function textsOfLoaded(count) {
  if (pass.loadedRules === null) {
    loadedFrom += kTextsCompared;
    if (loadedFrom >= loadedRules) loadedFrom = loadedRules = 0;
    pass.loadedRules = 0;
  }
  const from = loadedFrom - pass.loadedRules;
  pass.loadedRules += count;
  loadedRules = Math.max(loadedRules, pass.loadedRules);
  return from;
}
let loadedFrom = 0; // which of all loaded sheets' rules this pass begins with
let loadedRules = 0; // how many there are, by the passes since the first turn: one may read some of the sheets alone

// What the selectors of a sheet speak of.
function featuresOf(sheet) {
  if (sheet.features === null) {
    const features = newFeatures();
    const { selectors, scopes, unreasoned } = sheet.said;
    features.unknown = unreasoned.length > 0;
    for (const selector of [...selectors, ...scopes]) noteFeatures(selector, features);
    sheet.features = features; // once they are whole (recover in changes.js)
  }
  return sheet.features;
}

// Whether some rules of a tree scope name a class, and all of them only while the mouse or the focus is on what has it.
function isClassOfPress(root, name) {
  let isNamed = false;
  for (const sheet of sheetsOf(root)) {
    let use = sheet.uses.get(name);
    if (use === undefined) sheet.uses.set(name, (use = useOf(sheet, name)));
    if (use === kOther) return false;
    isNamed ||= use === kPress;
  }
  return isNamed;
}
const kUnused = 0;
const kPress = 1;
const kOther = 2;

function useOf({ said: { selectors }, opaque }, name) {
  let use = kUnused;
  const named = new RegExp(`\\.${name}(?![\\w-])(:(active|hover|focus))?`, 'g');
  for (const selector of opaque ? [] : selectors) {
    if (!selector.includes(name)) continue;
    for (const [, press] of selector.matchAll(named)) {
      if (press === undefined) return kOther;
      use = kPress;
    }
  }
  return use;
}

// The sheets of a tree scope that are in force, each as it was read.
function sheetsOf(root) {
  pass.sheets ??= new Map();
  let sheets = pass.sheets.get(root);
  if (sheets) return sheets;
  sheets = [...root.styleSheets, ...root.adoptedStyleSheets].filter((sheet) => !sheet.disabled).map(readSheet);
  pass.sheets.set(root, sheets);
  return sheets;
}

// The selectors of a tree scope's rules, by trait.
function traitSelectors(root) {
  const sheets = sheetsOf(root);
  return Object.fromEntries(kTraits.map((trait) => [trait, sheets.flatMap(({ said }) => said[trait])]));
}

// Whether an element gets a pointer cursor once the mouse is over it.
function getsHand(el) {
  const root = rootNodeOf(el);
  pass.hands ??= new Map();
  let lists = pass.hands.get(root);
  if (lists === undefined) pass.hands.set(root, (lists = handsOf(root)));
  if (lists === null || (lists.classes !== null && !hasOneOf(el, lists.classes))) return false;
  return isAmong(el, lists.hands) && !isAmong(el, lists.others);
}

// `classes`: one of which each element has that may get it, so that most need not be matched; null where that can't be said.
function handsOf(root) {
  const sheets = nodeTypeOf(root) === 9 || root instanceof ShadowRoot ? sheetsOf(root) : [];
  const [hands, others] = ['hands', 'otherCursors'].map((name) => sheets.flatMap(({ said }) => said[name]));
  if (hands.length === 0) return null;
  const subjects = hands
    .flatMap((selector) => selector.split(','))
    .map((part) =>
      part
        .trim()
        .split(/[\s>+~]+/)
        .at(-1),
    );
  const named = subjects.map((one) => [...one.matchAll(kClassNames)].map(([, name]) => name.replaceAll('\\', '')));
  const isSaid = named.every((names) => names.length > 0) && !hands.some((selector) => /\([^)]*[\s>+~]/.test(selector));
  const classes = isSaid ? new Set(named.flat()) : null;
  return { hands: hands.join(','), others: others.join(','), classes };
}
const kClassNames = /\.((?:[\w-]|\\.|[^\0-\x7f])+)/g;

const hasOneOf = (el, classes) => (attr(el, 'class') ?? '').split(/\s+/).some((name) => classes.has(name));

function isAmong(el, list) {
  try {
    return list !== '' && matchesSelector(el, list);
  } catch {
    return false; // a selector of a kind only style sheets know
  }
}

export { featuresOf, getsHand, isClassOfPress, sheetsOf, traitSelectors };
