// The one projection of what the server pushed. Views read it; nothing here is guessed.
import { say, short } from './dom.js';
import { listen, post } from './wire.js';

const store = {
  link: 'connecting', // live: what is here is current; broken; refused: the cookie isn't known; resting: nobody looks
  since: 0, // of the break
  met: 0, // the server's time when we came
  server: '',
  version: '',
  state: { sessions: [], calls: [], questions: [], downloads: [] },
  arrived: 0, // when it did, on our clock; 0: nothing is known yet of the server that answers
  frozen: 0, // ages stand still from here on while the link is broken
  past: [], // finished calls, the newest first
  missed: 0,
  asked: new Set(), // stops of ours whose calls haven't all ended: {calls, answered}
  gone: new Map(), // calls that were stopping when they left the state: {call, past, until}
  chosen: { session: null, tab: null }, // tab null: follow the session's current one
  news: new Map(), // by question: words on how it went away
};
const kept = 500;

const renderers = [];
let due = false;
const onChange = (render) => renderers.push(render);
function changed() {
  if (due) return;
  due = true;
  setTimeout(() => {
    due = false;
    for (const render of renderers) render();
  }, 8);
}

const stale = () => store.link !== 'live';
// Whether there was a state at all; only then may anything be called empty.
const known = () => store.arrived > 0;
// Of what began at `since`, on the server's clock.
const ageOf = (since) => store.state.now - since + (stale() ? store.frozen : performance.now()) - store.arrived;
const session = (id) => store.state.sessions.find((one) => one.id === id);
const nameOf = (one) =>
  short(one?.client, 80) || (one?.id === 'sessionless' ? 'Clients without a session' : 'Unnamed client');

// The session and tab that are looked at; null where there is none.
function chosen() {
  const { sessions, calls } = store.state;
  const busy = calls[0]?.session;
  const mine = session(store.chosen.session) ?? session(busy) ?? sessions.find((one) => one.tabs.length) ?? sessions[0];
  if (!mine) return { session: null, tab: null };
  if (store.chosen.session !== mine.id) store.chosen = { session: mine.id, tab: null };
  const tab = mine.tabs.find((one) => one.id === store.chosen.tab);
  return { session: mine, tab: tab ?? mine.tabs.find((one) => one.current) ?? mine.tabs[0] ?? null };
}
function choose(sessionId, tab = null) {
  store.chosen = { session: sessionId, tab };
  changed();
}

// --- Stops. From the click on nothing is said but what the server says: that the stop arrived, then the call's state.

async function stop(body) {
  const calls = store.state.calls.filter((call) => body.all || call.id === body.call || call.session === body.session);
  if (areEnding(calls)) return;
  const asked = { calls: calls.map((call) => call.id), answered: false };
  store.asked.add(asked);
  changed();
  try {
    const { reached } = await post('stop', body);
    asked.answered = true;
    if (reached === 0) {
      store.asked.delete(asked);
      say('Nothing was running any more.');
    }
  } catch (error) {
    store.asked.delete(asked);
    tell(`The stop did not arrive: ${error.message}`);
  }
  settleAsked();
  changed();
}
// Whether a stop was asked of this call, here or elsewhere.
const isEnding = (call) =>
  call.state === 'stopping' ||
  call.state === 'overdue' ||
  [...store.asked].some((asked) => asked.calls.includes(call.id));
// Then there is nothing left that a stop of them could reach. One that is added later can be stopped again.
const areEnding = (calls) => calls.length > 0 && calls.every(isEnding);
function settleAsked() {
  const live = new Set(store.state.calls.map((call) => call.id));
  for (const asked of store.asked) {
    if (asked.answered && !asked.calls.some((id) => live.has(id))) store.asked.delete(asked);
  }
}

// --- One line for the person, until the next.

let told = 0;
function tell(words) {
  store.told = words;
  say(words);
  clearTimeout(told);
  told = setTimeout(() => {
    store.told = '';
    changed();
  }, 8000);
  changed();
}

