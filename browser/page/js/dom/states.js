// What decides about styles though no mutation tells of it: the sheets and their rules, the viewport and other media, and
// the states of elements that selectors speak of (:hover, :focus, :target).

import { documentElementOf, elementsOf, fullscreenElementOf, matchesSelector, nodeTypeOf } from './members.js';
import { areSame, words } from './collections.js';
import { rootsWatched } from './changes.js';
import { containersNow, resizedContainers } from './containers.js';
import { mergeFeatures, newFeatures, noteFeatures, OWN } from './features.js';
import { pass } from './pass.js';
import { rulesChanged, styledBy } from './rule_changes.js';
import { sawCustom } from './shadow_roots.js';
import { featuresOf, sheetsOf } from './sheets.js';

// What means something in the browser's own sheet, or to us.
const kAlwaysStates = ['modal', 'popover-open', 'fullscreen', 'not(:defined)'];
// What many sheets speak of, so that it is noted before anybody has looked what they do speak of.
const kUsualStates =
  'hover active focus focus-visible focus-within target invalid user-invalid user-valid autofill -webkit-autofill'.split(
    ' ',
  );
const kScheme = '(prefers-color-scheme: dark)';

// As it was at the last snapshot: { element, roots, sheets, ofDocument, features, conditions, media, containers, states }, where
// `element` is the document's element, `ofDocument` says how many of the sheets are the document's, `features` is null until it is
// asked for, and `states` are WeakRefs by name.
let statesNoted = null;

function noteStates() {
  const roots = rootsWatched();
  const sheets = roots.flatMap(sheetsOf);
  const known = statesNoted !== null && areSame(statesNoted.sheets, sheets) ? statesNoted : newNotes(sheets);
  const seen = pass.states; // nothing changes during a pass
  const states = seen?.roots === roots.length ? seen.found : statesNow(roots, known.features);
  statesNoted = {
    element: new WeakRef(documentElementOf(document) ?? document), // a document may have no element
    roots: roots.length,
    sheets,
    ofDocument: sheetsOf(document).length,
    features: known.features,
    conditions: known.conditions,
    media: mediaNow(known.conditions),
    containers: containersNow(roots, sheets),
    states:
      states && new Map(Array.from(states, ([name, found]) => [name, Array.from(found, (el) => new WeakRef(el))])),
  };
}

const newNotes = (sheets) => ({
  features: pass.features, // where a few rules are others, what those of before and of now speak of together
  conditions: new Set([kScheme, ...sheets.flatMap(({ said }) => said.conditions)]),
});

function allFeatures(sheets) {
  const features = newFeatures();
  for (const sheet of sheets) mergeFeatures(features, featuresOf(sheet));
  return features;
}

const mediaNow = (conditions) =>
  [innerWidth, innerHeight, devicePixelRatio, ...Array.from(conditions, (one) => matchMedia(one).matches)].join(' ');

// The selector for a state. In a document without a doctype a lone :hover or :active matches links alone, but rules that
// name anything beside it match all elements.
const inState = (name) => `:${name}:not(_)`;

// What the mouse is over in a tree scope, from the outside in.
function hoveredIn(root) {
  let hovered = pass?.hovered.get(root);
  if (hovered !== undefined) return hovered;
  hovered = [...elementsOf(root, kUnderMouseNow)];
  pass?.hovered.set(root, hovered);
  return hovered;
}
const kUnderMouseNow = inState('hover');

// The elements in each state that a selector may speak of: name -> Set. null: a state that can't be asked for.
function statesNow(roots, features) {
  const found = new Map();
  for (const name of [...kAlwaysStates, ...(features === null ? kUsualStates : features.states.keys())])
    found.set(name, new Set());
  try {
    for (const root of roots)
      for (const { selector, names } of looksFor([...found.keys()], root))
        for (const el of selector === kUnderMouseNow ? hoveredIn(root) : elementsOf(root, selector))
          for (const name of names) if (matchesSelector(el, inState(name))) found.get(name).add(el);
  } catch {
    return null;
  }
  return found;
}

