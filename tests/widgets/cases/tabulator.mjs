// Tabulator: a table whose editors appear in the cell that was clicked.
// Contract: [tool.snapshot.delta] [tool.type] [tool.snapshot.pointers]
import { equal, has, hasNot, refOf } from '../driver.mjs';

const open = (d) => d.open('tabulator.html', "document.querySelectorAll('.tabulator-row').length > 5");

export default {
  'rows are filtered by what is typed above them': async (d) => {
    const page = await open(d);
    has(page, 'columnheader "Team"', 'gridcell "Person 0"', 'searchbox');
    const words = await d.type(refOf(page, 'searchbox'), 'Person 1');
    has(words, ': Person 1', 'gridcell "Person 19"', 'removed: 29 of the 40 from before');
    equal(await d.value("table.getDataCount('active')"), 11);
    hasNot(await d.snapshot(), 'gridcell "Person 2"');
  },

  'a cell is edited by a click and typing': async (d) => {
    const page = await open(d);
    const editing = await d.click(refOf(page, 'gridcell "Person 2"'));
    has(editing, /textbox .*\[active\].*: Person 2/);
    // The editor takes what was typed with the field's change event, and Enter finds it done.
    has(await d.type(refOf(editing, 'textbox [active]'), 'Eve'), 'gridcell "Eve"', 'edited: Eve');
    equal(await d.value('table.getData()[2].name'), 'Eve');
  },

  'a cell is edited by choosing from a list': async (d) => {
    const page = await open(d);
    const list = await d.click(refOf(page, 'gridcell "Research"'));
    has(list, 'Sales', 'Support', '[active]');
    const words = await d.click('.tabulator-edit-list-item:text-is("Support")');
    has(words, 'gridcell "Support"', 'edited: Support');
    equal(await d.value('table.getData()[1].team'), 'Support');
  },

  'a column is sorted by its header': async (d) => {
    const page = await open(d);
    const age = refOf(page, 'columnheader "Age"');
    await d.click(age);
    await d.click(age);
    has(await d.snapshot(), 'gridcell "59"');
    equal(await d.value("table.getRows('active')[0].getData().age"), 59);
  },
};
