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

  // As C++ ends a read that takes too long. Where in the read that falls can't be chosen, so it falls in many places.
  'a read that is ended by force leaves nothing that the next one takes for whole': async (page) => {
    const rows = counted(3000, (n) => `<div class="row"><span class="icon"></span>Row ${n}<i>more</i></div>`).join('');
    let ended = 0;
    for (let round = 0; round < 12; round++) {
      await page.load(
        `<style>.row{cursor:pointer}.icon::before{content:"x"}${counted(600, (n) => `.u${n}{color:red}`).join('')}</style>
        <button id="more">More</button>${rows}`,
      );
      page.next = 1;
      if (round % 2) await page.yaml(); // so that it is a delta which is ended
      await page.main("more.insertAdjacentHTML('afterend', '<div class=row>New</div>')");
      const read = page.yaml({ mode: 'delta' }).catch(() => {
        ended++;
        return null;
      });
      for (let wait = 0; wait < round * 3; wait++) await page.browser.send('Browser.getVersion');
      await page.send('Runtime.terminateExecution');
      await page.raw('0').catch(() => null); // which a termination that came too late would end
      const first = await read;
      await page.main("more.insertAdjacentHTML('beforebegin', '<div class=row>Newer</div>')");
      const yaml = await page.yaml({ mode: 'delta' });
      has(yaml, /generic \[ref=e\d+\] \[cursor=pointer\]: Newer/);
      if (first === null) has(yaml, /generic \[ref=e\d+\] \[cursor=pointer\]: New$/m);
      hasNot(yaml, 'removed');
      await page.main("more.insertAdjacentHTML('beforebegin', '<div class=row>Newest</div>')");
      has(await page.yaml({ mode: 'delta' }), /generic \[ref=e\d+\] \[cursor=pointer\]: Newest/);
    }
    ok(ended > 2, `${ended} reads were ended`);
  },

  'of a sheet with thousands of rules, one that a script rewrites in place is known a few reads later': async (
    page,
  ) => {
    await page.load(
      `<style id="s">${counted(3000, (n) => `.c${n}{color:red}`).join('')}</style><div class="c2900">Row</div><p>Text</p>`,
    );
    page.next = 1;
    hasNot(await page.yaml(), 'cursor');
    page.isHeldAgainstWhole = false; // which would know it at once
    await page.main("s.sheet.cssRules[2900].style.cursor = 'pointer'");
    let yaml = '';
    for (let read = 0; read < 7 && !yaml.includes('cursor'); read++) yaml = await page.yaml({ mode: 'delta' });
    has(yaml, '[cursor=pointer]');
    // A rule more, or another one in the place of one, is known at once.
    await page.main("s.sheet.insertRule('p { cursor: pointer }', 7)");
    has(await page.yaml({ mode: 'delta' }), '[cursor=pointer]: Text');
  },

  'of loaded sheets with thousands of rules together, each rule is compared by turns': async (page) => {
    const sheet = (kind) => `data:text/css,${counted(1200, (n) => `.${kind}${n}{left:1px}`).join('')}`;
    await page.load(
      `${['a', 'b', 'c'].map((kind) => `<link rel="stylesheet" href="${sheet(kind)}">`).join('')}<div class="c1100">Row</div>`,
    );
    equal(await page.main('document.styleSheets[2].cssRules.length'), 1200);
    page.next = 1;
    hasNot(await page.yaml(), 'cursor');
    page.isHeldAgainstWhole = false;
    await page.main("document.styleSheets[2].cssRules[1100].style.cursor = 'pointer'");
    let yaml = '';
    for (let read = 0; read < 9 && !yaml.includes('cursor'); read++) yaml = await page.yaml({ mode: 'delta' });
    has(yaml, '[cursor=pointer]');
  },
};