// Where in a tree scope elements in the named states are to be looked for: { selector, names }. To match all of a large page's
// elements with each state costs more than all else that a small change does, and most states can be only in a few places.
function looksFor(names, root) {
  const looks = [];
  const look = (selector, some) => looks.push({ selector, names: some });
  const top = nodeTypeOf(root) === 9 ? documentElementOf(root) : root.host;
  const isIn = (state) => top !== null && matchesSelector(top, inState(state)); // handed up to all around
  const isFullScreen = fullscreenElementOf(document) !== null;
  const ofControls = names.filter((name) => kValidityStates.has(name));
  const ofFocus = names.filter((name) => kFocusStates.has(name));
  for (const name of names) {
    if (kValidityStates.has(name) || kFocusStates.has(name)) continue;
    if (kHandedUp.has(name) && !isIn(name)) continue;
    if (name === 'popover-open') look('[popover]:popover-open', [name]);
    else if (name === 'modal' && !isFullScreen) look('dialog:modal', [name]);
    else if (name !== 'fullscreen' || isFullScreen) look(inState(name), [name]);
  }
  if (ofFocus.length > 0 && isIn('focus-within')) look(inState('focus-within'), ofFocus);
  if (ofControls.length > 0) {
    const any = `:is(${ofControls.map(inState).join(',')})`;
    if (sawCustom)
      look(any, ofControls); // which may be a control
    else for (const tag of kValidatedTags) look(tag + any, ofControls);
  }
  return looks;
}
const kHandedUp = words('hover active');
const kFocusStates = words('focus focus-visible focus-within');
const kValidityStates = words('invalid user-invalid user-valid autofill -webkit-autofill');
const kValidatedTags = ['input', 'select', 'textarea', 'button', 'output', 'object', 'fieldset', 'form'];

// How far it reaches that an element has come to a state or left it; 0: no rule cares.
function reachOf(el, name, { states }) {
  const state = states.get(name);
  if (state === undefined) return kAlwaysStates.includes(name) ? OWN : 0;
  state.list ??= state.compounds.has('*') ? '*' : [...state.compounds].join(',');
  return state.list === '*' || matchesSelector(el, state.list) ? OWN | state.reach : 0;
}

// What is different now: { features, changed: [{ el, reach }] }; null where any element's style may be another.
function stateChanges() {
  const known = statesNoted;
  const roots = rootsWatched();
  if (known === null || known.states === null || known.roots !== roots.length) return null;
  if (known.element.deref() !== documentElementOf(document)) return null;
  const sheets = roots.flatMap(sheetsOf);
  if (known.media !== mediaNow(known.conditions)) return null;
  const features = (known.features ??= allFeatures(known.sheets));
  for (const name of features.states.keys()) if (!known.states.has(name)) return null;
  const restyled = areSame(known.sheets, sheets) ? [] : restyledByRules(known, sheets);
  if (restyled === null) return null;
  const now = features.unknown ? null : statesNow(roots, features);
  if (now === null || now.get('modal').size > 0) return null;
  const changed = [];
  const add = (el, name) => {
    const reach = reachOf(el, name, features);
    if (reach !== 0) changed.push({ el, reach });
  };
  const containers = containersNow(roots, sheets);
  if (containers === null || known.containers === null) return null;
  for (const el of [...restyled, ...resizedContainers(known.containers, containers)]) changed.push({ el, reach: OWN });
  pass.states = { roots: roots.length, found: now };
  for (const [name, elements] of now) {
    if (!known.states.has(name)) continue; // rules that have come ask for it, and their elements are known
    const before = new Set(known.states.get(name).map((ref) => ref.deref()));
    for (const el of before) if (el && !elements.has(el)) add(el, name);
    for (const el of elements) if (!before.has(el)) add(el, name);
  }
  return { features, changed };
}

// The elements that rules style which have come or gone since then, in the document; null where they can't be told. What those
// rules speak of is added to what is known.
function restyledByRules({ sheets: before, ofDocument, features }, sheets) {
  const now = sheetsOf(document);
  if (!areSame(before.slice(ofDocument), sheets.slice(now.length))) return null;
  const rules = rulesChanged(before.slice(0, ofDocument), now);
  const found = rules && styledBy(rules, document);
  if (found === null) return null;
  for (const { selector } of rules) if (selector !== null) noteFeatures(selector, features);
  pass.features = features;
  pass.rules = { before: before.slice(0, ofDocument), rules };
  return found;
}

export { hoveredIn, inState, noteStates, stateChanges };
