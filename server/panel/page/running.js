// What runs now, the runs of agents among it, with a stop for each.
import { $, act, age, count, h, nested, put, short, showStop, sync, tool } from './dom.js';
import {
  ageOf,
  areEnding,
  choose,
  endWords,
  isEnding,
  known,
  nameOf,
  session,
  stale,
  stop,
  store,
  unanswered,
} from './store.js';

const stateNames = {
  queued: 'waits for its turn in the tab',
  running: 'running',
  held: 'held by the user',
  stopping: 'Stopping…',
};
function stateWords(call, gone) {
  if (gone) return gone.past ? endWords(gone.past) : 'Stopping…';
  const said = call.state === 'overdue' ? unanswered(call) : (stateNames[call.state] ?? call.state);
  return stale() ? `was: ${said}` : said;
}

// How far it says it is: the step and the goal of a run, what a long tool waits for.
function progressWords({ progress }) {
  if (!progress) return '';
  const { done, total, words: said } = progress;
  return ` · ${said ? short(said, 300) : total ? `${Math.floor(done)} of ${total}` : Math.floor(done)}`;
}

function makeCall(call) {
  const row = h(
    'li',
    { class: `call${call.parent ? ' nested' : ''}` },
    h('span', { class: 'mark' }),
    h(
      'button',
      { class: 'row', type: 'button', onclick: () => choose(call.session, call.tab) },
      tool(call.tool),
      ' ',
      h('bdi', { class: 'target' }),
      h('span', { class: 'unseen' }, ', show its tab'),
    ),
    h('span', { class: 'age' }),
    act('Stop', 'stop', () => stop({ call: call.id })),
    h('p', { class: 'state' }),
    h('ul', { class: 'effects', hidden: true }),
  );
  return row;
}

function updateCall(row, call) {
  const gone = store.gone.get(call.id);
  row.dataset.state = gone?.past ? gone.past.outcome : call.state;
  const target = short(call.target);
  put($('.target', row), target);
  const of = session(call.session);
  const progress = gone ? '' : progressWords(call);
  put($('.state', row), `${stateWords(call, gone)}${progress}${of && !call.parent ? ` · ${nameOf(of)}` : ''}`);
  put($('.age', row), gone ? '' : age(ageOf(call.since)));
  const button = $('.stop', row);
  if (gone && button === document.activeElement) $('.row', row).focus();
  button.hidden = Boolean(gone);
  showStop(button, 'Stop', `${call.tool} ${target}`, isEnding(call));
  const effects = gone?.past?.effects ?? [];
  $('.effects', row).hidden = effects.length === 0;
  sync($('.effects', row), effects, String, (effect) => h('li', {}, h('bdi', {}, `had done: ${short(effect)}`)));
}

function renderRunning() {
  const { calls } = store.state;
  const live = new Set(calls.map((call) => call.id));
  const gone = [...store.gone.values()].map((one) => one.call).filter((call) => !live.has(call.id));
  // One that has ended keeps its place.
  const all = [...gone, ...calls].sort((a, b) => a.id.slice(1) - b.id.slice(1));
  const rows = nested(all, (call) => call.id);
  sync($('#running ul'), rows, (call) => call.id, makeCall, updateCall);
  $('#running .none').hidden = rows.length > 0;
  put($('#running .none'), !known() ? 'Not known yet.' : stale() ? 'Nothing ran when this was told.' : 'Nothing runs.');
  put($('#running .count'), calls.length ? String(calls.length) : '');

  showStop($('#stop-all'), 'Stop everything', '', areEnding(calls), calls.length === 0);
  const ending = calls.filter(isEnding);
  const { sessions } = store.state;
  put(
    $('#totals'),
    stale()
      ? ''
      : `${count(sessions.length, 'session')} · ${calls.length - ending.length} running${ending.length ? ` · ${ending.length} stopping` : ''}`,
  );
  const running = !stale() && calls.length ? `(${calls.length}) ` : '';
  const broken = store.link === 'broken' || store.link === 'refused' ? ': disconnected' : '';
  document.title = `${running}bridle${broken}`;
}

export { renderRunning };
