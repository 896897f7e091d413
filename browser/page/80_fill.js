// Putting values into controls. Values go through the native setters of the prototypes, so that frameworks that
// track an element's own `value` property see the change.

const setInputValue = setterOf(HTMLInputElement, 'value');
const setAreaValue = setterOf(HTMLTextAreaElement, 'value');
const setOptionSelected = setterOf(HTMLOptionElement, 'selected');

function fire(el, type, Kind = Event, init = {}) {
  return dispatch(el, new Kind(type, { bubbles: true, composed: true, ...init }));
}
