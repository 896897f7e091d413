// What the browser draws for its own controls, of which no attribute tells [tool.snapshot.marks].
import { delta, equal, shown } from '../expect.mjs';

export default {
  'the open list of a select without any attribute': async (page) => {
    for (const attributes of ['', ' name="a"']) {
      await shown(page, `<select${attributes}><option>Apple</option><option>Pear</option></select>`);
      const box = await page.main(
        '({ x, y, width, height } = document.querySelector("select").getBoundingClientRect(), { x: x + width / 2, y: y + height / 2 })',
      );
      await page.click(box.x, box.y);
      equal(await delta(page), '- combobox [expanded] [active]: (children unchanged)');
      // What a key highlights in it shows once it is chosen.
      await page.call('watchAction', { scrolls: true });
      for (const type of ['rawKeyDown', 'keyUp'])
        await page.send('Input.dispatchKeyEvent', {
          type,
          key: 'ArrowDown',
          code: 'ArrowDown',
          windowsVirtualKeyCode: 40,
        });
      equal(
        await delta(page),
        '- no changes since the last snapshot, but which option the open list highlights is not in it',
      );
    }
  },
};
