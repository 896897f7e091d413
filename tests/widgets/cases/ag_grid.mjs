// AG Grid: a grid that draws only the rows in view, filters after a pause, and edits a cell in place.
// Contract: [tool.snapshot] [tool.snapshot.delta] [nav.after-action.timers] [tool.type] [tool.wait-for]
import { equal, has, hasNot, refOf } from '../driver.mjs';

const open = (d) => d.open('ag-grid.html', "document.querySelectorAll('.ag-row').length > 5");

export default {
  'the grid can be read, and its guards of the focus are no lines': async (d) => {
    const page = await open(d);
    has(page, 'columnheader "Make"', 'gridcell "Toyota"', 'gridcell "Model 0"', '1 to 20 of 500');
    has(page, 'textbox "Make Filter Input"', 'button "Next Page"', /checkbox "checked" \[checked\]/);
    hasNot(page, /- generic \[ref=e\d+\]$/m, /gridcell.*\[hidden text\]/);
  },

  'a column is filtered: the answer says what is still to come, the wait brings it': async (d) => {
    const page = await open(d);
    const typed = await d.type(refOf(page, 'textbox "Make Filter Input"'), 'Fiat');
    has(typed, /textbox "Make Filter Input" \[active\] \[ref=e\d+\]: Fiat/, /Pending: .*timers? of .*\d+ ms/);
    // The words of how many there are stand there before the rows, which the grid draws piece by piece.
    await d.until(
      "[...document.querySelectorAll('.ag-row [col-id=make]')].every((cell) => cell.textContent === 'Fiat')",
    );
    has(await d.waitFor('1 to 20 of 100'), 'gridcell "Fiat"');
    const now = await d.snapshot();
    has(now, '1 to 20 of 100', 'gridcell "Model 3"');
    hasNot(now, 'gridcell "Toyota"');
    equal(await d.value('grid.getDisplayedRowCount()'), 100);
  },

  'a cell is edited by a double click, typing and Enter': async (d) => {
    const page = await open(d);
    const editing = await d.click(refOf(page, 'gridcell "Model 2"'), { clickCount: 2 });
    has(editing, /textbox "Input Editor" \[active\] \[ref=e\d+\]: Model 2/);
    has(await d.type(refOf(editing, 'textbox "Input Editor"'), 'Carrera'), ': Carrera');
    const words = await d.key('Enter');
    has(words, 'gridcell "Carrera"', 'edited: Carrera', 'removed: textbox "Input Editor"');
    equal(await d.value('rowData[2].model'), 'Carrera');
  },

  'a column is sorted by its header': async (d) => {
    const page = await open(d);
    const price = refOf(page, 'columnheader "Price"');
    await d.click(price);
    await d.click(price);
    await d.until("document.querySelector('.ag-row[row-index=\"0\"] [col-id=price]').textContent === '14990'");
    has(await d.snapshot(), 'gridcell "14990"', 'columnheader "Price"');
    equal(await d.value("grid.getColumnState().find((one) => one.colId === 'price').sort"), 'desc');
  },

  'the next page is shown': async (d) => {
    const page = await open(d);
    const words = await d.click(refOf(page, 'button "Next Page"'));
    has(words, '21 to 40 of 500', 'gridcell "Model 20"', 'button "Previous Page"');
    equal(await d.value('grid.paginationGetCurrentPage()'), 1);
  },

  'an option of its own list is chosen': async (d) => {
    const page = await open(d);
    const list = await d.click(refOf(page, 'combobox "Page Size"'));
    has(list, 'listbox', 'option "50"', 'option "100"', '[expanded]');
    const words = await d.click(refOf(list, 'option "50"'));
    has(words, '1 to 50 of 500');
    equal(await d.value('grid.paginationGetPageSize()'), 50);
  },
};
