// snapshot: walk, number, mark, render.

import { elementsOf, querySelectorAllOf, rectOf, scrollingElementOf, tagOf } from '../dom/members.js';
import { actedElement } from '../dom/acted.js';
import { draggedSince, isPressedLast } from '../dom/dragged.js';
import { beginQuestions, questionCount } from '../dom/asked.js';
import { closedHosts } from '../dom/shadow_roots.js';
import { inViewport } from '../dom/hit.js';
import { words } from '../dom/collections.js';
import { pass, withPass } from '../dom/pass.js';
import { isVisible } from '../dom/style.js';
import { isListOpen } from '../aria/states.js';
import { scrollText } from '../tree/scrollers.js';
import { buildTree } from '../tree/tree.js';
import { keepWalk, walkAll, walkRegions } from '../tree/page.js';
import { markPositions, shadedLines } from '../tree/positions.js';
import { beginNumbering, framePrefix, nextRef, refText } from '../tree/refs.js';
import { noteRestyled } from '../tree/style_changes.js';
import { beginGeneration, endPage, noteDropped, numberNodes, printedNodes } from '../tree/numbering.js';
import { addListener } from '../target/events.js';
import { isLinkWithin, scrolledWords } from '../target/scrolled.js';
import { resolveTarget } from '../target/targets.js';
import { headerOf, newPlan, renderKids } from './render.js';
import { yamlKey, yamlValue } from './yaml.js';
import { fitTree, takeBackRefs } from './budget.js';
import { kLargePage, makeCompact } from './compact.js';
import { commonParts, kAsBeforeLine, noteCuts, takeRefsOver, wordsOfParts } from './as_before.js';
import { awayFor } from './came_again.js';
import {
  kLoadedAnew,
  kQueriesAside,
  packTree,
  sizeOfLines,
  tellsLess,
  tellsMostly,
  unpackTree,
  wholeSize,
} from './carried.js';
import { deltaLines } from './delta.js';
import { dragLines } from './drag_lines.js';
import { hoveredNow } from './hovered.js';
import { leftOutLines } from './lighten.js';
import { refusalLines } from './refusals.js';
import { slidInLines, uncoveredLines } from './uncovered.js';
import { noteZoomed, panLines, zoomLines } from './zoomed.js';
import { fullScreenLines } from './full_screen.js';
import { withoutQueries } from './hashes.js';
import { raiseOverPage } from './change_lines.js';
import { restyledLines } from './restyled.js';
import { pageLook, pageLookWords } from './styled_looks.js';
import { noteSelection, selectionLines, takeBackSelection } from './selection.js';

let previous = null; // the last snapshot of the whole frame, for deltas
let beforeLast = null; // and the one before it: a snapshot that is taken again to renumber must compare with that
let left = null; // what another page of the site has told, from which an action has led to this one
let compactNow = false; // whether the last full snapshot was compact: a delta must not differ in style alone
let prefixNow = ''; // of its refs

function snapshot(args) {
  beginNumbering(args);
  const isAgain = isRetake(args);
  if (isAgain) {
    previous = beforeLast;
    if (!args.target) takeBackSelection();
  }
  const brought = previous === null && args.before && !args.target ? unpackTree(args.before) : null;
  if (brought !== null && !brought.isOther) previous = brought;
  left = brought?.isOther && !brought.isCut ? brought : null;
  takeBackRefs();
  beginQuestions(args.asked === true, args.mode !== 'delta');
  beginGeneration();
  if (args.target) return withPass(() => tellTarget(args, resolveTarget(args.target).el));
  const isDelta = args.mode === 'delta' && previous !== null;
  if (!isAgain) noteZoomed();
  if (!isAgain) noteRestyled();
  const isAlike = isDelta && !isAgain && !previous.sleeps && !previous.isBrought && prefixNow === framePrefix;
  const told = isAlike ? withPass(() => tellRegions(args)) : null;
  return told ?? withPass(() => tellPage(args, isDelta, walkAll(), 0));
}

const isRetake = ({ reassignFrom, again }) => reassignFrom !== undefined || again === true;

// A delta for which only what has changed was walked again; null where that can't be told.
function tellRegions(args) {
  const { printed } = previous;
  const tree = walkRegions();
  return tree === null ? null : tellPage(args, true, tree, printed);
}

