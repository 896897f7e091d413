// find: lines of the snapshot that match, with the path that leads to each, so that a page needn't be printed to be
// searched.

import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { withPass } from '../dom/pass.js';
import { buildTree } from '../tree/tree.js';
import { beginNumbering, mintRef, nextRef, refText } from '../tree/refs.js';
import { numberNodes, printedNodes } from '../tree/numbering.js';
import { measure } from './budget.js';
import { yamlKey, yamlValue } from './yaml.js';
import { headerOf, newPlan, renderNode, shortUrl } from './render.js';

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
    const plan = { ...newPlan({}), textMax: kTextShown };
    const lines = [];
    const tally = { count: 0, shown: 0, limit: args.limit ?? kFindLimit, room: kRoom };
    findIn(top, '', lines, fits, tally, plan);
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
    return (line) => line.toLowerCase().includes(want);
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

// Appends the lines below `node` that match, each path once. What is searched is what would be printed.
function findIn(node, pad, lines, fits, tally, plan) {
  for (const kid of node.kids) {
    if (typeof kid === 'string') {
      if (fits(kid) && isShown(tally, Math.min(kid.length, kTextShown)))
        lines.push(`${pad}- text: ${yamlValue(cut(kid, kTextShown))}`);
      continue;
    }
    const texts = [
      kid.name,
      `${kid.role} ${quote(kid.name)}${kid.states}${kid.called}`,
      kid.value ?? '',
      kid.url ?? '',
      kid.hint ?? '',
    ];
    const soleText = kid.kids.length === 1 && typeof kid.kids[0] === 'string' ? kid.kids[0] : '';
    const own = [...texts, soleText].some((text) => text !== '' && fits(text));
    const inner = [];
    const beside = soleText || (kid.value ?? kid.url ?? kid.hint ?? '');
    const show = own && isShown(tally, kid.name.length + Math.min(beside.length, kTextShown));
    if (soleText === '') findIn(kid, pad + '  ', inner, fits, tally, plan);
    if (!show && !inner.length) continue;
    if (kid.ref && !kid.rec) kid.rec = mintRef(kid);
    if (kid.role === 'row' && inner.length && measure(kid, pad.length, false) <= kRowShown) {
      mintWithin(kid);
      renderNode(kid, pad, lines, plan);
      tally.room -= kid.size;
      continue;
    }
    if (show && (soleText !== '' || !kid.kids.length)) {
      renderNode(kid, pad, lines, plan);
      continue;
    }
    lines.push(`${pad}- ${yamlKey(headerOf(kid))}${inner.length || (show && kid.url !== null) ? ':' : ''}`);
    if (show && kid.url !== null) lines.push(`${pad}  - /url: ${yamlValue(shortUrl(kid.url))}`);
    for (const line of inner) lines.push(line);
  }
}

// A cell that matches tells little without the others of its row.
const kRowShown = 800; // characters

function mintWithin(node) {
  for (const kid of node.kids) {
    if (typeof kid === 'string') continue;
    if (kid.ref && !kid.rec) {
      kid.rec = mintRef(kid);
      kid.header = null;
    }
    mintWithin(kid);
  }
}

export { find };
