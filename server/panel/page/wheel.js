// Who is at the wheel: taking over and handing back. What the person then does in the picture is input.js's.
import { $, lazily, mark, off, put, say } from './dom.js';
import { changed, choose, chosen, stale, store, tell } from './store.js';
import { post, viewer } from './wire.js';

const wheel = { target: null }; // {session, tab} that the input goes to; the same object as long as it does
const loadInput = lazily(() => import('./input.js'));
let input = null; // that module, once it was needed
let asking = null; // ends with the take-overs and hand-backs that are on their way
let wantsFocus = false; // the picture does, as soon as it takes input
let givenBack = false; // the focus goes to where the wheel can be taken again
let had = null; // the session that was ours in the last state

// Whether the server did it. One after another, so that a hand-back is never lost to a take-over that is under way.
function ask(action, id) {
  const turn = (asking ?? Promise.resolve()).then(() => post(action, { session: id, viewer }));
  const done = turn.then(
    () => true,
    (error) => tell(error.message),
  );
  const mine = done.finally(() => {
    if (asking === mine) asking = null;
    changed();
  });
  asking = mine;
  changed();
  return done;
}
// `tab`: the one that the wheel is wanted for; without it the one of the session that is looked at.
async function takeOver(id, tab) {
  if (asking) return;
  if (tab || chosen().session?.id !== id) choose(id, tab);
  wantsFocus = Boolean(await ask('take-over', id));
  changed();
}
async function handBack(id) {
  await input?.release();
  givenBack = Boolean(await ask('hand-back', id));
  changed();
}
// Out of the picture, to where the keyboard finds its way.
function leavePicture() {
  ($('#wheel .mine button') ?? $('#take')).focus();
}

const isOurs = (id) => !stale() && store.state.sessions.some((one) => one.id === id && one.held?.by === 'you');
// What was pressed stays where it was pressed: it is released there, or forgotten with the wheel.
function aim(session, tab) {
  const old = wheel.target;
  if (old?.session === session && old?.tab === tab) return;
  wheel.target = tab ? { session, tab } : null;
  if (old && isOurs(old.session)) input?.release();
  else input?.forget();
}

function renderWheel() {
  const now = chosen();
  const held = stale() ? null : now.session?.held;
  const mine = held?.by === 'you' && now.tab;
  const button = $('#take');
  button.hidden = !now.tab || held?.by === 'you';
  put(button, held && held.by !== 'you' ? 'Taken by another viewer' : 'Take over');
  mark(button, 'aria-disabled', Boolean(asking || stale() || held));
  document.body.classList.toggle('held', Boolean(mine));
  aim(mine ? now.session.id : undefined, mine ? now.tab.id : undefined);
  const keys = $('#keys');
  if (mine && !input) loadInput().then(begun, () => null); // in vain: the next state asks again
  const open = Boolean(mine && input) && !$('#view canvas').hidden;
  if (!open && !keys.hidden && document.activeElement === keys) {
    keys.hidden = true;
    if (mine)
      wantsFocus = true; // only the picture changes
    else leavePicture();
  }
  keys.hidden = !open;
  if (open && wantsFocus) {
    keys.focus();
    wantsFocus = false;
  }
  if (givenBack && !held && !button.hidden) {
    givenBack = false;
    button.focus();
  }
  $('#keys-hint').hidden = !open;
  if (open) coverPicture();
  const ours = stale() ? had : (store.state.sessions.find((one) => one.held?.by === 'you')?.id ?? null);
  if (ours !== had) say(ours ? 'You are at the wheel.' : 'The wheel is the agent’s again.');
  had = ours;
}
// The field that takes keys and pointers lies over the picture.
function coverPicture() {
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

function beginWheel() {
  $('#take').addEventListener('click', (event) => {
    if (!off(event.currentTarget)) takeOver(chosen().session.id);
  });
  addEventListener('picture', changed);
  new ResizeObserver(() => !$('#keys').hidden && coverPicture()).observe($('#view canvas'));
}

function begun(module) {
  if (input) return;
  input = module;
  input.beginInput();
  changed();
}

export { wheel, takeOver, handBack, leavePicture, renderWheel, beginWheel };
