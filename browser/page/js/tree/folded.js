// What is closed: the head of a section or an accordion's question above what no one sees now.

import { attr, firstElementOf, hasAttr, nextElementOf, rectOf, tagOf, textContentOf } from '../dom/members.js';
import { words } from '../dom/collections.js';
import { flatParentOf } from '../dom/flat_tree.js';
import { BOX, note } from '../dom/noted.js';
import { DISPLAY_NONE, styleFlags, styleOf } from '../dom/style.js';

// Whether something to click has closed what comes right after it: the head of a section, a question of an accordion. Its
// author draws that by an arrow, if at all [tool.snapshot.marks].
function isFolded({ el, role, pointer }) {
  if (pointer !== true && !kFolding.has(role)) return false;
  if (role === 'link' && !/^(#|javascript:|$)/i.test(attr(el, 'href') ?? '')) return false; // it leads elsewhere
  const around = flatParentOf(el);
  const isWithin = around !== null && kHeading.test(tagOf(around)) && firstElementOf(around) === el;
  const head = isWithin && nextElementOf(el) === null ? around : el;
  const body = nextElementOf(head);
  if (body === null || !kBodies.has(tagOf(body)) || !kBodyRoles.has(attr(body, 'role') ?? '')) return false;
  if (hasAttr(body, 'aria-live')) return false;
  const isHead = head !== el || role === 'heading';
  if (!isHead && ![el, around, body].some((at) => at !== null && kFoldClass.test(attr(at, 'class') ?? '')))
    return false;
  if (hasAttr(el, 'aria-expanded') || hasAttr(head, 'aria-expanded') || !/\S/.test(textContentOf(body))) return false;
  note(BOX);
  if (styleFlags(body) & DISPLAY_NONE) return true;
  return rectOf(body).height < 1 && [body, firstElementOf(body)].some((at) => at !== null && clips(at));
}
const clips = (el) => /hidden|clip/.test(styleOf(el).overflowY);
const kFolding = words('button link'); // a heading only by its cursor
const kHeading = /^(h[1-6]|dt)$/;
const kBodyRoles = new Set(['', 'region', 'group', 'tabpanel', 'list']);
const kBodies = words('div section article aside nav form fieldset p ul ol dl dd table');
const kFoldClass = /accordion|collaps|expand|fold(?!er)|faq|question|disclos/i;

export { isFolded };
