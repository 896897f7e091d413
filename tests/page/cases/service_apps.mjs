// What the front ends of services have shown: Netdata, Postorius, Transmission, phpMyAdmin.
import { equal, has, hasNot, kPatience, shown } from '../expect.mjs';

const withoutRefs = (yaml) => yaml.replaceAll(/ \[ref=e\d+\]/g, '');
const plain = async (page, html) => withoutRefs(await shown(page, html));
const delta = async (page, script) => {
  await page.main(script);
  return withoutRefs(await page.yaml({ mode: 'delta' }));
};
const act = (page, target) => page.call('actionable', { target, timeout: kPatience, callId: 1 });
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
  'what a swatch or a picture in a label is called stands only where the words beside it do not say it': async (page) => {
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
};
