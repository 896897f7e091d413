// choices.js: a widget around a hidden select that it writes to but doesn't watch, and one around a text field.
// Contract: [tool.select.unseen] [tool.snapshot.labels] [tool.snapshot.hidden-controls] [tool.snapshot.hidden]
import { equal, has, hasNot, refOf } from '../driver.mjs';

const open = (d) => d.open('choices.html', 'window.guests');
const city = (d) => d.value("document.getElementById('city').value");

export default {
  'labels stay, and what was chosen is shown': async (d) => {
    const page = await open(d);
    has(page, 'text: City', 'text: Extras', 'text: Guests', 'option "Berlin" [selected]', 'Ann', 'Bob');
    hasNot(page, '[invisible]', 'Lisbon', 'Breakfast', /button "Remove.*\[hidden text\]/);
  },

  'an option is chosen from the open list': async (d) => {
    const page = await open(d);
    const list = await d.click(refOf(page, 'option "Berlin"'));
    has(list, '[expanded]', 'listbox', 'option "Lisbon"', 'option "Paris"', 'searchbox');
    const words = await d.click(refOf(list, 'option "Lisbon"'));
    has(words, 'option "Lisbon" [selected]', 'City: lis');
    hasNot(words, 'option "Paris" [ref');
    equal(await city(d), 'lis');
  },

  'the list is searched by typing, and Enter takes what was found': async (d) => {
    const page = await open(d);
    const list = await d.click(refOf(page, 'option "Berlin"'));
    const found = await d.type(refOf(list, 'searchbox "City"'), 'par');
    has(found, 'Paris');
    has(await d.key('Enter'), 'option "Paris" [selected]', 'City: par');
    equal(await city(d), 'par');
  },

  'several are chosen one after the other, and one is taken away': async (d) => {
    const page = await open(d);
    const list = await d.click(refOf(page, 'searchbox "Extras"'));
    has(list, 'option "Wifi', 'option "Breakfast', 'option "Parking');
    has(await d.click(refOf(list, 'option "Breakfast')), /Remove item: Breakfast" \[ref/);
    equal(await d.value('extras.getValue(true)'), ['meal']);
    const gone = await d.click('role=button[name="Remove item: Breakfast"]');
    has(gone, /removed: .*Remove item: Breakfast/);
    equal(await d.value('extras.getValue(true)'), []);
  },

  'a widget that does not follow its select is worked by clicks': async (d) => {
    await open(d);
    const words = await d.select('#city', 'Paris');
    has(words, 'selected "Paris"', /option "Paris" \[selected\]/);
    // What the page shows and what it holds are the same.
    equal([await city(d), await d.value('city.getValue(true)')], ['par', 'par']);
    has(await d.select('#extras', 'meal', 'Parking'), 'selected "Breakfast');
    equal((await d.value('extras.getValue(true)')).sort(), ['meal', 'park']);
  },

  'a text field of tags takes one more': async (d) => {
    const page = await open(d);
    await d.type(refOf(page, 'searchbox "Guests"'), 'Eve');
    has(await d.key('Enter'), 'Eve');
    equal(await d.value('guests.getValue(true)'), ['Ann', 'Bob', 'Eve']);
  },
};
