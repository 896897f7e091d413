// One rule of a style sheet: what it may give to which elements, and which conditions it stands in.

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

// What a rule says, by list: the selectors of each trait, and beside those the selectors of all that it styles, of what has a
// pointer cursor (`hands`) and another one (`otherCursors`) once the mouse is over it, of what may be a container, and of where
// @scope begins and ends; media queries (`conditions`); whether it holds by a container's size (`sized`), and by more than can be
// told (`unreasoned`).
const kSaid = [
  ...kTraits,
  'selectors',
  'hands',
  'otherCursors',
  'containers',
  'scopes',
  'conditions',
  'sized',
  'unreasoned',
];
const nothingSaid = () => Object.fromEntries(kSaid.map((list) => [list, []]));

// A rule as it was read: { rule, text, selector, parents, within, says, imported, read, holds }. `selector`: of the elements that it
// styles; `within`: the conditions that it stands in, or null where other things than conditions decide how its selector is meant;
// `says`: [list, value] pairs; `imported` and `read`: the sheet, and what was read of it; `holds`: whether it holds rules.
const rulesRead = new WeakMap();

const holdsRules = ({ cssRules }) => cssRules !== undefined && cssRules.length > 0;

const ruleText = ({ selectorText = '', style, media }) =>
  `${selectorText}{${style === undefined ? '' : style.cssText}}${media === undefined ? '' : media.mediaText}`;

// Reads rules and those in them into { rules, said }. `around`: of the rules that these are nested in, the selector of elements
// (`parents`), and the conditions (`within`). `isDue(i)`: whether the text of the i-th one is to be compared with the one that was
// read before, or undefined: none has been read. `readSheet`: what reads an imported sheet.
function collectRules(rules, around, into, isDue, readSheet) {
  for (const rule of rules) {
    let read = isDue === undefined ? undefined : rulesRead.get(rule);
    if (read === undefined || !isAsRead(read, around, isDue(into.rules.length))) read = readRule(rule, around);
    into.rules.push(read);
    addSaid(into.said, read.says);
    if (read.imported !== null) {
      read.read = readSheet(read.imported);
      for (const list of kSaid) for (const value of read.read.said[list]) into.said[list].push(value);
    } else if (holdsRules(rule)) collectRules(rule.cssRules, innerOf(read), into, isDue, readSheet);
  }
}

const isAsRead = ({ rule, text, parents, within, imported }, around, isDue) =>
  imported === null && parents === around.parents && within === around.within && (!isDue || text === ruleText(rule));

function addSaid(said, says) {
  for (const [list, value] of says) said[list].push(value);
}

function readRule(rule, { parents, within }) {
  const selector = selectorOf(rule, parents);
  const says = Array.from(saidBy(rule, selector));
  const imported = rule.constructor === CSSImportRule ? rule.styleSheet : null;
  const holds = holdsRules(rule);
  const read = { rule, text: ruleText(rule), selector, parents, within, says, imported, read: null, holds };
  rulesRead.set(rule, read);
  return read;
}

function selectorOf(rule, parents) {
  if (rule.constructor !== CSSStyleRule) return rule.style && parents ? parents : null; // declarations between nested rules
  const selector = rule.selectorText;
  if (!parents) return selector;
  return selector.includes('&') ? selector.replaceAll('&', `:is(${parents})`) : `:is(${parents}) ${selector}`;
}

function innerOf({ rule, selector, parents, within }) {
  if (rule.constructor === CSSStyleRule) return { parents: selector, within };
  const isPlain = within !== null && kPlainGroups.has(rule.constructor);
  return { parents, within: isPlain ? `${within}@${rule.conditionText}` : null };
}
const kPlainGroups = new Set([CSSMediaRule, CSSSupportsRule, CSSContainerRule]);

function* saidBy(rule, selector) {
  const { constructor: type, style } = rule;
  if (selector !== null) yield* traitsSet(style, selector);
  if (type === CSSStyleRule) {
    yield ['selectors', selector];
    if (style.cursor !== '' && kUnderMouse.test(selector))
      yield [style.cursor === 'pointer' ? 'hands' : 'otherCursors', selector.replaceAll(kUnderMouse, '')];
    if (style.containerType || style.container) yield ['containers', selector];
  } else if (type === CSSKeyframeRule && (style.opacity || style.color)) {
    yield ['opacity', '*'];
    yield ['color', '*'];
  } else if (type === CSSMediaRule || type === CSSImportRule) {
    if (rule.media.mediaText !== '') yield ['conditions', rule.media.mediaText];
  } else if (type === CSSContainerRule) {
    // It may ask for the size of the container, or for its style and how it is scrolled, which nothing tells of.
    yield [/\b(style|scroll-state)\(/.test(rule.conditionText) ? 'unreasoned' : 'sized', true];
  } else if (type === CSSScopeRule) {
    if (rule.start) yield ['scopes', rule.start];
    if (rule.end) yield ['scopes', rule.end];
  }
}
const kOfShadowTrees = /:host|::slotted|::part/; // whose elements nothing in the tree scope can be asked for
const kUnderMouse = /:hover(?=\s*(?:,|$))/g; // of the element itself

function* traitsSet(style, selector) {
  if (!style.length) return;
  const content = style.content;
  if (content.includes('url(')) yield ['picture', selector.replace(kPseudos, '')];
  if (content && content !== 'none' && content !== 'normal' && content !== '""') {
    const bare = selector.replace(/::?(before|after)/g, '');
    if (/:before/.test(selector)) yield ['before', bare];
    if (/:after/.test(selector)) yield ['after', bare];
  }
  // A shorthand whose value is a custom property leaves its longhands empty.
  if (style.color || style.fontSize || style.font) yield ['color', selector];
  if (style.backgroundColor || style.backgroundImage || style.background) {
    if (kPseudo.test(selector)) yield ['paint', selector.replace(kPseudos, '')];
    yield ['background', selector];
  } else if (style.boxShadow.includes('inset')) yield ['background', selector]; // drawn over the background, as a row's that is selected
  if (style.visibility) yield ['visibility', selector];
  if (style.opacity || style.filter.includes('opacity')) yield ['opacity', selector];
  if (mayHideByPlace(style)) yield ['place', selector];
  if (style.webkitTextSecurity) yield ['security', selector];
  if (style.webkitTextFillColor) yield ['fill', selector];
  if (style.overflowY || style.overflowX || style.overflow) yield ['overflow', selector];
  if (style.cursor) yield ['cursor', selector];
  if (style.contentVisibility) yield ['contentVisibility', selector];
  if (/line-through|var\(/.test(style.textDecoration + style.textDecorationLine)) yield ['strike', selector];
  if (style.whiteSpace || style.whiteSpaceCollapse) yield ['lines', selector];
}

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

export { kOfShadowTrees, kTraits, kUnderMouse, collectRules, nothingSaid, ruleText };
