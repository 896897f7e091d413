// A node of the snapshot's tree: { el, role, name, kids } with strings of text among the kids.

import { attr, hasAttr, rectOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { oneSpace } from '../dom/text.js';
import { classUnlike } from '../aria/state_words.js';

const kNoNodes = Object.freeze([]);

// A walk of the whole page and what is made of it are a pass. Nodes outlive passes where nothing has changed, but keep no
// element alive between them.
let passNumber = 0;
let made = null; // the nodes of the pass under way that have their element

function beginNodes() {
  passNumber++;
  made = [];
}

// `printed`: those that the next pass may ask for their element.
function endNodes(printed) {
  for (const node of printed) if (node.rec === null && node.weak === null) node.weak = weakOf(node.el);
  for (const node of made ?? []) {
    if ((node.quiet || node.icons !== null) && node.weak === null) node.weak = weakOf(node.el);
    node.el = null;
    node.pointed = null;
  }
  made = null;
}

const weakOf = (el) => (el === null ? null : new WeakRef(el));

// The element of a node, which an earlier pass may have made.
function elementOf(node) {
  if (node.el === null) {
    node.el = node.rec?.el.deref() ?? node.weak?.deref() ?? null;
    made?.push(node);
  }
  return node.el;
}

// An entry of a menu that is called by a line of dashes parts the others, and is nothing to choose.
function tellRule(node) {
  if (kRule.test(node.name))
    Object.assign(node, { role: 'separator', name: '', from: '', states: '', kids: [], pointer: false, kept: false });
}
const kRule = /^[-_=‐-―─]{3,}$/;

// What a row and an entry of a menu have of their own.
function tellByRole(node) {
  if (node.role === 'row') tellSelected(node);
  else if (node.role === 'menuitem') tellRule(node);
  if (kHeadless.has(node.role)) node.kids = node.kids.filter((kid) => !isHeadingCalled(kid, node.name));
}

// An item of a menu of styles is drawn as the heading that it makes, which says the item's name again.
const kHeadless = words('menuitem menuitemcheckbox menuitemradio option');
const isHeadingCalled = ({ role, name, kids }, called) => role === 'heading' && name === called && kids.length === 0;

// A node that differs in what is done with it.
function copyNode(node) {
  const el = elementOf(node);
  node.weak ??= weakOf(el); // as the copy is printed in its place, and it may be copied again
  const copy = { ...node, pass: passNumber, shared: 0, printed: 0, settled: null, short: null, marked: -1 };
  made?.push(copy);
  return copy;
}

function newNode(el, tag, role, name, from) {
  const node = {
    pass: passNumber, // that has made it: in a later one it is as it was
    shared: 0, // the last pass whose tree had it of an earlier one
    printed: 0, // the last pass whose tree had it
    el,
    weak: null, // the same, as a WeakRef, between two passes
    tag,
    role,
    name,
    from,
    kids: [],
    states: '',
    value: null,
    inline: false,
    boxed: false, // the same as a box: an inline-block
    kept: false,
    pointer: false,
    pointed: null, // what around it can be clicked (pointers.js)
    called: '', // what it is called without a name (hints.js)
    icons: null, // how those beside it look, until that is told (icons.js)
    told: null, // the same when it is
    ref: true,
    quiet: false, // aria-hidden text
    isPre: false, // its text is set as it is written
    typedIn: false, // in an editor or a grid: what is empty there is a place to type
    said: '', // the name of a label's control
    url: null,
    hint: null,
    marks: '',
    unseen: false, // nobody can see it, though it can be operated (sight_marks.js)
    untold: false, // the same where its snapshot had no room for it (snapshot/lighten.js)
    optionsLeft: 0, // of a select: how many of its options have no line (options.js)
    clip: '', // the mark of a slide that is clipped (clipped.js)
    place: '', // marks of its position; null: they are found out when its line is printed (positions.js)
    lead: false,
    trail: false,
    rec: null, // the record of its ref (refs.js), or that of one which isn't shown
    known: null,
    frame: null, // what it stands in, and while it is numbered the node around it (tree/numbering.js)
    holder: null,
    itemText: null,
    header: null,
    hash: 0,
    generation: 0, // of a tree's top: the snapshot's
    isCut: false, // whether its snapshot had no room for it; of a tree's top: whether nothing is known of that
    wasCut: false, // of a tree's top: whether some of its nodes were
    left: null, // of another document's: what is known of its ref there
    address: '', // the same: the document's URL
    hovered: null, // the same: what the mouse is over (snapshot/hovered.js)
    match: null, // the node of the other tree that it is compared with, and what is known of both (snapshot/pairs.js)
    up: null,
    live: false,
    sleeps: false,
    inert: kNoNodes, // what was here before and is inert now (snapshot/delta.js)
    marked: -1, // how many nodes in it are marked as invisible (snapshot/sighted.js)
    size: 0,
    head: 0,
    rank: -1,
    holdsQuiet: null, // of what is below it (quiet.js)
    settled: null, // the same without quiet nodes
    short: null, // the same in a compact snapshot (snapshot/compact.js)
  };
  made?.push(node);
  return node;
}
const kTextLevel = words('strong emphasis code mark deletion insertion subscript superscript time');
// In what is being written a person sees the emphasis that Control+B gives, whichever tag it is.
const kWritten = { __proto__: null, b: 'strong', i: 'emphasis' };
const kPlainRoles = new Set([...kTextLevel, 'generic', 'paragraph', 'img', 'blockquote', 'text']);

const isBare = (node) => node.name === '' && !node.kept && !node.pointer && node.states === '' && node.marks === '';

// Text and what only dresses text: nothing that a user could act on or refer to.
function isPlain(kid) {
  if (typeof kid === 'string') return true;
  if (!kPlainRoles.has(kid.role) || kid.pointer || kid.kept || kid.marks !== '' || kid.states !== '') return false;
  for (const inner of kid.kids) if (!isPlain(inner)) return false;
  return true;
}

// What is operated by a click, whatever the cursor.
const kClickable = words(
  'button link checkbox radio tab menuitem menuitemcheckbox menuitemradio option switch combobox treeitem ' +
    'textbox searchbox spinbutton slider listbox',
);

// A sign or a word that has the pointer of a link, and nothing else.
const isPressedText = ({ role, pointer, kids }) =>
  role === 'generic' && pointer === true && kids.length <= 1 && kids.every((kid) => typeof kid === 'string');

// What a table that only places things may hold.
const kPlacedControls = words('button textbox searchbox combobox spinbutton checkbox radio switch slider menuitem');
const isPlacedControl = (kid) =>
  typeof kid !== 'string' &&
  (kPlacedControls.has(kid.role) ||
    isPressedText(kid) ||
    (kid.role === 'generic' && isBare(kid) && kid.kids.length > 0 && kid.kids.every(isPlacedControl)));

// A part of a word that is set off, as what of a suggestion one has typed, is no word by itself. A space that it begins or ends with
// is its node's, no more its text's. Nor is a box in a line of text, as the count beside a label; boxes beside boxes are columns.
function joinWords(kids) {
  const isPart = (kid, i) =>
    typeof kid !== 'string' &&
    isSetOff(kid) &&
    ((!kid.lead && kWordEnd.test(textAt(kids[i - 1]))) || (!kid.trail && kWordStart.test(textAt(kids[i + 1]))));
  const textOf = ({ lead, trail, boxed, kids: [text] }) =>
    (lead || boxed ? ' ' : '') + text + (trail || boxed ? ' ' : '');
  const isText = (kid, i) => isPart(kid, i) || (isBoxed(kid) && isAmongText(kids, i));
  return kids.some(isText) ? kids.map((kid, i) => (isText(kid, i) ? textOf(kid) : kid)) : kids;
}
const isBoxed = (kid) =>
  typeof kid !== 'string' &&
  kid.boxed &&
  kid.role === 'generic' &&
  isBare(kid) &&
  !kid.quiet &&
  !kid.isPre &&
  kid.clip === '' &&
  kid.kids.length === 1 &&
  typeof kid.kids[0] === 'string';
const isAmongText = (kids, at) => {
  const besides = [-1, 1].map((step) => {
    let i = at + step;
    while (typeof kids[i] === 'string' && kids[i].trim() === '') i += step;
    return kids[i];
  });
  return besides.some((kid) => typeof kid === 'string') && besides.every((kid) => typeof kid !== 'object');
};
const textAt = (kid) => (typeof kid === 'string' ? kid : '');
const isSetOff = ({ role, inline, pointer, states, called, kids }) =>
  kSettingOff.has(role) &&
  inline &&
  !pointer &&
  states + called === '' &&
  kids.length === 1 &&
  typeof kids[0] === 'string';
const kSettingOff = words('strong emphasis mark');
const kWordEnd = /[\p{L}\p{N}]$/u;
const kWordStart = /^[\p{L}\p{N}]/u;

// --- What a control's name says

// What is drawn in a part that its author calls otherwise, as the number in a badge, where a name made of what those are called
// lacks it.
function textsRenamed(kids, name) {
  const texts = [];
  const visit = (kid, isRenamed) => {
    if (typeof kid !== 'string') {
      if (!kid.quiet)
        kid.kids.forEach((inner) => visit(inner, isRenamed || (kid.role === 'generic' && kid.name !== '')));
    } else if (isRenamed && /\p{N}|\p{L}{2}/u.test(kid) && !name.toLowerCase().includes(kid.trim().toLowerCase()))
      texts.push(kid.trim());
  };
  kids.forEach((kid) => visit(kid, false));
  return texts.length > 0 ? [texts.join(' ')] : [];
}

// What a named control holds, less the text that is its name, also where scripts alone can give that the focus.
function withoutSaid(kid, name) {
  if (typeof kid === 'string') return kid.trim() === name ? [] : [kid];
  if (
    kid.role !== 'generic' ||
    kid.quiet ||
    kid.name !== '' ||
    kid.pointer ||
    kid.states + kid.marks + kid.called !== ''
  )
    return [kid];
  const el = kid.kept ? elementOf(kid) : null; // which an earlier pass may have made
  if (kid.kept && (el === null || !isForScripts(el) || !kid.kids.every(isPlain))) return [kid];
  const kids = kid.kids.flatMap((inner) => withoutSaid(inner, name));
  if (kids.length === kid.kids.length && kids.every((inner, i) => inner === kid.kids[i])) return [kid];
  return kids.length === 0 ? [] : [Object.assign(copyNode(kid), { kids, hash: 0 })];
}

// --- A cell, and the only control in it

// A control on whose line the state of the cell is told that holds it alone, such as the chosen day of a calendar.
function withState(kid, { called, kids, states }) {
  if (kids.length !== 1 || typeof kid === 'string') return kid;
  const more = kid.states.includes(states) ? '' : states;
  const isTold = kid.called.includes(' [class=') || kToldState.test(kid.states + more);
  const state = isTold ? '' : (/ \[class=[^\]]+\]/.exec(called)?.[0] ?? '');
  if (more + state === '') return kid;
  return Object.assign(copyNode(kid), { states: more + kid.states, called: kid.called + state, header: null, hash: 0 });
}

