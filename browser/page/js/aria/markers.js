// The numbers and letters before a list's items. The browser draws them, so that no text of the page's has them. What counting
// the lines gives too isn't told.

import { attr, firstElementOf, hasAttr, isRendered, nextElementOf, parentElementOf, tagOf } from '../dom/members.js';
import { BOX, note } from '../dom/noted.js';
import { pass } from '../dom/pass.js';
import { styleOf } from '../dom/style.js';

function lettersOf(number) {
  let text = '';
  for (let left = number; left > 0; left = Math.floor((left - 1) / 26))
    text = String.fromCharCode(97 + ((left - 1) % 26)) + text;
  return text || String(number);
}

function romanOf(number) {
  if (number < 1 || number > 3999) return String(number);
  let left = number;
  let text = '';
  for (const [sign, value] of kRoman) for (; left >= value; left -= value) text += sign;
  return text;
}
const kRoman = Object.entries({
  m: 1000,
  cm: 900,
  d: 500,
  cd: 400,
  c: 100,
  xc: 90,
  l: 50,
  xl: 40,
  x: 10,
  ix: 9,
  v: 5,
  iv: 4,
  i: 1,
});

const inCapitals = (tell) => (number) => tell(number).toUpperCase();
const kListStyles = new Map([
  ['decimal', String],
  ['lower-alpha', lettersOf],
  ['lower-latin', lettersOf],
  ['upper-alpha', inCapitals(lettersOf)],
  ['upper-latin', inCapitals(lettersOf)],
  ['lower-roman', romanOf],
  ['upper-roman', inCapitals(romanOf)],
]);

// What is drawn before an item, as `c. `; '' for nothing, and where the items are counted from 1.
function markerOf(item) {
  const list = parentElementOf(item);
  if (list === null || tagOf(list) !== 'ol') return '';
  const { display, listStyleType } = styleOf(item);
  const tell = display === 'list-item' ? kListStyles.get(listStyleType) : undefined;
  if (tell === undefined) return '';
  const { numbers, isUsual } = numbersIn(list);
  if (isUsual && listStyleType === 'decimal') return '';
  note(BOX); // an item before this one comes and goes without a change of this one's
  return `${tell(numbers.get(item))}. `;
}

function numbersIn(list) {
  let found = pass.numbered.get(list);
  if (found !== undefined) return found;
  const items = [];
  for (let at = firstElementOf(list); at; at = nextElementOf(at))
    if (tagOf(at) === 'li' && isRendered(at)) items.push(at);
  const step = hasAttr(list, 'reversed') ? -1 : 1;
  const start = parseInt(attr(list, 'start') ?? '', 10);
  let next = Number.isNaN(start) ? (step < 0 ? items.length : 1) : start;
  found = { numbers: new Map(), isUsual: step > 0 && next === 1 };
  for (const item of items) {
    const own = parseInt(attr(item, 'value') ?? '', 10);
    if (!Number.isNaN(own) && own !== next) {
      next = own;
      found.isUsual = false;
    }
    found.numbers.set(item, next);
    next += step;
  }
  pass.numbered.set(list, found);
  return found;
}

export { markerOf };
