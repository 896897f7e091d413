// The lines of a delta's changes: what matters most first, and within the room that is left. A change is what delta.js has
// found: { worth, node, lines, kids, inOrder }; the writer is { left, lines, dropped, plan, out }.

import { cut } from '../dom/text.js';
import { words } from '../dom/collections.js';
import { marksOf } from '../tree/positions.js';
import { cutNode, measure } from './budget.js';
import { headerOf, kTextMax, renderNode } from './render.js';
import { yamlKey, yamlValue } from './yaml.js';

const kUrgentWorth = 3;
const kGoneWorth = -1;
const kLeastRoom = 120; // characters: less of a region tells nothing

function writeChanges(changes, pad, writer, inOrder) {
  const hasRoom = (inOrder || pad === '') && roomAfter(changes, pad.length, writer) >= 0;
  if (pad === '' && !hasRoom) raiseWhatLiesOver(changes);
  const rank = inOrder && hasRoom ? rankInOrder : byWorth;
  for (const change of changes.toSorted((a, b) => rank(b) - rank(a))) {
    if (change.lines) writeLines(change.lines, pad, writer);
    else if (change.kids === null) writeNew(change.node, pad, writer);
    else writeWithin(change, pad, writer);
  }
}

// What can be operated while something lies over the controls beside it is a dialog, whatever its role.
function raiseWhatLiesOver(changes) {
  const marked = changes.filter(({ lines }) => lines === null).map((change) => [change, firstOperable(change.node)]);
  const isCovered = ([, control]) => control !== null && marksOf(control).includes('[covered]');
  if (!marked.some(isCovered)) return;
  for (const one of marked) if (one[1] !== null && !isCovered(one)) one[0].worth = kUrgentWorth;
}

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
const rankInOrder = ({ worth }) => (worth === kUrgentWorth || worth === kGoneWorth ? worth : 0);

// The characters that are left once all of it is written; less than 0 where something will have to go.
function roomAfter(changes, indent, { left, plan }) {
  const sizeOf = ({ lines, node, kids }, at) =>
    lines
      ? lines.reduce((sum, line) => sum + at + line.length + 1, 0)
      : kids === null
        ? measure(node, at, plan.urls)
        : kids.reduce((sum, kid) => sum + sizeOf(kid, at + 2), at + headOf(node).length + 4);
  return changes.reduce((rest, change) => rest - sizeOf(change, indent), left);
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
  if (measure(node, pad.length, plan.urls) > writer.left) {
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

function writeWithin({ node, kids, inOrder }, pad, writer) {
  const key = headOf(node);
  if (!kids.length) {
    const value = node.value === null ? '' : yamlValue(cut(node.value, kTextMax));
    const rest = node.kids.length ? '(children unchanged)' : '';
    const said = [value, rest].filter(Boolean).join(' ');
    writeLines([`- ${key}${said === '' ? '' : ': ' + said}`], pad, writer);
    return;
  }
  // A group that nobody can point at says no more than what it holds.
  if (kids.length === 1 && key === 'generic') {
    writeChanges(kids, pad, writer, inOrder);
    return;
  }
  const head = `${pad}- ${key}:`;
  const { length } = writer.lines;
  writer.left -= head.length + 1;
  writer.lines.push(head);
  writeChanges(kids, pad + '  ', writer, inOrder);
  if (writer.lines.length > length + 1) return;
  writer.lines.pop(); // nothing below it had room
  writer.left += head.length + 1;
}

export { kGoneWorth, kLeastRoom, kUrgentWorth, writeChanges };
