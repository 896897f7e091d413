// The rules of style sheets: which selectors may give an element what the walk looks at (traits), what they speak of
// (features), and whether any rule has changed since.

import { attr, matchesSelector, nodeTypeOf, rootNodeOf } from './members.js';
import { pass } from './pass.js';
import { newFeatures, noteFeatures } from './features.js';

// What a rule of a style sheet may set, each with its bit in dom/traits.js.
const kTraits = [
  'before',
  'color',
  'opacity',
  'overflow',
  'cursor',
  'contentVisibility',
  'background',
  'visibility',
  'after',
  'place',
  'security',
  'fill',
  'paint',
  'picture',
  'strike',
  'lines',
];

// A sheet is { media, rules, opaque, traits, selectors, unreasoned, conditions, features }: `media` and `rules` are what it
// was read from, to compare with; `opaque`: another origin's, which can't be read; `unreasoned`: whether some of its rules
// hold by more than can be told; `conditions`: its media queries; `asksSizes`: whether some hold by the size of a container, and
// `containers`: the selectors of what may be one; `scopes`: the selectors that @scope begins and ends at; `features` is null until
// somebody asks; `hands` and `otherCursors`: what has a pointer cursor, and another one, once the mouse is over it.
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
  const known = sheetsRead.get(sheet);
  const media = sheet.media.mediaText; // which the page may set when it has loaded the sheet
  if (known && known.media === media && isUnchanged(sheet, known)) return known;
  const rules = rulesOf(sheet);
  const read = {
    media,
    rules: [],
    opaque: rules === null,
    traits: emptyTraits(),
    selectors: [],
    hands: [],
    otherCursors: [],
    unreasoned: false,
    asksSizes: false,
    containers: [],
    scopes: [],
    conditions: new Set(),
    features: null,
    uses: new Map(), // of classes that were asked for
    textsFrom: 0,
  };
  noteCondition(sheet.media, read);
  if (rules) collectRules(rules, { parents: '', within: '' }, read);
  else {
    for (const trait of kTraits) read.traits[trait].push('*');
    read.unreasoned = true;
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

// The same rules as when it was read: scripts may insert, delete and rewrite them, and nothing tells of it. To write out
// the texts of a library's thousands of rules takes longer than all the rest, so each pass does that with some of them: of each
// sheet that the page has written itself, and of all those together that it has loaded, where scripts seldom change a rule.
// A rule that held none when it was read gets some only by a script too.
function isUnchanged(sheet, read) {
  const { rules, opaque } = read;
  const list = rulesOf(sheet);
  if (list === null || opaque) return list === null && opaque;
  const isOwn = sheet.href === null;
  const from = isOwn ? read.textsFrom : textsOfLoaded(rules.length);
  const end = from + kTextsCompared;
  if (isOwn) read.textsFrom = end < rules.length ? end : 0;
  let at = 0;
  const isSame = (inner) => {
    for (const rule of inner) {
      const isRead = at >= from && at < end;
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

const holdsRules = ({ cssRules }) => cssRules !== undefined && cssRules.length > 0;

const ruleText = ({ selectorText = '', style, media }) =>
  `${selectorText}{${style === undefined ? '' : style.cssText}}${media === undefined ? '' : media.mediaText}`;

// `within`: the conditions that it stands in, or null where other things than conditions decide how its selector is meant.
const newRule = (rule, { within }) => ({
  rule,
  text: ruleText(rule),
  selector: null, // of the elements that it styles
  within,
  imported: null,
  read: null,
  holds: holdsRules(rule),
});
const kPlainGroups = new Set([CSSMediaRule, CSSSupportsRule, CSSContainerRule]);

function noteCondition(media, { conditions }) {
  if (media.mediaText !== '') conditions.add(media.mediaText);
}

// `around`: of the rules that these are nested in, the selector of elements (`parents`), and the conditions (`within`).
function collectRules(rules, around, out) {
  const { parents, within } = around;
  for (const rule of rules) {
    const type = rule.constructor;
    const read = newRule(rule, around);
    out.rules.push(read);
    if (type === CSSStyleRule) {
      let selector = rule.selectorText;
      if (parents)
        selector = selector.includes('&') ? selector.replaceAll('&', `:is(${parents})`) : `:is(${parents}) ${selector}`;
      read.selector = selector;
      out.selectors.push(selector);
      noteStyle(rule.style, selector, out.traits);
      noteHand(rule.style, selector, out);
      if (rule.style.containerType || rule.style.container) out.containers.push(selector);
      if (rule.cssRules.length) collectRules(rule.cssRules, { parents: selector, within }, out);
    } else if (type === CSSImportRule) {
      noteCondition(rule.media, out);
      if (rule.styleSheet) {
        read.imported = rule.styleSheet;
        read.read = readSheet(rule.styleSheet);
        mergeSheet(out, read.read);
      }
    } else if (type === CSSKeyframesRule) {
      for (const frame of rule.cssRules) {
        out.rules.push(newRule(frame, around));
        if (frame.style.opacity || frame.style.color) {
          out.traits.opacity.push('*');
          out.traits.color.push('*');
        }
      }
    } else if (rule.cssRules) {
      if (type === CSSMediaRule) noteCondition(rule.media, out);
      else if (type === CSSContainerRule) noteContainerRule(rule, out);
      else if (type === CSSScopeRule) out.scopes.push(...[rule.start, rule.end].filter(Boolean));
      const inner = within === null || !kPlainGroups.has(type) ? null : `${within}@${rule.conditionText}`;
      collectRules(rule.cssRules, { parents, within: inner }, out);
    } else if (rule.style && parents) {
      read.selector = parents;
      noteStyle(rule.style, parents, out.traits); // declarations between nested rules
    }
  }
}

// It may ask for the size of the container, or for its style and how it is scrolled, which nothing tells of.
function noteContainerRule({ conditionText }, out) {
  if (/\b(style|scroll-state)\(/.test(conditionText)) out.unreasoned = true;
  else out.asksSizes = true;
}

function noteStyle(style, selector, out) {
  if (!style.length) return;
  const content = style.content;
  if (content.includes('url(')) out.picture.push(selector.replace(kPseudos, ''));
  if (content && content !== 'none' && content !== 'normal' && content !== '""') {
    const bare = selector.replace(/::?(before|after)/g, '');
    if (/:before/.test(selector)) out.before.push(bare);
    if (/:after/.test(selector)) out.after.push(bare);
  }
  // A shorthand whose value is a custom property leaves its longhands empty.
  if (style.color || style.fontSize || style.font) out.color.push(selector);
  if (style.backgroundColor || style.backgroundImage || style.background) {
    if (kPseudo.test(selector)) out.paint.push(selector.replace(kPseudos, ''));
    out.background.push(selector);
  } else if (style.boxShadow.includes('inset')) out.background.push(selector); // drawn over the background, as a row's that is selected
  if (style.visibility) out.visibility.push(selector);
  if (style.opacity || style.filter.includes('opacity')) out.opacity.push(selector);
  if (mayHideByPlace(style)) out.place.push(selector);
  if (style.webkitTextSecurity) out.security.push(selector);
  if (style.webkitTextFillColor) out.fill.push(selector);
  if (style.overflowY || style.overflowX || style.overflow) out.overflow.push(selector);
  if (style.cursor) out.cursor.push(selector);
  if (style.contentVisibility) out.contentVisibility.push(selector);
  if (/line-through|var\(/.test(style.textDecoration + style.textDecorationLine)) out.strike.push(selector);
  if (style.whiteSpace || style.whiteSpaceCollapse) out.lines.push(selector);
}

// Which cursor an element gets from a rule for itself under the mouse.
function noteHand({ cursor }, selector, { hands, otherCursors }) {
  if (cursor === '' || !kUnderMouse.test(selector)) return;
  (cursor === 'pointer' ? hands : otherCursors).push(selector.replaceAll(kUnderMouse, ''));
}
const kUnderMouse = /:hover(?=\s*(?:,|$))/g;

const kPseudo = /::?(before|after)/;
const kPseudos = /::?(before|after)/g;

// Lengths that may lead out of the page: negative ones, long ones, and those that can't be known from here.
const kFar = /(^|[\s(,])-|calc|var|\d{4}|[1-9]\d\d+(%|v[wh])/;

function mayHideByPlace(style) {
  const moved = style.transform || style.translate || style.scale || style.rotate || style.clipPath || style.clip;
  if (moved && moved !== 'none' && moved !== 'auto') return true;
  return kFar.test(
    `${style.inset} ${style.left} ${style.top} ${style.right} ${style.bottom} ${style.margin} ${style.marginLeft} ${style.marginTop} ${style.textIndent}`,
  );
}

const emptyTraits = () => Object.fromEntries(kTraits.map((trait) => [trait, []]));

function mergeSheet(into, from) {
  for (const trait of kTraits) into.traits[trait].push(...from.traits[trait]);
  for (const condition of from.conditions) into.conditions.add(condition);
  into.selectors.push(...from.selectors);
  into.hands.push(...from.hands);
  into.otherCursors.push(...from.otherCursors);
  into.containers.push(...from.containers);
  into.scopes.push(...from.scopes);
  into.asksSizes ||= from.asksSizes;
  into.unreasoned ||= from.unreasoned;
}

// What the selectors of a sheet speak of.
function featuresOf(sheet) {
  if (sheet.features === null) {
    const features = newFeatures();
    features.unknown = sheet.unreasoned;
    for (const selector of [...sheet.selectors, ...sheet.scopes]) noteFeatures(selector, features);
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

function useOf({ selectors, opaque }, name) {
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
  const selectors = emptyTraits();
  for (const { traits } of sheetsOf(root)) for (const trait of kTraits) selectors[trait].push(...traits[trait]);
  return selectors;
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
  const [hands, others] = ['hands', 'otherCursors'].map((name) => sheets.flatMap((sheet) => sheet[name]));
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

export { kTraits, featuresOf, getsHand, isClassOfPress, kUnderMouse, sheetsOf, traitSelectors };
