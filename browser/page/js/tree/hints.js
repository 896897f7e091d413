// What a person would call a control that has no name: by its icon, its shape and colour, or what its author calls it
// [tool.snapshot.hints]. A hint is one word of the page's, of letters, digits, dots, colons and hyphens, or words of ours.

import {
  assignedNodesOf,
  attr,
  closestOf,
  hasAttr,
  isElement,
  isRendered,
  isSvg,
  naturalWidthOf,
  nextElementOf,
  previousElementOf,
  querySelectorAllOf,
  rectOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { closestFlat, flatParentOf, isLarger } from '../dom/flat_tree.js';
import { iconWordOf, styleOf } from '../dom/style.js';
import { BACKGROUND, PAINT, PICTURE, traitsOf } from '../dom/traits.js';
import { colourName } from '../dom/colours.js';
import { wordOfCell } from '../aria/columns.js';
import { lineSeen, signOf } from '../aria/strokes.js';
import {
  classesOf,
  faultAround,
  iconKindAmong,
  isBoxOfOne,
  isMadeId,
  isOfPress,
  isMadeByKit,
  kMadeUp,
  kStatedFields,
  otherMonthOf,
  placeWordOf,
  saysState,
  signWordAround,
  stateWordOf,
  tableOfOne,
  wordAmongOthers,
  wordIn,
  wordOfSome,
} from '../aria/state_words.js';
import { attributeMark, dataPlaceOf, dataStateOf, isSaidOtherwise } from '../aria/own_states.js';
import { sortClassOf } from '../aria/sorting.js';
import { kTestIds } from './refs.js';
import { isPlaying, kMedia } from './controls.js';
import { countDrawn, firstDrawn, formWithin, isSmallPartOf, kShapes, kShapeTags, kStoredShapes } from './shapes.js';
import { isPlain } from './node.js';
import { isChildless } from './pointers.js';

const kHinted = words('button link checkbox radio tab menuitem menuitemcheckbox menuitemradio switch treeitem');

// Gives a node without name and text its hint, which tells what the pictures in it would.
function callByLooks(node) {
  if (tagOf(node.el) === 'text' && isSvg(node.el)) {
    const colour = colourName(styleOf(node.el).fill);
    const size = node.pointer && textContentOf(node.el).trim().length === 1 ? sizeOf(node.el) : ''; // a letter as a shape
    if (colour !== '' && (size !== '' || !/black|gray|white/.test(colour))) node.called = ` [looks=${colour}${size}]`;
    return;
  }
  if (node.value !== null || !node.kids.every((kid) => isPlain(kid) && isWordless(kid))) return;
  node.called = hintOf(node.el, node.role);
  if (node.called !== '' && kHinted.has(node.role)) node.kids = [];
}

const isWordless = (kid) =>
  typeof kid === 'string' ? kid.trim() === '' : kid.name === '' && !kid.quiet && kid.kids.every(isWordless);

// The hint as its line prints it, or ''. It is asked of elements without a name or text only.
function hintOf(el, role) {
  const icon = iconOf(el);
  let out = icon === '' ? '' : ` [icon=${icon}]`;
  const test = kTestIds.map((key) => wordIn(attr(el, key))).find((word) => word !== '');
  const id = wordIn(attr(el, 'id'));
  if (test) out += ` [testid=${test}]`;
  else if (id !== '' && !isMadeId(id)) out += ` [id=${id}]`;
  else if (kBoxes.has(role) && attr(el, 'value') !== 'on') {
    const given = attr(el, 'value');
    const isOfRow = /^\d$/.test(given ?? '') && closestOf(el, 'tr') !== null; // as beside others of two digits
    const value = isOfRow ? given : wordIn(given);
    if (value !== '') out += ` [value=${value}]`;
  }
  const isShape = icon === '' && role !== 'checkbox';
  const shape = !isShape ? '' : role === 'radio' ? swatchOf(el) : shapeOf(el) || formWithin(el);
  const drawn = tagOf(el) === 'svg' && isLarger(el, kIconSide) ? shapesOf(el) : shape; // a diagram, not its first shape
  const sign = icon === '' && (kHinted.has(role) || role === 'generic') ? signOf(el) : '';
  const looks = sign || shape ? ` [looks=${sign || drawn}${isSvg(el) && sign === '' ? sizeOf(el) : ''}]` : '';
  if (out !== '' || (shape !== '' && isSvg(el))) return looks + out;
  const told = wordAmongOthers(el);
  if (told !== '') return `${looks} [${told}]`;
  const isWord = (word) =>
    ![kMadeUp, kUnseenClass, kNegative, kPlaceClass, kPressEffect].some((kind) => kind.test(word)) &&
    !isOfPress(el, word) &&
    !(kTickedRoles.has(role) && kMereBox.test(word));
  const named = classesOf(el).filter((word) => isWord(word) && !isMadeByKit(word, el));
  const name =
    sortClassOf(el, named) ?? named.find((word) => !kMereShape.test(word)) ?? classOfDrawing(el, isWord) ?? named[0]; // which tells what its colour doesn't
  if (name !== undefined) return `${looks} [class=${name}]`;
  const part = (attr(el, 'part') ?? '').split(' ').find((word) => wordIn(word) !== ''); // as a component calls it to its users
  return part === undefined ? looks : `${looks} [part=${part}]`;
}
const kBoxes = words('checkbox radio');
const kTickedRoles = words('checkbox radio switch');
// Of what is ticked, that it is: with the two letters of a kit, or as the input in a drawing of it.
const kMereBox =
  /^([a-z]{1,2}[-_]+)?(check-?box|radio|switch|toggle)$|^([a-z\d]+[-_]+){0,2}(check-?box|radio|switch|form-check|custom-control)[-_]+(original|input|inner|native(-control)?|core)$/i;
// Of an icon, of a control that is one, or of a button that is drawn in one of the usual ways.
const kMereShape =
  /^(\w+-)?(icons?|component|btn|button)$|icon[-_](button|btn)$|(^|[-_])(btn|button)([-_](invisible|link|ghost|outline|plain|flat|text|borderless|transparent|primary|secondary|default|xs|sm|md|lg|small|mini|large|round|rounded|circle|square|icon-only))+$/i;
// What the drawing is called that is all of a control, or undefined.
function classOfDrawing(el, isWord) {
  const drawing = isSvg(el) ? null : querySelectorAllOf(el, 'svg')[0];
  return drawing && classesOf(drawing).find((word) => isWord(word) && !kMereShape.test(word));
}
// What can't be done with it says nothing of what it is.
const kNegative = /^no[-_][a-z]|^no(drag|drop|pan|print|repeat|resize|scroll|select|wheel|wrap|zoom)$/i;
// Nor does where it stands and how large it is: mr-1, w-100, float-right.
const kPlaceClass =
  /^-?([mp][trblxyse]?|[wh]|gap|top|z|order|col)-(\d+|auto|full|px)$|^(float|align|justify|self|pull)-[a-z]+$/;
// Nor does how it answers a press.
const kPressEffect = /(^|[-_])ripple([-_](effect|surface|upgraded))*$|^waves-effect$/i;
const kUnseenClass = /^(sr-only|screen-reader\b.*|visually-?hidden|(u-)?hidden-visually)/i;

// The colour that a radio button stands for, which is its own or that of a part of its label.
function swatchOf(el) {
  const label = closestOf(el, 'label');
  const parts = [el, ...(label === null ? [] : querySelectorAllOf(label, '*'))];
  for (const part of parts.slice(0, kLookedInto)) {
    const shape = shapeOf(part);
    if (shape !== '') return shape;
  }
  return '';
}

// --- States

// What a control is in, where only its look tells: the word of its class that a style draws. What says so by ARIA has it
// among its states.
function tellState(node) {
  const { el, role, pointer, name } = node;
  const isPlace = kStepPlaces.has(role) && !pointer;
  if (!isPlace && !kStated.has(role) && !kStatedFields.has(role) && !(role === 'generic' && pointer)) return;
  let word = isPlace ? placeStateOf(node) : stateWordOf(el, role);
  // What takes the focus and has no words says by its class alone that it is chosen.
  if (word === '' && isPlace && node.kept && name === '' && node.kids.length === 0) word = stateWordOf(el, role);
  // The box to tick stands in the item that is ticked.
  const around = word === '' && pointer && name === '' && node.kids.length === 0 ? flatParentOf(el) : null;
  if (around !== null && attr(around, 'role') !== 'group') word = stateWordOf(around, role); // which says it itself
  const line = word === '' && role === 'treeitem' && !saysState(el, '') ? querySelectorAllOf(el, kLineOfItem)[0] : null;
  if (line && /\S/.test(textContentOf(line))) word = stateWordOf(line, role);
  // A tab may stand in an item that is none by its role.
  const item = word === '' && kStated.has(role) ? flatParentOf(el) : null;
  if (item !== null && (/^(none|presentation)$/.test(attr(item, 'role')) || isBoxOfOne(item, el))) {
    const its = stateWordOf(item, role);
    if (!saysState(el, its)) word = its;
  }
  // So do a button that a table places, and a row that is all of its table.
  const isPlaced =
    role === 'button' || (role === 'row' && nextElementOf(el) === null && previousElementOf(el) === null);
  const table = word === '' && isPlaced && !saysState(el, '') ? tableOfOne(el, kInTable[role]) : null;
  if (table !== null) word = stateWordOf(table, role);
  const box = word === '' && table !== null && role === 'row' ? flatParentOf(table) : null;
  if (box !== null && isBoxOfOne(box, table)) word = stateWordOf(box, role);
  const hasOwn = kStated.has(role) || (role === 'generic' && pointer);
  if (word === '' && hasOwn && (name !== '' || node.kids.length > 0) && !saysState(el, '')) word = dataStateOf(el);
  if (isSaidOtherwise(word, node.states)) word = '';
  if (word === '' && kStatedFields.has(role) && !node.states.includes('[invalid]')) word = faultAround(el);
  if (word === '' && (kListed.has(role) || (role === 'generic' && pointer))) word = wordOfSome(el);
  if (word === '') word = (/^(grid)?cell$/.test(role) && node.states === '' && wordOfCell(el)) || otherMonthOf(el);
  if (word === '' || node.called.endsWith(` ${word}]`) || node.called.endsWith(`[icon=${word}]`)) return; // of an icon it says so itself
  const [, kind = ''] = /^ \[class=([^\]]*)\]$/.exec(node.called) ?? [];
  const isName = name === '' && kind !== word && kHinted.has(role) && !kMereShape.test(kind); // all it is called by
  const kept = isName && kind ? `${kind} ` : '';
  const mark = attributeMark(word);
  const called = mark === '' ? ` [class=${kept}${word}]` : `${kept && ` [class=${kind}]`}${mark}`;
  node.called = node.called.replace(/ \[class=[^\]]*\]$/, '') + called;
}
const kStated = words(
  'button link tab menuitem menuitemcheckbox menuitemradio option treeitem listitem row cell gridcell columnheader group',
);
const kLineOfItem = ':scope > :not([role])'; // drawn as chosen
const kListed = words('option listitem row treeitem menuitem');

