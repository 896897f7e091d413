// The lines of a delta's changes: in the page's order, or where not all of them have room, what matters most first. A change
// is what delta.js has found: { worth, node, lines, kids }; the writer is { left, lines, dropped, plan, out }.

import { words } from '../dom/collections.js';
import { closestFlat } from '../dom/flat_tree.js';
import { rectOf } from '../dom/members.js';
import { styleOf } from '../dom/style.js';
import { cut } from '../dom/text.js';
import { elementOf } from '../tree/node.js';
import { isCoveredNode, marksOf } from '../tree/positions.js';
import { cutNode, lighten } from './budget.js';
import { kUrgent } from './gone.js';
import { headerOf, kTextMax, renderNode } from './render.js';
import { measure } from './sizes.js';
import { yamlKey, yamlValue } from './yaml.js';

const kUrgentWorth = 3;
const kGoneWorth = -1;
const kLeastRoom = 120; // characters: less of a region tells nothing

// `within`: the node whose line stands above them, null at the top; `fits`: all of it is known to have room.
function writeChanges(changes, pad, writer, within = null, fits = false) {
  const hasRoom = fits || roomAfter(changes, pad.length, writer) >= 0 || (pad === '' && makesRoom(changes, writer));
  if (pad === '' && !hasRoom) {
    raiseWhatLiesOver(changes);
    raiseNotices(changes);
  }
  const rank = hasRoom ? rankInOrder(pad, within) : byWorth;
  for (const change of changes.toSorted((a, b) => rank(b) - rank(a))) {
    if (change.lines) writeLines(change.lines, pad, writer);
    else if (change.kids === null) writeNew(change.node, pad, writer);
    else writeWithin(change, pad, writer, hasRoom);
  }
}

// What can be operated while something lies over the controls beside it is a dialog, whatever its role.
function raiseWhatLiesOver(changes) {
  const marked = changes.filter(({ lines }) => lines === null).map((change) => [change, firstOperable(change.node)]);
  const isCovered = ([, control]) => control !== null && isCoveredNode(control);
  if (!marked.some(isCovered)) return;
  for (const one of marked) if (one[1] !== null && !isCovered(one)) one[0].worth = kUrgentWorth;
}

// The same of a page that has no room for all: what stands last, and alone isn't covered, is first of all that is shown.
function raiseOverPage({ kids }) {
  const parts = kids.filter((kid) => typeof kid !== 'string').slice(-kPartsOfPage);
  const controls = parts.map(firstOperable);
  const last = controls.at(-1);
  if (!last || isCoveredNode(last)) return;
  const others = controls.slice(0, -1).filter(Boolean);
  if (others.length > 0 && others.every(isCoveredNode)) parts.at(-1).rank = kFirstRank;
}
const kPartsOfPage = 8; // which are looked at
const kFirstRank = 2; // as a dialog's (worth.js)

// A message that comes in a small box fixed on the screen is one that matters now, whatever its role. The change's worth.
function raiseNotices(changes) {
  let most = kGoneWorth;
  for (const change of changes) {
    const { lines, kids, node } = change;
    const isNotice = lines === null && kids === null && isFixedNotice(node);
    if (isNotice) change.worth = kUrgentWorth;
    else if (kids !== null) change.worth = Math.max(change.worth, raiseNotices(kids));
    most = Math.max(most, change.worth);
  }
  return most;
}

function isFixedNotice(node) {
  const el = elementOf(node);
  if (el === null || rectOf(el).height > kNoticePart * innerHeight) return false;
  const box = closestFlat(el, (at) => styleOf(at).position === 'fixed');
  if (box === null) return false;
  return rectOf(box).height <= kNoticePart * innerHeight || styleOf(box).pointerEvents === 'none';
}
const kNoticePart = 0.4; // of the screen's height

function firstOperable(node) {
  if (kWorkedRoles.has(node.role)) return node;
  for (const kid of node.kids) {
    const found = typeof kid === 'string' ? null : firstOperable(kid);
    if (found) return found;
  }
  return null;
}
const kWorkedRoles = words(
  'button link textbox searchbox combobox checkbox radio switch slider spinbutton tab menuitem',
);

const byWorth = ({ worth }) => worth;
// What stands side by side is told in the page's order, else `the 3rd field` would be another one. First comes only what
// was put over a region or the page, at the top then the region that was acted in; what is gone has no place and comes last.
const rankInOrder = (pad, within) => {
  const isRegionsTop = pad === '' || kPageRegions.has(within.role) || (pad === '  ' && isLayout(within));
  return (change) => {
    const { worth } = change;
    if (worth === kGoneWorth || (isRegionsTop && worth === kUrgentWorth && (pad === '' || liesOver(change))))
      return worth;
    return within === null && isRegion(change) ? worth : 0;
  };
};

