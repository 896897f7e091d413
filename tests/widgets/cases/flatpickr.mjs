// flatpickr: a calendar of plain spans below a read-only field, and one whose field is hidden behind another.
// Contract: [tool.snapshot.pointers] [tool.snapshot.hidden-controls] [tool.target.nearest] [tool.actionable]
import { equal, has, hasNot, refOf } from '../driver.mjs';

const open = (d) => d.open('flatpickr.html', 'window.alt');

export default {
  'the calendar opens with all of its days, and a day is taken': async (d) => {
    const page = await open(d);
    has(page, 'textbox "Day" [readonly]', 'text: Return', ': May 20, 2024');
    const calendar = await d.click(refOf(page, 'textbox "Day"'));
    has(
      calendar,
      'combobox "Month"',
      'option "May" [selected]',
      'spinbutton "Year"',
      '"May 1, 2024"',
      '"May 31, 2024"',
      '"June 8, 2024"',
    );
    const words = await d.click(refOf(calendar, '"May 31, 2024"'));
    has(words, ': "2024-05-31"', 'day: 2024-05-31');
    equal(await d.value('day.input.value'), '2024-05-31');
  },

  'another month is chosen, by its list and by its arrow': async (d) => {
    const page = await open(d);
    const calendar = await d.click(refOf(page, 'textbox "Day"'));
    const july = await d.select(refOf(calendar, 'combobox "Month"'), 'July');
    has(july, 'option "July" [selected]', '"July 4, 2024"');
    const august = await d.click('.flatpickr-calendar.open .flatpickr-next-month');
    has(august, 'option "August" [selected]', '"August 31, 2024"');
    has(await d.click(refOf(august, '"August 31, 2024"')), 'day: 2024-08-31');
    equal(await d.value('day.input.value'), '2024-08-31');
  },

  'who names the hidden field is led to the one that stands for it': async (d) => {
    const page = await open(d);
    const shown = refOf(page, ': May 20, 2024');
    const words = await d.fails('browser_click', { target: '#alt' });
    has(words, `[ref=${shown}]`);
    hasNot(words, 'none <input');
    const calendar = await d.click(shown);
    has(await d.click(refOf(calendar, '"May 21, 2024"')), ': May 21, 2024', 'day: 2024-05-21');
    equal(await d.value('alt.input.value'), '2024-05-21');
  },
};
