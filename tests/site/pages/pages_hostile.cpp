// Pages that are in the way of whoever injects scripts or trusts the page's own functions.
#include "tests/site/pages/pages.h"

namespace bridle::site {

const char kSurrogate[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Surrogate</title></head>
<body>
<h1>Surrogate</h1>
<p id="lone"></p>
<p id="low"></p>
<p id="emoji">🎉 whole</p>
<p id="cut"></p>
<button id="button" type="button"></button>
<input id="input">
<script>
const high = String.fromCharCode(0xd83d);
const low = String.fromCharCode(0xde00);
const set = (id, text) => { document.getElementById(id).textContent = text; };
set('lone', 'before ' + high + ' after');
set('low', 'before ' + low + ' after');
set('cut', 'party 🎉'.slice(0, -1));
set('button', 'Lone ' + high);
document.getElementById('button').setAttribute('aria-label', 'Lone ' + high + ' label');
document.getElementById('input').value = high;
document.title = 'Surrogate ' + high;
console.log('lone ' + high);
</script>
</body></html>
)html";

// A hostile page breaks what a careless injected script would call. The natives that the page needs itself are kept
// before; what it breaks lies or throws.
const char kOverrides[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Overrides</title></head>
<body>
<h1>Overrides</h1>
<button id="button" type="button">Count</button>
<p id="out">0</p>
<label>Field <input id="field" value="value"></label>
<a id="link" href="/plain">Plain link</a>
<form><input name="id" value="shadowed"><input name="tagName" value="shadowed"><input name="children"><input name="getAttribute"></form>
<script>
(() => {
  const out = document.getElementById('out');
  const set_text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').set;
  const apply = Reflect.apply;
  let count = 0;
  document.getElementById('button').addEventListener('click', () => { apply(set_text, out, [++count]); });
  const hostile = () => { throw new Error('overridden by the page'); };
  for (const name of ['map', 'filter', 'forEach', 'push', 'join', 'slice', 'concat', 'find', 'some', 'every', 'includes',
                      'indexOf', 'reduce', 'splice', 'sort', 'flat', 'flatMap']) {
    Array.prototype[name] = hostile;
  }
  Array.from = hostile;
  Array.prototype.toJSON = () => 'hostile';
  Object.prototype.toJSON = () => 'hostile';
  Object.keys = Object.entries = Object.values = Object.assign = hostile;
  JSON.stringify = () => '"hostile"';
  JSON.parse = hostile;
  for (const name of ['trim', 'replace', 'split', 'includes', 'startsWith', 'slice', 'toLowerCase']) {
    String.prototype[name] = hostile;
  }
  for (const name of ['querySelector', 'querySelectorAll', 'getElementById', 'createTreeWalker', 'elementFromPoint',
                      'elementsFromPoint', 'createElement', 'evaluate']) {
    document[name] = () => null;
  }
  for (const name of ['getBoundingClientRect', 'getClientRects', 'getAttribute', 'matches', 'closest', 'querySelector',
                      'querySelectorAll', 'scrollIntoView', 'checkVisibility']) {
    Element.prototype[name] = hostile;
  }
  window.getComputedStyle = () => ({display: 'none', visibility: 'hidden'});
  window.Map = window.Set = window.WeakMap = window.WeakRef = window.Promise = window.MutationObserver = hostile;
  window.setTimeout = window.setInterval = window.requestAnimationFrame = () => 0;
  window.fetch = window.XMLHttpRequest = hostile;
  window.performance.now = Date.now = () => 0;
  EventTarget.prototype.addEventListener = EventTarget.prototype.dispatchEvent = hostile;
  HTMLElement.prototype.click = HTMLElement.prototype.focus = hostile;
  Object.defineProperty(document, 'title', {get: () => 'hostile title'});
  Object.defineProperty(document, 'readyState', {get: () => 'loading'});
  Object.defineProperty(document, 'body', {get: () => null});
  Object.defineProperty(window, 'innerWidth', {get: () => 0});
  Object.defineProperty(Element.prototype, 'textContent', {get: () => 'hostile', set: () => {}});
  Object.defineProperty(Node.prototype, 'childNodes', {get: () => []});
  Object.defineProperty(HTMLElement.prototype, 'innerText', {get: () => 'hostile'});
})();
</script>
</body></html>
)html";

// Nothing is allowed but the page's own script, and no string may become HTML.
void csp(const Request&, Response& response) {
  response.set_header("Content-Security-Policy",
                      "default-src 'none'; script-src 'nonce-fixture'; base-uri 'none'; form-action 'none'; "
                      "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'");
  response.html(make_page("CSP", R"html(<h1>CSP</h1>
<button id="button" type="button">Count</button>
<p id="out">0</p>
<a id="link" href="/plain">Plain link</a>
<script nonce="fixture">
let count = 0;
document.getElementById('button').addEventListener('click', () => {
  document.getElementById('out').textContent = ++count;
});
</script>)html"));
}

// The document's origin is opaque although its URL isn't. ?allow=allow-scripts lets it run scripts.
void csp_sandbox(const Request& request, Response& response) {
  response.set_header("Content-Security-Policy", "sandbox " + request.query_text("allow"));
  response.html(make_page("CSP sandbox", R"html(<h1>CSP sandbox</h1>
<button id="button" type="button">Button</button>
<a id="link" href="/plain">Plain link</a>
<p id="out">no script ran</p>
<script>document.getElementById('out').textContent = 'origin ' + self.origin;</script>)html"));
}

}  // namespace bridle::site
