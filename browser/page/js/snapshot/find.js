// find: lines of the snapshot that match, with the path that leads to each and, where they are few, the lines around it, so
// that a page needn't be printed to be searched.

import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { withPass } from '../dom/pass.js';
import { buildTree } from '../tree/tree.js';
import { beginNumbering, mintRef, nextRef, refText } from '../tree/refs.js';
import { numberNodes, printedNodes } from '../tree/numbering.js';
import { yamlKey, yamlValue } from './yaml.js';
import { headerOf, headerText, newPlan, renderNode, shortUrl } from './render.js';
import { kUncut, measure } from './sizes.js';

const kFindLimit = 20;
const kRoom = 16000; // characters of all lines: a result must carry them
const kTextShown = 400; // characters of one text

function find(args) {
  beginNumbering(args);
  const fits = findMatcher(args);
  return withPass(() => {
    const { top } = buildTree(document);
    const { all: nodes } = printedNodes(top);
    numberNodes(nodes, false); // what is printed gets its number then
    const entries = [];
    lineUp(top, { kids: [] }, '', fits, entries);
    const tally = { count: 0, shown: 0, limit: args.limit ?? kFindLimit, room: kRoom };
    chooseMatches(entries, tally);
    if (tally.count <= kFewMatches) chooseNeighbours(entries);
    const lines = printFound(entries);
    const frames = nodes
      .filter((node) => node.role === 'iframe')
      .map((node) => ({ ref: refText(node.rec), token: null, header: yamlKey(headerOf(node)) }));
    return {
      ok: true,
      count: tally.count,
      shown: tally.shown,
      yaml: lines.join('\n'),
      next: nextRef,
      frames,
    };
  });
}

// [tool.find]
function findMatcher({ text, regex, flags = '' }) {
  if (regex === undefined) {
    const want = oneSpace(String(text)).toLowerCase();
    if (!want) throw new PageError('find needs a text or a regex.');
    return (line) => (line.includes('\n') ? oneSpace(line) : line).toLowerCase().includes(want);
  }
  let re;
  try {
    re = new RegExp(regex, flags.replace(/[gy]/g, ''));
  } catch (error) {
    throw new PageError(`Invalid regular expression ${quote(cut(String(regex), 200))}: ${error.message}.`);
  }
  return (line) => re.test(line);
}

// Counts a match of so many characters; whether there is room to show it.
function isShown(tally, size) {
  tally.count++;
  if (tally.shown >= tally.limit || tally.room <= 0) return false;
  tally.shown++;
  tally.room -= size;
  return true;
}

// What would be printed below `node`, line by line and in that order: an element or a text, where it stands, and whether
// it fits.
function lineUp(node, above, pad, fits, entries) {
  for (const kid of node.kids) {
    const entry = { kid, above, pad, sole: '', kids: [], at: above.kids.length, fits: false };
    above.kids.push(entry);
    entries.push(entry);
    if (typeof kid === 'string') {
      entry.fits = fits(kid);
      continue;
    }
    if (kid.kids.length === 1 && typeof kid.kids[0] === 'string') entry.sole = kid.kids[0];
    const texts = [
      kid.name,
      `${kid.role} ${quote(kid.name)}${kid.states}${kid.called}`,
      kid.value ?? '',
      kid.url ?? '',
      kid.hint ?? '',
      entry.sole,
    ];
    entry.fits = texts.some((text) => text !== '' && fits(text));
    if (entry.sole === '') lineUp(kid, entry, pad + '  ', fits, entries);
  }
}

function chooseMatches(entries, tally) {
  for (const entry of entries) {
    const { kid, sole } = entry;
    if (!entry.fits) continue;
    const beside = typeof kid === 'string' ? kid : sole || (kid.value ?? kid.url ?? kid.hint ?? '');
    const named = typeof kid === 'string' ? 0 : kid.name.length;
    if (!isShown(tally, named + Math.min(beside.length, kTextShown))) continue;
    entry.isMatch = true;
    let row = null;
    for (let at = entry.above; at.kid; at = at.above) {
      at.isPath = true;
      if (row === null && at.kid.role === 'row') row = at;
    }
    if (row === null || row.isWhole || measure(row.kid, row.pad.length, kRowPlan) > kRowShown) continue;
    row.isWhole = true;
    tally.room -= row.kid.size;
  }
}

const kRowPlan = { ...kUncut, urls: false };

// The lines around each match, and where those stand: a price is told by the name beside it [tool.find.neighbours].
function chooseNeighbours(entries) {
  entries.forEach((entry, i) => {
    if (!entry.isMatch) return;
    for (const near of entries.slice(Math.max(0, i - kLinesAround), i + kLinesAround + 1)) {
      // What is in a frame is looked for there, and told below the frame's own line.
      if (near.kid.role === 'iframe') continue;
      for (let at = near; at.kid && !isTold(at); at = at.above) at.isNear = true;
    }
  });
}

const isTold = (entry) => Boolean(entry.isMatch || entry.isPath || entry.isNear);

function printFound(entries) {
  const plan = { ...newPlan({}), textMax: kTextShown };
  const lines = [];
  let whole = null; // the row that stands there with all that is in it
  for (const entry of entries) {
    if (whole !== null && entry.pad.length > whole.pad.length) continue;
    whole = null;
    if (!isTold(entry)) {
      if (isGap(entry)) lines.push(`${entry.pad}- …`);
      continue;
    }
    entry.above.hasMark = false;
    if (entry.isWhole) whole = entry;
    printEntry(entry, lines, plan);
  }
  return lines;
}

// Whether a line that is left out is the one to say so: beside a neighbour, once for all that are left out there. What is
// between matches needs no mark.
function isGap({ above, at }) {
  if (above.hasMark || !(above.kids[at - 1]?.isNear || above.kids[at + 1]?.isNear)) return false;
  return (above.hasMark = true);
}

function printEntry(entry, lines, plan) {
  const { kid, pad } = entry;
  const shown = entry.isMatch ? kTextShown : kNearShown;
  if (typeof kid === 'string') {
    lines.push(`${pad}- text: ${yamlValue(cut(kid, shown))}`);
    return;
  }
  mint(kid);
  if (entry.isWhole || (entry.isMatch && (entry.sole !== '' || !kid.kids.length))) {
    if (entry.isWhole) mintWithin(kid);
    renderNode(kid, pad, lines, plan);
    return;
  }
  const beside = entry.sole || (kid.value ?? '');
  const key = yamlKey(entry.isNear ? headerText(kid, kNearShown) : headerOf(kid));
  const isOpen = entry.kids.some(isTold);
  if (entry.isMatch && kid.url !== null) {
    lines.push(`${pad}- ${key}:`, `${pad}  - /url: ${yamlValue(shortUrl(kid.url))}`);
  } else if (entry.isNear && !isOpen && beside !== '') {
    lines.push(`${pad}- ${key}: ${yamlValue(cut(beside, kNearShown))}`);
  } else {
    lines.push(`${pad}- ${key}${isOpen ? ':' : ''}`);
  }
}

// A cell that matches tells little without the others of its row.
const kRowShown = 800; // characters
const kFewMatches = 5; // of more, what stands around each is left out
const kLinesAround = 3; // lines before and after a match
const kNearShown = 120; // characters of each text in them

function mint(node) {
  if (!node.ref || node.rec) return;
  node.rec = mintRef(node);
  node.header = null;
}

function mintWithin(node) {
  for (const kid of node.kids) {
    if (typeof kid === 'string') continue;
    mint(kid);
    mintWithin(kid);
  }
}

export { find };
