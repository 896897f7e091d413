// Roles: WAI-ARIA 1.2 for explicit ones, HTML-AAM for what an element is by itself.
// https://www.w3.org/TR/html-aam-1.0/#html-element-role-mappings

import { internalsOf } from '../dom/asked.js';
import {
  attr,
  designModeOf,
  embeddedSvgOf,
  firstChildOf,
  hasAnyAttr,
  hasAttr,
  inputTypeOf,
  isElement,
  isSvg,
  matchesSelector,
  nextSiblingOf,
  objectWindowOf,
  parentElementOf,
  tagOf,
} from '../dom/members.js';
import { BOX, note } from '../dom/noted.js';
import { oneSpace } from '../dom/text.js';
import { words } from '../dom/collections.js';
import { byIdNear, flatParentOf, idListOf } from '../dom/flat_tree.js';

const kRoles = words(
  'alert alertdialog application article banner blockquote button caption cell checkbox code ' +
    'columnheader combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form ' +
    'generic grid gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu ' +
    'menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation ' +
    'progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider ' +
    'spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer ' +
    'toolbar tooltip tree treegrid treeitem',
);

// Roles that a user operates. They are pointed out when covered or off-screen, and always carry a ref.
const kWidgets = words(
  'button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option ' +
    'radio scrollbar searchbox slider spinbutton switch tab textbox treeitem',
);

// Roles named by what they contain. https://www.w3.org/TR/wai-aria-1.2/#namefromcontent
const kNamedByContent = words(
  'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox ' +
    'menuitemradio option radio rowheader switch tab term tooltip treeitem',
);
const kChecked = words('checkbox menuitemcheckbox menuitemradio option radio switch treeitem');

const kDisabled = words(
  'application button combobox gridcell group link listbox menu menubar menuitem menuitemcheckbox ' +
    'menuitemradio option radio radiogroup row scrollbar searchbox separator slider spinbutton switch tab tablist textbox ' +
    'toolbar tree treegrid treeitem checkbox columnheader rowheader grid',
);

const kExpanded = words(
  'application button checkbox combobox gridcell link listbox menuitem row rowheader columnheader tab treeitem ' +
    'switch menuitemcheckbox menuitemradio group',
);
const kSelected = words('gridcell option row tab rowheader columnheader treeitem');
const kRequirable = words(
  'checkbox combobox gridcell listbox radiogroup searchbox spinbutton textbox tree switch slider',
);

const kSkippedTags = words(
  'script style template noscript head meta link title base param source track datalist colgroup col ' +
    'noframes rp desc metadata',
);

const kDrawable = words('script style');
// Whether an element is none that a person could see. A script or a style sheet that a style draws is one, with what it
// holds, as tools for developers put their overlay where no page looks for it.
const isUndrawn = (el, tag) =>
  kSkippedTags.has(tag) && !(kDrawable.has(tag) && !isSvg(el) && getComputedStyle(el).display !== 'none');

const kTagRoles = {
  __proto__: null,
  article: 'article',
  aside: 'complementary',
  blockquote: 'blockquote',
  button: 'button',
  caption: 'caption',
  code: 'code',
  dd: 'definition',
  del: 'deletion',
  details: 'group',
  dfn: 'term',
  dialog: 'dialog',
  dl: 'list',
  dt: 'term',
  em: 'emphasis',
  fieldset: 'group',
  figure: 'figure',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hr: 'separator',
  ins: 'insertion',
  li: 'listitem',
  form: 'form',
  main: 'main',
  mark: 'mark',
  math: 'math',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  s: 'deletion',
  search: 'search',
  strong: 'strong',
  sub: 'subscript',
  sup: 'superscript',
  textarea: 'textbox',
  time: 'time',
  ul: 'list',
  hgroup: 'group',
  address: 'group',
  frame: 'iframe',
  iframe: 'iframe',
};

const kInputRoles = {
  __proto__: null,
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  file: 'button',
  color: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
};
const kSectioning = words('article aside main nav section');
const kSectioningRoles = words('article complementary main navigation region');

