// The elements of a snapshot on a picture of the page: their boxes, each with its ref.

import { bodyOf, documentElementOf, isConnected, rectOf } from '../dom/members.js';
import { withPass } from '../dom/pass.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { deepHit, firstBox, isHitOn } from '../dom/hit.js';
import { clipsContents, isVisible, styleOf } from '../dom/style.js';
import { records, refText } from '../tree/refs.js';

const kMarksMax = 500;

// What CSS takes for a colour and that says none: a shorthand sets it where it has no colour.
const kNoColour = /^(initial|inherit|unset|revert|revert-layer|currentcolor)$/i;

// The colour that a style gives a mark: that of its background, or else of its outline or its border.
function colourOfStyle({ style }) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`a { ${style} }`);
  const set = sheet.cssRules[0]?.style;
  const named = [set?.backgroundColor, set?.outlineColor, set?.borderTopColor];
  const name = named.find((word) => word && CSS.supports('color', word) && !kNoColour.test(word));
  if (name === undefined) return { ok: true, colour: null };
  const paint = new OffscreenCanvas(1, 1).getContext('2d');
  paint.fillStyle = name;
  paint.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = paint.getImageData(0, 0, 1, 1).data;
  return { ok: true, colour: { red, green, blue, alpha: alpha / 255 } };
}

// -> { marks, more, scrollX, scrollY }: what has a ref and is seen, as large as it is seen. `beyond`: outside of the
// viewport too, for a picture that shows more.
function marks({ beyond = false }) {
  return withPass(() => {
    const found = [];
    for (const record of records.values()) {
      const el = record.el.deref();
      const box = el && isConnected(el) && isVisible(el) ? seenBox(el, beyond) : null;
      if (box) found.push({ label: refText(record), ...box });
    }
    return {
      ok: true,
      marks: found.slice(0, kMarksMax),
      more: Math.max(0, found.length - kMarksMax),
      scrollX,
      scrollY,
    };
  });
}

// The part of an element that isn't clipped, nor covered in its middle; null without any.
function seenBox(el, beyond) {
  const box = firstBox(el) ?? rectOf(el);
  let { left, top, right, bottom } = box;
  const clip = (by) => {
    left = Math.max(left, by.left);
    top = Math.max(top, by.top);
    right = Math.min(right, by.right);
    bottom = Math.min(bottom, by.bottom);
  };
  for (let at = flatParentOf(el); at && at !== documentElementOf(document) && at !== bodyOf(document); ) {
    if (clipsContents(styleOf(at))) clip(rectOf(at));
    at = flatParentOf(at);
  }
  const viewport = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  if (!beyond) clip(viewport);
  if (right - left < 1 || bottom - top < 1) return null;
  const x = (left + right) / 2;
  const y = (top + bottom) / 2;
  const isInside = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight; // else no point of it can be hit
  if (isInside && styleOf(el).pointerEvents !== 'none' && !isHitOn(el, deepHit(x, y))) return null;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const kColours = ['#c2185b', '#1565c0', '#2e7d32', '#6a1b9a', '#bf360c', '#00695c'];
const kLetters = 11; // px of the picture: they must be read, however much the page is scaled
const kPadding = 2;
const kQuality = 0.8;
const kPiece = 0x8000; // bytes that become characters at once

// Draws boxes onto a picture of the page. `width`: of what it shows, in the unit of the boxes. The document isn't touched.
async function drawMarks({ data, type, boxes, width }) {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type }));
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const paint = canvas.getContext('2d');
  paint.drawImage(picture, 0, 0);
  picture.close();
  const unit = canvas.width / width;
  const drawn = boxes.map(({ label, ...box }, i) => ({
    label,
    colour: kColours[i % kColours.length],
    x: Math.round(box.x * unit),
    y: Math.round(box.y * unit),
    width: Math.max(1, Math.round(box.width * unit)),
    height: Math.max(1, Math.round(box.height * unit)),
  }));
  paint.lineWidth = 2;
  for (const { colour, x, y, width: across, height: down } of drawn) {
    paint.strokeStyle = colour;
    paint.strokeRect(x, y, across, down);
  }
  drawLabels(paint, drawn);
  const blob = await canvas.convertToBlob({ type, quality: kQuality });
  return { ok: true, data: base64(new Uint8Array(await blob.arrayBuffer())) };
}

// The smallest boxes choose first: around them is the least room.
function drawLabels(paint, boxes) {
  paint.font = `bold ${kLetters}px sans-serif`;
  paint.textBaseline = 'middle';
  const taken = [];
  for (const box of [...boxes].sort((a, b) => a.width * a.height - b.width * b.height)) {
    const size = { width: Math.ceil(paint.measureText(box.label).width) + 2 * kPadding, height: kLetters + kPadding };
    const place = freePlace(box, size, paint.canvas, taken);
    taken.push(place);
    paint.fillStyle = box.colour;
    paint.fillRect(place.x, place.y, size.width, size.height);
    paint.fillStyle = '#fff';
    paint.fillText(box.label, place.x + kPadding, place.y + size.height / 2);
  }
}

// Where a label hides no other one: above its box, within it, below it, at its other end; above it if there is no such.
function freePlace(box, { width, height }, canvas, taken) {
  const right = box.x + box.width - width;
  const within = (x, y) => ({
    x: Math.max(0, Math.min(x, canvas.width - width)),
    y: Math.max(0, Math.min(y, canvas.height - height)),
    width,
    height,
  });
  const places = [
    within(box.x, box.y - height),
    within(box.x, box.y),
    within(right, box.y - height),
    within(right, box.y),
    within(box.x, box.y + box.height),
    within(right, box.y + box.height),
  ];
  const meets = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  return places.find((place) => !taken.some((other) => meets(place, other))) ?? places[0];
}

function base64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += kPiece)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + kPiece));
  return btoa(text);
}

export { colourOfStyle, marks, drawMarks };
