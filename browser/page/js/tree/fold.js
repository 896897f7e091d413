// Folding decides which parts of the built tree are worth a line of their own.

import { titleShown } from '../aria/labels.js';
import { asWritten, oneSpace } from '../dom/text.js';
import { words } from '../dom/collections.js';
import { isWordGap, styleOf } from '../dom/style.js';
import { withClip } from './clipped.js';
import { laidOut, rowsOfMenu } from './laid_out.js';
import { gatherStandIns, keepIcons, passBeside, passIcons, takeTold, tellIcons, withIcons } from './icons.js';
import {
  dropDrawn,
  dropDrawnName,
  dropUnchosen,
  fieldFor,
  fieldIn,
  isReachedByKeys,
  kTickedItems,
  statesWith,
  withoutKid,
} from './natives.js';
import {
  copyNode,
  isBare,
  isPlacedControl,
  isPlaceOfControl,
  isPlain,
  joinWords,
  kClickable,
  kNamedMore,
  kTextLevel,
  oneCell,
  tellByRole,
  tellDay,
  tellTitles,
  textsRenamed,
  withoutSaid,
  withState,
} from './node.js';
import {
  dropSaidAgain,
  isBoxForScripts,
  isCaption,
  isEmptied,
  isEmptyRow,
  isFocusRing,
  isNothing,
  isShade,
} from './sight_marks.js';
import { isAllOneToPress, itemOfLink } from './whole_items.js';

// Joins neighbouring strings, tidies their spaces and drops a sole string that repeats the name.
function settleText(node, isEdited = false) {
  if (node.kids.length === 0) return;
  gatherStandIns(node);
  if (!isEdited) node.kids = joinWords(node.kids); // in an editor each part is told as what it is
  const { kids } = node;
  if (kids.length === 1 && typeof kids[0] === 'string' && plainWord.test(kids[0])) {
    if (kids[0] === node.name) node.kids = [];
    return;
  }
  const out = [];
  let run = '';
  let first = true;
  const isJoined = node.inline && node.role === 'generic'; // with the text around it
  const flush = () => {
    if (run === '') return;
    if (node.isPre) {
      const written = isJoined ? run : asWritten(run);
      if (written !== '') out.push(written);
      return;
    }
    if (run === ' ') {
      if (first) node.lead = true;
      first = false;
      return;
    }
    if (first && /^\s/.test(run)) node.lead = true;
    const text = oneSpace(run);
    if (text !== '') out.push(text);
    first = false;
  };
  for (const kid of kids) {
    if (typeof kid === 'string') {
      run = run === '' ? kid : run + kid;
      continue;
    }
    flush();
    run = '';
    first = false;
    out.push(kid);
  }
  flush();
  if (!node.isPre && (run === ' ' || (run !== '' && /\s$/.test(run)))) node.trail = true;
  if (out.length === 1 && out[0] === node.name) out.length = 0;
  node.kids = out;
  tellTitles(node);
}
const plainWord = /^[\x21-\x7e](?:[\x21-\x7e]| (?! ))*(?<! )$/;

const allPlain = (kids) => {
  for (const kid of kids) if (!isPlain(kid)) return false;
  return true;
};
// Of plain text only what is aria-hidden isn't in the name (quiet.js).
function quietIn(kids, out) {
  for (const kid of kids) {
    if (typeof kid === 'string') continue;
    if (kid.quiet) out.push(kid);
    else quietIn(kid.kids, out);
  }
  return out;
}
const hasText = (kids) => kids.some((kid) => typeof kid === 'string');

// Items of a structure are found by what they hold: only those that hold text themselves get a ref of their own.
const kStructural = words(
  'form listitem row rowgroup cell columnheader rowheader definition term generic group paragraph ' +
    'blockquote strong emphasis code mark deletion insertion subscript superscript time',
);

const kWorthEmpty = words(
  'iframe img separator dialog alertdialog textbox searchbox combobox listbox button link checkbox radio switch slider ' +
    'spinbutton tab menuitem menuitemcheckbox menuitemradio option treeitem progressbar meter scrollbar gridcell cell columnheader rowheader',
);

