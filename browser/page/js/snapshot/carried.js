// What a document has told, carried over to the next one: a page that a server renders again, as after a form was sent, is compared
// with what it was, like one that a script draws anew [tool.snapshot.delta.document] [why.told-before-leaving].

import { attr, querySelectorAllOf, titleOf } from '../dom/members.js';
import { newNode } from '../tree/node.js';
import { bringRecord } from '../tree/refs.js';
import { kUncut, measure } from './sizes.js';

const kMembers = [
  'tag',
  'role',
  'name',
  'from',
  'states',
  'value',
  'inline',
  'boxed',
  'kept',
  'pointer',
  'called',
  'told',
  'ref',
  'quiet',
  'isPre',
  'typedIn',
  'said',
  'url',
  'hint',
  'marks',
  'unseen',
  'untold',
  'optionsLeft',
  'clip',
  'lead',
  'trail',
  'itemText',
  'isCut',
  'wasCut',
];
const kCarriedMost = 250_000; // characters of what is carried: more would take longer than to tell the page whole saves
const kShareMost = 0.6; // of the page: more of it is told whole
const kShareElsewhere = 0.3; // the same of one that has another path
const kShareOfCut = 0.9; // the same of one that would be cut, as what has changed isn't

// As a text; '' where that would be too long.
function packTree(top) {
  const { origin, pathname, href } = location;
  const text = JSON.stringify({
    origin,
    path: pathname,
    title: titleOf(document),
    forms: pathsSentTo(),
    address: href,
    top: packNode(top, newNode(null, '', '', '', '')),
  });
  return text.length > kCarriedMost ? '' : text;
}

// Members that are as in a new node are left out.
function packNode(node, bare) {
  const packed = { kids: node.kids.map((kid) => (typeof kid === 'string' ? kid : packNode(kid, bare))) };
  for (const member of kMembers) if (node[member] !== bare[member]) packed[member] = node[member];
  const record = node.rec ?? node.known;
  if (record !== null) Object.assign(packed, { n: record.n, mark: record.mark, isKnown: node.rec === null });
  return packed;
}

// The tree that another document of the same page had told, where this one has told nothing yet; null where it is of another site.
// A form that is shown again with what is wrong in it may have the path that it was sent to, but has the title that it had. Its
// refs wait for what stands in their elements' places.
function unpackTree(text) {
  const { origin, path, title, forms, address, top } = JSON.parse(text);
  const isSame = path === location.pathname;
  const isForm = title !== '' && title === titleOf(document) && forms.includes(location.pathname);
  if (origin !== location.origin) return null;
  if (!isSame && !isForm) return Object.assign(unpackNode(top, false), { isOther: true });
  return Object.assign(unpackNode(top, true), { address, isBrought: true, isElsewhere: !isSame });
}

// `waits`: its refs wait for what takes their elements' places; else they are known to have been.
function unpackNode({ kids, n, mark, isKnown, ...members }, waits) {
  const below = kids.map((kid) => (typeof kid === 'string' ? kid : unpackNode(kid, waits)));
  const node = Object.assign(newNode(null, '', '', '', ''), members, { kids: below });
  if (n !== undefined && waits) node[isKnown ? 'known' : 'rec'] = bringRecord({ n, mark, ...node });
  else if (n !== undefined) node.left = { n, mark };
  return node;
}

// The paths that the document's forms are sent to with what was filled in.
function pathsSentTo() {
  const paths = new Set();
  for (const form of querySelectorAllOf(document, 'form[method=post i]')) {
    const url = URL.parse(attr(form, 'action') ?? '', document.baseURI);
    if (url?.origin === location.origin) paths.add(url.pathname);
  }
  return [...paths];
}

// Whether what has changed says so much less than the whole page that the page is better told by that.
function tellsLess(lines, { isCut, all, isElsewhere }, { pageChars }) {
  const room = isCut ? pageChars : all;
  const most = isElsewhere ? kShareElsewhere * room : isCut ? kShareOfCut * room : kShareMost * room;
  return sizeOfLines(lines) <= most;
}

const sizeOfLines = (lines) => lines.reduce((size, line) => size + line.length + 1, 0);

// Whether what differs is no more than a little longer with the links that have another query.
const tellsMostly = (lines, aside) => sizeOfLines(aside) > kMostly * sizeOfLines(lines);
const kMostly = 0.7;

// The characters of the page told whole, and whether it would be cut, its URLs first.
function wholeSize(top, { wholeChars = 0, pageChars = 0 }) {
  const lists = new Set();
  const all = top.kids.reduce(
    (size, kid) => size + (typeof kid === 'string' ? kid.length : measure(kid, 0, kUncut, lists)),
    0,
  );
  return { all, isCut: pageChars > 0 && all > Math.max(wholeChars, pageChars) };
}

const kLoadedAnew = '- text: … the page was loaded anew: what is not told here is as before, with its refs';

const kQueriesAside = `${kLoadedAnew}, but for the queries of its links`;

export { kLoadedAnew, kQueriesAside, packTree, sizeOfLines, tellsLess, tellsMostly, unpackTree, wholeSize };