// Whether a cell says no more than that the only control in it is the current one, the chosen one, or one that can't be operated.
const isPlaceOfControl = ({ el, role, name, kept, pointer, marks, states, kids }) =>
  kSoleCells.has(role) &&
  name === '' &&
  (!kept || (kPressedInCells.has(kids[0]?.role) && isForScripts(el))) &&
  !pointer &&
  marks === '' &&
  (states === '' || (role === 'gridcell' && kStatesOfControl.test(states))) &&
  kids.length === 1 &&
  kClickable.has(kids[0].role);
const kPressedInCells = words('button checkbox radio switch');
const isForScripts = (el) => Number(attr(el, 'tabindex')) < 0 && !hasAttr(el, 'onclick') && !hasAttr(el, 'draggable');
const kStatesOfControl = /^( \[(disabled|current|selected)\])+$/;
const kToldState = / \[(selected|checked|pressed|current|disabled)/;

// What in a cell or a header has the pointer of a link, if that holds all its words or has a name for them; or null.
function wordsPressed({ role, name, kids, kept, pointer, marks, called, told }) {
  if (!kPressedAlone.has(role) || name !== '' || kept || pointer || marks !== '' || told !== null) return null;
  const [kid] = kids;
  if (kids.length !== 1 || typeof kid === 'string' || kid.role !== 'generic' || kid.pointer !== true) return null;
  if (kid.marks !== '' || kid.told !== null || (kid.called !== '' && kid.called !== called)) return null;
  if (kid.name !== '') return kid.kids.length === 0 ? kid : null;
  return kid.kids.length === 1 && typeof kid.kids[0] === 'string' ? kid : null;
}
const kPressedAlone = words('cell gridcell columnheader');

// A cell and what is pressed in it as one line, with the ref of that, where both say no more.
function oneCell(cell) {
  const part = wordsPressed(cell);
  if (part === null) return cell;
  const states = cell.states + part.states;
  const told = { role: cell.role, name: part.name || part.kids[0], states, called: cell.called, kids: kNoNodes };
  return Object.assign(copyNode(part), told, { kept: true, header: null, hash: 0 });
}

// A cell is selected with its row.
const withoutSelected = (kid) =>
  kSoleCells.has(kid.role) && kid.states.includes(kSelectedState)
    ? Object.assign(copyNode(kid), { states: kid.states.replace(kSelectedState, ''), hash: 0 })
    : kid;

function tellSelected(row) {
  if (row.states.includes(kSelectedState)) row.kids = row.kids.map(withoutSelected);
}
const kSelectedState = ' [selected]';
const kSoleCells = words('cell gridcell');

// The day in a calendar, whose name is the whole date: the text says nothing that the name doesn't.
const kNamedMore = words('generic cell gridcell columnheader');

function tellDay(node) {
  if (node.name === '') return;
  const box = node.kids.length === 1 && node.kids[0].role === 'generic' && isBare(node.kids[0]) ? node.kids[0] : node;
  if (box.kids.some((part) => isNameOf(node, part))) node.kids = box.kids.filter((part) => !isNameOf(node, part));
  if (node.kids.length !== 1) return;
  const [kid] = node.kids;
  const isPart = typeof kid !== 'string' && isPressedWith(node, kid);
  const text = isPart ? kid.kids[0] : kid;
  if (typeof text !== 'string') return;
  if (isPart) node.states ||= kid.states;
  const isSaid =
    node.name === text || node.name.split(/[^\p{L}\p{N}]+/u).some((word) => word.replace(/^0+(?=\d)/, '') === text);
  node.kids = isSaid ? [] : [text];
}

// A part whose own name is that of the place says no more, whatever is in it.
const isNameOf = (place, { role, name, kids, kept, pointer, states, marks }) =>
  role === 'generic' && name === place.name && !kept && !pointer && states + marks === '' && kids.every(isPlain);

// Whether what has a pointer cursor in a named place has no more than a text, and is what a click on the place hits.
function isPressedWith({ el }, kid) {
  if (kid.role !== 'generic' || kid.kids.length !== 1 || typeof kid.kids[0] !== 'string') return false;
  if (kid.name !== '' || kid.marks !== '' || kid.called !== '') return false;
  const part = elementOf(kid);
  if (part === null) return false;
  kid.weak ??= weakOf(part); // it has no line, and is asked about again where only the place is walked again
  const [around, inner] = [rectOf(el), rectOf(part)];
  const x = around.left + around.width / 2;
  const y = around.top + around.height / 2;
  return inner.left < x && x < inner.right && inner.top < y && y < inner.bottom;
}

// Neighbours of one name, as the pins of a map are, tell their titles where those are not one, too. The second of two buttons, which
// often opens the choices of the first, tells by its class what it is.
function tellTitles(node) {
  const { kids } = node;
  for (let from = 0; from < kids.length; from++) {
    let to = from + 1;
    while (to < kids.length && areNamesakes(kids[from], kids[to])) to++;
    if (to - from < 2) continue;
    const titles = kids.slice(from, to).map(pinTitle);
    if (titles.some((title) => title !== titles[0]))
      titles.forEach((title, i) => (kids[from + i] = withTitle(kids[from + i], title)));
    else if (to - from === 2) kids[from + 1] = withClassUnlike(kids[from + 1], kids[from]);
    from = to - 1;
  }
}
const kPins = words('button link img');
const areNamesakes = (one, other) =>
  typeof one !== 'string' &&
  typeof other !== 'string' &&
  kPins.has(one.role) &&
  one.role === other.role &&
  one.name === other.name &&
  one.name !== '' &&
  one.kids.length + other.kids.length === 0;
function pinTitle(node) {
  const el = elementOf(node);
  return el === null ? '' : oneSpace(attr(el, 'title') ?? '');
}
function withClassUnlike(node, first) {
  const [el, other] = [elementOf(node), elementOf(first)];
  if (node.role !== 'button' || el === null || other === null || node.called + node.marks !== '') return node;
  const word = classUnlike(el, other);
  return word === '' ? node : Object.assign(copyNode(node), { called: ` [class=${word}]`, hash: 0 });
}
const withTitle = (node, title) =>
  title === '' || title === node.name ? node : Object.assign(copyNode(node), { kids: [title], hash: 0 });

export {
  isBare,
  isForScripts,
  isPlacedControl,
  isPlain,
  joinWords,
  kClickable,
  kNamedMore,
  passNumber,
  beginNodes,
  endNodes,
  elementOf,
  newNode,
  copyNode,
  kTextLevel,
  kWritten,
  isPlaceOfControl,
  oneCell,
  tellByRole,
  tellDay,
  tellTitles,
  textsRenamed,
  withoutSaid,
  withState,
};