// `lastPass`: the one whose nodes the tree has too; 0: it has none.
// A delta has the room of a page where the URL is another one, as for one that no snapshot has shown: a script has put
// another view into the document then.
function tellPage(args, isDelta, tree, lastPass) {
  const { top } = tree;
  const before = previous;
  const isBrought = isDelta && before.isBrought === true;
  const isWithin = isDelta && !isBrought;
  let nodes = isWithin && compactNow ? null : printedNodes(top, lastPass);
  const isCompact = isWithin ? compactNow : nodes.all.length > kLargePage;
  if (isCompact) {
    makeCompact(top);
    nodes = printedNodes(top, lastPass);
  }
  if (nodes === null) return null;
  if (before !== null) noteDropped(before);
  const told = left ?? (before?.isBrought && !before.isCut ? before : null);
  const common = told === null || isCompact || tree.modal ? [] : commonParts(told, top);
  if (left !== null) takeRefsOver(common);
  numberNodes(nodes.fresh, true);
  markPositions(nodes.all, isWithin);
  if (!isWithin) forgetActions(args);
  top.look = pageLook();
  // What has been walked again since a snapshot that was cut says no more whether it was told.
  top.isCut = isDelta && (before.isCut || before.wasCut);
  const out =
    (isWithin && tellChanges(args, before, tree, nodes)) ||
    (isBrought && !isCompact && tellAnew(args, before, tree, nodes)) ||
    tellWhole(args, tree, nodes, isCompact, common);
  compactNow = isCompact;
  prefixNow = framePrefix;
  keepWalk(nodes.fresh, lastPass === 0);
  endPage(top);
  top.hovered = hoveredNow();
  top.address = location.href;
  beforeLast = previous;
  previous = top;
  return finish(out);
}

// What the page has changed since its last snapshot.
function tellChanges(args, before, { top, modal }, { all }) {
  let plan = newPlan(args);
  let out = newResult(plan);
  const away = awayFor(isRetake(args));
  const tell = (budget) => deltaLines(before, top, plan, { modal, acted: actedElement(), away, budget }, out);
  const isView = args.pageChars > 0 && before.address !== location.href;
  let lines = tell(isView ? args.wholeChars || args.pageChars : args.budgetChars);
  if (isView && out.cut && args.wholeChars > args.pageChars) {
    plan = newPlan(args);
    out = newResult(plan);
    lines = tell(args.pageChars);
  }
  lines.push(
    ...fullScreenLines(isRetake(args), false),
    ...shadedLines(),
    ...dragLines(lines, isRetake(args)),
    ...zoomLines(),
    ...refusalLines(isRetake(args)),
    ...uncoveredLines(isRetake(args)),
    ...slidInLines(lines, isRetake(args)),
  );
  lines.push(...panLines(lines, lines.length === 0 || tellsFocusAlone(lines)));
  const isStill = lines.length === 0 || tellsFocusAlone(lines);
  const open = lines.filter((line) => !kClosed.test(line)); // that the menu has gone says nothing of what was chosen in it
  const isAlone = open.length === 0 || (tellsFocusAlone(open) && !open.some(tellsState));
  lines.push(...restyledLines(pageLookWords(before.look, top.look, isAlone), isAlone, lines));
  lines.push(...selectionLines());
  const scrolled = scrolledWords(isRetake(args), isStill || isLinkWithin(actedElement()));
  if (scrolled && lines.length > 0) lines.push(`- text: ${yamlValue(`… ${scrolled}`)}`);
  if (tellsFocusAlone(lines) && drawnWords() !== '') lines.push('- text: … what a canvas draws is not told');
  if (isView) out.fresh = true;
  if (lines.some((line) => kUnderWay.test(line))) out.underWay = true;
  if (out.cut) top.isCut = true;
  out.changed = lines.length > 0;
  out.yaml = out.changed ? lines.join('\n') : `- ${noChanges(scrolled)}`;
  addMissingFrames(all, plan);
  return out;
}

const kUnderWay = /: "?\p{Lu}\p{L}*ing\b[^"]{0,40}(…|\.{3})"?$/u; // a text alone: "Sending document…"

