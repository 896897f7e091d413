// What one pass over the page has learned; dropped at its end.

let pass = null;

const newPass = () => ({
  walks: false, // whether all of the page is walked, or a few elements are looked at
  found: new Map(), // of selectors that were asked for: the document's elements
  flags: new Map(),
  lastStyled: null,
  lastStyle: null,
  sheets: null,
  sheetsRead: null, // each as it was read, whichever tree scopes it is in
  loadedRules: null, // how many rules the loaded ones have that were read, or null
  traits: null,
  documentTraits: null,
  pseudos: new Map(),
  backgrounds: new Map(),
  fixed: new Map(),
  sight: new Map(),
  moving: null,
  painted: undefined,
  canvases: new Map(), // by tree scope
  labels: null,
  dialogs: null,
  opened: null, // the popup that has the focus, or whose field has
  overlay: undefined,
  isDead: null, // whether the page takes no mouse
  shut: false, // whether anything that could be operated lies behind a dialog or an overlay
  visibilityUsed: null,
  animated: null,
  features: null, // what the selectors of all rules speak of, where some rules have come or gone (states.js)
  rules: null, // { before, rules }: those of the document that have come or gone since it had those sheets
  hovered: new Map(), // by tree scope: what the mouse is over
  states: null, // the elements in each state, where they have been looked for (states.js)
  hiding: null, // what a transition hides soon
  sliding: null, // what is on its way to another place
  isClipped: new Map(), // of the slides that the walk has come to
  slides: new Map(), // of the carousels, by the box that clips them
  numbered: new Map(), // of the ordered lists: the numbers of their items
  madeIds: new Map(), // of ids that differ in one part: whether a library makes them
  iconKin: new Map(), // of a class that icons share: the classes of the first of them
  columns: new Map(), // by a table's body: the classes of its cells
  marked: new Map(), // by list: the class that some of its items have beyond the others
  regions: null, // the elements below which styles may have changed since the last pass, or null: all
});

function withPass(work) {
  if (pass) return work();
  pass = newPass();
  try {
    return work();
  } finally {
    pass = null;
  }
}

// From here on all of the page is walked. What was found out of a few elements says too little.
function beginPageWalk() {
  if (pass.walks) return;
  pass.walks = true;
  pass.traits = pass.documentTraits = null;
}

// Forgets what was learned before something turned out that it depends on.
function restartPass() {
  pass = { ...newPass(), walks: pass.walks };
}

// Ends a pass that has not ended itself. Whether there was one.
function dropPass() {
  const was = pass !== null;
  pass = null;
  return was;
}

export { pass, beginPageWalk, withPass, restartPass, dropPass };
