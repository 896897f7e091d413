// Many controls that can't be operated any longer, or again, and are else as they were: of a toolbar beside a field that shows its
// source, of a form that is being sent. One line names them, as each was told before.

import { refText } from '../tree/refs.js';

const kTogether = 7; // fewer are told one by one
const kDisabledNamed = 3; // of them
const kDisabledMark = ' [disabled]';

// Takes such out of the changes of a delta. -> the lines that tell of them.
function takeDisabled(changes) {
  const lines = [];
  for (const [isNow, words] of [
    [true, 'disabled now'],
    [false, 'no longer disabled'],
  ]) {
    const found = new Set();
    for (const change of changes) collect(change, isNow, found);
    if (found.size < kTogether) continue;
    drop(changes, found);
    const refs = [...found].map(({ node }) => refText(node.rec));
    lines.push(
      `- text: … ${words}: ${refs.slice(0, kDisabledNamed).join(', ')} and ${refs.length - kDisabledNamed} more`,
    );
  }
  return lines;
}

function collect(change, isNow, found) {
  const { node, lines, kids } = change;
  if (lines !== null) return;
  if (kids !== null && kids.length > 0) for (const kid of kids) collect(kid, isNow, found);
  else if (isToggled(node, isNow)) found.add(change);
}

function isToggled({ match, rec, name, called, value, url, states, kids }, isNow) {
  if (!match || rec === null || match.rec !== rec || states.includes(kDisabledMark) !== isNow) return false;
  if (match.states.includes(kDisabledMark) === isNow) return false;
  return (
    states.replace(kDisabledMark, '') === match.states.replace(kDisabledMark, '') &&
    name === match.name &&
    called === match.called &&
    value === match.value &&
    url === match.url &&
    kids.length === match.kids.length &&
    kids.every((kid, i) => typeof kid !== 'string' || kid === match.kids[i])
  );
}

// What holds nothing else that has changed goes with them.
function drop(changes, found) {
  for (let i = changes.length - 1; i >= 0; i--) {
    const { kids, node } = changes[i];
    const isGroup = kids !== null && kids.length > 0;
    if (isGroup) drop(kids, found);
    const isEmpty = isGroup && kids.length === 0 && node.states === node.match?.states;
    if (found.has(changes[i]) || isEmpty) changes.splice(i, 1);
  }
}

export { takeDisabled };
