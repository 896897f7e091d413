// What was told as new, and what of it the action found away: what is there again is told anew, though it is as it was told.

import { noteCame, takeAway } from '../dom/acted.js';

let lastAway = new Set(); // of the last delta, for one that is taken again

function noteComers(changes) {
  for (const { node, lines, kids } of changes)
    if (kids !== null) noteComers(kids);
    else if (lines === null && !node.match) noteComer(node);
}

// Of what has no ref, what it holds is known by theirs.
function noteComer(node) {
  const el = node.rec?.el.deref();
  if (el) noteCame(node.rec, el);
  else for (const kid of node.kids) if (typeof kid !== 'string') noteComer(kid);
}

function awayFor(isRetake) {
  if (!isRetake) lastAway = takeAway();
  return lastAway;
}

export { awayFor, noteComers };
