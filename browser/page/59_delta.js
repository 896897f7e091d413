// Deltas: the last snapshot in brief, and what differs from it now.

// A slim tree holds strings and numbers only, no elements: it must not keep a page's old nodes alive.
function slim(node) {
  const kids = node.kids.map((kid) => typeof kid === 'string' ? kid : slim(kid));
  const own = node.role === 'fragment' ? '' : [headerOf(node), node.marks.includes('invisible') ? 'i' : '', node.value ?? '', node.url ?? '', node.hint ?? ''].join('\u0000');
  let hash = hashText(17, own);
  for (const kid of kids) hash = typeof kid === 'string' ? hashText(hash, kid) : Math.imul(hash, 31) + kid.hash | 0;
  return { own, kids, hash, id: node.rec ? node.rec.n : 0, node };
}

function hashText(hash, text) {
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash, 31) + text.charCodeAt(i) | 0;
  return Math.imul(hash, 31) + 7 | 0;
}

function deltaLines(before, now, top, plan) {
  const lines = [];
  if (before.hash !== now.hash) diffKids(before, now, '', lines, plan);
  return lines;
}

function dropNodes(tree) {
  tree.node = null;
  for (const kid of tree.kids) if (typeof kid !== 'string') dropNodes(kid);
}

// Pairs the children of two versions of a node: by ref, else by what they are, in order.
function pairKids(before, now) {
  const byId = new Map(), byOwn = new Map();
  for (const kid of before.kids) {
    if (typeof kid === 'string') continue;
    if (kid.id) byId.set(kid.id, kid); else group(byOwn, roleIn(kid), kid);
  }
  const pairs = new Map(), used = new Set();
  for (const kid of now.kids) {
    if (typeof kid === 'string') continue;
    const match = kid.id ? byId.get(kid.id) : bestOf(byOwn.get(roleIn(kid)), kid, used);
    if (match) pairs.set(kid, match), used.add(match);
  }
  return { pairs, used };
}

const roleIn = (kid) => /^\w+/.exec(kid.own)[0];

// Unnumbered nodes have no identity: the same content pairs first, then the next of the same role.
function bestOf(list, kid, used) {
  if (!list) return null;
  return list.find((other) => !used.has(other) && other.hash === kid.hash) ?? list.find((other) => !used.has(other)) ?? null;
}

function diffKids(before, now, pad, lines, plan) {
  const { pairs, used } = pairKids(before, now);
  const oldTexts = new Set(before.kids.filter((kid) => typeof kid === 'string'));
  for (const kid of now.kids) {
    if (typeof kid === 'string') {
      if (!oldTexts.has(kid)) lines.push(`${pad}- text: ${yamlValue(cut(kid, kTextMax))}`);
      continue;
    }
    const match = pairs.get(kid);
    if (!match) { renderNode(kid.node, pad, lines, plan); continue; }
    if (match.hash === kid.hash) continue;
    diffNode(match, kid, pad, lines, plan);
  }
  let gone = 0;
  for (const kid of before.kids) {
    if (typeof kid === 'string' || used.has(kid)) continue;
    if (gone++ < kGoneShown) lines.push(`${pad}- removed: ${yamlValue(cut(kid.own.split('\u0000')[0], 120))}`);
  }
  if (gone > kGoneShown) lines.push(`${pad}- removed: ${gone - kGoneShown} more`);
}

const kGoneShown = 5;

function diffNode(before, now, pad, lines, plan) {
  const { node } = now;
  const onlyText = now.kids.every((kid) => typeof kid === 'string');
  if (onlyText || node.role === 'iframe') { renderNode(node, pad, lines, plan); return; }
  const inner = [];
  diffKids(before, now, pad + '  ', inner, plan);
  const key = yamlKey(headerOf(node) + node.marks);
  if (!inner.length) { lines.push(`${pad}- ${key}${node.value === null ? '' : ': ' + yamlValue(node.value)}`); return; }
  lines.push(`${pad}- ${key}:`, ...inner);
}
