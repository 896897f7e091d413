// Formulas: a <math> in one line of TeX, as its author wrote it where the page tells, else put together from its parts. Its
// letters one by one would say neither what is above the line of a fraction nor what is below a root.

import {
  attr,
  closestOf,
  firstElementOf,
  nextElementOf,
  parentElementOf,
  querySelectorAllOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { words } from '../dom/collections.js';
import { oneSpace } from '../dom/text.js';

const kWorkable = 'a,[href],button,input,select,textarea,[tabindex],[onclick]';

// The formula as a line; null where it holds what can be operated, or nothing.
function formulaOf(math) {
  if (closestOf(math, 'annotation-xml') || querySelectorAllOf(math, kWorkable).length > 0) return null;
  for (const note of querySelectorAllOf(math, 'annotation')) {
    if (!/tex/i.test(attr(note, 'encoding') ?? '')) continue;
    const written = oneSpace(textContentOf(note));
    const displayed = /^\{\\(?:displaystyle|textstyle) (.*)\}$/.exec(written);
    if (written !== '') return displayed ? displayed[1] : written;
  }
  return oneSpace(rowOf(math)).trim() || null;
}

function childrenIn(el) {
  const parts = [];
  for (let at = firstElementOf(el); at; at = nextElementOf(at)) parts.push(at);
  return parts;
}

// What isn't there to be seen, or says how the rest is meant.
const kUntold = words('annotation annotation-xml mphantom mprescripts none');
const kInvisible = /[\u2061-\u2064]/g; // operators that are applied without a sign: f of x, two times a
const kOperatorName = /^\p{L}{2,}$/u;

// Parts side by side. Names of functions and words are set off from letters beside them.
function rowOf(el) {
  const parts = childrenIn(el);
  if (parts.length === 0) return oneSpace(textContentOf(el)).replace(kInvisible, '');
  let text = '';
  let wasName = false;
  for (const part of parts) {
    const told = partOf(part);
    if (told === '') continue;
    const isName = (firstElementOf(part) === null && kOperatorName.test(told)) || tagOf(part) === 'mtext';
    if ((isName || wasName) && /[\p{L}\p{N}}]$/u.test(text) && /^[\p{L}\p{N}\\{]/u.test(told)) text += ' ';
    text += told;
    wasName = isName;
  }
  return text;
}

const inBraces = (text) => ([...text].length === 1 ? text : `{${text}}`);
const scripts = (under, over) =>
  (under === '' ? '' : `_${inBraces(under)}`) + (over === '' ? '' : `^${inBraces(over)}`);

// What takes its limits below and above it: a sum, a limit.
const kTakesLimits = /^(?:[\u220f-\u2211\u222b-\u2233\u22c0-\u22c3\u2a00-\u2a1c]|\p{L}{2,})$/u;

function partOf(el) {
  const tag = tagOf(el);
  if (kUntold.has(tag)) return '';
  const told = (part) => (part ? partOf(part) : '');
  const [first, second, third] = childrenIn(el);
  switch (tag) {
    case 'semantics':
    case 'maction':
      return told(first);
    case 'mspace':
      return ' ';
    case 'mfrac': {
      const isChoice = parseFloat(attr(el, 'linethickness') ?? '') === 0;
      return `\\${isChoice ? 'binom' : 'frac'}{${told(first)}}{${told(second)}}`;
    }
    case 'msqrt':
      return `\\sqrt{${rowOf(el)}}`;
    case 'mroot':
      return `\\sqrt[${told(second)}]{${told(first)}}`;
    case 'msub':
      return baseOf(first) + scripts(told(second), '');
    case 'msup':
      return baseOf(first) + scripts('', told(second));
    case 'msubsup':
      return baseOf(first) + scripts(told(second), told(third));
    case 'munder':
    case 'mover':
    case 'munderover': {
      const base = told(first);
      const under = tag === 'mover' ? '' : told(second);
      const over = tag === 'munder' ? '' : told(tag === 'mover' ? second : third);
      if (kTakesLimits.test(base)) return base + scripts(under, over);
      const low = under === '' ? base : `\\underset{${under}}{${base}}`;
      return over === '' ? low : `\\overset{${over}}{${low}}`;
    }
    case 'mtable':
      return `\\begin{matrix}${childrenIn(el)
        .map((row) => childrenIn(row).map(rowOf).join(' & '))
        .join(' \\\\ ')}\\end{matrix}`;
    case 'mfenced':
      return (attr(el, 'open') ?? '(') + childrenIn(el).map(partOf).join(',') + (attr(el, 'close') ?? ')');
    default:
      return rowOf(el);
  }
}

// What has a script of its own: several parts are held together, unless they stand in brackets.
function baseOf(el) {
  const text = el ? partOf(el) : '';
  const isHeld = el === undefined || childrenIn(el).length < 2 || /^[([|].*[)\]|]$/u.test(text);
  return isHeld ? text : `{${text}}`;
}

// --- Formulas that are drawn for the eye, and written out for readers beside that, as KaTeX and MathJax do

const holdsFormula = (el) => tagOf(el) === 'math' || (tagOf(firstElementOf(el) ?? el) === 'math' && isOnlyOne(el));
const isOnlyOne = (el) => nextElementOf(firstElementOf(el)) === null;
const kSiblingsMost = 4; // elements in a box of a formula, at most

function siblingsOf(el) {
  const parent = parentElementOf(el);
  const found = [];
  for (let at = parent && firstElementOf(parent); at && found.length < kSiblingsMost; at = nextElementOf(at))
    if (at !== el) found.push(at);
  return found;
}

// Whether an element that is aria-hidden is how a formula beside it looks.
const drawsFormula = (el) => siblingsOf(el).some(holdsFormula);

// Whether an element is a formula for readers alone, which a person sees drawn beside it.
const isDrawnBeside = (el) =>
  holdsFormula(el) && siblingsOf(el).some((other) => attr(other, 'aria-hidden') === 'true' && !holdsFormula(other));

export { drawsFormula, formulaOf, isDrawnBeside };
