// React: MUI's lists and dialogs in portals, and a combobox of downshift's hooks.
// Contract: [tool.snapshot.delta] [tool.snapshot.quiet] [tool.type] [nav.after-action] [tool.snapshot]
import { equal, has, hasNot, refOf } from '../driver.mjs';

const open = (d) => d.open('react.html', "document.querySelector('[role=combobox]')");
// What a portal shuts off is no news, and the guards of its focus are no lines.
const tellsNoMore = (words) => hasNot(words, 'text: React', /- generic \[ref=e\d+\]( \[off-screen\])?$/m, '- moved');

export default {
  'an option is chosen from a list in a portal': async (d) => {
    const page = await open(d);
    const list = await d.click(refOf(page, 'combobox "Size"'));
    has(list, 'listbox "Size"', 'option "Small" [active]', 'option "Medium"', 'option "Large"');
    tellsNoMore(list);
    const words = await d.click(refOf(list, 'option "Medium"'));
    has(words, /combobox "Size" \[active\] \[ref=e\d+\]: Medium/);
    tellsNoMore(words);
    equal(await d.value('state.size'), 'm');
  },

  'a list that is searched shows what fits, and takes it': async (d) => {
    const page = await open(d);
    const found = await d.type(refOf(page, 'combobox "City"'), 'l');
    has(found, 'listbox "City"', 'option "Berlin"', 'option "Lisbon"', /combobox "City" \[expanded\].*: l$/m);
    hasNot(found, 'option "Madrid"');
    tellsNoMore(found);
    const words = await d.click(refOf(found, 'option "Lisbon"'));
    has(words, /combobox "City" \[active\].*: Lisbon/);
    tellsNoMore(words);
    equal(await d.value('state.city'), 'Lisbon');
  },

  'a combobox is worked with the keys alone': async (d) => {
    const page = await open(d);
    const found = await d.type(refOf(page, 'combobox "Fruit"'), 'ap');
    has(found, 'option "Apple"', 'option "Apricot"', '[expanded]');
    hasNot(found, 'option "Banana"');
    has(await d.key('ArrowDown'), 'option "Apple" [highlighted]');
    has(await d.key('ArrowDown'), 'option "Apricot" [highlighted]');
    has(await d.key('Enter'), /combobox "Fruit" \[active\].*: Apricot/);
    equal(await d.value('state.fruit'), 'Apricot');
  },

  'a dialog in a portal is confirmed': async (d) => {
    const page = await open(d);
    has(await d.click(refOf(page, 'checkbox "Notify me"')), 'checkbox "Notify me" [checked]');
    const dialog = await d.click(refOf(page, 'button "Order"'));
    has(dialog, 'dialog "Order now?"', 'This costs 5 €.', 'button "Cancel"', 'button "Confirm"');
    tellsNoMore(dialog);
    const words = await d.click(refOf(dialog, 'button "Confirm"'));
    has(words, 'alert', 'Ordered');
    tellsNoMore(words);
  },
};
