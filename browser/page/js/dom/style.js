// Computed style, read as seldom as possible: each property read costs as much as the rest of a node's walk.
//
// Most elements have no ::before text, background, opacity or scroll bar of their own, and the style sheets say
// which ones can. So each sheet is scanned once for rules that set such a property, and an element is asked for it
// only when one of those rules' selectors matches it, or it has a style attribute. Where a sheet can't be read
// (another origin) or a rule can't be matched from here (:host, keyframes), every element is asked.

import {
  animationsOf,
  attr,
  documentQuery,
  isRendered,
  nodeTypeOf,
  querySelectorAllOf,
  rectOf,
  rootNodeOf,
  tagOf,
} from './members.js';
import { anyClosedRoot, sawShadow, shadowRootOf, shadowRootsIn } from './shadow_roots.js';

// Bits of styleFlags: what `display` and `visibility` compute to.
const DISPLAY_NONE = 1;
const VISIBILITY_HIDDEN = 2;
const INLINE = 4;
const CONTENTS = 8;

// What a rule of a style sheet may set, each with its bit. COLOR stands for the size of the text too, AFTER and BEFORE
// for the text of a pseudo-element, PAINT for its background, and PICTURE for an image in the place of text. PLACE is whatever may move a box out of sight, shrink
// it or clip it away.
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
];

const BEFORE = 1;
const COLOR = 2;
const OPACITY = 4;
const OVERFLOW = 8;
const CURSOR = 16;
const CONTENT_VISIBILITY = 32;
const BACKGROUND = 64;
const VISIBILITY = 128;
const AFTER = 256;
const PLACE = 512;
const SECURITY = 1024;
const FILL = 2048;
const PAINT = 4096;
const PICTURE = 8192;
const ALL = 16383;
// What any style attribute is taken to set.
const BY_ATTRIBUTE = COLOR | OPACITY | OVERFLOW | CURSOR | CONTENT_VISIBILITY | BACKGROUND | VISIBILITY;
const PSEUDO = BEFORE | AFTER;
const sheetRules = new WeakMap();

// What one pass over the page has learned; dropped at its end, as nothing tells us of style changes.
let pass = null;

function beginPass() {
  const fresh = {
    flags: new Map(),
    lastStyled: null,
    lastStyle: null,
    traits: null,
    documentTraits: null,
    pseudos: new Map(),
    backgrounds: new Map(),
    fixed: new Map(),
    sight: new Map(),
    moving: null,
    painted: undefined,
    labels: null,
    dialogs: null,
    ariaDisabled: null,
    visibilityUsed: null,
  };
  const outer = pass;
  pass = fresh;
  return outer;
}

function withPass(work) {
  if (pass) return work();
  const outer = beginPass();
  try {
    return work();
  } finally {
    pass = outer;
  }
}

function styleOf(el) {
  if (pass.lastStyled === el) return pass.lastStyle;
  pass.lastStyled = el;
  return (pass.lastStyle = getComputedStyle(el));
}

// Display and visibility in one number. An ancestor's display:none is the walker's business, not looked at here.
function styleFlags(el) {
  let flags = pass.flags.get(el);
  if (flags !== undefined) return flags;
  const style = styleOf(el);
  const display = style.display;
  flags = 0;
  if (display === 'none' || display === '') flags |= DISPLAY_NONE;
  else if (display === 'inline') flags |= INLINE;
  else if (display === 'contents') flags |= CONTENTS | INLINE;
  if (isVisibilityUsed(el) && style.visibility !== 'visible') flags |= VISIBILITY_HIDDEN;
  pass.flags.set(el, flags);
  return flags;
}

// Visibility is inherited, so it is read everywhere if it is set anywhere, and nowhere else.
function isVisibilityUsed(el) {
  if (pass.visibilityUsed !== null) return pass.visibilityUsed;
  const root = rootNodeOf(el);
  if (root !== document) return true;
  const { everyone, setsVisibility } = rootTraits(root);
  return (pass.visibilityUsed =
    (everyone & VISIBILITY) !== 0 || setsVisibility || documentQuery(document, '[style*=visib]') !== null);
}

