// What server applications write that no fixture had yet: names, labels and icons as their kits draw them.
import { equal, has, hasNot, ok, shown } from '../expect.mjs';

const found = (page, target) => page.call('actionable', { target, timeout: 50, callId: 1 });

export default {
  // OpenCart, and any page with Font Awesome 6 or 7 [tool.snapshot.icons]
  'an icon is told by what it shows, not by the set that it is of': async (page) => {
    const style =
      '<style>i::before { content: "\\f00c"; font-family: icons } i { display: inline-block; width: 16px; height: 16px }</style>';
    const yaml = await shown(
      page,
      `${style}<table><tr><td>ZIP<td><i class="fa-solid fa-circle-xmark"></i><tr><td>GD<td><i class="fa-brands fa-php"></i>
      <tr><td>Star<td><i class="fa-regular fa-star"></i><tr><td>Moon<td><i class="fa-sharp fa-thin fa-moon"></i></table>`,
    );
    has(yaml, 'cell [icon=fa-circle-xmark]');
    has(yaml, 'cell [icon=fa-php]');
    has(yaml, 'cell [icon=fa-star outline]');
    has(yaml, 'cell [icon=fa-moon]');
  },

  // MyBB's installation [tool.target.words]
  'a name is known without the quotes that point on or back': async (page) => {
    await shown(
      page,
      '<button id="a">\u00AB Back</button> <button id="b">Next \u00BB</button> <a href="#" id="c">More \u203A</a>',
    );
    for (const [target, id] of [
      ['Next', 'b'],
      ['button "Back"', 'a'],
      ['link "More"', 'c'],
    ]) {
      const { error, x, y } = await found(page, target);
      equal(error, undefined);
      equal(await page.main(`document.elementFromPoint(${x}, ${y}).id`), id);
    }
  },

  // Transmission's and Deluge's lists of peers [tool.target.words]
  'an address or a time is no selector gone wrong': async (page) => {
    await shown(page, '<button>127.0.0.1:58846</button><p>Start</p>');
    equal((await found(page, '127.0.0.1:58846')).error, undefined);
    for (const target of ['127.0.0.1:58847', 'localhost:8080', '12:30'])
      has((await found(page, target)).error, /^Nothing on the page matches/);
    has((await found(page, 'a:::b')).error, /^Invalid selector/);
  },

  // OpenCart's forms, Bootstrap's switches [tool.snapshot.labels]
  'a label that names no field is that of the only box to tick in what stands behind it': async (page) => {
    const yaml = await shown(
      page,
      `<div><label>Status</label><div><div class="switch"><input type="hidden" name="s"><input type="checkbox"></div></div></div>
      <div><label for="gone">Advanced</label><div><input type="checkbox" class="x"></div></div>
      <div><label>Kinds</label><div><input type="checkbox"> Own words</div></div>
      <div><label>Both</label><div><input type="checkbox"><input type="checkbox"></div></div>`,
    );
    has(yaml, 'checkbox "Status"');
    has(yaml, 'checkbox "Advanced"');
    hasNot(yaml, 'checkbox "Kinds"');
    hasNot(yaml, 'checkbox "Both"');
  },

  // Prometheus [tool.target.words]
  'a field is known by the words that its name begins with, in a line of a snapshot too, where it alone has them':
    async (page) => {
      const fields =
        '<input id="a" placeholder="Expression (press Shift+Enter for newlines)"><button>Expression tree</button>';
      await shown(page, fields);
      const { error, x, y } = await found(page, 'textbox "Expression"');
      equal(error, undefined);
      equal(await page.main(`document.elementFromPoint(${x}, ${y}).id`), 'a');
      has((await found(page, 'textbox "Expr"')).error, /^Nothing on the page matches/);
      has((await found(page, 'button "Expression"')).error, /^Nothing on the page matches/);
      await shown(page, `${fields}<input placeholder="Expression two">`);
      has((await found(page, 'textbox "Expression"')).error, /^Nothing on the page matches/);
    },

  // Dojo's selects, spinners and text boxes, as Tiny Tiny RSS has them [tool.snapshot.labels] [tool.snapshot.hidden-controls]
  'a label for an id that nothing has is that of a widget beside it, of whose sign nothing is told': async (page) => {
    const sign = (words) => `<input value="${words}" type="text" tabindex="-1" readonly role="presentation">`;
    const yaml = await shown(
      page,
      `<style>.w, .w input { cursor: pointer }</style>
      <fieldset><label for="CB_L">Language:</label><table class="w" role="listbox" tabindex="0"><tr role="presentation"><td role="presentation">
      <span role="option">English</span><td role="presentation">${sign('\u25BC ')}</table></fieldset>
      <fieldset><label for="CB_M">Most:</label><div><div>${sign('\u25B2 ')}</div><input role="spinbutton" value="24" tabindex="0"></div>
      <div><label for="CB_M"><strong>hours</strong></label></div></fieldset>`,
    );
    has(yaml, 'listbox "Language:"');
    hasNot(yaml, '\u25BC');
    has(yaml, 'spinbutton "Most:"');
    has(yaml, 'hours');
  },

  // Tomcat, and any Java server [tool.snapshot.delta.document]
  'that a link has no session in its path any more is no change': async (page) => {
    await shown(page, '<p id="p">Old</p><a href="/list;jsessionid=12AB?x=1">List</a>');
    await page.main('document.querySelector("a").href = "/list?x=1"; p.textContent = "New"');
    const now = await page.yaml({ mode: 'delta' });
    has(now, 'New');
    hasNot(now, 'List');
  },

  // Radicale's forms, osTicket's login [tool.target.words]
  'a field to type into is known by the text that it stands behind, and by some words of its name': async (page) => {
    await shown(
      page,
      `<title>Calendars</title><form>Title:<br><input id="a"><br><b>Colour</b>: <input id="b" type="text"><p>A note for others</p><textarea id="c"></textarea>
      <table><tr><td><b>Word:</b><br><span>Mind the capitals.</span><td><input id="f">
      <tr><td>Method&nbsp;(<a href="#help">?</a>)<td><input id="g"></table>
      <label>Email or username <input id="d"></label> Both <input> Both <input> <b>Press</b> <button id="e"></button></form>`,
    );
    for (const [target, id] of [
      ['Title', 'a'],
      ['Colour', 'b'],
      ['A note for others', 'c'],
      ['Username', 'd'],
      ['Word', 'f'],
      ['Method', 'g'],
    ]) {
      const { ok: isFound, error } = await page.call('fill', { target, text: id });
      equal(error, undefined, target);
      ok(isFound);
      equal(await page.main('document.activeElement.id'), id, target);
    }
    const { ok: isField } = await page.call('actionable', { target: 'Title', kind: 'field', timeout: 50, callId: 2 });
    ok(isField); // of a form
    for (const target of ['Both', 'Press', 'Colo', 'user'])
      has((await page.call('fill', { target, text: 'x' })).error, /^Nothing on the page matches/);
  },

  // Request Tracker's forms [tool.target.words]
  'a widget is known by the text that stands before the unseen field that it stands for': async (page) => {
    await shown(
      page,
      `<style>.away{position:absolute;opacity:0;width:0.5px;height:100%;padding:0;border:0}</style>
      <div><div>Cc:</div><div><input style="display:none"><div><div><input id="a"></div></div></div></div>
      <div><div>Status:</div><div><div style="position:relative"><select class=away><option>new<option>open</select>
      <button role=combobox title=new id=b>new</button></div></div></div>
      <div><div>Owner:</div><div><input> <button role=combobox title=Me>Me</button></div></div>`,
    );
    ok((await page.call('fill', { target: 'Cc', text: 'x' })).ok);
    equal(await page.main('document.activeElement.id'), 'a');
    equal(
      (await page.call('actionable', { target: 'Status', kind: 'select', timeout: 50, callId: 2 })).error,
      undefined,
    );
    const { error } = await page.call('actionable', { target: 'Owner', kind: 'select', timeout: 50, callId: 3 });
    has(error, /^Nothing on the page matches/);
  },

  // MyBB's lists, with a button above and below [tool.target.words]
  'of links of one name that lead to the same any is meant': async (page) => {
    const link = (url) => `<a href="${url}">Post a thread</a>`;
    await shown(page, `${link('/new?f=2')}<p>Threads</p>${link('/new?f=2')}`);
    equal((await found(page, 'Post a thread')).error, undefined);
    await shown(page, `${link('/new?f=2')}<p>Threads</p>${link('/new?f=3')}`);
    has((await found(page, 'Post a thread')).error, '2 controls are called');
    await shown(page, `${link('#')}<p>Threads</p>${link('#')}`);
    has((await found(page, 'Post a thread')).error, '2 controls are called');
  },
};