// What of the page differs from what the document before it has told; null where the whole page is told as shortly, or isn't
// there, as it shows nothing yet or for a dialog.
function tellAnew(args, before, { top, modal }, { all }) {
  if (modal || pass.shut || top.kids.length === 0) return null;
  const whole = { ...wholeSize(top, args), isElsewhere: before.isElsewhere };
  const tell = (head) => {
    const plan = newPlan(args);
    plan.urls = head === kLoadedAnew || !whole.isCut;
    const out = newResult(plan);
    const lines = deltaLines(
      before,
      top,
      plan,
      { modal, acted: null, budget: args.pageChars || args.budgetChars },
      out,
    );
    return out.cut || !tellsLess(lines, whole, args) ? null : { plan, out, lines: [head, ...lines] };
  };
  const exact = tell(kLoadedAnew);
  const isShort = exact !== null && sizeOfLines(exact.lines) <= kShortAnew;
  const aside = isShort ? null : withoutQueries([before, top], () => tell(kQueriesAside));
  const told = exact && aside && tellsMostly(exact.lines, aside.lines) ? exact : (aside ?? exact);
  if (told === null) return null;
  told.out.fresh = true;
  told.out.yaml = [...told.lines, ...shadedLines()].join('\n');
  addMissingFrames(all, told.plan);
  return told.out;
}

const kShortAnew = 1200; // characters: in less, links that have another query are told too

function tellWhole(args, { top, modal, unseen }, { all }, isCompact, common) {
  const before = previous;
  const plan = newPlan(args);
  plan.toldBefore = wordsOfParts(common);
  const out = newResult(plan);
  if (args.mode === 'delta') out.fresh = true;
  // What is inert is kept for the comparison with what comes after.
  if (before && !before.isBrought && (modal || before.sleeps))
    deltaLines(before, top, newPlan({}), { modal, acted: null }, {});
  const budget = (out.fresh ? args.pageChars : 0) || args.budgetChars;
  const lines = fullLines(args, { top, unseen, isCompact, budget }, plan, out);
  lines.push(...fullScreenLines(isRetake(args), true), ...shadedLines());
  if (plan.asBefore !== null) lines.push(kAsBeforeLine);
  addPageLines(modal, pass.shut, lines);
  out.yaml = lines.join('\n');
  if (out.fresh && isPassedThrough(all, out.yaml)) out.underWay = true;
  top.isCut = false;
  top.wasCut = plan.cutFrom > 0;
  if (top.wasCut) noteCuts(top, plan);
  if (plan.cuts !== null) addMissingFrames(all, plan);
  return out;
}

// Whether a page has a few words, by which something is under way, nothing to operate and a script, as one that only says that it
// goes on to another.
const isPassedThrough = (all, yaml) =>
  yaml.length <= kPassedThroughMost &&
  kGoesOn.test(yaml) &&
  all.every(({ role, pointer }) => !pointer && role !== 'iframe' && !kOperated.has(role)) &&
  querySelectorAllOf(document, 'script').length > 0;
const kPassedThroughMost = 300; // characters
const kGoesOn =
  /\b((logg|sign|redirect|forward|load|connect|return|check|verify|prepar|process|tak|bring|send)ing|redirected|please wait|moment)\b/i;
const kOperated = words(
  'link button textbox searchbox combobox listbox checkbox radio switch slider spinbutton tab menuitem',
);

// What is told whole, or is another document, tells nothing of what was done.
function forgetActions(args) {
  noteSelection();
  awayFor(isRetake(args));
  draggedSince(isRetake(args));
  refusalLines(isRetake(args));
  scrolledWords(isRetake(args), false);
}

// What C++ gives to the document that comes next, as `before`; '' where that is to be told whole. The function is there in this
// world alone.
function tellOfLeaving({ destination }) {
  if (previous !== null && !destination.sameDocument) globalThis.bridleLeaves?.(compactNow ? '' : packTree(previous));
}

// A navigation that the page begins.
function watchLeaving() {
  if (window === window.top) addListener(window.navigation, 'navigate', tellOfLeaving);
}

const noChanges = (scrolled) =>
  yamlValue(`no changes since the last snapshot${scrolled ? `, but ${scrolled}` : openListWords() || drawnWords()}`);

// The list of a select is drawn by the browser, which tells no page what is highlighted in it.
function openListWords() {
  const acted = actedElement();
  const isOpen = acted !== null && tagOf(acted) === 'select' && isListOpen(acted);
  return isOpen ? ', but which option the open list highlights is not in it' : '';
}

// Whether all that a delta tells is where the focus is now: what a button has done may be to be seen in a drawing alone.
const tellsFocusAlone = (lines) =>
  lines.length > 0 &&
  lines.every((line, i) =>
    line.endsWith(':')
      ? !isUrl(lines[i + 1]) || line.includes(' [active]')
      : line.includes(' [active]') || kFocusLine.test(line),
  );
