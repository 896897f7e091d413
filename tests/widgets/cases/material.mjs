// Material Web: controls in shadow roots, labels of the page around them, roles by ElementInternals.
// Contract: [tool.snapshot.labels] [tool.snapshot.asked] [tool.type] [tool.snapshot.delta] [tool.actionable]
import { equal, has, hasNot, refOf } from '../driver.mjs';

const kReady =
  "customElements.get('md-dialog') && document.querySelector('md-slider').shadowRoot && document.fonts.status === 'loaded'";
const open = (d) => d.open('material.html', kReady);
const valueOf = (d, id, property = 'value') => d.value(`document.getElementById('${id}').${property}`);

export default {
  'the controls have their names, also those that a label outside of them gives': async (d) => {
    const page = await open(d);
    has(page, 'textbox "Name"', 'textbox "Mail" [required]', 'combobox "Size"', 'slider "Volume"');
    has(page, 'checkbox "Newsletter"', 'switch "Dark mode"', 'button "Save"', 'button "Delete" [disabled]');
    hasNot(page, '[class=handle]', '[id=input]', /combobox "Size" \[ref=e\d+\]: Size/);
  },

  'a field is typed into by its custom element, and by its line': async (d) => {
    const page = await open(d);
    has(await d.type('#mail', 'ann@example.org'), /textbox "Mail" .*\[active\].*: ann@example\.org/);
    equal(await valueOf(d, 'mail'), 'ann@example.org');
    has(await d.type(refOf(page, 'textbox "Name"'), 'Bob'), /textbox "Name" .*\[active\].*: Bob/);
    equal(await valueOf(d, 'name'), 'Bob');
  },

  'an option is chosen from the open list': async (d) => {
    const page = await open(d);
    const list = await d.click(refOf(page, 'combobox "Size"'));
    has(list, 'combobox "Size" [expanded]', 'listbox "Size"', 'option "Small"', 'option "Medium"', 'option "Large"');
    const words = await d.click(refOf(list, 'option "Medium"'));
    has(words, /combobox "Size" [^\n]*: Medium/);
    hasNot(words, 'inert', 'option "Large" [ref');
    equal(await valueOf(d, 'size'), 'm');
  },

  'a checkbox, a switch and a slider tell their states': async (d) => {
    const page = await open(d);
    has(await d.click(refOf(page, 'checkbox "Newsletter"')), 'checkbox "Newsletter" [checked]');
    has(await d.click(refOf(page, 'switch "Dark mode"')), 'switch "Dark mode" [checked]');
    await d.click(refOf(page, 'slider "Volume"'));
    const volume = Number(await valueOf(d, 'volume')) + 1;
    has(await d.key('ArrowRight'), `slider "Volume" [active]`, `: "${volume}"`);
    equal([await valueOf(d, 'news', 'checked'), await valueOf(d, 'dark', 'selected')], [true, true]);
    equal(await valueOf(d, 'volume'), volume);
  },

  'a dialog comes, and goes with its own button': async (d) => {
    const page = await open(d);
    const dialog = await d.click(refOf(page, 'button "Save"'));
    has(dialog, 'dialog "Saved"', 'All is saved.', 'button "Close"');
    const words = await d.click(refOf(dialog, 'button "Close"'));
    has(words, 'removed: dialog "Saved"');
    equal(await valueOf(d, 'dialog', 'open'), false);
  },

  'an item is taken from a menu': async (d) => {
    const page = await open(d);
    const menu = await d.click(refOf(page, 'button "More"'));
    has(menu, '- menu [ref=', 'menuitem "Export"', 'menuitem "Import"');
    const words = await d.click(refOf(menu, 'menuitem "Export"'));
    has(words, 'menu: Export');
    // The page's own console warns of the attribute in words.
    hasNot(words.split('### Events')[0], 'inert', 'menuitem "Import" [ref');
  },

  'a tab is changed, and its panel is shown': async (d) => {
    const page = await open(d);
    has(page, 'tablist "Sections"', 'tab "Profile" [selected]');
    const words = await d.click(refOf(page, 'tab "Billing"'));
    has(words, 'tab "Billing" [selected]', 'tabpanel "Billing"', 'No invoices', 'removed: tabpanel "Profile"');
    equal(await valueOf(d, 'billing', 'hidden'), false);
  },

  'a radio button is chosen': async (d) => {
    const page = await open(d);
    has(page, 'radio "Free" [checked]');
    const words = await d.click(refOf(page, 'radio "Paid"'));
    has(words, 'radio "Paid" [checked]');
    hasNot(words, 'radio "Free" [checked]');
    equal(await valueOf(d, 'paid', 'checked'), true);
  },
};
