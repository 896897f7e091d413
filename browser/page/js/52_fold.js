// Folding: what of a built node is worth a line of its own.

// Joins neighbouring strings, tidies their spaces and drops a sole string that repeats the name.
function settleText(node) {
  const kids = node.kids;
  if (kids.length === 0) return;
  if (kids.length === 1 && typeof kids[0] === 'string' && plainWord.test(kids[0])) {
    if (kids[0] === node.name) node.kids = [];
    return;
  }
  const out = [];
  let run = '';
  let first = true;
  const flush = () => {
    if (run === '') return;
    if (run === ' ') { if (first) node.lead = true; first = false; return; }
    if (first && /^\s/.test(run)) node.lead = true;
    const text = oneSpace(run);
    if (text !== '') out.push(text);
    first = false;
  };
  for (const kid of kids) {
    if (typeof kid === 'string') { run = run === '' ? kid : run + kid; continue; }
    flush();
    run = '';
    first = false;
    out.push(kid);
  }
  flush();
  if (run === ' ' || run !== '' && /\s$/.test(run)) node.trail = true;
  if (out.length === 1 && out[0] === node.name) out.length = 0;
  node.kids = out;
}
const plainWord = /^[\x21-\x7e](?:[\x21-\x7e]| (?! ))*(?<! )$/;

// Text and what only dresses text: nothing that a user could act on or refer to.
function isPlain(kid) {
  if (typeof kid === 'string') return true;
  if (!kPlainRoles.has(kid.role) || kid.pointer || kid.kept || kid.marks !== '' || kid.states !== '') return false;
  for (const inner of kid.kids) if (!isPlain(inner)) return false;
  return true;
}

const allPlain = (kids) => { for (const kid of kids) if (!isPlain(kid)) return false; return true; };
const hasText = (kids) => { for (const kid of kids) if (typeof kid === 'string') return true; return false; };

// Items of a structure, found by what they hold: a ref of their own only when they hold text themselves.
const kStructural = words('form listitem row rowgroup cell columnheader rowheader definition term generic group paragraph ' +
  'blockquote strong emphasis code mark deletion insertion subscript superscript time');
const kWorthEmpty = words('iframe img separator dialog alertdialog textbox searchbox combobox listbox button link checkbox radio switch slider ' +
  'spinbutton tab menuitem menuitemcheckbox menuitemradio option treeitem progressbar meter scrollbar gridcell cell columnheader rowheader');

function foldInto(parent, node) {
  const { role, kids } = node;
  const bare = node.name === '' && !node.kept && !node.pointer && node.states === '' && node.marks === '';
  if (role === 'generic' && bare) {
    if (!node.inline) { keepGroup(parent, node); return; }
    if (node.lead) parent.kids.push(' ');
    for (const kid of kids) parent.kids.push(kid);
    if (node.trail) parent.kids.push(' ');
    return;
  }
  if (node.from === 'content') {
    if (allPlain(kids)) node.kids = [];
    else if (role === 'cell' || role === 'columnheader' || role === 'rowheader' || role === 'row' || role === 'gridcell') node.name = '';
  }
  unwrapSoleGroup(node);
  if (kTextLevel.has(role) && node.kids.length === 0) return;
  if (role === 'img' && node.tag === 'svg' && bare) { // a nameless drawing is what can be read or clicked in it
    for (const kid of kids) parent.kids.push(' ', kid);
    return;
  }
  if (node.kids.length === 0 && bare && node.value === null && !kWorthEmpty.has(role)) return;
  if (kStructural.has(role) && !node.pointer && !node.kept && node.name === '' && node.marks === '')
    node.ref = !kTextLevel.has(role) && hasText(node.kids);
  if (role === 'separator' || role === 'cell' && node.name === '') node.ref = false;
  parent.kids.push(node);
}

// A block without a role: gone when it holds one thing, a line of its own when it holds text, else a group.
function keepGroup(parent, node) {
  unwrapSoleGroup(node);
  const kids = node.kids;
  if (kids.length === 0) return;
  if (kids.length === 1 && typeof kids[0] !== 'string') { parent.kids.push(kids[0]); return; }
  node.ref = hasText(kids);
  parent.kids.push(node);
}

// A container whose only child is a plain group needs no group.
function unwrapSoleGroup(node) {
  const only = node.kids.length === 1 ? node.kids[0] : null;
  if (only && typeof only !== 'string' && only.role === 'generic' && only.name === '' && !only.kept && !only.pointer && only.states === '' && only.marks === '')
    node.kids = only.kids;
}

