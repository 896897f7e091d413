// The DOM's members as plain functions.
//
// A page cannot replace JavaScript's builtins in this world, but <form> and document let named children shadow any DOM
// property (<input name="parentNode">). So DOM members are never looked up on the element itself: they are taken from
// their prototypes here, once, and called as functions.

import { words } from './collections.js';
import { BOX, LABELS, note, noteLook } from './noted.js';

const uncurry = (fn) => Function.prototype.call.bind(fn);
const getterOf = (type, name) => uncurry(Object.getOwnPropertyDescriptor(type.prototype, name).get);
const setterOf = (type, name) => uncurry(Object.getOwnPropertyDescriptor(type.prototype, name).set);
const methodOf = (type, name) => uncurry(type.prototype[name]);
// What depends on more than the element and what is around and below it (dom/noted.js).
const noting = (bits, read) => (el) => {
  note(bits);
  return read(el);
};
const measuring = (read) => (el) => {
  const value = read(el);
  noteLook(read, el, value);
  return value;
};
const notingHit = (hit) => (root, x, y) => {
  note(BOX);
  return hit(root, x, y);
};
const nodeTypeOf = getterOf(Node, 'nodeType');
const nodeValueOf = getterOf(Node, 'nodeValue');
const firstChildOf = getterOf(Node, 'firstChild');
const lastChildOf = getterOf(Node, 'lastChild');
const nextSiblingOf = getterOf(Node, 'nextSibling');
const previousSiblingOf = getterOf(Node, 'previousSibling');
const parentNodeOf = getterOf(Node, 'parentNode');
const parentElementOf = getterOf(Node, 'parentElement');
const nextElementOf = getterOf(Element, 'nextElementSibling');
const firstElementOf = getterOf(Element, 'firstElementChild');
const lastElementOf = getterOf(Element, 'lastElementChild');
const previousElementOf = getterOf(Element, 'previousElementSibling');
const isConnected = getterOf(Node, 'isConnected');
const textContentOf = getterOf(Node, 'textContent');
const innerTextOf = getterOf(HTMLElement, 'innerText');
const rootNodeOf = methodOf(Node, 'getRootNode');
const containsNode = methodOf(Node, 'contains');
const localNameOf = getterOf(Element, 'localName');
const namespaceOf = getterOf(Element, 'namespaceURI');
// The members of a control, and of what a selector finds because it is only called so, those of an empty hidden field.
const ofControl = (read, otherwise) => (el) => {
  try {
    return read(el);
  } catch {
    return otherwise;
  }
};
// What is called as a control of HTML's, but stands in a drawing or a formula, as D3's append() makes it, is none: it has
// none of a control's members, and the browser doesn't show it.
const kControlTags = words('input textarea select option optgroup label slot details summary meter progress');
const tagOf = (el) => {
  const name = localNameOf(el);
  return kControlTags.has(name) && namespaceOf(el) !== kHtml ? `foreign:${name}` : name;
};
const kHtml = 'http://www.w3.org/1999/xhtml';
const attr = methodOf(Element, 'getAttribute');
const hasAttr = methodOf(Element, 'hasAttribute');
const hasAnyAttr = methodOf(Element, 'hasAttributes');
const attrNamesOf = methodOf(Element, 'getAttributeNames');
const matchesSelector = methodOf(Element, 'matches');
const closestOf = methodOf(Element, 'closest');
const openRootOf = getterOf(Element, 'shadowRoot');
const slotOf = getterOf(Element, 'assignedSlot');
const bareRectOf = methodOf(Element, 'getBoundingClientRect'); // for what isn't part of an element's visit
const rectOf = measuring(bareRectOf);
const clientRectsOf = methodOf(Element, 'getClientRects');
const scrollHeightOf = measuring(getterOf(Element, 'scrollHeight'));
const scrollWidthOf = measuring(getterOf(Element, 'scrollWidth'));
const clientHeightOf = measuring(getterOf(Element, 'clientHeight'));
const clientWidthOf = measuring(getterOf(Element, 'clientWidth'));
const clientLeftOf = getterOf(Element, 'clientLeft');
const clientTopOf = getterOf(Element, 'clientTop');
const scrollLeftOf = measuring(getterOf(Element, 'scrollLeft'));
const offsetWidthOf = measuring(getterOf(HTMLElement, 'offsetWidth'));
const offsetHeightOf = measuring(getterOf(HTMLElement, 'offsetHeight'));
const scrollTopOf = measuring(getterOf(Element, 'scrollTop'));
const isRendered = methodOf(Element, 'checkVisibility');
const scrollIntoViewOf = methodOf(Element, 'scrollIntoView');
const assignedNodesOf = ofControl(methodOf(HTMLSlotElement, 'assignedNodes'), []);
const documentQueryAll = methodOf(Document, 'querySelectorAll');
const fragmentQueryAll = methodOf(DocumentFragment, 'querySelectorAll');
const elementQueryAll = methodOf(Element, 'querySelectorAll');