const kWrappers = words('generic group figure');

function foldInto(parent, node) {
  dropSaidAgain(node);
  dropDrawn(node);
  dropDrawnName(node);
  dropUnchosen(node);
  const { role } = node;
  let { kids } = node;
  if (isNothing(node) || isFocusRing(node) || isShade(node) || isCaption(parent, node) || isEmptied(node)) return;
  if (isStruckOut(node)) return;
  if (isBoxForScripts(node)) node.kept = false;
  if (node.pointer === true && (role === 'generic' || role === 'listitem') && isAroundControls(node))
    node.pointer = false;
  const field = fieldIn(node);
  if (field !== null && !kTickedItems.has(role) && isReachedByKeys(field)) {
    parent.kids.push(fieldFor(node, field));
    return;
  }
  if (field !== null) {
    node.states = statesWith(field, node);
    node.kids = kids = withoutKid(kids, field);
  }
  const bare = isBare(node);
  if (role === 'generic' && bare) {
    if (!node.inline) {
      keepGroup(parent, node);
      return;
    }
    const style = node.isPre || !hasText(kids) ? null : styleOf(node.el);
    if (node.lead || (style !== null && isWordGap(style.marginLeft, style.paddingLeft))) parent.kids.push(' ');
    passIcons(parent, node);
    kids.forEach((kid, i) => {
      // What stood without a space between was joined (joinWords), and texts have lost theirs at their ends.
      if (i > 0 && (typeof kid === 'string') !== (typeof kids[i - 1] === 'string')) parent.kids.push(' ');
      parent.kids.push(kid);
    });
    if (node.trail || (style !== null && isWordGap(style.marginRight, style.paddingRight))) parent.kids.push(' ');
    return;
  }
  if (role === 'treeitem') node.kids = kids = kids.map(withoutOwnPointer);
  if (node.from === 'content') {
    if (allPlain(kids)) {
      keepIcons(node);
      node.kids = [...titleOfSign(node), ...textsRenamed(kids, node.name), ...quietIn(kids, [])];
    } else if (showsKidsAlone(node)) node.name = '';
    else if (kOneLine.has(role)) node.kids = kids = withoutPlain(kids, node.name);
  } else if (role === 'img' && node.name !== '' && allPlain(kids)) {
    node.kids = [];
  } else if (node.from !== '' && kOneLine.has(role)) tellInOneLine(node);
  else if (kNamedMore.has(role)) tellDay(node);
  tellByRole(node);
  if (isAllOfLink(node)) node.kids = kids = [];
  if (isAllOneToPress(node)) parent.kids.push(itemOfLink(node, node.kids[0]));
  else foldOther(parent, node, bare);
}

// The pointer cursor of the line that an item of a tree is says no more than the item itself.
function withoutOwnPointer(kid) {
  if (typeof kid === 'string' || kid.role !== 'generic' || kid.kept || kid.called !== '') return kid;
  const kids = kid.pointer ? kid.kids : kid.kids.map(withoutOwnPointer);
  if (!kid.pointer && kids.every((inner, i) => inner === kid.kids[i])) return kid;
  return Object.assign(copyNode(kid), { pointer: false, kids });
}

// What of a control's children its name, which is their text, doesn't say: what can be operated.
function withoutPlain(kids, name) {
  return kids.flatMap((kid) => {
    if (isPlain(kid)) return [...textsRenamed([kid], name), ...quietIn([kid], [])];
    return kid.role === 'generic' && isBare(kid) && !kid.quiet ? withoutPlain(kid.kids, name) : [kid];
  });
}

// Whether all that a link holds is a button that is called as the link, or not at all: to press it is to follow the link.
function isAllOfLink({ role, name, kids }) {
  if (role !== 'link' || kids.length !== 1 || typeof kids[0] === 'string') return false;
  const [kid] = kids;
  if (kStructural.has(kid.role) && isBare(kid)) return isAllOfLink({ role, name, kids: kid.kids });
  if (kid.role !== 'button' || (kid.name !== name && kid.name !== '')) return false;
  return kid.kids.length === 0 && kid.states + kid.marks === '' && kid.value === null;
}

