// What the panel may have to show, as the server would tell it.
import { empty } from './mock.mjs';

const tab = (id, title, url, more = {}) => ({
  ...{ id, index: 0, url, title, current: false, crashed: false, isolated: false, dialog: null },
  ...more,
});
const call = (id, tool, target, more = {}) => ({
  ...{ id, session: 'ab12cd34', request: 17, tool, target, tab: 't1', state: 'running', ageMs: 3200, parent: null },
  ...more,
});

export function busy() {
  return {
    ...empty(),
    sessions: [
      {
        id: 'ab12cd34',
        client: 'Claude Code 2.1',
        revision: '2025-11-25',
        held: null,
        tabs: [
          tab('t1', 'Leaf & Kettle – Teas', 'https://shop.example/teas', { current: true }),
          tab('t2', 'Order 4711 – Leaf & Kettle', 'https://shop.example/orders/4711', { index: 1 }),
        ],
      },
      {
        id: '77e0f1a9',
        client: 'Cursor 1.9',
        revision: '2025-06-18',
        held: null,
        tabs: [
          tab('t3', 'Grafana – Checkout latency', 'https://metrics.example/d/checkout?from=now-6h', { current: true }),
        ],
      },
    ],
    calls: [
      call('k17', 'browser_agent', 'Find the cheapest red kettle and put it in the cart', {
        ageMs: 74200,
        progress: { done: 5.5, total: 40, words: 'step 6 of 40: put the enamel kettle into the cart' },
      }),
      call('k21', 'browser_click', 'button "Add to cart"', { parent: 'k17', ageMs: 1400 }),
      call('k22', 'browser_wait_for', 'text "p95 below 300 ms"', { session: '77e0f1a9', tab: 't3', ageMs: 12100 }),
      call('k23', 'browser_snapshot', '', { session: '77e0f1a9', tab: 't3', state: 'queued', ageMs: 2100 }),
    ],
    downloads: [
      {
        id: 'd4',
        session: 'ab12cd34',
        name: 'price-list-2026.pdf',
        bytes: 482133,
        url: 'https://shop.example/price-list',
        state: 'done',
      },
      {
        id: 'd5',
        session: 'ab12cd34',
        name: 'catalogue.zip',
        bytes: 1048576,
        url: 'https://shop.example/catalogue',
        state: 'running',
      },
    ],
  };
}

const ago = (seconds) => Date.now() - seconds * 1000;
export function history() {
  const client = 'Claude Code 2.1';
  const common = {
    parent: null,
    session: 'ab12cd34',
    client,
    tab: 't1',
    outcome: 'completed',
    isError: false,
    reason: '',
  };
  const more = { effects: [], url: 'https://shop.example/teas', settle: '', pictures: null };
  const made = (entry) => ({ ...common, ...more, ...entry });
  return [
    made({
      call: 'k1',
      at: ago(160),
      ms: 812,
      tool: 'browser_navigate',
      arguments: { url: 'https://shop.example/' },
      text: '### Page\n- Page URL: https://shop.example/',
      settle: 'load in 604 ms',
      pictures: { before: 'p1', after: 'p2' },
    }),
    made({
      call: 'k2',
      at: ago(150),
      ms: 46,
      tool: 'browser_snapshot',
      arguments: {},
      text: '### Snapshot\n```yaml\n- banner',
    }),
    made({
      call: 'k3',
      at: ago(141),
      ms: 188,
      tool: 'browser_click',
      arguments: { target: 'e14' },
      text: '### Result\nclicked link "Kettles"',
      settle: 'a navigation to /kettles, load in 96 ms',
      effects: ['clicked link "Kettles"'],
      pictures: { before: 'p2', after: 'p3' },
    }),
    made({
      call: 'k4',
      at: ago(128),
      ms: 5003,
      tool: 'browser_click',
      arguments: { target: 'role=button[name="Accept"]' },
      isError: true,
      text: '### Error\nNothing on the page matches role=button[name="Accept"]. Nearest: button "Accept all" [ref=e31] (waited 5000 ms)',
    }),
    made({
      call: 'k5',
      at: ago(119),
      ms: 131,
      tool: 'browser_click',
      arguments: { target: 'e31' },
      text: '### Result\nclicked button "Accept all"',
      effects: ['clicked button "Accept all"'],
    }),
    made({
      call: 'k6',
      at: ago(101),
      ms: 342,
      tool: 'browser_type',
      arguments: { target: 'e9', text: 'red kettle', submit: true },
      text: '### Result\ntyped into searchbox "Search teas and kettles"',
    }),
    made({
      call: 'k7',
      at: ago(96),
      ms: 2210,
      tool: 'browser_evaluate',
      arguments: { function: '() => [...document.querySelectorAll(".price")].map((e) => e.textContent)' },
      outcome: 'aborted',
      reason: 'stopped_by_user',
      text: '',
      effects: ['the script had begun'],
    }),
    made({
      call: 'k8',
      at: ago(64),
      ms: 388,
      session: '77e0f1a9',
      client: 'Cursor 1.9',
      tab: 't3',
      tool: 'browser_take_screenshot',
      arguments: { fullPage: true },
      text: '### Result\nSaved to /output/checkout.png',
      url: 'https://metrics.example/d/checkout',
    }),
    made({
      call: 'k18',
      parent: 'k17',
      at: ago(52),
      ms: 210,
      tool: 'browser_navigate',
      arguments: { url: 'https://shop.example/kettles?colour=red' },
      text: '### Page',
      settle: 'load in 180 ms',
    }),
    made({
      call: 'k19',
      parent: 'k17',
      at: ago(31),
      ms: 77,
      tool: 'browser_find',
      arguments: { text: 'cheapest' },
      text: '### Result\n3 matches',
    }),
    made({
      call: 'k20',
      parent: 'k17',
      at: ago(12),
      ms: 164,
      tool: 'browser_click',
      arguments: { target: 'e57' },
      text: '### Result\nclicked link "Enamel kettle, red, 1.2 l"',
      settle: 'a navigation to /kettles/enamel-red, load in 120 ms',
      pictures: { before: 'p3', after: 'p4' },
    }),
  ];
}

export const asked = (state) => {
  state.calls[1].state = 'held';
  state.questions = [
    {
      id: 'q3',
      session: 'ab12cd34',
      call: 'k17',
      message: 'The shop asks where to deliver. Which address shall I use?',
      schema: {
        type: 'object',
        required: ['address'],
        properties: {
          address: {
            type: 'string',
            title: 'Address',
            oneOf: [
              { const: 'home', title: 'Home, Mill Lane 4' },
              { const: 'work', title: 'Work, Dock Street 11' },
            ],
          },
          note: { type: 'string', title: 'Note for the courier', maxLength: 80 },
          gift: { type: 'boolean', title: 'Wrap it as a gift' },
        },
      },
      takeOver: false,
      ageMs: 4100,
    },
  ];
  state.sessions[1].tabs[0].dialog = {
    id: 'd7',
    type: 'prompt',
    message: 'Name this dashboard',
    defaultPrompt: 'Checkout',
  };
  return state;
};
