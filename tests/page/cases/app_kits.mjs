// What kits of widgets for applications have shown: Angular Material, DevExtreme.
import { delta, equal, has, hasNot, kPatience, ok, plain, withoutRefs } from '../expect.mjs';

export default {
  // [tool.actionable] Angular Material's paginator
  'an empty box over a control that gives fingers more room takes its press': async (page) => {
    const html = (style, more = '') =>
      `<div style="position:relative;width:90px;margin:40px">${more}<div role="combobox" tabindex="0" aria-label="Per page" aria-expanded="false" style="height:24px">5</div>
        <div id="over" style="position:absolute;inset:-12px -4px;${style}"></div></div>`;
    hasNot(await plain(page, html('cursor:pointer')), 'covered');
    await page.main('over.onclick = () => (window.opened = true); 0');
    const ready = await page.call('actionable', { target: '[role=combobox]', timeout: kPatience, callId: 1 });
    ok(ready.ok, ready.error);
    await page.click(ready.x, ready.y);
    equal(await page.main('window.opened'), true);
    for (const shade of [
      html(''),
      html('cursor:pointer;background:#0003'),
      html('cursor:pointer', '<button>More</button>'),
    ])
      has(await plain(page, shade), 'combobox "Per page" [covered]');
    has(await plain(page, html('cursor:pointer;inset:-60px')), 'combobox "Per page" [covered]');
  },

  // [tool.snapshot.quiet] Angular Material's icons, DevExtreme's calendar
  'aria-hidden text in a page that a menu or a dialog lies over stays': async (page) => {
    const html = `<style>i{display:inline-block;width:20px;overflow:hidden}</style><div><button><i aria-hidden="true">menu</i></button><p>Tools</p></div>
      <ul><li aria-hidden="true">26</li><li aria-hidden="true">27</li></ul>`;
    const over = (popup) =>
      `document.body.insertAdjacentHTML("beforeend", '<div style="position:fixed;inset:0"></div>${popup}'); 0`;
    await plain(page, html);
    await page.main(
      over('<div role="menu" style="position:fixed;top:90px"><div role="menuitem" tabindex="0">Edit</div></div>'),
    );
    equal(await delta(page), '- menu:\n  - menuitem "Edit"');
    await plain(page, html);
    await page.main(
      over('<div role="dialog" aria-modal="true" style="position:fixed;top:90px"><button>Pay</button></div>'),
    );
    await page.main('document.querySelector("div").ariaHidden = "true"; 0');
    const after = await delta(page);
    hasNot(after, 'removed');
    hasNot(after, 'menu');
    await plain(page, html);
    await page.main(
      over(
        '<div role="dialog" aria-modal="true" style="position:fixed;inset:0;background:#fff"><button>Pay</button></div>',
      ),
    );
    hasNot(await delta(page), /- button(?! "Pay")/);
  },

  // [tool.snapshot.quiet] Angular Material's badge
  'the number on a badge stays when a line beside its button says one like it': async (page) => {
    const html = (more) => `<div><button aria-label="Messages"><b aria-hidden="true">3</b></button>${more}</div>`;
    has(await plain(page, html('<p>3/20</p>')), 'button "Messages": "3"');
    has(await plain(page, html('')), 'button "Messages": "3"');
    hasNot(await plain(page, '<button aria-label="Messages 3"><b aria-hidden="true">3</b></button>'), ': "3"');
  },

  // [tool.snapshot.hidden] DevExtreme's lists
  'what a style draws before a text in no colour is no text': async (page) => {
    const html = (style) =>
      `<style>p::before{content:"_";display:inline-block;width:0;${style}}</style><ul role="listbox"><li role="option"><p>New</p></ul>`;
    has(await plain(page, html('color:transparent')), '- option "New"');
    has(await plain(page, html('opacity:0')), '- option "New"');
    has(await plain(page, html('')), '- option "_ New"');
    has(await plain(page, html('color:transparent;text-shadow:0 0 0 red')), '- option "_ New"');
  },

  // [tool.snapshot.icons] Angular Material's radio buttons, sliders and ripples
  'a shape that draws a part of a field has no line beside it': async (page) => {
    const html = (field) =>
      `<style>.box{position:relative;width:34px;height:34px}.dot{position:absolute;border-radius:50%;width:20px;height:20px;background:#25c;left:7px;top:7px}</style>
      <div><div class="box"><input ${field}><div class="dot"></div><div class="dot"></div></div><label for="f">Free</label></div>`;
    const over = 'style="position:absolute;inset:0;width:34px;height:34px;margin:0;opacity:0"';
    for (const type of ['radio', 'checkbox', 'range'])
      hasNot(await plain(page, html(`type="${type}" id="f" ${over}`)), 'looks=');
    has(await plain(page, html('type="radio" id="f" style="position:absolute;left:200px"')), '[looks=blue circle x2]');
  },

  // [tool.snapshot.hints] Angular Material's headers, DevExtreme's cells
  'a class that says how a header would be sorted, or that a cell takes no focus, is no state': async (page) => {
    const yaml = await plain(
      page,
      `<table><tr><th aria-sort="none"><div role="button" tabindex="0" class="sort-header-ascending">Name</div>
        <th class="cell-focus-disabled" tabindex="0">Id<tr><td tabindex="0" class="cell-focus-disabled">A<td tabindex="0" class="cell-disabled">1</table>`,
    );
    hasNot(yaml, /ascending|focus-disabled/);
    has(yaml, '[class=cell-disabled]');
  },

  // DevExtreme's dialogs
  'what an animation scales up from nothing belongs to the answer': async (page) => {
    const motionOf = async (keyframes) => {
      await page.load('<!doctype html><div id="d" style="position:fixed;width:200px"><p>Delete it?</div>');
      await page.call('frames', { n: 1 });
      await page.call('watchAction', {});
      await page.main(`d.animate(${keyframes}, 600000); 0`);
      return (await page.call('frames', { n: 1 })).motion > 0;
    };
    equal(await motionOf('{ transform: ["translate(5px, 5px) scale(0)", "translate(5px, 5px) scale(1)"] }'), true);
    equal(await motionOf('{ scale: ["1", "0.2"] }'), true);
    equal(await motionOf('{ transform: ["scale(0.9)", "none"] }'), false);
    equal(await motionOf('{ transform: ["matrix(0, 0, 0, 0, 0, 0)", "none"] }'), true);
    equal(await motionOf('{ transform: ["matrix(0, 1, -1, 0, 0, 0)", "none"] }'), false); // a quarter turn
    equal(await motionOf('{ transform: ["rotate(5deg)", "none"] }'), false);
    // So does what slides in from outside by another property.
    equal(await motionOf('{ left: ["-200px", "0px"] }'), true);
    equal(await motionOf('{ right: ["-100%", "0%"] }'), true);
    equal(await motionOf('{ translate: ["-100% 0px", "none"] }'), true);
    equal(await motionOf('{ marginLeft: ["-150px", "0px"] }'), true);
    equal(await motionOf('{ left: ["0px", "3px"], top: ["2px", "0px"] }'), false);
    equal(await motionOf('{ color: ["red", "blue"] }'), false);
  },

  // [tool.snapshot.brief] Angular Material's calendar
  "a grid's cell that holds one control alone is that one's line": async (page) => {
    const yaml = await plain(
      page,
      `<table role="grid"><tr><td role="gridcell"><button aria-label="May 1">1</button><td role="gridcell" class="is-selected"><button aria-label="May 2">2</button>
        <td role="gridcell" tabindex="0"><button aria-label="May 3">3</button></table>`,
    );
    has(
      yaml,
      '- row:\n    - button "May 1"\n    - button "May 2" [class=is-selected]\n    - gridcell:\n      - button "May 3"',
    );
  },

  // [tool.snapshot.labels] Angular Material's select
  'a label that a widget beside it is named by is no line': async (page) => {
    const html = (label) =>
      `<form><div><label id="l">${label}</label><div role="combobox" aria-labelledby="l" tabindex="0">Peru</div></div></form>`;
    equal(await plain(page, html('Country')), '- form:\n  - combobox "Country": Peru');
    has(
      await plain(page, '<form><div role="combobox" tabindex="0">Peru</div><label id="x">Country</label></form>'),
      'text: Country',
    );
  },

  // [tool.snapshot.hints] Angular Material's fields, DevExtreme's cells, Bootstrap's groups
  'a field in a box that says by its class that it is wrong tells that': async (page) => {
    const field = (name, more = '') =>
      `<div class="field"><div><div><input aria-label="${name}" ${more}></div></div></div>`;
    hasNot(
      await plain(
        page,
        `<form class="ng-invalid">${field('A')}${field('B', 'aria-invalid="false"')}${field('C')}</form>`,
      ),
      'class=',
    );
    await page.main('for (const box of document.querySelectorAll(".field")) box.classList.add("field-invalid"); 0');
    const after = await delta(page);
    has(after, 'textbox "A" [class=field-invalid]');
    has(after, 'textbox "C" [class=field-invalid]');
    hasNot(after, '"B"');
    await page.main('for (const box of document.querySelectorAll(".field")) box.classList.remove("field-invalid"); 0');
    has(await delta(page), /textbox "A"$/m);
    await page.main('document.querySelector(".field").className = "cell-validation-fail"; 0'); // Tabulator
    has(await delta(page), 'textbox "A" [class=cell-validation-fail]');
    await page.main('document.querySelector(".field, form > div").className = "field"; 0');
    await page.yaml({ mode: 'delta' });
    await page.main('document.querySelector("form").className = "has-error"; 0');
    has(await delta(page), 'no changes');
  },

  // [tool.snapshot.hidden] DevExtreme's switches
  'of the words of a switch those are told that its box shows': async (page) => {
    const html = (words) =>
      `<style>.box{overflow:hidden;width:50px}.in{display:flex;width:100px;transform:translateX(-50px)}.in span{width:50px}</style>
      <div role="switch" id="s" tabindex="0" aria-label="Live" aria-checked="false"><div class="box"><div class="in" id="in">${words}</div></div></div>`;
    equal(await plain(page, html('<span>ON</span><span>OFF</span>')), '- switch "Live": "OFF"');
    await page.main('document.querySelector(".in").style.transform = "none"; s.ariaChecked = "true"; 0');
    equal(await delta(page), '- switch "Live" [checked]: "ON"');
  },

  // [tool.snapshot] DevExtreme's grid
  'a snapshot of one element shows what that owns': async (page) => {
    await page.load(
      `<!doctype html><div role="grid" aria-label="G" id="g" aria-owns="h"><div role="row"><div role="gridcell">1</div></div></div>
      <div id="h"><div role="row"><div role="columnheader">Id</div></div></div><p>More`,
    );
    const yaml = withoutRefs(await page.yaml({ target: '#g' }));
    has(yaml, 'gridcell "1"');
    has(yaml, 'columnheader "Id"');
    hasNot(yaml, 'More');
  },

  // [tool.snapshot] DevExtreme's fields
  'a placeholder that a style draws over its field is told once': async (page) => {
    const html = (text) =>
      `<style>p::before{content:attr(data-hint)}</style><form><input aria-label="Find" placeholder="Search..."><p data-hint="${text}"></p></form>`;
    equal(await plain(page, html('Search...')), '- form:\n  - textbox "Find":\n    - /placeholder: Search...');
    has(await plain(page, html('No results')), 'No results');
  },

  // [tool.snapshot.brief] TDesign's checkboxes
  'the label that has the focus for the box in it is no line of its own': async (page) => {
    const box = `<label tabindex="0"><input type="checkbox" tabindex="-1"><span></span><span> Milk</span></label>`;
    equal(await plain(page, box), '- checkbox "Milk"');
    has(await plain(page, `${box.replace('</label>', '<button>?</button></label>')}`), 'button "?"');
    has(await delta(page, `document.querySelector('label').focus()`), '[active]');
  },
};
