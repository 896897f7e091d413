// Contract: [tool.drop]
import { equal, same } from '../expect.mjs';

const html = `<!doctype html><style>body{margin:0}div,textarea,input{display:block;width:300px;height:60px;margin:0;border:0;padding:0}</style>
  <div id="zone"></div><div id="closed"></div><textarea id="text"></textarea><input id="file" type="file">
  <script>
    seen = [];
    zone.addEventListener('dragover', (e) => e.preventDefault());
    zone.addEventListener('drop', (e) => seen.push(e.defaultPrevented));
  </script>`;
const kData = { items: [{ mimeType: 'text/plain', data: 'x' }], dragOperationsMask: 1 };

const drag = (page, type, y) => page.send('Input.dispatchDragEvent', { type, x: 50, y, data: kData });

async function over(page, y, files) {
  await page.call('dropWatch', { files });
  await drag(page, 'dragEnter', y);
  await drag(page, 'dragOver', y);
  return page.call('dropResult');
}

export default {
  'dropWatch tells what the page takes, and what takes a drop by itself': async (page) => {
    await page.load(html);
    for (const [y, files, accepted] of [
      [30, false, true],
      [90, false, false],
      [150, false, true],
      [150, true, false],
      [210, true, true],
      [210, false, false],
    ]) {
      same(await over(page, y, files), { ok: true, over: true, accepted, dropped: false });
      await drag(page, 'dragCancel', y);
    }
    await page.call('dropResult', { end: true });
    equal((await page.call('stats')).listeners, 0);
    same(await page.call('dropResult'), { ok: true, over: false, accepted: false, dropped: false });
  },

  'a drop is seen by the page as it is, and what it leaves undone goes no further': async (page) => {
    await page.load(html);
    await over(page, 30, false);
    await page.main('addEventListener("drop", (e) => seen.push(e.defaultPrevented))'); // after ours
    await drag(page, 'drop', 30);
    equal((await page.call('dropResult', { end: true })).dropped, true);
    same(await page.main('seen'), [false, true]);
    await over(page, 150, false);
    await drag(page, 'drop', 150);
    await page.call('dropResult', { end: true });
    equal(await page.main('text.value'), 'x');
  },

  'what a script says is no drag': async (page) => {
    await page.load(html);
    await page.call('dropWatch');
    await page.main('zone.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true }))');
    equal((await page.call('dropResult', { end: true })).over, false);
  },
};