function insideSectioning(el) {
  for (let at = flatParentOf(el); at; at = flatParentOf(at)) {
    const role = attr(at, 'role');
    if (role ? kSectioningRoles.has(role) : kSectioning.has(tagOf(at))) return true;
  }
  return false;
}

// Whether an author gave the element a name of its own; decides whether a section or form is a landmark.
function hasAuthorName(el) {
  if (!hasAnyAttr(el)) return false;
  return (
    oneSpace(attr(el, 'aria-label') ?? '') !== '' ||
    idListOf(el, 'aria-labelledby').some((id) => byIdNear(el, id)) ||
    oneSpace(attr(el, 'title') ?? '') !== ''
  );
}

function closestInFlat(el, tags) {
  for (let at = flatParentOf(el); at; at = flatParentOf(at)) if (tags.has(tagOf(at))) return at;
  return null;
}
const kTableTags = words('table');
const kListTags = words('ul ol menu');

function tableRoleOf(el) {
  const table = closestInFlat(el, kTableTags);
  if (!table) return null;
  const role = explicitRoleOf(table);
  return role === null ? 'table' : role;
}

// What the element is when no role attribute says otherwise; null for a plain container.
function nativeRoleOf(el, tag) {
  switch (tag) {
    case 'div':
    case 'span':
      return null;
    case 'a':
    case 'area':
      return hasAttr(el, 'href') || (el instanceof SVGElement && hasAttr(el, 'xlink:href')) ? 'link' : null;
    case 'input': {
      const type = inputTypeOf(el);
      if (type === 'hidden') return 'none';
      if (type in kInputRoles) return kInputRoles[type];
      if (hasAttr(el, 'list') && byIdNear(el, attr(el, 'list')) && /^(text|search|email|tel|url)$/.test(type))
        return 'combobox';
      return type === 'search' ? 'searchbox' : 'textbox';
    }
    case 'select':
      return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    case 'img':
      return attr(el, 'alt') === '' && !hasAuthorName(el) && !hasAttr(el, 'tabindex') ? 'none' : 'img';
    case 'object':
      return objectWindowOf(el) === null ? null : 'iframe'; // else a picture, or what stands in its place
    case 'embed':
      return embeddedSvgOf(el) === null && !/html|svg/.test(attr(el, 'type') ?? '') ? null : 'iframe';
    case 'svg':
      return firstChildOf(el) || hasAuthorName(el) || hasAttr(el, 'tabindex') ? 'img' : null;
    case 'header':
      return insideSectioning(el) ? null : 'banner';
    case 'footer':
      return insideSectioning(el) ? null : 'contentinfo';
    case 'section':
      return hasAuthorName(el) ? 'region' : null;
    case 'summary':
      return tagOf(flatParentOf(el) ?? el) === 'details' ? 'button' : null;
    case 'table':
      return 'table';
    case 'tbody':
      return !tableRoleOf(el) ? null : hasAuthorName(el) ? 'rowgroup' : 'none'; // Chromium leaves bodies out, too
    case 'thead':
    case 'tfoot':
      return tableRoleOf(el) ? 'rowgroup' : null;
    case 'tr':
      return tableRoleOf(el) ? 'row' : null;
    case 'td': {
      const table = tableRoleOf(el);
      return table === 'grid' || table === 'treegrid' ? 'gridcell' : table && 'cell';
    }
    case 'th':
      return headerCellRole(el);
    default:
      return kTagRoles[tag] ?? null;
  }
}

function headerCellRole(el) {
  if (!tableRoleOf(el)) return null;
  switch ((attr(el, 'scope') ?? '').toLowerCase()) {
    case 'row':
    case 'rowgroup':
      return 'rowheader';
    case 'col':
    case 'colgroup':
      return 'columnheader';
  }
  // Without a scope a header cell followed or preceded by data cells heads its row.
  const row = parentElementOf(el);
  if (!row) return 'columnheader';
  if (tagOf(row) !== 'tr') note(BOX); // a row's cells are visited together (tree/regions.js)
  for (let cell = firstChildOf(row); cell; cell = nextSiblingOf(cell))
    if (isElement(cell) && tagOf(cell) === 'td') return 'rowheader';
  return 'columnheader';
}

