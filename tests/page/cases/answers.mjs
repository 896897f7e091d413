// What an answer shows of a change. Contract: [tool.snapshot.delta], [tool.snapshot.cuts]
import { equal, has, hasNot, kPatience, ok, shown } from '../expect.mjs';

const delta = (page, args = {}) => page.yaml({ mode: 'delta', ...args });
const items = (n, kind = (i) => `<li>item ${i}</li>`) => Array.from({ length: n }, (_, i) => kind(i)).join('');
const kMenu = '<button onclick="d.showModal()">Open</button>';
const before = (text, first, second) => {
  has(text, first);
  has(text, second);
  ok(text.indexOf(first) < text.indexOf(second), text);
};

export default {
  'a portal at the end of the body is all that a delta shows': async (page) => {
    await shown(
      page,
      `<div id="root"><header><h1>T</h1></header><main><ul>${items(40)}</ul><p>Some text</p><button>Go</button></main></div>`,
    );
    await page.main(
      `document.body.insertAdjacentHTML('beforeend', '<div id="portal"><div role="dialog" aria-label="Sure?"><p>Really?</p><button>Yes</button><button>No</button></div></div>')`,
    );
    const opened = await delta(page);
    has(
      opened,
      /^- dialog "Sure\?" \[ref=e\d+\]:\n {2}- paragraph.*: Really\?\n {2}- button "Yes".*\n {2}- button "No".*$/,
    );
    await page.main('portal.remove()');
    const closed = await delta(page);
    has(closed, /^- removed: dialog "Sure\?" \[ref=e\d+\]$/);
    equal(await delta(page), '- no changes since the last snapshot');
  },

  // Naive UI: the page stands in a group of its own only beside the popup, and a box in it takes the focus as that goes.
  'a box that comes around a field as a popup goes is not what the page stood in': async (page) => {
    await shown(
      page,
      `<div><h1>T</h1><p>Log</p><div id="w"><input id="i" aria-label="Date"></div><button>One</button><p>Two</p></div>`,
    );
    await page.main(
      `i.focus(); document.body.insertAdjacentHTML('beforeend', '<div id="portal"><p>Su</p><button>Now</button></div>')`,
    );
    hasNot(await delta(page), '- moved');
    await page.main(`portal.remove(); i.value = '2026'; w.tabIndex = -1; w.focus()`);
    const told = await delta(page);
    has(
      told,
      /^- textbox "Date" \[ref=e\d+\]: "2026"\n- generic \[active\] \[ref=e\d+\]: … around what was here\n- removed: /,
    );
    hasNot(told, '- moved');
  },

  // FullCalendar: the event of a day that is deleted.
  'of what holds no more than a text that has gone, the text is told': async (page) => {
    await shown(
      page,
      `<table role="grid"><tr><td id="a" aria-label="May 1">Trip</td><td aria-label="May 2">Fair</td></tr></table>`,
    );
    await page.main('a.replaceChildren()');
    has(await delta(page), /gridcell "May 1" \[ref=e\d+\]:\n *- removed: "?text \\?"Trip\\?""?$/m);
    await page.main("a.textContent = 'Trip'");
    has(await delta(page), /gridcell "May 1" \[ref=e\d+\]: Trip$/m);
  },

  // AG Grid and Tabulator, where a part of the rows is drawn
  'rows that stay are named in their place beside new ones where a table is sorted': async (page) => {
    await shown(page, '<table><tr><th>Name<th>Age<tbody id="b"></tbody></table>');
    const rows = (names) =>
      page.main(`{ const old = new Map([...b.rows].map((row) => [row.cells[0].textContent, row]));
        b.replaceChildren(...${JSON.stringify(names)}.map((name) => { const row = old.get(name) ?? document.createElement('tr');
          row.innerHTML ||= '<td tabindex="0">' + name + '</td><td>' + name.length + '</td>'; return row; })) }`);
    await rows(['Ada', 'Bob', 'Cid', 'Dora', 'Eve']);
    await delta(page);
    await rows(['Finn', 'Bob', 'Gus', 'Hal', 'Dora', 'Eve']);
    const told = await delta(page);
    has(told, /cell "Finn"[^]*- row: … Bob, as before\n[^]*cell "Gus"[^]*cell "Hal"[^]*- row: … Dora, as before\n/);
    hasNot(told, 'Eve');
    // What is put before others alone needs no such place.
    await rows(['Zoe', 'Finn', 'Bob', 'Gus', 'Hal', 'Dora', 'Eve']);
    hasNot(await delta(page), 'as before');
  },

  'the same where the body had two children before': async (page) => {
    await shown(page, `<p id="p">Some text</p><ul>${items(3)}</ul>`);
    await page.main(`p.remove(); document.body.insertAdjacentHTML('beforeend', '<div role="alert">Saved</div>')`);
    const yaml = await delta(page);
    has(yaml, /^- alert \[ref=e\d+\]: Saved\n- removed: "paragraph .*: Some text"/);
    hasNot(yaml, 'item');
  },

  'a dialog comes before what stands above it, and is whole': async (page) => {
    await shown(page, `<main><ul id="u">${items(3)}</ul></main>`);
    await page.main(
      `u.insertAdjacentHTML('beforeend', '${items(60, (i) => `<li>fresh item number ${i}</li>`)}');
       document.body.insertAdjacentHTML('beforeend', '<div role="dialog" aria-label="D"><p>Text of it</p><button>OK</button></div>')`,
    );
    const yaml = await delta(page, { budgetChars: 900 });
    before(yaml, '- dialog "D"', 'fresh item number 0');
    has(yaml, 'button "OK"');
    has(yaml, /more changes are left out/);
    ok(yaml.length < 1000, `${yaml.length}`);
  },

  'what was acted on comes first': async (page) => {
    await shown(
      page,
      `<section aria-label="A"><p id="a">1</p></section><section aria-label="B"><p id="b">1</p><button>Press</button></section>`,
    );
    await page.call('actionable', { target: 'text=Press', timeout: kPatience });
    await page.main('a.textContent = b.textContent = "2"');
    before(await delta(page), 'region "B"', 'region "A"');
  },

  'behind a modal dialog the rest is inert, and the same afterwards': async (page) => {
    await shown(
      page,
      `<main><h1>T</h1><ul>${items(30)}</ul>${kMenu}<p id="p">old</p></main><dialog id="d" aria-label="D"><button>Close</button></dialog>`,
    );
    await page.main('d.showModal()');
    const opened = await delta(page);
    has(
      opened,
      /^- dialog "D"( \[active\])?.*\n {2}- button "Close".*\n- text: … the rest of the page is inert while the dialog is open$/,
    );
    await page.main('p.textContent = "new"');
    equal(await delta(page), '- no changes since the last snapshot');
    await page.main('d.close()');
    const closed = await delta(page);
    has(closed, ': new');
    has(closed, '- removed: dialog "D"');
    hasNot(closed, 'item');
    hasNot(closed, 'inert');
    // A whole snapshot in between changes nothing.
    await page.main('d.showModal()');
    await page.yaml();
    await page.main('d.close(); p.textContent = "newer"');
    const again = await delta(page);
    has(again, ': newer');
    hasNot(again, 'item');
  },

  'a part that becomes inert is told once, and not as removed': async (page) => {
    await shown(page, `<main id="m"><h1>T</h1><ul>${items(9)}</ul><button>B</button></main><p id="p">x</p>`);
    await page.main('m.inert = true');
    const yaml = await delta(page);
    has(yaml, /^- text: … inert now: main \[ref=e\d+\]$/);
    await page.main('p.textContent = "y"');
    const next = await delta(page);
    has(next, ': "y"');
    hasNot(next, 'main');
    await page.main('m.inert = false; p.textContent = "z"');
    const back = await delta(page);
    has(back, ': z');
    hasNot(back, 'item');
  },

  'what a page moves is live: neither new nor removed': async (page) => {
    await shown(
      page,
      `<ul id="u" aria-label="L">${items(4, (i) => `<li><button id="b${i}">B${i}</button></li>`)}</ul><div id="other" role="region" aria-label="O"><p>t</p></div>`,
    );
    await page.main('other.append(b2)');
    const yaml = await delta(page);
    hasNot(yaml, /removed: button/);
    has(yaml, /region "O".*\n {2}- moved after.*button "B2"/);
  },

  'a new order is shown': async (page) => {
    await shown(page, `<ul id="u" aria-label="L">${items(4)}</ul>`);
    await page.main('u.append(u.firstChild)');
    const yaml = await delta(page);
    has(yaml, /- list "L".*:\n.*: item 1\n.*: item 2\n.*: item 3\n.*: item 0$/);
    await shown(page, `<ul id="u" aria-label="L">${items(300)}</ul>`);
    await page.main('u.append(u.firstChild)');
    const long = await delta(page);
    has(long, /moved after listitem/);
    ok(long.length < 300, long);
  },

  'what remains of a list is shown when it is short': async (page) => {
    await shown(page, `<ul id="u" aria-label="L">${items(17)}</ul><p>z</p>`);
    await page.main('[...u.children].slice(2, 16).forEach((li) => li.remove())');
    const yaml = await delta(page);
    has(yaml, /- list "L".*:\n.*: item 0\n.*: item 1\n.*: item 16\n {2}- removed: 14 of the 17 from before$/);
  },

  'what remains of a list is shown also when it is longer, where more than can be named has gone': async (page) => {
    await shown(
      page,
      `<ul id="u" aria-label="L">${items(60, (i) => `<li><button>Component number ${i} of it</button></li>`)}</ul><p>z</p>`,
    );
    await page.main('[...u.children].slice(7, 53).forEach((li) => { li.hidden = true })');
    const yaml = await delta(page);
    has(
      yaml,
      /button "Component number 0 .*\n[^]*button "Component number 59 .*\n {2}- removed: 46 of the 60 from before$/,
    );
    await shown(
      page,
      `<ul id="u" aria-label="L">${items(60, (i) => `<li><button>Component number ${i} of it</button></li>`)}</ul><p>z</p>`,
    );
    await page.main('[...u.children].slice(14, 34).forEach((li) => { li.hidden = true })');
    has(await delta(page), /- list "L".*:\n {2}- removed: .*15 more\]$/);
  },

  'a state of its own says that its children are unchanged': async (page) => {
    await shown(page, `<div id="e" contenteditable aria-label=""><p>one</p><p>two</p></div><button>x</button>`);
    await page.main('e.focus()');
    const yaml = await delta(page);
    has(yaml, /^- generic \[active\] \[editable\] \[ref=e\d+\]: \(children unchanged\)$/);
  },

  'marks of visibility are no change': async (page) => {
    await shown(
      page,
      `<style>.f { opacity: .01; transition: opacity 9s }</style><div id="f" class="f">${items(20, (i) => `<p>t${i} <button>b${i}</button></p>`)}</div>`,
    );
    await page.main('f.className = ""');
    await page.main('new Promise((resolve) => requestAnimationFrame(resolve))');
    hasNot(await delta(page), /b3/);
  },

  'text that is gone is told': async (page) => {
    await shown(page, '<main><div id="d">Error: no such name <button>b</button></div></main>');
    await page.main('d.firstChild.remove()');
    has(await delta(page), /- removed: text "Error: no such name"|- removed: "text \\"Error: no such name\\""/);
  },

  'a delta in which something has only gone says so': async (page) => {
    await shown(page, '<main><h1>T</h1><p id="p">a</p><p id="q">b</p></main>');
    await page.main('p.remove()');
    equal((await page.call('snapshot', { refStart: page.next, mode: 'delta' })).shrunk, true);
    await page.main('q.textContent = "c"');
    equal((await page.call('snapshot', { refStart: page.next, mode: 'delta' })).shrunk, undefined);
    await page.main('q.outerHTML = "<p>d</p>"');
    equal((await page.call('snapshot', { refStart: page.next, mode: 'delta' })).shrunk, undefined);
    await shown(page, '<p id="count">1 left</p><ul><li id="row">a</ul>');
    await page.main('count.textContent = "none left"; row.remove()');
    const { shrunk, thinned } = await page.call('snapshot', { refStart: page.next, mode: 'delta' });
    equal(shrunk, undefined);
    equal(thinned, true);
  },

  // The count of a grid comes as a line of its own, its rows after it.
  'a delta in which far more elements have gone than come says so': async (page) => {
    const thinned = async () => (await page.call('snapshot', { refStart: page.next, mode: 'delta' })).thinned;
    const table = (rows) => `<table id="t">${rows.map((row) => `<tr><td>${row}<td>b</tr>`).join('')}</table>`;
    await shown(page, `<p id="count">8 rows</p>${table(['1', '2', '3', '4', '5', '6', '7', '8'])}`);
    await page.main(
      `count.outerHTML = '<nav id="count"><button>2 rows</button></nav>'; t.tBodies[0].replaceChildren()`,
    );
    equal(await thinned(), true);
    await page.main(`t.outerHTML = ${JSON.stringify(table(['9', '10', '11']))}`);
    equal(await thinned(), undefined);
    await page.main(`t.outerHTML = ${JSON.stringify(table(['12', '13', '14']))}`);
    equal(await thinned(), undefined);
  },

  'a page of up to one and a half times the budget is whole': async (page) => {
    const html = `<header><a href="/a">A</a></header><main><ul>${items(60)}</ul></main>`;
    const whole = await shown(page, html);
    const budgetChars = Math.ceil(whole.length / 1.3);
    equal(await page.yaml({ budgetChars, wholeChars: Math.ceil(budgetChars * 1.5) }), whole);
    has(await page.yaml({ budgetChars }), /… \d+ more items/);
  },

  'what stands around every page is cut before what one came for': async (page) => {
    const links = (n, word) => items(n, (i) => `<li><a href="/a/long/path/to/${word}/${i}">${word} ${i}</a></li>`);
    await shown(
      page,
      `<header><nav aria-label="Top"><ul>${links(40, 'top')}</ul></nav></header>
       <main><h1>Log in</h1><form aria-label="Login"><label>Name <input></label><label>Password <input type="password"></label><button>Log in</button></form></main>
       <footer><ul>${links(60, 'foot')}</ul></footer>`,
    );
    const yaml = await page.yaml({ budgetChars: 1200 });
    for (const line of ['textbox "Name"', 'textbox "Password"', 'button "Log in"', 'navigation "Top"', 'contentinfo'])
      has(yaml, line);
    hasNot(yaml, '/url');
    hasNot(yaml, '… 1 item');
    ok(yaml.length < 1500, `${yaml.length}`);
  },

  'a list is cut though one of its items has the focus': async (page) => {
    await page.load(
      `<!doctype html><h1>L</h1><ul>${items(60, (i) => `<li><button id="b${i}">B${i}</button></li>`)}</ul>`,
    );
    await page.main('b7.focus()');
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 600 });
    ok(yaml.length < 800, `${yaml.length}`);
    has(yaml, /… \d+ more items/);
  },

  'URLs go before elements': async (page) => {
    await shown(
      page,
      `<main><ul>${items(20, (i) => `<li><a href="/a/rather/long/path/${i}">Link ${i}</a></li>`)}</ul></main>`,
    );
    const yaml = await page.yaml({ budgetChars: 1400 });
    has(yaml, 'Link 19');
    hasNot(yaml, '/url:');
    has(yaml, 'URLs are left out');
  },

  'a new document after an action has a page of its own to show': async (page) => {
    await page.load(`<main><ul>${items(100)}</ul></main>`);
    page.next = 1;
    const result = await page.call('snapshot', {
      refStart: 1,
      mode: 'delta',
      budgetChars: 300,
      pageChars: 6000,
      wholeChars: 9000,
    });
    equal(result.fresh, true);
    has(result.yaml, 'item 99');
  },

  'a view that a script has put under another URL has the room of a page, and no more': async (page) => {
    const show = (path, rows) =>
      page.main(`${path ? `history.pushState(null, '', '${path}');` : ''}
        document.querySelector('main').innerHTML = '<h1>At ${path}</h1>' +
          Array.from({ length: ${rows} }, (_, i) => '<p><a href="/">row ' + i + ' of ${rows} with its words</a></p>').join('')`);
    const told = async () => {
      const limits = { budgetChars: 4000, pageChars: 6000, wholeChars: 9000 };
      const result = await page.call('snapshot', { refStart: page.next, mode: 'delta', ...limits });
      page.next = result.next;
      return result;
    };
    await shown(page, '<main></main>');
    await page.yaml();
    await show('/view', 70);
    const view = await told();
    ok(view.yaml.length > 5000, `${view.yaml.length}`);
    equal(view.cut, undefined);
    equal(view.fresh, true); // for the frames in it too
    has(view.yaml, 'row 69 of 70');
    await show('', 75);
    const same = await told();
    equal(same.cut, true);
    equal(same.fresh, undefined);
    ok(same.yaml.length <= 4100, `${same.yaml.length}`);
    await show('/list', 500);
    const list = await told();
    equal(list.cut, true);
    ok(list.yaml.length > 4000 && list.yaml.length <= 6100, `${list.yaml.length}`);
  },

  // [tool.snapshot.room]
  'matches with long texts and names leave out the later ones rather than be cut': async (page) => {
    const long = 'match of many words '.repeat(60);
    await page.load(
      `<main>${items(30, (i) => `<p>${i} ${long}</p>`)}${items(30, (i) => `<button aria-label="${i} ${long}">B</button>`)}</main>`,
    );
    for (const text of ['9 match', 'match of many']) {
      const found = await page.call('find', { refStart: 1, text, limit: 60 });
      ok(found.yaml.length < 20000, `${found.yaml.length}`);
      ok(found.shown > 0 && found.shown <= found.count, `${found.shown} of ${found.count}`);
    }
  },

  // [tool.snapshot]
  'a URL that leads nowhere is left out': async (page) => {
    const urls = [
      '#',
      'javascript:void(0)',
      'javascript:void(0);',
      'JavaScript:;',
      'javascript:',
      ' javascript: void 0; ',
    ];
    const links = urls.map((url, i) => `<a href="${url}">L${i}</a>`).join(' ');
    const yaml = await shown(page, `<p>${links} <a href="#top">T</a> <a href="javascript:go()">G</a></p>`);
    for (let i = 0; i < urls.length; i++) has(yaml, new RegExp(`^ *- link "L${i}" \\[ref=e\\d+\\]$`, 'm'));
    has(yaml, '- /url: "#top"');
    has(yaml, '- /url: javascript:go()');
  },
};
