// What was done: the newest first, found by words, opened for the whole story.
import { $, act, clock, h, lazily, mark, nested, put, short, span, sync, tool } from './dom.js';
import { changed, chosen, known, stale, store, tell } from './store.js';
import { get } from './wire.js';

const hasFailed = (one) => one.outcome === 'error' || (one.outcome === 'completed' && one.isError);
const reads = /snapshot|screenshot|console|network|status|find$|tabs$/;
const filters = {
  all: ['All', () => true],
  acts: ['Actions', (one) => !reads.test(one.tool)],
  failed: ['Failed', hasFailed],
  stopped: ['Stopped', (one) => one.outcome === 'aborted'],
  mine: ['This session', (one) => one.session === chosen().session?.id],
};
let filter = 'all';
let words = '';
let found = null; // what the server found for the words, the newest first; null: it hasn't answered
let failed = ''; // ... and why it won't
let older = []; // what was asked for beyond what is kept
let more = true;

const haystack = (one) =>
  [one.tool, JSON.stringify(one.arguments), one.text, one.url, one.session, one.client].join(' ').toLowerCase();
const matches = (one) =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack(one).includes(word));

// The first line of a result that says something: what stands below Result or Error, or before any heading.
const gist = (text) => /^(?:### (?:Result|Error)\n)?\s*((?!#)\S.*)/.exec(text ?? '')?.[1] ?? '';
// A ref names nothing to the person: then the element is called as the result calls it.
function targetOf({ arguments: a = {}, text, effects }) {
  const named = a.element ?? a.url ?? a.target ?? a.task ?? a.text ?? a.key ?? a.action ?? '';
  return (
    (/^(f\d+)?e\d+$/.test(named) && /\b[a-z]+ "(?:[^"\\]|\\.)+"/.exec(gist(text) || effects?.join())?.[0]) ||
    short(named)
  );
}

function line(past) {
  if (past.outcome === 'aborted') {
    const done = past.effects?.length ? `had done: ${past.effects.join('; ')}` : 'nothing had been done';
    return `${past.reason === 'stopped_by_user' ? 'stopped' : (past.reason || 'stopped').replaceAll('_', ' ')} · ${done}`;
  }
  const said = gist(past.text);
  const target = targetOf(past);
  return target && said.endsWith(target) && !hasFailed(past) ? '' : said;
}

const loadDetail = lazily(() => import('./detail.js'));
function makePast(past) {
  const said = short(line(past));
  const row = h(
    'button',
    { class: 'row', type: 'button', 'aria-expanded': 'false', 'data-state': hasFailed(past) ? 'error' : past.outcome },
    h('span', { class: 'mark' }),
    h('span', { class: 'clip' }, tool(past.tool), ' ', h('bdi', {}, targetOf(past))),
    h('span', { class: 'ms' }, span(past.ms)),
    h('time', { datetime: new Date(past.at).toISOString() }, clock(past.at)),
    h('span', { class: 'unseen' }, hasFailed(past) ? 'failed' : past.outcome),
    said && h('bdi', { class: 'line clip' }, said),
  );
  const item = h('li', { class: `past${past.parent ? ' nested' : ''}${past.fresh ? ' fresh' : ''}` }, row);
  row.addEventListener('click', async () => {
    const open = row.getAttribute('aria-expanded') !== 'true';
    mark(row, 'aria-expanded', open);
    const { detail } = await loadDetail().catch(() => ({}));
    $('.detail', item)?.remove();
    if (row.getAttribute('aria-expanded') !== 'true') return;
    if (!detail) {
      mark(row, 'aria-expanded', false);
      tell('The details did not arrive. Try again.');
      return;
    }
    item.append(detail(past));
    item.scrollIntoView({ block: item.offsetHeight > innerHeight / 3 ? 'start' : 'nearest' });
  });
  return item;
}

function emptyWords(all, hasOlder) {
  if (words) return found ? 'No call matches.' : failed || 'Searching…';
  if (!known() || stale()) return '';
  if (all.length === 0) return 'Calls stand here when they have ended.';
  return hasOlder ? 'None of the newest calls matches.' : 'No call matches.';
}

function renderTimeline() {
  const all = everything();
  const hasOlder = more && all.length > 0 && all.at(-1).n > 1;
  // A run's own calls stand below it, in their order.
  const rows = nested(
    all.filter(filters[filter][1]),
    (one) => one.call,
    (children) => children.reverse(),
  );
  sync($('#timeline > ul'), rows, (one) => String(one.n), makePast);
  const none = $('#timeline .none');
  none.hidden = rows.length > 0 && !store.missed;
  put(none, rows.length ? `${store.missed} earlier calls are no longer kept.` : emptyWords(all, hasOlder));
  $('#older').hidden = !hasOlder;
  for (const button of $('#filters').children) mark(button, 'aria-pressed', button.dataset.filter === filter);
}
// What is known here, as far as it matches the words.
function everything() {
  return words ? merge(store.past.filter(matches), found ?? []) : merge(store.past, older);
}
function merge(a, b) {
  const seen = new Set(a.map((one) => one.n));
  return [...a, ...b.filter((one) => !seen.has(one.n))].sort((x, y) => y.n - x.n);
}

async function load(before) {
  const asked = words;
  try {
    const answer = await get('past', { limit: 50, ...(before && { before }), ...(asked && { query: asked }) });
    if (asked !== words) return;
    more = answer.more;
    if (asked) found = merge(before ? (found ?? []) : [], answer.entries);
    else older = merge(older, answer.entries);
  } catch (error) {
    if (asked && asked === words && !found) failed = `The search did not arrive: ${error.message}`;
    else tell(error.message);
  }
  changed();
}

let server = '';
function forgetOlder() {
  if (server === store.server) return;
  server = store.server;
  older = [];
  found = null;
  more = true;
  if (words) load();
}

function beginTimeline() {
  const search = $('#search');
  let timer = 0;
  search.addEventListener('input', () => {
    words = search.value.trim();
    found = null;
    failed = '';
    more = true;
    clearTimeout(timer);
    if (words) timer = setTimeout(load, 150);
    changed();
  });
  for (const [name, [label]] of Object.entries(filters)) {
    const todo = () => {
      filter = name;
      changed();
    };
    const button = act(label, '', todo);
    button.dataset.filter = name;
    $('#filters').append(button);
  }
  $('#older').addEventListener('click', () => {
    load(everything().at(-1)?.n);
  });
  $('#timeline > ul').addEventListener('keydown', (event) => {
    const rows = [...$('#timeline > ul').querySelectorAll('.past > .row')];
    const at = rows.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    rows[to]?.focus();
  });
}

export { renderTimeline, forgetOlder, beginTimeline };
