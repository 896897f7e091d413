// What a control holds, and whether a text can be put into it.

import { areaValueOf, attr, hasAttr, inputTypeOf, inputValueOf, labelControlOf, tagOf } from '../dom/members.js';
import { words } from '../dom/collections.js';

// A value that must never leave the page: passwords, one-time codes, card security codes.
function isSecret(el, tag) {
  if (tag !== 'input' && tag !== 'textarea') return false;
  if (tag === 'input' && inputTypeOf(el) === 'password') return true;
  const style = kSecretHint.test([attr(el, 'autocomplete'), attr(el, 'name'), attr(el, 'id')].join(' '));
  if (style) return true;
  return wasPassword.has(el);
}

const kSecretHint =
  /\b(one-time-code|current-password|new-password|cc-csc)\b|(^|[\s_-])(otp|one[-_]?time[-_]?(code|pass\w*)|totp|mfa[-_]?code|passcode|cvc|cvv)([\s_-]|\d|$)/i;

// "Show password" turns the type into text; a field once seen as a password stays one.
const wasPassword = new WeakSet();

// The text that a control holds, or null when it holds none. Secrets give a mark.
function valueOf(el, tag, role) {
  if (tag === 'input') {
    const type = inputTypeOf(el);
    if (type === 'password') wasPassword.add(el);
    if (type === 'file') return fileNames(el);
    if (/^(checkbox|radio|button|submit|reset|image|hidden)$/.test(type)) return null;
    const value = inputValueOf(el);
    if (value === '') return null;
    return isSecret(el, tag) ? kHiddenValue : value;
  }
  if (tag === 'textarea') {
    const value = areaValueOf(el);
    return value === '' ? null : isSecret(el, tag) ? kHiddenValue : value;
  }
  if (tag === 'meter' || tag === 'progress') return hasAttr(el, 'value') ? String(el.value) : null;
  if (role === 'slider' || role === 'spinbutton' || role === 'progressbar' || role === 'meter' || role === 'scrollbar')
    return attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow');
  return null;
}
const kHiddenValue = '[value hidden]';

function fileNames(el) {
  const files = el.files;
  return files && files.length ? Array.from(files, (file) => file.name).join(', ') : null;
}
const kTypedInputs = words('text search email url tel password number');
const kSetInputs = words('date time datetime-local month week color range');

// Whether text can be put in: '' says no.
function isEditable(el) {
  const tag = tagOf(el);
  if (tag === 'textarea') return !el.readOnly;
  if (tag === 'input') return (kTypedInputs.has(inputTypeOf(el)) || kSetInputs.has(inputTypeOf(el))) && !el.readOnly;
  return el instanceof HTMLElement && (tag === 'form' ? false : el.isContentEditable);
}

// A label stands for its control.
function controlOf(el) {
  return tagOf(el) === 'label' ? (labelControlOf(el) ?? el) : el;
}

export { isSecret, valueOf, kHiddenValue, isEditable, controlOf };
