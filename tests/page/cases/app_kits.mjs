// What kits of widgets for applications have shown: Angular Material, DevExtreme.
import { equal, has, hasNot, kPatience, ok, shown } from '../expect.mjs';

const withoutRefs = (yaml) => yaml.replaceAll(/ \[ref=e\d+\]/g, '');
const plain = async (page, html) => withoutRefs(await shown(page, html));
const delta = async (page) => withoutRefs(await page.yaml({ mode: 'delta' }));

export default {
  // [tool.actionable] Angular Material's paginator
  'an empty box over a control that gives fingers more room takes its press': async (page) => {
    const html = (style, more = '') =>
      `<div style="position:relative;width:90px;margin:40px">${more}<div role="combobox" tabindex="0" aria-label="Per page" aria-expanded="false" style="height:24px">5</div>
        <div id="over" style="position:absolute;inset:-12px -4px;${style}"></div></div>`;
    hasNot(await plain(page, html('cursor:pointer')), 'covered');
    await page.main('over.onclick = () => (window.opened = true); 0');
    const ready = await page.call('actionable', { target: '[role=combobox]', timeout: kPatience, callId: 1 });
    ok(ready.ok, ready.error);
    await page.click(ready.x, ready.y);
    equal(await page.main('window.opened'), true);
    for (const shade of [html(''), html('cursor:pointer;background:#0003'), html('cursor:pointer', '<button>More</button>')])
      has(await plain(page, shade), 'combobox "Per page" [covered]');
    has(await plain(page, html('cursor:pointer;inset:-60px')), 'combobox "Per page" [covered]');
  },
};
