// What pages that are made of widgets, editors, grids and calendars of many libraries have shown.
import { delta, equal, has, hasNot, ok, plain, refOf, refused, shown, withoutRefs } from '../expect.mjs';

const described = async (page, target) => page.call('describe', { target });

export default {
  // [tool.target]
  'a whole text may stand beside other elements, be drawn by a style, and is not looked for in what an editor hides': async (page) => {
    await shown(
      page,
      `<style>.act::after{content:"Keep it"} .gone{display:none}</style>
      <ul role="tree"><li role="treeitem" id="branch">Leafy<ul role="group"><li role="treeitem">Birch</li></ul></li></ul>
      <p id="grip"><b>☰</b> Gamma</p><a class="act" id="act" href="#"></a>
      <textarea class="gone">Old words</textarea><textarea id="seen">Seen words</textarea>`,
    );
    for (const [target, id] of [
      ['text="Leafy"', 'branch'],
      ['text="Gamma"', 'grip'],
      ['text="Keep it"', 'act'],
      ['text=keep', 'act'],
      ['text=Seen words', 'seen'],
    ]) {
      const found = await described(page, target);
      ok(found.ok, `${target}: ${found.error}`);
      equal(found.count, 1, target);
      has((await page.call('locate', { target })).css, id);
    }
    has((await described(page, 'text=Old words')).error, 'Nothing on the page matches');
    has((await described(page, 'text="Leafy Birch"')).error, 'Nothing on the page matches');
  },
};
