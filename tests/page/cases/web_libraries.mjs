// What tours, editors, carousels, trees and other libraries that pages are put together from have shown.
import { delta, equal, has, hasNot, ok, plain, refOf, refused, shown } from '../expect.mjs';

export default {
  // [tool.target] as Playwright's role selectors compare
  'a part of a name is compared as it is asked for, and what is not understood is an error': async (page) => {
    const html = `<button>First</button><button>Upload files</button><button>Upload more files</button>
      <button>Files to upload</button>`;
    await shown(page, html);
    const count = async (target) => (await page.call('describe', { target })).count;
    equal(await count('role=button[name^="Upload"]'), 2);
    equal(await count('role=button[name$="files"]'), 2);
    equal(await count('role=button[name*="more"]'), 1);
    equal(await count('role=button[name*="FILES" i]'), 3);
    equal(await count('role=button[name~="more"]'), 1);
    equal(await count('role=button[name="Upload files"]'), 1);
    for (const wrong of ['role=button[name!="First"]', 'role=button[disabled^="true"]', 'role=button[="First"]'])
      has((await page.call('describe', { target: wrong })).error, 'Invalid selector');
  },

  // [tool.actionable]
  'a control whose middle something lies over is pressed beside that, once no scrolling has freed it': async (page) => {
    const html = `<style>body{margin:0} #b{position:absolute;left:40px;top:100px;width:100px;height:30px}
      #over{position:absolute;left:80px;top:90px;width:20px;height:50px;background:#fff}</style>
      <button id="b" onclick="this.textContent='Done'">Finish</button><div id="over" role="dialog" aria-label="Tip"></div>`;
    await shown(page, html);
    const found = await page.call('actionable', { target: '#b', callId: 1, timeout: 5000 });
    ok(found.ok, found.error);
    ok(found.x < 80 || found.x > 100, `pressed at ${found.x}`);
    // Not what is covered for the most part.
    await page.main(`over.style.cssText = 'left:42px;width:96px'`);
    await refused(page, { target: '#b' }, 'is covered by');
  },

  // [tool.snapshot.pointers]
  'a drawing that shades the page around what a dialog tells of has no line': async (page) => {
    const html = `<style>body{margin:0} svg.shade{position:fixed;left:0;top:0;width:100vw;height:100vh;pointer-events:none}
        .box{position:fixed;left:100px;top:200px;background:#fff}</style><p>Page</p><button>Save</button><div id="d"></div>`;
    await shown(page, html);
    const shade = `<svg class="shade"><path d="M0 0H3000V3000H0ZM0 0H80V80H0Z" fill-rule="evenodd" fill-opacity=".5"/></svg>`;
    const open = (role) => `d.innerHTML = '${shade}<section class="box" ${role}><button>Next</button></section>'`;
    equal(await delta(page, open('role="dialog" aria-label="Step"')), '- dialog "Step":\n  - button "Next"');
    equal(await delta(page, `d.innerHTML = ''`), '- removed: dialog "Step"');
  },

  // [tool.snapshot.hidden]
  'what is said to readers is no hidden text where the eye is told the same beside it': async (page) => {
    const hidden = 'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)';
    const html = (seen) => `<form><label>Story <textarea></textarea></label><div style="${hidden}">Limit of 10</div>
      <div aria-hidden="true">${seen}</div><div role="status" style="${hidden}" id="s">10 words left</div></form>`;
    const yaml = await plain(page, html('10 words left'));
    has(yaml, '- status: "10 words left"');
    has(yaml, 'generic [hidden text]: Limit of 10');
    const other = await plain(page, html('9 words left'));
    has(other, '- status [hidden text]: "10 words left"');
    has(other, '9 words left');
  },

  // [tool.snapshot.delta] a pad to sign on
  'that nothing has changed is not said of the drawing that was acted on': async (page) => {
    await shown(page, `<canvas id="pad" width="200" height="100" tabindex="0"></canvas><button>Save</button>`);
    const changes = async (target) => {
      ok((await page.call('actionable', { target, callId: 1, timeout: 5000 })).ok);
      return page.yaml({ mode: 'delta' });
    };
    equal(await changes('#pad'), '- no changes since the last snapshot, but what a canvas draws is not in it');
    equal(await changes('text=Save'), '- no changes since the last snapshot');
    // Of what is drawn by a drag that ends elsewhere the pad was pressed, not the button.
    await changes('text=Save');
    await page.call('dragWatch', {});
    const { x, y } = await page.call('pointOf', { target: '#pad' });
    for (const type of ['mousePressed', 'mouseReleased'])
      await page.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    await page.call('dragResult', {});
    has(await page.yaml({ mode: 'delta' }), 'what a canvas draws is not');
    equal(await changes('text=Save'), '- no changes since the last snapshot');
  },

  // [tool.snapshot.icons] a list of uploads
  'a drawing without a name is called by the box that it has to itself, where that says which sign it is': async (
    page,
  ) => {
    const sign = '<svg width="54" height="54" fill="white"><path d="M0 0L50 50 30 0Z"/></svg>';
    const html = (name, more) =>
      `<form style="background:#333"><p>a.txt</p><div class="${name}">${sign}${more}</div></form>`;
    has(await plain(page, html('up-error-mark', '')), '[icon=up-error-mark]');
    for (const other of [html('up-mark', ''), html('up-error-mark', '<b>Not sent</b>')])
      hasNot(await plain(page, other), 'icon=');
  },

  // [tool.uploads]
  'of several fields for files near a target those with a ref are named, and the way to the others': async (page) => {
    const yaml = await shown(
      page,
      `<div id="box" tabindex="0">Drop files</div><label>Photo <input type="file"></label>
      <input type="file" style="visibility:hidden;position:absolute;width:0;height:0" disabled>`,
    );
    const error = await page.raw(`__bridle.fileInput({ target: '#box' })`).then(String, String);
    has(error, `target one of them (button "Photo" [ref=${refOf(yaml, '"Photo"')}]), or click what opens`);
  },

  // [tool.snapshot.hidden] an upload's legend
  'a legend for readers alone is no more than its group, which it names': async (page) => {
    const html = `<fieldset><legend style="position:absolute;width:1px;height:1px;clip:rect(1px,1px,1px,1px)">a.txt</legend>
      <button>Remove</button></fieldset>`;
    equal(await plain(page, html), '- group "a.txt":\n  - button "Remove"');
  },

  // [tool.actionable] players of films
  'what nobody sees before the mouse moves there is told at once with its place': async (page) => {
    await shown(page, `<div style="opacity:0;pointer-events:none"><button id="c">Settings</button></div>`);
    const look = (wakes) => page.call('actionable', { target: '#c', timeout: 300, callId: 1, wakes });
    const found = await look(true);
    equal(found.asleep, true);
    ok(found.x > 0 && found.y > 0);
    equal((await look(false)).timedOut, true);
  },

  // [tool.actionable] RevoGrid, and the rows of many tables
  'what a rule shows only while the mouse is over what is around it is told at once with the place of that': async (
    page,
  ) => {
    for (const [hides, shows] of [
      ['display:none', 'display:inline'],
      ['visibility:hidden', 'visibility:visible'],
      ['overflow:hidden;width:0;height:0;padding:0;border:0', 'width:auto;height:auto'],
    ]) {
      await shown(
        page,
        `<style>.act button{${hides}} .row:hover .act > button, p:hover{${shows}} .row:hover .name{color:red}</style><div class="row" id="a"><span
        class="name">Mail 1</span><span class="act"><button>Delete</button></span></div><div class="row" id="b">Mail 2<span class="act"><button
        id="d">Delete</button></span></div>`,
      );
      const look = (wakes) => page.call('actionable', { target: '#d', timeout: 300, callId: 1, wakes });
      const found = await look(true);
      equal(found.asleep, true, found.error);
      equal(await page.main(`document.elementFromPoint(${found.x}, ${found.y}).id`), 'b');
      equal((await look(false)).timedOut, true);
    }
    await shown(
      page,
      `<style>.x{display:none} .row:hover .y{display:block}</style><div class="row">Mail<button class="x" id="d">Delete</button></div>`,
    );
    ok(!(await page.call('actionable', { target: '#d', timeout: 300, callId: 1, wakes: true })).asleep);
  },

  // [tool.actionable] the menus of many shops
  'of a menu in a menu the item of the outer one is told first, also to who asks by role': async (page) => {
    await shown(
      page,
      `<style>ul ul{display:none} li:hover > ul{display:block} .other{display:none}</style><ul><li id="outer">Products<ul><li id="inner">Phones<ul><li>
      <a href="#x">Android</a></li></ul></li></ul></li></ul><a class="other" href="#y">Team</a>`,
    );
    const look = (target) => page.call('actionable', { target, timeout: 300, callId: 1, wakes: true });
    for (const target of ['text=Android', 'link "Android"', 'role=link[name="Android"]']) {
      const found = await look(target);
      equal(found.asleep, true, found.error);
      equal(await page.main(`document.elementFromPoint(${found.x}, ${found.y}).id`), 'outer');
    }
    ok(!(await look('link "Team"')).asleep);
  },

  // [tool.snapshot.hints] players of films
  'a film that takes the focus is told as one': async (page) =>
    has(
      await plain(page, `<video id="film" tabindex="-1" width="320" height="180"></video><button>Play</button>`),
      '- generic [looks=video 320x180] [id=film]',
    ),

  // [tool.snapshot.hints] an editor's toolbar
  'of two buttons of one name side by side the second tells by its class what it is': async (page) => {
    const pair = (second) =>
      `<div role="toolbar"><button class="bar-button">Font</button><button class="${second}">Font</button></div>`;
    equal(
      await plain(page, pair('bar-button bar-opens')),
      '- toolbar:\n  - button "Font"\n  - button "Font" [class=bar-opens]',
    );
    hasNot(await plain(page, pair('bar-button')), 'class=');
  },

  // [tool.snapshot] diagrams
  'the style sheet of a drawing is no text of it': async (page) =>
    equal(
      await plain(
        page,
        `<svg role="graphics-document document" width="99" height="99"><style>#a{fill:red}</style><text y="20">Start</text></svg>`,
      ),
      '- document: Start',
    ),

  // [tool.type] an editor that looks for the line that the selection is in
  'all of an editor is selected from its first line to its last, as by the keyboard': async (page) => {
    const ends = async (inner) => {
      await shown(page, `<div contenteditable id="ed">${inner}</div>`);
      ok((await page.call('focusForTyping', { target: '#ed', clear: true })).ok);
      return page.main(`(() => { const name = (at) => at.parentNode.nodeName + ' ' + at.nodeName; const r = getSelection().getRangeAt(0);
        return name(r.startContainer) + r.startOffset + ' ' + name(r.endContainer) + r.endOffset + ':' + getSelection(); })()`);
    };
    equal(await ends('<p><br></p>'), 'DIV P0 DIV P1:');
    equal(await ends('\n<p>One</p>\n<ul><li>Two <b>three</b></li></ul>\n'), 'P #text0 B #text5:One\n\nTwo three');
    equal(await ends('Plain'), 'DIV #text0 DIV #text5:Plain');
    equal(await ends('<table><tr><td>Cell</table>'), 'BODY DIV0 BODY DIV1:Cell');
    equal(await ends(''), 'BODY DIV0 BODY DIV0:');
  },

  // [tool.snapshot.hints] the corners of what crops a picture, the arrows of a page of slides
  'what nothing but a class tells from its neighbour is called by that class': async (page) => {
    const style = '<style>i,u{display:block;width:20px;height:20px;cursor:pointer}</style>';
    const told = await plain(page, `${style}<div><i class="point point-ne"></i><i class="point point-se"></i></div>`);
    has(told, '[class=point-ne]');
    has(told, '[class=point-se]');
    const arrows = await plain(
      page,
      `${style}<p>Slides</p><div class="arrow-box prev-one"><u class="sign"></u></div><div class="arrow-box next-one"><u class="sign"></u></div>`,
    );
    has(arrows, '[class=prev-one]');
    has(arrows, '[class=next-one]');
  },
};
