// Places to click, type, drag and hover, which tell in their text what they felt.
#include "tests/site/pages/pages.h"

namespace bridle::site {

const char kClickLab[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Click lab</title>
<style>
#cover-box { position: relative; width: 200px; height: 40px }
#cover { position: absolute; inset: 0; background: rgba(200, 0, 0, .5) }
#moving { position: relative; animation: sway 700ms linear infinite alternate }
@keyframes sway { from { left: 0 } to { left: 300px } }
#settling { position: relative }
#settling.moving { animation: sway 700ms linear 1 forwards }
</style></head>
<body>
<h1>Click lab</h1>
<p><button id="dom" type="button">Change the DOM</button> <span id="dom-out">unchanged</span></p>
<p><button id="fetch" type="button">Fetch slowly</button> <span id="fetch-out">nothing fetched</span></p>
<p><button id="late" type="button">Navigate after 50 ms</button></p>
<p><button id="poll" type="button">Poll for ever</button> <span id="poll-out">0</span></p>
<p><button id="longpoll" type="button">Fetch what never answers</button></p>
<p><a id="never" href="/never">Link that never answers</a> <a id="slow" href="/slow?ms=1500">Slow link</a>
<a id="plain" href="/plain">Plain link</a> <a id="hash" href="#here">Hash link</a>
<a id="other" href="{{other}}/plain">Other origin</a> <a id="no-content" href="/no-content">No content</a>
<a id="download" href="/download?name=lab.bin">Download</a></p>
<p><button id="disabled" type="button" disabled>Disabled</button>
<button id="enable" type="button">Enable it in 300 ms</button></p>
<div id="cover-box"><button id="covered" type="button">Covered</button><div id="cover"></div></div>
<p><button id="moving" type="button">Moving</button></p>
<p><button id="settle" type="button">Start moving</button> <button id="settling" type="button">Settling</button></p>
<p><button id="counter" type="button">Counter</button> <span id="count">0</span></p>
<p><button id="hidden" type="button" style="display: none">Hidden</button>
<button id="invisible" type="button" style="visibility: hidden">Invisible</button>
<button id="vanish" type="button">Vanishes</button>
<button id="rerender" type="button">Replaces itself</button>
<button id="tiny" type="button" style="width: 2px; height: 2px; padding: 0; border: 0" aria-label="Tiny"></button></p>
<pre id="log" aria-label="Log"></pre>
<script>
const $ = (id) => document.getElementById(id);
const on = (id, action) => $(id).addEventListener('click', action);
const log = (text) => { $('log').textContent += text + '\n'; };
for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu']) {
  $('counter').addEventListener(type, (event) => log(type + ' ' + event.button + ' ' + event.detail));
}
let count = 0;
on('counter', () => { $('count').textContent = ++count; });
on('dom', () => { $('dom-out').textContent = 'changed'; });
on('fetch', async () => {
  const answer = await (await fetch('/api/slow?ms=800')).json();
  $('fetch-out').textContent = 'fetched after ' + answer.ms + ' ms';
});
on('late', () => setTimeout(() => { location.href = '/plain?title=Late'; }, 50));
on('poll', () => {
  let polls = 0;
  const next = async () => { await fetch('/api/json?poll=' + ++polls); $('poll-out').textContent = polls; setTimeout(next, 20); };
  next();
});
on('longpoll', () => { fetch('/api/never'); });
on('disabled', () => log('disabled clicked'));
on('enable', () => setTimeout(() => { $('disabled').disabled = false; }, 300));
on('covered', () => log('covered clicked'));
on('cover', () => log('cover clicked'));
on('moving', () => log('moving clicked'));
on('settle', () => $('settling').classList.add('moving'));
on('settling', () => log('settling clicked'));
on('vanish', () => { $('vanish').remove(); log('vanished'); });
on('tiny', () => log('tiny clicked'));
const rerender = () => {
  const fresh = $('rerender').cloneNode(true);
  fresh.addEventListener('click', rerender);
  $('rerender').replaceWith(fresh);
  log('rerendered');
};
on('rerender', rerender);
</script>
</body></html>
)html";