const kInTable = { button: 'a,button,input,select,textarea', row: 'tr' };

// What is to be read of a row, an item or a step: also how it went. A box that holds more than a few words is none.
function placeStateOf({ el, role, name, kids }) {
  if (name === '' && kids.length === 0) return '';
  const word = placeWordOf(el, role) || dataPlaceOf(el);
  if (word === '' || role !== 'generic') return word;
  const length = name.length + wordsLength(kids);
  return length > 0 && length <= kStepWords ? word : '';
}
const kStepPlaces = words('generic listitem row cell gridcell');
const kStepWords = 60; // characters

// How much text there is, if there is nothing else.
const wordsLength = (kids) =>
  kids.reduce((sum, kid) => {
    if (typeof kid === 'string') return sum + kid.trim().length;
    return isPlain(kid) || (kid.role === 'generic' && !kid.pointer) ? sum + wordsLength(kid.kids) : Infinity;
  }, 0);

// That a drawing or a video is there is told, for a picture of it and a click on a point of it [tool.snapshot.drawings].
function markDrawing(node) {
  const { el, tag, name, kids } = node;
  if (kMedia.has(tag) && isPlaying(el)) node.states += ' [playing]';
  const isOperated = node.kept || node.pointer;
  if (name !== '' || (isOperated && !kSeenWhole.has(tag)) || node.pointed !== null) return;
  if (tag !== 'canvas' && !kids.every((kid) => typeof kid === 'string' && kid.trim() === '')) return;
  const { width, height } = rectOf(el);
  if (Math.min(width, height) < kDrawingSide || width * height < kIconSide ** 2) return;
  if (tag === 'svg' && countDrawn(el) === 0 && querySelectorAllOf(el, kStoredShapes).length > 0) return;
  node.kept ||= !isOperated;
  node.called = ` [looks=${tag === 'svg' ? shapesOf(el) : tag}${sizeOf(el)}]${node.called.replace(/^ \[looks=[^\]]*\]/, '')}`;
}

