// Quill: an editor of the page's own keeps its selection and its toolbar in step with what is pressed.
// Contract: [tool.type] [tool.snapshot.delta] [nav.after-action]
import { equal, has, hasNot, refOf } from '../driver.mjs';

const kTimes = 20;
const html = (d) => d.value('editor.root.innerHTML');

// Types a text into an empty editor, and gives the refs of what the cases press.
async function letter(d, text) {
  const page = await d.open('quill.html', 'window.editor');
  const editor = refOf(page, '[editable]');
  has(await d.type(editor, text), `: ${text}`, '[active]');
  return { editor, bold: refOf(page, 'button "bold"'), italic: refOf(page, 'button "italic"'), page };
}

export default {
  'the text that was typed is in the answer, and nothing else': async (d) => {
    const { page } = await letter(d, 'Hello world');
    has(page, 'toolbar', 'button "Normal"', 'button "Send"');
    equal(await html(d), '<p>Hello world</p>');
  },

  'all of it is chosen and made bold at once, 20 of 20 times': async (d) => {
    const { bold } = await letter(d, 'Hello world');
    for (let i = 0; i < kTimes; i++) {
      const on = i % 2 === 0;
      await d.key('Control+A');
      const words = await d.click(bold);
      equal(await html(d), on ? '<p><strong>Hello world</strong></p>' : '<p>Hello world</p>');
      if (on) has(words, 'button "bold" [pressed]', 'strong', 'Hello world');
      else hasNot(words, 'button "bold" [pressed]');
    }
  },

  'a word is chosen by Shift and an arrow and made italic at once, 20 of 20 times': async (d) => {
    const { italic } = await letter(d, 'Hello world');
    for (let i = 0; i < kTimes; i++) {
      const on = i % 2 === 0;
      await d.key('Control+End');
      await d.key('Control+Shift+ArrowLeft');
      const words = await d.click(italic);
      equal(await html(d), on ? '<p>Hello <em>world</em></p>' : '<p>Hello world</p>');
      if (on) has(words, 'button "italic" [pressed]', 'emphasis: world');
      equal(await d.value('editor.getSelection()'), { index: 6, length: 5 });
    }
  },

  'a key that moves the caret and a click that follows act on the same place, 20 of 20 times': async (d) => {
    const { bold } = await letter(d, 'ab');
    for (let i = 0; i < kTimes; i++) {
      await d.key('Control+A');
      await d.key(i % 2 ? 'ArrowLeft' : 'ArrowRight'); // to the start of what was chosen, or to its end
      has(await d.click(bold), 'button "bold" [pressed]');
      equal(await d.value('editor.getSelection()'), { index: i % 2 ? 0 : 2, length: 0 });
      await d.click(bold);
    }
  },

  'a heading is chosen from the menu of the toolbar': async (d) => {
    const { page } = await letter(d, 'Title');
    const menu = await d.click(refOf(page, 'button "Normal"'));
    has(menu, 'button "Normal" [expanded]', 'button "Heading 1"', 'button "Heading 2"');
    const words = await d.click(refOf(menu, 'button "Heading 1"'));
    has(words, 'heading "Title" [level=1]', /button "Heading 1" \[ref=/);
    hasNot(words, 'inert', 'button "Heading 2"');
    equal(await html(d), '<h1>Title</h1>');
  },

  'a list is made of two lines': async (d) => {
    const { editor, page } = await letter(d, 'one');
    await d.key('Enter');
    has(await d.type(editor, 'one\ntwo'), 'two');
    await d.key('Control+A');
    has(await d.click(refOf(page, 'list: bullet')), 'list', 'one', 'two', '[pressed]');
    equal(await d.value("[...document.querySelectorAll('li')].map((li) => li.textContent)"), ['one', 'two']);
  },
};
