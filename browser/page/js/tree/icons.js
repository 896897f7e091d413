// What a person reads from small pictures [tool.snapshot.icons]: stars, ticks, flags, dots that tell a state, the length of a
// bar. An icon is told on the line of the text that it stands beside; icons in a box of their own get a line. The walk puts
// stand-ins for them among what a node holds, and folding, which knows what is around them, takes these out again.

import {
  attr,
  clientWidthOf,
  closestOf,
  firstChildOf,
  isElement,
  nextSiblingOf,
  querySelectorAllOf,
  rectOf,
  scrollWidthOf,
  tagOf,
  textContentOf,
} from '../dom/members.js';
import { hasSign, oneSpace } from '../dom/text.js';
import { words } from '../dom/collections.js';
import { isBlank } from '../dom/colours.js';
import { flatParentOf, isAllOfCell } from '../dom/flat_tree.js';
import {
  DISPLAY_NONE,
  isIconSign,
  isUnseenIcon,
  ligatureOf,
  paints,
  styleFlags,
  styleOf,
  VISIBILITY_HIDDEN,
} from '../dom/style.js';
import { PSEUDO, traitsOf } from '../dom/traits.js';
import { isGone, sightOf, sightOfPicture } from '../dom/sight.js';
import { listens } from '../dom/asked.js';
import { callByLooks, inkOf, nameOfIcon, shapeOf } from './hints.js';
import { copyNode, kClickable, kTextLevel, newNode } from './node.js';
import { hasBox, isBesideField, isChildless, kInControl, markPointer } from './pointers.js';
import { isShade } from './sight_marks.js';

const kIconsRole = 'icons'; // a role that is never printed
const kIconRoles = words('generic img');
const kBars = words('progressbar meter');
const kIconPlaces = words('cell gridcell listitem definition'); // which may be painted themselves
const kWeak = '?'; // begins what is told only where it stands alone

// Whether a node of the walk, which has neither text nor a line, is an icon of its parent's and stands there as that now.
function takeIcon(node, parent, sight) {
  const { el, tag, role } = node;
  if (isLigatureAlone(node)) {
    if (isGone(sight) || node.pointed === kInControl) return true;
    if (node.pointer || node.kept) return false;
    standIn(parent, el, tag, [looksOf(el, tag) || `icon=${ligatureOf(el)}`], true);
    return true;
  }
  if (isSignAlone(node)) {
    const ink = inkOf(el);
    if (ink !== '' && kDyed.test(ink)) node.icons = [`icon=${node.kids[0]} ${ink}`];
    return false;
  }
  const isUnseen = isGone(sightOfPicture(sight));
  if (isSignRun(node)) {
    const part = partInSight(el);
    if (part < 1) node.icons = [`filled=${Math.round(part * 100)}%`];
    return false;
  }
  if (isSaidBeside(node) && (isUnseen || !node.pointer)) {
    const file = isUnseen ? '' : nameOfIcon(el);
    if (file !== '') standIn(parent, el, tag, [`icon=${file}`], true);
    return true;
  }
  if (node.kids.length > 0 || node.name !== '' || node.called !== '' || node.value !== null) return false;
  if (kBars.has(role)) {
    const filled = filledPart(el);
    if (filled !== '') node.icons = [filled];
    return false;
  }
  if (node.kept || node.pointer || node.pointed === kInControl || isUnseen) return false;
  const isPlace = kIconPlaces.has(role);
  if (!isPlace && !kIconRoles.has(role) && !kTextLevel.has(role)) return false;
  if (role === 'img' && tag !== 'svg') {
    const file = nameOfIcon(el); // it has a line of its own
    if (file !== '') node.called = ` [icon=${file}]`;
    return false;
  }
  const looks = looksOf(el, tag);
  if (looks === '') return false;
  if (!isPlace) standIn(parent, el, tag, [looks], true);
  else if (!looks.startsWith('looks=')) node.icons = [looks];
  return !isPlace;
}

