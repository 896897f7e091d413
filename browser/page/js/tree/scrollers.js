// How far a scroll container can still go.

import { clientHeightOf, clientWidthOf, scrollHeightOf, scrollTopOf, scrollWidthOf } from '../dom/members.js';
import { styleOf } from '../dom/style.js';

// How far a scroll container can still be scrolled; noted only if that is worth a gesture.
function markScroller(node, el) {
  const text = scrollWords(el);
  if (text) {
    node.marks += text;
    node.kept = true;
  }
}
const kScrollWorth = 16; // CSS px

function scrollWords(el) {
  const { overflowX, overflowY } = styleOf(el);
  const [sideways, down] = [overflowX, overflowY].map((overflow) => /auto|scroll|overlay/.test(overflow));
  return sideways || down ? scrollText(el, sideways, down) : '';
}

function scrollText(el, sideways, down) {
  const parts = [];
  if (down) {
    const above = Math.round(scrollTopOf(el));
    const below = Math.round(scrollHeightOf(el) - clientHeightOf(el)) - above;
    if (above > kScrollWorth) parts.push(`${above}px above`);
    if (below > kScrollWorth) parts.push(`${below}px more below`);
  }
  if (sideways) {
    const left = Math.round(Math.abs(el.scrollLeft));
    const right = Math.round(scrollWidthOf(el) - clientWidthOf(el)) - left;
    if (left > kScrollWorth) parts.push(`${left}px left`);
    if (right > kScrollWorth) parts.push(`${right}px more right`);
  }
  return parts.length ? ` [scroll: ${parts.join(', ')}]` : '';
}

export { markScroller, scrollText, scrollWords };