// The name that a cell, or a box that an author calls a tooltip, has from its content isn't shown where its children say more, nor that
// of a button to drop files on that is all around an editor.
const kNamedByKids = words('cell columnheader rowheader row gridcell tooltip');
const showsKidsAlone = ({ role, from, kids }) =>
  from === 'content' && (kNamedByKids.has(role) ? !allPlain(kids) : role === 'button' && kids.some(holdsField));
const holdsField = (kid) => typeof kid !== 'string' && (kWrittenIn.has(kid.role) || kid.kids.some(holdsField));
const kWrittenIn = words('textbox searchbox spinbutton');

// What a button is for, where a sign is all its name: B, ×.
function titleOfSign({ el, role, name }) {
  if (name.length > kSignLength || !kOneLine.has(role)) return [];
  const title = titleShown(el);
  return title === '' || title === name ? [] : [title];
}
const kSignLength = 2;

// A pointer cursor around nothing but what can be clicked itself says nothing.
function isAroundControls({ kids }) {
  let controls = 0;
  for (const kid of kids) {
    if (typeof kid === 'string') {
      if (kid.trim() !== '') return false;
    } else if (kid.pointer || kClickable.has(kid.role)) controls++;
    else return false;
  }
  return controls > 0;
}

// What has a name of its author's and holds text alone, in many pieces, tells what the name lacks as one text.
const kOneLine = words(
  'option menuitem menuitemcheckbox menuitemradio tab treeitem button link radio checkbox switch combobox',
);

function tellInOneLine(node) {
  node.kids = node.kids.flatMap((kid) => withoutSaid(kid, node.name));
  const { kids } = node;
  if (kids.length === 0 || !allPlain(kids)) return;
  const isSign = ({ role }) => role === 'img' && node.role === 'combobox' && kids.some(holdsText);
  const texts = [];
  const visit = (kid) => {
    if (typeof kid !== 'string') {
      if (!kid.quiet && !isSign(kid)) [kid.name, ...kid.kids].forEach(visit);
      return;
    }
    const text = kid.trim();
    // What a combobox holds is its value, though it may be a part of the name.
    const isSaidByName = node.role === 'combobox' ? node.name === text : node.name.includes(text);
    if (text !== '' && !isSaidByName && !texts.includes(text)) texts.push(text);
  };
  kids.forEach(visit);
  node.kids = [...(texts.length ? [texts.join(' ')] : []), ...quietIn(kids, [])];
}

// Whether it says something besides the pictures in it.
const holdsText = (kid) => (typeof kid === 'string' ? kid.trim() !== '' : !kid.quiet && kid.kids.some(holdsText));

// The same for what has been folded before and has lost or gained text since.
function refoldInto(parent, node) {
  const bare = isBare(node);
  if (node.role === 'generic' && bare) keepGroup(parent, node);
  else foldOther(parent, node, bare);
}

