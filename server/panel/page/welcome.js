// How to connect a client, and the help. Loaded when there is no client, or when somebody asks.
import { $, act, copy, h } from './dom.js';

function snippet(title, text) {
  return h(
    'div',
    {},
    h('h3', {}, title),
    h(
      'div',
      { class: 'snippet' },
      h('code', {}, text),
      act('Copy', 'quiet', (event) => copy(text, event.currentTarget)),
    ),
  );
}

function beginWelcome() {
  if ($('#welcome').childElementCount > 0) return;
  const url = `${location.origin}/mcp`;
  $('#welcome').append(
    h(
      'div',
      {},
      h('h2', { id: 'welcome-title' }, 'No client is connected'),
      h(
        'p',
        { class: 'muted' },
        'As soon as one is, its tabs stand here live, with what it does and a stop for each call.',
      ),
      snippet('Any client that speaks MCP over HTTP', url),
      snippet('Claude Code', `claude mcp add --transport http bridle ${url}`),
      snippet('Cursor, ~/.cursor/mcp.json', JSON.stringify({ mcpServers: { bridle: { url } } })),
      snippet('VS Code, .vscode/mcp.json', JSON.stringify({ servers: { bridle: { type: 'http', url } } })),
    ),
  );
}

const shortcuts = [
  [['?'], 'this help'],
  [['/'], 'search the timeline'],
  [['↑', '↓'], 'from call to call in the timeline; Enter opens one'],
  [['Shift', 'Esc'], 'out of the live view while you are at the wheel'],
  [['Esc'], 'closes this help, empties the search'],
];
function beginHelp() {
  const dialog = $('#help');
  if (dialog.childElementCount > 0) return;
  const rows = shortcuts.flatMap(([keys, what]) => [
    h('dt', {}, ...keys.flatMap((key) => [h('kbd', {}, key), ' '])),
    h('dd', {}, what),
  ]);
  dialog.append(
    h('h2', { id: 'help-title' }, 'Keys'),
    h('dl', {}, rows),
    h(
      'p',
      { class: 'muted' },
      'Taking over holds the agent’s acting calls. They go on, and are told what you did, when you hand back.',
    ),
    h(
      'p',
      {},
      h('br'),
      act('Close', 'main', () => dialog.close()),
    ),
  );
}

export { beginWelcome, beginHelp };
