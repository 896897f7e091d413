// What applications that a distribution packages have shown: Deluge (ExtJS), Cockpit (PatternFly).
import { delta, equal, has, hasNot, kPatience, ok, plain } from '../expect.mjs';

export default {
  // [tool.snapshot.marks] Cockpit
  'what scrolls within a fixed shell is off-screen as elsewhere: of many the first alone says so': async (page) => {
    const buttons = Array.from({ length: 150 }, (_, i) => `<p><button>B${i}</button>`).join('');
    const shell = (overflow) =>
      `<div style="position:fixed;inset:0;display:flex"><main style="flex:1;overflow:${overflow}">${buttons}</main></div>`;
    const count = async (overflow) => (await plain(page, shell(overflow))).match(/\[off-screen\]/g).length;
    equal(await count('auto'), 1);
    ok((await count('visible')) > 1); // no scrolling brings them in
  },

  // [tool.actionable] Deluge's upload
  'a button that a field for files lies over unseen is pressed in that': async (page) => {
    const html = (style, type = 'file') =>
      `<div style="position:relative;overflow:hidden;width:120px"><button style="width:100px">Choose</button><input type="${type}" style="position:absolute;right:0;top:0;font-size:60px;${style}"></div>`;
    hasNot(await plain(page, html('opacity:0')), 'button "Choose" [covered]');
    const ready = await page.call('actionable', { target: 'button', timeout: kPatience, callId: 1 });
    ok(ready.ok, ready.error);
    await page.main('document.querySelector("input").onclick = (e) => { e.preventDefault(); window.chosen = true; }');
    await page.click(ready.x, ready.y);
    equal(await page.main('window.chosen'), true);
    has(await plain(page, html('')), 'button "Choose" [covered]');
    has(await plain(page, html('opacity:0', 'text')), 'button "Choose" [covered]');
  },

  // [tool.snapshot.delta] Deluge's status
  'a definition that changes is told with its term': async (page) => {
    await plain(
      page,
      '<dl><dt>Uploaded</dt><dd id="a">0 KiB</dd><dt>Ratio</dt><dd id="b"></dd><dt>Tracker</dt><dd></dd><dd id="c"></dd></dl><dl><div><dt>Size</dt><dd id="d">1 MB</dd></div></dl>',
    );
    await page.main('a.textContent = "5 KiB"; c.textContent = "timed out"; d.textContent = "2 MB"');
    equal(
      await delta(page),
      `- list:
  - term "Uploaded"
  - definition: "5 KiB"
  - term "Tracker"
  - definition: timed out
- list:
  - term "Size"
  - definition: "2 MB"`,
    );
  },

  // [tool.snapshot.hints] Deluge's windows
  'a control that shows a part of a sheet of pictures is called by its class': async (page) => {
    const picture = (file, more) => `background:url(http://127.0.0.1:1/${file}) ${more}`;
    equal(
      await plain(
        page,
        `<style>div,img{display:block;width:16px;height:16px;cursor:pointer}.tool{${picture('tool-sprites.gif', '0 0')}}.all{${picture('all.png', '0 -45px')}}.edit{${picture('edit.png', '0 0')}}</style>
        <div class="tool tool-close"></div><div class="all tool-up tool-up-over"></div><div class="edit small"></div>`,
      ),
      `- generic [icon=tool-close] [cursor=pointer]
- generic [icon=tool-up] [cursor=pointer]
- generic [icon=edit.png] [cursor=pointer]`,
    );
  },

  // [tool.snapshot.hints] Zabbix's calendar
  'a control whose arrow is drawn by borders is called by that': async (page) => {
    const arrow = (side) =>
      `<button class="btn-grey"><span class="arrow-${side}" style="display:inline-block;border:4px solid transparent;border-${side}-color:#333"></span></button>`;
    equal(await plain(page, arrow('left') + arrow('right')), '- button [icon=arrow-left]\n- button [icon=arrow-right]');
  },

  // [tool.snapshot.hints] ExtJS's grids, whose rows are a table each
  'the state of a row that is all of its table is that of the box around the table': async (page) => {
    await plain(
      page,
      '<style>.grid-row-selected td,.item-selected td,.list-selected td{background:#cce}</style><div><table><tr><td>One<td>1</table></div><div id="b"><table><tr><td>Two<td>2</table></div><table id="c"><tr><td>Three<td>3</table><div id="d"><table><tr><td>Four<tr><td>Five</table></div>',
    );
    await page.main('b.className = "grid-row-selected"; c.className = "item-selected"; d.className = "list-selected"');
    equal(
      await delta(page),
      `- table:
  - row [class=grid-row-selected]:
    - cell "Two"
- table:
  - row [class=item-selected]:
    - cell "Three"`,
    );
  },

  // [tool.snapshot.hidden-controls] Dojo's arrows
  'a field of no role that only draws a sign has no line': async (page) => {
    const html = (more) => `<div>Size<input role="presentation" value="▼ " size="1" ${more}></div>`;
    equal(await plain(page, html('readonly tabindex="-1"')), '- text: Size');
    has(await plain(page, html('readonly')), 'textbox [readonly]: "▼ "');
    has(await plain(page, html('tabindex="-1"')), 'textbox: "▼ "');
  },

  // [tool.snapshot.hints] Cockpit's calendar
  'the state of a cell that holds a control alone is told on the line of that': async (page) => {
    const style = '<style>.selected{background:#cce}.is-current{background:#eee}.disabled{opacity:.5}</style>';
    const days =
      '<tr><td><button>25</button><td class="day selected"><button>26</button><td class="is-current"><button aria-label="27 May">27</button><td class="disabled"><a href="#x">28</a><td class="selected"><button aria-pressed="true">29</button>';
    const told = ['"25"', '"26" [class=selected]', '"27 May" [class=is-current]'].map((day) => `button ${day}`);
    const row = (pad) =>
      [...told, 'link "28" [class=disabled]', 'button "29" [pressed]'].map((one) => `${pad}- ${one}`).join('\n');
    const withUrl = (yaml) => yaml.replace(/:\n +- \/url: "#x"/, '');
    equal(
      withUrl(await plain(page, `${style}<table><tr><th>Mo<th>Tu<th>We<th>Th<th>Fr${days}</table>`))
        .split('\n')
        .slice(-5)
        .join('\n'),
      row('    '),
    );
    await page.main(
      'for (const [i, td] of document.querySelectorAll("td").entries()) td.className = i === 0 ? "selected" : ""',
    );
    has(await delta(page), 'button "25" [class=selected]\n');
    equal(
      withUrl(
        await plain(page, `${style}<table>${days.replace('<a href="#x">28</a>', '<button>28</button>')}</table>`),
      ).includes('button "26" [class=selected]'),
      true,
    );
  },

  // [tool.actionable] Cockpit's terminal
  "a terminal's field is operated through what it tells readers, and its empty lines are left out": async (page) => {
    const lines = ['$ ls', '', ''].map(
      (text) => `<div role="listitem" tabindex="-1" style="height:20px">${text}</div>`,
    );
    const html = (style, over = '') =>
      `<div tabindex="0" style="position:relative;width:400px;height:200px"><div style="position:absolute;inset:0;z-index:9;color:transparent;${style}"><div role="list">${lines.join('')}</div>${over}</div>
      <div style="width:400px;height:200px"><div style="position:absolute"><textarea aria-label="Terminal" style="position:absolute;width:0;height:0;opacity:0;padding:0;border:0"></textarea></div><canvas width="400" height="200"></canvas></div></div>`;
    equal((await plain(page, html(''))).match(/listitem.*/g).length, 1);
    const act = (timeout) => page.call('actionable', { target: 'textarea', kind: 'type', timeout, callId: 1 });
    const ready = await act(kPatience);
    ok(ready.ok, ready.error);
    await page.load('<!doctype html>' + html('background:#fff'));
    equal((await act(300)).ok, false);
    await page.load('<!doctype html>' + html('', '<button style="width:400px;height:140px">Again</button>'));
    equal((await act(300)).ok, false);
  },

  // [tool.snapshot.icons.controls] Zabbix's tables
  'a header that was clicked to sort says which way by its arrow': async (page) => {
    const heads = [
      '<a href="#n">Name<span class="arrow-up"></span></a>',
      '<a href="#d">Date</a>',
      '<button>Size <i class="fa fa-sort-down"></i></button>',
      '<button>Kind <i class="fa fa-sort"></i></button>',
      '<button>Age <i class="fa fa-sort-up" style="opacity:0"></i></button>',
      '<button>Owner <img src="http://127.0.0.1:1/sort_desc.png" width="9" height="9"></button>',
    ];
    const style = `<style>.arrow-up{display:inline-block;border:5px solid transparent;border-bottom-color:#333}.fa::before{content:"\\f0de"}</style>`;
    const yaml = await plain(
      page,
      `${style}<table><tr>${heads.map((head) => `<th>${head}`).join('')}<tr><td>1<td>2</table>${heads[0]}`,
    );
    equal(
      yaml.match(/(link|button) "[^\n]*/g).join('\n'),
      `link "Name" [icon=arrow-up]:
link "Date":
button "Size" [icon=fa-sort-down]
button "Kind"
button "Age"
button "Owner" [icon=sort_desc]
link "Name":`,
    );
    await page.main('document.querySelector("i").className = "fa fa-sort-up"');
    has(await delta(page), /button "Size" \[icon=fa-sort-up\]$/);
  },

  // [tool.snapshot.quiet] Zabbix's fields with suggestions
  'what is aria-hidden and lies over a dialog is shown': async (page) => {
    const html = (style) =>
      `<div id="page" aria-hidden="true">All the page<p>behind it</div><div style="position:fixed;inset:0;background:#0006"></div>
      <div role="dialog" aria-modal="true" aria-label="Host" style="position:fixed;left:20px;top:20px;width:400px;height:200px;background:#fff"><input aria-label="Template"></div>
      <div style="position:fixed;top:60px;width:200px;background:#fff;${style}"><ul aria-hidden="true"><li>Apache<li>Nginx</ul></div>`;
    const yaml = await plain(page, html('left:40px'));
    has(yaml, /Apache\n.*Nginx/);
    hasNot(yaml, 'behind it');
    hasNot(await plain(page, html('left:40px;z-index:-1')), 'Apache');
    await plain(page, html('left:40px;display:none'));
    await page.main('document.querySelector("ul").parentNode.style.display = ""');
    has(await delta(page), /Apache\n.*Nginx/);
  },

  // [tool.target.covered] Zabbix's dialogs
  'the dialog that lies over an element is named whenever the time is up': async (page) => {
    await page.load(
      '<!doctype html><button>Save</button><div role="dialog" aria-label="Media" style="position:fixed;inset:0;background:#fff"></div>',
    );
    let covered = 0;
    for (let timeout = 30; covered < 30; timeout = (timeout % 150) + 7) {
      const { error } = await page.call('actionable', { target: 'button', timeout, callId: 1 });
      if (!error.includes('covered by')) continue; // there was no time for it
      covered++;
      has(error, 'of dialog "Media": act on that first');
    }
  },

  // [tool.snapshot.icons] Prometheus's settings
  'a box to tick that is drawn beside a button is told': async (page) => {
    const style =
      '<style>i::before{font-family:G;content:"\\e157"}i{display:inline-block;width:14px;height:14px}</style>';
    const box = (name) => `<div><i class="g glyphicon ${name}"></i> <button>History</button></div>`;
    has(await plain(page, style + box('glyphicon-unchecked')), '[icon=glyphicon-unchecked]');
    await page.main('document.querySelector("i").className = "g glyphicon glyphicon-check"');
    has(await delta(page), '[icon=glyphicon-check]');
    hasNot(await plain(page, style + box('glyphicon-search')), 'icon=');
  },

  // [tool.snapshot.bars] Cockpit's usage
  'a progress bar says how much of it is filled, also where that is not counted to a hundred': async (page) => {
    const bar = (now, most) => `<div role="progressbar" aria-valuenow="${now}" aria-valuemax="${most}"></div>`;
    equal(
      await plain(
        page,
        `<progress value=".4"></progress><progress value="3" max="5"></progress>${bar('1981832275.2942636', '25769803776')}${bar(30, 100)}${bar(2, 4)}<div role="progressbar" aria-valuenow="7" aria-valuemax="9" aria-valuetext="Seven"></div>`,
      ),
      `- progressbar: "40%"
- progressbar: "3 of 5"
- progressbar: "8%"
- progressbar: "30"
- progressbar: "2 of 4"
- progressbar: Seven`,
    );
  },
};
