// A page that its server renders again: what it told before is carried over to the new document, which tells what differs
// [tool.snapshot.delta.document].
import { equal, has, hasNot, ok, refOf, shown } from '../expect.mjs';

// Shows a page, has it load itself again as `then`, and gives what it told first and what it tells by then. `does`: what it does
// to load, in its own world.
async function renderedAgain(page, first, then, does = 'location.reload()', room = {}) {
  const before = await shown(page, first);
  const [now, payload] = await loadAgain(page, then, does, room);
  return [before, now, payload];
}

const again = async (page, then) => (await loadAgain(page, then, 'location.reload()'))[0];

async function loadAgain(page, then, does, room = {}) {
  await page.send('Runtime.addBinding', { name: 'bridleLeaves', executionContextName: 'bridle' });
  const { browser } = page;
  browser.pages[browser.pages.length - 1] = `<!doctype html>${then}`;
  const left = page.event('Runtime.bindingCalled');
  const loaded = page.event('Page.loadEventFired');
  await page.main(does);
  const { name, payload } = await left;
  equal(name, 'bridleLeaves');
  await loaded;
  await page.inject(page.frameId);
  return [await page.yaml({ mode: 'delta', before: payload, ...room }), payload];
}

const kRows = Array.from(
  { length: 8 },
  (_, i) => `<tr><td>Post ${i}<td><a href="?edit=${i}">Edit</a><td><button>Delete</button>`,
);
const board = (news, rows = kRows) =>
  `<h1>Board</h1>${news}<nav><a href="/a">Start</a> <a href="/b">Members</a> <a href="/c">Search</a></nav>` +
  `<form><label>Title <input name="title" value="Old"></label> <label>Text <textarea></textarea></label>` +
  `<button>Save</button></form><table>${rows.join('')}</table>`;

