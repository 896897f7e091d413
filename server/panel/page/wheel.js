// Who is at the wheel: taking over and handing back. What the person then does in the picture is input.js's.
import { $, act, mark, off, put, say } from './dom.js';
import { changed, chosen, stale, store, tell } from './store.js';
import { post, viewer } from './wire.js';

export const wheel = { target: null }; // {session, tab} that the input goes to
let hands = null; // input.js, once it was needed
let ready = false;
let busy = false; // a take-over or hand-back is on its way
let wantsFocus = false;
let givenBack = false; // the focus goes to where the wheel can be taken again
let had = null; // the session that was ours in the last state

async function ask(action, id) {
  if (busy) return;
  busy = true;
  changed();
  try {
    await post(action, { session: id, viewer });
  } catch (error) {
    tell(error.message);
  }
  busy = false;
  changed();
}
export async function takeOver(id) {
  wantsFocus = true;
  await ask('take-over', id);
}
export async function handBack(id) {
  await (await hands)?.release();
  givenBack = true;
  await ask('hand-back', id);
}
// Out of the picture, to where the keyboard finds its way.
export function leave() {
  ($('#wheel .mine button') ?? $('#take')).focus();
}

export function renderWheel() {
  const now = chosen();
  const held = stale() ? null : now.session?.held;
  const mine = held?.by === 'you' && now.tab;
  const button = $('#take');
  button.hidden = !now.tab || held?.by === 'you';
  put(button, held && held.by !== 'you' ? 'Taken by another viewer' : 'Take over');
  mark(button, 'aria-disabled', (busy || stale() || held) && 'true');
  document.body.classList.toggle('held', Boolean(mine));
  wheel.target = mine ? { session: now.session.id, tab: now.tab.id } : null;
  const keys = $('#keys');
  if (mine) hands ??= import('./input.js').then(begun);
  const open = Boolean(mine && ready) && !$('#view canvas').hidden;
  if (open && keys.hidden) {
    keys.hidden = false;
    if (wantsFocus) keys.focus();
    wantsFocus = false;
  } else if (!open && !keys.hidden) {
    const focused = document.activeElement === keys;
    keys.hidden = true;
    if (focused) leave();
  }
  if (givenBack && !held && !button.hidden) {
    givenBack = false;
    button.focus();
  }
  $('#keys-hint').hidden = !open;
  if (open) fit();
  const ours = stale() ? had : (store.state.sessions.find((one) => one.held?.by === 'you')?.id ?? null);
  if (ours !== had) say(ours ? 'You are at the wheel.' : 'The wheel is the agent’s again.');
  had = ours;
}
// The field that takes keys and pointers lies over the picture.
function fit() {
  const canvas = $('#view canvas');
  for (const [name, at] of [
    ['left', 'offsetLeft'],
    ['top', 'offsetTop'],
    ['width', 'offsetWidth'],
    ['height', 'offsetHeight'],
  ]) {
    $('#keys').style[name] = `${canvas[at]}px`;
  }
}

export function beginWheel() {
  $('#take').addEventListener('click', (event) => {
    if (off(event.currentTarget)) return;
    takeOver(chosen().session.id);
  });
  addEventListener('picture', changed);
  new ResizeObserver(() => !$('#keys').hidden && fit()).observe($('#view canvas'));
}

function begun(module) {
  module.beginInput();
  ready = true;
  changed();
  return module;
}

export const takeButton = (id) => act('Take over', 'main', () => takeOver(id));
