// The callbacks that a page asks for when it is idle. Their handles count up in the document, whoever asks and by whatever
// function: one that isn't the next tells that the page has asked.

let ours = 0; // requests of our own
let askedBefore = 0; // those of the page's that are none of the action's
const kRests = 500; // ms; a page that asks less often than once in that time doesn't do so for ever
// A page that has gone on asking through a whole wait, { asked, at } when it was looked at last. It isn't waited for
// again until it rests.
let goesOn = null;

const nothingToDo = () => {};

// How often the page has asked so far.
function idleAsked() {
  const handle = requestIdleCallback(nothingToDo);
  cancelIdleCallback(handle);
  return handle - ++ours;
}

// A request of ours.
function whenIdle(then) {
  ours++;
  return requestIdleCallback(then);
}

// What the page has asked for by now is none of the action's.
function noteIdle() {
  const asked = idleAsked();
  const at = performance.now();
  const turns = goesOn ? (at - goesOn.at) / kRests : 0;
  if (turns >= 1) goesOn = asked - goesOn.asked >= turns ? { asked, at } : null;
  askedBefore = asked;
}

function noteIdleGoesOn() {
  goesOn = { asked: idleAsked(), at: performance.now() };
}

// Whether the page has asked since.
const isIdleDue = () => goesOn === null && idleAsked() > askedBefore;

export { idleAsked, isIdleDue, noteIdle, noteIdleGoesOn, whenIdle };
