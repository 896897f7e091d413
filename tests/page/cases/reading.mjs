// What a reader of the answers would misunderstand, one small page each.
// Contract: [tool.snapshot.delta] [tool.refs] [tool.find]
import { equal, has, hasNot, kPatience, ok, plain, refOf, shown } from '../expect.mjs';

const delta = (page) => page.yaml({ mode: 'delta' });
const rowsOf = (first, count = 4) =>
  Array.from(
    { length: count },
    (_, i) => `<tr><td>${first + i}</td><td>open</td><td><button>Details</button></td></tr>`,
  ).join('');
const table = (rows) => `<table><thead><tr><th>No<th>State<th></tr></thead><tbody id="b">${rows}</tbody></table>`;
const detailsOf = (yaml, row) => new RegExp(`cell "${row}"[^]*?button "Details" \\[ref=(e\\d+)\\]`).exec(yaml)?.[1];

export default {
  // Contract: [tool.refs]
  "a button of a row that has gone is never another row's": async (page) => {
    const first = await shown(page, table(rowsOf(1)));
    await page.main(`b.innerHTML = '${rowsOf(5)}'`);
    const second = await page.yaml();
    for (let row = 1; row <= 4; row++) hasNot(second, `[ref=${detailsOf(first, row)}]`);
    has((await page.call('describe', { target: detailsOf(first, 2) })).error, 'no longer on the page');
    // The rows that come back are the same ones, also beside others.
    await page.main(`b.innerHTML = '${rowsOf(3)}'`);
    const third = await page.yaml();
    equal(detailsOf(third, 3), detailsOf(first, 3));
    equal(detailsOf(third, 6), detailsOf(second, 6));
  },

  // Contract: [tool.refs]
  'what has no name does not come back with another text': async (page) => {
    const first = await shown(page, '<main id="m"><p>Open until six</p></main>');
    const ref = refOf(first, 'Open until six');
    await page.main("m.innerHTML = '<h1>Books</h1>'");
    await delta(page);
    await page.main("m.innerHTML = '<p>by Jane Austen</p>'");
    hasNot(await delta(page), `[ref=${ref}]`);
    await page.main("m.innerHTML = '<p>Open until six</p>'");
    equal(refOf(await delta(page), 'Open until six'), ref);
  },

  'rows of new things are new rows': async (page) => {
    await shown(page, table(rowsOf(1)));
    await page.main(`b.innerHTML = '${rowsOf(5)}'`);
    const yaml = await delta(page);
    ok(/- cell "5".*\n.*- cell "open".*\n.*- button "Details"/.test(yaml), yaml);
    hasNot(yaml, 'removed: cell');
    hasNot(yaml, 'removed: button');
    has(yaml, 'removed: ["row: 1", "row: 2", ');
  },

  'a row without a ref that has another place is called by its first words': async (page) => {
    const rows = Array.from({ length: 30 }, (_, i) => `<tr><td><button>B${i}</button></td><td>${i}</td></tr>`);
    await shown(page, `<table id="t">${rows.join('')}</table>`);
    await page.main("{ const body = t.querySelector('tbody'); body.append(body.rows[0]); }");
    has(await delta(page), /moved 'after row: B29': "row: B0"/);
  },

  // Contract: [tool.snapshot]
  'the column that a table is sorted by is told': async (page) => {
    has(
      await shown(
        page,
        '<table><tr><th aria-sort="descending">Sum<th aria-sort="none">Name</tr><tr><td>1<td>b</tr></table>',
      ),
      'columnheader "Sum" [sort=descending]',
    );
    await page.main(
      "document.querySelectorAll('th')[0].removeAttribute('aria-sort'); document.querySelectorAll('th')[1].setAttribute('aria-sort', 'ascending')",
    );
    has(await delta(page), 'columnheader "Name" [sort=ascending]');
  },

  'an error message is told with its field': async (page) => {
    await shown(
      page,
      '<form><p><label>Mail <input id="i" aria-invalid="true"></label> <span id="e">This is needed.</span></p><p>Other <input aria-label="Other"></p></form>',
    );
    await page.main("e.textContent = 'This is no address.'");
    const yaml = await delta(page);
    has(yaml, 'text: This is no address.');
    has(yaml, 'textbox "Mail" [invalid]');
    hasNot(yaml, 'Other');
  },

  'what is selected is told once, and never of a secret': async (page) => {
    await shown(
      page,
      '<p id="p">Buy milk and bread</p><input id="i" value="one two"><input id="s" type="password" value="sesame">',
    );
    await page.main('getSelection().setBaseAndExtent(p.firstChild, 4, p.firstChild, 8)');
    equal(await delta(page), '- text: … selected: "milk"');
    has(await delta(page), 'no changes');
    await page.main('i.focus(); i.setSelectionRange(4, 7)');
    has(await delta(page), 'selected: "two"');
    await page.main('s.focus(); s.select()');
    hasNot(await delta(page), 'selected');
    // A whole snapshot has told of it too.
    await page.main('i.focus(); i.select()');
    await page.yaml();
    hasNot(await delta(page), 'selected');
  },

  'what becomes inert is called by what it holds, and a snapshot says that there is more': async (page) => {
    await shown(
      page,
      '<div id="app"><header><a href="/">Shop</a></header><main><h1>Teas</h1><button>Add</button></main></div>',
    );
    await page.main(
      `app.setAttribute('aria-hidden', 'true'); document.body.insertAdjacentHTML('beforeend', '<div role="dialog" aria-modal="true" aria-label="Cart"><button>Pay</button></div>')`,
    );
    has(await delta(page), /inert now: banner .*, main /);
    has(await page.yaml(), 'the rest of the page is inert while this is open');
    const { error } = await page.call('actionable', {
      target: 'role=button[name="Add"]',
      timeout: kPatience,
      callId: 1,
    });
    has(error, /hidden from assistive technology \(aria-hidden\) while dialog "Cart" \[ref=e\d+\] is open/);
    await page.main("document.querySelector('[role=dialog]').remove(); app.removeAttribute('aria-hidden')");
    hasNot(await page.yaml(), 'inert');
  },

  // Contract: [tool.snapshot.brief]
  'signs have their titles, pictures no text, captions are said once': async (page) => {
    const yaml = await shown(
      page,
      `<button title="Bold"><b>B</b></button><button title="Close it">×</button><button title="Longer">Save</button>
      <div role="img" aria-label="2 of 5 stars">★★★</div><svg role="img" aria-label="Map" width="40" height="40"><a href="#x"><text y="20">Rome</text></a></svg>
      <table><caption>Files</caption><tr><td>a</td></tr></table><fieldset><legend>Course</legend><label><input type="radio"> Sailing</label></fieldset>
      <fieldset><legend>With <a href="#h">help</a></legend><input aria-label="X"></fieldset>`,
    );
    has(yaml, /button "B" \[ref=e\d+\]: Bold$/m);
    has(yaml, /button "×" \[ref=e\d+\]: Close it$/m);
    has(yaml, /button "Save" \[ref=e\d+\]$/m);
    has(yaml, /img "2 of 5 stars" \[ref=e\d+\]$/m);
    has(yaml, 'link "Rome"');
    has(yaml, 'table "Files"');
    hasNot(yaml, /caption|: Course$/m);
    has(yaml, 'link "help"');
  },

  // Contract: [tool.snapshot.depth]
  'a depth counts what it leaves out, be it one thing': async (page) => {
    await shown(
      page,
      '<main><table><tr><td>N</td><td><h3>A</h3></td><td><button>B</button><button>C</button></td></tr></table></main>',
    );
    const yaml = await page.yaml({ depth: 3 });
    hasNot(yaml, 'button');
    has(yaml, 'cell: … 1 item');
    has(yaml, 'cell: … 2 items');
  },

  // Contract: [tool.find]
  'a match in a row shows the row': async (page) => {
    await page.load(`<!doctype html>${table(rowsOf(1))}`);
    await page.main("b.rows[2].cells[1].textContent = 'late'");
    const { yaml, count } = await page.call('find', { text: 'late', refStart: 1 });
    equal(count, 1);
    has(yaml, 'cell "3"');
    has(yaml, /button "Details" \[ref=e\d+\]/);
    hasNot(yaml, 'cell "2"');
  },

  // Contract: [tool.snapshot]
  "a frame's line is known where it isn't printed": async (page) => {
    await shown(page, '<p id="p">a</p><iframe title="Pay: now" srcdoc="x"></iframe>');
    await page.main("p.textContent = 'b'");
    const { frames } = await page.call('snapshot', { refStart: page.next, mode: 'delta' });
    equal(frames[0].header, `'iframe "Pay: now" [ref=${frames[0].ref}]'`);
  },

  // [tool.snapshot.hints]
  'what the items below a heading are is no state of theirs': async (page) => {
    const style = '<style>.thread{background:#eef;cursor:pointer}</style>';
    const rows = (names) =>
      names.map((name) => `<div class="thread"><b>${name}</b><i onclick="0">x</i></div>`).join('');
    hasNot(await plain(page, `${style}<div><div>Primary</div>${rows(['Ann', 'Bob', 'Cid'])}</div>`), 'class=');
    // One among others is chosen.
    const one = `<div>${'<div style="cursor:pointer"><b>Ann</b></div>'.repeat(3)}${rows(['Bob'])}</div>`;
    has(await plain(page, style + one), '[class=thread]');
  },
};
