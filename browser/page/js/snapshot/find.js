// find: lines of the snapshot that match, with the path that leads to each, so that a page needn't be printed to be
// searched.

import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { withPass } from '../dom/style.js';
import { buildTree } from '../tree/tree.js';
import { beginNumbering, mintRef, nextRef, refText } from '../tree/refs.js';
import { numberNodes, printedNodes } from '../tree/numbering.js';
import { yamlKey, yamlValue } from './yaml.js';
import { headerOf, newPlan, renderNode, shortUrl } from './render.js';

const kFindLimit = 20;

function find(args) {
  beginNumbering(args);
  const fits = findMatcher(args);
  return withPass(() => {
    const { top } = buildTree(document);
    const nodes = printedNodes(top);
    numberNodes(nodes, false); // what is printed gets its number then
    const plan = newPlan({});
    const lines = [];
    const tally = { count: 0, left: args.limit ?? kFindLimit };
    findIn(top, '', lines, fits, tally, plan);
    const frames = nodes
      .filter((node) => node.role === 'iframe')
      .map((node) => ({ ref: refText(node.rec), token: null }));
    return {
      ok: true,
      count: tally.count,
      shown: Math.min(tally.count, args.limit ?? kFindLimit),
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

// Appends the lines below `node` that match, each path once. What is searched is what would be printed.
function findIn(node, pad, lines, fits, tally, plan) {
  for (const kid of node.kids) {
    if (typeof kid === 'string') {
      if (fits(kid) && ++tally.count && tally.left-- > 0) lines.push(`${pad}- text: ${yamlValue(cut(kid, 400))}`);
      continue;
    }
    const texts = [
      kid.name,
      `${kid.role} ${quote(kid.name)}${kid.states}${kid.called}`,
      kid.value ?? '',
      kid.url ?? '',
      kid.hint ?? '',
    ];
    const own =
      texts.some((text) => text !== '' && fits(text)) ||
      (kid.kids.length === 1 && typeof kid.kids[0] === 'string' && fits(kid.kids[0]));
    const inner = [];
    const soleText = kid.kids.length === 1 && typeof kid.kids[0] === 'string';
    if (own) tally.count++;
    const show = own && tally.left-- > 0;
    if (!soleText) findIn(kid, pad + '  ', inner, fits, tally, plan);
    if (!show && !inner.length) continue;
    if (kid.ref && !kid.rec) kid.rec = mintRef(kid);
    if (show && (soleText || !kid.kids.length)) {
      renderNode(kid, pad, lines, plan);
      continue;
    }
    lines.push(`${pad}- ${yamlKey(headerOf(kid))}${inner.length || (show && kid.url !== null) ? ':' : ''}`);
    if (show && kid.url !== null) lines.push(`${pad}  - /url: ${yamlValue(shortUrl(kid.url))}`);
    for (const line of inner) lines.push(line);
  }
}

export { find };
