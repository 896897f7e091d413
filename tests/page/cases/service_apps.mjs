// What the front ends of services have shown: Netdata, Postorius, Transmission, phpMyAdmin.
import { delta, equal, has, hasNot, plain } from '../expect.mjs';

const kPixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

export default {
  // [tool.snapshot.hints] Postorius, Bootstrap's navigation
  'the button of a closed menu is the current one all the same': async (page) => {
    equal(
      await plain(
        page,
        `<ul role="tablist"><li role="tab"><a href="/x" class="nav-link">Home</a></li>
        <li role="tab"><a href="#" class="nav-link active" role="button" aria-haspopup="true" aria-expanded="false">Users</a></li></ul>
        <a href="#" class="nav-link active" role="button" aria-expanded="false">Members</a>
        <a href="#" class="nav-link" role="button" aria-expanded="false">Owners</a>
        <a href="#" class="nav-link active" role="button" aria-expanded="true">Bans</a>
        <button class="active" aria-expanded="false" aria-pressed="false">Bold</button>`,
      ),
      `- tablist:
  - tab "Home":
    - /url: /x
  - tab "Users" [class=active]
- button "Members" [class=active]
- button "Owners"
- button "Bans" [expanded]
- button "Bold"`,
    );
  },

  // [tool.snapshot.hints] Netdata: the attribute of an <svg> is nobody's tooltip
  'the title of a control comes before the title attribute of a drawing in it': async (page) => {
    const drawing = (name) => `<svg width="20" height="20" title="${name}"><path d="M0 0h9v9z"/></svg>`;
    equal(
      await plain(
        page,
        `<button title="Settings"><div>${drawing('gear')}</div></button><button>${drawing('gear')}</button>
        <button>${drawing('gear')} Options</button><a href="/x" title="Help">${drawing('question')}</a>`,
      ),
      `- button "Settings"
- button "gear"
- button "Options"
- link "Help":
  - /url: /x`,
    );
  },

  // [tool.snapshot.hints] Netdata's legends, phpMyAdmin's labels
  'what a swatch or a picture in a label is called stands only where the words beside it do not say it': async (
    page,
  ) => {
    const picture = (alt) => `<img src="${kPixel}" width="16" height="16" alt="${alt}">`;
    equal(
      await plain(
        page,
        `<div role="button" tabindex="0" style="display:flex"><div title="user" style="width:14px;height:8px;background:red"></div><span>user</span><span>57.8</span></div>
        <button><i title="Archive" style="display:inline-block;width:16px;height:16px;background:red"></i> Move</button>
        <p><label for="t"><span>${picture('Theme')}&nbsp;Theme</span></label><input id="t">
        <p><label for="u">${picture('Required')} Mail</label><input id="u">
        <p><label>${picture('Mail')} Mail <input></label>`,
      ),
      `- button "user 57.8"
- button "Archive Move"
- paragraph:
  - textbox "Theme"
- paragraph:
  - textbox "Required Mail"
- paragraph:
  - textbox "Mail"`,
    );
  },

  // [tool.snapshot.delta] Transmission: an item's texts have refs, but the item that is selected has none
  'an item without a name that has changed is told with its first words': async (page) => {
    const item = (name, state) =>
      `<li class="torrent ${state}"><div><p>${name}</p></div><p>Downloading from 0 of 0 peers, at 0 kB/s down and 0 kB/s up</p>
      <p class="d">0 B of 159.0 kB (0.00%), remaining time unknown as there is nobody to take it from at this time of the day and of the year</p></li>`;
    await page.load(`<ul>${item('Album', 'selected')}${item('debian.iso', '')}${item('fedora.iso', '')}</ul>`);
    await page.yaml();
    equal(
      await delta(
        page,
        "const [one, other] = document.querySelectorAll('li'); one.className = 'torrent'; other.className = 'torrent selected'",
      ),
      `- list:
  - listitem:
    - paragraph: Album
  - listitem [class=selected]:
    - paragraph: debian.iso`,
    );
    equal(
      await delta(page, "document.querySelectorAll('.d')[1].outerHTML = '<p>Idle</p>'"),
      `- list:
  - listitem [class=selected]:
    - paragraph: debian.iso
    - paragraph: Idle
    - removed: "paragraph: 0 B of 159.0 kB (0.00%), remaining time unknown as there is nobody to take it from at this time of t…"`,
    );
  },

  // [tool.snapshot.pointers] Transmission's pause button
  'a link without address around an icon in a list that can be clicked as a whole is one to click': async (page) => {
    const yaml = await plain(
      page,
      `<ul style="cursor:pointer"><li><p>Album</p><a><div style="width:14px;height:14px;background:url(pause.png)"></div></a></li>
      <li><p>fedora</p><a><b>Bold</b></a></li></ul>`,
    );
    has(yaml, '- generic [icon=pause.png] [cursor=pointer]');
    equal(yaml.split('cursor=pointer').length, 3);
  },

  // [tool.snapshot.hidden] Transmission's tabs
  'an empty link of no size has no line, and the titled box around it tells its state': async (page) => {
    const style = '<style>.tab{display:inline-block;width:36px;height:24px;background:#ddd}</style>';
    equal(
      await plain(
        page,
        `${style}<div><div class="tab selected" title="Info"><a href="#info" class="selected"></a></div><div class="tab" title="Files"><a href="#files"></a></div></div>
        <div><div title="Compact View" class="selected" style="width:30px;height:20px;background:#ccf">&nbsp;</div><p class="selected">Text</div>
        <p><a href="/y" style="display:inline-block;width:20px;height:20px"></a> <a href="/n" aria-label="Next"></a>`,
      ),
      `- generic:
  - generic "Info" [class=selected]
  - generic "Files"
- generic:
  - generic "Compact View" [class=selected]
  - paragraph: Text
- paragraph:
  - link:
    - /url: /y
  - link "Next":
    - /url: /n`,
    );
  },

  // [tool.snapshot] Postorius: tabs that open menus
  'a list that is open in a tab is no part of its name': async (page) => {
    equal(
      await plain(
        page,
        `<ul role="tablist"><li role="tab"><a href="#" role="button" aria-expanded="true">Mass</a><ul><li><a href="/m">Members</a></li></ul></li></ul>`,
      ),
      `- tablist:
  - tab "Mass":
    - button "Mass" [expanded]
    - list:
      - listitem:
        - link "Members":
          - /url: /m`,
    );
  },

  // [tool.snapshot] Netdata's badges
  'an embedded document is a frame, and what stands in place of one that does not load is shown': async (page) => {
    const drawing = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='150' height='20'></svg>";
    const yaml = await plain(
      page,
      `<embed src="${drawing}" type="image/svg+xml" height="20"><object data="${drawing}" type="image/svg+xml" height="20">Seen by nobody</object>
      <object data="data:application/x-thing,1" type="application/x-thing">Install <button>Thing</button></object>
      <embed src="data:application/x-thing,1" type="application/x-thing" width="200" height="100">`,
    );
    equal(yaml.match(/^- iframe:/gm)?.length, 2);
    has(yaml, '- text: Install\n- button "Thing"');
    has(yaml, '- generic [looks=embed 200x100]');
    hasNot(yaml, 'Seen by nobody');
  },

  // [tool.actionable] jQuery UI's tooltips, menus that a header opens
  'what covers an element for the mouse alone is told at once, so that the mouse can leave': async (page) => {
    const look = (leaves) => page.call('actionable', { target: '#c', timeout: 300, callId: 1, leaves });
    const over = (inner) => `<button id="c" style="margin:30px">Product</button>${inner}`;
    const style = 'style="position:absolute;left:0;top:0;width:300px;height:200px;background:#444"';
    await page.load(over(`<div role="tooltip" ${style}><p>Click to sort</p></div>`));
    equal((await look(true)).underMouse, true);
    equal((await look(false)).timedOut, true);
    await page.load(over(`<div class="panel" ${style}>Panel</div>`));
    equal((await look(true)).timedOut, true);
  },

  // [tool.snapshot.delta] phpMyAdmin: each row begins with what can be done with it
  'a row that begins with links side by side is told with its first text too': async (page) => {
    const row = (name) =>
      `<tr><td><input type="checkbox" title="Check"></td><td><a href="/e">Edit</a></td><td><a href="/d">Delete</a></td><td>1</td><td>${name}</td><td>toy</td></tr>`;
    const checked = async (rows, i) => {
      await plain(
        page,
        `<table><tr><th></th><th></th><th></th><th>id</th><th>name</th><th>kind</th></tr>${rows}</table>`,
      );
      return delta(page, `document.querySelectorAll('input')[${i}].click()`);
    };
    const told = (more) => `- table:\n  - row:\n    - checkbox "Check" [checked]\n${more}`;
    equal(await checked(row('Doll'), 0), told('    - link "Edit"\n    - cell "Doll"'));
    equal(await checked(row('Ball') + row('Doll'), 1), told('    - cell "Doll"')); // as the links are alike in both
  },

  // [tool.snapshot.icons] Netdata's counts of alarms
  'an icon beside numbers that can be clicked says what is counted': async (page) => {
    const bell = '<svg width="15" height="15"><use href="#alarm"/></svg>';
    const pill = (text) => `<div style="cursor:pointer">${text}</div>`;
    equal(
      await plain(
        page,
        `<div style="display:flex">${bell}${pill(0)}${pill(2)}</div><p></p><div style="display:flex">${bell}${pill('Add')}${pill(2)}</div>`,
      ),
      `- generic [icon=alarm]:
  - generic [cursor=pointer]: "0"
  - generic [cursor=pointer]: "2"
- generic:
  - generic [cursor=pointer]: Add
  - generic [cursor=pointer]: "2"`,
    );
  },

  // [tool.snapshot.hidden-controls] the hints of typeahead.js
  'a field below another one that draws how its text may go on has no line': async (page) => {
    const hint = (style) =>
      `<input readonly tabindex="-1" value="assets:bank" style="position:absolute;left:0;${style}">`;
    const box = (inner) => `<div style="position:relative">${inner}</div>`;
    equal(
      await plain(
        page,
        box(
          hint('top:0') + '<input aria-label="Account" value="ass" style="position:relative;background:transparent">',
        ) + box(hint('top:40px') + '<input aria-label="Amount">'),
      ),
      `- textbox "Account": ass
- generic:
  - textbox [readonly]: assets:bank
  - textbox "Amount"`,
    );
  },

  // [tool.snapshot.brief] suggestions of typeahead.js
  'a part of a word that is set off is told in its word': async (page) => {
    equal(
      await plain(
        page,
        `<div style="cursor:pointer"><strong>exp</strong>enses:<b>r</b>ent</div><p>ex<mark>pen</mark>ses of <em>all</em>, now <em>half</em>way</p>
        <p>A <strong>bold</strong> word</p><div contenteditable role="textbox"><b>half</b>way</div>`,
      ),
      `- generic [cursor=pointer]: expenses:rent
- paragraph:
  - text: expenses of
  - emphasis: all
  - text: ", now halfway"
- paragraph:
  - text: A
  - strong: bold
  - text: word
- textbox:
  - strong: half
  - text: way`,
    );
  },

  // [tool.snapshot.brief] an alert of Bootstrap's
  'a word that is set off together with its space is told apart from the next': async (page) => {
    equal(
      await plain(
        page,
        '<p><strong>Error: </strong>no MB<em> left </em>of 8</p><p>Al<b>bert </b>and <mark>Al</mark>ma</p>',
      ),
      `- paragraph:
  - strong: "Error:"
  - text: no MB
  - emphasis: left
  - text: of 8
- paragraph: Albert and Alma`,
    );
    equal(await plain(page, '<p>Al<strong>bert </strong>and</p>'), '- paragraph: Albert and');
  },
};
