// The walk of the whole page, and what is kept of it for the next one. A pass begins with walkAll or walkRegions and ends
// with keepWalk.

import { beginPageWalk, pass } from '../dom/pass.js';
import { changesSince, stopWatching, watchChanges } from '../dom/changes.js';
import { keepFoundThrough } from '../dom/found.js';
import { idsLookedUp } from '../dom/flat_tree.js';
import { forgetHosts } from '../dom/shadow_roots.js';
import { keepTraits } from '../dom/traits.js';
import { dropStamps, forgetEntries } from './entries.js';
import { beginNodes, endNodes, passNumber } from './node.js';
import { noteOwned } from './owned.js';
import { findRegions, noteRegions } from './regions.js';
import { buildPage } from './tree.js';

function walkAll() {
  beginPageWalk();
  dropStamps(passNumber);
  forgetEntries();
  forgetHosts();
  idsLookedUp.clear();
  keepFoundThrough(() => watchChanges(true));
  beginNodes();
  const tree = buildPage(false);
  if (!noteOwned(tree.owned)) stopWatching();
  return tree;
}

// The same, but what hasn't changed since the last pass is taken from there; null where that can't be told.
function walkRegions() {
  pass.regions = findRegions();
  if (pass.regions === null) return null;
  beginPageWalk();
  beginNodes();
  return buildPage(true);
}

// `printed`: the nodes of this pass that were printed.
function keepWalk(printed, isWhole) {
  keepTraits();
  noteRegions(isWhole);
  dropStamps(passNumber);
  endNodes(printed);
  if (changesSince() !== null) keepFoundThrough(() => watchChanges(false));
}

export { walkAll, walkRegions, keepWalk };
