// snapshot: walk, number, mark, render.

import { scrollingElementOf } from '../dom/members.js';
import { actedElement } from '../dom/acted.js';
import { closedHosts } from '../dom/shadow_roots.js';
import { withPass } from '../dom/style.js';
import { scrollText } from '../tree/scrollers.js';
import { buildTree } from '../tree/tree.js';
import { markPositions } from '../tree/positions.js';
import { beginNumbering, nextRef, refText } from '../tree/refs.js';
import { beginGeneration, numberNodes, printedNodes } from '../tree/numbering.js';
import { resolveTarget } from '../target/targets.js';
import { newPlan, renderKids } from './render.js';
import { fitTree } from './budget.js';
import { kLargePage, makeCompact } from './compact.js';
import { deltaLines, forgetElements } from './delta.js';

let previous = null; // the last snapshot of the whole frame, for deltas
let beforeLast = null; // and the one before it: a snapshot that is taken again to renumber must compare with that
let compactNow = false; // whether the last full snapshot was compact: a delta must not differ in style alone

function snapshot(args) {
  beginNumbering(args);
  if (args.reassignFrom !== undefined || args.again) previous = beforeLast;
  const root = args.target ? resolveTarget(args.target).el : document;
  return withPass(() => {
    beginGeneration();
    const { top, modal, unseen } = buildTree(root);
    let nodes = printedNodes(top);
    const compact = args.mode === 'delta' && root === document && previous ? compactNow : nodes.length > kLargePage;
    if (root === document) compactNow = compact;
    if (compact) {
      makeCompact(top);
      nodes = printedNodes(top);
    }
    numberNodes(nodes, true);
    markPositions(nodes);
    const plan = newPlan(args);
    const out = { ok: true, yaml: '', next: 0, frames: plan.frames };
    const before = previous;
    if (args.mode === 'delta' && root === document && before) {
      const lines = deltaLines(before, top, plan, { modal, acted: actedElement(), budget: args.budgetChars }, out);
      out.changed = lines.length > 0;
      out.yaml = out.changed ? lines.join('\n') : '- no changes since the last snapshot';
      addMissingFrames(nodes, plan);
    } else {
      out.changed = true;
      if (args.mode === 'delta') out.fresh = true;
      // What is inert is kept for the comparison with what comes after.
      if (root === document && before && (modal || before.inert.length))
        deltaLines(before, top, newPlan({}), { modal, acted: null }, {});
      const budget = (out.fresh ? args.pageChars : 0) || args.budgetChars;
      if (budget > 0) fitTree(top, { budget, whole: args.wholeChars ?? 0 }, plan, out);
      const lines = [];
      renderKids(top, '', lines, plan, plan.cuts === null ? undefined : plan.cuts.get(top));
      if (compact)
        lines.push(
          '- text: … a large page: URLs, options and refs of plain text are left out; snapshot a target to see them',
        );
      else if (!plan.urls) lines.push('- text: … URLs are left out for the budget; snapshot a target to see them');
      if (unseen > 0) lines.push(`- text: … ${unseen} invisible text${unseen === 1 ? '' : 's'} left out`);
      if (root === document) addPageLines(modal, lines);
      out.yaml = lines.join('\n');
      if (plan.cuts !== null) addMissingFrames(nodes, plan);
    }
    if (root === document) {
      forgetElements(nodes);
      beforeLast = previous;
      previous = top;
    }
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

// Frames whose line wasn't printed: C++ may still have news of them.
function addMissingFrames(nodes, plan) {
  const known = new Set(plan.frames.map((frame) => frame.ref));
  for (const node of nodes)
    if (node.role === 'iframe' && !known.has(refText(node.rec)))
      plan.frames.push({ ref: refText(node.rec), token: null });
}

export { snapshot };
