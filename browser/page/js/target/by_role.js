// `role=button[name="Save"][checked]`, a line of a snapshot such as `button "Save"`, and getByRole.

import { attr, closestOf, isRendered, querySelectorAllOf, tagOf, textContentOf } from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { PageError } from '../dom/errors.js';
import { isVisible } from '../dom/style.js';
import { isUndrawn, roleOf } from '../aria/roles.js';
import { checkedStateOf, disabledReason, expandedStateOf, levelOf, selectedStateOf } from '../aria/states.js';
import { contentName, nameOf } from '../aria/names.js';
import { drawnIn } from '../tree/natives.js';
import { recordOf } from '../tree/refs.js';
import { shadowsOf } from './css.js';
import { textMatcher } from './text_match.js';
import { isShownByMouse } from './under_mouse.js';

// A step that finds elements by role and by what each of the filters says. `role` and `words` serve the suggestions
// where nothing is found, `unexposed` the words where only elements match that assistive technology isn't told of.
function byRole(role, filters, words = '', hidden = false) {
  const want = role.toLowerCase() === 'image' ? 'img' : role.toLowerCase();
  const step = { role: want, words, unexposed: [] };
  step.find = (root) => {
    const found = [];
    const hiddenSo = [];
    for (const scope of [root, ...shadowsOf(root)])
      for (const el of querySelectorAllOf(scope, '*')) {
        const tag = tagOf(el);
        if (isUndrawn(el, tag) || (roleOf(el, tag) ?? 'generic') !== want) continue;
        if (!filters.every((fits) => fits(el, tag, want))) continue;
        const shown = hidden || isExposed(el) ? el : drawnIn(el);
        if (shown !== null) found.push(shown);
        else if (isRendered(el, { visibilityProperty: true })) step.unexposed.push(el);
        else hiddenSo.push(el);
      }
    return found.length > 0 ? found : hiddenSo.slice(0, kHiddenAsked).filter(isShownByMouse);
  };
  return step;
}

const kHiddenAsked = 20; // of those that nothing shows now, about each of which all rules are asked

// An option of a closed list is drawn when that opens.
const isExposed = (el) => {
  const drawn = tagOf(el) === 'option' ? (closestOf(el, 'select') ?? el) : el;
  return isRendered(drawn, { visibilityProperty: true }) && closestOf(el, '[aria-hidden=true],[inert]') === null;
};

// What an element is called, also what a snapshot doesn't name, as it prints all that it holds: a row of a table, an item of a list.
// What has no name of its own may have that of the box around it in its line.
const wholeNameOf = (el, tag, role) =>
  nameOf(el, tag, role) || (kNamedWhole.has(role) ? contentName(el, tag, false, 0) : (recordOf.get(el)?.name ?? ''));
const kNamedWhole = new Set(['row', 'listitem']);

const byName = (fits) => (el, tag, role) => fits(oneSpace(wholeNameOf(el, tag, role)));

