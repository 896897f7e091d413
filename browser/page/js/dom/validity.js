// The browser's own check of form fields, and what it says at a field that it doesn't take: in a bubble beside the page, of which
// no member of the page tells. A page that only asks whether its fields are valid makes the same events.

import { getterOf, isConnected, isInput, ofControl } from './members.js';
import { deepActiveElement } from './flat_tree.js';

const kCheckedKinds = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement];
const messageGetters = kCheckedKinds.map((kind) => ofControl(getterOf(kind, 'validationMessage'), ''));
const formGetters = [...kCheckedKinds, HTMLButtonElement].map((kind) => ofControl(getterOf(kind, 'form'), null));
const buttonTypeOf = ofControl(getterOf(HTMLButtonElement, 'type'), '');

// Why the browser doesn't take what a field holds, in the words that it says itself; '' where it takes it.
const messageOf = (el) => messageGetters.reduce((found, read) => found || read(el), '');

// The form that a control belongs to, or null.
const formOf = (el) => formGetters.reduce((found, read) => found ?? read(el), null);

// Whether a click on an element sends its form.
const isSubmitter = (el, inputType) =>
  isInput(el) ? /^(submit|image)$/.test(inputType) : buttonTypeOf(el) === 'submit';

const kRefusedMax = 20; // fields of one form: the first that the page doesn't answer for has the bubble
let refusedNow = []; // { event, field, attempt }, in the order of the page; attempt: what sent the form, or null
let attempted = null; // what has been done to send a form: { event, form }
let refusedLast = null; // for a snapshot that is taken again

// A click on a button that sends a form, or Enter in one of its fields; null, anything else, ends the attempt.
function noteAttempt(attempt) {
  attempted = attempt;
}

// Of a field with an invalid value. A field that had the focus before isn't given it by a bubble.
function noteRefused(event, field) {
  const form = formOf(field);
  const attempt = attempted !== null && form !== null && attempted.form === form ? attempted.event : null;
  if ((attempt === null && deepActiveElement() === field) || refusedNow.length >= kRefusedMax) return;
  refusedNow.push({ event, field: new WeakRef(field), attempt });
}

// The field that the browser has complained of since the last snapshot, and still does; or null.
function refusedSince(again) {
  if (!again) {
    refusedLast = refusedNow.find(({ event }) => !event.defaultPrevented) ?? null;
    refusedNow = [];
    attempted = null;
  }
  const field = refusedLast?.field.deref();
  if (!field || refusedLast.attempt?.defaultPrevented || !isConnected(field)) return null;
  // A form that is sent isn't, whatever the page then does with the focus.
  const isSaid = refusedLast.attempt !== null || deepActiveElement() === field;
  return isSaid && messageOf(field) !== '' ? field : null;
}

export { formOf, isSubmitter, messageOf, noteAttempt, noteRefused, refusedSince };
