// Values go through the setters of the prototypes, so that frameworks which watch an element's own `value` property see
// the change.

import { dispatch, setterOf } from '../dom/members.js';

const setInputValue = setterOf(HTMLInputElement, 'value');
const setAreaValue = setterOf(HTMLTextAreaElement, 'value');
const setOptionSelected = setterOf(HTMLOptionElement, 'selected');

function fire(el, type, Kind = Event, init = {}) {
  return dispatch(el, new Kind(type, { bubbles: true, composed: true, ...init }));
}

function setField(el, set, text) {
  set(el, text);
  fire(el, 'input', InputEvent, { inputType: 'insertText', data: text });
  fire(el, 'change');
}

export { setField, setInputValue, setAreaValue, setOptionSelected, fire };