const char kKeys[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Keys</title></head>
<body>
<h1>Keys</h1>
<input id="input" aria-label="Keys" autofocus>
<textarea id="area" aria-label="Area"></textarea>
<button id="button" type="button">Button</button>
<div id="pad" tabindex="0" aria-label="Pad" style="width: 300px; height: 100px; background: #eee">Pad</div>
<button id="clear" type="button">Clear the log</button>
<pre id="log" aria-label="Log"></pre>
<script>
const log = (text) => { document.getElementById('log').textContent += text + '\n'; };
const modifiers = (event) => ['ctrl', 'shift', 'alt', 'meta'].filter((name) => event[name + 'Key']).map((name) => ' ' + name).join('');
for (const type of ['keydown', 'keypress', 'keyup']) {
  document.addEventListener(type, (event) =>
    log(type + ' ' + event.key + ' ' + event.code + ' ' + event.keyCode + modifiers(event) + (event.repeat ? ' repeat' : '')));
}
for (const type of ['beforeinput', 'input']) {
  document.addEventListener(type, (event) => log(type + ' ' + event.inputType + ' ' + JSON.stringify(event.data)));
}
for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu']) {
  document.addEventListener(type, (event) =>
    log(type + ' ' + (event.target.id || event.target.tagName) + ' ' + event.button + ' ' + event.buttons + ' ' + event.detail + modifiers(event)));
}
document.addEventListener('wheel', (event) => log('wheel ' + event.deltaX + ' ' + event.deltaY), {passive: true});
document.getElementById('clear').addEventListener('click', () => { document.getElementById('log').textContent = ''; });
</script>
</body></html>
)html";

const char kTyping[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Typing</title></head>
<body>
<h1>Typing</h1>
<p><label>Field <input id="field"></label> <span id="length">0</span></p>
<p><label>Area <textarea id="area"></textarea></label></p>
<div id="editable" contenteditable="true" role="textbox" aria-label="Editable">Edit me</div>
<p><label>At most five <input id="short" maxlength="5"></label></p>
<p><label>Digits only <input id="digits"></label></p>
<p><label>Suggest <input id="suggest" role="combobox" aria-expanded="false" aria-controls="options"></label></p>
<ul id="options" role="listbox" aria-label="Suggestions"></ul>
<p><label>Enter sends <input id="enter"></label> <span id="sent">nothing sent</span></p>
<script>
const $ = (id) => document.getElementById(id);
$('field').addEventListener('input', () => { $('length').textContent = $('field').value.length; });
$('digits').addEventListener('beforeinput', (event) => { if (/\D/.test(event.data || '')) event.preventDefault(); });
$('enter').addEventListener('keydown', (event) => { if (event.key === 'Enter') $('sent').textContent = 'sent: ' + $('enter').value; });
let last = 0;
$('suggest').addEventListener('input', async () => {
  const mine = ++last;
  const items = await (await fetch('/api/items?ms=100&q=' + encodeURIComponent($('suggest').value))).json();
  if (mine !== last) return;
  $('suggest').setAttribute('aria-expanded', 'true');
  $('options').replaceChildren(...items.map((item) => {
    const option = document.createElement('li');
    option.setAttribute('role', 'option');
    option.textContent = item.name;
    option.addEventListener('click', () => { $('suggest').value = item.name; $('options').replaceChildren(); });
    return option;
  }));
});
</script>
</body></html>
)html";

