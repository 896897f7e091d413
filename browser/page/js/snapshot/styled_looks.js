// How elements and the page as a whole look, in words, by what their styles say.

import { animationsNow } from '../dom/shadow_roots.js';
import { placeIn } from '../dom/slides.js';
import { bodyOf, documentElementOf, firstElementOf, isSvg, nextElementOf, rectOf, tagOf } from '../dom/members.js';
import { baseColour, colourName, isClear, kPictures, looksAlike } from '../dom/colours.js';

// What is seen of a style, by the properties that set it, and how it is told as it is now: '' where there is nothing to tell, as of
// what a rule has turned for a moment. What `isOfBox` is the place or the size of an element that has a line, and no change of what
// is drawn within it; `none` is told where a style of the element's own says nothing of it any more.
const kStyledLooks = [
  { names: ['background', 'background-color', 'background-image'], told: backgroundWords },
  { names: ['color'], told: ({ color }) => `${colourName(color) || 'other'} text` },
  {
    names: ['outline', 'outline-style', 'outline-color', 'border', 'border-color', 'border-top-color', 'box-shadow'],
    told: frameWords,
  },
  { names: ['opacity'], told: ({ opacity }) => (opacity < 1 ? 'faded' : 'not faded') },
  { names: ['filter'], told: ({ filter }) => (filter === 'none' ? 'no filter' : filter) },
  { names: ['font-weight'], told: ({ fontWeight }) => (fontWeight >= 600 ? 'bold' : 'not bold') },
  { names: ['font-style'], told: ({ fontStyle }) => (fontStyle === 'normal' ? 'not italic' : 'italic') },
  { names: ['text-decoration', 'text-decoration-line'], told: lineWords },
  { names: ['font-size'], told: ({ fontSize }) => `text of ${inPixels(fontSize)}` },
  { names: ['zoom'], told: ({ zoom }) => `zoomed to ${inPercent(zoom)}` },
  { names: ['font-family'], told: ({ fontFamily }) => `text in ${fontFamily.split(',')[0]}` },
  { names: ['text-align'], told: ({ textAlign }) => `aligned ${textAlign}` },
  { names: ['text-transform'], told: ({ textTransform }) => (textTransform === 'none' ? 'as written' : textTransform) },
  { names: ['line-height'], told: ({ lineHeight }) => `lines of ${inPixels(lineHeight)}` },
  { names: ['letter-spacing'], told: ({ letterSpacing }) => `letters ${inPixels(letterSpacing)} apart` },
  { names: ['word-spacing'], told: ({ wordSpacing }) => `words ${inPixels(wordSpacing)} apart` },
  {
    names: ['transform', 'rotate', 'scale'],
    told: turnedWords,
    isSame: areTurnedAlike,
    none: 'not turned',
    isOfBox: true,
  },
  { names: ['width', 'height', 'max-width', 'max-height'], told: pictureSizeWords, isOfBox: true },
];

const inPixels = (length) => (/^[\d.]+px$/.test(length) ? `${rounded(parseFloat(length))} px` : length);
const inPercent = (part) => `${Math.round(part * 100)} %`;
const rounded = (n) => Math.round(n * 10) / 10;

function backgroundWords({ backgroundColor, backgroundImage }) {
  const colour = colourName(backgroundColor);
  return colour ? `${colour} background` : backgroundImage === 'none' ? 'no background' : 'a picture behind it';
}

function frameWords({ outlineStyle, outlineColor, boxShadow, borderTopStyle, borderTopWidth, borderTopColor }) {
  const shadow = boxShadow === 'none' ? '' : colourName(/^(rgb|oklch|color)[^)]*\)/.exec(boxShadow)?.[0] ?? '');
  const border = borderTopStyle !== 'none' && parseFloat(borderTopWidth) > 0 ? colourName(borderTopColor) : '';
  const colour = outlineStyle === 'none' || outlineStyle === 'auto' ? shadow || border : colourName(outlineColor);
  return colour ? `${colour} frame` : 'no frame';
}

// That a text is struck out is a state, which its line has.
function lineWords({ textDecorationLine }) {
  if (textDecorationLine.includes('line-through')) return '';
  return textDecorationLine === 'none' ? 'not underlined' : textDecorationLine.replace('underline', 'underlined');
}

function turnedWords(style) {
  const { degrees, times, isMirrored } = turnOf(style);
  const said = [];
  if (degrees) said.push(`turned by ${degrees} degrees`);
  if (Math.abs(times - 1) > 0.01) said.push(`at ${inPercent(times)} of its size`);
  if (isMirrored) said.push('mirrored');
  return said.join(', ');
}

function areTurnedAlike(had, has) {
  return JSON.stringify(turnOf(had)) === JSON.stringify(turnOf(has));
}

// How a text of transforms turns and sizes an element, wherever it puts it: a length may depend on what is around that.
function turnOf({ transform, rotate, scale }) {
  const { a, b, c, d } = matrixOf(transform.replaceAll(kTranslations, ''));
  const number = (text, none) => (/^-?[\d.]+/.test(text) ? parseFloat(text) : none);
  return {
    degrees: Math.round((Math.atan2(b, a) * 180) / Math.PI + number(rotate, 0)),
    times: Math.hypot(a, b) * number(scale, 1),
    isMirrored: a * d - b * c < 0,
  };
}
const kTranslations = /translate\w*\((?:[^()]|\([^()]*\))*\)/g;

