// Locators that are made for elements: each finds its element alone, whatever stands beside it.
// Contract: [tool.locator]
import { equal, ok } from '../expect.mjs';

const kPage = `<!doctype html><ul><li>One <button>Go</button></li><li>Two <button id="two">Go</button></li></ul>
  <button>Save</button><button>Save draft</button><button data-testid="x">Y</button><label>E-mail <input></label>
  <label for="p">Password</label><input id="p" type="password"><h2>It's "good"</h2>
  <table><tr><td>Ann</td><td><button>Edit</button></td></tr><tr><td>Bob</td><td><button>Edit</button></td></tr></table>
  <p><span>plain text</span></p><div id="box"><i></i><i></i></div><input placeholder="Search here">
  <div role="dialog" aria-label="Cart"><button>Go</button></div><select aria-label="Size"><option>S</select>
  <x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { constructor() { super();
  this.attachShadow({ mode: 'open' }).innerHTML = '<b>in</b><button>Deep</button>' } })</script>`;

export default {
  'the best locator that finds the element alone': async (page) => {
    await page.load(kPage);
    for (const [target, locator] of [
      ['button:text-is("Save")', "getByRole('button', { name: 'Save', exact: true })"],
      ['button:has-text("draft")', "getByRole('button', { name: 'Save draft' })"],
      ['[data-testid=x]', "getByTestId('x')"],
      ['label input', "getByRole('textbox', { name: 'E-mail' })"],
      ['#p', "getByRole('textbox', { name: 'Password' })"],
      [
        'li:nth-child(1) button',
        "getByRole('listitem').filter({ hasText: 'One Go' }).getByRole('button', { name: 'Go' })",
      ],
      ['#two', "locator('#two')"],
      [
        'tr:nth-child(2) button',
        "getByRole('row').filter({ hasText: 'BobEdit' }).getByRole('button', { name: 'Edit' })",
      ],
      ['span', "getByText('plain text')"],
      ['i:nth-of-type(2)', "locator('#box > i:nth-of-type(2)')"],
      ['[role=dialog] button', "getByRole('dialog', { name: 'Cart' }).getByRole('button', { name: 'Go' })"],
      ['h2', "getByRole('heading', { name: 'It\\'s \"good\"' })"],
      ['ul', "getByRole('list')"],
      ['x-a button', "getByRole('button', { name: 'Deep' })"],
    ]) {
      const made = await page.call('locate', { target });
      ok(made.ok, made.error);
      equal(made.locator, locator, target);
    }
  },

  'each of them finds its element, on a page of many alike': async (page) => {
    const rows = Array.from(
      { length: 12 },
      (_, i) => `<li><b>Item</b> <a href="#${i}">More</a><input name="n${i % 3}"></li>`,
    );
    await page.load(
      `<!doctype html><main><ul>${rows.join('')}</ul><div><div><p>Item</p></div><div><p>Item</p></div></div></main>`,
    );
    const total = await page.main("document.querySelectorAll('main *').length");
    for (let n = 0; n < total; n++) {
      await page.main(`document.querySelectorAll('main *')[${n}].setAttribute('data-n', '')`);
      const made = await page.call('locate', { target: '[data-n]' });
      for (const target of [made.locator, made.css]) {
        await page.main(`document.querySelectorAll('main *')[${n}].setAttribute('data-n', '')`);
        const found = await page.call('describe', { target });
        equal(found.count, 1, `${n}: ${target}`);
        const marked = await page.call('describe', { target: '[data-n]' });
        equal(found.describe, marked.describe, `${n}: ${target}`);
      }
      await page.main(`document.querySelectorAll('main *')[${n}].removeAttribute('data-n')`);
    }
  },
};
