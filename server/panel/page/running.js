// What runs now, the runs of agents among it, with a stop for each.
import { $, act, age, count, h, mark, put, short, sync, tool } from './dom.js';
import { ageOf, choose, endWords, isAsked, session, nameOf, stale, stop, store, unanswered } from './store.js';

const words = {
  queued: 'waits for its turn in the tab',
  running: 'running',
  held: 'held by the user',
  stopping: 'Stopping…',
};
function stateWords(call, gone) {
  if (gone) return gone.past ? endWords(gone.past) : 'Stopping…';
  const said = call.state === 'overdue' ? unanswered(call) : (words[call.state] ?? call.state);
  return stale() ? `was: ${said}` : said;
}

const runOf = (call) =>
  store.state.runs.find(
    (run) => run.call === call.id || (!run.call && run.session === call.session && call.tool === 'browser_agent'),
  );

function make(call) {
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

function update(row, call) {
  const gone = store.gone.get(call.id);
  const run = runOf(call);
  row.dataset.state = gone?.past ? gone.past.outcome : call.state;
  const target = short(run ? run.goal : call.target);
  put($('.target', row), target);
  const step = run?.step ? ` · step ${run.step}` : '';
  const of = session(call.session);
  put($('.state', row), `${stateWords(call, gone)}${step}${of && !call.parent ? ` · ${nameOf(of)}` : ''}`);
  put($('.age', row), gone ? '' : age(ageOf(call.since)));
  const button = $('.stop', row);
  const stopping = isAsked(call) || call.state === 'stopping' || call.state === 'overdue';
  button.hidden = Boolean(gone);
  put(button, stopping ? 'Stopping…' : 'Stop');
  mark(button, 'aria-label', `${stopping ? 'Stopping…' : 'Stop'} ${call.tool} ${target}`.trim());
  mark(button, 'aria-disabled', stopping && 'true');
  const effects = gone?.past?.effects ?? [];
  $('.effects', row).hidden = effects.length === 0;
  sync($('.effects', row), effects, String, (effect) => h('li', {}, h('bdi', {}, `had done: ${short(effect)}`)));
}

// Children below their parents, whatever order they came in.
function inOrder(calls) {
  const known = new Set(calls.map((call) => call.id));
  const roots = calls.filter((call) => !call.parent || !known.has(call.parent));
  const below = (id) => calls.filter((call) => call.parent === id).flatMap((call) => [call, ...below(call.id)]);
  return roots.flatMap((root) => [root, ...below(root.id)]);
}

export function renderRunning() {
  const { calls } = store.state;
  const live = new Set(calls.map((call) => call.id));
  const rows = inOrder([
    ...[...store.gone.values()].map((one) => one.call).filter((call) => !live.has(call.id)),
    ...calls,
  ]);
  sync($('#running ul'), rows, (call) => call.id, make, update);
  $('#running .none').hidden = rows.length > 0;
  put($('#running .none'), stale() ? 'Nothing ran when the connection broke.' : 'Nothing runs.');
  put($('#running .count'), calls.length ? String(calls.length) : '');

  const button = $('#stop-all');
  const ending = calls.filter((call) => isAsked(call) || call.state === 'stopping' || call.state === 'overdue');
  const all = store.asked.has('{"all":true}') || (calls.length > 0 && ending.length === calls.length);
  put(button, all ? 'Stopping…' : 'Stop everything');
  mark(button, 'aria-disabled', (all || calls.length === 0) && 'true');
  const { sessions } = store.state;
  put(
    $('#totals'),
    stale()
      ? ''
      : `${count(sessions.length, 'session')} · ${calls.length - ending.length} running${ending.length ? ` · ${ending.length} stopping` : ''}`,
  );
  document.title =
    store.link === 'resting'
      ? 'bridle'
      : stale()
        ? 'bridle: disconnected'
        : calls.length
          ? `(${calls.length}) bridle`
          : 'bridle';
}
