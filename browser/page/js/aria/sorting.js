// By which way a table is sorted, where an arrow beside the words of the header that was clicked alone says that.

import { attr, closestOf, querySelectorAllOf, rectOf, tagOf, textContentOf } from '../dom/members.js';
import { holdsNoOther } from '../dom/flat_tree.js';
import { words } from '../dom/collections.js';
import { kOpacityMin, isVisible, styleOf } from '../dom/style.js';

const kSorters = words('link button');
const kSorterParts = 8; // elements of a control
const kArrowWord = 40; // characters
const kSortSign =
  /^[\w-]*(sort|sorted|sorting|arrow|caret|chevron|triangle|order)([-_]\w+)?[-_]?(up|down|asc|desc|ascending|descending)([-_](fill|short|long|thin|alt))?$/i;

// The arrow in a control of a header, as its line prints it, or ''.
function sortSign(el, role) {
  const header = kSorters.has(role) ? closestOf(el, 'th,[role=columnheader]') : null;
  if (header === null || attr(header, 'aria-sort') !== null) return '';
  const [own] = arrowsIn(el);
  const word = own ?? arrowBeside(el, header);
  return word === undefined ? '' : ` [icon=${word}]`;
}

// The only arrow that stands beside the only control of a header: of two, which show how it can be sorted, neither tells.
function arrowBeside(el, header) {
  if (!holdsNoOther(header, 'a,button,input,[role=button]', el)) return undefined;
  const arrows = arrowsIn(header);
  return arrows.length === 1 ? arrows[0] : undefined;
}

function arrowsIn(el) {
  const found = [];
  for (const part of [...querySelectorAllOf(el, '*')].slice(0, kSorterParts)) {
    const word = arrowWordsOf(part).find((one) => one.length <= kArrowWord && kSortSign.test(one));
    if (word !== undefined && isArrowDrawn(part)) found.push(word);
  }
  return found;
}

function arrowWordsOf(el) {
  const classes = (attr(el, 'class') ?? '').split(/\s+/);
  if (tagOf(el) !== 'img') return classes;
  const file = (attr(el, 'src') ?? '').split(/[?#]/)[0].split('/').at(-1);
  return [...classes, file.replace(/\.\w+$/, '')];
}

function isArrowDrawn(el) {
  const { width, height } = rectOf(el);
  if (width * height === 0 || /\S/.test(textContentOf(el))) return false;
  return isVisible(el) && parseFloat(styleOf(el).opacity) > kOpacityMin;
}

// The class by which what is pressed in a header says that it has sorted, and which way; undefined without one.
const sortClassOf = (el, classes) =>
  classes.length > 1 && closestOf(el, 'th,[role=columnheader]') !== null
    ? classes.find((one) => kSortSign.test(one))
    : undefined;

export { sortClassOf, sortSign };