// 1: opacity, which no descendant can undo; 2: a colour or size that shows nothing, which one can.
function ghostliness(el, tag, traits, above) {
  const style = styleOf(el);
  let ghost = above & 1;
  if (traits & FADE && style.opacity === '0') ghost |= 1;
  if (traits & INK) {
    if (style.fontSize === '0px' || isSameColour(el, style)) ghost |= 2;
  } else ghost |= above & 2;
  return ghost;
}

function isSameColour(el, style) {
  const colour = style.color;
  if (!/^rgba.*, 0\)$/.test(colour) && backgroundBehind(el) !== colour) return false;
  return style.webkitBackgroundClip !== 'text' && /\S/.test(textContentOf(el)) && !liesOnAnother(el);
}

// What the browser's own sheet gives a background.
const kPainted = words('button input select textarea mark dialog');

// The colour behind an element's text, as its ancestors paint it; '' where a picture does.
function backgroundBehind(el) {
  const known = pass.backgrounds.get(el);
  if (known !== undefined) return known;
  let ground;
  if (!(traitsOf(el, false) & GROUND) && !kPainted.has(tagOf(el))) {
    const parent = flatParentOf(el);
    ground = parent ? backgroundBehind(parent) : 'rgb(255, 255, 255)';
    pass.backgrounds.set(el, ground);
    return ground;
  }
  const style = styleOf(el);
  if (style.backgroundImage !== 'none') ground = '';
  else {
    ground = style.backgroundColor;
    if (/^rgba/.test(ground)) {
      const parent = flatParentOf(el);
      ground = !/, 0\)$/.test(ground) ? '' : parent ? backgroundBehind(parent) : 'rgb(255, 255, 255)';
    }
  }
  pass.backgrounds.set(el, ground);
  return ground;
}

// White text may lie on a dark picture that is no ancestor of it.
function liesOnAnother(el) {
  const box = rectOf(el);
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return !isInFlow(el);
  for (const other of hitsInDocument(document, x, y)) if (!flatContains(other, el) && !flatContains(el, other)) return true;
  return false;
}

function isInFlow(el) {
  for (let at = el; at; at = flatParentOf(at)) if (/absolute|fixed|sticky/.test(styleOf(at).position)) return false;
  return true;
}

// Upload fields are mostly hidden behind a styled label or button, and work all the same.
function fileInputsIn(root, known) {
  const list = querySelectorAllOf(root, 'input[type=file]');
  if (!list.length) return known;
  return new Set([...(known ?? []), ...list]);
}

function keepHiddenFiles(el, parent) {
  for (const input of walk.files) {
    if (!containsNode(el, input) || matchesSelector(input, ':disabled') || !hasVisibleTrigger(input)) continue;
    const node = newNode(input, 'input', 'button', nameOf(input, 'input', 'button'), 'native');
    node.states = statesOf(input, 'input', 'button');
    node.value = valueOf(input, 'input', 'button');
    node.marks = ' [hidden file input]';
    node.kept = true;
    parent.kids.push(' ', node, ' ');
    walk.files.delete(input);
  }
}

function hasVisibleTrigger(input) {
  for (const label of labelsOf(input)) if (isRendered(label, { visibilityProperty: true })) return true;
  let at = flatParentOf(input);
  for (let i = 0; at && i < 4; i++, at = flatParentOf(at))
    for (const other of querySelectorAllOf(at, 'button,[role=button],a,label,input[type=button],[onclick],[tabindex]'))
      if (isRendered(other, { visibilityProperty: true })) return true;
  return false;
}

// How far a scroll container can still go; said only when it is worth a gesture.
function noteScroller(node, el) {
  const style = styleOf(el);
  if (!/auto|scroll|overlay/.test(style.overflowY + style.overflowX)) return;
  const text = scrollText(el, /auto|scroll|overlay/.test(style.overflowX), /auto|scroll|overlay/.test(style.overflowY));
  if (text) node.marks += text, node.kept = true;
}

const kScrollWorth = 16; // CSS px

function scrollText(el, sideways, down) {
  const parts = [];
  if (down) {
    const above = Math.round(scrollTopOf(el)), below = Math.round(scrollHeightOf(el) - clientHeightOf(el)) - above;
    if (above > kScrollWorth) parts.push(`${above}px above`);
    if (below > kScrollWorth) parts.push(`${below}px more below`);
  }
  if (sideways) {
    const left = Math.round(Math.abs(el.scrollLeft)), right = Math.round(scrollWidthOf(el) - clientWidthOf(el)) - left;
    if (left > kScrollWorth) parts.push(`${left}px left`);
    if (right > kScrollWorth) parts.push(`${right}px more right`);
  }
  return parts.length ? ` [scroll: ${parts.join(', ')}]` : '';
}