// A picture whose name is all the text that it stands beside says no more than its looks do, or than that nobody can see it.
function isSaidBeside({ el, tag, name, kept, pointed }) {
  if (tag !== 'img' || name === '' || kept || pointed === kInControl) return false;
  const around = flatParentOf(el);
  return around !== null && oneSpace(textContentOf(around)) === name;
}

// A word that a font of icons draws as a sign, and of which nothing else tells.
const isLigatureAlone = ({ el, role, name, pointed }) => {
  if (!kIconRoles.has(role) && !kTextLevel.has(role)) return false;
  const word = ligatureOf(el);
  return word !== '' && (name === '' || name === word || pointed === kInControl);
};

// A sign of which there are several side by side, some of another colour: that of a rating.
const isSignAlone = ({ role, kids, pointed }) =>
  role === 'generic' && pointed !== kInControl && kids.length === 1 && /^[★☆●♥]$/.test(kids[0]);

// Several such signs, of which a box shows a part: those of a rating that lie over as many pale ones.
const isSignRun = ({ role, kids, pointed }) =>
  role === 'generic' && pointed !== kInControl && kids.length === 1 && /^\s*([★☆●♥])\1+\s*$/.test(kids[0]);

// How much of its own breadth an element, or a box around it, shows of it.
function partInSight(el) {
  for (let at = el, level = 0; at !== null && level < kSignLevels; at = flatParentOf(at), level++) {
    const all = scrollWidthOf(at);
    if (clientWidthOf(at) < all - 1 && styleOf(at).overflowX !== 'visible') return rectOf(at).width / all;
  }
  return 1;
}
const kSignLevels = 3;

// The same of a picture that its author calls a decoration, which it isn't where nothing else is there.
function takePicture(el, parent, sight) {
  if (parent.pointed === kInControl || isGone(sightOfPicture(sight))) return;
  const looks = looksOf(el, 'img');
  if (looks !== '') standIn(parent, el, 'img', [looks], true);
}

// What is aria-hidden and has no text: an icon is that even where it is all there is to click.
function visitQuietIcon(el, tag, parent, visibilityHidden, sightAbove) {
  if (visibilityHidden || kNoIcon.has(tag) || (oneSpace(textContentOf(el)) !== '' && ligatureOf(el) === '')) return;
  if (closestOf(el, '[role=combobox]')) return; // which opens wherever it is clicked
  const traits = traitsOf(el, false);
  const node = newNode(el, tag, 'generic', '', '');
  node.inline = true;
  markPointer(node, parent, el, tag, 'generic', traits);
  if (styleFlags(el) & (DISPLAY_NONE | VISIBILITY_HIDDEN)) return;
  if (!node.pointer && node.pointed === null && tag === 'svg' && isBesideField(el) && listens(el)) node.pointer = true;
  if (node.pointer ? !hasBox(el) : node.pointed === kInControl) return;
  const sight = sightOf(el, tag, traits, sightAbove);
  if (isGone(sightOfPicture(sight))) return;
  if (node.pointer && isShade(node)) return;
  if (node.pointer) {
    callByLooks(node);
    parent.kids.push(' ', node, ' ');
  } else {
    const found = [];
    gatherIcons(el, tag, found, kIconLevels);
    if (found.length > 0) standIn(parent, el, tag, found, true);
  }
}
const kNoIcon = words('input textarea select video audio iframe');
const kIconLevels = 3;

function gatherIcons(el, tag, found, levels) {
  const looks = looksOf(el, tag);
  if (looks !== '') found.push(looks);
  else if (levels > 0 && tag !== 'svg')
    for (let child = firstChildOf(el); child; child = nextSiblingOf(child))
      if (isElement(child) && !(styleFlags(child) & (DISPLAY_NONE | VISIBILITY_HIDDEN)) && !isUnseenIcon(child))
        gatherIcons(child, tagOf(child), found, levels - 1);
}

