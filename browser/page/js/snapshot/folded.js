// A bar that folds to its icons: each of its links has lost its words, and has the icon alone that was beside them. One line
// tells that of all, as the words were told before.

import { isShared } from './pairs.js';

const kFoldedLeast = 4; // fewer are told one by one

// Of a tree whose nodes have their partners: the nodes that show an icon alone now and had words, which are several; else none.
function foldedToIcons(now) {
  const found = [];
  const visit = (node) => {
    if (isIconAlone(node)) found.push(node);
    for (const kid of node.kids) if (typeof kid !== 'string' && !isShared(kid)) visit(kid);
  };
  visit(now);
  return new Set(found.length >= kFoldedLeast ? found : []);
}

const isIconAlone = ({ match, rec, name, called, kids, states, value }) =>
  match !== null &&
  match.name !== '' &&
  name === '' &&
  called !== '' &&
  kids.length === 0 &&
  match.kids.length === 0 &&
  rec !== null &&
  rec === match.rec &&
  states === match.states &&
  value === match.value;

export { foldedToIcons };
