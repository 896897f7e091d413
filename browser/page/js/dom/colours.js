// Colours as a page's styles have them, and whether a text can be told from what it stands on by them.

import {
  attr,
  documentById,
  documentElementOf,
  hasAttr,
  hitsInDocument,
  isSvg,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
} from './members.js';
import { words } from './collections.js';
import { flatContains, flatParentOf } from './flat_tree.js';
import { pass } from './pass.js';
import { paints, isDrawnBelow, paintedElements, styleOf } from './style.js';
import { BACKGROUND, FILL, PAINT, traitsOf } from './traits.js';

// [red, green, blue, alpha], of 255 each and of 1; null for no colour.
function channels(colour) {
  const match = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(colour);
  if (match) return match.slice(1).map((part) => (part === undefined ? 1 : Number(part)));
  return colour === '' ? null : drawnChannels(colour);
}

// The same of a colour that is no sRGB by its name, such as oklch(), as it is drawn.
let canvas = null;

function drawnChannels(colour) {
  canvas ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}
const kColourStep = 12; // of 255: what differs by less in each channel looks the same
const kAlphaMin = 0.05;

const isClear = (colour) => /[,/] 0(\.0\d*)?\)$/.test(colour) && channels(colour)?.[3] <= kAlphaMin;

// Answers are kept, as a page has few pairs of colours.
const alike = new Map();
const kAlikeMax = 500;

function looksAlike(a, b) {
  if (a === b) return true;
  if (a === '' || b === '') return false;
  const pair = a + b;
  let answer = alike.get(pair);
  if (answer === undefined) {
    const [one, other] = [channels(a), channels(b)];
    answer = one !== null && other !== null && [0, 1, 2].every((i) => Math.abs(one[i] - other[i]) <= kColourStep);
    if (alike.size >= kAlikeMax) alike.clear();
    alike.set(pair, answer);
  }
  return answer;
}

function isSameColour(el, style, traits) {
  const colour = traits & FILL ? style.webkitTextFillColor : style.color;
  const background = backgroundBehind(el);
  if (!isClear(colour) && !looksAlike(background, colour)) return false; // nearly all
  if (isSvg(el) || style.webkitBackgroundClip === 'text' || style.mixBlendMode !== 'normal') return false;
  const shadow = /rgba?\([^)]*\)/.exec(style.textShadow);
  if (shadow && !looksAlike(shadow[0], background)) return false;
  if (parseFloat(style.webkitTextStrokeWidth) > 0) return false;
  if (!isClear(colour) && liesOnPseudo(el)) return false;
  return /\S/.test(textContentOf(el)) && !(isClear(colour) ? isDrawnBelow(el) : liesOnPainted(el));
}
const kWhite = 'rgb(255, 255, 255)';
const kDark = 'rgb(18, 18, 18)'; // Chromium's

// What the browser's own sheet gives a background.
const kPainted = words('button input select textarea mark dialog');

// The colour behind an element's text, as its ancestors paint it; '' where that can't be told from here: a picture, a
// mix of colours.
function backgroundBehind(el) {
  const known = pass.backgrounds.get(el);
  if (known !== undefined) return known;
  const traits = traitsOf(el, false);
  const parent = flatParentOf(el);
  let background;
  if (!(traits & BACKGROUND) && !kPainted.has(tagOf(el)) && !hasOwnBackground(el))
    background = parent ? backgroundBehind(parent) : baseColour();
  else {
    const style = styleOf(el);
    const alpha = channels(style.backgroundColor)?.[3] ?? 1;
    if (style.backgroundImage !== 'none' || style.boxShadow.includes('inset')) background = '';
    else if (alpha === 1) background = style.backgroundColor;
    else background = alpha > 0 ? '' : parent ? backgroundBehind(parent) : baseColour();
  }
  pass.backgrounds.set(el, background);
  return background;
}

// HTML's own attributes for it, on tables and the body.
const kOldTags = words('body table thead tbody tfoot tr td th');
const hasOwnBackground = (el) => kOldTags.has(tagOf(el)) && (hasAttr(el, 'bgcolor') || hasAttr(el, 'background'));

// What a document is painted on; '' where that can't be told: in a frame, whose page below may be of any colour.
function baseColour() {
  if (window !== window.parent) return '';
  const schemes = getComputedStyle(documentElementOf(document)).colorScheme;
  const isDark =
    schemes.includes('dark') && (!schemes.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches);
  return isDark ? kDark : kWhite;
}

function paintsPseudo(el) {
  return ['::before', '::after'].some((which) => {
    const style = getComputedStyle(el, which);
    return style.content !== 'none' && style.content !== 'normal' && paints(style);
  });
}

