// What is wrong with the page for who can't see it, or can't use a mouse [tool.audit].

import {
  attr,
  closestOf,
  hasAttr,
  inputTypeOf,
  isRendered,
  matchesSelector,
  nodeTypeOf,
  parentElementOf,
  querySelectorAllOf,
  rootNodeOf,
  tagOf,
  textContentOf,
  titleOf,
} from '../dom/members.js';
import { cut, oneSpace, quote } from '../dom/text.js';
import { tagSketch } from '../dom/errors.js';
import { eachFlatChild } from '../dom/flat_tree.js';
import { withPass } from '../dom/pass.js';
import { isVisible } from '../dom/style.js';
import { levelOf } from '../aria/states.js';
import { nameOf, nameSource } from '../aria/names.js';
import { kSkippedTags, roleOf } from '../aria/roles.js';
import { beginNumbering, mintRef, nextRef, refText } from '../tree/refs.js';
import { describeElement } from '../target/targets.js';
import { ariaFaults } from './aria.js';
import { contrastFault, hasOwnText, isIdle } from './contrast.js';

const kElements = 50000; // looked at in one frame
const kFindingsShown = 20; // findings of one kind
const kWords = 160; // characters of a finding

const kKinds = {
  __proto__: null,
  'document-title': 'the document has no title',
  'html-lang': 'the document names no language, or none that there is',
  'meta-viewport': 'the page forbids to enlarge it',
  'image-alt': 'a picture without a text that stands for it (alt)',
  'field-label': 'a field without a label',
  'control-name': 'a control without a name',
  'frame-title': 'a frame without a title',
  'duplicate-id': 'several elements with one id',
  aria: 'wrong ARIA',
  'aria-hidden-focus': 'hidden from assistive technology, but takes the focus',
  'heading-empty': 'a heading without a text',
  'heading-order': 'a heading that skips a level',
  tabindex: 'a tabindex above 0, which breaks the order of the focus',
  'video-captions': 'a video without captions',
  contrast: 'text that hardly stands out from what is behind it',
};
const kFieldRoles = /^(textbox|searchbox|combobox|listbox|spinbutton|slider|checkbox|radio|switch)$/;
const kMustHaveName = /^(button|link|menuitem|menuitemcheckbox|menuitemradio|tab|option|treeitem)$/;
const kPressed = /^(submit|reset|button)$/; // inputs that the browser names by itself, or that are buttons
const kFocusable =
  'a[href],button:enabled,input:enabled:not([type=hidden]),select:enabled,textarea:enabled,[tabindex],[contenteditable=""],' +
  '[contenteditable=true],summary';

const kCaptionTracks = 'track[kind=captions],track:not([kind]),track[kind=subtitles]';
const kDepth = 1000; // of elements in each other

let lastAudit = null; // of the last audit: { kind, words, el }, in document order
let notedIssues = []; // elements that the browser has found something about

// Of an element that the browser has found something about: the next audit tells its ref with `kind`.
function noteIssue(el, kind) {
  notedIssues.push({ kind, words: '', el });
  return null;
}

function audit(args) {
  beginNumbering(args);
  // Numbered again, it tells the same.
  if (args.reassignFrom === undefined || lastAudit === null) lastAudit = withPass(collectFindings);
  return withPass(() => ({
    ok: true,
    groups: groupFindings(lastAudit.findings),
    looked: lastAudit.looked,
    next: nextRef,
  }));
}

function groupFindings(findings) {
  const groups = new Map();
  for (const { kind, words, el } of findings) {
    let group = groups.get(kind);
    if (!group) groups.set(kind, (group = { kind, words: kKinds[kind] ?? '', count: 0, findings: [] }));
    if (++group.count > kFindingsShown) continue;
    group.findings.push(el === null ? { ref: '', words } : { ref: findingRef(el), words: findingLine(el, words) });
  }
  return [...groups.values()];
}

function findingRef(el) {
  const tag = tagOf(el);
  const role = roleOf(el, tag) ?? 'generic';
  return refText(mintRef({ el, role, name: nameOf(el, tag, role) }));
}

const findingLine = (el, words) => cut(describeElement(el), kWords) + (words ? ': ' + cut(words, kWords) : '');

function collectFindings() {
  const state = { findings: [], ids: new Map(), level: 0, looked: 0 };
  const add = (kind, el, words = '') => state.findings.push({ kind, words, el });
  checkDocument(add);
  if (document.documentElement !== null) auditBelow(document.documentElement, false, 0, state, add);
  for (const [root, ids] of state.ids)
    for (const [id, elements] of ids)
      if (elements.length > 1) {
        const place = nodeTypeOf(root) === 11 ? ' in a shadow tree' : '';
        add('duplicate-id', elements[1], `id ${quote(cut(id, 80))} is on ${elements.length} elements${place}`);
      }
  const order = Object.keys(kKinds);
  const findings = state.findings.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  findings.push(...notedIssues);
  notedIssues = [];
  return { findings, looked: state.looked };
}

