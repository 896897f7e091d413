// select2: a native select that nobody sees, and a widget beside it that shows its value.
// Contract: [tool.select.unseen] [tool.snapshot.labels] [tool.snapshot.hidden-controls] [tool.target.nearest]
import { equal, has, hasNot, refOf } from '../driver.mjs';

const open = (d) => d.open('select2.html', "document.querySelector('.select2')");
const country = (d) => d.value("document.getElementById('country').value");
const tags = (d) => d.value("[...document.getElementById('tags').selectedOptions].map((o) => o.value)");

export default {
  'labels stay beside the widgets that have names or call them, and a hidden select has neither a line nor a ref':
    async (d) => {
      const page = await open(d);
      has(page, 'text: Country', 'combobox "Tags"', 'combobox "Choose a country"', 'combobox "Size"');
      hasNot(page, 'Germany', 'Atlantis', 'option "red"', /combobox "Country"|listbox "Tags"/);
    },

  'the list is opened, searched, and an option chosen by its text': async (d) => {
    const page = await open(d);
    const list = await d.click(refOf(page, 'combobox "Choose a country"'));
    has(list, '[expanded]', 'listbox', 'option "Germany"', 'option "France"', 'option "Portugal"');
    has(list, /option "Atlantis" \[disabled\]/);
    const found = await d.type(refOf(list, 'searchbox'), 'port');
    has(found, 'Portugal');
    const words = await d.click(refOf(list, 'option "Portugal"'));
    has(words, 'combobox "Portugal"', 'Shipping to pt');
    hasNot(words, 'combobox "Choose a country"');
    equal(await country(d), 'pt');
  },

  'browser_select_option takes the select, or the widget': async (d) => {
    const page = await open(d);
    const byId = await d.select('#country', 'France');
    has(byId, 'combobox "France"', 'Shipping to fr');
    hasNot(byId, '[invisible]', /combobox "Country" .*\[ref/);
    equal(await country(d), 'fr');
    const byWidget = await d.select(refOf(page, 'combobox "Choose a country"'), 'Germany');
    has(byWidget, 'combobox "Germany"', 'Shipping to de');
    equal(await country(d), 'de');
  },

  'several are chosen in a widget of tags, and taken away again': async (d) => {
    await open(d);
    const words = await d.select('#tags', 'red', 'blue');
    has(words, 'listitem "red"', 'listitem "blue"');
    equal(await tags(d), ['red', 'blue']);
    const gone = await d.click(refOf(await d.snapshot('.select2-selection--multiple'), 'button "Remove item"'));
    has(gone, new RegExp(`removed: .*\\b${refOf(words, 'listitem "red"')}\\b`), 'listitem "blue"');
    equal(await tags(d), ['blue']);
  },

  'who names the hidden select is led to the widget, at once': async (d) => {
    const page = await open(d);
    const widget = refOf(page, 'combobox "Choose a country"');
    for (const target of ['#country', 'role=combobox[name="Country"]']) {
      const words = await d.fails('browser_click', { target });
      has(words, `combobox "Choose a country" [ref=${widget}]`);
      hasNot(words, /waited \d+ ms/); // which an error says that came at the end of the call's time
    }
    // Where the words mean the widget too, that is what a person sees.
    has(await d.click("getByLabel('Country')"), `combobox "Choose a country" [expanded] [ref=${widget}]`);
    equal(await country(d), '');
  },

  'an option of a closed list is told as that': async (d) => {
    const page = await open(d);
    const words = await d.fails('browser_click', { target: 'text=France' });
    has(words, 'browser_select_option', refOf(page, 'combobox "Choose a country"'));
  },
};
