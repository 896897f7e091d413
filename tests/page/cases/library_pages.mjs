// What pages that are made of widgets, editors, grids and calendars of many libraries have shown.
import { delta, equal, has, hasNot, kPatience, ok, plain, refOf, refused, shown } from '../expect.mjs';

const described = async (page, target) => page.call('describe', { target });

export default {
  // [tool.target]
  'a whole text may stand beside other elements, be drawn by a style, and is not looked for in what an editor hides':
    async (page) => {
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

  // [tool.select.made] [tool.actionable] a select that a widget of chips stands for, whose list calls its options treeitems
  'what a widget shows is not what its open list offers, and an option of a select out of sight is not clicked': async (
    page,
  ) => {
    const box = `<style>.w{position:relative;width:300px} .w select,#mail{position:absolute;left:0;top:0;width:100%;height:100%;opacity:0;pointer-events:none;z-index:-1}
      .g .on::after{content:" Press to select"} .g{position:absolute;background:#fff;border:1px solid;top:60px;width:300px} #ext{position:relative}</style><label for="s">Fruits</label>
      <div class="w" role="combobox" aria-haspopup="true" aria-expanded="true"><div class="inner"><select id="s" multiple hidden tabindex="-1" style="display:inline-block">
        <option selected>Pear<option>Lemon<option>Lime</select><div role="listbox"><div role="option" aria-selected="true">Pear<button>Remove Pear</button></div></div>
        <input type="search" aria-label="Fruits"></div><div class="g" role="listbox" aria-multiselectable="true"><div role="group">Sour</div><div role="treeitem" id="lemon">Lemon</div><div role="treeitem" class="on">Lime</div></div></div>`;
    await shown(page, box);
    await refused(page, { target: 'role=option[name="Lemon"]', kind: 'click' }, 'is an option of listbox "Fruits"');
    const chosen = await page.call('select', { target: '#s', values: ['Lime'], callId: 2 });
    ok(chosen.byWidget, JSON.stringify(chosen));
    equal(await page.main('s.value'), 'Pear');
    ok((await page.call('beginChoice', { target: '#s', values: ['Lime'] })).ok);
    const step = await page.call('choiceStep', { callId: 3, timeout: 5000, quiet: true });
    equal(step.step, 'pick', JSON.stringify(step));
    // What the widget shows is read in it, and no option of the select that nobody sees.
    equal((await described(page, 'text="Pear"')).tag, 'div');
    const chip =
      '<div role="option" aria-selected="true" style="display:inline-block">Lime<button>Remove Lime</button></div>';
    await page.main(
      `document.querySelector('.g :last-child').remove(); document.querySelector('.inner [role=listbox]').insertAdjacentHTML('beforeend', '${chip}')`,
    );
    const picked = await page.call('choiceStep', { callId: 4, timeout: kPatience, quiet: true });
    equal(picked.others, '"Pear"', JSON.stringify(picked));
  },

  // [tool.select.made] a widget of tags that still has the focus and its list open
  'the open list of another combobox is not the one that is chosen from': async (page) => {
    await shown(
      page,
      `<div><span role="combobox" aria-owns="tags" aria-expanded="true" aria-label="Tags"><input id="t" aria-activedescendant="t1"></span></div>
      <ul role="listbox" id="tags"><li role="option" id="t1">red<li role="option">blue</ul>
      <div role="combobox" id="city" aria-label="City" aria-expanded="false" tabindex="0">Choose</div><p id="place"></p>
      <script>document.getElementById('t').focus(); const city = document.getElementById('city');
        city.onclick = () => { place.innerHTML = '<ul role="listbox" id="cities"><li role="option">Rome<li role="option">Oslo</ul>'; city.setAttribute('aria-controls', 'cities'); city.setAttribute('aria-expanded', 'true'); };</script>`,
    );
    ok((await page.call('beginChoice', { target: '#city', values: ['Oslo'] })).ok);
    const step = () => page.call('choiceStep', { callId: 3, timeout: kPatience, quiet: true });
    equal((await step()).step, 'open');
    await page.main('city.click()');
    equal((await step()).step, 'pick');
  },

  // [tool.snapshot.labels] a label that goes to the edge of its field as that gets the focus
  'a drawn label that is all of the name of its field is told by the field, wherever it goes': async (page) => {
    const field = (
      inside,
      above,
    ) => `<div>${inside ? '<span aria-hidden="false">City*</span>' : '<span aria-hidden="true" style="opacity:0">City*</span>'}
      ${above ? '<span aria-hidden="false">City*</span>' : ''}<input id="f" aria-label="City" required></div><p>Where you live</p>`;
    const told = await plain(page, field(true, false));
    has(told, '- textbox "City" [required]');
    hasNot(told, 'City*');
    const after = await delta(
      page,
      `document.querySelector('div').innerHTML = \`${field(false, true).slice(5).replace('</div><p>Where you live</p>', '')}\``,
    );
    hasNot(after, 'City*');
    hasNot(after, 'inert now');
    has(await plain(page, '<div><span>Town</span><input aria-label="City"></div>'), 'Town');
  },

  // [tool.actionable] [tool.type] a list that stays open over the next field; an editor's box around its hidden field
  'what lies below the open list of a combobox says so at once, and a box says which field in it takes text': async (
    page,
  ) => {
    const yaml = await shown(
      page,
      `<style>body{margin:0} #l{position:absolute;top:30px;left:0;width:300px;height:200px;margin:0;background:#fff}</style>
      <span role="combobox" aria-label="Tags" aria-owns="l" aria-expanded="true" tabindex="0">red</span>
      <ul role="listbox" id="l"><li role="option">red</ul><p style="margin-top:60px"><button id="b">Next</button></p>
      <div id="box" style="margin-top:200px"><textarea aria-label="Code"></textarea><pre>let a</pre></div>`,
    );
    for (const target of ['#b', 'role=button[name="Next"]']) {
      const said = await page.call('actionable', { target, callId: 1, timeout: kPatience });
      equal(
        said.error,
        `button "Next" is covered by the open list of combobox "Tags" [ref=${refOf(yaml, 'combobox "Tags"')}]: close that first, by the key Escape.`,
      );
    }
    await refused(
      page,
      { target: '#box', kind: 'type' },
      `text can't be typed into it: type into textbox "Code" [ref=${refOf(yaml, '"Code"')}] in it.`,
    );
  },

  // [tool.snapshot.hints] items that are chosen to be dragged together
  'several items of a list that a class draws are told each, and stripes are not': async (page) => {
    const list = (word) =>
      `<style>.${word}{background:#fc8}</style><ul>${['', word, '', word].map((one, i) => `<li class="${one}">Item ${i}`).join('')}</ul>`;
    const told = await plain(page, list('sel'));
    has(told, 'listitem [class=sel]: Item 1');
    has(told, 'listitem [class=sel]: Item 3');
    hasNot(told, 'class=sel]: Item 0');
    has(await delta(page, "document.querySelectorAll('li')[2].className = 'sel'"), 'listitem [class=sel]: Item 2');
    hasNot(await plain(page, list('odd')), 'class=');
  },

  // [tool.actionable] sliders before their inputs, and after them; tags between a hidden field and the one that is typed into
  'a hidden control names the widget that stands for it, on whichever side that is': async (page) => {
    const slider = (name) =>
      `<div><span role="slider" tabindex="0" aria-label="${name}" aria-valuenow="3">o</span></div>`;
    const input = (id) => `<input id="${id}" tabindex="-1" style="display:none">`;
    const named = async (html, pairs) => {
      await shown(page, html);
      for (const [id, name] of pairs)
        await refused(page, { target: `#${id}`, kind: 'type' }, `is hidden: use slider "${name}"`);
    };
    await named(`<section>${slider('Low')}${input('a')}${slider('High')}${input('b')}</section>`, [
      ['a', 'Low'],
      ['b', 'High'],
    ]);
    await named(`<section>${input('a')}${slider('Low')}${input('b')}${slider('High')}</section>`, [
      ['a', 'Low'],
      ['b', 'High'],
    ]);
    await shown(
      page,
      '<div style="position:relative"><input id="t" hidden tabindex="-1"><div role="listbox"><div role="option">one</div></div><input type="search" aria-label="Words"></div>',
    );
    await refused(page, { target: '#t', kind: 'type' }, 'is hidden: use searchbox "Words"');
  },

  // [tool.select.made] a list that is fetched as one types
  'a list that asks for something to be typed is quoted, and its field is named': async (page) => {
    await shown(
      page,
      `<div role="combobox" id="c" aria-label="City" aria-expanded="false" aria-controls="l" tabindex="0">Choose</div><p id="at"></p>
      <script>c.onclick = () => { c.setAttribute('aria-expanded', 'true'); at.innerHTML = '<input type="search" aria-label="Find"><ul id="l" role="listbox"><li role="alert">Enter 2 or more letters</ul>'; at.firstChild.focus(); };</script>`,
    );
    ok((await page.call('beginChoice', { target: '#c', values: ['Rome'] })).ok);
    const step = () => page.call('choiceStep', { callId: 3, timeout: kPatience, quiet: true });
    equal((await step()).step, 'open');
    await page.main('c.click()');
    const said = await step();
    equal(
      said.words,
      'combobox "City" has opened, but shows no options: it says "Enter 2 or more letters". For some, type into searchbox "Find" with browser_type, and click the option that comes.',
    );
  },
};
