// Pages of the shapes that fill the web, generated and too large to be shown whole: what is left of them in a budget must
// still tell a reader what to do next.

const many = (n, item) => Array.from({ length: n }, (_, i) => item(i)).join('');
const words = (i, n) => many(n, (k) => `word${(i * 7 + k * 3) % 97} `).trim();
const links = (n, name) => many(n, (i) => `<li><a href="/${name}/a/long/path/${i}">${name} ${i}</a></li>`);

// A manual: a long table of contents, sections under headings, code.
const documentation = () => `<!doctype html><title>Manual</title>
  <header><a href="/">Manual</a><input type="search" aria-label="Search the manual"></header>
  <nav aria-label="Contents"><ul>${links(150, 'chapter')}</ul></nav>
  <main><h1>The manual</h1><p>${words(1, 60)}</p>${many(
    60,
    (i) =>
      `<h2 id="s${i}">Section ${i}</h2>${many(12, (k) => `<p>${words(i * 12 + k, 40)} <code>call_${i}_${k}()</code> <a href="#s${k}">see ${k}</a></p>`)}<pre>code ${i}</pre>`,
  )}</main>
  <aside aria-label="On this page"><ul>${links(60, 'anchor')}</ul></aside>
  <footer><ul>${links(20, 'legal')}</ul></footer>`;

// A table of 1,000 rows with a filter above and pages below.
const table = () => `<!doctype html><title>Orders</title>
  <header><nav aria-label="Top"><a href="/">Home</a> <a href="/orders">Orders</a> <a href="/customers">Customers</a></nav></header>
  <main><h1>Orders</h1>
  <form aria-label="Filter"><label>Customer <input></label><label>State <select><option>any</option><option>open</option><option>paid</option></select></label><button>Apply</button></form>
  <table><caption>All orders</caption><thead><tr><th>Number</th><th>Customer</th><th>State</th><th>Total</th><th></th></tr></thead>
  <tbody>${many(1000, (i) => `<tr><td>${10000 + i}</td><td>Customer ${i}</td><td>${i % 3 ? 'open' : 'paid'}</td><td>${i * 3}.00</td><td><button>Edit</button></td></tr>`)}</tbody></table>
  <nav aria-label="Pagination"><a href="?p=1">1</a> <a href="?p=2">2</a> <a href="?p=3">Next</a></nav></main>
  <footer><a href="/imprint">Imprint</a></footer>`;

// A shop's list of products, without a single list element: cards of divs beside facets.
const products = () => `<!doctype html><title>Shop</title>
  <div class="top"><a href="/">Shop</a><input type="search" placeholder="Search products"><button>Cart (0)</button></div>
  <div><div><h2>Filters</h2>${many(12, (i) => `<fieldset><legend>Facet ${i}</legend>${many(10, (k) => `<label><input type="checkbox"> Value ${i}.${k} (${k})</label>`)}</fieldset>`)}</div>
  <div><h1>1,240 products</h1><label>Sort by <select><option>Relevance</option><option>Price</option></select></label>
  <div>${many(120, (i) => `<div><a href="/p/${i}"><img alt="Photo of product ${i}"></a><h3><a href="/p/${i}">Product ${i} ${words(i, 8)}</a></h3><div><span>${i}.99 €</span><span>4.${i % 10} of 5</span></div><button>Add to cart</button></div>`)}</div>
  <div><a href="?2">Next page</a></div></div></div>
  <footer><h2>About</h2><ul>${links(60, 'service')}</ul></footer>`;

// A thread of a forum: long answers of people, a form for one's own at the end.
const thread = () => `<!doctype html><title>Thread</title>
  <header><a href="/">Forum</a><a href="/login">Log in</a></header>
  <main><h1>How do I do this?</h1>${many(
    80,
    (i) =>
      `<article><h2>user${i}</h2><time>${i} hours ago</time>${many(4, (k) => `<p>${words(i + k, 60)}</p>`)}<button>Like</button><button>Quote</button><a href="#p${i}">Link</a></article>`,
  )}<form aria-label="Answer"><label>Your answer <textarea></textarea></label><button>Post</button></form></main>
  <footer>${many(10, (i) => `<a href="/${i}">Foot ${i}</a> `)}</footer>`;

