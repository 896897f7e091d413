// Ten sessions as a model would lead them. Each step is one tool call; what is answered stands in golden/.
import { bringCities } from './api.mjs';
import { click, find, key, look, open, seen, select, type, wait } from './script.mjs';

// Contract: [tool.snapshot.delta] [tool.snapshot.secrets] [nav.after-action]
const login = [
  open('login.html'),
  click('button "Sign in"'),
  type('textbox "E-mail"', 'ann@example.org'),
  type('textbox "Password"', 'wrong'),
  click('button "Sign in"'),
  type('textbox "Password"', 'open sesame'),
  click('button "Show password"'),
  click('button "Sign in"'),
  click('button "Ann Lee"'),
  click('menuitem "Sign out"'),
];

// Contract: [tool.snapshot.delta] [tool.snapshot.pointers] [tool.target.covered]
const shop = [
  open('shop.html'),
  ['browser_click', { target: 'role=button[name="Add to cart"]' }],
  click('button "Add to cart"'),
  click('button "Cart'),
  ['browser_click', { target: '[data-more]' }],
  ['browser_click', { target: 'role=button[name="Add to cart"]' }],
  ['browser_click', { target: '[data-remove]' }],
  click('button "Go on shopping"'),
  click('button "Cart'),
  look(),
];

// Contract: [nav.after-action.timers] [tool.wait-for] [tool.find]
const filter = [
  open('filter.html'),
  bringCities,
  wait('Berlin'),
  type('searchbox', 'ber'),
  type('searchbox', 'xyz'),
  type('searchbox', ''),
  click('button "Show more"'),
  find('city 17'),
  key('Escape'),
  look(),
];

// Contract: [tool.snapshot.delta] [nav.after-action]
const tabs = [
  open('tabs.html'),
  click('tab "Readings"'),
  wait('21.5'),
  key('ArrowRight'),
  wait('restarted'),
  click('tab "Overview"'),
  key('ArrowRight'),
  look(),
];

// Contract: [tool.snapshot.outline] [tool.snapshot.delta] [tool.find] [nav.dialogs]
const table = [
  open('table.html'),
  click('button "Next"'),
  click('checkbox "Invoice 1026"'),
  select('combobox "State"', 'open'),
  ['browser_click', { target: 'role=button[name="Sum"]' }],
  find('Customer 21'),
  click('button "Send reminder"'),
  ['browser_handle_dialog', { accept: true }],
  look({ target: 'table', depth: 2 }),
];

// Contract: [tool.snapshot] [tool.target] [tool.snapshot.secrets] [nav.popup]
const frames = [
  open('frames.html'),
  type('textbox "Name on the card"', 'Ann Lee'),
  type('textbox "Card number"', '4111'),
  click('button "Pay now"'),
  [
    'browser_fill_form',
    {
      fields: [
        { target: seen('textbox "Card number"'), value: '4111111111111111' },
        { target: seen('combobox "Expires"'), value: '2027' },
      ],
    },
  ],
  click('button "Pay now"'),
  look(),
  click('link "To the shop"'),
  ['browser_tabs', { action: 'list' }],
  ['browser_tabs', { action: 'close' }],
];

// Contract: [tool.type] [tool.snapshot.delta] [tool.snapshot]
const editor = [
  open('editor.html'),
  type('textbox "Text"', 'Buy milk and bread'),
  key('Control+Shift+ArrowLeft'),
  click('button "B"'),
  key('Control+A'),
  click('[icon='),
  click('button "↶"'),
  click('button "Save"'),
  look(),
  type('textbox "Text"', ''),
];

// Contract: [tool.forms] [tool.snapshot.delta] [tool.options] [tool.snapshot]
const wizard = [
  open('wizard.html'),
  click('button "Next"'),
  [
    'browser_fill_form',
    {
      fields: [
        { target: seen('textbox "Name"'), value: 'Ann Lee' },
        { target: seen('textbox "E-mail"'), value: 'ann@' },
        { target: seen('textbox "Born on"'), value: '2001-02-30' },
      ],
    },
  ],
  ['browser_fill_form', { fields: [{ target: seen('textbox "Born on"'), value: '2001-02-03' }] }],
  click('button "Next"'),
  type('textbox "E-mail"', 'ann@example.org', { submit: true }),
  click('radio "Sailing"'),
  select('combobox "Level"', 'Expert'),
  select('combobox "Level"', 'Beginner'),
  click('button "Next"'),
  click('checkbox "I accept'),
  click('button "Next"'),
  click('button "Register"'),
];

// Contract: [nav.after-action] [nav.history] [tool.snapshot.delta]
const spa = [
  open('spa.html'),
  click('link "Books"'),
  click('link "Emma"'),
  click('button "Lend"'),
  ['browser_navigate_back', {}],
  click('link "Loans"'),
  click('button "Try again"'),
  ['browser_reload', {}],
  click('link "Home"'),
];

// Contract: [tool.uploads] [tool.files] [nav.outcome.download] [tool.downloads.caller]
const files = [
  open('files.html'),
  click('link "Download"'),
  ['browser_file_upload', { target: 'text=Choose a file', paths: ['{files}/letter.txt'] }],
  click('button "Upload"'),
  ['browser_click', { target: 'text=Choose a file' }],
  ['browser_file_upload', { paths: ['{files}/missing.txt'] }],
  ['browser_file_upload', { paths: [] }],
  ['browser_navigate', { url: '/download/report.csv' }],
];

export default { login, shop, filter, tabs, table, frames, editor, wizard, spa, files };
