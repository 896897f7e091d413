// bridle's control panel. The server pushes what is; the views below show it; nothing is kept here that the server doesn't say.
import { $, clock, lazily, mark, off, put } from './dom.js';
import { beginInspect, renderInspect } from './inspect.js';
import { renderRunning } from './running.js';
import { renderSessions } from './sessions.js';
import { begin, known, onChange, stale, stop, store, tell } from './store.js';
import { beginTimeline, forgetOlder, renderTimeline } from './timeline.js';
import { beginView, renderView } from './view.js';
import { beginWheel, renderWheel } from './wheel.js';

const links = {
  connecting: 'Connecting…',
  live: 'Live',
  broken: 'Disconnected',
  refused: 'Not let in',
  resting: 'Paused',
};

function renderLink() {
  put($('#link'), links[store.link]);
  mark(document.body, 'data-link', store.link);
  document.body.classList.toggle('stale', stale());
  const since = `Disconnected since ${clock(store.since)}`;
  const words = {
    broken: `${since}, trying again. What stands here was so then.`,
    refused: `bridle was started anew or doesn’t know this browser any more. Run “bridle panel” to get in again.`,
  };
  const all = [words[store.link], store.told].filter(Boolean).join(' ');
  $('#notice').hidden = !all;
  put($('#notice'), all);
}

// In vain they are asked for again with the next state.
const loadWelcome = lazily(() => import('./welcome.js'));
const loadAsks = lazily(() => import('./asks.js'));
const inVain = () => null;

function renderEmpty() {
  const empty = known() && store.state.sessions.length === 0;
  $('#welcome').hidden = !empty || stale();
  $('#stage').hidden = empty;
  $('main').classList.toggle('empty', empty);
  if (empty) loadWelcome().then(({ beginWelcome }) => beginWelcome(), inVain);
}
async function help() {
  const { beginHelp } = await loadWelcome().catch(() => ({}));
  if (!beginHelp) {
    tell('The help did not arrive. Try again.');
    return;
  }
  beginHelp();
  if (!$('#help').open) $('#help').showModal();
}

let asked = false; // there was something to answer
function render() {
  forgetOlder();
  renderLink();
  renderEmpty();
  renderSessions();
  renderRunning();
  asked ||= store.state.questions.length > 0 || store.state.sessions.some((one) => one.tabs.some((tab) => tab.dialog));
  if (asked) loadAsks().then(({ renderAsks }) => renderAsks(), inVain);
  renderTimeline();
  renderView();
  renderWheel();
  renderInspect();
}

$('#stop-all').addEventListener('click', (event) => {
  if (!off(event.currentTarget)) stop({ all: true });
});
beginTimeline();
beginInspect();
beginView();
beginWheel();
$('#help-open').addEventListener('click', help);
addEventListener('keydown', (event) => {
  const typing = event.target.closest?.('input, textarea, select, dialog');
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '?') help();
  else if (event.key === '/') $('#search').focus();
  else return;
  event.preventDefault();
});
onChange(render);
// Ages count on while they are true.
setInterval(() => {
  if (stale() || document.hidden) return;
  renderRunning();
  if (store.state.sessions.some((one) => one.held)) renderSessions();
}, 250);
begin();