// A client for mail: folders, a list of 300 messages and the one that is open.
const mail = () => `<!doctype html><title>Mail</title>
  <header><button>Compose</button><input type="search" aria-label="Search mail"></header>
  <nav aria-label="Folders"><ul>${many(40, (i) => `<li><a href="#f${i}">Folder ${i}</a></li>`)}</ul></nav>
  <main><div role="toolbar" aria-label="Mail actions"><button>Archive</button><button>Delete</button><button>Mark as read</button></div>
  <div role="grid" aria-label="Messages">${many(300, (i) => `<div role="row"><span role="gridcell"><input type="checkbox" aria-label="Select ${i}"></span><span role="gridcell">Sender ${i}</span><span role="gridcell"><a href="#m${i}">Subject ${i}: ${words(i, 10)}</a></span><span role="gridcell">${i} min</span></div>`)}</div>
  <section aria-label="Message"><h2>Subject 3</h2>${many(20, (i) => `<p>${words(i, 50)}</p>`)}<button>Reply</button><button>Forward</button></section></main>`;

// 200 fields in 20 groups; the button that saves them comes last.
const settings = () => `<!doctype html><title>Settings</title>
  <header><a href="/">App</a></header><nav aria-label="Settings"><ul>${links(20, 'group')}</ul></nav>
  <main><h1>Settings</h1><form aria-label="Settings">${many(
    20,
    (i) =>
      `<fieldset><legend>Group ${i}</legend>${many(10, (k) => (k % 3 ? `<label>Field ${i}.${k} <input value="value ${k}"></label><small>${words(k, 12)}</small>` : `<label><input type="checkbox"> Option ${i}.${k}</label>`))}</fieldset>`,
  )}<button>Save</button><button type="reset">Discard</button></form></main>`;

// An application whose every element lies in a dozen of generic ones, without landmarks.
const deep = (html) => `${'<div class="w"><div>'.repeat(6)}${html}${'</div></div>'.repeat(6)}`;
const wrapped = () =>
  `<!doctype html><title>App</title><div id="root">${deep(
    `${deep('<h1>Board</h1><button>New card</button><input placeholder="Filter">')}${many(
      6,
      (i) =>
        `<div>${deep(`<h2>Column ${i}</h2>${many(40, (k) => deep(`<div tabindex="0" style="cursor:pointer">Card ${i}.${k} ${words(k, 8)}</div><button>Move</button>`))}`)}</div>`,
    )}${deep('<button>Help</button>')}`,
  )}</div>`;

// A small page above 400 links.
const footer = () => `<!doctype html><title>Small</title>
  <header><nav aria-label="Main"><ul>${links(12, 'topic')}</ul></nav></header>
  <main><h1>Sign in</h1><form aria-label="Sign in"><label>Mail <input></label><label>Password <input type="password"></label><button>Sign in</button></form><p role="alert">Maintenance on Sunday</p></main>
  <footer>${many(10, (i) => `<section><h2>Group ${i}</h2><ul>${links(40, `g${i}`)}</ul></section>`)}</footer>`;

// A dialog that an application put last, above a long page.
const overlaid = () =>
  `<!doctype html><title>Consent</title><main><h1>News</h1>${many(
    200,
    (i) => `<article><h2><a href="/n/${i}">Story ${i}</a></h2><p>${words(i, 40)}</p></article>`,
  )}</main><div role="dialog" aria-label="Cookies"><p>${words(1, 30)}</p><button>Accept</button><button>Reject</button></div>`;

// About 10,000 elements, to measure with.
const huge = () =>
  `<!doctype html><title>Huge</title><main><h1>Huge</h1>${many(
    50,
    (i) =>
      `<section aria-label="Part ${i}"><h2>Part ${i}</h2><ul>${many(65, (k) => `<li><a href="/${i}/${k}">Item ${i}.${k}</a> <span>${words(k, 6)}</span></li>`)}</ul></section>`,
  )}</main>`;

const bigPages = { documentation, table, products, thread, mail, settings, wrapped, footer, overlaid, huge };

export { bigPages };