// The first role of the attribute that exists, or null.
function explicitRoleOf(el) {
  const value = attr(el, 'role');
  if (!value) return null;
  for (const role of value.trim().toLowerCase().split(/\s+/)) if (kRoles.has(role)) return role;
  return null;
}

const kGlobalAria = [
  'aria-label',
  'aria-labelledby',
  'aria-describedby',
  'aria-live',
  'aria-atomic',
  'aria-busy',
  'aria-controls',
  'aria-current',
  'aria-details',
  'aria-flowto',
  'aria-keyshortcuts',
  'aria-owns',
  'aria-relevant',
  'aria-roledescription',
];

// role="none" is ignored where it would hide something that takes focus or says something of itself.
// https://www.w3.org/TR/wai-aria-1.2/#conflict_resolution_presentation_none
// A field that no key gets to and nothing can be typed in only draws a sign.
function keepsRoleDespiteNone(el, tag) {
  if (tag === 'input' && hasAttr(el, 'readonly') && attr(el, 'tabindex') === '-1') return false;
  return isFocusable(el, tag) || kGlobalAria.some((name) => attr(el, name));
}
const kFocusableTags = words('button select textarea iframe summary');

function isFocusable(el, tag) {
  if (hasAttr(el, 'tabindex') && Number.isInteger(parseInt(attr(el, 'tabindex'), 10))) return true;
  if (tag === 'a' || tag === 'area') return hasAttr(el, 'href');
  if (tag === 'input') return inputTypeOf(el) !== 'hidden' && !matchesSelector(el, ':disabled');
  if (tag === 'summary') return nativeRoleOf(el, tag) === 'button';
  if (kFocusableTags.has(tag)) return !matchesSelector(el, ':disabled');
  return isEditableRoot(el);
}

function isEditableRoot(el) {
  const value = attr(el, 'contenteditable');
  return value !== null && value.toLowerCase() !== 'false';
}

// A document that is an editor as a whole, in its frame: its body is where one types, though it may hold nothing yet.
const isEditor = (body) => isEditableRoot(body) || designModeOf(document) === 'on';

// Presentational tables and lists take their parts along.
const kParts = {
  __proto__: null,
  li: kListTags,
  tr: kTableTags,
  td: kTableTags,
  th: kTableTags,
  tbody: kTableTags,
  thead: kTableTags,
  tfoot: kTableTags,
};

const kTypedTags = words('input textarea select');

function roleOf(el, tag) {
  let role = hasAttr(el, 'role') ? explicitRoleOf(el) : null;
  if (role === 'presentation' || role === 'none') {
    if (!keepsRoleDespiteNone(el, tag)) return 'none';
    role = null;
  }
  if (role === 'image') role = 'img';
  if (role === 'directory') role = 'list';
  if (role === 'region' && !hasAuthorName(el)) role = null;
  if (role && kTypedTags.has(tag) && !kWidgets.has(role) && role !== 'menu') role = null; // a search that is typed into
  if (role) return role;
  const native = nativeRoleOf(el, tag);
  if (native && tag in kParts && native !== 'none') {
    const owner = closestInFlat(el, kParts[tag]);
    if (
      owner &&
      /^(none|presentation)$/.test(explicitRoleOf(owner) ?? '') &&
      !keepsRoleDespiteNone(owner, tagOf(owner))
    )
      return null;
    if (tag === 'li' && owner && !/^(list|directory)$/.test(explicitRoleOf(owner) ?? 'list')) return null; // in a menu, in tabs
  }
  return native ?? (tag.includes('-') ? (internalsOf(el)?.role ?? null) : null);
}

// Rows of a table are no names; those of a grid may take focus and are.
function isGridRow(el) {
  if (hasAttr(el, 'tabindex')) return true;
  for (let at = flatParentOf(el); at; at = flatParentOf(at)) {
    const role = roleOf(at, tagOf(at));
    if (role === 'grid' || role === 'treegrid') return true;
    if (role === 'table') return false;
  }
  return false;
}

export {
  isGridRow,
  kWidgets,
  kNamedByContent,
  kChecked,
  kDisabled,
  kExpanded,
  kSelected,
  kRequirable,
  isUndrawn,
  kSkippedTags,
  isEditableRoot,
  isEditor,
  roleOf,
};