function foldOther(parent, node, bare) {
  const { role } = node;
  unwrapSoleGroup(node);
  if (role === 'generic' && node.pointer === true) node.kids = withoutGroups(node.kids);
  const content = laidOut(node);
  if (content) {
    Object.assign(node, { role: 'generic', pointer: false, kids: content });
    keepGroup(parent, node);
    return;
  }
  if (role === 'table') node.kids = rowsOfMenu(node) ?? node.kids;
  const { kids } = node;
  if (kids.length === 1 && kids[0] === node.name && kNotices.has(role)) kids.length = 0;
  if (kids.length === 1 && kids[0].name === node.name && node.name !== '' && !node.pointer && !node.kept) {
    // a wrapper with the name of its only child
    if (kWrappers.has(role) && node.states === '' && node.marks === '') {
      parent.kids.push(withClip(kids[0], node));
      return;
    }
    if (kStructural.has(role) && node.from !== 'content') node.name = '';
  }
  if (kTextLevel.has(role) && node.kids.length === 0) {
    passIcons(parent, node);
    return;
  }
  if (kTextLevel.has(role) && bare && kids.every(isPlacedControl)) {
    // emphasis of no text
    parent.kids.push(...kids);
    return;
  }
  tellIcons(node);
  if (role === 'img' && node.tag === 'svg' && bare) {
    // a nameless drawing is what can be read or clicked in it
    for (const kid of kids) parent.kids.push(' ', kid);
    return;
  }
  const isPlace = node.typedIn && kPlacesToType.has(role) && node.kids.length === 0;
  if (isEmptyLine(node) || isEmptyRow(node)) return;
  const isEmpty = node.kids.length === 0 && node.told === null;
  if (isEmpty && bare && node.value === null && !kWorthEmpty.has(role) && !isPlace) return;
  const isOperated = node.kept || node.pointer;
  if (kStructural.has(role) && !isOperated && node.name === '' && node.marks === '')
    node.ref = isPlace || (!kTextLevel.has(role) && hasText(node.kids));
  if (isPlaceOfControl(node) && node.told === null) {
    // It is one line of its row either way.
    parent.kids.push(withState(withClip(kids[0], node), node));
    return;
  }
  // A separator that takes the focus is one that is moved.
  if (!isOperated && !isPlace && (role === 'separator' || (role === 'cell' && node.name === ''))) node.ref = false;
  parent.kids.push(oneCell(node));
}
const kNotices = words('status alert log note dialog alertdialog region complementary');
// What is drawn in an editor or a grid though it holds nothing yet, and is clicked to type into it.
const kPlacesToType = words('listitem cell columnheader rowheader');

// An empty line of what a terminal tells readers, which a script may give the focus to.
function isEmptyLine(node) {
  const { role, kids, name, states, marks, value, told, pointer } = node;
  if (role !== 'listitem' || kids.length > 0 || name !== '' || value !== null || told !== null || pointer) return false;
  return states === '' && marks === '' && !isReachedByKeys(node);
}

// A label whose text its box has as its name is struck out with nothing in it.
const isStruckOut = ({ role, name, kids, states, value, called, kept, pointer }) =>
  states === ' [struck]' &&
  role === 'generic' &&
  name + called === '' &&
  kids.length === 0 &&
  value === null &&
  !kept &&
  !pointer;

// A block without a role: gone when it holds one thing, a line of its own when it holds text, else a group.
function keepGroup(parent, node) {
  const { kids } = node;
  if (kids.length === 0) {
    passIcons(parent, node);
    return;
  }
  if (kids.length === 1 && typeof kids[0] !== 'string') {
    passBeside(parent, node);
    parent.kids.push(withIcons(withState(withClip(kids[0], node), node), node));
    return;
  }
  tellIcons(node);
  node.ref = hasText(kids);
  parent.kids.push(node);
}

// A container whose only child is a plain group needs no group.
function unwrapSoleGroup(node) {
  const only = node.kids.length === 1 ? node.kids[0] : null;
  if (only && typeof only !== 'string' && only.role === 'generic' && !only.quiet && isBare(only) && only.clip === '') {
    node.kids = only.kids;
    if (node.role === 'generic' && node.pointer && !node.called.includes(' [class=')) node.called += only.called;
    takeTold(node, only);
  }
}

// What is pressed as one and holds a few things is their group: those in it group nothing more.
function withoutGroups(kids) {
  const isLine = (kid) => typeof kid === 'string' || kid.kids.every((inner) => typeof inner === 'string');
  const isGroup = (kid) =>
    typeof kid !== 'string' &&
    kid.role === 'generic' &&
    isBare(kid) &&
    !kid.ref &&
    !kid.quiet &&
    kid.clip + kid.called === '';
  const out = kids.flatMap((kid) => (isGroup(kid) && kid.told === null && kid.icons === null ? kid.kids : [kid]));
  return out.length > kids.length && out.length <= kFewToPress && out.every(isLine) ? out : kids;
}
const kFewToPress = 8;

export { settleText, foldInto, refoldInto, showsKidsAlone, unwrapSoleGroup };
