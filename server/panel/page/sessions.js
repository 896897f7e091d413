// Who is connected, and which tabs they have; who is at the wheel.
import { $, act, age, count, h, mark, put, short, showStop, sync } from './dom.js';
import { ageOf, areEnding, choose, chosen, nameOf, stale, stop, store } from './store.js';
import { handBack } from './wheel.js';

function makeSession(one) {
  return h(
    'li',
    { class: 'session' },
    h(
      'header',
      {},
      h(
        'button',
        { class: 'row', type: 'button', onclick: () => choose(one.id) },
        h('bdi', { class: 'name clip' }),
        h('span', { class: 'meta clip', title: 'MCP revision · session' }),
      ),
      act('Stop', 'stop', () => stop({ session: one.id })),
    ),
    h('ul'),
  );
}

function makeTab(sessionId, tab) {
  return h(
    'li',
    {},
    h(
      'button',
      { class: 'row tab', type: 'button', onclick: () => choose(sessionId, tab.id) },
      h('bdi', { class: 'clip title' }),
      h('bdi', { class: 'clip url' }),
      h('span', { class: 'flag' }),
    ),
  );
}

function updateTab(row, tab, shown) {
  put($('.title', row), short(tab.title) || 'Untitled');
  put($('.url', row), short(tab.url));
  const flags = [tab.dialog && 'dialog open', tab.crashed && 'crashed', tab.isolated && 'isolated'].filter(Boolean);
  put($('.flag', row), flags.join(' · '));
  $('.flag', row).hidden = flags.length === 0;
  $('.flag', row).classList.toggle('bad', tab.crashed);
  mark($('.tab', row), 'aria-current', shown);
  mark($('.tab', row), 'title', short(tab.url));
}

function updateSession(row, one) {
  const now = chosen();
  const calls = store.state.calls.filter((call) => call.session === one.id);
  put($('.name', row), nameOf(one));
  put($('.meta', row), [one.revision, one.id].filter(Boolean).join(' · '));
  showStop($('.stop', row), 'Stop', `all calls of ${nameOf(one)} ${one.id}`, areEnding(calls), calls.length === 0);
  sync(
    $('ul', row),
    one.tabs,
    (tab) => tab.id,
    (tab) => makeTab(one.id, tab),
    (element, tab) => updateTab(element, tab, now.session?.id === one.id && now.tab?.id === tab.id),
  );
}

function renderSessions() {
  const { sessions } = store.state;
  sync($('#sessions > ul'), sessions, (one) => one.id, makeSession, updateSession);
  $('#sessions').hidden = sessions.length === 0;

  const held = stale() ? [] : sessions.filter((one) => one.held);
  const banner = $('#wheel');
  banner.hidden = held.length === 0;
  sync(
    banner,
    held,
    (one) => `${one.id} ${one.held.by}`,
    (one) => {
      const mine = one.held.by === 'you';
      return h('div', { class: mine ? 'mine' : '' }, h('p', {}), mine && act('Hand back', '', () => handBack(one.id)));
    },
    (line, one) => {
      const who = one.held.by === 'you' ? 'You are' : 'Another viewer is';
      const waiting = one.held.waiting ? ` · ${count(one.held.waiting, 'call waits', 'calls wait')}` : '';
      put($('p', line), `${who} at the wheel of ${nameOf(one)}${waiting} · ${age(ageOf(one.held.since))}`);
    },
  );
}

export { renderSessions };