function isVisible(el) {
  if (!isRendered(el, { visibilityProperty: true }) && !(withPass(() => styleFlags(el)) & CONTENTS)) return false;
  const box = rectOf(el);
  return box.width > 0 && box.height > 0;
}

function collectRules(rules, parents, out) {
  for (const rule of rules) {
    const type = rule.constructor;
    if (type === CSSStyleRule) {
      let selector = rule.selectorText;
      if (parents)
        selector = selector.includes('&') ? selector.replaceAll('&', `:is(${parents})`) : `:is(${parents}) ${selector}`;
      noteStyle(rule.style, selector, out);
      if (rule.cssRules.length) collectRules(rule.cssRules, selector, out);
    } else if (type === CSSImportRule) {
      if (rule.styleSheet) mergeTraits(out, traitsOfSheet(rule.styleSheet));
    } else if (type === CSSKeyframesRule) {
      for (const frame of rule.cssRules)
        if (frame.style.opacity || frame.style.color) {
          out.opacity.push('*');
          out.color.push('*');
        }
    } else if (rule.cssRules) {
      collectRules(rule.cssRules, parents, out);
    } else if (rule.style && parents) {
      noteStyle(rule.style, parents, out); // declarations between nested rules
    }
  }
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
  if (style.color || style.fontSize) out.color.push(selector);
  if (style.backgroundColor || style.backgroundImage) {
    if (kPseudo.test(selector)) out.paint.push(selector.replace(kPseudos, ''));
    out.background.push(selector);
  }
  if (style.visibility) out.visibility.push(selector);
  if (style.opacity || style.filter.includes('opacity')) out.opacity.push(selector);
  if (mayHideByPlace(style)) out.place.push(selector);
  if (style.webkitTextSecurity) out.security.push(selector);
  if (style.webkitTextFillColor) out.fill.push(selector);
  if (style.overflowY || style.overflowX) out.overflow.push(selector);
  if (style.cursor) out.cursor.push(selector);
  if (style.contentVisibility) out.contentVisibility.push(selector);
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

const emptyTraits = () => Object.fromEntries(kTraits.map((trait) => [trait, []]));

function mergeTraits(into, from) {
  for (const trait of kTraits) into[trait].push(...from[trait]);
}

function traitsOfSheet(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    rules = null;
  } // another origin's sheet
  const last = rules?.length ? rules[rules.length - 1] : null;
  const known = sheetRules.get(sheet);
  if (known && known.count === rules?.length && known.last === last) return known.traits;
  const traits = emptyTraits();
  if (rules) collectRules(rules, '', traits);
  else for (const trait of kTraits) traits[trait].push('*');
  sheetRules.set(sheet, { count: rules?.length, last, traits });
  return traits;
}

// What the rules of one tree scope can touch: bits that hold for any element, and bits by element.
function traitsOfRoot(root) {
  const selectors = emptyTraits();
  for (const sheet of root.styleSheets) if (!sheet.disabled) mergeTraits(selectors, traitsOfSheet(sheet));
  for (const sheet of root.adoptedStyleSheets) if (!sheet.disabled) mergeTraits(selectors, traitsOfSheet(sheet));
  let everyone = 0;
  const some = new Map();
  kTraits.forEach((trait, i) => {
    const list = selectors[trait];
    const bit = 1 << i;
    if (!list.length) return;
    if (list.some((selector) => selector === '*' || /:host|::slotted|::part/.test(selector))) {
      everyone |= bit;
      return;
    }
    try {
      for (const el of querySelectorAllOf(root, [...new Set(list)].join(','))) some.set(el, (some.get(el) ?? 0) | bit);
    } catch {
      everyone |= bit;
    } // a selector of a kind only style sheets know
  });
  if (nodeTypeOf(root) === 9) {
    const animations = animationsOf(root);
    if (animations.length) everyone |= OPACITY | COLOR | VISIBILITY;
    for (const { effect } of animations)
      if (effect?.target) some.set(effect.target, (some.get(effect.target) ?? 0) | PLACE);
  }
  return { everyone, some: some.size ? some : null, setsVisibility: selectors.visibility.length > 0 };
}

function rootTraits(root) {
  pass.traits ??= new Map();
  let traits = pass.traits.get(root);
  if (!traits) {
    const styled = nodeTypeOf(root) === 9 || root instanceof ShadowRoot;
    pass.traits.set(root, (traits = styled ? traitsOfRoot(root) : { everyone: ALL, some: null, setsVisibility: true }));
  }
  return traits;
}