export default {
  'what a server renders again after a save is told as what has changed, and refs go on': async (page) => {
    const [before, now] = await renderedAgain(
      page,
      board(''),
      board('<p role="status">Saved.</p>').replace('"Old"', '"New"'),
    );
    has(now, '- text: … the page was loaded anew');
    has(now, 'status');
    has(now, 'Saved.');
    has(now, `textbox "Title" [ref=${refOf(before, 'textbox "Title"')}]: New`);
    hasNot(now, 'Post 3');
    hasNot(now, 'Members');
    ok(now.length < 300, now);
    const ref = refOf(before, 'button "Save"');
    const { describe } = await page.call('describe', { target: ref });
    equal(describe, 'button "Save"');
  },

  'a message in one of several boxes makes no new things of what stands beside it': async (page) => {
    const boxes = (message) =>
      `<div class="menu"><h2>Menu</h2><a href="/a">Start</a></div>${' '.repeat(400)}<div class="main">${' '.repeat(300)}<h2>Sign in</h2>${message}` +
      '<table><thead><tr><th>Account<tbody><tr><td>Name<td><input id="n"><tr><td>Word<td><input id="w"></table></div>';
    const [before, now] = await renderedAgain(page, boxes(''), boxes('<p>Unknown name or word.</p>'));
    has(now, 'paragraph');
    hasNot(now, 'removed');
    hasNot(now, 'Account');
    equal(refOf(now, 'heading "Sign in"'), refOf(before, 'heading "Sign in"'));
  },

  // Django's admin, and any list that a server filters, sorts or turns a page of
  'of a list that is filtered, the links that lead to the same with another query are not told': async (page) => {
    const list = (query, numbers) =>
      `<nav>${Array.from({ length: 30 }, (_, i) => `<a href="?state=${i}${query}">State ${i}</a> `).join('')}</nav><table>${numbers
        .map((n) => `<tr><td><a href="/post/${n}?back=1${query}">Post ${n}</a><td>Title of ${n}<td>Author of ${n}`)
        .join('')}</table><p><a href="/next${query ? '/but' : ''}?a">Next</a></p>`;
    const [before, now] = await renderedAgain(page, list('', [1, 2, 3, 4, 5, 6]), list('&q=x', [2, 4, 7]));
    has(
      now,
      '- text: … the page was loaded anew: what is not told here is as before, with its refs, but for the queries',
    );
    hasNot(now, 'State');
    has(now, 'link "Post 7"');
    has(now, '- /url: /post/7?back=1&q=x');
    hasNot(now, '/post/4');
    has(now, '- /url: /next/but?a');
    equal(await page.main('document.querySelector("a").search'), '?state=0&q=x');
    const { describe } = await page.call('describe', { target: refOf(before, 'link "Post 4"') });
    equal(describe, 'link "Post 4"');
    // What comes next is compared with the queries as they are.
    await page.main(`document.querySelector('a').href = '?state=0&q=y'`);
    has(await page.yaml({ mode: 'delta' }), '- /url: "?state=0&q=y"');
  },

  'of a short list whose links all have another query, those are told where they are few': async (page) => {
    const list = (query, many) =>
      `<p>Found: ${query}</p>${'<p>Words</p>'.repeat(60)}<nav>${Array.from(
        { length: many },
        (_, i) => `<a href="?sort=${i}&amp;${query.repeat(20)}">Sort by ${i}</a> `,
      ).join('')}</nav>`;
    const few = (await renderedAgain(page, list('abc', 3), list('xyz', 3)))[1];
    has(few, '/url: "?sort=2&xyz');
    const noted = (await renderedAgain(page, list('abc', 20), list('xyz', 20)))[1];
    has(noted, 'Found: xyz');
    has(noted, 'but for the queries of its links');
    hasNot(noted, 'Sort by');
  },

  // Redmine, and what else shows a form again under the path that it is sent to
  'a form that is shown again with what is wrong in it is told by that under another path too, where the title is the same':
    async (page) => {
      // `isSent`: the page's form is sent to the path of the next one, which is the same page of the server's.
      const told = async (title, news, isSent = true) => {
        const before = await shown(page, `<title>New issue</title>${board('')}`);
        const does = `(() => {
          const next = location.pathname.replace('/', '/0');
          ${isSent ? "Object.assign(document.forms[0], { method: 'post', action: next });" : ''}
          location.href = next;
        })()`;
        return [before, (await loadAgain(page, `<title>${title}</title>${board(news)}`, does))[0]];
      };
      const [first, now] = await told('New issue', '<p>A title is missing.</p>');
      has(now, '- text: … the page was loaded anew');
      has(now, 'A title is missing.');
      hasNot(now, 'Post 3');
      ok(refOf(now, 'paragraph') !== refOf(first, 'button "Save"'), now);
      const other = (await told('Another page', '<p>A title is missing.</p>'))[1];
      has(other, 'Post 3');
      const linked = (await told('New issue', '<p>A title is missing.</p>', false))[1];
      has(linked, 'Post 3');
      const much = (await told('New issue', '<p>Words that are new here.</p>'.repeat(30)))[1];
      has(much, 'Post 3');
    },

  'what has a name that nothing else has keeps its ref in a large box that says more things than before': async (
    page,
  ) => {
    const boxes = (...messages) =>
      `<div class="menu"><h2>Menu</h2><a href="/a">Start</a></div><div class="main"><h2>Account</h2><p>${messages[0]}</p>` +
      `<p>What an account is for.</p><p>${messages[1]}</p><p>${'And what it is not for. '.repeat(9)}</p>` +
      '<label>Name <input></label><button>Save</button></div>';
    const [before, now] = await renderedAgain(page, boxes('', ''), boxes('Look below.', 'A name is needed.'));
    has(now, 'A name is needed.');
    hasNot(now, 'removed');
    for (const words of ['heading "Account"', 'button "Save"'])
      equal((await page.call('describe', { target: refOf(before, words) })).describe, words);
  },

  'fields that only their boxes tell apart keep their refs where a message comes to each': async (page) => {
    const fields = (message) =>
      ['Help desk', 'Email', 'First name', 'Last name', 'User', 'Host', 'Port', 'Folder', 'Time zone']
        .map(
          (name) =>
            `<div><span>${name}:</span> <input><a href="#help"><i class="icon-help">?</i></a> <b>${message}</b></div>`,
        )
        .join('');
    const [before, now] = await renderedAgain(page, fields(''), fields('').replaceAll('<b>', '<b>Missing'));
    const refs = (yaml) => [...yaml.matchAll(/textbox \[ref=(e\d+)\]/g)].map(([, ref]) => ref);
    equal(refs(before).length, 9);
    const host = await page.handle(`__bridle.element({ target: '${refs(before)[5]}' })`);
    const { result } = await page.send('Runtime.callFunctionOn', {
      objectId: host,
      functionDeclaration: 'function () { return this.parentNode.textContent; }',
      returnByValue: true,
    });
    has(result.value, 'Host:');
    has(now, 'Missing');
  },

  'fields keep their refs also where what is typed into another one comes before the page is rendered again': async (
    page,
  ) => {
    const style = '<style>.icon-help::before{content:"\\f059";font-family:icons}</style>';
    const row = (name, i, value) =>
      `<tr><td>${name}:</td><td><input value="${value}">&nbsp;<font>*</font> <i class="icon-help"></i></td></tr>`;
    const fields = (news, first) =>
      `${style}<p>${news}</p><table><tr><th colspan=2>Settings</th></tr>` +
      ['Title', 'Email', 'Host', 'Port', 'Folder'].map((name, i) => row(name, i, i === 0 ? first : 'old')).join('') +
      '</table>';
    const type = 'document.querySelector("input").value = "new"';
    const before = await shown(page, fields('', 'old'));
    await page.main(type);
    await page.yaml({ mode: 'delta' });
    const now = await again(page, fields('It is saved.', 'new'));
    has(now, 'It is saved.');
    hasNot(now, 'Port');
    hasNot(now, 'removed');
    equal((await page.call('describe', { target: refOf(before.split('Port:')[1], 'textbox') })).role, 'textbox');
  },

  'a row whose number alone is another is another row': async (page) => {
    const list = (from) =>
      `<h1>Posts</h1><p>${'What is told of all of them. '.repeat(20)}</p><table>` +
      Array.from({ length: 3 }, (_, i) => `<tr><td>Post ${from + i}<td><button>Delete</button>`).join('') +
      '</table>';
    const [before, now] = await renderedAgain(page, list(1), list(11), 'location.search = "page=2"');
    for (const [, ref] of before.matchAll(/button "Delete" \[ref=(e\d+)\]/g)) hasNot(now, `[ref=${ref}]`);
    has(now, 'Post 11');
    has(now, 'removed');
  },

  'a row that is gone from a page rendered again takes its refs with it, and no other row gets them': async (page) => {
    const rows = kRows.filter((_, i) => i !== 2);
    const [before, now] = await renderedAgain(page, board(''), board('', rows));
    const refsOf = (yaml, post) =>
      yaml
        .split(`Post ${post}`)[1]
        .match(/\[ref=e\d+\]/g)
        .slice(0, 3);
    has(now, 'removed: "row: Post 2"');
    hasNot(now, 'Post 3');
    for (const post of [1, 3, 7]) {
      const [, link, own] = refsOf(before, post).map((ref) => ref.slice(5, -1));
      const found = await page.call('locate', { target: link });
      has(found.css, 'a');
      const text = await page.handle(`__bridle.element({ target: ${JSON.stringify(own)} })`);
      const { result } = await page.send('Runtime.callFunctionOn', {
        objectId: text,
        functionDeclaration: 'function () { return this.closest("tr").cells[0].textContent; }',
        returnByValue: true,
      });
      equal(result.value, `Post ${post}`);
    }
    const [, , button] = refsOf(before, 2).map((ref) => ref.slice(5, -1));
    const gone = await page.call('describe', { target: button });
    equal(gone.ok, false, JSON.stringify(gone));
  },

  'a page that is another one at the same address is told whole': async (page) => {
    const [, now] = await renderedAgain(
      page,
      board(''),
      '<h1>Sign in</h1><form><label>Name <input></label> <label>Password <input type="password"></label><button>Sign in</button></form>',
    );
    hasNot(now, 'loaded anew');
    hasNot(now, 'removed');
    has(now, 'heading "Sign in"');
  },

  'a page that is as before says that it was loaded anew, and what is done then is compared with it': async (page) => {
    const [, now] = await renderedAgain(page, board(''), board(''));
    equal(now, '- text: … the page was loaded anew: what is not told here is as before, with its refs');
    equal(await page.yaml({ mode: 'delta', again: true }), now);
    await page.main('document.querySelector("h1").textContent = "Forum"');
    const then = await page.yaml({ mode: 'delta' });
    has(then, 'heading "Forum"');
    hasNot(then, 'Members');
  },

  'a page that opens with a dialog is told whole': async (page) => {
    const [, now] = await renderedAgain(
      page,
      board(''),
      board('<dialog id="d">Sure? <button>Yes</button></dialog><script>d.showModal()</script>'),
    );
    hasNot(now, 'loaded anew');
    has(now, 'dialog');
    has(now, 'the rest of the page is inert');
  },

  'what another page has told is left where the new document is of another path': async (page) => {
    const [, , payload] = await renderedAgain(page, board(''), board(''));
    await page.load(`<!doctype html>${board('')}`);
    const whole = await page.yaml({ mode: 'delta', before: payload });
    hasNot(whole, 'loaded anew');
    has(whole, 'Post 3');
  },

  // Prometheus, Redmine, and any site with a menu around its pages
  'the menu that a site has around each of its pages is a line on the next one that has no room for it, with its refs [tool.snapshot.as-before]':
    async (page) => {
      const site = (words, last = 'Help', chosen = -1) =>
        `<title>${words}</title><nav aria-label="Site"><ul>${Array.from(
          { length: 14 },
          (_, i) => `<li${i === chosen ? ' class="current"' : ''}><a href="/part/${i}">Part ${i} of it</a></li>`,
        ).join(
          '',
        )}<li><a href="/help">${last}</a></li></ul></nav><main><h1>${words}</h1><p>What ${words} says.</p></main>`;
      const next = "location.href = location.pathname.replace('/', '/0')";
      const room = { budgetChars: 700, pageChars: 700 };
      const [before, now] = await renderedAgain(page, site('Reports'), site('Settings'), next, room);
      has(now, 'heading "Settings"');
      has(now, `navigation "Site" [ref=${refOf(before, 'navigation "Site"')}]: … `);
      has(now, 'as before (Part 0 of it, Part 1 of it, Part 2 of it …)');
      has(now, '- text: … what is "as before" the page before has told, with its refs');
      hasNot(now, 'Part 7');
      equal(
        (await page.call('describe', { target: refOf(before, 'link "Part 7 of it"') })).describe,
        'link "Part 7 of it"',
      );
      has(await page.yaml({ mode: 'full' }), `link "Part 7 of it" [ref=${refOf(before, 'link "Part 7 of it"')}]`);
      await page.main('document.querySelectorAll("a")[7].textContent = "Changed"');
      has(await page.yaml({ mode: 'delta' }), 'link "Changed"');
      // What is there twice now is there once before, and no ref is given twice.
      const twice = (words) =>
        `${site(words)}${words === 'Settings' ? site(words).replace(/<title>.*?<.title>/, '') : ''}`;
      await shown(page, twice('Reports'));
      const [menus] = await loadAgain(page, twice('Settings'), next, { budgetChars: 1900, pageChars: 1900 });
      equal(menus.split('as before (Part 0').length, 2, menus);
      const refs = menus.match(/\[ref=e\d+\]/g);
      equal(new Set(refs).size, refs.length, menus);
      const bars = (words) => `<header><a href="/">${'Home '.repeat(60)}</a></header>${site(words)}`;
      const [, both] = await renderedAgain(page, bars('Reports'), bars('Settings'), next, room);
      has(both, '- text: … banner, navigation as before (Home Home');
      // What it has otherwise is told, and so is all of it where it was cut.
      const [, other] = await renderedAgain(
        page,
        site('Reports', 'Help', 1),
        site('Settings', 'Support', 2),
        next,
        room,
      );
      has(other, 'link "Support"');
      has(other, 'Part 2 of it');
      hasNot(other, 'Part 7');
      has(other, '- text: … 11 items as before (Part 3 of it, Part 4 of it, Part 5 of it …)');
      await shown(page, site('Reports'));
      await page.yaml({ mode: 'full', budgetChars: 500 });
      has((await loadAgain(page, site('Settings'), next))[0], 'Part 7');
      // A page that there is room for is told whole.
      const [, roomy] = await renderedAgain(page, site('Reports'), site('Settings'), next, {
        ...room,
        wholeChars: 4000,
      });
      has(roomy, `link "Part 7 of it" [ref=`);
      hasNot(roomy, 'as before');
    },

  'of a page that was cut the menu that was told is as before, and what a delta tells since may not be': async (
    page,
  ) => {
    const menu = `<table>${Array.from({ length: 14 }, (_, i) => `<tr><td><a href="/part/${i}">Part ${i} of it</a>`).join('')}</table>`;
    const site = (words) =>
      `<title>${words}</title><div>${menu}</div><div><h1>${words}</h1><div>${'<p>What it says.</p>'.repeat(300)}</div></div>`;
    const next = "location.href = location.pathname.replace('/', '/0')";
    const cut = { mode: 'full', budgetChars: 9000 };
    await shown(page, site('Reports'));
    const before = await page.yaml(cut);
    has(before, '(cut to ');
    has(before, 'Part 13');
    const [now] = await loadAgain(page, site('Settings'), next, { budgetChars: 9000, pageChars: 9000 });
    has(now, 'as before (Part 0 of it');
    hasNot(now, 'Part 13');
    await page.yaml(cut);
    await page.main('document.querySelector("h1").textContent = "Other"');
    await page.yaml({ mode: 'delta' });
    has((await loadAgain(page, site('Reports'), next))[0], 'Part 13');
  },

  'a new address of the same page is compared too': async (page) => {
    const [, now] = await renderedAgain(
      page,
      board(''),
      board('<p role="status">Saved.</p>'),
      'location.search = "saved=1"',
    );
    has(now, 'Saved.');
    hasNot(now, 'Members');
  },

  'a page that its script loads again and that shows nothing yet is told as empty, not as it was': async (page) => {
    const [, now] = await renderedAgain(page, board(''), '<div id=root></div>');
    equal(now, '');
    const [, still] = await renderedAgain(page, '<div id=root></div>', '<div id=root></div>');
    equal(still, '');
  },

  // ZoneMinder's function of a monitor
  'what a server renders again after a form over the page was sent is told as what has changed': async (page) => {
    const before = await shown(page, board('<p id=n></p>'));
    await page.main(`document.body.insertAdjacentHTML('beforeend', '<div tabindex=-1 id=m style="position:fixed;inset:0;background:#fff">' +
      '<form><h5>Function</h5><label>Kind <select id=k><option>One<option>Two</select></label><button>Set</button></form></div>'); m.focus()`);
    await page.yaml({ mode: 'delta' });
    await page.main('k.focus()'); // so that the box around has no line
    await page.yaml({ mode: 'delta' });
    const [now] = await loadAgain(page, board('<p>Saved.</p>'), 'location.reload()');
    has(now, '- text: … the page was loaded anew');
    has(now, 'Saved.');
    hasNot(now, 'button "Delete"');
    equal(refOf(await page.yaml({}), 'textbox "Title"'), refOf(before, 'textbox "Title"'));
  },
};
