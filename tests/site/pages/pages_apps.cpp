// Small whole applications, as tasks for an agent.
#include "tests/site/pages/pages.h"

namespace bridle::site {

// Served for every path below /spa, as such servers do; the script shows the view that belongs to the path.
const char kSpa[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>SPA</title></head>
<body>
<nav aria-label="Main">
<a href="/spa">Home</a> <a href="/spa/items">Items</a> <a href="/spa/about">About</a>
</nav>
<main id="view">Loading…</main>
<script>
const view = document.getElementById('view');
const make = (tag, text, attributes = {}) => {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
let current = 0;
const items = async () => (await fetch('/api/items?ms=150')).json();
const views = {
  '/spa': async () => ['Home', [make('h1', 'Home'), make('p', 'Welcome.')]],
  '/spa/about': async () => ['About', [make('h1', 'About'), make('p', 'A single page app.')]],
  '/spa/items': async () => {
    const list = make('ul', '');
    for (const item of await items()) {
      const line = make('li', '');
      line.append(make('a', item.name, {href: '/spa/items/' + item.id}));
      list.append(line);
    }
    return ['Items', [make('h1', 'Items'), list]];
  },
};
const detail = async (id) => {
  const item = (await items()).find((each) => each.id === id);
  if (!item) return ['No such item', [make('h1', 'No such item')]];
  return [item.name, [make('h1', item.name), make('p', 'Price: ' + item.price, {id: 'price'})]];
};
const render = async () => {
  const mine = ++current;
  const match = location.pathname.match(/^\/spa\/items\/(\d+)$/);
  view.textContent = 'Loading…';
  const load = match ? () => detail(Number(match[1])) : views[location.pathname] || views['/spa'];
  const [title, nodes] = await load();
  if (mine !== current) return;
  document.title = 'SPA: ' + title;
  view.replaceChildren(...nodes);
};
document.addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (!link || event.ctrlKey || event.metaKey || event.button !== 0) return;
  event.preventDefault();
  history.pushState({}, '', link.href);
  render();
});
addEventListener('popstate', render);
render();
</script>
</body></html>
)html";

const char kConsent[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Consent</title>
<style>
#overlay { position: fixed; inset: 0; background: rgba(0, 0, 0, .6); display: flex; align-items: center; justify-content: center }
#overlay div { background: white; padding: 20px }
</style></head>
<body>
<h1>Article</h1>
<p>The article is below the overlay.</p>
<button id="read" type="button">Read on</button>
<p id="out">not read</p>
<div id="overlay" role="dialog" aria-modal="true" aria-label="Cookies"><div>
<p>We value your privacy.</p>
<button id="accept" type="button">Accept all</button> <button id="reject" type="button">Reject all</button>
</div></div>
<script>
const on = (id, action) => document.getElementById(id).addEventListener('click', action);
const close = () => document.getElementById('overlay').remove();
on('accept', close);
on('reject', close);
on('read', () => { document.getElementById('out').textContent = 'read'; });
</script>
</body></html>
)html";