const isUrl = (line) => line !== undefined && line.trimStart().startsWith('- /url: '); // else the line is of what holds others
const kClosed = /^ *- removed: ['"]?(menu|listbox|dialog|tooltip)\b/;
const kFocusLine = /^ *- (\/url: |text: "?… the focus has left )/;

// What has the focus may have got a value or a state with it, which says what was done.
const tellsState = (line) => kStateTold.test(line);
const kStateTold =
  /\[(checked|expanded|pressed|selected)[\]=]|^ *- '?(combobox|searchbox|slider|spinbutton|textbox)\b.*\]'?: /;

// A page that is mostly drawn may well have changed, and so may the drawing that was acted on.
function drawnWords() {
  const acted = actedElement();
  const isMuch = (canvas) => {
    if (canvas === acted || isPressedLast(canvas)) return true;
    const part = isVisible(canvas) ? inViewport(rectOf(canvas)) : null;
    if (part === null) return false;
    return (part.right - part.left) * (part.bottom - part.top) >= kMuchDrawn * innerWidth * innerHeight;
  };
  return [...elementsOf(document, 'canvas')].some(isMuch) ? ', but what a canvas draws is not in it' : '';
}
const kMuchDrawn = 0.25;

function tellTarget(args, el) {
  const { top, unseen } = buildTree(el);
  let nodes = printedNodes(top).all;
  const isCompact = nodes.length > kLargePage;
  if (isCompact) {
    makeCompact(top);
    nodes = printedNodes(top).all;
  }
  numberNodes(nodes, true);
  markPositions(nodes, false);
  const plan = newPlan(args);
  const out = newResult(plan);
  if (args.mode === 'delta') out.fresh = true;
  const budget = (out.fresh ? args.pageChars : 0) || args.budgetChars;
  out.yaml = fullLines(args, { top, unseen, isCompact, budget }, plan, out).join('\n');
  if (plan.cuts !== null) addMissingFrames(nodes, plan);
  return finish(out);
}

const newResult = (plan) => ({ ok: true, yaml: '', next: 0, frames: plan.frames, changed: true });

function finish(out) {
  out.next = nextRef;
  if (closedHosts.length) out.closedHosts = closedHosts.length;
  if (questionCount() > 0) out.questions = questionCount();
  return out;
}

function fullLines(args, { top, unseen, isCompact, budget }, plan, out) {
  if (budget > 0) raiseOverPage(top);
  if (budget > 0) fitTree(top, { budget, whole: args.wholeChars ?? 0 }, plan, out);
  const lines = document.contentType === 'application/pdf' ? [kPdf] : [];
  // A page's only element stands for its body, and is no level [tool.snapshot.depth].
  if (plan.depthLeft > 0 && top.kids.length === 1 && typeof top.kids[0] !== 'string') plan.depthLeft++;
  renderKids(top, '', lines, plan, plan.cuts === null ? undefined : plan.cuts.get(top));
  if (isCompact)
    lines.push(
      '- text: … a large page: URLs, options and refs of plain text are left out; snapshot a target to see them',
    );
  else lines.push(...leftOutLines(plan));
  if (plan.cutFrom > 0) lines.push(cutLine(plan.cutFrom, budget));
  if (unseen > 0) lines.push(`- text: … ${unseen} invisible text${unseen === 1 ? '' : 's'} left out`);
  return lines;
}

const kPdf =
  '- text: (a PDF, which the browser draws itself: browser_take_screenshot shows it, browser_network_request with filename keeps it)';

const inHundreds = (n) => (Math.round(n / 100) * 100).toLocaleString('en');

const cutLine = (all, budget) =>
  `- text: (cut to ${inHundreds(budget)} of ${inHundreds(all)} characters; ` +
  'target one of the refs above, or a larger budget, shows the rest)';

function addPageLines(modal, shut, lines) {
  if (modal) lines.push('- text: … the rest of the page is inert while the dialog is open');
  else if (shut) lines.push('- text: … the rest of the page is inert while this is open');
  const scroller = scrollingElementOf(document);
  const text = scroller ? scrollText(scroller, true, true) : '';
  if (text) lines.push('- document' + text);
}

// Frames whose line wasn't printed: C++ may still have news of them.
function addMissingFrames(nodes, plan) {
  const known = new Set(plan.frames.map((frame) => frame.ref));
  for (const node of nodes)
    if (node.role === 'iframe' && !known.has(refText(node.rec)))
      plan.frames.push({ ref: refText(node.rec), token: null, header: yamlKey(headerOf(node)) });
}

export { snapshot, watchLeaving };
