// The one walk: from the flat tree to a tree of { el, role, name, kids } with text strings in between.
//
// It reads and never writes, so that layout is computed at most once. What needs a box (off-screen, covered) is
// asked afterwards, of the few nodes where it matters.

const kTextLevel = words('strong emphasis code mark deletion insertion subscript superscript time');
const kPlainRoles = new Set([...kTextLevel, 'generic', 'paragraph', 'img', 'blockquote', 'text']);
// Roles whose text children say nothing that the value or name doesn't.
const kLeafRoles = words('textbox searchbox spinbutton slider progressbar meter scrollbar separator');
const kClickable = words('button link checkbox radio tab menuitem menuitemcheckbox menuitemradio option switch combobox treeitem ' +
  'textbox searchbox spinbutton slider listbox');

// State of the walk under way.
let walk = null;

function buildTree(root) {
  const top = newNode(root, '', 'fragment', '', '');
  top.header = '';
  walk = { visited: new Set(), owned: ownedElements(root), ownerNow: null, active: deepActiveElement(), files: fileInputsIn(root, null) };
  const modal = nodeTypeOf(root) === 9 ? topModal() : null;
  if (nodeTypeOf(root) === 9) {
    const start = modal ?? documentElementOf(document);
    const knew = sawShadow;
    if (start) visitElement(start, top, false, 0);
    if (!knew && sawShadow) return buildTree(root); // what was taken for granted without shadow roots
  } else visitElement(root, top, false, 0);
  settleText(top);
  unwrapSoleGroup(top);
  walk = null;
  return { top, modal };
}

// showModal() makes all but the dialog inert; of several dialogs the one that can be hit is on top.
function topModal() {
  const modals = sawShadow ? deepQueryAll(document, 'dialog:modal') : [...querySelectorAllOf(document, 'dialog:modal')];
  if (modals.length < 2) return modals[0] ?? null;
  for (const modal of modals) {
    const box = rectOf(modal);
    const hit = deepHit(box.x + box.width / 2, box.y + box.height / 2);
    if (hit && flatContains(modal, hit) && !modals.some((other) => other !== modal && flatContains(modal, other) && flatContains(other, hit))) return modal;
  }
  return modals[modals.length - 1];
}

// aria-owns moves elements: they are shown under their owner and nowhere else.
function ownedElements(root) {
  const owned = new Map();
  for (const owner of querySelectorAllOf(root, '[aria-owns]'))
    for (const id of idListOf(owner, 'aria-owns')) {
      const el = byIdNear(owner, id);
      if (el && el !== owner && !owned.has(el) && !flatContains(el, owner)) owned.set(el, owner);
    }
  return owned.size ? owned : null;
}

function visitNode(node, parent, unseen, ghost) {
  const type = nodeTypeOf(node);
  if (type === 3) {
    if (!unseen) parent.kids.push(nodeValueOf(node));
  } else if (type === 1) {
    if (walk.owned !== null && walk.owned.has(node) && walk.owned.get(node) !== walk.ownerNow) return;
    visitElement(node, parent, unseen, ghost);
  }
}

function visitElement(el, parent, unseenAbove, ghostAbove) {
  const tag = tagOf(el);
  if (kSkippedTags.has(tag)) return;
  if (tag === 'br') { parent.kids.push(' '); return; }
  const bare = !hasAnyAttr(el);
  if (!bare && (attr(el, 'aria-hidden') === 'true' || hasAttr(el, 'inert')) && tag !== 'body' && tag !== 'html') return;
  const flags = styleFlags(el);
  if (flags & HIDDEN) {
    if (walk.files !== null) keepHiddenFiles(el, parent);
    return;
  }
  if (walk.owned !== null) {
    if (walk.visited.has(el)) return;
    walk.visited.add(el);
  }
  const unseen = (flags & UNSEEN) !== 0;
  if (unseen && walk.files !== null && walk.files.has(el)) { keepHiddenFiles(el, parent); return; }
  const traits = traitsOf(el, bare);
  const inline = (flags & INLINE) !== 0 && !isAtomic(tag);
  const ghost = traits & (FADE | INK) ? ghostliness(el, tag, traits, ghostAbove) : ghostAbove;
  const role = unseen || tag === 'html' || tag === 'body' && !hasAttr(el, 'role') ? 'none' : roleOf(el, tag) ?? 'generic';

  if (role === 'none') {
    if (!inline) pushSpace(parent.kids);
    if (tag !== 'input') walkKids(el, tag, parent, unseen, ghost, traits);
    if (!inline) pushSpace(parent.kids);
    return;
  }

  nameSource = '';
  const name = role === 'generic' && bare ? '' : nameOf(el, tag, role);
  const node = newNode(el, tag, role, name, nameSource);
  node.states = statesOf(el, tag, role);
  node.inline = inline;
  node.ghost = ghost;
  if (el === walk.active) node.states += ' [active]', node.kept = true;
  if (traits & POINTER && !kClickable.has(role) && styleOf(el).cursor === 'pointer') node.pointer = true;
  if (!bare) {
    const editable = isEditableRoot(el);
    if (editable || hasAttr(el, 'onclick') || hasAttr(el, 'tabindex') || attr(el, 'draggable') === 'true') node.kept = true;
    if (editable && role === 'generic') node.states += ' [editable]';
  }
  if (traits & SCROLL) noteScroller(node, el);
  if (node.pointer) {
    if (parent.pointed) node.pointer = false;
    node.pointed = true;
  } else node.pointed = parent.pointed;

  fillKids(node, el, tag, role, ghost, traits);
  if (ghost && !ghostAbove && node.kids.length) node.marks = ' [invisible]', node.kept = true;
  if (!inline) pushSpace(parent.kids);
  foldInto(parent, node);
  if (!inline) pushSpace(parent.kids);
}

