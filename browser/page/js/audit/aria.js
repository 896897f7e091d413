// What ARIA 1.2 knows: https://www.w3.org/TR/wai-aria-1.2/

import { attr, hasAttr, methodOf, tagOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { byIdNear, idListOf } from '../dom/flat_tree.js';

const kAriaRoles = words(
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
    'comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic ' +
    'grid gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu menubar ' +
    'menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio ' +
    'radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong ' +
    'subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree ' +
    'treegrid treeitem',
);
// Roles of other specifications: their prefix.
const kOtherRoles = /^(doc|graphics)-/;

const kTrueFalse = /^(true|false)$/;
const kTristate = /^(true|false|mixed)$/;
const kNumber = /^-?\d+(\.\d+)?$/;
const kValues = {
  __proto__: null,
  'aria-atomic': kTrueFalse,
  'aria-autocomplete': /^(inline|list|both|none)$/,
  'aria-busy': kTrueFalse,
  'aria-checked': kTristate,
  'aria-colcount': kNumber,
  'aria-colindex': kNumber,
  'aria-colspan': kNumber,
  'aria-current': /^(page|step|location|date|time|true|false)$/,
  'aria-disabled': kTrueFalse,
  'aria-dropeffect': null,
  'aria-expanded': kTrueFalse,
  'aria-grabbed': kTrueFalse,
  'aria-haspopup': /^(true|false|menu|listbox|tree|grid|dialog)$/,
  'aria-hidden': kTrueFalse,
  'aria-invalid': /^(true|false|grammar|spelling)$/,
  'aria-level': /^[1-9]\d*$/,
  'aria-live': /^(off|polite|assertive)$/,
  'aria-modal': kTrueFalse,
  'aria-multiline': kTrueFalse,
  'aria-multiselectable': kTrueFalse,
  'aria-orientation': /^(horizontal|vertical|undefined)$/,
  'aria-posinset': kNumber,
  'aria-pressed': kTristate,
  'aria-readonly': kTrueFalse,
  'aria-relevant': null,
  'aria-required': kTrueFalse,
  'aria-rowcount': kNumber,
  'aria-rowindex': kNumber,
  'aria-rowspan': kNumber,
  'aria-selected': kTrueFalse,
  'aria-setsize': kNumber,
  'aria-sort': /^(ascending|descending|none|other)$/,
  'aria-valuemax': kNumber,
  'aria-valuemin': kNumber,
  'aria-valuenow': kNumber,
  'aria-valuetext': null,
  'aria-label': null,
  'aria-roledescription': null,
  'aria-description': null,
  'aria-keyshortcuts': null,
  'aria-placeholder': null,
  'aria-colindextext': null,
  'aria-rowindextext': null,
  'aria-braillelabel': null,
  'aria-brailleroledescription': null,
};
const kReferences = words(
  'aria-activedescendant aria-controls aria-describedby aria-details aria-errormessage aria-flowto aria-labelledby ' +
    'aria-owns',
);
// What a role that an author gives must have beside it, where the element has none of its own.
const kNeeded = {
  __proto__: null,
  checkbox: 'aria-checked',
  switch: 'aria-checked',
  radio: 'aria-checked',
  menuitemcheckbox: 'aria-checked',
  menuitemradio: 'aria-checked',
  slider: 'aria-valuenow',
  scrollbar: 'aria-valuenow',
  meter: 'aria-valuenow',
  combobox: 'aria-expanded',
};

const attributeNamesOf = methodOf(Element, 'getAttributeNames');

// What is wrong with an element's ARIA, in words.
function ariaFaults(el) {
  const faults = [];
  const role = (attr(el, 'role') ?? '').trim().toLowerCase();
  const roles = role.split(/\s+/).filter(Boolean);
  if (roles.length && !roles.some((one) => kAriaRoles.has(one) || kOtherRoles.test(one)))
    faults.push(`role="${role}" is no role`);
  const needed = kNeeded[roles[0]];
  if (needed && !hasAttr(el, needed) && !/^(input|select|meter)$/.test(tagOf(el)))
    faults.push(`role="${roles[0]}" without ${needed}`);
  for (const name of attributeNamesOf(el)) {
    if (!name.startsWith('aria-')) continue;
    const value = (attr(el, name) ?? '').trim();
    if (kReferences.has(name)) {
      // What is controlled may come later; a name or description is read now.
      if (!/^aria-(labelledby|describedby|errormessage|details|activedescendant)$/.test(name)) continue;
      const missing = idListOf(el, name).filter((id) => byIdNear(el, id) === null);
      if (missing.length) faults.push(`${name} names ${missing.map((id) => `"${id}"`).join(', ')}, which isn't there`);
    } else if (!(name in kValues)) faults.push(`${name} is no attribute of ARIA`);
    else if (kValues[name] !== null && value !== '' && value !== 'undefined' && !kValues[name].test(value))
      faults.push(`${name}="${value}" is no value of it`);
  }
  return faults;
}

export { ariaFaults };
