// What kits of components show, as pages made of them were found to.
import { ok, shown } from '../expect.mjs';

export default {
  // [tool.snapshot]
  'a style sheet that many shadow roots adopt is compared once by a snapshot': async (page) => {
    await shown(
      page,
      `<main></main><script>
      const sheet = new CSSStyleSheet();
      for (let i = 0; i < 100; i++) sheet.insertRule('.c' + i + '{color:#000}');
      for (let i = 0; i < 50; i++) {
        const host = document.querySelector('main').appendChild(document.createElement('x-' + i));
        const root = host.attachShadow({ mode: 'open' });
        root.innerHTML = '<p>Words ' + i + '</p>';
        root.adoptedStyleSheets = [sheet];
      }</script>`,
    );
    await page.raw(`{
      const { get } = Object.getOwnPropertyDescriptor(CSSStyleDeclaration.prototype, 'cssText');
      globalThis.textsRead = 0;
      Object.defineProperty(CSSStyleDeclaration.prototype, 'cssText', { get() { textsRead++; return get.call(this); } });
      0;
    }`);
    await page.yaml();
    const read = await page.raw('textsRead');
    ok(read >= 100 && read <= 200, `${read} texts of 100 rules were read`);
  },
};