const char kTodo[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>To do</title>
<style>.done span { text-decoration: line-through }</style></head>
<body>
<h1>To do</h1>
<form id="add"><label>New task <input id="task" autocomplete="off"></label> <button>Add</button></form>
<div role="tablist" aria-label="Filter">
<button role="tab" type="button" data-filter="all" aria-selected="true">All</button>
<button role="tab" type="button" data-filter="open" aria-selected="false">Open</button>
<button role="tab" type="button" data-filter="done" aria-selected="false">Done</button>
</div>
<ul id="list" aria-label="Tasks"></ul>
<p id="left" role="status"></p>
<script>
const $ = (id) => document.getElementById(id);
let tasks = [{text: 'Feed the cat', done: false}, {text: 'Water the plants', done: true}];
let filter = 'all';
const render = () => {
  const shown = tasks.filter((task) => filter === 'all' || task.done === (filter === 'done'));
  $('list').replaceChildren(...shown.map((task) => {
    const line = document.createElement('li');
    line.className = task.done ? 'done' : '';
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = task.done;
    box.setAttribute('aria-label', 'Done: ' + task.text);
    box.addEventListener('change', () => { task.done = box.checked; render(); });
    const text = document.createElement('span');
    text.textContent = task.text;
    const remove = document.createElement('button');
    remove.type = 'button';
    remove.textContent = 'Delete';
    remove.setAttribute('aria-label', 'Delete ' + task.text);
    remove.addEventListener('click', () => { tasks = tasks.filter((each) => each !== task); render(); });
    line.append(box, text, ' ', remove);
    return line;
  }));
  $('left').textContent = tasks.filter((task) => !task.done).length + ' left';
};
$('add').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = $('task').value.trim();
  if (text) tasks.push({text, done: false});
  $('task').value = '';
  render();
});
for (const tab of document.querySelectorAll('[role=tab]')) {
  tab.addEventListener('click', () => {
    filter = tab.dataset.filter;
    for (const each of document.querySelectorAll('[role=tab]')) each.setAttribute('aria-selected', each === tab);
    render();
  });
}
render();
</script>
</body></html>
)html";

const char kShop[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<style>#products li { display: inline-block; width: 180px; border: 1px solid; padding: 8px; margin: 4px }</style></head>
<body>
<header><h1>Shop</h1> <p>Cart: <span id="count">0</span> items, <span id="total">0</span> €</p></header>
<label>Search <input id="search" type="search"></label>
<label>Sort <select id="sort"><option value="name">By name</option><option value="price">Dearest first</option></select></label>
<ul id="products" aria-label="Products"></ul>
<section aria-label="Cart"><h2>Cart</h2><ul id="cart"></ul>
<button id="checkout" type="button" disabled>Check out</button></section>
<dialog id="order"><form method="dialog"><h2>Order</h2>
<label>Name <input id="name" required></label> <button id="confirm">Place the order</button></form></dialog>
<p id="out" role="status"></p>
<script>
const $ = (id) => document.getElementById(id);
const make = (tag, text) => { const element = document.createElement(tag); element.textContent = text; return element; };
let products = [];
let cart = [];
const button = (text, label, action) => {
  const element = make('button', text);
  element.type = 'button';
  element.setAttribute('aria-label', label);
  element.addEventListener('click', action);
  return element;
};
const render = () => {
  const wanted = $('search').value.toLowerCase();
  const shown = products.filter((product) => product.name.toLowerCase().includes(wanted));
  shown.sort((a, b) => $('sort').value === 'price' ? b.price - a.price : a.name.localeCompare(b.name));
  $('products').replaceChildren(...shown.map((product) => {
    const line = make('li', '');
    line.append(make('h3', product.name), make('p', product.price + ' €'), button('Add to cart', 'Add ' + product.name + ' to the cart', () => {
      cart.push(product);
      render();
    }));
    return line;
  }));
  $('cart').replaceChildren(...cart.map((product, index) => {
    const line = make('li', product.name + ' ' + product.price + ' € ');
    line.append(button('Remove', 'Remove ' + product.name, () => { cart.splice(index, 1); render(); }));
    return line;
  }));
  $('count').textContent = cart.length;
  $('total').textContent = cart.reduce((sum, product) => sum + product.price, 0);
  $('checkout').disabled = cart.length === 0;
};
$('search').addEventListener('input', render);
$('sort').addEventListener('change', render);
$('checkout').addEventListener('click', () => $('order').showModal());
$('order').addEventListener('close', async () => {
  const body = JSON.stringify({name: $('name').value, items: cart.map((product) => product.id)});
  const response = await fetch('/api/echo?order=1', {method: 'POST', headers: {'Content-Type': 'application/json'}, body});
  const order = JSON.parse((await response.json()).body);
  cart = [];
  render();
  $('out').textContent = 'Thank you, ' + order.name + ': ' + order.items.length + ' items ordered.';
});
(async () => { products = await (await fetch('/api/items?ms=100')).json(); render(); })();
</script>
</body></html>
)html";

}  // namespace bridle::site
