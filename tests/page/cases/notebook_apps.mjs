// Shapes of notebooks and other applications that keep one's own data.
import { has, hasNot, shown } from '../expect.mjs';

const delta = (page) => page.yaml({ mode: 'delta' });

export default {
  // [tool.snapshot.delta] TiddlyWiki
  'a row of a new list that has a button which was there before tells it with the rest of the row': async (page) => {
    await shown(page, '<div role="tabpanel" id="p"><button>close all</button></div>');
    await page.main(`p.innerHTML = ['home', 'close all', 'fold all'].map((name) =>
      '<div><input type="checkbox"> <button>' + name + '</button> <i>What it does: ' + name + '</i></div>').join('')`);
    const yaml = await delta(page);
    has(yaml, /- generic.*:\n +- checkbox.*\n +- button "close all" \[ref=e\d+\]\n +- text: "What it does: close all"/);
    hasNot(yaml, 'removed');
  },

  // [tool.snapshot.labels] AdminJS with react-datepicker
  'a field keeps the name of a label whose id nothing has while a list is open beside it': async (page) => {
    const yaml = await shown(page, '<div><label for="born">Born</label><div id="d"><input name="born"></div></div>');
    has(yaml, 'textbox "Born"');
    await page.main(
      `d.insertAdjacentHTML('beforeend', '<div role="listbox" aria-label="May"><div role="option">1</div></div>')`,
    );
    has(await page.yaml(), 'textbox "Born"');
  },
};
