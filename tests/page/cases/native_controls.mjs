// What the browser draws for its own controls, of which no attribute tells [tool.snapshot.marks].
import { delta, has, shown } from '../expect.mjs';

export default {
  'the open list of a select without any attribute': async (page) => {
    for (const attributes of ['', ' name="a"']) {
      await shown(page, `<select${attributes}><option>Apple</option><option>Pear</option></select>`);
      const box = await page.main(
        '({ x, y, width, height } = document.querySelector("select").getBoundingClientRect(), { x: x + width / 2, y: y + height / 2 })',
      );
      await page.click(box.x, box.y);
      has(await delta(page), '- combobox [expanded] [active]');
    }
  },
};
