// What only the browser knows of an element: the role and states that its ElementInternals give it, and whether scripts
// listen for clicks on it. A walk notes of which elements it would like to know that; C++ takes the list, asks the
// browser, and tells the answers before the next walk [why.browser-asked].

import { matchesSelector, tagOf } from './members.js';

const kAtOnce = 100; // questions of each kind
const kTimesAsked = 3; // whether an element listens
const rolesOfTags = new Map(); // a custom element's tag -> whether its class gives it a role
const told = new WeakMap(); // element -> { role, name, states } of its ElementInternals
const listening = new WeakMap(); // element -> true: it listens; a number: how often the answer was that it doesn't
let roleQuestions = [];
let listenerQuestions = [];
let askedNow = new WeakSet(); // what needs no further asking before the next snapshot
let newTags = new Set();
let isFirst = true; // of the walks for one snapshot
let isWhole = true; // it is a snapshot of the whole page

// `again`: the snapshot is taken once more, with the answers to what the one before has asked. `whole`: it is no delta.
function beginQuestions(again, whole) {
  roleQuestions = [];
  listenerQuestions = [];
  newTags = new Set();
  isFirst = !again;
  isWhole = whole;
  if (!again) askedNow = new WeakSet();
}

// What the ElementInternals of a custom element say, as far as it was told: { role, name, states }.
const internalsOf = (el) => told.get(el);

// Whether any element has a role by its ElementInternals: then its states may change, which nothing in the document tells.
let anyRole = false;
const anyInternals = () => anyRole;

// Asks for that. One element of a class is asked about first; states change, so that where there is a role all are asked
// about each time.
function askInternals(el, tag) {
  const hasRole = rolesOfTags.get(tag);
  if (hasRole === false || askedNow.has(el) || roleQuestions.length >= kAtOnce) return;
  if ((!hasRole && newTags.has(tag)) || !matchesSelector(el, ':defined')) return;
  askedNow.add(el);
  newTags.add(tag);
  roleQuestions.push(el);
}

// Whether scripts listen for clicks on the element itself, as far as is known. What the first walk has no room to ask, the
// next snapshot does. A page that comes from its server as it looks has its listeners later, which nothing in the document
// tells: the next whole snapshots ask again, but not for ever.
function listens(el) {
  const known = listening.get(el);
  const isAsked = known === undefined || (isWhole && known !== true && known < kTimesAsked);
  if (isAsked && isFirst && !askedNow.has(el) && listenerQuestions.length < kAtOnce) {
    askedNow.add(el);
    listenerQuestions.push(el);
  }
  return known === true;
}

const questionCount = () => roleQuestions.length + listenerQuestions.length;

// First those whose roles are asked for, `roles` of them, then those whose listeners are. Another walk may begin before the
// answers come, so the list is all that they go by.
function takeQuestions() {
  const list = [...roleQuestions, ...listenerQuestions];
  list.roles = roleQuestions.length;
  roleQuestions = [];
  listenerQuestions = [];
  return list;
}

// `roles`: of each such element of the list { role, name, states } or null; `listeners`: whether each of the others listens.
function answerQuestions(list, { roles, listeners }) {
  roles.forEach((answer, i) => {
    const tag = tagOf(list[i]);
    if (answer !== null) {
      rolesOfTags.set(tag, true);
      anyRole = true;
      told.set(list[i], answer);
    } else if (!rolesOfTags.get(tag)) rolesOfTags.set(tag, false);
  });
  listeners.forEach((answer, i) => {
    const el = list[roles.length + i];
    listening.set(el, answer || (listening.get(el) ?? 0) + 1);
  });
}

export {
  answerQuestions,
  anyInternals,
  askInternals,
  beginQuestions,
  internalsOf,
  listens,
  questionCount,
  takeQuestions,
};