// In a drawing a person tells the small from the large.
function sizeOf(el) {
  const { width, height } = rectOf(el);
  return ` ${Math.round(width)}x${Math.round(height)}`; // CSS px
}
const kSeenWhole = words('canvas video'); // whatever can be done with it
const kDrawings = words('canvas svg video audio object embed'); // of sound only its controls are to be seen
const kIconSide = 64;
const kDrawingSide = 24; // CSS px; what is smaller, by either bound, is an icon or a line that decorates

function shapesOf(el) {
  const count = countDrawn(el);
  if (count > 1) return `${count} shapes`;
  const shape = shapeOf(el);
  return shape !== '' && count === 1 && isSmallPartOf(firstDrawn(el), el) ? '1 shape' : shape || 'drawing';
}

// --- Icons
const kIconClass =
  /^(fa|bi|ti|ri|la|pi|ph|oi|fi|bx|bxs|mdi|ion|lnr|icon|icons|glyphicon|lucide|feather|octicon|codicon|anticon|icofont|el-icon|ag-icon|k-i|dx-icon|material-icons?|tabler-icon|uil|zmdi)-(?!((fw|lg|sm|xs|xl|md|\dx|spin|stack|inverse|fixed|only|solid|regular|brands|light|thin|duotone|sharp)\b|root|wrapper|container|button|btn|modifier))[a-z]/i;
