// How well a text stands out from what is behind it: https://www.w3.org/TR/WCAG22/#contrast-minimum

import { flatParentOf } from '../dom/flat_tree.js';
import { closestOf, firstChildOf, nextSiblingOf, nodeTypeOf, nodeValueOf, tagOf } from '../dom/members.js';

const kLarge = 24; // px
const kLargeBold = 18.66;
const kBold = 700;

// `rgb(...)`, `rgba(...)`, `color(srgb ...)` as computed; null for other spaces.
function colourOf(text) {
  const rgb = /^rgba?\(([^)]+)\)$/.exec(text);
  const srgb = rgb ? null : /^color\(srgb ([^)]+)\)$/.exec(text);
  if (!rgb && !srgb) return null;
  const [r, g, b, a = 1] = (rgb ?? srgb)[1]
    .split(/[\s,/]+/)
    .map((part) => (part.endsWith('%') ? parseFloat(part) / 100 : parseFloat(part)));
  const scale = rgb ? 1 : 255;
  return [r * scale, g * scale, b * scale, a];
}

const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);

function luminance([r, g, b]) {
  const [lr, lg, lb] = [r, g, b].map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * lr + 0.7152 * lg + 0.0722 * lb;
}

function ratioOf(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

// What is behind an element's text, and how opaque all of it is; null where it can't be told: a picture, a blend, an
// element that is put over others.
function backgroundOf(el) {
  const layers = [];
  let opacity = 1;
  let isPlaced = false;
  for (let at = el; at !== null; at = flatParentOf(at)) {
    const style = getComputedStyle(at);
    if (style.filter !== 'none' || style.mixBlendMode !== 'normal') return null;
    opacity *= Number(style.opacity);
    if (style.backgroundImage !== 'none') return null;
    const own = colourOf(style.backgroundColor);
    if (own === null) return null;
    if (own[3] > 0) layers.push(own);
    if (own[3] === 1) break;
    isPlaced ||= style.position === 'absolute' || style.position === 'fixed';
  }
  if (isPlaced && layers.at(-1)?.[3] !== 1) return null;
  const colour = layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255, 1]);
  return { colour, opacity };
}

const hex = (colour) =>
  '#' +
  colour
    .slice(0, 3)
    .map((value) => Math.round(value).toString(16).padStart(2, '0'))
    .join('');

// What is wrong with the contrast of an element's own text, or ''.
function contrastFault(el) {
  const style = getComputedStyle(el);
  const ink = colourOf(style.webkitTextFillColor || style.color);
  if (ink === null || ink[3] === 0 || style.textShadow !== 'none') return '';
  if (style.backgroundClip === 'text') return '';
  const behind = backgroundOf(el);
  if (behind === null) return '';
  const shown = over([...ink.slice(0, 3), ink[3] * behind.opacity], behind.colour);
  const ratio = ratioOf(shown, behind.colour);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= kLarge || (size >= kLargeBold && Number(style.fontWeight) >= kBold);
  const needed = isLarge ? 3 : 4.5;
  if (ratio >= needed) return '';
  return `${ratio.toFixed(2)}:1, needs ${needed}:1 (${hex(shown)} on ${hex(behind.colour)})`;
}

// Whether the element holds a text of its own.
function hasOwnText(el) {
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child))
    if (nodeTypeOf(child) === 3 && /\S/.test(nodeValueOf(child))) return true;
  return false;
}

// Texts of controls that can't be used need no contrast.
const isIdle = (el) => tagOf(el) === 'option' || closestOf(el, '[aria-disabled=true],:disabled') !== null;

export { contrastFault, hasOwnText, isIdle };
