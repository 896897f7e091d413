// Elements from words. Whatever comes from pages or clients is hostile: it becomes text nodes and attributes, never markup.

const $ = (selector, root = document) => root.querySelector(selector);

// h('button', {class: 'stop', onclick: f}, 'Stop'): null, undefined and false leave an attribute or a child out.
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Writes only what differs: an unchanged text isn't read out again, and a selection stays.
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
// A state that is told by aria-... is true or false, never missing.
function mark(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

// One child of `list` for each item, by key. The focus stays in its element; where that goes, its neighbour takes
// the focus.
function sync(list, items, key, make, update) {
  const keys = new Set(items.map(key));
  const known = new Map();
  for (const child of [...list.children]) {
    if (keys.has(child.dataset.key)) {
      known.set(child.dataset.key, child);
      continue;
    }
    const focused = child.contains(document.activeElement);
    const next = child.nextElementSibling ?? child.previousElementSibling;
    child.remove();
    if (focused)
      (
        (next && $('button:not([aria-disabled="true"])', next)) ??
        list.closest('[tabindex="-1"]:not([hidden])')
      )?.focus();
  }
  let at = list.firstElementChild;
  for (const item of items) {
    let element = known.get(key(item));
    if (!element) {
      element = make(item);
      element.dataset.key = key(item);
    }
    if (element === at) at = at.nextElementSibling;
    else {
      const focus = element.contains(document.activeElement) && document.activeElement;
      list.insertBefore(element, at);
      if (focus) focus.focus();
    }
    update?.(element, item);
  }
}

// A button that can be out of use without losing the focus.
function act(words, name, todo) {
  return h(
    'button',
    { type: 'button', class: name, onclick: (event) => !off(event.currentTarget) && todo(event) },
    words,
  );
}
const off = (button) => button.getAttribute('aria-disabled') === 'true';
// A Stop: what it is of, and whether that is stopping already.
function showStop(button, words, of, stopping, idle = false) {
  put(button, stopping ? 'Stopping…' : words);
  mark(button, 'aria-label', `${stopping ? 'Stopping…' : words} ${of}`.trim());
  mark(button, 'aria-disabled', stopping || idle);
}

// Parents, each followed by all that is below it, in the list's order or another one. One whose parent isn't there
// stands for itself.
function nested(list, idOf, order = (children) => children) {
  const known = new Set(list.map(idOf));
  const below = (one) => [one, ...order(list.filter((child) => child.parent === idOf(one))).flatMap(below)];
  return list.filter((one) => !one.parent || !known.has(one.parent)).flatMap(below);
}

// A module that is loaded when it is first needed; one that did not arrive is asked for again the next time.
function lazily(load) {
  let module = null;
  return () => {
    module ??= load().catch((error) => {
      module = null;
      throw error;
    });
    return module;
  };
}

// Words of pages and clients may be endless; what is shown of them isn't.
function short(words, most = 300) {
  const text = String(words ?? '');
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function tool(name) {
  const [, family, rest] = /^(browser_)?(.*)$/s.exec(name);
  return h('span', { class: 'tool' }, family ? h('i', {}, family) : null, rest);
}

const two = (n) => String(n).padStart(2, '0');
// An age in whole seconds: 0:07, 12:40, 1:02:03.
function age(ms) {
  const s = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(s / 60);
  return minutes < 60 ? `${minutes}:${two(s % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(s % 60)}`;
}
function span(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60000 ? `${(ms / 1000).toFixed(1)} s` : age(ms);
}
function clock(epoch) {
  const date = new Date(epoch);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
function bytes(n) {
  if (!(n >= 0)) return '';
  return n < 1000 ? `${n} B` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}
const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

// For screen readers; said again even when the words are the same.
let unsaid = [];
function say(words) {
  unsaid.push(words);
  if (unsaid.length > 1) return;
  $('#say').textContent = '';
  setTimeout(() => {
    $('#say').textContent = unsaid.join(' ');
    unsaid = [];
  }, 60);
}

async function copy(text, button) {
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    say('Copied');
  } catch {
    button.textContent = 'The browser refused';
  }
  setTimeout(() => (button.textContent = words), 1500);
}

export {
  $,
  h,
  put,
  mark,
  sync,
  act,
  off,
  showStop,
  nested,
  lazily,
  short,
  tool,
  age,
  span,
  clock,
  bytes,
  count,
  say,
  copy,
};
