// What Node-RED, Verdaccio and AdminJS have shown: a flow editor, a registry of packages, a database's admin.
import { delta, equal, has, hasNot, plain } from '../expect.mjs';

export default {
  // [tool.snapshot.brief] Verdaccio
  'a button that is all of a link is not told again': async (page) => {
    equal(
      await plain(
        page,
        `<a href="/a"><button>Home page</button></a> <a href="/b" aria-label="Bugs"><p><button><svg width="9" height="9"></svg></button></p></a>
        <a href="/c"><button disabled>Download</button></a> <a href="/d">Read <button>Later</button></a>`,
      ),
      `- link "Home page":
  - /url: /a
- link "Bugs":
  - /url: /b
- link "Download":
  - /url: /c
  - button "Download" [disabled]
- link "Read Later":
  - /url: /d
  - button "Later"`,
    );
  },

  // [tool.snapshot.pointers] AdminJS
  'a short text that is all of what can be clicked is told once, however short': async (page) => {
    equal(
      await plain(
        page,
        `<style>td,.box,.chip{cursor:pointer}</style><table><tr><td><p class="box">Product 1</p></td><td><p class="box">1</p></td>
        <td class="cell"><p class="box"><span>No</span></p></td><td>Chip <b class="chip">x</b></td></tr></table>`,
      ),
      `- table:
  - row:
    - cell "Product 1" [cursor=pointer]
    - cell "1" [cursor=pointer]
    - cell "No" [cursor=pointer]
    - cell [cursor=pointer]:
      - text: Chip
      - generic [cursor=pointer]: x`,
    );
  },

  // [tool.snapshot.pointers] AdminJS
  'a link that leads nowhere around a drawing is told, as its script or the mouse opens a menu by it': async (page) => {
    const dots = '<svg width="16" height="16"><circle cx="3" cy="8" r="1"/><circle cx="8" cy="8" r="1"/></svg>';
    equal(
      await plain(
        page,
        `<style>.dots{cursor:default}.m{visibility:hidden;position:absolute;top:0;left:0;right:0;height:200px}.m a{display:block;height:200px}.box{position:relative}.box input{opacity:0;width:16px;height:16px;margin:0;position:absolute}</style><table>
        <tr><td>One</td><td><div><a class="dots"><span>${dots}</span></a><section class="m"><a href="/1">Show</a></section></div></td></tr>
        <tr><td>Two</td><td><div><a>${dots}</a></div></td></tr>
        <tr><td>Three</td><td><span class="box"><input type="checkbox"><a>${dots}</a></span></td></tr>
        <tr><td>Four</td><td><a id="four"></a><a><img alt="" width="16" height="16" src="/x.png"></a></td></tr></table>`,
      ),
      `- table:
  - row:
    - cell "One"
    - cell:
      - generic [class=dots] [cursor=pointer]
  - row:
    - cell "Two"
    - cell:
      - generic [cursor=pointer]
  - row:
    - cell "Three"
    - checkbox
  - row:
    - cell "Four"
    - cell [icon=x.png]`,
    );
  },

  // [tool.snapshot.hints] TiddlyWiki
  'a class that tells how a button is drawn comes after one that tells what it is': async (page) => {
    const cross = '<svg width="16" height="16" class="x-image"><path d="M1 1l9 9"/></svg>';
    equal(
      await plain(
        page,
        `<button class="tc-btn-invisible tc-remove-tag">${cross}</button>
        <button class="btn btn-link btn-sm trash">${cross}</button><button class="btn-ghost">${cross}</button>
        <button class="tc-btn-invisible"><svg width="16" height="16" class="tc-image-close"><path d="M1 1l9 9"/></svg></button>`,
      ),
      `- button [class=tc-remove-tag]
- button [class=trash]
- button [class=x-image]
- button [class=tc-image-close]`,
    );
  },

  // [tool.snapshot.delta] Verdaccio
  'what was inert has not moved where the box around it has no line any more': async (page) => {
    await page.load(`<!doctype html><body><div id="root"><header><button id="opens">Open</button></header>
      <div><h1>Title</h1><p>Some text</p></div><footer><p>Made with love</p><p>Powered by X</p></footer></div>
      <div id="tip" role="tooltip">Tip</div>`);
    await page.yaml();
    const opened = await delta(
      page,
      `tip.remove(); document.body.insertAdjacentHTML('beforeend', '<div id="m" style="position:fixed;inset:0">' +
       '<ul role="menu"><li role="menuitem" tabindex="0">One</li></ul></div>');
       root.setAttribute('aria-hidden', 'true'); m.querySelector('li').focus()`,
    );
    has(opened, 'inert now: banner');
    const closed = await delta(page, "m.remove(); root.removeAttribute('aria-hidden'); opens.focus()");
    hasNot(closed, '- moved');
    has(closed, 'button "Open" [active]');
    has(closed, 'removed: ');
  },

  // [tool.snapshot.icons.controls] MailDev
  'a switch that is drawn in a button tells whether it is on': async (page) => {
    const knob = (style) =>
      `<span style="position:absolute;top:2px;width:16px;height:16px;border-radius:9px;background:white;${style}"></span>`;
    const track = (colour, style) =>
      `<div style="position:relative;width:36px;height:20px;border-radius:10px;background:${colour}">${knob(style)}</div>`;
    equal(
      await plain(
        page,
        `<button>Sounds ${track('lightgray', 'left:2px')}</button><button>Mails ${track('blue', 'left:2px;transform:translateX(16px)')}</button>
        <button aria-pressed="true">Told ${track('blue', 'right:2px')}</button>
        <button>Badge <div style="position:relative;width:80px;height:20px;border-radius:10px;background:blue">${knob('right:2px')}</div></button>
        <div dir="rtl"><button>Right to left ${track('blue', 'left:2px')}</button></div>`,
      ),
      `- button "Sounds" [looks=switch off]
- button "Mails" [looks=switch on]
- button "Told" [pressed]
- button "Badge"
- button "Right to left" [looks=switch on]`,
    );
  },

  // [tool.snapshot.pointers] Node-RED
  'a level wire is a line, told by the colour in which it is seen': async (page) => {
    const wire = (d) =>
      `<g><path d="${d}" style="cursor:pointer;stroke:white;stroke-width:20;fill:none"/><path d="${d}" style="pointer-events:none;stroke:gray;fill:none"/></g>`;
    equal(
      await plain(
        page,
        `<svg width="400" height="300"><line x2="400" y1="50" y2="50" stroke="#eee"/>${wire('M 10 100 C 90 100 210 100 300 100')}${wire('M 10 100 C 90 100 210 200 300 200')}</svg>`,
      ),
      `- generic [looks=gray line 290x0] [cursor=pointer]
- generic [looks=gray line 290x100] [cursor=pointer]`,
    );
  },

  // [tool.snapshot.pointers] Node-RED
  'what has a style of its own in a row to click has no cursor of its own by that': async (page) => {
    equal(
      await plain(
        page,
        `<style>.row{cursor:pointer;display:flex}.icon{width:20px;height:20px}</style>
        <div class="row"><div><div class="icon" style="background-image:url(change.svg)"></div></div><div>change</div></div>
        <div class="row"><div class="icon" style="background-image:url(junction.svg);cursor:pointer"></div><div>junction</div></div>`,
      ),
      `- generic [icon=change.svg] [cursor=pointer]: change
- generic [cursor=pointer]:
  - generic [icon=junction.svg] [cursor=pointer]
  - generic: junction`,
    );
  },

  // [tool.snapshot.pointers]
  'a place that lines are drawn from is one also where it has a caption': async (page) => {
    const port = (name) =>
      `<div style="position:relative;width:16px;height:16px;cursor:crosshair"><div style="position:absolute;left:20px">${name}</div>
       <svg width="16" height="16" class="plus"><path d="M8 0V16"></path></svg></div>`;
    const yaml = await plain(
      page,
      `<div role="group" style="cursor:pointer">${port('true')}${port('false')}<p>Branch</p></div>
       <div style="cursor:crosshair;width:300px;height:50px">An area to draw in</div>`,
    );
    has(yaml, /generic .*\[cursor=crosshair\]: "true"/);
    has(yaml, /generic .*\[cursor=crosshair\]: "false"/);
    equal(yaml.split('crosshair').length, 3, yaml);
  },
};
