// Contract: [tool.select.made]
import { begin, equal, has, kPatience, next, ok, same } from '../expect.mjs';

const kOptions =
  '<div role="option" data-value="s">Small</div><div role="option" aria-disabled="true">Huge</div><div role="option" aria-selected="true">Large</div>';

export default {
  'a choice goes step by step, and says what to click': async (page) => {
    await page.load(`<!doctype html><button id="b" aria-haspopup="listbox" aria-label="Size">x</button>
      <div id="l" role="listbox" hidden>${kOptions}</div>`);
    const ready = await page.call('actionable', { target: '#b', kind: 'select', timeout: kPatience, callId: 1 });
    same([ready.ok, ready.unplaced, ready.made], [true, true, true]);
    equal((await begin(page, '#b', 's')).describe, 'button "Size"');
    equal((await next(page)).step, 'open');
    equal((await page.call('describe', { target: 'bridle:pointed' })).describe, 'button "Size"');
    const coming = next(page);
    await page.main('b.ariaExpanded = true; l.hidden = false');
    const pick = await coming;
    same([pick.step, pick.label], ['pick', 'Small']);
    equal((await page.call('describe', { target: 'bridle:pointed' })).describe, 'option "Small"');
    equal((await page.call('choiceClosed', { timeout: 1, callId: 1 })).closed, false);
    await page.main('b.ariaExpanded = false; l.hidden = true');
    const done = await next(page);
    same([done.step, done.chosen, done.changed, done.unsure], ['done', '"Small"', true, false]);
    equal((await page.call('choiceClosed', { timeout: 1, callId: 1 })).closed, true);
  },

  'a list in its widget is that of the widget, though another one names its own by the same id': async (page) => {
    const widget = (name, more) => `<div role="combobox" aria-owns="list-null" tabindex="0" ${more}>
      <input aria-label="${name}"><ul id="list-null" role="listbox" hidden><li role="option">Red</li></ul></div>`;
    await page.load(`<!doctype html>${widget('Tag', '')}${widget('Color', 'id="c"')}`);
    await begin(page, '#c', 'Red');
    equal((await next(page)).step, 'open');
    const coming = next(page);
    await page.main("c.querySelector('ul').hidden = false");
    same([(await coming).step, (await coming).label], ['pick', 'Red']);
  },

  'what is written below a list that is still empty is none of its options': async (page) => {
    for (const beside of ['<p id="o"></p>', '<p>Ripe ones only.</p>']) {
      await page.load(
        `<!doctype html><input id="c" role="combobox" aria-label="Fruit" aria-controls="l"><ul id="l" role="listbox" hidden></ul>${beside}`,
      );
      await begin(page, '#c', 'Banana');
      equal((await next(page)).step, 'open');
      await page.main('c.ariaExpanded = true; l.hidden = false');
      const empty = await page.call('choiceStep', { timeout: 1, callId: 1, quiet: true, last: true });
      has(empty.words, 'combobox "Fruit" shows no options');
      await begin(page, '#c', 'Banana');
      const coming = next(page);
      await page.main('l.innerHTML = "<li role=option>Apple</li><li role=option>Banana</li>"');
      same([(await coming).step, (await coming).label], ['pick', 'Banana']);
    }
  },

  'a listbox that stands there: as it was, disabled, missing': async (page) => {
    await page.load(`<!doctype html><div id="l" role="listbox" aria-label="Size">${kOptions}</div>`);
    await begin(page, '#l', 'large');
    const same1 = await next(page);
    same([same1.step, same1.chosen, same1.changed], ['done', '"Large"', false]);
    await begin(page, '#l', 'Huge');
    has(
      (await next(page)).words,
      'The option "Huge" of listbox "Size" is disabled. It has: "Small" (value "s"), "Huge" (disabled)',
    );
    await begin(page, '#l', 'Tiny');
    has((await next(page)).words, 'has no option "Tiny". It has:');
    await begin(page, '#l', 'Small', 'Large');
    has((await next(page)).words, 'takes one value, not 2');
  },

  // Dojo's selects
  'a listbox that opens another one holds but what is chosen': async (page) => {
    await page.load(`<!doctype html><table id="w" role="listbox" aria-haspopup="true" aria-expanded="false" aria-label="Size" tabindex="0"><tr><td><span role="option" aria-selected="true">Large</span></table>
      <div id="l" hidden><table role="listbox">${kOptions.replaceAll('div', 'tr').replaceAll(/>(\w+)</g, '><td>$1<')}</table></div>`);
    await begin(page, '#w', 'Small');
    equal((await next(page)).step, 'open');
    const coming = next(page);
    await page.main('w.ariaExpanded = true; l.hidden = false');
    const pick = await coming;
    same([pick.step, pick.label], ['pick', 'Small']);
  },

  'which widget a target means': async (page) => {
    await page.load(`<!doctype html><label id="a">A <input role="combobox" aria-label="City"></label>
      <div id="w"><span><span role="combobox" tabindex="0" aria-label="Food"><i id="part">x</i></span></span></div>
      <div role="combobox" id="cal" aria-haspopup="dialog" aria-label="Date">d</div><p id="p">text</p>`);
    const meant = async (target) => {
      const r = await begin(page, target, 'x');
      return r.ok ? r.describe : r.error;
    };
    equal(await meant('#a'), 'combobox "City"');
    equal(await meant('#w'), 'combobox "Food"');
    equal(await meant('#part'), 'combobox "Food"');
    has(await meant('#cal'), 'not a <select>, combobox or listbox');
    has(await meant('#p'), 'not a <select>, combobox or listbox');
    has(await meant('body'), 'not a <select>, combobox or listbox');
  },

  'options that are drawn beside a list without a size': async (page) => {
    await page.load(`<!doctype html><input id="c" role="combobox" aria-label="City" aria-expanded="true" aria-controls="l">
      <div><div id="l" role="listbox" style="width:0;height:0;overflow:hidden"><div role="option">Rome</div></div>
      <div><div><div class="x-option" id="rome">Rome</div><div class="x-option x-option-disabled">Oslo</div></div></div></div>`);
    await begin(page, '#c', 'Rome');
    equal((await next(page)).step, 'pick');
    equal((await page.call('locate', { target: 'bridle:pointed' })).css, '#rome');
    await begin(page, '#c', 'Oslo');
    has((await next(page)).words, 'is disabled');
  },

  'a combobox that names a menu of boxes to check chooses several in it': async (page) => {
    await page.load(`<!doctype html><button id=b role=combobox aria-label=Colours aria-expanded=true aria-controls=m>Some</button>
      <div id=m role=menu><div id=red role=menuitemcheckbox aria-checked=true>Red</div><div id=blue role=menuitemcheckbox
      aria-checked=false onclick="this.ariaChecked = true">Blue</div><div role=menuitem>Manage colours</div></div>`);
    await begin(page, '#b', 'Red', 'Blue');
    const pick = await next(page);
    same([pick.step, pick.label], ['pick', 'Blue']);
    equal((await page.call('locate', { target: 'bridle:pointed' })).css, '#blue');
    await page.main('blue.click()');
    const done = await next(page);
    same([done.step, done.chosen], ['done', '"Red", "Blue"']);
    await begin(page, '#b', 'Manage colours');
    has((await next(page)).words, 'has no option "Manage colours". It has: "Red", "Blue".');
  },

  'a list that is drawn no more is closed, whatever is drawn around it': async (page) => {
    await page.load(`<!doctype html><div style="height:100px"><button id=b aria-haspopup=listbox aria-label=Size>x</button>
      <div id=d hidden><div role=listbox>${kOptions}</div></div></div>`);
    await begin(page, '#b', 's');
    equal((await next(page)).step, 'open');
    const coming = next(page);
    await page.main('d.hidden = false');
    equal((await coming).step, 'pick');
    await page.main('d.hidden = true');
    equal((await page.call('choiceClosed', { timeout: 1, callId: 1 })).closed, true);
  },

  'a choice that waits can be cancelled, and leaves nothing behind': async (page) => {
    await page.load('<!doctype html><div id="c" role="combobox" aria-expanded="true" aria-label="Size">x</div>');
    await begin(page, '#c', 'x');
    const waiting = next(page);
    await page.call('cancel', { callId: 1 });
    equal((await waiting).cancelled, true);
    equal((await page.call('stats')).pollers, 0);
    ok((await next(page, { last: true })).words.includes('shows no options'));
  },

  // EUI's combo box, SurveyJS's tag box
  'what tells readers alone what is chosen is nothing else that is chosen, and a box of tags takes several': async (
    page,
  ) => {
    await page.load(`<!doctype html><div class="sd-tagbox"><span id="chips"></span><input id="c" role="combobox" aria-label="Cities" aria-controls="l" aria-expanded="false">
      <p style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">Combo box. Press Down.</p></div>
      <ul id="l" role="listbox" hidden><li role="option">Rome<li role="option">Oslo<li role="option">Bern</ul>`);
    await begin(page, '#c', 'Rome', 'Oslo');
    equal((await next(page)).step, 'open');
    const coming = next(page);
    await page.main(`c.ariaExpanded = 'true'; l.hidden = false`);
    const rome = await coming;
    same([rome.step, rome.label], ['pick', 'Rome'], rome.words);
    const take = `chips.insertAdjacentHTML('beforeend', '<div>' + l.firstChild.textContent.trim() + '</div>'); l.firstChild.remove()`;
    await page.main(take);
    same([(await next(page)).label], ['Oslo']);
    await page.main(take);
    const done = await next(page);
    same([done.step, done.chosen, done.others], ['done', '"Rome", "Oslo"', '']);
  },

  // [tool.select.suggestions]
  'a suggestion of a field is put into it, and one that is none is told with those that are': async (page) => {
    await page.load(`<!doctype html><label>Fruit <input id="f" list="l" oninput="document.title += 'i'" onchange="document.title += 'c'"></label>
      <datalist id="l"><option value="Apple"><option value="pear-1">Pear</datalist><input id="none" list="gone" aria-label="None">`);
    const ready = await page.call('actionable', { target: '#f', kind: 'select', timeout: kPatience, callId: 1 });
    same([ready.ok, ready.made], [true, false]);
    const done = await page.call('select', { target: '#f', values: ['Pear'] });
    same([done.changed, done.selected], [true, [{ label: 'Pear', value: 'pear-1' }]]);
    equal(await page.main('f.value + document.title'), 'pear-1ic');
    equal((await page.call('select', { target: '#f', values: ['pear-1'] })).changed, false);
    const wrong = await page.call('select', { target: '#f', values: ['Plum'] });
    has(wrong.error, 'has no suggestion "Plum". It suggests: "Apple", "Pear" (value "pear-1")');
    await page.main('f.readOnly = true');
    has((await page.call('select', { target: '#f', values: ['Apple'] })).error, 'is read-only');
    const none = await page.call('actionable', { target: '#none', kind: 'select', timeout: kPatience, callId: 1 });
    has(none.error, 'is not a <select>');
  },
};
