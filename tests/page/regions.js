// The page's script with functions more, for the tests of deltas that walk only what has changed.
//
// Once joined, the modules share one scope, so that what they keep to themselves can be used, and replaced.
/* global foundAll, walkRegions: writable, visitSelf: writable, marksOf: writable, newPlan, renderKids, previous */
import '../../browser/page/js/main.js';

const byRegions = walkRegions;
const visited = visitSelf;
let visits = 0;
visitSelf = (...args) => {
  visits++;
  return visited(...args);
};

// From now on each delta walks all of the page, or what has changed only.
globalThis.__bridleWalkAll = (isWhole) => {
  walkRegions = isWhole ? () => null : byRegions;
};

// How many elements were visited since the last time.
globalThis.__bridleVisits = () => {
  const count = visits;
  visits = 0;
  return count;
};

// The tree that the next delta compares with, as text without marks of position.
globalThis.__bridleKept = () => {
  const original = marksOf;
  marksOf = ({ marks, clip }) => marks + clip;
  try {
    const lines = [];
    renderKids(previous, '', lines, newPlan({}));
    return lines.map((line) => line.replace(/@frame:\w+:/, '@frame:')).join('\n');
  } finally {
    marksOf = original;
  }
};

// The selectors by which what has changed would have others found than all of the page.
globalThis.__bridleFoundWrong = (selectors) =>
  selectors.filter((selector) => {
    const found = foundAll(selector);
    const all = [...document.querySelectorAll(selector)];
    return found.length !== all.length || found.some((el, i) => el !== all[i]);
  });
