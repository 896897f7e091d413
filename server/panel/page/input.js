// Taking over: what the person does in the live view goes to the page as input, in order, one request at a time.
// Loaded when somebody first takes over (wheel.js).
import { $ } from './dom.js';
import { tell } from './store.js';
import { frame } from './view.js';
import { leavePicture, wheel } from './wheel.js';
import { post, viewer } from './wire.js';

let queue = []; // {target, event}: each for the tab that was seen when it was made
let sending = null; // the requests under way
const down = new Map(); // keys that are held, by code: {target, key, code, location}
const pressed = new Map(); // mouse buttons that are held, by name: {target, event}

async function drain() {
  while (queue.length > 0) {
    const { target } = queue[0];
    const others = queue.findIndex((one) => one.target !== target);
    const events = queue.splice(0, Math.min(100, others < 0 ? queue.length : others)).map((one) => one.event);
    try {
      await post('input', { ...target, viewer, events });
    } catch (error) {
      queue = queue.filter((one) => one.target !== target);
      tell(`The page didn’t get that: ${error.message}`);
    }
  }
}
function flush() {
  sending ??= drain().finally(() => (sending = null));
}
function send(event, target = wheel.target) {
  if (!target) return;
  const last = queue.at(-1)?.target === target ? queue.at(-1).event : null;
  if (event.type === 'move' && last?.type === 'move') queue.pop();
  if (event.type === 'wheel' && last?.type === 'wheel') {
    queue.pop();
    event.dx += last.dx;
    event.dy += last.dy;
  }
  queue.push({ target, event });
  flush();
}

const modifiers = (event) => event.altKey + 2 * event.ctrlKey + 4 * event.metaKey + 8 * event.shiftKey;
function place(event) {
  const box = $('#view canvas').getBoundingClientRect();
  const part = (at, size) => Math.min(1, Math.max(0, at / size));
  return {
    x: part(event.clientX - box.left, box.width) * frame.width,
    y: part(event.clientY - box.top, box.height) * frame.height,
    modifiers: modifiers(event),
  };
}
const buttonNames = ['left', 'middle', 'right'];
function mouse(type, event, more = {}) {
  const held = [...pressed.keys()].at(-1) ?? 'none';
  const button = more.button ?? (type === 'move' ? held : (buttonNames[event.button] ?? 'none'));
  const clicks = type === 'move' ? 0 : clicksOf(event, type);
  const out = { type, ...place(event), buttons: event.buttons, clicks, ...more, button };
  if (type === 'down') pressed.set(button, { target: wheel.target, event: out });
  // One that was released with the tab it was pressed in is up already.
  if (type === 'up' && !pressed.delete(button)) return;
  send(out);
}
// Presses in the same place within half a second count as double and triple clicks.
let series = { at: 0, x: 0, y: 0, clicks: 0 };
function clicksOf(event, type) {
  if (type === 'down') {
    const near =
      Math.hypot(event.clientX - series.x, event.clientY - series.y) < 6 && event.timeStamp - series.at < 500;
    series = { at: event.timeStamp, x: event.clientX, y: event.clientY, clicks: near ? series.clicks + 1 : 1 };
  }
  return series.clicks;
}

function key(type, event) {
  const { key: name, code, repeat, location } = event;
  if (repeat && !down.has(code)) return; // held since before this tab
  if (type === 'keydown') down.set(code, { target: wheel.target, key: name, code, location });
  else if (!down.delete(code)) return;
  send({ type, key: name, code, modifiers: modifiers(event), repeat, location });
}
function text(words) {
  if (words) send({ type: 'text', text: words });
}
// Nothing stays pressed in the page when the person is elsewhere. Done when all has arrived.
async function release() {
  for (const { target, ...one } of down.values()) send({ type: 'keyup', ...one, modifiers: 0 }, target);
  down.clear();
  for (const { target, event } of pressed.values()) send({ ...event, type: 'up', buttons: 0 }, target);
  pressed.clear();
  await sending;
}
// The wheel is gone, and what waited for its turn with it.
function forget() {
  queue = [];
  down.clear();
  pressed.clear();
}

function beginInput() {
  const keys = $('#keys');
  const on = (name, handler) => keys.addEventListener(name, handler, { passive: false });
  let touch = null; // a finger: it scrolls when it moves, else it clicks
  on('pointerdown', (event) => {
    event.preventDefault();
    keys.focus();
    keys.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') touch = { x: event.clientX, y: event.clientY, moved: false };
    else mouse('down', event);
  });
  on('pointermove', (event) => {
    if (!touch) return mouse('move', event);
    const [dx, dy] = [touch.x - event.clientX, touch.y - event.clientY];
    if (!touch.moved && Math.hypot(dx, dy) < 8) return undefined;
    touch = { x: event.clientX, y: event.clientY, moved: true };
    return send({ type: 'wheel', ...place(event), dx, dy });
  });
  on('pointerup', (event) => {
    if (touch && !touch.moved) mouse('down', event, { button: 'left', buttons: 1 });
    if (!touch?.moved) mouse('up', event, touch ? { button: 'left' } : {});
    touch = null;
  });
  on('pointercancel', () => (touch = null));
  on('contextmenu', (event) => event.preventDefault());
  on('wheel', (event) => {
    event.preventDefault();
    const unit = [1, 16, frame.height][event.deltaMode];
    send({ type: 'wheel', ...place(event), dx: event.deltaX * unit, dy: event.deltaY * unit });
  });

  on('keydown', (event) => {
    if (event.key === 'Escape' && event.shiftKey) {
      event.preventDefault();
      leavePicture();
      return;
    }
    if (event.isComposing || event.keyCode === 229) return; // an input method: the text comes when it is composed
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v') return; // the text comes as a paste
    event.preventDefault();
    key('keydown', event);
  });
  on('keyup', (event) => key('keyup', event));
  on('paste', (event) => {
    event.preventDefault();
    text(event.clipboardData.getData('text/plain'));
  });
  on('compositionend', (event) => {
    text(event.data);
    keys.value = '';
  });
  on('input', (event) => {
    if (event.isComposing || event.inputType === 'insertCompositionText') return;
    // A phone's keyboard, which tells no keys.
    if (event.inputType === 'deleteContentBackward') {
      for (const type of ['keydown', 'keyup']) send({ type, key: 'Backspace', code: 'Backspace', modifiers: 0 });
    } else if (event.inputType === 'insertLineBreak') {
      for (const type of ['keydown', 'keyup']) send({ type, key: 'Enter', code: 'Enter', modifiers: 0 });
    } else {
      text(event.data);
    }
    keys.value = '';
  });
  on('blur', release);
}

export { release, forget, beginInput };
