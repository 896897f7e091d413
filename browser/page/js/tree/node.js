// A node of the snapshot's tree: { el, role, name, kids } with strings of text among the kids.

import { words } from '../dom/collections.js';

const kNoNodes = Object.freeze([]);

function newNode(el, tag, role, name, from) {
  return {
    el,
    tag,
    role,
    name,
    from,
    kids: [],
    states: '',
    value: null,
    inline: false,
    kept: false,
    pointer: false,
    pointed: null, // what around it can be clicked (pointers.js)
    called: '', // what it is called without a name (hints.js)
    ref: true,
    quiet: false, // aria-hidden text
    said: '', // the name of a label's control
    url: null,
    hint: null,
    marks: '',
    item: '',
    lead: false,
    trail: false,
    rec: null,
    itemNode: null,
    itemText: null,
    header: null,
    hash: 0,
    match: null, // the node of the other tree that it is compared with, and what is known of both (snapshot/pairs.js)
    up: null,
    live: false,
    sleeps: false,
    inert: kNoNodes, // what was here before and is inert now (snapshot/delta.js)
    size: 0,
    head: 0,
    rank: -1,
  };
}
const kTextLevel = words('strong emphasis code mark deletion insertion subscript superscript time');
const kPlainRoles = new Set([...kTextLevel, 'generic', 'paragraph', 'img', 'blockquote', 'text']);

// What is operated by a click, whatever the cursor.
const kClickable = words(
  'button link checkbox radio tab menuitem menuitemcheckbox menuitemradio option switch combobox treeitem ' +
    'textbox searchbox spinbutton slider listbox',
);

export { kClickable, newNode, kTextLevel, kPlainRoles };