// Blocks stand apart from the text around them.
function pushSpace(kids) {
  if (kids.length === 0 || kids[kids.length - 1] !== ' ') kids.push(' ');
}

function newNode(el, tag, role, name, from) {
  return { el, tag, role, name, from, kids: [], states: '', value: null, inline: false, ghost: 0, kept: false, pointer: false, pointed: false,
    ref: true, url: null, hint: null, marks: '', item: '', lead: false, trail: false, rec: null, itemNode: null, itemText: null, header: null, hash: 0, match: null, size: 0, head: 0 };
}

function fillKids(node, el, tag, role, ghost, traits) {
  switch (role) {
    case 'iframe': return;
    case 'link':
      node.url = attr(el, 'href') ?? attr(el, 'xlink:href');
      break;
    case 'textbox': case 'searchbox': case 'spinbutton': case 'combobox': {
      const hint = attr(el, 'placeholder');
      if (hint && node.from !== 'placeholder') {
        const text = oneSpace(hint);
        if (text !== node.name) node.hint = text;
      }
    }
  }
  node.value = valueOf(el, tag, role);
  if (tag === 'input' || tag === 'textarea' || kLeafRoles.has(role) && node.value !== null) return;
  if (tag === 'select') { fillOptions(node, el); return; }
  if (tag === 'video' || tag === 'audio' || tag === 'canvas' || tag === 'object' || tag === 'progress' || tag === 'meter') return;
  walkKids(el, tag, node, false, ghost, traits);
  settleText(node);
  if (tag === 'label') dropLabelText(node, el);
}

function walkKids(el, tag, node, unseen, ghost, traits) {
  if (traits & LOCK && styleOf(el).contentVisibility === 'hidden') return;
  const pseudo = !unseen && (traits & PSEUDO || tag === 'q');
  if (pseudo) { const before = pseudoText(el, '::before'); if (before) node.kids.push(before); }
  const root = shadowRootOf(el);
  if (tag === 'details' && !hasAttr(el, 'open')) {
    const summary = summaryOf(el);
    if (summary) visitNode(summary, node, unseen, ghost);
  } else if (root !== null) {
    if (!sawShadow) { sawShadow = true; traits = ALL; }
    if (querySelectorAllOf(root, 'input[type=file]').length) walk.files = fileInputsIn(root, walk.files);
    for (let child = firstChildOf(root); child; child = nextSiblingOf(child)) visitNode(child, node, unseen, ghost);
  } else {
    noteClosedHost(el, tag);
    const assigned = tag === 'slot' ? assignedNodesOf(el) : null;
    if (assigned !== null && assigned.length) for (const child of assigned) visitNode(child, node, unseen, ghost);
    else for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) visitNode(child, node, unseen, ghost);
  }
  if (walk.owned !== null && hasAttr(el, 'aria-owns')) {
    const outer = walk.ownerNow;
    walk.ownerNow = el;
    for (const id of idListOf(el, 'aria-owns')) {
      const owned = byIdNear(el, id);
      if (owned && walk.owned.get(owned) === el) visitElement(owned, node, unseen, ghost);
    }
    walk.ownerNow = outer;
  }
  if (pseudo) { const after = pseudoText(el, '::after'); if (after) node.kids.push(after); }
}

// A closed select can't be clicked open: its options need no refs, and a long list is summed up.
const kOptionsShown = 20;
function fillOptions(node, select) {
  const listbox = node.role === 'listbox';
  let shown = 0, left = 0;
  const visit = (el, parent) => {
    for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
      if (!isElement(child)) continue;
      const tag = tagOf(child);
      if (tag === 'optgroup' && !(styleFlags(child) & HIDDEN)) {
        const groupNode = newNode(child, tag, 'group', oneSpace(attr(child, 'label') ?? ''), 'native');
        groupNode.ref = false;
        visit(child, groupNode);
        if (groupNode.kids.length) parent.kids.push(groupNode);
      } else if (tag === 'option') {
        const selected = optionSelectedOf(child);
        if (shown >= kOptionsShown && !selected) { left++; continue; }
        if (styleFlags(child) & HIDDEN) continue;
        shown++;
        const kid = newNode(child, tag, 'option', optionText(child), 'content');
        kid.states = (disabledReason(child, tag) ? ' [disabled]' : '') + (selected ? ' [selected]' : '');
        kid.ref = listbox;
        parent.kids.push(kid);
      } else if (tag !== 'hr') visit(child, parent);
    }
  };
  visit(select, node);
  if (left) node.kids.push(`… ${left} more options`);
}

// The label's words are the control's name already.
function dropLabelText(node, label) {
  const control = labelControlOf(label);
  if (!control || hasAttr(control, 'aria-label') || hasAttr(control, 'aria-labelledby')) return;
  if (!isRendered(control, { visibilityProperty: true })) return;
  if (/^(submit|button|reset|image|hidden)$/.test(tagOf(control) === 'input' ? inputTypeOf(control) : '') || tagOf(control) === 'button') return;
  node.kids = node.kids.filter((kid) => typeof kid !== 'string' && !isPlain(kid));
}
