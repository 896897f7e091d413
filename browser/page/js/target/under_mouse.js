// What shows only while the mouse is over something that is around it, as far as the page's rules tell: the menu below an item, the
// actions in a row.

import { clientRectsOf, matchesSelector, rootNodeOf } from '../dom/members.js';
import { closestFlat, flatContains } from '../dom/flat_tree.js';
import { inViewport, isInView } from '../dom/hit.js';
import { sheetsOf } from '../dom/sheets.js';
import { isVisible } from '../dom/style.js';

const isHoverable = (el) =>
  isVisible(el) && [...clientRectsOf(el)].some((box) => inViewport(box) !== null) && isInView(el);

// What is around a hidden element and shows it while the mouse is over that: the nearest that a rule names with :hover before what it
// names of the element or of what that stands in. Of a menu in a menu that is the item of the outer one. Or null.
function hoveredFor(el, levels = kMenusDeep) {
  let inner = null; // what shows it, and is hidden itself
  for (const selector of sheetsOf(rootNodeOf(el)).flatMap(({ said }) => said.selectors))
    if (selector.includes(':hover'))
      for (const part of selector.split(/,(?![^(]*\))/)) {
        const [, before, behind] = kHovered.exec(part) ?? [];
        if (before === undefined) continue;
        const fits = (at, rule) => matchesRule(at, rule || '*');
        const named = closestFlat(el, (at) => fits(at, part.replaceAll(':hover', '')));
        const over = named && closestFlat(named, (at) => at !== named && fits(at, before + behind));
        if (!over || !flatContains(over, el)) continue;
        if (isHoverable(over)) return over;
        if (!isVisible(over)) inner ??= over;
      }
  return inner !== null && levels > 1 ? hoveredFor(inner, levels - 1) : null;
}
const kMenusDeep = 4; // of menus in menus
// What stands around :hover in its compound; behind that another one is to follow.
const kHovered = /([^\s>+~,(]*):hover([^\s>+~,)]*)[\s>+~]+[^\s]/;

// Whether there is such a thing, for who looks for an element again and again while it isn't there.
function isShownByMouse(el) {
  const time = performance.now();
  let known = askedOfMouse.get(el);
  if (known === undefined || time - known.at > kAskedAgain) {
    known = { at: time, isShown: hoveredFor(el) !== null };
    askedOfMouse.set(el, known);
  }
  return known.isShown;
}
const askedOfMouse = new WeakMap();
const kAskedAgain = 1000; // ms

function matchesRule(el, rule) {
  try {
    return matchesSelector(el, rule.trim());
  } catch {
    return false; // a pseudo-element
  }
}

export { hoveredFor, isHoverable, isShownByMouse };