// --- Events.

const unanswered = (call) => `still stopping: ${call.tool} has not answered`;

function hello(data) {
  if (!data.resumed || data.server !== store.server) {
    store.past = [];
    store.asked.clear();
    store.gone.clear();
    store.state = { ...store.state, calls: [], questions: [] };
    store.missed = 0;
    store.arrived = 0;
  }
  if (!data.resumed) store.met = data.now;
  store.server = data.server;
  store.version = data.version;
  store.missed += data.missed ?? 0;
}

function state(data) {
  const before = new Map(store.state.calls.map((call) => [call.id, call]));
  for (const call of data.calls) {
    const was = before.get(call.id)?.state;
    before.delete(call.id);
    if (call.state === 'stopping' && was !== 'stopping') say(`Stopping ${call.tool}.`);
    if (call.state === 'overdue' && was !== 'overdue') say(`${unanswered(call)}.`);
  }
  for (const call of before.values()) {
    if (isEnding(call)) keepInSight(call);
  }
  const open = new Set(data.questions.map((one) => one.id));
  for (const one of store.state.questions) {
    if (!open.has(one.id) && !store.news.has(one.id)) close(one.id, 'Answered elsewhere, or withdrawn.');
  }
  for (const one of data.questions) {
    if (!store.state.questions.some((old) => old.id === one.id)) say(`A question waits for you: ${short(one.message)}`);
  }
  store.state = data;
  store.arrived = performance.now();
  settleAsked();
  if (store.link !== 'live') {
    if (store.link === 'broken') say('Connected again.');
    store.link = 'live';
  }
}

// How a question went away stays readable for a while.
function close(question, words) {
  store.news.set(question, words);
  say(words);
  setTimeout(() => {
    store.news.delete(question);
    changed();
  }, 6000);
  changed();
}

// A stopped call stays in sight until the person had time to read what it had done.
function keepInSight(call) {
  const past = store.past.find((one) => one.call === call.id) ?? null;
  store.gone.set(call.id, { call, past });
  if (past) sayEnd(past);
  setTimeout(() => {
    store.gone.delete(call.id);
    changed();
  }, 10000);
}
function endWords(past) {
  if (past.outcome === 'aborted')
    return past.reason === 'stopped_by_user' ? 'stopped' : `stopped: ${past.reason.replaceAll('_', ' ')}`;
  return past.isError || past.outcome === 'error' ? 'had failed before the stop' : 'was done before the stop';
}
function sayEnd(past) {
  say(
    `${past.tool} ${endWords(past)}. ${past.effects?.length ? `Done before: ${short(past.effects.join('; '))}.` : ''}`,
  );
}

function addPast(entry) {
  if (store.past.some((one) => one.n === entry.n)) return;
  entry.fresh = entry.at > store.met;
  const at = store.past.findIndex((one) => one.n < entry.n);
  store.past.splice(at < 0 ? store.past.length : at, 0, entry);
  if (store.past.length > kept) store.past.length = kept;
  const row = store.gone.get(entry.call);
  if (row) {
    row.past = entry;
    sayEnd(entry);
  }
}

const handlers = { hello, state, past: addPast };
function begin() {
  listen({
    event(name, data) {
      handlers[name]?.(data);
      changed();
    },
    rests: () => !store.state.sessions.some((one) => one.held?.by === 'you'),
    broken(since, why) {
      if (store.link === 'live' || store.link === 'connecting') {
        store.since = since;
        store.frozen = performance.now() - (Date.now() - since);
      }
      store.link = why;
      changed();
    },
  });
}

export {
  store,
  onChange,
  changed,
  stale,
  known,
  ageOf,
  session,
  nameOf,
  chosen,
  choose,
  stop,
  isEnding,
  areEnding,
  tell,
  unanswered,
  close,
  endWords,
  begin,
};
