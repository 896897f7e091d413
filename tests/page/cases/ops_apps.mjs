// What the front ends of servers and offices have shown: SOGo, phpLDAPadmin, Syncthing, openQA, Cacti.
import { delta, equal, has, hasNot, kPatience, ok, plain, refOf, shown, withoutRefs } from '../expect.mjs';

const act = (page, target) => page.call('actionable', { target, timeout: kPatience, callId: 1 });

export default {
  // [tool.snapshot.hidden-controls] Cacti's switches
  'a label that is drawn in place of a checkbox that is not rendered is that': async (page) => {
    const html = `<style>.s{position:relative;display:inline-block;width:45px;height:24px} .s input{display:none}
      .t{position:absolute;inset:0;background:#ccc;cursor:pointer} .t::before{content:"";background:url(knob.svg)}
      [for=acc]{cursor:pointer}</style>
      <label class="s" title="Disable device"><input type="checkbox" title="Disable device" id="off"><span class="t"></span></label><label hidden for="off">Disable device</label>
      <p><label class="s"><input type="radio" name="r" id="one" checked><span class="t"></span></label><label for="one">Leave all</label>
      <p><label class="s"><input type="radio" name="r" id="two"><span class="t"></span></label><label for="two">Delete all</label>
      <p><input type="checkbox" id="acc" hidden><label for="acc">More</label>
      <p><input type="checkbox" id="gone" hidden><label for="gone">A label of what is hidden too</label>
      <p><label style="cursor:pointer"><input type="checkbox" hidden><span role="checkbox" aria-label="Own" tabindex="0"></span></label>`;
    const yaml = await shown(page, html);
    equal(
      withoutRefs(yaml),
      `- checkbox "Disable device"
- paragraph:
  - radio "Leave all" [checked]
- paragraph:
  - radio "Delete all"
- paragraph:
  - checkbox "More"
- paragraph: A label of what is hidden too
- paragraph:
  - checkbox "Own"`,
    );
    ok((await act(page, refOf(yaml, 'Disable device'))).ok);
    equal(
      await delta(page, `for (const id of ['off', 'two', 'acc']) document.getElementById(id).click()`),
      `- checkbox "Disable device" [checked]
- radio "Leave all"
- radio "Delete all" [checked]
- checkbox "More" [checked]`,
    );
  },

  // [tool.snapshot.marks] DataTables' headers
  'the pale arrows of a header, and what it says itself of its order, are no words of it': async (page) => {
    const html = `<style>.s::before{content:"↑";opacity:.3} .s::after{content:"↓";opacity:.3} .up::before,.alone::after{opacity:1}</style>
      <table><tr><th class="s up" aria-sort="ascending" aria-label="Name: activate to sort">Name<th class="s">Size<th class="s alone">Age
      <th class="sorting_disabled">Kind<th class="sorting_disabled" aria-label='Text &lt;a class="help"&gt;&lt;/a&gt;: sort'>Text</table>`;
    equal(
      await plain(page, html),
      `- table:
  - row:
    - 'columnheader "Name: activate to sort" [sort=ascending]'
    - columnheader "Size"
    - columnheader "Age ↓"
    - columnheader "Kind"
    - 'columnheader "Text : sort"'`,
    );
  },

  // [tool.snapshot.hidden] [tool.actionable] SOGo's events
  'a control of no size whose words its page has placed elsewhere is seen and clicked there': async (page) => {
    const yaml = await shown(
      page,
      `<style>.event{position:absolute;left:50px;top:50px;width:80px;height:40px} .in{overflow:hidden} .text{position:absolute;inset:0}</style>
      <div class="event"><div class="in" role="button" tabindex="0"><div class="text">Team meeting</div></div></div>
      <div style="height:0;overflow:hidden"><button>Collapsed</button></div>`,
    );
    equal(withoutRefs(yaml), '- button "Team meeting"\n- button "Collapsed" [invisible]');
    const ready = await act(page, refOf(yaml, 'Team meeting'));
    ok(ready.ok, ready.error);
    equal([ready.x, ready.y].join(), '90,70');
  },

  // [tool.snapshot.marks]
  'a link that its author calls disabled, and that a style makes so, is that': async (page) =>
    equal(
      await plain(
        page,
        `<style>.btn[disabled]{pointer-events:none}</style><a class="btn" href="#a" disabled>Mail</a> <a class="btn" href="#b">Next</a>
        <a href="#c" disabled>Works</a>`,
      ),
      `- link "Mail" [disabled]:
  - /url: "#a"
- link "Next":
  - /url: "#b"
- link "Works":
  - /url: "#c"`,
    ),

  // [tool.snapshot.icons] [tool.snapshot.icons.controls] the fonts of Material
  'a word that a font of icons draws as a sign is an icon': async (page) => {
    const sign = (word, more = '') => `<i class="sign" ${more}>${word}</i>`;
    const html = `<style>.sign{font-family:"Material Icons";display:inline-block;width:24px;height:24px;overflow:hidden}</style>
      <button>${sign('delete')} Delete</button> <button>${sign('delete')}</button>
      <a href="#c" aria-label="Address book">${sign('contacts', 'role="img" aria-label="contacts"')}</a>
      <h2>25 messages ${sign('sort')} By date</h2> <p>${sign('home')} Home</p> <p style="font-family:sans-serif"><i>home</i> alone</p>
      <div role="menu"><button role="menuitem">${sign('check', 'role="img" aria-label="Name"')} Name</button>
      <button role="menuitem">${sign('', 'role="img" aria-label="Size"')} Size</button></div>
      <span class="sign" role="button" tabindex="0" aria-label="Options">more_vert</span> <button class="md-icon-button open-day" style="background:none"></button>
      <button id="star" aria-label="Flagged">${sign('star_border')}</button>`;
    equal(
      await plain(page, html),
      `- button "Delete"
- button "delete"
- link "Address book":
  - /url: "#c"
- heading "25 messages By date" [level=2]
- paragraph [icon=home]: Home
- paragraph: home alone
- menu:
  - menuitem "Name" [icon=check]
  - menuitem "Size"
- button "Options"
- button [class=open-day]
- button "Flagged"`,
    );
    equal(await delta(page, `star.firstChild.textContent = 'star'`), '- button "Flagged" [icon=star]');
  },

  // [tool.snapshot]
  'what a picture is called is no second name beside the same words, nor are the braces of a template one': async (
    page,
  ) =>
    equal(
      await plain(
        page,
        `<style>img{width:16px;height:16px}</style><a href="#a"><img alt="schema" src="s.png"><br>schema</a> <a href="#b"><img alt="Edit" src="e.png"> Edit row</a>
        <a href="#c"><img alt="New" src="n.png"> York</a> <button>Bora Bora</button>
        <button><span role="img" aria-label="{{icon}}"></span> Inbox</button>`,
      ),
      `- link "schema":
  - /url: "#a"
- link "Edit row":
  - /url: "#b"
- link "New York":
  - /url: "#c"
- button "Bora Bora"
- button "Inbox"`,
    ),

  // [tool.snapshot.icons.controls] phpLDAPadmin's tree
  'a control that is called by signs alone is called by its picture too, and so is a picture with a handler': async (
    page,
  ) => {
    const html = `<style>img{width:16px;height:16px}</style><a href="#a"><img id="fold" src="expand.png" alt="+-"></a> <button>×</button>
      <acronym title="Hide the tree"><img src="plus.png" alt="" onclick="1"></acronym>`;
    equal(
      await plain(page, html),
      `- link "+-" [icon=expand.png]:
  - /url: "#a"
- button "×"
- generic "Hide the tree":
  - generic [icon=plus.png]`,
    );
    has(await delta(page, `fold.src = 'collapse.png'`), '- link "+-" [icon=collapse.png]');
  },

  // [tool.snapshot.quiet] Bootstrap 3's dialogs
  'a button that is aria-hidden, and that anyone can press, is a button': async (page) =>
    equal(
      await plain(
        page,
        `<button aria-hidden="true">&times;</button> <button aria-hidden="true" tabindex="-1">Double</button>`,
      ),
      '- button "×"\n- text: Double',
    ),

  // [tool.snapshot.pointers] jsTree's rows
  'what is drawn below an item, as high as that, is nothing to click beside it': async (page) =>
    equal(
      await plain(
        page,
        `<style>.row{position:absolute;left:0;right:0;height:24px;cursor:pointer} a{position:relative;line-height:24px}</style>
        <ul role="tree"><li role="none"><div class="row">&nbsp;</div><a role="treeitem" href="#">Edge</a></ul>`,
      ),
      '- tree:\n  - treeitem "Edge"',
    ),

  // [tool.snapshot.cuts] SOGo's calendar
  'the groups that a box has scrolled away go before those that are seen in it': async (page) => {
    const day = (month, n) => `<td role="gridcell" tabindex="-1" aria-label="${month} ${n} 2026">${n}`;
    const weeks = (month) =>
      [0, 7, 14, 21].map((w) => `<tr>${[1, 2, 3, 4, 5, 6, 7].map((d) => day(month, w + d)).join('')}`).join('');
    const months = ['Sep', 'Oct', 'Nov', 'Dec']
      .map((month) => `<tbody role="rowgroup">${weeks(month)}</tbody>`)
      .join('');
    await shown(
      page,
      `<div id="pane" hidden style="height:120px;overflow:auto"><table role="grid" style="line-height:28px;border-spacing:0">${months}</table></div>`,
    );
    await page.main(`pane.hidden = false; pane.scrollTop = pane.scrollHeight / 2`);
    const yaml = await page.yaml({ mode: 'delta', budgetChars: 2200 });
    equal(yaml.match(/gridcell "Nov/g)?.length, 28, yaml);
    hasNot(yaml, /"(Sep|Oct|Dec) /);
  },

  // [tool.snapshot.hints] the messages of SOGo that are selected
  'what takes the focus and has no words is called by its class of a state before another one': async (page) => {
    const tick = (more) => `<div class="md-secondary pic-selectable ${more}" tabindex="-1"><i>&#xe834;</i></div>`;
    const html = `<style>.md-secondary{width:40px;height:40px}</style><button aria-label="Select 1">${tick('')}</button><button aria-label="Select 2">${tick('pic-selected')}</button>`;
    const yaml = await plain(page, html);
    has(yaml, 'button "Select 2":\n  - generic [class=pic-selected]');
    hasNot(yaml, 'button "Select 1":\n  - generic [class=pic-selected]');
    has(
      await delta(page, `document.querySelector('div').classList.add('pic-selected')`),
      'button "Select 1":\n  - generic [class=pic-selected]',
    );
  },

  // [tool.snapshot.icons] Syncthing's counts
  'the icons of several numbers in a cell are told with them': async (page) =>
    has(
      await plain(
        page,
        `<style>.fa::before{content:"\\f0c5"}</style><table><tr><th>Local state<td><span class="counts"><i class="fa fa-copy"></i>&nbsp;3
        <i class="fa fa-folder"></i>&nbsp;1</span><td>[icon=own] 2</table>`,
      ),
      '- cell "3 1" [icon=fa-copy] [icon=fa-folder]\n    - cell "[icon=own] 2"\n'.trimEnd(),
    ),
};
