// What decides about styles though no mutation tells of it: the sheets and their rules, the viewport and other media, and
// the states of elements that selectors speak of (:hover, :focus, :target).

import { documentElementOf, matchesSelector, querySelectorAllOf } from './members.js';
import { rootsWatched } from './changes.js';
import { mergeFeatures, newFeatures, OWN } from './features.js';
import { featuresOf, sheetsOf } from './sheets.js';

// What means something in the browser's own sheet, or to us.
const kAlwaysStates = ['modal', 'popover-open', 'fullscreen', 'not(:defined)'];
// What many sheets speak of, so that it is noted before anybody has looked what they do speak of.
const kUsualStates =
  'hover active focus focus-visible focus-within target invalid user-invalid user-valid autofill -webkit-autofill'.split(
    ' ',
  );
const kScheme = '(prefers-color-scheme: dark)';

// As it was at the last snapshot: { element, roots, sheets, features, conditions, media, states }, where `element` is the
// document's element, `features` is null until it is asked for, and `states` are WeakRefs by name.
let statesNoted = null;

function noteStates() {
  const roots = rootsWatched();
  const sheets = roots.flatMap(sheetsOf);
  const known = statesNoted !== null && areSame(statesNoted.sheets, sheets) ? statesNoted : newNotes(sheets);
  const states = statesNow(roots, known.features);
  if (states !== null)
    for (const [name, found] of states)
      states.set(
        name,
        Array.from(found, (el) => new WeakRef(el)),
      );
  statesNoted = {
    element: new WeakRef(documentElementOf(document)),
    roots: roots.length,
    sheets,
    features: known.features,
    conditions: known.conditions,
    media: mediaNow(known.conditions),
    states,
  };
}

const newNotes = (sheets) => ({
  features: null,
  conditions: new Set([kScheme, ...sheets.flatMap(({ conditions }) => [...conditions])]),
});

function allFeatures(sheets) {
  const features = newFeatures();
  for (const sheet of sheets) mergeFeatures(features, featuresOf(sheet));
  return features;
}

const areSame = (some, others) => some.length === others.length && some.every((one, i) => one === others[i]);

const mediaNow = (conditions) =>
  [innerWidth, innerHeight, devicePixelRatio, ...Array.from(conditions, (one) => matchMedia(one).matches)].join(' ');

// The selector for a state. In a document without a doctype a lone :hover or :active matches links alone, but rules that
// name anything beside it match all elements.
const inState = (name) => `:${name}:not(_)`;

// The elements in each state that a selector may speak of: name -> Set. null: a state that can't be asked for.
function statesNow(roots, features) {
  const found = new Map();
  for (const name of [...kAlwaysStates, ...(features === null ? kUsualStates : features.states.keys())])
    found.set(name, new Set());
  const any = [...found.keys()].map(inState).join(',');
  try {
    for (const root of roots)
      for (const el of querySelectorAllOf(root, any))
        for (const [name, elements] of found) if (matchesSelector(el, inState(name))) elements.add(el);
  } catch {
    return null;
  }
  return found;
}

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
  if (!areSame(known.sheets, sheets) || known.media !== mediaNow(known.conditions)) return null;
  const features = (known.features ??= allFeatures(sheets));
  for (const name of features.states.keys()) if (!known.states.has(name)) return null;
  const now = features.unknown ? null : statesNow(roots, features);
  if (now === null || now.get('modal').size > 0) return null;
  const changed = [];
  const add = (el, name) => {
    const reach = reachOf(el, name, features);
    if (reach !== 0) changed.push({ el, reach });
  };
  for (const [name, elements] of now) {
    for (const ref of known.states.get(name)) {
      const el = ref.deref();
      if (el && !elements.delete(el)) add(el, name);
    }
    for (const el of elements) add(el, name);
  }
  return { features, changed };
}

export { inState, noteStates, stateChanges };