// --- How they look

const kIconMin = 6; // CSS px
const kIconMax = 64;
const kDyed = /^(?!.*(black|gray|white))/; // a name of a colour that is more than light or dark

// What an element's line, or that around it, says of it, or ''.
function looksOf(el, tag) {
  const isDrawing = tag === 'svg';
  const isWord = !isDrawing && ligatureOf(el) !== '';
  if (isDrawing ? isBlank(el) : !isWord && (!isChildless(el) || oneSpace(textContentOf(el)) !== '')) return '';
  const { width, height } = rectOf(el);
  const filled = isDrawing ? '' : filledPart(el);
  if (filled !== '' && height > 1) return filled;
  const least = Math.min(width, height);
  const isNarrowGlyph = least < kIconMin && least >= 1 && isGlyph(el); // as letters are, and no line that decorates
  if ((least < kIconMin && !isNarrowGlyph) || Math.max(width, height) > kIconMax) return '';
  if (isDrawing || isWord || tag === 'img' || isGlyph(el) || isPainted(el)) {
    const name = nameOfIcon(el);
    if (name === '') return isDrawing && !drawsField(el) ? dyed(shapeOf(el)) : '';
    if (tag === 'img') return `${kWeak}icon=${name}`;
    const ink = inkOf(el);
    return `icon=${name}${ink !== '' && kDyed.test(ink) ? ' ' + ink : ''}`;
  }
  const shape = shapeOf(el);
  const told = /(black|gray) circle$/.test(shape) && isAllOfCell(el) ? `looks=${shape}` : dyed(shape);
  return told !== '' && drawsField(el) ? '' : told;
}

// Whether a shape draws a part of a field that it lies over: the dot of a radio button, the thumb of a slider, a ripple.
function drawsField(el) {
  const { left, top, width, height } = rectOf(el);
  const [x, y] = [left + width / 2, top + height / 2];
  const isUnder = (field) => {
    const box = rectOf(field);
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  };
  for (let at = flatParentOf(el), level = 0; at !== null && level < kFieldLevels; at = flatParentOf(at), level++) {
    if (rectOf(at).height > height + 2 * kFieldRoom) return false; // a part of a page, with the fields of others
    const fields = querySelectorAllOf(at, kDrawnFields);
    if (fields.length > 0) return fields.length <= 2 && [...fields].some(isUnder); // a range has two thumbs
  }
  return false;
}
const kDrawnFields = 'input[type=radio],input[type=checkbox],input[type=range]';
const kFieldLevels = 4;
const kFieldRoom = 48; // CSS px
const dyed = (shape) => (shape !== '' && kDyed.test(shape) ? `looks=${shape}` : '');

// A sign of an icon font.
function isGlyph(el) {
  if (hasSign(textContentOf(el))) return true;
  if (!(traitsOf(el, false) & PSEUDO)) return false;
  return ['::before', '::after'].some((which) => isIconSign(getComputedStyle(el, which), el));
}

