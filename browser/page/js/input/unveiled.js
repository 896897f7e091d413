// What the error says of an element that no scrolling brings in.

import { clientRectsOf, isConnected, matchesSelector, rootNodeOf } from '../dom/members.js';
import { closestFlat, flatContains, flatParentOf } from '../dom/flat_tree.js';
import { inViewport, isInView } from '../dom/hit.js';
import { sheetsOf } from '../dom/sheets.js';
import { isVisible } from '../dom/style.js';
import { records } from '../tree/refs.js';
import { refOf } from '../target/nearest.js';
import { describeElement } from '../target/targets.js';

// What shows only while the mouse is over the item that it belongs to is brought in by what that item shows, as the actions of a
// row are by its title.
function unveilWords(el) {
  const shown = [...records.values()]
    .map((record) => record.el.deref())
    .filter((at) => at && isConnected(at) && at !== el && isHoverable(at));
  let item = flatParentOf(el);
  let beside;
  for (; item && !beside; item = flatParentOf(item)) beside = shown.find((at) => flatContains(item, at));
  const hovered = beside ? `${describeElement(beside)}${refOf(beside)}` : 'what it belongs to';
  return `; what shows only under the mouse is brought in by browser_hover on ${hovered}`;
}

const isHoverable = (el) =>
  isVisible(el) && [...clientRectsOf(el)].some((box) => inViewport(box) !== null) && isInView(el);

// What is around a hidden element and shows it, as far as rules tell, while the mouse is over that, as a row does the actions in it: the
// nearest that a rule names with :hover before what it names of the element or of what that stands in; or null.
function hoveredFor(el) {
  for (const selector of sheetsOf(rootNodeOf(el)).flatMap(({ selectors }) => selectors))
    if (selector.includes(':hover'))
      for (const part of selector.split(/,(?![^(]*\))/)) {
        const [, before, behind] = kHovered.exec(part) ?? [];
        if (before === undefined) continue;
        const fits = (at, rule) => matchesRule(at, rule || '*');
        const named = closestFlat(el, (at) => fits(at, part.replaceAll(':hover', '')));
        const over = named && closestFlat(named, (at) => at !== named && fits(at, before + behind));
        if (over && flatContains(over, el) && isHoverable(over)) return over;
      }
  return null;
}
// What stands around :hover in its compound; behind that another one is to follow.
const kHovered = /([^\s>+~,(]*):hover([^\s>+~,)]*)[\s>+~]+[^\s]/;

function matchesRule(el, rule) {
  try {
    return matchesSelector(el, rule.trim());
  } catch {
    return false; // a pseudo-element
  }
}

export { hoveredFor, unveilWords };
