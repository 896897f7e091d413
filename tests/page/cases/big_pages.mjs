// What is left of a page that is too large to be shown whole. Contract: [tool.snapshot.outline] [tool.snapshot.cuts]
import { bigPages } from '../big_pages.mjs';
import { equal, has, hasNot, ok } from '../expect.mjs';

const kBudget = 6000;

// The page as the result of a navigation shows it.
async function outline(page, name, budgetChars = kBudget) {
  await page.load(bigPages[name]());
  page.next = 1;
  const result = await page.call('snapshot', { refStart: 1, budgetChars, wholeChars: budgetChars * 1.5 });
  ok(result.cut, name);
  ok(result.yaml.length <= budgetChars + 300, `${name}: ${result.yaml.length} of ${budgetChars}\n${result.yaml}`);
  ok(result.yaml.length >= budgetChars * 0.6, `${name}: ${result.yaml.length} of ${budgetChars}\n${result.yaml}`);
  hasNot(result.yaml, '… 1 item');
  return result.yaml;
}

const hasAll = (yaml, lines) => lines.forEach((line) => has(yaml, line));
const counted = (n, line) => Array.from({ length: n }, (_, i) => line(i));

export default {
  'a manual: its sections, the search and every region beside it': async (page) => {
    const yaml = await outline(page, 'documentation');
    hasAll(yaml, [
      'searchbox "Search the manual"',
      'navigation "Contents"',
      'complementary "On this page"',
      'contentinfo',
    ]);
    hasAll(yaml, ['link "chapter 0"', 'heading "The manual" [level=1] [ref=', 'heading "Section 40" [level=2] [ref=']);
    has(
      yaml,
      /\(cut to 6,000 of 27\d,\d00 characters; target one of the refs above, or a larger budget, shows the rest\)/,
    );
  },

  'a table of 1,000 rows: what filters it, its head, the first rows, the pages below': async (page) => {
    const yaml = await outline(page, 'table');
    hasAll(yaml, ['link "Customers"', 'textbox "Customer"', 'button "Apply"', 'columnheader "Total"', 'cell "10020"']);
    hasAll(yaml, ['link "Next"', 'link "Imprint"']);
    has(yaml, /… 9\d\d more items/);
  },

  'a list of products: filters, first products, the next page': async (page) => {
    const yaml = await outline(page, 'products');
    hasAll(yaml, ['searchbox "Search products"', 'button "Cart (0)"', 'checkbox "Value 0.0 (0)"', 'group "Facet 11"']);
    hasAll(yaml, ['combobox "Sort by"', 'link "Product 0', 'link "Next page"', 'contentinfo']);
  },

  'a thread: several posts with the beginning of their texts, and the form below': async (page) => {
    const yaml = await outline(page, 'thread');
    hasAll(yaml, ['link "Log in"', 'heading "user2"', 'textbox "Your answer"', 'button "Post"', 'link "Foot 0"']);
  },

  'a mail client: folders, actions, messages and the one that is open': async (page) => {
    const yaml = await outline(page, 'mail');
    hasAll(yaml, ['button "Compose"', 'searchbox "Search mail"', 'link "Folder 0"', 'button "Mark as read"']);
    hasAll(yaml, ['Subject 0:', 'Subject 3', 'button "Reply"', 'button "Forward"']);
  },

  '200 fields: every group, and the button that saves them': async (page) => {
    const yaml = await outline(page, 'settings');
    hasAll(yaml, [
      'textbox "Field 0.1"',
      'button "Save"',
      'button "Discard"',
      ...counted(20, (i) => `group "Group ${i}" [ref=`),
    ]);
  },

  'an application of wrappers alone: a part of each column': async (page) => {
    const yaml = await outline(page, 'wrapped');
    hasAll(yaml, ['button "New card"', 'textbox "Filter"', 'button "Help"']);
    hasAll(yaml, [...counted(6, (i) => `heading "Column ${i}"`), ...counted(6, (i) => `Card ${i}.0`)]);
  },

  'links below a small page take none of its room': async (page) => {
    const yaml = await outline(page, 'footer');
    hasAll(yaml, ['textbox "Password"', 'button "Sign in"', 'Maintenance on Sunday', 'link "topic 11"']);
    hasAll(
      yaml,
      counted(10, (i) => `heading "Group ${i}"`),
    );
  },

  'a dialog that comes last is whole': async (page) => {
    const yaml = await outline(page, 'overlaid');
    hasAll(yaml, ['button "Accept"', 'button "Reject"', 'link "Story 0"']);
  },

  'every region of 10,000 elements has its line, and its ref shows it': async (page) => {
    const yaml = await outline(page, 'huge');
    hasAll(yaml, ['link "Item 0.0"', ...counted(50, (i) => `region "Part ${i}" [ref=`)]);
    const ref = /region "Part 49" \[ref=(e\d+)\]/.exec(yaml)[1];
    has(await page.yaml({ target: ref }), 'link "Item 49.64"');
  },

  'a larger budget cuts less, and one that holds all cuts nothing': async (page) => {
    const yaml = await outline(page, 'settings', 12000);
    has(yaml, 'textbox "Field 4.1"');
    has(yaml, /\(cut to 12,000 of 2\d,\d00 characters/);
    const whole = await page.call('snapshot', { refStart: page.next, budgetChars: 60000 });
    equal(whole.cut, undefined);
    hasNot(whole.yaml, '(cut to');
  },
};
