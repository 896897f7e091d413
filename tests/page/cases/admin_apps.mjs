// What the web front ends of servers draw: queues, downloads, accounts, wikis.
import { equal, has, hasNot, ok, shown } from '../expect.mjs';

const many = (n, item) => Array.from({ length: n }, (_, i) => item(i)).join('');
const delta = (page, args) => page.yaml({ mode: 'delta', ...args });

export default {
  // [tool.snapshot.delta] RabbitMQ, qBittorrent
  'a cell that changes is told with what names its row': async (page) => {
    await shown(
      page,
      `<table><tr><th>#<th>Name<th>State</tr>${many(3, (i) => `<tr><td>${i}<td><a href="/u${i}">user${i}</a><td id="s${i}">idle</tr>`)}</table>
      <table><tr><td>Active:<td class="v"><td>Speed:<td class="v"></tr><tr><td>Seeds:<td class="v"><td>Peers:<td>0</tr></table>
      <table><tr><th>Name:<td><input id="f"></tr><tr><th>Kind:<td><input></tr></table>`,
    );
    await page.main(
      `s1.textContent = 'gone'; f.value = 'orders'; document.querySelectorAll('.v').forEach((v, i) => (v.textContent = i + ' s')); 0`,
    );
    const yaml = await delta(page);
    has(yaml, /- row:\n {4}- link "user1" \[ref=e\d+\]\n {4}- cell "gone" \[ref=e\d+\]\n- table/);
    has(
      yaml,
      /- cell "Active:" \[ref=e\d+\]\n {4}- cell "0 s" \[ref=e\d+\]\n {4}- cell "Speed:" \[ref=e\d+\]\n {4}- cell "1 s"/,
    );
    has(yaml, /- cell "Seeds:" \[ref=e\d+\]\n {4}- cell "2 s" \[ref=e\d+\]\n- table/);
    hasNot(yaml, /removed|Peers/);
    has(yaml, /- rowheader "Name:" \[ref=e\d+\]\n {4}- textbox \[ref=e\d+\]: orders/);
    hasNot(yaml, 'Kind');
  },

  // [tool.snapshot.cuts] qBittorrent
  'closed menus beside the page take nothing of its room': async (page) => {
    const menu = (i) =>
      `<ul class="menu">${many(9, (k) => `<li><a href="#m${i}-${k}">Command ${k} of menu ${i}</a></li>`)}</ul>`;
    const box = (i) => `<div><h2>Box ${i}</h2>${many(8, (k) => `<p>Line ${k} of what box ${i} tells</p>`)}</div>`;
    await page.load(
      `<!doctype html><style>.menu { position: absolute; left: -9999px }</style>
      <div><div>${many(8, box)}</div><div>${many(8, (i) => box(i + 8))}</div></div>${many(10, menu)}<table><tr><td>Free<td>3 GB<td>Idle</table>`,
    );
    page.next = 1;
    const yaml = await page.yaml({ budgetChars: 5500 });
    has(yaml, 'Line 7 of what box 0');
    has(yaml, '90 invisible controls are left out');
    ok(yaml.length > 4500 && yaml.length < 5700, `${yaml.length}\n${yaml}`);
  },

  // [tool.snapshot.brief] Deluge (ExtJS)
  'a table that only places controls is no table': async (page) => {
    const framed = (name, kind = '') =>
      `<table class="b ${kind}"><tr><td><i>&nbsp;</i><td><td></tr><tr><td><td><em><button>${name}</button></em><td></tr><tr><td><td><td></tr></table>`;
    const yaml = await shown(
      page,
      `<style>.b { cursor: pointer } .x-item-disabled { opacity: .5 }</style>
      <table><tr><td><table><tr><td>${framed('Add')}<td><div></div><td>${framed('Remove', 'x-item-disabled')}</tr></table><td><table><tr><td><td></tr></table></tr></table>
      <table><tr><td>Not connected</tr></table>
      <table><tr><td>Ann<td><button>Edit</button></tr><tr><td>Bob<td><button>Edit</button></tr></table>`,
    );
    has(
      yaml,
      /^- generic:\n {2}- button "Add" \[ref=e\d+\]\n {2}- button "Remove" \[ref=e\d+\] \[class=x-item-disabled\]\n- table/,
    );
    has(yaml, 'cell "Not connected"');
    has(yaml, /- row:\n {4}- cell "Bob" \[ref=e\d+\]\n {4}- button "Edit"/);
  },

  // [tool.snapshot.quiet] Cockpit (PatternFly)
  'a page that a closed dialog has left aria-hidden is a page': async (page) => {
    const yaml = await shown(
      page,
      `<div id="app" style="height: 600px"><h1>Accounts</h1><input aria-label="Search"><button>Create</button><a href="#r">root</a></div>
      <div id="d" role="dialog" aria-modal="true" aria-label="New" style="position: fixed; inset: 100px; background: #fff"><button>Cancel</button></div>`,
    );
    has(yaml, 'textbox "Search"');
    await page.main("app.setAttribute('aria-hidden', 'true'); 0");
    hasNot(await page.yaml(), 'textbox');
    await delta(page);
    await page.main('d.remove(); 0');
    const closed = await delta(page);
    hasNot(closed, 'text:');
    has(closed, '- removed: dialog "New"');
    const after = await page.yaml();
    for (const one of ['heading "Accounts"', 'textbox "Search" [ref=', 'button "Create" [ref=', 'link "root" [ref='])
      has(after, one);
  },

  // [tool.snapshot.hidden] [tool.snapshot.delta] WordPress
  'what lies beyond reach is invisible also where its name is no text of its own': async (page) => {
    const yaml = await shown(
      page,
      `<style>.out { position: relative; left: -9999px } .go { cursor: pointer }</style>
      <p>Hello</p><div class="out" id="o"><a href="#t" aria-label="Move it to the bin">Bin</a> <span class="go"><img src="x-add.svg" alt="" width="16" height="16">Add file</span></div>`,
    );
    has(yaml, /link "Move it to the bin" \[ref=e\d+\] \[invisible\] \[off-screen\]/);
    hasNot(yaml, /\[cursor=pointer\] \[off-screen\]/);
    await page.main("o.className = ''; 0");
    const seen = await delta(page);
    has(seen, 'link "Move it to the bin" [ref=');
    has(seen, 'Add file');
  },

  // [tool.snapshot] WordPress
  'texts that a style sets apart are no one word': async (page) => {
    const yaml = await shown(
      page,
      `<div><span>Size<span style="margin-left: 4px">Default</span></span></div>
      <p><span style="margin-right: 8px">Open</span><span>12</span></p><p>H<span>ell</span>o<b>ween</b></p>`,
    );
    for (const text of ['Size Default', 'Open 12', 'Helloween']) has(yaml, text);
  },

  // [tool.snapshot.icons] qBittorrent
  'a picture whose name is the text beside it is an icon': async (page) => {
    const item = (name, style = '') =>
      `<li><a class="go"><img src="/i/ticked.svg" alt="${name}" width="16" height="16" ${style}>${name}</a></li>`;
    const yaml = await shown(
      page,
      `<style>.go { cursor: pointer }</style><ul>${item('Status Bar')}${item('Title Bar', 'style="opacity: 0"')}</ul>
      <p><img src="/i/us.png" alt="Logo" width="16" height="16">Done</p>`,
    );
    has(yaml, /listitem \[ref=e\d+\] \[icon=ticked.svg\] \[cursor=pointer\]: Status Bar/);
    has(yaml, /listitem \[ref=e\d+\] \[cursor=pointer\]: Title Bar/);
    has(yaml, /img "Logo" \[ref=e\d+\]\n.*text: Done/);
  },

  // [tool.snapshot.delta] MediaWiki's VisualEditor
  'a caret is told of where keys would go to it': async (page) => {
    await shown(
      page,
      '<div id="e" contenteditable role="textbox" aria-label="Text"><p id="p"><br></p><p id="q"><br></p></div><button id="b">Close</button>',
    );
    await page.main('e.focus(); getSelection().collapse(p, 0); 0');
    has(await delta(page), 'the caret is on an empty line');
    await page.main('b.focus(); getSelection().collapse(q, 0); b.focus(); 0');
    const yaml = await delta(page);
    has(yaml, 'button "Close" [active]');
    hasNot(yaml, 'caret');
  },

  // [tool.snapshot.delta] the sidebars of admin templates
  'a bar that folds to its icons is told in one line, and what it unfolds without the URLs that were told': async (
    page,
  ) => {
    const item = (i) =>
      `<li><a href="/page/${i}" id="a${i}"><i class="fa-sign${i}" style="display:inline-block;width:9px;height:9px;background:red"></i><span>Item ${i}</span></a>`;
    await shown(page, `<style>.fold span{display:none}</style><ul id="bar">${many(7, item)}</ul><p id="p">x</p>`);
    await page.main('bar.className = "fold"; p.append("y"); 0');
    const folded = await delta(page);
    has(folded, '- paragraph [ref=');
    has(folded, /- text: … an icon alone now: link "Item 0" \[ref=e\d+\], .*link "Item 4" \[ref=e\d+\] and 2 more/);
    hasNot(folded, 'icon=');
    has(await page.yaml(), /link \[ref=e\d+\] \[icon=fa-sign3\]/);
    await page.main('bar.className = ""; 0');
    const unfolded = await delta(page);
    has(unfolded, /- link "Item 6" \[ref=e\d+\]$/m);
    hasNot(unfolded, '/url');
    await page.main('for (const id of [1, 2]) document.getElementById(`a${id}`).lastChild.style.display = "none"; 0');
    has(await delta(page), /- link \[ref=e\d+\] \[icon=fa-sign2\]/);
    await page.main('a1.href = "/other"; 0');
    has(await delta(page), '- /url: /other');
  },

  // [tool.snapshot] the sidebars of admin templates, which draw their own scroll bars
  'what a box shows once its own bar has scrolled it is not out of reach': async (page) => {
    const side = (bar) =>
      `<aside style="position:fixed;top:0;height:100vh"><ul style="margin:0;height:90px;overflow:hidden;position:relative">
        ${many(6, (i) => `<li style="position:relative;margin:0;height:400px"><a href="/${i}">One</a></li>`)}<li style="position:relative;margin:0">Header</li>
        <li style="position:relative;margin:0"><a href="/b">Two</a></li>${bar}</ul></aside>`;
    const reached = await shown(
      page,
      side('<div class="ps__rail-y" style="position:absolute;top:0;right:0;height:9px"></div>'),
    );
    has(reached, ': Header');
    hasNot(reached, 'invisible');
    const away = await shown(page, side(''));
    hasNot(away, ': Header');
    has(away, /link "Two" \[ref=e\d+\] \[invisible\]/);
  },

  // [tool.snapshot.delta] Argon Dashboard, whose menus are faded in by `transition: all`
  'what goes from something that nobody sees is not missed': async (page) => {
    await page.load(
      '<ul id="u" style="opacity:0;cursor:pointer"><li><a href="/a"><div>New <h6>message</h6></div></a></li></ul><p id="p">x</p>',
    );
    for (const opacity of ['[0, 0]', '[1, 1]']) {
      await page.main(`window.fade = u.animate({ opacity: ${opacity} }, 1e6); 0`);
      has(await page.yaml(), 'heading "message"');
      await page.main('fade.cancel(); p.append("y"); 0');
      const yaml = await delta(page);
      has(yaml, 'paragraph [ref=');
      hasNot(yaml, 'removed');
      equal(yaml.includes('now invisible: link'), opacity === '[1, 1]');
    }
  },

  // [tool.snapshot.pointers]
  'the cells of the row that the mouse is over are no targets of their own by the cursor that they have meanwhile':
    async (page) => {
      const row = (name) => `<tr tabindex="0"><td>${name}<td>10<td class="own">edit`;
      await page.load(`<style>tr:hover td, .own{cursor:pointer}</style><table><thead><tr><th>Name<th>Size<th>Do</thead>
      <tbody>${['Bees', 'Cranes', 'Doves'].map(row).join('')}</table>`);
      const { x, y } = await page.main('document.querySelectorAll("tr")[2].getBoundingClientRect().toJSON()');
      await page.move(x + 20, y + 300);
      page.next = 1;
      const before = await page.yaml({});
      await page.move(x + 20, y + 5);
      await page.main('new Promise(requestAnimationFrame).then(() => 0)');
      equal(await page.yaml({}), before);
      await page.move(x + 20, y + 300);
    },
};
