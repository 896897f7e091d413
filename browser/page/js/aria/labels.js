// Which labels a control has.

import { labelControlOf, querySelectorAllOf, rootNodeOf } from '../dom/members.js';
import { group } from '../dom/collections.js';
import { LABELS, note } from '../dom/noted.js';
import { pass } from '../dom/pass.js';

// `el.labels` walks the whole document anew for each control, so all labels of a scope are indexed at once.
function labelsOf(el) {
  note(LABELS);
  const root = rootNodeOf(el);
  pass.labels ??= new Map();
  let index = pass.labels.get(root);
  if (!index) {
    index = new Map();
    for (const label of querySelectorAllOf(root, 'label')) {
      const control = labelControlOf(label);
      if (control) group(index, control, label);
    }
    pass.labels.set(root, index);
  }
  return index.get(el) ?? kNoLabels;
}
const kNoLabels = [];

export { labelsOf };