function checkDocument(add) {
  const root = document.documentElement;
  if (root === null) return;
  if (window === window.top && oneSpace(titleOf(document)) === '') add('document-title', null);
  const lang = (attr(root, 'lang') ?? attr(root, 'xml:lang') ?? '').trim();
  if (!isLanguage(lang)) add('html-lang', null, lang === '' ? '' : `lang=${quote(cut(lang, 40))}`);
  for (const meta of querySelectorAllOf(document, 'meta[name=viewport i]')) {
    const content = attr(meta, 'content') ?? '';
    const most = /maximum-scale\s*=\s*([\d.]+)/i.exec(content);
    if (/user-scalable\s*=\s*(no|0)\b/i.test(content) || (most && Number(most[1]) < 2))
      add('meta-viewport', null, cut(content, kWords));
  }
}

function isLanguage(lang) {
  try {
    return lang !== '' && Intl.getCanonicalLocales(lang).length === 1;
  } catch {
    return false;
  }
}

// `hidden`: an element around it is hidden from assistive technology.
function auditBelow(el, hidden, depth, state, add) {
  if (++state.looked > kElements || depth > kDepth) return;
  const tag = tagOf(el);
  const id = attr(el, 'id');
  if (id) noteFoundId(state.ids, rootNodeOf(el), id, el);
  if (kSkippedTags.has(tag)) return;
  const isHidden = hidden || attr(el, 'aria-hidden') === 'true';
  if (isRendered(el)) {
    if (isHidden) checkHidden(el, add);
    else checkElement(el, tag, state, add);
  }
  eachFlatChild(el, tag, (child) => {
    if (nodeTypeOf(child) === 1) auditBelow(child, isHidden, depth + 1, state, add);
  });
}

function noteFoundId(ids, root, id, el) {
  if (!ids.has(root)) ids.set(root, new Map());
  const known = ids.get(root).get(id);
  if (known) known.push(el);
  else ids.get(root).set(id, [el]);
}

function checkHidden(el, add) {
  if (matchesSelector(el, kFocusable) && attr(el, 'tabindex') !== '-1' && isVisible(el)) add('aria-hidden-focus', el);
}

function checkElement(el, tag, state, add) {
  for (const fault of ariaFaults(el)) add('aria', el, fault);
  const tabindex = Number(attr(el, 'tabindex') ?? 0);
  if (tabindex > 0) add('tabindex', el, `tabindex="${tabindex}"`);
  const role = roleOf(el, tag) ?? 'generic';
  const name = () => nameOf(el, tag, role);
  if (role === 'heading') checkHeading(el, tag, name(), state, add);
  if (!isVisible(el)) return;
  if (isPictureWithoutWords(el, tag, role, name)) add('image-alt', el, tagSketch(el));
  else if (isAuditedField(el, tag, role)) {
    if (name() === '' || nameSource === 'placeholder') add('field-label', el, fieldHint(el));
  } else if (kMustHaveName.test(role) && role !== 'option' && name() === '') add('control-name', el, tagSketch(el));
  if (/^i?frame$/.test(tag) && !(attr(el, 'title') ?? '').trim() && name() === '') add('frame-title', el);
  if (tag === 'video' && !hasAttr(el, 'muted') && querySelectorAllOf(el, kCaptionTracks).length === 0)
    add('video-captions', el);
  if (hasOwnText(el) && !isIdle(el)) {
    const fault = contrastFault(el);
    if (fault !== '') add('contrast', el, fault);
  }
}

function isPictureWithoutWords(el, tag, role, name) {
  if (tag === 'img') return !hasAttr(el, 'alt') && role !== 'none' && name() === '';
  if (tag === 'area') return hasAttr(el, 'href') && name() === '';
  if (tag === 'input') return inputTypeOf(el) === 'image' && name() === '';
  return role === 'img' && name() === '';
}

function isAuditedField(el, tag, role) {
  if (tag === 'input') return !kPressed.test(inputTypeOf(el)) && inputTypeOf(el) !== 'image';
  return kFieldRoles.test(role) && parentElementOf(el) !== closestOf(el, 'select');
}

// A placeholder goes away when somebody types, so it is no label.
function fieldHint(el) {
  const placeholder = oneSpace(attr(el, 'placeholder') ?? '');
  return placeholder ? `it has only a placeholder, ${quote(cut(placeholder, 60))}` : tagSketch(el);
}

function checkHeading(el, tag, name, state, add) {
  const level = levelOf(el, tag, 'heading');
  if (name === '' && oneSpace(textContentOf(el)) === '') add('heading-empty', el);
  if (state.level > 0 && level > state.level + 1) add('heading-order', el, `level ${level} after level ${state.level}`);
  state.level = level;
}

export { audit, noteIssue };