const kIconWord = /icon./i;
const kDrawnArrow = /(^|[-_])(arrow|caret|chevron|triangle)s?[-_](left|right|up|down|prev|next)/i; // drawn by borders
const kNamedIcon = /icon[-_][a-z]|[a-z]_icon$|(^|[-_])ic[-_][a-z]/i; // rather than that it is one
const kNoIconWord =
  /(only|root|slot|wrapper|size\w*|color\w*|fixed-width|(item|menu|button|left|right)[-_]icon|icon[-_](button|btn)|__ripple)$/i; // of its looks in general
const kOutlined = words('far fa-regular');
const kIconWords = words(
  'icon icons mini tiny small medium large big huge massive red orange yellow olive green teal blue violet purple pink ' +
    'brown grey black white inverted link fitted circular bordered corner loading disabled ui',
);
const kIconStates = words('active selected');
const kIconNames = ['data-icon', 'data-lucide', 'data-feather', 'icon', 'icon-name'];
const kLookedInto = 8; // elements of a control

function iconOf(el) {
  const inner = [...querySelectorAllOf(el, '*')].flatMap(withSlotted).slice(0, kLookedInto);
  const parts = [el, ...inner.filter((part) => isRendered(part, { visibilityProperty: true }))];
  for (const part of parts) {
    const found = iconByMarkup(part, part === el);
    if (found !== '') return found;
  }
  for (const part of parts) {
    const file = pictureOf(part);
    if (file !== '') return isOfSheet(part, file) ? (partOfSheet(part) ?? file) : file;
  }
  for (const part of [...parts.filter(isSvg), ...parts]) {
    // Of a button's own class the word is rather how all such are drawn.
    const own = classesOf(part).filter((word) => !kMadeUp.test(word) && !kNoIconWord.test(word));
    const loose =
      own.findLast((word) => kNamedIcon.test(word)) ??
      own.find((word) => kIconWord.test(word) || kDrawnArrow.test(word));
    if (loose !== undefined) return /[-_]icon$/.test(loose) ? (iconKindAmong(own, loose) ?? loose) : loose;
  }
  return '';
}

