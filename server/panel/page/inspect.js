// Console, network and downloads of the chosen tab.
import { $, bytes, h, mark, put, short, span, sync } from './dom.js';
import { chosen, known, stale, store } from './store.js';
import { get } from './wire.js';

const kinds = { console: 'Console', network: 'Network', downloads: 'Downloads' };
const nothing = {
  console: 'The page has logged nothing.',
  network: 'The page has requested nothing.',
  downloads: 'This session has downloaded nothing.',
};
const every = 1500;
let kind = 'console';
let at = ''; // what the entries are of
let entries = [];
let dropped = 0;
let answered = false; // the entries are the server's answer
let timer = 0;

const cell = (words, name = 'meta clip') =>
  h('bdi', { class: name, title: name.includes('clip') && short(words) }, short(words, 2000));
const makers = {
  console: (one) =>
    h(
      'li',
      { class: `entry console ${{ error: 'bad', warning: 'warn' }[one.level] ?? ''}` },
      cell(one.level),
      cell(one.text, ''),
      cell(one.url ? `${one.url.split('/').pop()}${one.line ? `:${one.line}` : ''}` : ''),
    ),
  network: (one) =>
    h(
      'li',
      { class: `entry ${one.failed || one.status >= 400 ? 'bad' : ''}` },
      cell(one.method),
      cell(one.url, 'clip'),
      cell(String(one.failed ? 'failed' : (one.status ?? '…'))),
      cell(bytes(one.bytes)),
      cell(one.ms >= 0 ? span(one.ms) : ''),
    ),
  downloads: (one) =>
    h(
      'li',
      { class: `entry ${one.state === 'failed' ? 'bad' : ''}` },
      cell(one.state),
      one.state === 'done'
        ? h(
            'a',
            { href: `/panel/downloads/${encodeURIComponent(one.id)}`, class: 'clip', download: true },
            short(one.name),
          )
        : cell(one.name, 'clip'),
      cell(''),
      cell(bytes(one.bytes)),
      cell(''),
    ),
};

function show() {
  const panel = $('#inspect-panel');
  const { session } = chosen();
  const rows = kind === 'downloads' ? store.state.downloads.filter((one) => one.session === session?.id) : entries;
  const list = $('ul', panel);
  const bottom = panel.scrollTop + panel.clientHeight >= panel.scrollHeight - 8;
  const keyOf = new Map(rows.map((one, i) => [one, `${kind} ${i + dropped} ${JSON.stringify(one)}`]));
  sync(list, rows, (one) => keyOf.get(one), makers[kind]);
  if (bottom) panel.scrollTop = panel.scrollHeight;
  $('.none', panel).hidden = rows.length > 0;
  const sure = kind === 'downloads' ? session && known() && !stale() : answered;
  put($('.none', panel), sure ? nothing[kind] : '');
}

async function read() {
  clearTimeout(timer);
  const { session, tab } = chosen();
  const of = `${kind} ${session?.id} ${tab?.id}`;
  if (of !== at) {
    at = of;
    entries = [];
    dropped = 0;
    answered = false;
  }
  if (tab && kind !== 'downloads' && !stale() && !document.hidden && !$('#stage').hidden) {
    const answer = await get(kind, { session: session.id, tab: tab.id }).catch(() => null);
    if (answer && of === at) {
      entries = answer.entries;
      dropped = answer.dropped ?? 0;
      answered = true;
    }
  }
  if (of !== at) return;
  show();
  clearTimeout(timer);
  timer = setTimeout(read, every);
}

function pick(next) {
  kind = next;
  for (const button of $('[role="tablist"]').children) {
    const on = button.dataset.kind === kind;
    mark(button, 'aria-selected', on);
    button.tabIndex = on ? 0 : -1;
    if (on) $('#inspect-panel').setAttribute('aria-labelledby', button.id);
  }
  read();
}

function renderInspect() {
  const { session, tab } = chosen();
  if (`${kind} ${session?.id} ${tab?.id}` !== at || kind === 'downloads') read();
  const many = store.state.downloads.filter((one) => one.session === session?.id).length;
  put($('#tab-downloads'), many ? `Downloads ${many}` : 'Downloads');
}

function beginInspect() {
  $('#inspect-panel').append(h('ul'), h('p', { class: 'none' }));
  const list = $('[role="tablist"]');
  for (const [name, words] of Object.entries(kinds)) {
    list.append(
      h(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${name}`,
          'data-kind': name,
          'aria-controls': 'inspect-panel',
          onclick: () => pick(name),
        },
        words,
      ),
    );
  }
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const names = Object.keys(kinds);
    pick(names[(names.indexOf(kind) + step + names.length) % names.length]);
    $('[aria-selected="true"]', list).focus();
  });
  pick(kind);
}

export { renderInspect, beginInspect };