function isPainted(el) {
  const { backgroundImage, webkitMaskImage } = styleOf(el);
  return /^url\(/.test(backgroundImage) || /^url\(/.test(webkitMaskImage);
}

// How much of a bar its author has filled, where no text says it. That it is a part of something the box around it shows.
function filledPart(el) {
  const part = /(?:^|[;\s])(?:width|inline-size):\s*(\d+(?:\.\d+)?%)/.exec(attr(el, 'style') ?? '');
  if (part === null || !paints(styleOf(el))) return '';
  const bar = flatParentOf(el);
  return bar !== null && (paints(styleOf(bar)) || parseFloat(styleOf(bar).borderTopWidth) > 0)
    ? `filled=${part[1]}`
    : '';
}

// --- Where they are told

// `looks`: of each. `inline`: they belong to the text around them.
function standIn(parent, el, tag, looks, inline) {
  const node = newNode(el, tag, kIconsRole, '', '');
  node.ref = false;
  node.inline = inline;
  node.icons = looks;
  parent.kids.push(node);
}

const isStandIn = (kid) => typeof kid !== 'string' && kid.role === kIconsRole;

// Takes the stand-ins out of what a node holds. Of those that have a box of their own each is a line among other boxes.
function gatherStandIns(node) {
  if (!node.kids.some(isStandIn)) return;
  const isTop = node.role === 'fragment'; // which has no line
  const others = node.kids.filter((kid) => typeof kid !== 'string' && !isStandIn(kid));
  // How far it is filled the control beside it says in its value.
  if (others.some(({ role, value }) => role === 'slider' && value !== null))
    node.kids = node.kids.filter((kid) => !isStandIn(kid) || !kid.icons.every(isFilled));
  const isAlone = !isTop && (others.length === 0 || (others.length === 1 && hasItsText(others[0])));
  if (isAlone && others.length === 0 && node.from !== 'content' && arePutBetween(node.kids)) {
    node.told = node.kids.flatMap((kid) => (isStandIn(kid) ? kid.icons : [])); // for a name that is made of the text alone
    node.kids = node.kids.map((kid) => (isStandIn(kid) ? `${iconWords(kid.icons, false)} ` : kid));
    return;
  }
  const looks = [];
  node.kids = node.kids.filter((kid) => {
    if (!isStandIn(kid) || isTop || !(isAlone || kid.inline)) return true;
    looks.push(...kid.icons);
    return false;
  });
  node.kids = node.kids.map((kid) => (isStandIn(kid) ? lineOf(kid) : kid));
  if (looks.length > 0 && node.tag !== 'label') node.icons = [...(node.icons ?? []), ...looks];
}

// Whether there is text between two icons: then each stands in the text where it is, as of several it isn't clear which is
// whose. But signs that are text themselves are told together.
function arePutBetween(kids) {
  let icons = 0;
  let isBetween = false;
  for (const kid of kids) {
    if (typeof kid === 'string') isBetween ||= icons > 0 && /\S/.test(kid);
    else if (isBetween) return !kid.icons.some((icon) => kToldSigns.test(icon));
    else icons++;
  }
  return false;
}
const kToldSigns = /^icon=[★☆●♥]/;

const hasItsText = ({ role, kids }) => role === 'generic' && kids.some((kid) => typeof kid === 'string');
const lineOf = (kid) =>
  Object.assign(copyNode(kid), { role: 'img', called: iconWords(kid.icons, true), told: kid.icons, icons: null });

// Hands the icons of a node that gets no line on to the one around it.
function passIcons(parent, node) {
  if (node.icons !== null) standIn(parent, node.el, node.tag, node.icons, node.inline);
}

// The same where all that it holds is a control, beside which an icon says something if it is coloured.
function passBeside(parent, node) {
  if (node.icons === null || !isForUse(node.kids[0])) return;
  const icons = node.icons.filter((icon) => !isFilled(icon) && (isOwnWord(icon) || isBoxOf(node.kids[0], icon)));
  const filled = node.icons.filter(isFilled); // which is told on the line of the thumb that is drawn on it
  node.icons = filled.length > 0 ? filled : null;
  if (icons.length > 0) standIn(parent, node.el, node.tag, icons, true);
}
const isFilled = (icon) => icon.startsWith('filled=');
const isColoured = (icon) => /^looks=|^filled=|^icon=\S+ /.test(icon);

// Whether it says of what kind something is, where it stands beside a control.
const isOwnWord = (icon) => isColoured(icon) || kKind.test(icon);
// The box to tick of a button, which a page draws beside that.
const isBoxOf = ({ role }, icon) => role === 'button' && kTickBeside.test(icon);
const kTickBeside = /[=_-]((un)?checked|check|check[-_]?(box|square|empty)\w*|toggle[-_](on|off))(?![-_]circle)\b/i;
const kKind = /[=_-](file|folder|directory|dir|book|notebook|image|video|audio|archive|zip|pdf|disk|hdd)\b|_icon$/i;

// Tells a node's icons on its line.
function tellIcons(node) {
  const { kids } = node;
  if (node.icons === null) return;
  const areControls = kids.length > 0 && kids.every(isForUse) && !kids.every(isNumber);
  const icons = areControls ? node.icons.filter(isOwnWord) : node.icons;
  node.icons = null;
  if (isUntold(node) || icons.length === 0) return;
  node.told = [...icons, ...(node.told ?? [])];
  node.called = iconWords(icons, kids.length === 0 && node.name === '') + node.called;
}

// Of what it is the number only an icon beside it tells.
const isNumber = ({ name, kids }) => /^\p{N}[\p{N}.,+]*$/u.test((name || kids.join('')).trim());

// The same on the line of the only thing that it holds.
function withIcons(kid, { icons }) {
  if (icons === null || isUntold(kid)) return kid;
  const own = iconWords(icons, false);
  const called = kBars.has(kid.role) ? kid.called + own : own + kid.called;
  return Object.assign(copyNode(kid), { called, told: [...icons, ...(kid.told ?? [])], header: null, hash: 0 });
}

// Tells on a node's line what that of the group said whose contents it has taken.
function takeTold(node, group) {
  if (group.told === null || isUntold(node)) return;
  node.told = [...group.told, ...(node.told ?? [])];
  node.called = group.called + node.called;
}

// Keeps the icons of what a node holds, whose text its name has.
function keepIcons(node) {
  const visit = (kid) => {
    if (typeof kid === 'string') return kid.includes('=') ? iconsPutIn(kid, node.name) : [];
    return [...(kid.told ?? []), ...kid.kids.flatMap(visit)];
  };
  const found = node.kids.flatMap(visit);
  if (found.length > 0) node.icons = [...(node.icons ?? []), ...found];
}

// The icons that stand between the words of a text, which a name that is made of the text alone hasn't.
const iconsPutIn = (text, name) =>
  Array.from(text.matchAll(/\[((?:icon|looks)=[^\]]+)\]/g), ([, icon]) => icon).filter((icon) => !name.includes(icon));

// An icon only decorates what is operated or heads something. What is called by it says it already.
const isUntold = ({ role, tag, called, told }) =>
  kUntoldRoles.has(role) || tag === 'label' || (told === null && /\[(icon|looks)=/.test(called));
const kUntoldRoles = new Set([...kClickable, 'heading', 'img', 'iframe']);
const isForUse = (kid) => typeof kid !== 'string' && (kid.pointer || kClickable.has(kid.role));

// `isAlone`: nothing else tells what they do.
function iconWords(icons, isAlone) {
  const runs = [];
  for (const icon of icons) {
    if (icon.startsWith(kWeak) && !isAlone) continue;
    const looks = icon.replace(kWeak, '');
    if (runs.at(-1)?.looks === looks) runs.at(-1).count++;
    else runs.push({ looks, count: 1 });
  }
  let out = '';
  for (const { looks, count } of runs.slice(0, kRunsMax)) out += ` [${looks}${count > 1 ? ` x${count}` : ''}]`;
  const more = runs.slice(kRunsMax).reduce((sum, { count }) => sum + count, 0);
  return more > 0 ? `${out} [${more} more icons]` : out;
}
const kRunsMax = 8;

export {
  gatherIcons,
  gatherStandIns,
  iconWords,
  isColoured,
  isGlyph,
  kDyed,
  kIconLevels,
  keepIcons,
  passBeside,
  passIcons,
  takeIcon,
  takePicture,
  takeTold,
  tellIcons,
  visitQuietIcon,
  withIcons,
};
