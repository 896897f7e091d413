// What the platform itself draws and opens, without a script of the page's: popovers, lists, transitions of the view,
// formulas.
import { delta, equal, has, hasNot, kPatience, ok, plain, refOf, refused, shown, withoutRefs } from '../expect.mjs';

export default {
  // [tool.snapshot.hidden]
  'what is hidden until it is found is not there to be seen, and comes when it is': async (page) => {
    const html = `<p>Seen</p><div hidden="until-found" id="d">Not seen <button>Secret</button></div>`;
    equal(await plain(page, html), '- paragraph: Seen');
    has(await delta(page, `d.hidden = false`), 'button "Secret"');
  },

  // [tool.snapshot.marks]
  'a button tells whether the popover that it opens is open': async (page) => {
    const html = `<button popovertarget="m">Menu</button><button commandfor="h" command="toggle-popover">Hint</button>
      <button popovertarget="none">Nothing</button><button commandfor="d" command="show-modal">Dialog</button>
      <div popover id="m">Copy</div><div popover="manual" id="h">Words</div><dialog id="d">Asks</dialog>`;
    hasNot(await plain(page, html), '[expanded]');
    equal(
      await delta(page, `m.showPopover(); h.showPopover()`),
      `- button "Menu" [expanded]
- button "Hint" [expanded]
- generic: Copy
- generic: Words`,
    );
    const closed = await delta(page, `m.hidePopover()`);
    has(closed, '- button "Menu"\n');
    hasNot(closed, '[expanded]');
  },

  // [tool.snapshot.marks]
  'a select tells that its list is open': async (page) => {
    const html = `<style>select,::picker(select){appearance:base-select}</style>
      <select aria-label="Pet" id="s"><option>Cat<option>Dog</select><p>x</p>`;
    hasNot(await plain(page, html), '[expanded]');
    await page.click(25, 20);
    has(withoutRefs(await page.yaml({ mode: 'delta' })), 'combobox "Pet" [expanded]');
    await page.click(600, 400);
    hasNot(withoutRefs(await page.yaml({ mode: 'delta' })), '[expanded]');
  },

  // [tool.snapshot.full-screen]
  'what is in full screen is told, with the key that ends it': async (page) => {
    const html = `<button>One</button><button>Two</button><button>Three</button><button>Four</button><button>Five</button>
      <div id="player" style="background:#000"><button id="b">Full</button></div>`;
    await shown(page, html);
    await page.main(`b.onclick = () => player.requestFullscreen()`);
    const [x, y] = await page.main(`(({ x, y }) => [x + 5, y + 5])(b.getBoundingClientRect())`);
    await page.click(x, y);
    ok(
      await page.main(`new Promise((resolve) => {
      if (document.fullscreenElement) resolve(true);
      else document.onfullscreenchange = () => resolve(true);
    })`),
    );
    const told = 'player\\">, and nothing else of the page, is in full screen: the key Escape ends that';
    has(await page.yaml({ mode: 'delta' }), told);
    hasNot(await page.yaml({ mode: 'delta' }), 'full screen');
    const whole = await page.yaml({ mode: 'full' });
    has(whole, told);
    has(whole, '1 more is covered: what is in full screen lies over the whole page');
    await refused(page, { target: 'button "One"' }, 'is in full screen: the key Escape ends that');
    await page.main(`document.exitFullscreen()`);
    has(await page.yaml({ mode: 'delta' }), 'nothing is in full screen any more');
  },

  // [tool.snapshot.marks]
  'the picture of a view transition covers nothing': async (page) => {
    const html = `<style>::view-transition-group(*){animation-duration:60s}</style>
      <button>One</button><main id="m"><button>Two</button></main>`;
    await shown(page, html);
    await page.main(
      `(async () => { await document.startViewTransition(() => { m.innerHTML = '<button>Three</button>'; }).ready; })()`,
    );
    ok(await page.main(`document.elementFromPoint(20, 20) === document.documentElement`));
    const yaml = await page.yaml({ mode: 'full' });
    has(yaml, 'button "Three"');
    hasNot(yaml, '[covered]');
  },

  // [nav.after-action.timers]
  'a key that closes what then fades away is waited for, though nothing has moved': async (page) => {
    for (const [kind, show] of [
      ['dialog', 'd.showModal()'],
      ['div popover', 'd.showPopover()'],
    ]) {
      const html = `<style>#d{opacity:0;transition:opacity 9s,display 9s allow-discrete,overlay 9s allow-discrete}
        #d:popover-open,#d[open]{opacity:1;transition-duration:0s}</style><${kind} id="d"><button>Close</button></${kind}>`;
      await shown(page, html);
      await page.main(show);
      await page.call('watchAction', { scrolls: false });
      const escape = { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 };
      await page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...escape });
      await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...escape });
      const { motion } = await page.call('frames', { n: 2, adaptive: true, quick: true });
      ok(!(await page.main(`d.matches(':popover-open,[open]')`)));
      ok(motion > 5000, `${kind}: ${motion} ms are told`);
    }
  },

  // [tool.snapshot.math]
  'a formula is one line of TeX, put together from its parts': async (page) => {
    const told = async (inner) => {
      const line = /- math: (.*)$/m.exec(await plain(page, `<p>Is <math>${inner}</math>`));
      return line === null ? null : line[1].startsWith('"') ? JSON.parse(line[1]) : line[1];
    };
    const formulas = [
      ['<mfrac><mi>a</mi><mrow><mn>2</mn><mi>b</mi></mrow></mfrac><mo>=</mo><mi>c</mi>', '\\frac{a}{2b}=c'],
      ['<msup><mi>x</mi><mn>10</mn></msup><mo>+</mo><msub><mi>y</mi><mi>i</mi></msub>', 'x^{10}+y_i'],
      ['<msup><mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup>', '(a+b)^2'],
      ['<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>', '{ab}^2'],
      ['<msqrt><mi>b</mi><mo>−</mo><mn>1</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>', '\\sqrt{b−1}\\sqrt[3]{x}'],
      [
        '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>',
        '∑_{i=1}^ni',
      ],
      [
        '<munder><mi>lim</mi><mi>x</mi></munder><mi>sin</mi><mo>&#x2061;</mo><mi>x</mi><mn>2</mn><mi>π</mi>',
        'lim_x sin x2π',
      ],
      [
        '<mover><mi>v</mi><mo>→</mo></mover><mo>≠</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>',
        '\\overset{→}{v}≠\\binom{n}{k}',
      ],
      [
        '<mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>)</mo>',
        '(\\begin{matrix}1 & 2 \\\\ 3 & 4\\end{matrix})',
      ],
      [
        '<semantics><mi>a</mi><annotation encoding="application/x-tex">{\\displaystyle \\alpha_1}</annotation></semantics>',
        '\\alpha_1',
      ],
      ['<mi>x</mi><mphantom><mi>y</mi></mphantom><mtext>if</mtext><mi>y</mi>', 'x if y'],
    ];
    for (const [inner, line] of formulas) equal(await told(inner), line);
    has(await plain(page, `<p><math><mi href="#x">a</mi><mo>+</mo><mi>b</mi></math>`), '- math:\n'); // has a link in it
  },

  // [tool.snapshot.math] KaTeX's and MathJax's
  'a formula that is written out for readers beside its drawing is that formula, and the drawing is none': async (
    page,
  ) => {
    const readers = 'position:absolute;clip:rect(1px,1px,1px,1px);width:1px;height:1px;overflow:hidden';
    const math = '<math><msup><mi>x</mi><mn id="n">2</mn></msup></math>';
    const html = `<p>Then <span class="katex"><span style="${readers}">${math}</span><span aria-hidden="true"><b>x</b><sup>2</sup></span></span>
      grows, <span><span aria-hidden="true">y</span><span style="${readers}">${math}</span></span> too.
      <p><span style="${readers}"><b>For readers</b></span><span aria-hidden="true">Drawn</span>`;
    equal(
      await plain(page, html),
      `- paragraph:
  - text: Then
  - math: x^2
  - text: grows,
  - math: x^2
  - text: too.
- paragraph:
  - generic [hidden text]: For readers
  - text: Drawn`,
    );
    equal(await delta(page, `document.querySelector('#n').textContent = 3`), `- paragraph:\n  - math: x^3`);
  },

  // [tool.snapshot.markers]
  'the numbers and letters of a list are told where counting its lines would not give them': async (page) => {
    const html = `<ol><li>One<li>Two</ol><ol start="9" id="n"><li>Nine<li>Ten</ol><ol type="a"><li>Ay<li value="28"><button>Ab</button></ol>
      <ol reversed style="list-style-type:upper-roman"><li>x<li hidden>-<li>y</ol><ol start="5" style="list-style:none"><li>Bare</ol>`;
    equal(
      await plain(page, html),
      `- list:
  - listitem: One
  - listitem: Two
- list:
  - listitem: "9. Nine"
  - listitem: "10. Ten"
- list:
  - listitem: a. Ay
  - listitem:
    - text: ab.
    - button "Ab"
- list:
  - listitem: II. x
  - listitem: I. y
- list:
  - listitem: Bare`,
    );
    equal(
      await delta(
        page,
        `n.firstElementChild.before(Object.assign(document.createElement('li'), { textContent: 'New' }))`,
      ),
      `- list:
  - listitem: "9. New"
  - listitem: "10. Nine"
  - listitem: "11. Ten"`,
    );
  },

  // [tool.snapshot.pointers]
  'the links of a picture that has a map are in it, and are clicked where they lie': async (page) => {
    const html = `<p>Plan: <img usemap="#m" width="100" height="100" alt="Map" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==">
      <map name="m"><area shape="rect" coords="0,0,40,40" href="#one" alt="One"><area shape="circle" coords="70,70,20" href="#two" alt="Two"><area shape="default" alt="No"></map>`;
    const yaml = await shown(page, html);
    equal(
      withoutRefs(yaml),
      `- paragraph:
  - text: "Plan:"
  - img "Map":
    - link "One":
      - /url: "#one"
    - link "Two":
      - /url: "#two"`,
    );
    const { x, y, error } = await page.call('actionable', {
      target: refOf(yaml, 'Two'),
      timeout: kPatience,
      callId: 1,
    });
    equal(error, undefined);
    await page.click(x, y);
    equal(await page.main('location.hash'), '#two');
  },

  // [tool.snapshot] Tools for developers put their overlay into a script element, where no page looks for it.
  'what a script element holds is there where a style draws it, and can be found': async (page) => {
    const html = `<p>Page</p><script type="x" id="s"></script><style id="t">p { color: black }</style>`;
    equal(await plain(page, html), '- paragraph: Page');
    const make = `const host = document.createElement('dev-overlay'); s.append(host, document.createElement('button'));
      s.lastChild.textContent = 'Light'; host.attachShadow({ mode: 'open' }).innerHTML =
        '<div role="dialog" aria-label="Build Error">Expected &gt; <button>Copy</button></div>'; 0`;
    equal(await delta(page, make), '- no changes since the last snapshot');
    const seen = await delta(page, `s.style.display = 'block'; 0`);
    has(seen, 'dialog "Build Error"');
    has(seen, 'button "Copy"');
    has(seen, 'button "Light"');
    for (const target of ['role=button[name="Light"]', 'text=Light', 'text=Expected >'])
      equal((await page.call('locate', { target })).ok, true, target);
    equal((await page.call('waitFor', { text: 'Light', timeout: 100 })).ok, true);
    has(await delta(page, `s.style.display = ''; 0`), '- removed: ');
  },

  // [tool.snapshot.hidden]
  'what is fixed in the shadow tree of an empty host out of reach is seen': async (page) => {
    await shown(page, `<style>body { margin: 0 }</style><div id="out" style="position:absolute"></div><p>Page</p>`);
    const make = `const host = document.createElement('dev-overlay'); out.append(host);
      host.attachShadow({ mode: 'open' }).innerHTML = '<style>:host { position: absolute }</style>' +
      '<div style="position:fixed;top:50px;left:0;right:0">Build failed <button>Copy</button></div>'; 0`;
    const seen = await delta(page, make);
    has(seen, 'Build failed');
    hasNot(seen, '[invisible]');
  },

  // [tool.target.covered]
  'what is refused for an overlay in a shadow tree names the dialog there, or what can be operated': async (page) => {
    const html = `<button>Save</button><dev-overlay></dev-overlay>`;
    for (const [inner, words] of [
      ['<div role="dialog" aria-label="Build Error">x</div>', 'while dialog "Build Error"'],
      [
        '<div style="position:fixed;top:200px;left:9px"><button>Dismiss</button><button>Copy</button></div>',
        'above that: button "Dismiss"',
      ],
    ]) {
      await shown(page, html);
      await page.main(`document.querySelector('dev-overlay').attachShadow({ mode: 'open' }).innerHTML =
        '<div style="position:fixed;inset:0"></div>' + ${JSON.stringify(inner)}; 0`);
      await page.yaml({ mode: 'delta' });
      const { error } = await page.call('actionable', { target: 'text=Save', timeout: 300, callId: 1 });
      has(error, words);
    }
  },

  // [tool.snapshot]
  'a document without any element is empty, and none of the calls fails': async (page) => {
    await page.load('<!doctype html><p>text</p>');
    await page.yaml();
    await page.main('document.documentElement.remove()');
    equal(await page.yaml(), '');
    await delta(page);
    ok((await page.call('frames', { n: 1 })).ok);
    await refused(page, { target: 'text=text', quiet: true }, 'The page is empty');
    await page.main(
      "document.append(document.createElement('html')); document.documentElement.innerHTML = '<body>back</body>'",
    );
    has(await delta(page), 'back');
  },
};