// Whether a pseudo-element of an ancestor may paint below an element's text, above the background behind it.
function liesOnPseudo(el) {
  for (let at = el; at; at = flatParentOf(at)) {
    const traits = traitsOf(at, false);
    if (traits & PAINT && paintsPseudo(at)) return true;
    if (traits & BACKGROUND && paints(styleOf(at))) return false;
  }
  return false;
}

// White text may lie on a dark picture or box that is no ancestor of it.
const kPictures = words('img video canvas svg picture iframe object embed');

function liesOnPainted(el) {
  const painted = paintedElements();
  if (painted === null) return liesOnAnother(el);
  const box = rectOf(el);
  for (const other of painted) {
    if (other === el) continue;
    const its = rectOf(other);
    if (its.left >= box.right || its.right <= box.left || its.top >= box.bottom || its.bottom <= box.top) continue;
    if (flatContains(other, el) || flatContains(el, other)) continue;
    if (
      kPictures.has(tagOf(other)) ||
      paints(styleOf(other)) ||
      (traitsOf(other, false) & PAINT && paintsPseudo(other))
    )
      return true;
  }
  return false;
}

// The same where too many elements may paint: by what lies at the middle, if that can be asked.
function liesOnAnother(el) {
  const { x, y, width, height } = rectOf(el);
  const [middle, centre] = [x + width / 2, y + height / 2];
  if (middle < 0 || centre < 0 || middle >= innerWidth || centre >= innerHeight) return !isInFlow(el);
  return hitsInDocument(document, middle, centre).some((other) => !flatContains(other, el) && !flatContains(el, other));
}

function isInFlow(el) {
  for (let at = el; at; at = flatParentOf(at)) if (/absolute|fixed|sticky/.test(styleOf(at).position)) return false;
  return true;
}

// --- What a colour is called

// [hue up to which, name], in degrees.
const kHues = [
  [15, 'red'],
  [45, 'orange'],
  [70, 'yellow'],
  [165, 'green'],
  [200, 'cyan'],
  [255, 'blue'],
  [290, 'purple'],
  [310, 'magenta'],
  [340, 'pink'],
  [361, 'red'],
];

function colourName(colour) {
  if (colour === 'none' || colour.startsWith('url')) return '';
  const found = channels(colour);
  if (found === null || found[3] < 0.1) return '';
  const [red, green, blue] = found;
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const light = (most + least) / 510;
  if (light < 0.08) return 'black';
  if (light > 0.96) return 'white';
  const tone = light < 0.3 ? 'dark ' : light > 0.75 ? 'light ' : '';
  const span = most - least;
  const saturation = span / (255 * (1 - Math.abs(2 * light - 1)));
  if (span < 25 || (span < 45 && saturation < 0.27)) return tone + 'gray';
  const turn =
    most === red ? (green - blue) / span : most === green ? 2 + (blue - red) / span : 4 + (red - green) / span;
  const hue = (turn * 60 + 360) % 360;
  const name = kHues.find(([end]) => hue < end)[1];
  if (name === 'orange' && light < 0.35) return 'brown';
  if (name === 'magenta' && light < 0.4) return 'purple';
  return name === 'red' && light > 0.85 ? 'pink' : tone + name;
}

// Whether nothing of a drawing can be seen as yet: all its shapes are clear, such as the tick of a box that isn't ticked.
function isBlank(svg) {
  const shapes = [...querySelectorAllOf(svg, kInkedParts)].slice(0, kInkedPartsMost);
  return shapes.length > 0 && shapes.every((shape) => isClearShape(shape) && !isInkedElsewhere(shape));
}
const kInkedParts = 'use,path,circle,ellipse,rect,line,polyline,polygon,text,image';
const kInkedPartsMost = 8;

function isClearShape(shape) {
  const { fill, stroke } = styleOf(shape);
  return [fill, stroke].every((ink) => ink === 'none' || isClear(ink));
}

// What a drawing only refers to may have an ink of its own.
function isInkedElsewhere(shape) {
  if (tagOf(shape) === 'image') return true;
  if (tagOf(shape) !== 'use') return false;
  const [, id = ''] = (attr(shape, 'href') ?? attr(shape, 'xlink:href') ?? '').split('#');
  const drawn = id === '' ? null : documentById(document, id);
  return drawn !== null && querySelectorAllOf(drawn, '[fill],[stroke],[style],[class]').length > 0;
}

export { baseColour, colourName, isBlank, isClear, isSameColour, kPictures, looksAlike };
