// What tours, editors, carousels, trees and other libraries that pages are put together from have shown.
import { delta, equal, has, ok, plain, refused, shown } from '../expect.mjs';

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
};
