// Marks that one element of a page has at a time, and what is told where nothing has one any longer.

import { cut } from '../dom/text.js';
import { isShared, kFocused } from './pairs.js';
import { headerOf, kTextMax } from './render.js';
import { yamlValue } from './yaml.js';

// Where another has one now, that it was lost is said already, and so it is where the focus has gone from a frame to another.
// Their nodes are visited in each pass.
const kOneHas = [kFocused, ' [highlighted]'];

function marksTaken(now) {
  const taken = new Set();
  const visit = (node) => {
    if (node.states !== '') for (const mark of kOneHas) if (node.states.includes(mark)) taken.add(mark);
    for (const kid of node.kids) if (typeof kid !== 'string' && !isShared(kid)) visit(kid);
  };
  visit(now);
  const isNowhere = !taken.has(kFocused);
  taken.add(kFocused); // what else has changed says more than that the focus has gone
  return { taken, isNowhere };
}

// What had the focus, where nothing has it now.
function leftByFocus(node) {
  if (node.match?.states.includes(kFocused)) return node;
  for (const kid of node.kids) {
    const found = typeof kid === 'string' || isShared(kid) ? null : leftByFocus(kid);
    if (found !== null) return found;
  }
  return null;
}

// The focus of a frame that another one has taken hasn't gone.
function focusLine(now) {
  const left = window === window.top || document.hasFocus() ? leftByFocus(now) : null;
  return left === null ? [] : [`- text: ${yamlValue(`… the focus has left ${cut(headerOf(left), kTextMax)}`)}`];
}

export { focusLine, marksTaken };
