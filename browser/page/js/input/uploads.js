// File inputs: the one behind a target, what C++ wants to know of it, and emptying it.

import { hasAttr, inputTypeOf, inputValueOf, querySelectorAllOf, tagOf } from '../dom/members.js';
import { PageError } from '../dom/errors.js';
import { shadowRootOf } from '../dom/shadow_roots.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { disabledReason } from '../aria/states.js';
import { controlOf } from '../aria/values.js';
import { refOf } from '../target/nearest.js';
import { describeElement, resolveTarget } from '../target/targets.js';
import { fire, setInputValue } from './setters.js';

// The file input behind a target: itself, its label's control, or the only one close by (a styled button's).
function fileInput({ target }) {
  const { el } = resolveTarget(target);
  const isFile = (candidate) => tagOf(candidate) === 'input' && inputTypeOf(candidate) === 'file';
  const control = controlOf(el);
  if (isFile(control)) return control;
  let at = el;
  for (let i = 0; at && i < kNearest; i++, at = flatParentOf(at)) {
    const inputs = [
      ...querySelectorAllOf(at, 'input[type=file]'),
      ...(shadowRootOf(at) ? querySelectorAllOf(shadowRootOf(at), 'input[type=file]') : []),
    ];
    if (inputs.length === 1) return inputs[0];
    if (inputs.length > 1)
      throw new PageError(`${describeElement(el)} is near ${inputs.length} file inputs: ${choiceWords(inputs)}`);
  }
  throw new PageError(
    `${describeElement(el)} is no file input and has none near it. Click what opens the file chooser, then give the files without a target.`,
  );
}

// Not each of them has a ref, as a page may keep one for itself, which what it shows in its place opens.
function choiceWords(inputs) {
  const known = inputs.map((input) => refOf(input) && describeElement(input) + refOf(input)).filter(Boolean);
  const which = known.length > 0 ? `target one of them (${known.join(', ')})` : 'target one of them';
  if (known.length === inputs.length) return `${which}.`;
  return `${which}, or click what opens the file chooser and give the files without a target.`;
}

const kNearest = 6; // elements, from a button to what is around it and the field

// The browser's own command gives files, but takes none away.
function clearFiles(el) {
  if (inputValueOf(el) === '') return { ok: true };
  setInputValue(el, '');
  fire(el, 'input');
  fire(el, 'change');
  return { ok: true };
}

// What C++ wants to know of a file input before it gives it files.
function fileInputState(el) {
  const disabled = disabledReason(el, tagOf(el));
  if (disabled) return { ok: false, error: `${describeElement(el)} is ${disabled}.` };
  return { ok: true, describe: describeElement(el), multiple: el.multiple || hasAttr(el, 'webkitdirectory') };
}

export { fileInput, clearFiles, fileInputState };
