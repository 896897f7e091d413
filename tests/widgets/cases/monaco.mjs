// Monaco: its code is aria-hidden, its text box has no size, and it takes its input by a textarea or by EditContext.
// Contract: [tool.snapshot.quiet] [tool.target.covered] [tool.type] [tool.snapshot.delta]
import { equal, has, hasNot, refOf } from '../driver.mjs';

const kCode = 'function add(a, b) {\n  return a + b;\n}';
const code = (d) => d.value('editor.getValue()');

// Both ways of input, as {name of a case: how to run it}.
const bothWays = (cases) =>
  Object.fromEntries(
    Object.entries(cases).flatMap(([name, run]) => [
      [`${name}, by a textarea`, (d) => run(d, 'monaco.html')],
      [`${name}, by EditContext`, (d) => run(d, 'monaco.html?edit-context')],
    ]),
  );
const open = (d, page) => d.open(page, "window.editor && document.querySelectorAll('.view-line').length === 3");

export default bothWays({
  'the code can be read': async (d, page) => {
    const words = await open(d, page);
    has(words, 'function add(a, b) {', 'return a + b;', 'textbox "Editor content"', 'button "Run"');
    has(await d.call('browser_find', { text: 'return a' }), 'return a + b;');
  },

  'keys go to the end of the code, and the answer shows what they do': async (d, page) => {
    await open(d, page);
    await d.click('text=return');
    await d.key('Control+End');
    has(await d.key('Enter'), 'text: "4"');
    await d.key('/');
    const words = await d.key('/');
    has(words, '//');
    hasNot(words, 'removed: text "function', 'removed: text "return');
    equal(await code(d), `${kCode}\n//`);
    has(await d.snapshot(), 'function add(a, b) {', 'return a + b;', '//');
    has(await d.click('role=button[name="Run"]'), 'ran 4 lines');
  },

  'the whole code is replaced at once': async (d, page) => {
    const box = refOf(await open(d, page), 'textbox "Editor content"');
    await d.click('text=return');
    await d.key('Control+A');
    await d.key('Delete');
    equal(await code(d), '');
    const words = await d.type(box, 'let x = 1;');
    has(words, 'let x = 1;');
    equal(await code(d), 'let x = 1;');
    hasNot(await d.snapshot(), 'function add');
  },
});