// A field that has got an alert beside it is no alert.
const liesOver = ({ worth, node, kids }) =>
  worth === kUrgentWorth && (kids === null || kUrgent.has(node.role) || (kids.length === 1 && liesOver(kids[0])));

const isLayout = ({ role, name, rec }) => role === 'generic' && name === '' && rec === null;
const kPageRegions = words(
  'main navigation form search region banner contentinfo complementary article table grid treegrid tree tabpanel feed ' +
    'application iframe',
);
const isRegion = ({ node, kids }) =>
  kids !== null && (kPageRegions.has(node.role) || (node.role === 'generic' && kids.length > 1));

// The characters that are left once all of it is written; less than 0 where something will have to go.
function roomAfter(changes, indent, { left, plan }) {
  const lists = new Set();
  const sizeOf = ({ lines, node, kids }, at) =>
    lines
      ? lines.reduce((sum, line) => sum + at + line.length + 1, 0)
      : kids === null
        ? measure(node, at, plan, lists)
        : kids.reduce((sum, kid) => sum + sizeOf(kid, at + 2), at + headOf(node).length + 4);
  return changes.reduce((rest, change) => rest - sizeOf(change, indent), left);
}

// Whether all has room once what is worth least is left out: as in a page, URLs, options that aren't chosen and what nobody
// can see [tool.snapshot.cuts].
function makesRoom(changes, writer) {
  const { plan } = writer;
  const trees = [];
  const collect = ({ lines, node, kids }, indent) => {
    if (kids !== null) for (const kid of kids) collect(kid, indent + 2);
    else if (lines === null) trees.push([node, indent]);
  };
  for (const change of changes) collect(change, 0);
  if (trees.length === 0) return false;
  writer.out.cut = true;
  const withUrls = roomAfter(changes, 0, writer);
  plan.urls = false;
  if (roomAfter(changes, 0, writer) === withUrls) plan.urls = true; // there are none to tell of
  return lighten(trees, () => -roomAfter(changes, 0, writer), writer.left, plan);
}

const headOf = (node) => yamlKey(headerOf(node) + marksOf(node));

function writeLines(lines, pad, writer) {
  for (const line of lines) {
    const room = writer.left - pad.length;
    if (line.length > room && room < kLeastRoom) {
      writer.dropped++;
      continue;
    }
    const text = pad + cut(line, room);
    if (line.length > room) writer.out.cut = true;
    writer.lines.push(text);
    writer.left -= text.length + 1;
  }
}

function writeNew(node, pad, writer) {
  const { plan } = writer;
  if (measure(node, pad.length, plan) > writer.left) {
    if (writer.left < kLeastRoom) {
      writer.dropped++;
      return;
    }
    writer.out.cut = true;
    cutNode(node, writer.left, pad.length, plan);
  }
  const from = writer.lines.length;
  renderNode(node, pad, writer.lines, plan);
  for (let i = from; i < writer.lines.length; i++) writer.left -= writer.lines[i].length + 1;
}

const kOfNoWord = /^(generic|paragraph)$/;

// Whether a change is of what an earlier answer has told with a ref: where that stands is known.
const hasItsPlace = ({ node, lines }) => lines === null && node.rec !== null && node.match?.rec === node.rec;

function writeWithin({ node, kids }, pad, writer, fits) {
  const key = headOf(node);
  if (!kids.length) {
    const value = node.value === null ? '' : yamlValue(cut(node.value, kTextMax));
    const rest = node.kids.length ? '(children unchanged)' : '';
    const said = [value, rest].filter(Boolean).join(' ');
    writeLines([`- ${key}${said === '' ? '' : ': ' + said}`], pad, writer);
    return;
  }
  // A group that nobody can point at says no more than what it holds, if that is one change or has its place by what was told.
  if ((key === 'generic' && kids.length === 1) || (kOfNoWord.test(key) && kids.every(hasItsPlace))) {
    writeChanges(kids, pad, writer, node, fits);
    return;
  }
  const head = `${pad}- ${key}:`;
  const { length } = writer.lines;
  writer.left -= head.length + 1;
  writer.lines.push(head);
  writeChanges(kids, pad + '  ', writer, node, fits);
  if (writer.lines.length > length + 1) return;
  writer.lines.pop(); // nothing below it had room
  writer.left += head.length + 1;
}

export { kGoneWorth, kLeastRoom, kUrgentWorth, raiseOverPage, writeChanges };