// That of a variable isn't known.
function matrixOf(transform) {
  try {
    return new DOMMatrix(transform);
  } catch {
    return new DOMMatrix();
  }
}

// Of a picture; boxes are of another size for many reasons.
function pictureSizeWords(style, el) {
  if (!kPictures.has(tagOf(el)) && !isSvg(el)) return '';
  const { width, height } = rectOf(el);
  return `${Math.round(width)} x ${Math.round(height)} px`;
}

// How far from where the style before had it an inline style has put an element; '' where they don't tell that, as the same property
// isn't in both or its length isn't in px, or where it is the same.
function movedWords(had, has, el) {
  const isUnknown = (name) => [had, has].some((style) => kOtherLengths.test(style.getPropertyValue(name)));
  if (kPlacedBy.some((name) => (had.getPropertyValue(name) === '') !== (has.getPropertyValue(name) === ''))) return '';
  if ([...kPlacedBy, 'transform', 'translate'].some(isUnknown)) return '';
  const { width, height } = rectOf(el);
  const [before, now] = [had, has].map((style) => placeIn(style, el, width, height));
  const [x, y] = [rounded(now.x - before.x), rounded(now.y - before.y)];
  return x || y ? `moved by ${x}, ${y} px` : '';
}
const kPlacedBy = ['left', 'right', 'top', 'bottom', 'margin-left', 'margin-top'];
const kOtherLengths = /\d(?!px|deg|rad|turn|[\dd.]|%)[a-z]|\b(calc|var|min|max|clamp|env)\(/;

// The style that an element comes to have when its transitions are over.
function styleToCome(el) {
  const style = getComputedStyle(el);
  const last = new Map();
  for (const { transitionProperty, playState, effect } of animationsNow())
    if (transitionProperty !== undefined && playState === 'running' && effect?.target === el)
      for (const [name, value] of Object.entries(effect.getKeyframes().at(-1) ?? {})) last.set(name, value);
  return last.size === 0 ? style : new Proxy(style, { get: (from, name) => last.get(name) ?? from[name] });
}

const kFillingLevels = 5; // of boxes that fill the view
const kMostBeside = 8; // children that are looked at
const kFilled = 0.75; // of the view

// What the view is filled with: { background, color, size, filter, painter, holder }, where `painter` gives the background and
// `holder` is the innermost box that fills the view; undefined of a document without elements.
function pageLook() {
  const root = documentElementOf(document);
  if (root === null) return undefined;
  let background = baseColour();
  let painter = root;
  let holder = root;
  let style = null;
  let filter = 'none';
  for (let at = root, level = 0; at !== null && level < kFillingLevels; at = fillingOf(at), level++) {
    style = styleToCome(at);
    holder = at;
    if (style.filter !== 'none') filter = style.filter;
    if (isClear(style.backgroundColor) && style.backgroundImage === 'none') continue;
    background = style.backgroundImage === 'none' ? style.backgroundColor : '';
    painter = at;
  }
  const { color, fontSize } = style;
  return { background, color, fontSize, filter, painter: new WeakRef(painter), holder: new WeakRef(holder) };
}

function fillingOf(el) {
  if (el === documentElementOf(document)) return bodyOf(document);
  let kid = firstElementOf(el);
  for (let seen = 0; kid !== null && seen < kMostBeside; seen++, kid = nextElementOf(kid))
    if (fillsMostOfView(kid)) return kid;
  return null;
}

function fillsMostOfView(el) {
  const { left, top, right, bottom } = rectOf(el);
  const [width, height] = [
    Math.min(right, innerWidth) - Math.max(left, 0),
    Math.min(bottom, innerHeight) - Math.max(top, 0),
  ];
  return width > 0 && height > 0 && width * height >= kFilled * innerWidth * innerHeight;
}

// How the page as a whole looks otherwise than before: another theme, larger text. What another box brings with it is none of
// that. `isAlone`: nothing else is told, so that what lies over a page can't be why it is blurred.
function pageLookWords(before, now, isAlone) {
  if (before === undefined || now === undefined || before.painter.deref() !== now.painter.deref()) return [];
  const said = [];
  if (before.background !== now.background && !looksAlike(before.background, now.background))
    said.push(now.background === '' ? 'a picture behind it' : `${colourName(now.background) || 'another'} background`);
  if (before.holder.deref() !== now.holder.deref()) return said;
  if (!looksAlike(before.color, now.color)) said.push(`${colourName(now.color) || 'other'} text`);
  if (before.fontSize !== now.fontSize) said.push(`text of ${inPixels(now.fontSize)}`);
  if (isAlone && before.filter !== now.filter) said.push(now.filter === 'none' ? 'no filter' : now.filter);
  return said;
}

export { kStyledLooks, movedWords, pageLook, pageLookWords, styleToCome };