function roleFinder(source, whole) {
  const form = /^([a-z]+)\s*((?:\[[^\]]*\]\s*)*)$/i.exec(
    source
      .trim()
      .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<==\s*)\/(?:[^/\\]|\\.)+\//g, (q) => q.replaceAll(']', '\u0001')),
  );
  if (!form) throw noSelector(whole, 'write role=button[name="Save"]');
  const filters = [];
  let words = '';
  for (const [part] of form[2].matchAll(/\[[^\]]*\]/g)) {
    const [, key, sign, value] = /^\[\s*([\w-]+)\s*(?:([*^$~|]?=)\s*(.*?))?\s*\]$/s.exec(part) ?? [];
    if (key === undefined) throw noSelector(whole, 'an attribute is written [name="Save"]');
    const given = sign ? value.replaceAll('\u0001', ']') : null;
    if (key.toLowerCase() === 'name') words = given ?? '';
    filters.push(roleFilter(key.toLowerCase(), sign, given, whole));
  }
  return byRole(form[1], filters, words.replace(/^["'/]|["'/]( i)?$/g, ''));
}

const noSelector = (whole, why) => new PageError(`Invalid selector ${quote(cut(whole, 200))}: ${why}.`);

function roleFilter(key, sign, value, whole) {
  if (key === 'name') {
    const loose = /^(.*?)\s+i$/s.exec(value ?? '');
    let source = loose ? loose[1] : (value ?? '');
    const isRegex = /^\/.+\/[a-z]*$/s.test(source);
    if (!isRegex && !/^["'].*["']$/s.test(source)) source = `"${source}"`;
    if (!isRegex) source = source[0] + source.slice(1, -1).replace(/\\(.)/g, '$1') + source.at(-1);
    const compare = kComparisons[sign];
    if (compare) {
      const fold = (text) => (loose ? text.toLowerCase() : text);
      const part = fold(oneSpace(source.slice(1, -1)));
      return byName((name) => part !== '' && compare(fold(name), part));
    }
    if (!loose) return byName(textMatcher(source));
    const lower = oneSpace(source.slice(1, -1)).toLowerCase();
    return byName((name) => name.toLowerCase().includes(lower));
  }
  const wanted = value === null ? 'true' : value.replace(/^["']|["']$/g, '');
  const read = kStateReaders[key];
  if (!read)
    throw noSelector(whole, `unknown attribute [${key}]; known are name, ${Object.keys(kStateReaders).join(', ')}`);
  if (sign && sign !== '=') throw noSelector(whole, `[${key}] is compared by =`);
  return stateFilter(key, wanted);
}

// How CSS compares attributes.
const kComparisons = {
  __proto__: null,
  '*=': (name, part) => name.includes(part),
  '^=': (name, part) => name.startsWith(part),
  '$=': (name, part) => name.endsWith(part),
  '~=': (name, part) => name.split(' ').includes(part),
  '|=': (name, part) => name === part || name.startsWith(`${part}-`),
};

const stateFilter = (key, wanted) => (el, tag, role) => String(kStateReaders[key](el, tag, role)) === wanted;

const kStateReaders = {
  __proto__: null,
  checked: checkedStateOf,
  disabled: (el, tag) => disabledReason(el, tag) !== '',
  expanded: expandedStateOf,
  level: levelOf,
  pressed: (el) => attr(el, 'aria-pressed') ?? 'false',
  selected: selectedStateOf,
};

// A line of a snapshot, without its ref: `- button "Save" [disabled]: text`. A long name may end with an ellipsis.
function lineRole(text) {
  const line = /^(?:-\s+)?([a-z]+)\s+("(?:[^"\\]|\\.)*")\s*(?:\[[^\]]*\]\s*)*(?::.*)?$/s.exec(text);
  if (!line) return null;
  let name;
  try {
    name = JSON.parse(line[2]);
  } catch {
    return null;
  }
  const whole = oneSpace(name);
  const fits = whole.endsWith('…') ? (given) => given.startsWith(whole.slice(0, -1)) : (given) => given === whole;
  const step = byRole(line[1], [byName(fits)], whole);
  const { find: findExact } = byRole(line[1], [byName((given) => given === whole)]); // it may be its own ellipsis
  const findSo = step.find;
  const isSaid = byName((given) => withoutStar(given) === whole);
  const isDrawn = (el) => oneSpace(attr(el, 'placeholder') ?? '') === whole;
  const { find: findSaid } = byRole(line[1], [(el, tag, role) => isSaid(el, tag, role) || isDrawn(el)]);
  const isAllSaid = (el) => oneSpace(textContentOf(el)) === whole;
  const finds = whole.endsWith('…') ? [findExact, findSo, findSaid] : [findSo, findSaid];
  if (kNamedBySome.has(line[1])) finds.push(byRole(line[1], [isAllSaid]).find);
  if (kKnownByPart.has(line[1])) finds.push(byRole(line[1], [(el) => holdsJust(el, whole)]).find);
  const begins = (said) => beginsWithWords(said, whole);
  const findBegun = byRole(line[1], [
    (el, tag, role) => begins(oneSpace(wholeNameOf(el, tag, role))) || begins(attr(el, 'placeholder') ?? ''),
  ]).find;
  if (kNamedInPart.has(line[1])) finds.push((root) => alone(findBegun(root)));
  step.find = (root) => {
    for (const find of finds) {
      const found = find(root);
      if (found.length > 0) return found;
    }
    return [];
  };
  return step;
}
const kNamedInPart = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);
const alone = (found) => (found.length === 1 ? found : []);

// Whether a name begins with words, and goes on with other ones: "Search" of "Search products...".
const beginsWithWords = (name, words) =>
  name.toLowerCase().startsWith(words.toLowerCase()) && !/[\p{L}\p{N}]/u.test(name[words.length] ?? '');

// What is called by the controls and pictures in it, too, as a header by the button that sorts, but says no more than one word to
// the eye.
const kNamedBySome = new Set([
  'button',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'columnheader',
  'rowheader',
  'cell',
  'gridcell',
  'listitem',
  'treeitem',
  'option',
  'tab',
]);

// What a person knows by the one cell or link in it that says so.
const kKnownByPart = new Set(['row', 'listitem', 'treeitem', 'article']);
const holdsJust = (el, words) =>
  [...querySelectorAllOf(el, '*')].some((part) => oneSpace(textContentOf(part)) === words);

// A name as one says it: without the star of what is required, the colon of a label, the dots of what asks on, and the signs that only decorate it.
function withoutStar(name) {
  const bare = name.replace(kSignsAround, '');
  return (bare || name).replace(/^\*\s*|\s*[*:]+$|\s*\((required|optional)\)$|(?<=\S)\s*(?:…|\.{3})$/gi, '');
}
const kDecoration = String.raw`(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u00AB\u00BB\u2039\u203A\u2190-\u21FF\u2500-\u27BF]|\uFE0F|\u200D|\s)+`;
const kSignsAround = new RegExp(`^${kDecoration}|${kDecoration}$`, 'gu');

// A role that an element of HTML has as its name: those elements where any can be seen, or else what has the role.
function tagOrRole(text, findTags) {
  if (!kTagsToo.has(text)) return null;
  const step = byRole(text, []);
  const { find } = step;
  step.find = (root) => {
    const tags = findTags(root);
    const found = tags.some(isVisible) ? [] : find(root);
    return found.length > 0 ? found : tags;
  };
  return step;
}
const kTagsToo = new Set('article button dialog figure form main menu meter option search table'.split(' '));

// A role alone, as a snapshot prints it, where no element of HTML has that name but the link of a head, which nobody means.
const bareRole = (text) => (kBareRoles.has(text) ? byRole(text, []) : null);
const kBareRoles = new Set(
  (
    'alert alertdialog banner cell checkbox columnheader combobox complementary contentinfo grid gridcell group heading ' +
    'link list listbox listitem log menubar menuitem menuitemcheckbox menuitemradio navigation note paragraph radio ' +
    'radiogroup region row rowgroup rowheader scrollbar searchbox separator slider spinbutton status switch tab ' +
    'tablist tabpanel textbox timer toolbar tooltip tree treegrid treeitem'
  ).split(' '),
);

export {
  bareRole,
  beginsWithWords,
  byName,
  byRole,
  tagOrRole,
  withoutStar,
  lineRole,
  roleFinder,
  stateFilter,
  wholeNameOf,
};
