// What the browser says in a bubble at a field that it doesn't take [tool.snapshot.delta].
import { has, hasNot, shown } from '../expect.mjs';

const kForm = (
  more = '',
  attributes = '',
) => `<style>body { margin: 0 } button { position: absolute; left: 0; top: 100px;
  width: 80px; height: 20px }</style><form id="f" ${attributes}><input aria-label="Nick" required autofocus id="n">
  <input aria-label="Age" type="number" min="18" value="7"><button>Send</button></form>${more}`;
const kAsked =
  /^- text: "?… at textbox \\?"Nick\\?" \[ref=e\d+\] the browser says \\?"Please fill out this field\.\\?""?$/m;
const delta = (page) => page.yaml({ mode: 'delta' });

export default {
  'a form that is not sent says at which field, and why': async (page) => {
    await shown(page, kForm());
    await page.click(40, 110);
    has(await delta(page), kAsked);
    hasNot(await delta(page), 'the browser says');
    // Again, though it has the focus now.
    await page.click(40, 110);
    has(await delta(page), kAsked);
    await page.main('n.value = "zed"; 0');
    await page.click(40, 110);
    const second = await delta(page);
    has(second, /spinbutton \\?"Age\\?" \[ref=e\d+\] the browser says \\?"Value must be greater than or equal to 18/);
  },

  'a script that asks the browser to say it': async (page) => {
    await shown(page, kForm('<p tabindex="0" id="p">Text</p>'));
    await page.main('p.focus(); n.reportValidity(); 0');
    has(await delta(page), kAsked);
  },

  // Shoelace: what a field in a shadow tree is told of doesn't leave that.
  'a field in a shadow tree, of which a script asks that at a click': async (page) => {
    await shown(
      page,
      '<div id="h"></div><button style="position:absolute;left:0;top:100px;width:80px;height:20px" id="b">Send</button>',
    );
    await page.main(`h.attachShadow({ mode: 'open' }).innerHTML = '<input aria-label="Nick" required>'; 0`);
    await page.main('b.onclick = () => h.shadowRoot.querySelector("input").reportValidity(); 0');
    await delta(page);
    await page.click(40, 110);
    has(await delta(page), kAsked);
  },

  'no bubble is told where the page says it itself, or only asks': async (page) => {
    await shown(page, kForm('', 'novalidate'));
    await page.main('f.addEventListener("submit", (e) => { e.preventDefault(); f.checkValidity(); n.focus() }); 0');
    await page.click(40, 110);
    hasNot(await delta(page), 'the browser says');
    await shown(page, kForm());
    await page.main('n.addEventListener("invalid", (e) => e.preventDefault()); n.focus(); 0');
    await page.click(40, 110);
    hasNot(await delta(page), 'Nick');
    await shown(page, kForm());
    await page.main('n.focus(); n.checkValidity(); 0');
    hasNot(await delta(page), 'the browser says');
    await page.main('f.addEventListener("click", (e) => { e.preventDefault(); f.checkValidity() }); 0');
    await page.click(40, 110);
    await page.main('n.focus(); 0');
    hasNot(await delta(page), 'the browser says');
  },
};
