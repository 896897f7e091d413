// Contract: [tool.target] [tool.selector-error] [tool.target.nearest]
import { equal, has, kPatience, ok, refOf, refused, shown } from '../expect.mjs';

const describe = async (page, target) => page.call('describe', { target });

export default {
  'refs, css, text, role': async (page) => {
    await page.load(`<!doctype html><h1 id="t">Title</h1><p>Some <b>bold words</b></p><button class="s">Save</button><button hidden>Save all</button><button>Save as</button>
      <input type="submit" value="Send now"><input type="checkbox" aria-label="Agree" checked><a href="/x"><span>Deep link</span></a><script>"Save script"</script>`);
    const ref = refOf(await page.yaml(), '"Save"');
    for (const [target, words, count] of [
      [ref, 'button "Save"', 1],
      ['#t', 'heading "Title"', 1],
      ['css=.s', 'button "Save"', 1],
      ['text=bold words', 'strong "bold words"', 1],
      ['text="Save"', 'button "Save"', 1],
      ['text=save', 'button "Save"', 3],
      ['text=/^save a/i', 'button "Save as"', 2],
      ['text=Send now', 'button "Send now"', 1],
      ['role=button[name="Save"]', 'button "Save"', 1],
      ['role=button[name="save" i]', 'button "Save"', 2],
      ['role=button[name=/^Save/]', 'button "Save"', 2],
      ['role=heading[level=1]', 'heading "Title"', 1],
      ['role=checkbox[checked]', 'checkbox "Agree"', 1],
      ['role=link', 'link "Deep link"', 1],
    ]) {
      const found = await describe(page, target);
      ok(found.ok, `${target}: ${found.error}`);
      equal(found.count, count, target);
      if (target !== 'text=bold words') equal(found.describe, words, target);
    }
    const span = await describe(page, 'text=Deep link');
    equal(span.tag, 'span');
    equal(span.isLink, true);
  },

  'a row and an item are found by what they hold, though a snapshot does not name them': async (page) => {
    await page.load(
      '<!doctype html><table><tr><th>Name<th>Act<tr><th>Ann<td>3<td><a href="#">Edit</a><tr><th>Bob<td>4<td><a href="#">Edit</a></table><ul><li>Milk <button>Drop</button><li>Bread</ul>',
    );
    const bob = '[name="Bob 4 Edit"]';
    for (const target of [`role=row${bob}`, 'role=row[name=/bob/i]', "getByRole('row', { name: 'Bob' })"])
      equal((await describe(page, target)).describe, 'row "Bob 4 Edit"', target);
    equal((await describe(page, 'role=listitem[name=/Milk/] >> role=button')).describe, 'button "Drop"');
    equal((await describe(page, 'role=row[name=/[AB]/]')).count, 3);
  },

  'every form that people and models write': async (page) => {
    await page.load(`<!doctype html><ul><li class="row">One <button>Go</button></li><li class="row">Two <button id="two" data-testid="second">Go</button></li><li class="row" hidden>Three <button>Go</button></li></ul>
      <label for="mail">E-mail address</label><input id="mail" placeholder="you@example.com" title="Your mail"><img alt="A red house" src="data:,"><button disabled>Save "all"</button>
      <h2>Prices</h2><h3>Prices today</h3><nav><a href="#x">Home</a></nav>`);
    const yaml = await page.yaml();
    const ref = refOf(yaml, '"Home"');
    const link = `link "Home" [ref=${ref}]`;
    const go = `button "Go"`;
    for (const [target, words, count = 1] of [
      [`[ref=${ref}]`, 'link "Home"'],
      [`ref=${ref}`, 'link "Home"'],
      [`@${ref}`, 'link "Home"'],
      [link, 'link "Home"'],
      [`- ${link} [cursor=pointer]:`, 'link "Home"'],
      ['link "Home"', 'link "Home"'],
      ['- link "Home" [active]', 'link "Home"'],
      ['button "Save \\"all\\"" [disabled]', 'button "Save \\"all\\""'],
      ["getByRole('button', { name: 'Go' })", go, 2],
      ["page.getByRole('button', { name: 'go' }).nth(1)", go],
      ["await page.getByRole('button', { name: /^go$/i, disabled: false }).first();", go],
      ["getByRole('heading', { name: 'prices', level: 3 })", 'heading "Prices today"'],
      ["getByRole('heading', { name: 'Prices', exact: true })", 'heading "Prices"'],
      ["getByRole('button', {name: 'Save', disabled: true})", 'button "Save \\"all\\""'],
      ["getByText('prices')", 'heading "Prices"', 2],
      ["getByText('Prices', { exact: true })", 'heading "Prices"'],
      ['getByText(/^prices t/i)', 'heading "Prices today"'],
      ["getByLabel('e-mail')", 'textbox "E-mail address"'],
      ["getByPlaceholder('example.com')", 'textbox "E-mail address"'],
      ["getByTitle('Your mail')", 'textbox "E-mail address"'],
      ["getByAltText('red house')", 'img "A red house"'],
      ["getByTestId('second')", go],
      ["page.locator('li', { hasText: 'Two' }).getByRole('button')", go],
      ["locator('.row').filter({ hasText: 'Two' }).locator('button')", go],
      ['.row >> text=Two', 'listitem', 0],
      ['.row >> nth=1 >> button', go],
      ['.row >> role=button[name="Go"] >> nth=-2', go],
      ['text=Two >> css=button', go],
      ['.row:has-text("two") button', go],
      ['li:has-text("Two") > button:visible', go],
      ['button:visible', go, 3],
      [':text("Prices today")', 'heading "Prices today"'],
      ['h2:text-is("Prices"), h3:text-is("Prices")', 'heading "Prices"'],
      ['h2:has-text("Prices") + h3', 'heading "Prices today"'],
      ['//li[2]/button', go],
      ['xpath=//button[@id="two"]', go],
      ['(//button)[2]', go],
      ['.row >> //button', go, 3],
      ['data-testid=second', go],
      ['id=two', go],
      ['.row >> visible=true >> button', go, 2],
    ]) {
      const found = await describe(page, target);
      if (count === 0) {
        equal(found.ok, false, target);
        continue;
      }
      ok(found.ok, `${target}: ${found.error}`);
      equal(found.describe, words, target);
      equal(found.count, count, target);
    }
    equal(await page.raw(`__bridle.element({ target: "li:has-text('two') button" }).id`), 'two');
  },

  'a row is known by one of its cells, and a role that is a tag too by either': async (page) => {
    await page.load(`<!doctype html><table><tr><td><input type="checkbox" id="one"><td>Vase<td>12</tr><tr><td><input type="checkbox" id="two"><td>Vases<td>7</tr></table>
      <dialog><input id="away"></dialog><div role="dialog" aria-label="Filter"><input id="near"></div><div role="button" tabindex="0">Go</div>`);
    const idAt = (target) => page.raw(`__bridle.element({ target: ${JSON.stringify(target)} }).id`);
    equal(await idAt('row "Vase" >> checkbox'), 'one');
    equal(await idAt('row "Vases" >> checkbox'), 'two');
    equal(await idAt('dialog >> textbox'), 'near');
    equal((await describe(page, 'button')).describe, 'button "Go"');
    equal((await describe(page, 'row "Vas"')).ok, false);
    await page.main("document.querySelector('dialog').show()");
    equal(await idAt('dialog >> textbox'), 'away');
  },

  'nothing found: the nearest, at once where the page is quiet': async (page) => {
    await page.load(`<!doctype html><button>Go</button><button>Go home</button><a href="#" id="submit-order">Order now</a><input placeholder="Search products"><p>text</p>
      <button style="display:none">Gone</button>`);
    await page.yaml();
    const asked = async (target, more = { quiet: true }) => {
      const result = await page.call('actionable', { target, timeout: kPatience, callId: 1, ...more });
      equal(result.ok, false, target);
      return result;
    };
    const go = await asked('role=button[name="Go!"]');
    ok(go.absent && !go.timedOut, go.error);
    has(go.error, 'Nearest: button "Go" [ref=e1], button "Go home" [ref=e2]');
    has((await asked("getByRole('link', {name: 'Order'}).filter({hasText: 'x'})")).error, 'link "Order now" [ref=e3]');
    has((await asked('#submitOrder')).error, 'link "Order now" [ref=e3]');
    has((await asked('text=serch products')).error, 'textbox "Search products"');
    equal((await asked('#zzz')).error, 'Nothing on the page matches "#zzz".');
    // Where something is being loaded the caller asks again.
    ok((await asked('#zzz', {})).absent);
    await page.main('document.body.setAttribute("aria-busy", "true"); 0');
    ok((await asked('#zzz', { timeout: 700, quiet: true })).timedOut);
    await page.main('document.body.removeAttribute("aria-busy"); 0');
    // In one task, as a page that stands still for long is quiet for long.
    const coming = await page.raw(`(() => {
      const asked = __bridle.call('actionable', { target: '#late', timeout: ${kPatience}, callId: 2, quiet: true });
      document.body.insertAdjacentHTML('beforeend', '<button id=late>L</button>');
      return asked;
    })()`);
    ok(coming.ok, coming.error);
    const { pollers, observers, timers } = await page.call('stats');
    equal(pollers + observers + timers, 0);
  },

  'a role that is there but kept from assistive technology': async (page) => {
    await page.load(
      '<!doctype html><div inert><button>Save</button></div><div aria-hidden="true"><button>Close</button></div><dialog open aria-label="Cookies">x</dialog>',
    );
    has(
      (await describe(page, 'role=button[name="Save"]')).error,
      'button "Save" exists, but it is inert while dialog "Cookies" is open',
    );
    has((await describe(page, "getByRole('button', {name: 'Close'})")).error, 'hidden from assistive technology');
    ok((await describe(page, "getByRole('button', {name: 'Close', includeHidden: true})")).ok);
  },

  'several matches: the first visible one': async (page) => {
    await page.load(
      '<!doctype html><button style="display:none">A</button><button id="second">A</button><button>A</button>',
    );
    const found = await describe(page, 'button');
    equal(found.count, 3);
    const id = await page.raw('__bridle.element({ target: "button" }).id');
    equal(id, 'second');
  },

  'shadow roots are entered': async (page) => {
    await page.load(`<!doctype html><x-a class="h"></x-a><script>customElements.define('x-a', class extends HTMLElement { connectedCallback() { const r = this.attachShadow({ mode: 'open' });
      r.innerHTML = '<div class="in"><x-b></x-b></div>'; const s = r.querySelector('x-b').attachShadow({ mode: 'open' }); s.innerHTML = '<button id="deep">Deep</button>'; } })</script>`);
    for (const target of ['#deep', 'text=Deep', 'role=button[name="Deep"]', 'x-a #deep', '.h .in button']) {
      const found = await describe(page, target);
      ok(found.ok, `${target}: ${found.error}`);
      equal(found.tag, 'button', target);
    }
    const ready = await page.call('actionable', { target: '#deep', timeout: kPatience });
    ok(ready.ok, ready.error);
  },

  'errors quote what was asked': async (page) => {
    await page.load('<!doctype html><p>x</p>');
    for (const [target, part] of [
      ['p[', 'Invalid selector "p["'],
      ['//p[', "doesn't understand this XPath"],
      ['Save the file', 'matches "Save the file"'],
      ['div "x" y', 'getByRole('],
      ['getByRole(button)', 'getByRole('],
      ['getByThing("x")', 'Not understood'],
      ['page.locator("p").waitFor()', 'Not understood'],
      ['p:has-text("x"', 'Invalid selector'],
      ['p >> ', 'Invalid selector'],
      ['role=button[nome="x"]', 'unknown attribute [nome]'],
      ['role=', 'Invalid selector'],
      ['text=/(/', 'Invalid regular expression "/(/"'],
      ['#nope', '"#nope"'],
      ['', 'target is empty'],
      ['text=', 'needs the text'],
      ['e99', 'e99 is not a ref'],
    ])
      has((await describe(page, target)).error ?? `${target} is accepted`, part);
  },

  // [tool.target.covered] jQuery Mobile
  'what lies over an element is named once, and above a shade that a snapshot has told what can be operated': async (
    page,
  ) => {
    await shown(
      page,
      `<style>body { margin: 0 } .over { position: absolute; inset: 0 }</style>
       <div style="position: relative"><button id="save">Save</button><div class="over" tabindex="0">Not yet</div></div>`,
    );
    const tag = String.raw`<div class="over">`;
    await refused(
      page,
      { target: '#save', kind: 'click' },
      new RegExp(`is covered by ${tag} "Not yet" \\[ref=e\\d+\\] `),
    );
    await shown(
      page,
      `<style>body { margin: 0 } .shade { position: fixed; inset: 0 }</style><button id="save">Save</button><div class="shade" tabindex="0"></div>
       <div style="position: fixed; top: 100px"><button>Close</button></div>`,
    );
    await refused(
      page,
      { target: '#save', kind: 'click' },
      /is covered by <div class="shade"> \[ref=e\d+\]; above that: button "Close" \[ref=e\d+\]/,
    );
  },

  // [tool.target.covered] Vuetify: the bar stands above the scrim.
  'what covers an element wherever it is scrolled to is named, not a bar that it comes under': async (page) => {
    await shown(
      page,
      `<style>body { margin: 0; height: 3000px } header { position: fixed; inset: 0 0 auto; height: 60px; z-index: 3; background: #eee }
        .scrim { position: fixed; inset: 0; z-index: 2 } button { position: absolute; top: 1500px }</style>
       <header>Bar</header><button id="save">Save</button><div class="scrim"></div>`,
    );
    for (const timeout of [200, 320, 430, 540, 650])
      has((await page.call('actionable', { target: '#save', kind: 'click', timeout })).error, '<div class="scrim">');
  },

  // [tool.target] [tool.target.words]
  'a role alone, and words alone that one control is called': async (page) => {
    await page.load(
      `<!doctype html><link rel="icon" href="data:,"><label>Filter nodes <input></label><button>Open modal</button><button>Save</button><button>save</button>
      <button>What's new & old?</button><a href="#x">article</a><a href="/a">3 items</a><div role="checkbox" tabindex="0">Agree</div><h1>Title</h1><button hidden>Unseen one</button><button>Menu</button>`,
    );
    await page.yaml();
    for (const [target, words, count = 1] of [
      ['textbox', 'textbox "Filter nodes"'],
      ['checkbox', 'checkbox "Agree"'],
      ['link', 'link "article"', 2],
      ['link >> nth=1', 'link "3 items"'],
      ['Filter nodes', 'textbox "Filter nodes"'],
      ['open modal', 'button "Open modal"'],
      ['Save', 'button "Save"'],
      ["What's new & old?", 'button "What\'s new & old?"'],
      ['"Agree"', 'checkbox "Agree"'],
      ['3 items', 'link "3 items"'],
      ['Menu', 'button "Menu"'],
    ]) {
      const found = await describe(page, target);
      ok(found.ok, `${target}: ${found.error}`);
      equal(found.describe, words, target);
      equal(found.count, count, target);
    }
    for (const target of ['SAVE', 'article', 'Title', 'Unseen one', 'Nobody', 'search', 'menu'])
      ok(!(await describe(page, target)).ok, target);
  },

  // [tool.target.nearest]
  'what is chosen or ticked says how, also an option by its line': async (page) => {
    await page.load(
      '<!doctype html><label>Size <select><option>Small<option>Medium</select></label><label><input type="checkbox">Gift</label>',
    );
    await page.yaml();
    const act = async (target, kind) =>
      (await page.call('actionable', { target, kind, timeout: kPatience, callId: 1 })).error;
    has(
      await act('option "Medium"', 'click'),
      'an option of combobox "Size" [ref=e1]: choose it with browser_select_option',
    );
    has(await act('Size', 'type'), ': choose with browser_select_option');
    has(await act('Gift', 'type'), ': tick it with browser_click');
  },

  // [tool.target] DevExtreme: a line above the page has the letters of a name
  'of texts with a part that was looked for the one that says just that is taken': async (page) => {
    await shown(
      page,
      '<p id="a">Levels of evenings</p><ul><li id="b">Evelyn<li id="c" hidden>Eve<li id="d">Eve<li id="e">Adam</ul>',
    );
    const taken = async (target) => {
      const found = await page.call('actionable', { target, timeout: kPatience, callId: 1 });
      return found.ok && `${found.describe} ${found.count}`;
    };
    equal(await taken('text=Eve'), 'listitem "Eve" 1');
    equal(await taken('text=eve'), 'paragraph "Levels of evenings" 4');
    equal(await taken('text=Eve >> nth=1'), 'listitem "Evelyn" 1');
  },

  // [tool.target.nearest]
  'nearest of a role is what can be hit, not what a layer over the page has covered': async (page) => {
    await shown(
      page,
      `<div><button>Inbox</button><button>Sent</button><button>Trash</button></div><div style="position:fixed;inset:0;background:#fff">
       <button>Cancel</button></div><p style="margin-top:3000px"><button>Far</button>`,
    );
    has(
      (await page.call('actionable', { target: 'button "Continue"', timeout: 50, callId: 1 })).error,
      /Nearest: button "Cancel" \[ref=e\d+\], button "Inbox"/,
    );
  },

  // [tool.target] [tool.target.words]
  'a field is named by the words of its label without the star or the colon behind them': async (page) => {
    await shown(
      page,
      `<label>Given name * <input id="a"></label><label>* Town: <input id="b"></label><label>Mail <input id="c"></label>
       <label>Mail * <input id="d"></label><input id="e" aria-label="Parameter: street" placeholder="Street">`,
    );
    const idOf = async (target) => {
      const found = await page.call('actionable', { target, timeout: 50, callId: 1 });
      return found.ok && (await page.main(`document.elementFromPoint(${found.x}, ${found.y}).id`));
    };
    for (const [target, id] of [
      ['textbox "Given name"', 'a'],
      ['given name', 'a'],
      ['textbox "Town"', 'b'],
      ['Town', 'b'],
      ['textbox "Mail"', 'c'],
      ['Mail', 'c'],
      ['textbox "Mail *"', 'd'],
      ['textbox "Street"', 'e'], // by what is drawn in it
    ])
      equal(await idOf(target), id, target);
  },

  // [tool.target.nearest]
  'a part of the page that is not there is told with what is nearest too': async (page) => {
    await shown(page, '<section aria-label="Controls 7"><button>Reset</button></section>');
    const { error } = await page.call('locate', { target: 'region "Controls"' });
    has(error, /Nearest: region "Controls 7" \[ref=e\d+\]/);
  },

  // [tool.target.nearest]
  'an option of a list that is closed is near too': async (page) => {
    await shown(page, '<select><option>Red cat</option><option>Blue dog</option></select><button>Dogs</button>');
    const { error } = await page.call('locate', { target: 'option "Dog"' });
    has(error, /Nearest: option "Blue dog"/);
  },

  // [tool.target.nearest]
  'words alone that name nothing bring what is called nearly so': async (page) => {
    await page.load('<!doctype html><label>E-mail <input></label><button>Send</button><p>words</p>');
    for (const target of ['Email', 'emial', '#email', 'Email adress', 'textbox "Email"'])
      await refused(page, { target, quiet: true }, 'Nearest: textbox "E-mail"');
    await refused(page, { target: 'Send it', quiet: true }, 'Nearest: button "Send"');
  },

  // [tool.target] Framework7
  'a radio button that is not drawn is found by its role, as the snapshot tells it, where its label is drawn for it':
    async (page) => {
      const item = (name, more = '') =>
        `<li><label style="cursor:pointer;display:block"><input type="radio" name="r" style="display:none" ${more}><i></i>${name}</label>`;
      const yaml = await shown(
        page,
        `<ul>${item('Apple', 'checked')}${item('Pear')}</ul><input type="radio" style="display:none" title="Plum">`,
      );
      has(yaml, '- radio "Pear"');
      for (const target of ['radio "Pear"', 'role=radio[name="Pear"]', "getByRole('radio', { name: 'Pear' })"]) {
        const at = await page.call('actionable', { target, timeout: kPatience, callId: 1 });
        ok(at.ok, at.error);
        equal(at.ref, refOf(yaml, '"Pear"'));
      }
      await refused(page, { target: 'radio "Plum"', quiet: true }, 'Nothing on the page matches');
    },

  // [tool.target] Semi Design and Element Plus
  'a header that its controls call too is found by all that it says': async (page) => {
    const svg = '<svg width="9" height="9"><path d="M0 0h9v9z"/></svg>';
    await page.load(`<!doctype html><table><tr><th id="a"><div role="button" tabindex="0" aria-label="Current sort order is none">Age<span role="img"
      aria-label="caretup">${svg}</span></div><th id="b">Name<button aria-label="Sort by Name">${svg}</button></tr></table><ul><li>Page 1</ul>`);
    for (const [target, id] of [
      ['columnheader "Age"', 'a'],
      ['columnheader "Name"', 'b'],
    ]) {
      const at = await page.call('actionable', { target, timeout: kPatience, callId: 1 });
      ok(at.ok, at.error);
      equal(await page.main(`document.elementFromPoint(${at.x}, ${at.y}).closest('th').id`), id);
    }
    await refused(page, { target: 'columnheader "Ag"', quiet: true }, 'Nothing on the page matches');
  },
};