// Which properties of `el` are worth reading. `bare`: the element has no attributes.
function traitsOf(el, bare) {
  const traits =
    sawShadow || anyClosedRoot ? rootTraits(rootNodeOf(el)) : (pass.documentTraits ??= rootTraits(document));
  let bits = traits.everyone;
  if (traits.some !== null) bits |= traits.some.get(el) ?? 0;
  if (!bare) {
    const style = attr(el, 'style');
    if (style !== null) bits |= BY_ATTRIBUTE | traitsOfAttribute(style);
  }
  // :host rules sit in the shadow tree but style its host.
  if ((sawShadow || anyClosedRoot) && shadowRootOf(el) !== null) bits = ALL;
  return bits;
}

function traitsOfAttribute(style) {
  let bits = 0;
  if (/left|top|right|bottom|inset|margin|transform|translate|scale|rotate|clip|indent/.test(style)) bits |= PLACE;
  if (style.includes('text-security')) bits |= SECURITY;
  if (style.includes('text-fill')) bits |= FILL;
  if (style.includes('content')) bits |= PICTURE;
  return bits;
}

// Elements that an animation or a transition is changing at this moment.
function movingElements() {
  return (pass.moving ??= new Set(
    animationsOf(document).flatMap(({ playState, effect }) => (playState === 'running' ? [effect?.target] : [])),
  ));
}

// Elements that may paint something below what is no descendant of theirs; null where too many may.
const kPaintedMax = 1500;

function paintedElements() {
  if (pass.painted !== undefined) return pass.painted;
  const found = new Set();
  for (const root of [document, ...(sawShadow || anyClosedRoot ? shadowRootsIn(document) : [])]) {
    const { everyone, some } = rootTraits(root);
    const anyone = (everyone & (BACKGROUND | PAINT)) !== 0;
    for (const el of querySelectorAllOf(root, anyone ? '*' : kMayPaint)) found.add(el);
    if (some !== null) for (const [el, bits] of some) if (bits & (BACKGROUND | PAINT)) found.add(el);
  }
  return (pass.painted = found.size > kPaintedMax ? null : [...found]);
}
const kMayPaint = 'img,video,canvas,svg,picture,iframe,object,embed,[style*=background]';

// The text of ::before or ::after. Counters and images have none; `content: "x" / "alt"` means the alternative.
function pseudoText(el, which) {
  const bit = which === '::before' ? BEFORE : AFTER;
  if (!(traitsOf(el, true) & bit) && tagOf(el) !== 'q') return '';
  const known = pass.pseudos.get(el);
  if (known?.[bit] !== undefined) return known[bit];
  const text = readPseudo(el, which);
  if (known) known[bit] = text;
  else pass.pseudos.set(el, { [bit]: text });
  return text;
}

function readPseudo(el, which) {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (
    !content ||
    content === 'none' ||
    content === 'normal' ||
    style.display === 'none' ||
    style.visibility !== 'visible'
  )
    return '';
  const slash = content.lastIndexOf(' / ');
  const source = slash !== -1 && content.endsWith('"') ? content.slice(slash + 3) : content;
  let text = '';
  for (const [, quoted, attribute, mark] of source.matchAll(
    /"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)|(open-quote|close-quote)/g,
  ))
    text += quoted !== undefined ? quoted.replace(/\\(.)/g, '$1') : mark ? '"' : (attr(el, attribute) ?? '');
  if (!text) return '';
  return style.display === 'inline' && source === content ? text : ` ${text} `;
}

export {
  DISPLAY_NONE,
  VISIBILITY_HIDDEN,
  INLINE,
  CONTENTS,
  COLOR,
  OPACITY,
  OVERFLOW,
  CURSOR,
  CONTENT_VISIBILITY,
  BACKGROUND,
  PLACE,
  SECURITY,
  FILL,
  PAINT,
  PICTURE,
  ALL,
  PSEUDO,
  pass,
  withPass,
  styleOf,
  styleFlags,
  isVisible,
  traitsOf,
  movingElements,
  paintedElements,
  pseudoText,
};
