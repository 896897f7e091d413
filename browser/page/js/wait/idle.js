// Waiting for what a page does when it is idle: what that builds belongs to the answer.

import { idleAsked, noteIdle, noteIdleGoesOn, whenIdle } from '../dom/acted.js';
import { live, poll } from './pollers.js';

const kNextLook = 100; // ms; it is the callbacks that tell the end

// Waits until the callbacks that the page has asked for have run, and those that they have asked for. One of ours runs
// behind those that were asked for before it. `left`: the page goes on.
function idled({ callId, timeout }) {
  let handle = 0;
  let isOver = false;
  let tell = null;
  const ask = () => {
    const asked = idleAsked();
    live.idle++;
    handle = whenIdle(() => {
      live.idle--;
      handle = 0;
      isOver = idleAsked() === asked;
      if (isOver) tell?.();
      else ask();
    });
  };
  ask();
  return poll(
    { callId, timeout },
    (finish, again) => {
      tell = () => {
        noteIdle();
        finish({ ok: true, left: false });
      };
      if (isOver) tell();
      else again(kNextLook);
    },
    () => {
      noteIdleGoesOn();
      return { ok: true, left: true };
    },
  ).finally(() => {
    if (handle === 0) return;
    cancelIdleCallback(handle);
    live.idle--;
  });
}

export { idled };
