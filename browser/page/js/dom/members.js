// The DOM's members as plain functions.
//
// A page cannot replace JavaScript's builtins in this world, but <form> and document let named children shadow any DOM
// property (<input name="parentNode">). So DOM members are never looked up on the element itself: they are taken from
// their prototypes here, once, and called as functions.

// A page cannot replace JavaScript's builtins in this world, but <form> and document let named children shadow
// any DOM property (<input name="parentNode">). So DOM members are never looked up on the element itself: they
// are taken from their prototypes here, once, and called as plain functions.
const uncurry = (fn) => Function.prototype.call.bind(fn);
const getterOf = (type, name) => uncurry(Object.getOwnPropertyDescriptor(type.prototype, name).get);
const setterOf = (type, name) => uncurry(Object.getOwnPropertyDescriptor(type.prototype, name).set);
const methodOf = (type, name) => uncurry(type.prototype[name]);
const nodeTypeOf = getterOf(Node, 'nodeType');
const nodeValueOf = getterOf(Node, 'nodeValue');
const firstChildOf = getterOf(Node, 'firstChild');
const nextSiblingOf = getterOf(Node, 'nextSibling');
const parentNodeOf = getterOf(Node, 'parentNode');
const parentElementOf = getterOf(Node, 'parentElement');
const isConnected = getterOf(Node, 'isConnected');
const textContentOf = getterOf(Node, 'textContent');
const rootNodeOf = methodOf(Node, 'getRootNode');
const containsNode = methodOf(Node, 'contains');
const tagOf = getterOf(Element, 'localName');
const attr = methodOf(Element, 'getAttribute');
const hasAttr = methodOf(Element, 'hasAttribute');
const hasAnyAttr = methodOf(Element, 'hasAttributes');
const matchesSelector = methodOf(Element, 'matches');
const closestOf = methodOf(Element, 'closest');
const openRootOf = getterOf(Element, 'shadowRoot');
const slotOf = getterOf(Element, 'assignedSlot');
const rectOf = methodOf(Element, 'getBoundingClientRect');
const clientRectsOf = methodOf(Element, 'getClientRects');
const scrollHeightOf = getterOf(Element, 'scrollHeight');
const scrollWidthOf = getterOf(Element, 'scrollWidth');
const clientHeightOf = getterOf(Element, 'clientHeight');
const clientWidthOf = getterOf(Element, 'clientWidth');
const scrollLeftOf = getterOf(Element, 'scrollLeft');
const offsetWidthOf = getterOf(HTMLElement, 'offsetWidth');
const offsetHeightOf = getterOf(HTMLElement, 'offsetHeight');
const scrollTopOf = getterOf(Element, 'scrollTop');
const isRendered = methodOf(Element, 'checkVisibility');
const scrollIntoViewOf = methodOf(Element, 'scrollIntoView');
const assignedNodesOf = methodOf(HTMLSlotElement, 'assignedNodes');
const documentQueryAll = methodOf(Document, 'querySelectorAll');
const fragmentQueryAll = methodOf(DocumentFragment, 'querySelectorAll');
const elementQueryAll = methodOf(Element, 'querySelectorAll');

const querySelectorAllOf = (root, selector) =>
  (nodeTypeOf(root) === 9 ? documentQueryAll : nodeTypeOf(root) === 11 ? fragmentQueryAll : elementQueryAll)(
    root,
    selector,
  );
const documentQuery = methodOf(Document, 'querySelector');
const documentById = methodOf(Document, 'getElementById');
const fragmentById = methodOf(DocumentFragment, 'getElementById');
const documentElementOf = getterOf(Document, 'documentElement');
const bodyOf = getterOf(Document, 'body');
const activeElementOf = getterOf(Document, 'activeElement');
const shadowActiveElementOf = getterOf(ShadowRoot, 'activeElement');
const scrollingElementOf = getterOf(Document, 'scrollingElement');
const titleOf = getterOf(Document, 'title');
const hitInDocument = methodOf(Document, 'elementFromPoint');
const animationsOf = methodOf(Document, 'getAnimations');
const hitsInDocument = methodOf(Document, 'elementsFromPoint');
const hitInRoot = methodOf(ShadowRoot, 'elementFromPoint');
const dispatch = methodOf(EventTarget, 'dispatchEvent');
const inputTypeOf = getterOf(HTMLInputElement, 'type');
const inputValueOf = getterOf(HTMLInputElement, 'value');
const inputCheckedOf = getterOf(HTMLInputElement, 'checked');
const inputIndeterminateOf = getterOf(HTMLInputElement, 'indeterminate');
const areaValueOf = getterOf(HTMLTextAreaElement, 'value');
const selectOptionsOf = getterOf(HTMLSelectElement, 'options');
const optionSelectedOf = getterOf(HTMLOptionElement, 'selected');
const labelControlOf = getterOf(HTMLLabelElement, 'control');
const focusElement = methodOf(HTMLElement, 'focus');
const observeMutations = methodOf(MutationObserver, 'observe');
const takeMutations = methodOf(MutationObserver, 'takeRecords');
const isElement = (node) => nodeTypeOf(node) === 1;
const isSvg = (el) => el instanceof SVGElement;
const isInput = (el) => el instanceof HTMLInputElement;

export {
  setterOf,
  methodOf,
  nodeTypeOf,
  nodeValueOf,
  firstChildOf,
  nextSiblingOf,
  parentNodeOf,
  parentElementOf,
  isConnected,
  textContentOf,
  rootNodeOf,
  containsNode,
  tagOf,
  attr,
  hasAttr,
  hasAnyAttr,
  matchesSelector,
  closestOf,
  openRootOf,
  slotOf,
  rectOf,
  clientRectsOf,
  scrollHeightOf,
  scrollWidthOf,
  clientHeightOf,
  clientWidthOf,
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
  documentById,
  fragmentById,
  documentElementOf,
  bodyOf,
  activeElementOf,
  shadowActiveElementOf,
  scrollingElementOf,
  titleOf,
  hitInDocument,
  animationsOf,
  hitsInDocument,
  hitInRoot,
  dispatch,
  inputTypeOf,
  inputValueOf,
  inputCheckedOf,
  inputIndeterminateOf,
  areaValueOf,
  selectOptionsOf,
  optionSelectedOf,
  labelControlOf,
  focusElement,
  observeMutations,
  takeMutations,
  isElement,
  isSvg,
  isInput,
};