void busy(const Request& request, Response& response) {
  const std::string ms = std::to_string(request.query_int("ms", 1000, 0, 600'000));
  response.html(make_page("Busy", "<h1>Busy</h1>\n<button id=\"busy\" type=\"button\">Be busy for " + ms +
                                      R"html( ms</button>
<p id="out">idle</p>
<script>
document.getElementById('busy').addEventListener('click', () => {
  const end = performance.now() + )html" +
                                      ms + R"html(;
  while (performance.now() < end) {}
  document.getElementById('out').textContent = 'was busy';
});
</script>)html"));
}

const char kBusyForever[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Busy for ever</title></head>
<body>
<h1>Busy for ever</h1>
<button id="busy" type="button">Be busy for ever</button>
<p id="out">idle</p>
<script>
document.getElementById('busy').addEventListener('click', () => { for (;;) {} });
</script>
</body></html>
)html";

const char kDrag[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Drag</title>
<style>
#source, #target { width: 150px; height: 60px; border: 1px solid; margin: 10px; display: inline-block }
#track { position: relative; width: 300px; height: 20px; background: #ccc; margin: 20px }
#thumb { position: absolute; left: 0; top: -5px; width: 30px; height: 30px; background: #369; touch-action: none }
</style></head>
<body>
<h1>Drag</h1>
<div id="source" draggable="true" role="button">Drag me</div>
<div id="target" role="region" aria-label="Drop target">Drop here</div>
<div id="track"><div id="thumb" role="slider" tabindex="0" aria-label="Volume" aria-valuemin="0" aria-valuemax="100" aria-valuenow="0"></div></div>
<p>Volume: <span id="volume">0</span></p>
<ol id="sortable"><li draggable="true" id="one">One</li><li draggable="true" id="two">Two</li><li draggable="true" id="three">Three</li></ol>
<pre id="log" aria-label="Log"></pre>
<script>
const $ = (id) => document.getElementById(id);
const log = (text) => { $('log').textContent += text + '\n'; };
for (const item of document.querySelectorAll('[draggable]')) {
  item.addEventListener('dragstart', (event) => { event.dataTransfer.setData('text/plain', item.id); log('dragstart ' + item.id); });
  item.addEventListener('dragend', () => log('dragend ' + item.id));
}
$('target').addEventListener('dragenter', (event) => { event.preventDefault(); log('dragenter'); });
$('target').addEventListener('dragover', (event) => event.preventDefault());
$('target').addEventListener('drop', (event) => {
  event.preventDefault();
  $('target').textContent = 'Dropped: ' + event.dataTransfer.getData('text/plain');
  log('drop');
});
for (const item of $('sortable').children) {
  item.addEventListener('dragover', (event) => event.preventDefault());
  item.addEventListener('drop', (event) => {
    event.preventDefault();
    const moved = $(event.dataTransfer.getData('text/plain'));
    if (moved && moved !== item) item.before(moved);
  });
}
let from = null;
$('thumb').addEventListener('mousedown', (event) => { from = event.clientX - $('thumb').offsetLeft; event.preventDefault(); });
document.addEventListener('mousemove', (event) => {
  if (from === null) return;
  const left = Math.max(0, Math.min(270, event.clientX - from));
  $('thumb').style.left = left + 'px';
  const value = Math.round(left / 2.7);
  $('thumb').setAttribute('aria-valuenow', value);
  $('volume').textContent = value;
});
document.addEventListener('mouseup', () => { if (from !== null) log('released at ' + $('volume').textContent); from = null; });
</script>
</body></html>
)html";

const char kHover[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Hover</title>
<style>
#menu { position: relative }
#menu ul { display: none; margin: 0; position: absolute; background: #eee }
#menu:hover ul { display: block }
</style></head>
<body>
<h1>Hover</h1>
<nav id="menu" aria-label="Menu" style="width: 200px"><span id="menu-label">Products</span>
<ul><li><a id="first" href="/plain?title=First">First product</a></li>
<li><a id="second" href="/plain?title=Second">Second product</a></li></ul></nav>
<button id="tip" type="button" style="margin-top: 120px">Hover for a tip</button>
<p id="out">no tip</p>
<script>
const tip = document.getElementById('tip');
tip.addEventListener('mouseenter', () => { document.getElementById('out').textContent = 'tip shown'; });
tip.addEventListener('mouseleave', () => { document.getElementById('out').textContent = 'tip gone'; });
</script>
</body></html>
)html";

}  // namespace bridle::site
