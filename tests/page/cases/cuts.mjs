// What goes first where there is no room for all. Contract: [tool.snapshot.cuts]
import { equal, has, hasNot, ok, refOf, shown } from '../expect.mjs';

const many = (n, item) => Array.from({ length: n }, (_, i) => item(i)).join('');
const options = (n, name, chosen = 0) => many(n, (i) => `<option${i === chosen ? ' selected' : ''}>${name} ${i}`);
const delta = (page, args) => page.yaml({ mode: 'delta', ...args });
const row = (cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
const kTools = [
  '<input type="checkbox">',
  '<a href="/edit.php?a=1">Edit</a>',
  '<a href="/copy.php?a=1">Copy</a>',
  '<a href="/delete.php?a=1">Delete</a>',
];

export default {
  // [tool.snapshot.cuts.items]
  'of a row that is cut what it has of its own is shown before what every row has': async (page) => {
    await shown(page, '<div id="d"></div>');
    const rows = many(12, (i) =>
      row([...kTools, '', `Ann Lee ${i}`, '', '', `ann${i}@example.org`, `<a href="/city/${i}">Oslo ${i}</a>`, 'Long']),
    );
    await page.main(`d.innerHTML = ${JSON.stringify(`<table>${rows}</table>`)}`);
    // The first row alone has more than there is room for.
    const yaml = await delta(page, { budgetChars: 440 });
    for (const part of ['Ann Lee 0', 'ann0@example.org', 'Oslo 0']) has(yaml, part);
    hasNot(yaml, 'Copy');
    ok(yaml.length < 640, `${yaml.length}`);
  },

  // [tool.snapshot.cuts] Docusaurus
  'of a sentence that is cut the beginning is shown': async (page) => {
    await shown(page, '<main id="d"></main>');
    const says = (i) =>
      `<p>The page ${i} supports <b>many of the things</b> that are known <b>from <a href="#a${i}">elsewhere</a></b> and a few <code>more</code> of its own, which is all.</p>`;
    await page.main(`d.innerHTML = ${JSON.stringify(many(6, says))}`);
    const yaml = await delta(page, { budgetChars: 1100 });
    for (let i = 0; i < 6; i++) has(yaml, `The page ${i} supports`);
    has(yaml, '… ');
    hasNot(yaml, /paragraph.*:\n *- text: …/);
  },

  'rows with short room each are cut alike': async (page) => {
    await shown(page, '<div id="d"></div>');
    const rows = many(4, (i) =>
      row([...kTools, ...kTools, `Ann Lee ${i}`, `ann${i}@example.org`, `Oslo ${i}`, '', `2023-01-0${i}`]),
    );
    await page.main(`d.innerHTML = ${JSON.stringify(`<table>${rows}</table>`)}`);
    const yaml = await delta(page, { budgetChars: 1300 });
    for (let i = 0; i < 4; i++)
      for (const part of [`Ann Lee ${i}`, `ann${i}@example.org`, `Oslo ${i}`, `2023-01-0${i}`]) has(yaml, part);
    hasNot(yaml, '/url');
    has(yaml, /… \d more items/);
  },

  'of a row that is cut the name comes before its number': async (page) => {
    const record = (i) =>
      row(['<input type="checkbox">', `${i + 1}`, `Ann Lee ${i}`, '<a href="/x">Edit</a>', `${700 + i}`]);
    await page.load(`<!doctype html><table>${many(5, record)}</table>`);
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 750 });
    for (let i = 0; i < 5; i++) has(yaml, `cell "Ann Lee ${i}"`);
    has(yaml, /… \d more items/);
  },

  'what a carousel clips is not replaced by a count that is no shorter': async (page) => {
    const slides = many(3, (i) => `<li style="flex:none;width:300px">Slide ${i}</li>`);
    await page.load(
      `<!doctype html><ul style="display:flex;overflow:hidden;width:300px;padding:0">${slides}</ul><main>${many(30, (i) => `<p>Some words of paragraph ${i}</p>`)}</main>`,
    );
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 900 });
    has(yaml, 'Slide 2');
    has(yaml, 'more items');
  },

  'of an item that is cut too': async (page) => {
    const item = (i) =>
      `<li><button>Mark as read</button><button>Archive</button><button>Reply to all</button><button>Report</button>
       <span>Sender number ${i}</span><a href="/m/${i}">Subject number ${i}</a></li>`;
    await page.load(`<!doctype html><main><ul>${many(6, item)}</ul></main>`);
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 1100 });
    for (let i = 0; i < 6; i++) has(yaml, `Subject number ${i}`);
  },

  // FreshRSS: an article is a list of its own
  'and of boxes that are alike, whatever they are': async (page) => {
    const links = (names) =>
      names.map((name) => `<li><a href="/x" title="Go to ${name.length}">${name}</a></li>`).join('');
    const entry = (i) =>
      `<ul>${links(['Toggle read', i === 2 ? '⭐' : '☆', 'My feed', `Story number ${i}`, 'See on website'])}</ul>`;
    const first = '<h2>Today, which is a heading</h2>';
    await page.load(`<!doctype html><main>${first}${many(8, entry)}<form><button>Mark all</button></form></main>`);
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 1900 });
    for (let i = 0; i < 8; i++) has(yaml, `Story number ${i}`);
  },

  'the box that selects a row is alike whatever its name, boxes of a group are not': async (page) => {
    const record = (i) =>
      row([
        `<input type="checkbox" aria-label="Select the row of Ann Lee ${i}">`,
        ...kTools.slice(1),
        `Ann Lee ${i}`,
        'Oslo',
        'x',
      ]);
    await page.load(`<!doctype html><table>${many(4, record)}</table>`);
    page.next = 1;
    const rows = await page.yaml({ budgetChars: 840 });
    for (let i = 0; i < 4; i++) has(rows, `cell "Ann Lee ${i}"`);
    hasNot(rows, 'Select the row');
    const group = (i) =>
      `<fieldset><legend>Group ${i}</legend>${many(9, (k) => `<label><input type="checkbox"> Option ${i}.${k}</label><button>Help</button>`)}</fieldset>`;
    await page.load(`<!doctype html><form>${many(4, group)}</form>`);
    page.next = 1;
    const groups = await page.yaml({ budgetChars: 1900 });
    for (let i = 0; i < 4; i++) has(groups, `checkbox "Option ${i}.0"`);
  },

  // [tool.snapshot.cuts.selects]
  'options that are not chosen go before anything else does': async (page) => {
    const names = [
      'Databases',
      'SQL',
      'Status',
      'User accounts',
      'Export',
      'Import',
      'Settings',
      'Replication',
      'More',
    ];
    await page.load(
      `<!doctype html><nav><ul>${names.map((name) => `<li><a href="/server/${name}">${name}</a></li>`).join('')}</ul></nav>
      <div><label>Collation <select>${options(26, 'latin', 7)}</select></label>
      <label>Languages <select multiple size="4">${options(30, 'language', 4)}</select></label>
      <label>Unchosen <select size="4">${options(30, 'thing', -1)}</select></label>
      <label>Theme <select>${options(3, 'theme')}</select></label></div>
      ${many(14, (i) => `<p>Line ${i} of the server's own values</p>`)}`,
    );
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 2300 });
    for (const name of names) has(yaml, `link "${name}"`);
    has(yaml, 'Line 13');
    has(yaml, /combobox "Collation" \[ref=e\d+\]:\n *- option "latin 7" \[selected\]\n *- text: … 25 more options\n/);
    has(yaml, /option "language 4" \[selected\].*\n *- text: … 29 more options\n/);
    has(yaml, /listbox "Unchosen" \[ref=e\d+\]: … 30 options\n/);
    has(yaml, 'option "theme 2"');
    const collation = refOf(yaml, 'combobox "Collation"');
    has(await page.yaml({ target: collation }), 'option "latin 3"');
  },

  'the same options as before are told once': async (page) => {
    const yaml = await shown(
      page,
      many(3, (i) => `<select aria-label="S${i}">${options(40, 'f', i * 15)}</select>`) +
        `<select aria-label="T">${options(41, 'f')}</select>${many(2, (i) => `<select aria-label="U${i}">${options(3, 'u')}</select>`)}`,
    );
    equal(yaml.match(/option "f 5"/g).length, 2);
    const first = refOf(yaml, 'combobox "S0"');
    has(
      yaml,
      `option "f 15" [selected]\n  - text: … 39 more options, as in ${first}\n- combobox "S2" [ref=e3]:\n  - option "f 30" [selected]\n`,
    );
    has(yaml, '- text: … 21 more options\n');
    equal(yaml.match(/option "u 2"/g).length, 2);
    // A part of the page that is asked for alone has them.
    has(await page.yaml({ target: refOf(yaml, 'combobox "S1"') }), 'option "f 5"');
  },

  'a field in short keeps what is chosen in it': async (page) => {
    const field = (i) => `<p><label>Field ${i} <select>${options(6, `value${i}`, 2)}</select></label></p>`;
    const tools = many(18, (i) => `<button>Tool number ${i}</button>`);
    await page.load(
      `<!doctype html><form><fieldset><legend>Change</legend><ul><li>${tools}</li></ul><div><div>${many(4, field)}</div></div></fieldset>
      <fieldset><legend>Notes</legend><ul><li>${tools}</li></ul><textarea></textarea></fieldset><button>Submit</button></form>`,
    );
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 1600 });
    hasNot(yaml, /combobox.*: … \d items/);
    for (const line of yaml.match(/^.*combobox.*$/gm))
      has(yaml.slice(yaml.indexOf(line)), /^.*\n *- option "value\d 2" \[selected\]\n *- text: … 5 more options\n/);
    for (let i = 0; i < 4; i++) has(yaml, `combobox "Field ${i}"`);
    has(yaml, 'button "Submit"');
    has(yaml, /button "Tool number 2".*\n *- text: … 15 more items\n/);
  },

  // [tool.snapshot.cuts.invisible]
  'what nobody can see goes before what one can, counted, and is told once it is seen': async (page) => {
    const flyout = (i) =>
      `<li><a href="/p${i}">Page ${i}</a><ul class="out">${many(5, (k) => `<li><a href="/p${i}/${k}">Fly ${i}.${k}</a></li>`)}</ul></li>`;
    await page.load(
      `<!doctype html><style>.out { position: absolute; left: -9999px } .open { position: static }</style><a class="out" href="#main">Skip to main content</a>
      <nav aria-label="Menu"><ul id="u">${many(12, flyout)}</ul></nav>
      <main id="main"><h1>Dashboard</h1>${many(10, (i) => `<p>Line ${i} of what is told here</p>`)}</main>`,
    );
    page.next = 1;
    has(await page.yaml(), /Skip to main content.*\[invisible\]/);
    const yaml = await page.yaml({ budgetChars: 1450 });
    for (let i = 0; i < 12; i++) has(yaml, `link "Page ${i}"`);
    has(yaml, 'Line 9');
    hasNot(yaml, 'Fly');
    has(yaml, '- text: … URLs and 60 invisible controls are left out for the budget; snapshot a target to see them\n');
    ok(yaml.length < 1700, `${yaml.length}`);
    await page.main("u.querySelector('.out').className = 'open'");
    const opened = await delta(page, { budgetChars: 4000 });
    for (let k = 0; k < 5; k++) has(opened, `link "Fly 0.${k}"`);
    has(await page.yaml({ target: 'nav' }), 'link "Fly 3.4"');
  },

  'of a page that is invisible as a whole a part is shown': async (page) => {
    await page.load(
      `<!doctype html><div style="opacity:0"><div>${many(90, (i) => `<p><button>Button number ${i}</button></p>`)}</div></div>`,
    );
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 1450 });
    has(yaml, 'Button number 0');
    ok(yaml.length > 700 && yaml.length < 1600, `${yaml.length}\n${yaml}`);
  },

  'a count is told once for a list, not for each of its items': async (page) => {
    const item = (i, k) =>
      `<li>Line ${k}: some value, version ${k}.${i} <a href="/manual/${k}">Documentation ${k}.${i}</a></li>`;
    await page.load(
      `<!doctype html>${many(3, (i) => `<div><div>Box ${i}</div><ul>${many(7, (k) => item(i, k))}</ul></div>`)}`,
    );
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 2000 });
    hasNot(yaml, /: … \d items\n.*: … \d items\n/);
    has(yaml, 'Line 0: some value');
    has(yaml, /… \d more items/);
    has(yaml, 'Box 2');
  },

  'in a delta too URLs and options go before what has changed': async (page) => {
    await shown(page, '<div id="d"></div><p id="p">old</p>');
    const url = `/index.php?${'route=sql&'.repeat(20)}`;
    await page.main(
      `d.innerHTML = ${JSON.stringify(
        `<select aria-label="S">${options(20, 'an option of it')}</select>${many(8, (i) => `<p>Text ${i} <a href="${url}">Link ${i}</a></p>`)}`,
      )}; p.textContent = 'new'`,
    );
    const yaml = await delta(page, { budgetChars: 1100 });
    for (let i = 0; i < 8; i++) has(yaml, `link "Link ${i}"`);
    has(yaml, '… 19 more options');
    has(yaml, ': new');
    has(yaml, 'URLs are left out');
    ok(yaml.length < 1200, `${yaml.length}`);
    await page.main(`d.innerHTML = ${JSON.stringify(many(90, (i) => `<p>Paragraph ${i}</p>`))}`);
    hasNot(await delta(page, { budgetChars: 1100 }), 'URLs');
  },

  // DevExtreme's and Carbon's calendars
  'of the days of a calendar all but the first lose the mark of their pointer before any is left out': async (page) => {
    await shown(page, '<style>.d { cursor: pointer; display: block }</style><div id="d"></div><p>Rest');
    await page.main(
      `d.innerHTML = ${JSON.stringify(many(6, (week) => `<div>${many(7, (day) => `<span class="d" aria-label="Day ${week * 7 + day + 1} of May">${day + 1}</span>`)}</div>`))}`,
    );
    const yaml = await delta(page, { budgetChars: 2200 });
    for (let day = 1; day <= 42; day++) has(yaml, `"Day ${day} of May"`);
    hasNot(yaml, 'more item');
    equal(yaml.split('[cursor=pointer]').length, 7);
    // Where there is room, each has it.
    await page.main(`d.innerHTML = ''`);
    await delta(page, {});
    await page.main(`d.innerHTML = ${JSON.stringify(many(7, (day) => `<span class="d">Day ${day}</span>`))}`);
    equal((await delta(page, {})).split('[cursor=pointer]').length, 8);
  },

  // [tool.snapshot.cuts] the times of Element Plus and Naive UI
  'of columns of numbers what their boxes have scrolled away goes, from all of them': async (page) => {
    const column = (n, at) =>
      `<div style="height:100px;overflow:auto"><ul>${Array.from({ length: n }, (_, i) => `<li class="${i === at ? 'is-active' : ''}" style="height:25px" tabindex="-1">${String(i).padStart(2, '0')}`).join('')}</ul></div>`;
    await page.load(
      `<!doctype html><style>ul{margin:0}</style><div style="display:flex">${column(24, 1)}${column(60, 40)}${column(60, 0)}</div><button>OK</button>`,
    );
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 4000 });
    equal(yaml.match(/- listitem/g).length, 13);
    has(yaml, '"03"\n');
    hasNot(yaml, ': "04"');
    has(yaml, '[class=is-active]: "40"');
    has(yaml, '- text: … 20 more items');
    has(yaml, 'button "OK"');
  },

  // [tool.snapshot.cuts] a picker of two months
  'the headers of a table stay where its few rows are cut': async (page) => {
    await shown(page, '<div id="d"></div>');
    const cells = (tag, texts) =>
      `<tr>${texts.map((text) => `<${tag} style="cursor:pointer">${text}</${tag}>`).join('')}</tr>`;
    const days = many(6, (week) =>
      cells(
        'td',
        Array.from({ length: 7 }, (_, day) => week * 7 + day + 1),
      ),
    );
    const head = cells('th', ['', 'Jan 2024', 'Next']) + cells('th', ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa']);
    await page.main(`d.innerHTML = ${JSON.stringify(`<table><thead>${head}</thead><tbody>${days}</tbody></table>`)}`);
    const yaml = await delta(page, { budgetChars: 1300 });
    for (const part of ['Jan 2024', 'Next', '"Sa"', 'cell "1"', 'cell "36"', '… ']) has(yaml, part);
  },

  // [tool.snapshot.cuts.urls] Request Tracker's searches
  'a URL that is too long to be told whole is told by where it leads': async (page) => {
    const query = 'Order=up&Rows=50&'.repeat(25);
    const yaml = await shown(
      page,
      `<a href="/Search/Results.html?${query}">Sort</a> <a href="/long/${'way/'.repeat(25)}page?${query}">Far</a> <a href="/short?${query.slice(0, 240)}">Short</a>`,
    );
    const [sort, far, short] = yaml.match(/(?<=\/url: ).*/g);
    ok(sort.length > 60 && sort.length <= 101, sort);
    has(sort, /^\/Search\/Results\.html\?Order=.*…$/);
    has(far, /page\?…$/);
    equal(short, `/short?${query.slice(0, 240)}`);
  },
};
