// From the folded tree to yaml lines.

// Playwright leaves [cursor=pointer] on links and buttons too; there the role says it already.
function headerOf(node) {
  if (node.header !== null) return node.header;
  let key = node.role;
  if (node.name !== '') key += ' ' + quote(cut(node.name, kNameMax));
  key += node.states;
  if (node.rec !== null) key += ` [ref=${refText(node.rec)}]`;
  if (node.pointer) key += ' [cursor=pointer]';
  return node.header = key;
}

const kNameMax = 1000, kTextMax = 8000, kUrlMax = 300, kDataUrlMax = 60;

function boxText(el) {
  const { x, y, width, height } = rectOf(el);
  return ` [box=${Math.round(x)},${Math.round(y)},${Math.round(width)},${Math.round(height)}]`;
}

const shortUrl = (url) => cut(oneSpace(url), url.startsWith('data:') ? kDataUrlMax : kUrlMax);

// What becomes of one node: its properties, its text or its children.
function renderNode(node, pad, out, plan) {
  const key = yamlKey(headerOf(node) + node.marks + (plan.boxes && node.rec ? boxText(node.el) : ''));
  const { kids } = node;
  if (node.role === 'iframe') {
    out.push(`${pad}- ${key}:`, pad + '  ' + frameToken(node, plan));
    return;
  }
  const cutAt = plan.cuts === null ? undefined : plan.cuts.get(node);
  if (cutAt === 0 || plan.depthLeft === 0 && kids.length) {
    out.push(`${pad}- ${key}: … ${countText(node)}`);
    return;
  }
  const value = node.value === null ? null : cut(node.value.toWellFormed(), kTextMax);
  if (kids.length === 0 && node.url === null && node.hint === null) {
    out.push(value === null ? `${pad}- ${key}` : `${pad}- ${key}: ${yamlValue(value)}`);
    return;
  }
  if (kids.length === 1 && typeof kids[0] === 'string' && node.url === null && node.hint === null && value === null) {
    out.push(`${pad}- ${key}: ${yamlValue(cut(kids[0], kTextMax))}`);
    return;
  }
  out.push(`${pad}- ${key}:`);
  const inner = pad + '  ';
  if (node.url !== null) out.push(`${inner}- /url: ${yamlValue(shortUrl(node.url))}`);
  if (node.hint !== null) out.push(`${inner}- /placeholder: ${yamlValue(cut(node.hint, kNameMax))}`);
  if (value !== null) out.push(`${inner}- text: ${yamlValue(value)}`);
  renderKids(node, inner, out, plan, cutAt);
}

function renderKids(node, pad, out, plan, cutAt) {
  const { kids } = node;
  const shown = cutAt ?? kids.length;
  plan.depthLeft--;
  for (let i = 0; i < shown; i++) {
    const kid = kids[i];
    if (typeof kid === 'string') out.push(`${pad}- text: ${yamlValue(cut(kid, kTextMax))}`);
    else renderNode(kid, pad, out, plan);
  }
  plan.depthLeft++;
  if (shown < kids.length) out.push(`${pad}- text: … ${kids.length - shown} more items`);
}

function countText(node) {
  const n = node.kids.length;
  return n === 1 ? '1 item' : `${n} items`;
}

// A line of its own that page text can't imitate: C++ puts the frame's yaml in its place, indented as it is.
function frameToken(node, plan) {
  const token = `@frame:${plan.secret}:${refText(node.rec)}@`;
  plan.frames.push({ ref: refText(node.rec), token });
  return token;
}

const newPlan = (args) => ({ frames: [], cuts: null, boxes: args.boxes === true, depthLeft: args.depth > 0 ? args.depth : -1,
  secret: Math.random().toString(36).slice(2, 12) });

// ---- The budget: regions are cut where they are largest, each leaving one line with a ref and a count.

function measure(node, indent) {
  let size = indent + headerOf(node).length + node.marks.length + 4;
  if (node.value !== null) size += Math.min(node.value.length, kTextMax) + 2;
  if (node.url !== null) size += Math.min(node.url.length, kUrlMax) + indent + 10;
  if (node.hint !== null) size += node.hint.length + indent + 18;
  node.head = size;
  for (const kid of node.kids) size += typeof kid === 'string' ? Math.min(kid.length, kTextMax) + indent + 10 : measure(kid, indent + 2);
  return node.size = size;
}

const kSummaryRoom = 34; // ": … 180 more items" and its indentation

function planCuts(node, budget, indent, cuts) {
  if (node.size <= budget) return;
  const { kids } = node;
  let room = budget - node.head - kSummaryRoom - indent;
  if (kids.length === 0) return;
  if (room <= 0) { cuts.set(node, 0); return; }
  const sizes = kids.map((kid) => typeof kid === 'string' ? Math.min(kid.length, kTextMax) + indent + 12 : kid.size);
  if (isListLike(kids)) {
    let shown = 0;
    while (shown < kids.length && sizes[shown] <= room) room -= sizes[shown++];
    // The first item too large on its own: it is cut, not dropped.
    if (shown === 0 && typeof kids[0] !== 'string') { planCuts(kids[0], room, indent + 2, cuts); shown = 1; }
    cuts.set(node, shown);
    return;
  }
  // Regions share what there is: small ones whole, what they leave goes to the large ones alike.
  const order = kids.map((_, i) => i).sort((a, b) => sizes[a] - sizes[b]);
  let left = order.length;
  for (const i of order) {
    const share = Math.floor(room / left--);
    if (sizes[i] <= share) { room -= sizes[i]; continue; }
    const kid = kids[i];
    if (typeof kid !== 'string') planCuts(kid, Math.max(share, 0), indent + 2, cuts);
    room -= Math.min(sizes[i], Math.max(share, typeof kid === 'string' ? 0 : kid.head + kSummaryRoom));
  }
}

// Many of a kind are a list, whatever the page calls it.
function isListLike(kids) {
  if (kids.length < 8) return false;
  const counts = new Map();
  for (const kid of kids) { const role = typeof kid === 'string' ? 'text' : kid.role; counts.set(role, (counts.get(role) ?? 0) + 1); }
  return Math.max(...counts.values()) >= kids.length * 0.6 || kids.length > 40;
}