// A sheet of many pictures is called alike wherever a part of it is shown, which is what the last class tells.
const isOfSheet = (el, file) => /^[^,]*-\d/.test(styleOf(el).backgroundPosition) || /sprite|sheet/i.test(file);
const partOfSheet = (el) =>
  classesOf(el).findLast((word) => !kMadeUp.test(word) && !/[-_](over|hover|focus)$/.test(word));

const withSlotted = (part) => (tagOf(part) === 'slot' ? [part, ...assignedNodesOf(part).filter(isElement)] : [part]);

// What an icon that isn't to be clicked is called: as its author has called the file or the sign, not a sheet of many.
function nameOfIcon(el) {
  // A drawing that is hidden from readers may have a name all the same.
  const called = isSvg(el) && ['aria-label', ...kTestIds].map((key) => wordIn(attr(el, key))).find(Boolean);
  if (called) return called;
  const found = iconOf(el);
  if (tagOf(el) === 'img') return kMadeUp.test(found.replace(/\.\w+$/, '')) ? '' : found;
  const isOfMany = found !== '' && found === pictureOf(el) && !/^(0%|50%|center)/.test(styleOf(el).backgroundPosition);
  if (found !== '' && !isOfMany) return found;
  return isSvg(el) ? signWordAround(el) : (classesOf(el).findLast((word) => !kMadeUp.test(word)) ?? found);
}

// The colour that an icon has of its own, beside the text around it, or ''.
function inkOf(el) {
  const around = closestFlat(flatParentOf(el), (at) => /\S/.test(textContentOf(at)));
  const text = around === null ? '' : styleOf(around).color;
  if (!isSvg(el)) return styleOf(el).color === text ? '' : colourName(styleOf(el).color);
  const { fill, stroke } = styleOf(querySelectorAllOf(el, kShapeTags)[0] ?? el);
  const ink = fill === 'none' ? stroke : fill;
  return ink === text ? '' : colourName(ink);
}

function iconByMarkup(el, isControl) {
  const tag = tagOf(el);
  if (tag.endsWith('-icon') && wordIn(attr(el, 'name')) !== '') return attr(el, 'name');
  const classes = classesOf(el);
  const byClass = classes.find((word) => kIconClass.test(word));
  if (byClass !== undefined) return classes.some((word) => kOutlined.has(word)) ? `${byClass} outline` : byClass;
  if (classes.includes('icon') && isChildless(el)) {
    const word = classes.findLast((one) => !kIconWords.has(one) && !kIconStates.has(one) && !kMadeUp.test(one)); // "large green checkmark icon"
    const state = classes.find((one) => kIconStates.has(one));
    if (word !== undefined) return state === undefined ? word : `${word} ${state}`;
  }
  const names = isControl ? kIconNames : [...kIconNames, ...kTestIds];
  for (const name of names) if (hasAttr(el, name) && wordIn(attr(el, name)) !== '') return attr(el, name);
  if (tag === 'img' && naturalWidthOf(el) !== 1) return fileOf(attr(el, 'src') ?? ''); // else it only makes room
  if (tag === 'use') {
    const part = wordIn((attr(el, 'href') ?? attr(el, 'xlink:href') ?? '').split('#')[1] ?? '');
    return kMadeUp.test(part) ? '' : part;
  }
  return iconWordOf(el);
}

