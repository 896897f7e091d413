// What lies over a widget and is a part of it, so that a click on the one is the other's.
import { kPatience, ok, refused, shown } from '../expect.mjs';

// RSuite's tag picker
const picker = (more, tags = '') => `<div style="position: relative; width: 220px; height: 36px">
    <div id="c" role="combobox" aria-label="Tags" aria-expanded="false" tabindex="0" style="height: 36px">Choose</div>
    <div style="position: absolute; inset: 0">${tags}<div><input tabindex="-1" size="1"></div></div>${more}</div>`;

export default {
  'the box to type in that lies over its combobox is pressed for it': async (page) => {
    for (const tags of ['', '<span style="display: inline-block; width: 200px">Red<button>x</button></span>']) {
      await shown(page, picker('', tags));
      const at = await page.call('actionable', { target: '#c', timeout: kPatience });
      ok(at.ok, at.error);
    }
    await shown(page, picker('<button style="position: absolute; top: 60px">Other</button>'));
    await refused(page, { target: '#c' }, 'is covered by');
  },
};
