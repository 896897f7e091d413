// Marks of what can't be seen [tool.snapshot.hidden].

import { textContentOf } from '../dom/members.js';
import { AWAY, FADING, FOR_READERS, hidesTextAlone, isGone, NAMED, showsPicture } from '../dom/sight.js';
import { paints, styleOf } from '../dom/style.js';
import { kWidgets } from '../aria/roles.js';

// Marks what can't be seen, or only now not: [invisible] what can be operated all the same, or fades; [hidden text] what
// a page means for assistive technology. False: nobody can see it and nothing can be done with it, so that no line of
// its own is due.
function markSight(node, sight, sightAbove, hiddenName, showsAny) {
  const { role } = node;
  const hasWords = node.kids.length > 0 || node.from === 'content';
  const operable = kWidgets.has(role) || role === 'iframe' || node.kept || node.pointer;
  let mark = '';
  if (showsAny && isGone(sight)) return true; // something in it is seen: letters of their own size, what no box of no size clips
  if (node.icons !== null && hidesTextAlone(sight)) return true;
  if (isGone(sight)) {
    if (!operable && node.kids.length === 0 && (node.from !== 'author' || role === 'img')) return false;
    if (operable && (hasWords || hasLeftOutText(node, sight)) && !isSeenWithoutText(node, sight)) {
      mark = ' [invisible]';
      node.unseen = true;
    }
  } else if (hasWords && !(sightAbove & NAMED)) {
    const forReaders = sight & FOR_READERS & ~sightAbove && !(kWidgets.has(role) && showsPicture(node.el));
    if (forReaders || hiddenName === 'all') mark = ' [hidden text]';
    else if (hiddenName === 'part' && !kWidgets.has(role)) mark = ' [partly hidden text]';
    else if (sight & FADING & ~sightAbove) mark = ' [invisible]';
  }
  if (mark !== '') {
    node.marks += mark;
    node.kept = true;
  }
  return true;
}

// Beyond reach goes its text too, and where its name is its author's or an icon's no words are left to be marked.
const hasLeftOutText = ({ el }, sight) => (sight & AWAY) !== 0 && /\S/.test(textContentOf(el));

// A button that waits: its text has gone, its box is there.
const isSeenWithoutText = ({ el, role }, sight) => hidesTextAlone(sight) && role === 'button' && paints(styleOf(el));

export { markSight };
