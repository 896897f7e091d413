// snapshot: walk, number, mark, render.

let generation = 0; // of snapshots; refs last seen in an older one don't come back before those of a newer one
let previous = null; // the last snapshot of the whole frame, for deltas
let beforeLast = null; // and the one before it: a snapshot that is taken again to renumber must compare with that

// The nodes that will be printed, in document order; each learns in which repeated item it stands.
function printedNodes(top) {
  const out = [];
  const visit = (node, item) => {
    const { kids } = node;
    let repeated = null;
    for (const kid of kids) {
      if (typeof kid === 'string') continue;
      let itemNow = item;
      if (kid.kids.length) {
        repeated ??= repeatedRoles(kids);
        if (repeated.has(kid.role)) itemNow = kid;
      }
      kid.itemNode = itemNow;
      out.push(kid);
      visit(kid, itemNow);
    }
  };
  visit(top, null);
  return out;
}

function repeatedRoles(kids) {
  const once = new Set(), more = new Set();
  for (const kid of kids) {
    if (typeof kid === 'string' || !kid.kids.length) continue;
    if (once.has(kid.role)) more.add(kid.role); else once.add(kid.role);
  }
  return more;
}

const kItemText = 160;
function itemText(node) {
  if (!node) return '';
  return node.itemText ??= oneSpace(textContentOf(node.el).slice(0, kItemText * 2)).slice(0, kItemText);
}

function numberNodes(nodes, mint) {
  for (const node of nodes) node.item = itemText(node.itemNode);
  const wanted = nodes.filter((node) => node.ref || node.role === 'iframe' || recordOf.has(node.el));
  adoptRecords(wanted);
  for (const node of wanted) {
    const record = mint && node.ref || node.role === 'iframe' ? mintRef(node) : recordOf.get(node.el);
    if (!record) continue;
    record.role = node.role;
    record.name = node.name;
    record.item = node.item;
    record.seen = generation;
    if (node.ref || node.role === 'iframe') node.rec = record;
  }
}

// Looks again without numbering anything new: has a gone element come back in another shape?
function rescan() {
  withPass(() => numberNodes(printedNodes(buildTree(document).top), false));
}

function snapshot(args) {
  framePrefix = args.framePrefix ?? framePrefix;
  lastMinted = args.reassignFrom === undefined ? [] : reassignFrom(args.reassignFrom, args.refStart);
  if (args.reassignFrom !== undefined || args.again) previous = beforeLast;
  nextRef = Math.max(nextRef, args.refStart ?? 1);
  const root = args.target ? resolveTarget(args.target).el : document;
  return withPass(() => {
    generation++;
    const { top, modal } = buildTree(root);
    let nodes = printedNodes(top);
    const compact = args.mode === 'delta' && root === document && previous ? compactNow : nodes.length > kLargePage;
    if (root === document) compactNow = compact;
    if (compact) makeCompact(top), nodes = printedNodes(top);
    numberNodes(nodes, true);
    markPositions(nodes);
    const plan = newPlan(args);
    const out = { ok: true, yaml: '', next: 0, frames: plan.frames, title: oneSpace(titleOf(document)), url: location.href };
    const before = previous;
    if (args.mode === 'delta' && root === document && before) {
      const lines = deltaLines(before, top, plan);
      out.changed = lines.length > 0;
      out.yaml = out.changed ? fitLines(lines, args.budgetChars, out) : '- no changes since the last snapshot';
      addMissingFrames(nodes, plan);
    } else {
      out.changed = true;
      if (args.budgetChars > 0) fitTree(top, args.budgetChars, plan, out);
      const lines = [];
      renderKids(top, '', lines, plan, plan.cuts === null ? undefined : plan.cuts.get(top));
      if (compact) lines.push('- text: … a large page: URLs, options and refs of plain text are left out; snapshot a target to see them');
      if (root === document) addPageLines(modal, lines);
      out.yaml = lines.join('\n');
      if (plan.cuts !== null) addMissingFrames(nodes, plan);
    }
    if (root === document) forgetElements(nodes), beforeLast = previous, previous = top;
    top.el = null;
    out.next = nextRef;
    if (closedHosts.length) out.closedHosts = closedHosts.length;
    return out;
  });
}

function addPageLines(modal, lines) {
  if (modal) lines.push('- text: … the rest of the page is inert while the dialog is open');
  const scroller = scrollingElementOf(document);
  const text = scroller ? scrollText(scroller, true, true) : '';
  if (text) lines.push('- document' + text);
}

function fitTree(top, budget, plan, out) {
  top.head = 0;
  let size = 0;
  for (const kid of top.kids) size += typeof kid === 'string' ? kid.length + 10 : measure(kid, 0);
  top.size = size;
  if (size <= budget) return;
  plan.cuts = new Map();
  planCuts(top, budget, 0, plan.cuts);
  // What is summed up must be reachable: a cut region gets a ref even where it wouldn't have one.
  for (const node of plan.cuts.keys()) if (node !== top && !node.rec) node.rec = mintRef(node), node.header = null;
  out.cut = true;
}

function fitLines(lines, budget, out) {
  if (!(budget > 0)) return lines.join('\n');
  let size = 0, shown = 0;
  while (shown < lines.length && size + lines[shown].length + 1 <= Math.max(budget - 60, 0)) size += lines[shown++].length + 1;
  if (shown === lines.length) return lines.join('\n');
  out.cut = true;
  return [...lines.slice(0, shown), `- text: … ${lines.length - shown} more changed lines; take a full snapshot`].join('\n');
}

// Frames whose line wasn't printed: C++ may still have news of them.
function addMissingFrames(nodes, plan) {
  const known = new Set(plan.frames.map((frame) => frame.ref));
  for (const node of nodes)
    if (node.role === 'iframe' && !known.has(refText(node.rec))) plan.frames.push({ ref: refText(node.rec), token: null });
}