const querySelectorAllOf = (root, selector) =>
  (nodeTypeOf(root) === 9 ? documentQueryAll : nodeTypeOf(root) === 11 ? fragmentQueryAll : elementQueryAll)(
    root,
    selector,
  );
const byTagName = methodOf(Document, 'getElementsByTagName');
// The same for a selector that can't be wrong. The browser keeps what has a tag until elements come or go, and looks through all of
// the document for anything else.
function elementsOf(root, selector) {
  const tag = nodeTypeOf(root) === 9 ? kTagFirst.exec(selector)?.[1] : undefined;
  if (tag === undefined || document.contentType !== 'text/html') return querySelectorAllOf(root, selector);
  const all = byTagName(root, tag);
  return selector === tag || all.length === 0 ? all : querySelectorAllOf(root, selector);
}
const kTagFirst = /^([a-z]+|\*)(?=$|[[:])[^\s,>+~]*$/;
const walkElements = (root) => document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
const nextElementIn = methodOf(TreeWalker, 'nextNode');
const documentQuery = methodOf(Document, 'querySelector');
const documentById = methodOf(Document, 'getElementById');
const fragmentById = methodOf(DocumentFragment, 'getElementById');
const documentElementOf = getterOf(Document, 'documentElement');
const bodyOf = getterOf(Document, 'body');
const designModeOf = getterOf(Document, 'designMode');
const activeElementOf = getterOf(Document, 'activeElement');
const shadowActiveElementOf = getterOf(ShadowRoot, 'activeElement');
const scrollingElementOf = getterOf(Document, 'scrollingElement');
const fullscreenElementOf = getterOf(Document, 'fullscreenElement');
const titleOf = getterOf(Document, 'title');
const hitInDocument = notingHit(methodOf(Document, 'elementFromPoint'));
const documentAnimations = methodOf(Document, 'getAnimations');
const rootAnimations = methodOf(ShadowRoot, 'getAnimations');
const hitsInDocument = notingHit(methodOf(Document, 'elementsFromPoint'));
const hitsInRoot = notingHit(methodOf(ShadowRoot, 'elementsFromPoint'));
const hitInRoot = notingHit(methodOf(ShadowRoot, 'elementFromPoint'));
const dispatch = methodOf(EventTarget, 'dispatchEvent');
const inputTypeOf = ofControl(getterOf(HTMLInputElement, 'type'), 'hidden');
const inputValueOf = ofControl(getterOf(HTMLInputElement, 'value'), '');
const inputCheckedOf = ofControl(getterOf(HTMLInputElement, 'checked'), false);
const inputIndeterminateOf = ofControl(getterOf(HTMLInputElement, 'indeterminate'), false);
const naturalWidthOf = ofControl(getterOf(HTMLImageElement, 'naturalWidth'), 0);
// Whether a video or a sound is at a stand; so is what is only called so.
const objectWindowOf = ofControl(getterOf(HTMLObjectElement, 'contentWindow'), null);
const embeddedSvgOf = ofControl(methodOf(HTMLEmbedElement, 'getSVGDocument'), null);
const isPausedOf = ofControl(getterOf(HTMLMediaElement, 'paused'), true);
const isEndedOf = ofControl(getterOf(HTMLMediaElement, 'ended'), true);
const areaValueOf = ofControl(getterOf(HTMLTextAreaElement, 'value'), '');
const selectOptionsOf = ofControl(getterOf(HTMLSelectElement, 'options'), []);
const selectedIndexOf = ofControl(getterOf(HTMLSelectElement, 'selectedIndex'), -1);
const optionSelectedOf = ofControl(getterOf(HTMLOptionElement, 'selected'), false);
// The EditContext that an editor of the page's own takes its text by; Chromium 121 and later.
const editContextGetter = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'editContext')?.get;
const editContextOf = editContextGetter ? uncurry(editContextGetter) : () => null;
const ownControlOf = ofControl(getterOf(HTMLLabelElement, 'control'), null);
// What a label belongs to: the browser's answer, or the box to tick right before a label that names none. A script ticks that where
// such a label is clicked, and a person takes it for what is beside the box.
const labelControlOf = noting(LABELS, (label) => ownControlOf(label) ?? tickBefore(label));
function tickBefore(label) {
  if (!(label instanceof HTMLLabelElement) || hasAttr(label, 'for')) return null;
  const before = previousElementOf(label);
  if (!(before instanceof HTMLInputElement) || !kTickTypes.has(inputTypeOf(before))) return null;
  const after = nextElementOf(label);
  return labelsOfInput(before)?.length || (after && kBehindLabel.has(tagOf(after))) ? null : before;
}
const labelsOfInput = ofControl(getterOf(HTMLInputElement, 'labels'), null);
const positionTo = methodOf(Node, 'compareDocumentPosition');
const isBefore = (node, other) => (positionTo(node, other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
const kTickTypes = words('checkbox radio');
const kBehindLabel = words('input select textarea');
const focusElement = methodOf(HTMLElement, 'focus');
const observeMutations = methodOf(MutationObserver, 'observe');
const takeMutations = methodOf(MutationObserver, 'takeRecords');
const isElement = (node) => nodeTypeOf(node) === 1;
const isSvg = (el) => el instanceof SVGElement;
const isInput = (el) => el instanceof HTMLInputElement;

// The viewport without its scroll bars, where those take room: what lies under one, or beyond, is not seen.
const viewWidth = () => withoutBar(innerWidth, clientWidthOf(documentElementOf(document)));
const viewHeight = () => withoutBar(innerHeight, clientHeightOf(documentElementOf(document)));
const withoutBar = (whole, inner) => (inner < whole && whole - inner <= kBarMost ? inner : whole);
const kBarMost = 20; // CSS px

// What holds all that a page shows: a drawing that is a page of its own has no body.
const contentOfPage = () => bodyOf(document) ?? documentElementOf(document);

// Whether an element lies where no scrolling of the page reaches.
function isOffPage(el) {
  const { right, bottom } = rectOf(el);
  return right + scrollX <= 0 || bottom + scrollY <= 0;
}

export {
  contentOfPage,
  getterOf,
  naturalWidthOf,
  ofControl,
  setterOf,
  methodOf,
  nodeTypeOf,
  nodeValueOf,
  firstChildOf,
  nextSiblingOf,
  parentNodeOf,
  parentElementOf,
  nextElementOf,
  previousElementOf,
  previousSiblingOf,
  firstElementOf,
  lastChildOf,
  lastElementOf,
  isBefore,
  isConnected,
  isOffPage,
  textContentOf,
  innerTextOf,
  objectWindowOf,
  embeddedSvgOf,
  rootNodeOf,
  containsNode,
  tagOf,
  attr,
  hasAttr,
  hasAnyAttr,
  attrNamesOf,
  matchesSelector,
  closestOf,
  openRootOf,
  slotOf,
  bareRectOf,
  rectOf,
  clientRectsOf,
  scrollHeightOf,
  scrollWidthOf,
  clientHeightOf,
  clientWidthOf,
  clientLeftOf,
  clientTopOf,
  viewHeight,
  viewWidth,
  scrollLeftOf,
  offsetWidthOf,
  offsetHeightOf,
  scrollTopOf,
  isRendered,
  scrollIntoViewOf,
  assignedNodesOf,
  documentQuery,
  fragmentQueryAll,
  elementQueryAll,
  querySelectorAllOf,
  elementsOf,
  measuring,
  walkElements,
  nextElementIn,
  documentById,
  fragmentById,
  documentElementOf,
  bodyOf,
  designModeOf,
  activeElementOf,
  shadowActiveElementOf,
  scrollingElementOf,
  fullscreenElementOf,
  titleOf,
  hitInDocument,
  documentAnimations,
  rootAnimations,
  hitsInDocument,
  hitsInRoot,
  hitInRoot,
  dispatch,
  inputTypeOf,
  inputValueOf,
  inputCheckedOf,
  inputIndeterminateOf,
  areaValueOf,
  isPausedOf,
  isEndedOf,
  selectOptionsOf,
  selectedIndexOf,
  optionSelectedOf,
  labelControlOf,
  editContextOf,
  focusElement,
  observeMutations,
  takeMutations,
  isElement,
  isSvg,
  kTickTypes,
  isInput,
};
