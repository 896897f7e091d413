// Contract: [tool.snapshot]
import { ok } from '../expect.mjs';
import { compareCorpus } from '../agreement.mjs';

export default {
  'roles and names agree with the accessibility tree on 99 %': async (page, browser) => {
    const { pages, count, wrong, agreement } = await compareCorpus(browser);
    console.log(
      `agreement with the accessibility tree: ${(agreement * 100).toFixed(2)} % of ${count} nodes on ${pages.length} pages (${wrong} differ)`,
    );
    await page.send('Page.bringToFront');
    ok(pages.length >= 30);
    ok(agreement >= 0.99, pages.flatMap((p) => p.differences.map((d) => `${p.file}: ${d}`)).join('\n'));
  },
};