// The file of a picture that a style paints.
function pictureOf(el) {
  const traits = traitsOf(el, false);
  const style = styleOf(el);
  const own = fileIn(style.content) || fileIn(style.backgroundImage) || fileIn(style.webkitMaskImage);
  if (own !== '' || !(traits & (PICTURE | PAINT))) return own;
  const [before, after] = ['::before', '::after'].map((which) => getComputedStyle(el, which));
  return (
    fileIn(before.content) || fileIn(before.backgroundImage) || fileIn(after.content) || fileIn(after.backgroundImage)
  );
}

const fileIn = (value) => fileOf(/url\("([^"]*)"\)/.exec(value ?? '')?.[1] ?? '');

function fileOf(url) {
  if (/^(data|blob):/.test(url)) return '';
  const part = wordIn(/\.svg(?:\?[^#]*)?#(.+)$/.exec(url)?.[1] ?? ''); // of a file of many
  if (part !== '') return part;
  return wordIn(url.split(/[?#]/)[0].split('/').at(-1));
}

// --- Shapes and colours
const kThreePoints = /^\s*(-?[\d.e]+[\s,]+){5}-?[\d.e]+\s*$/i;
const kGray = words('button input'); // unless the page paints them

function shapeOf(el) {
  if (isSvg(el)) {
    const shape = tagOf(el) in kShapes ? el : firstDrawn(el);
    if (!shape) return '';
    const { fill, fillOpacity, stroke } = styleOf(shape);
    if (shape === el && fill === 'none') return `${colourName(styleOf(lineSeen(el)).stroke)} line`.trim();
    const isTriangle = tagOf(shape) === 'polygon' && kThreePoints.test(attr(shape, 'points') ?? '');
    return `${(fillOpacity > 0 && colourName(fill)) || colourName(stroke)} ${isTriangle ? 'triangle' : kShapes[tagOf(shape)]}`.trim();
  }
  const style = styleOf(el);
  const colour = colourName(style.backgroundColor) || ringOf(style);
  if (colour === '' || !isChildless(el) || (kGray.has(tagOf(el)) && !(traitsOf(el, false) & BACKGROUND))) return '';
  const { width, height } = rectOf(el);
  const least = Math.min(width, height);
  const radius = parseFloat(style.borderTopLeftRadius) * (style.borderTopLeftRadius.includes('%') ? least / 100 : 1);
  const isEven = Math.abs(width - height) <= least * 0.15;
  if (radius >= least * 0.4) return `${colour} ${isEven ? 'circle' : 'pill'}`;
  if (ringOf(style) === colour) return '';
  return `${colour} ${isEven ? 'square' : 'box'}`;
}

// The colour of a dot that its border alone draws, or ''.
const ringOf = ({ backgroundColor, borderTopWidth, borderTopColor, borderTopLeftRadius, borderLeftColor }) =>
  colourName(backgroundColor) === '' && parseFloat(borderTopLeftRadius) > 0 && parseFloat(borderTopWidth) >= 1.5
    ? borderTopColor === borderLeftColor // else it turns
      ? colourName(borderTopColor)
      : ''
    : '';

export { callByLooks, iconOf, inkOf, kDrawings, kHinted, kIconClass, markDrawing, nameOfIcon, shapeOf, tellState };
