// What pages fetch, and a page that fetches it. ?cors=1 lets other origins read an answer.
#include "tests/site/pages/pages.h"

namespace bridle::site {
namespace {

// True if the request was a preflight, and is answered.
bool begin_api(const Request& request, Response& response) {
  response.set_header("Cache-Control", "no-store");
  if (request.query_text("cors") != "1") return false;
  const std::string* origin = request.header("Origin");
  response.set_header("Access-Control-Allow-Origin", origin == nullptr ? "*" : *origin);
  if (request.method != "OPTIONS") return false;
  response.set_header("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE");
  response.set_header("Access-Control-Allow-Headers", "Content-Type");
  response.status = 204;
  return true;
}

}  // namespace

void api_json(const Request& request, Response& response) {
  if (begin_api(request, response)) return;
  response.json(R"({"ok":true,"items":[1,2,3],"text":"Grüße 🎉"})");
}

void api_slow(const Request& request, Response& response) {
  if (begin_api(request, response)) return;
  const int ms = request.query_int("ms", 1000, 0, 600'000);
  if (!response.delay(ms)) return;
  response.json("{\"ok\":true,\"ms\":" + std::to_string(ms) + '}');
}

void api_echo(const Request& request, Response& response) {
  if (begin_api(request, response)) return;
  std::string query;
  for (const auto& [name, value] : request.query) {
    query += (query.empty() ? "" : ",") + json_string(name) + ':' + json_string(value);
  }
  std::string headers;
  for (const auto& [name, value] : request.headers) {
    headers += (headers.empty() ? "[" : ",[") + json_string(name) + ',' + json_string(value) + ']';
  }
  response.json("{\"method\":" + json_string(request.method) + ",\"path\":" + json_string(request.path) +
                ",\"query\":{" + query + "},\"headers\":[" + headers + "],\"body\":" + json_string(request.body) + '}');
}

void api_status(const Request& request, Response& response) {
  if (begin_api(request, response)) return;
  status(request, response);
  response.json("{\"status\":" + std::to_string(response.status) + '}');
}

// Twelve items; ?q= keeps those whose name contains it.
void api_items(const Request& request, Response& response) {
  if (begin_api(request, response)) return;
  constexpr std::string_view kNames[] = {"Anchor", "Bell",   "Candle",  "Drum", "Easel",  "Flute",
                                         "Globe",  "Hammer", "Inkwell", "Jug",  "Kettle", "Lantern"};
  if (!response.delay(request.query_int("ms", 0, 0, 600'000))) return;
  const std::string wanted = request.query_text("q");
  std::string items;
  int id = 0;
  for (const std::string_view name : kNames) {
    ++id;
    if (!name.contains(wanted)) continue;
    items += (items.empty() ? "" : ",");
    items += "{\"id\":" + std::to_string(id) + ",\"name\":" + json_string(name) +
             ",\"price\":" + std::to_string(id * 5) + '}';
  }
  response.json('[' + items + ']');
}

const char kFetchLab[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Fetch lab</title></head>
<body>
<h1>Fetch lab</h1>
<button id="json" type="button">Fetch JSON</button>
<button id="xhr" type="button">XHR</button>
<button id="not-found" type="button">404</button>
<button id="error" type="button">500</button>
<button id="post" type="button">POST JSON</button>
<button id="reset" type="button">Reset connection</button>
<button id="redirected" type="button">Redirected</button>
<button id="cors" type="button">Other origin, allowed</button>
<button id="no-cors" type="button">Other origin, refused</button>
<button id="slow" type="button">Slow</button>
<button id="never" type="button">Never</button>
<button id="abort" type="button">Abort what never answers</button>
<button id="chain" type="button">Three in a row</button>
<button id="sse" type="button">Event stream</button>
<pre id="log" aria-label="Log"></pre>
<script>
const log = (text) => { document.getElementById('log').textContent += text + '\n'; };
const on = (id, action) => document.getElementById(id).addEventListener('click', action);
const get = async (name, url, options) => {
  try {
    const response = await fetch(url, options);
    log(name + ' ' + response.status + ' ' + (await response.text()).slice(0, 200));
  } catch (error) {
    log(name + ' ' + error.name);
  }
};
on('json', () => get('json', '/api/json'));
on('xhr', () => {
  const xhr = new XMLHttpRequest();
  xhr.onloadend = () => log('xhr ' + xhr.status + ' ' + xhr.responseText);
  xhr.open('GET', '/api/json?by=xhr');
  xhr.send();
});
on('not-found', () => get('not-found', '/api/status/404'));
on('error', () => get('error', '/api/status/500'));
on('post', () => get('post', '/api/echo', {
  method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({hello: 'world', n: 1})}));
on('reset', () => get('reset', '/reset'));
on('redirected', () => get('redirected', '/redirect?to=/api/json'));
on('cors', () => get('cors', '{{other}}/api/echo?cors=1', {
  method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}));
on('no-cors', () => get('no-cors', '{{other}}/api/json'));
on('slow', () => get('slow', '/api/slow?ms=800'));
let controller = null;
on('never', () => { controller = new AbortController(); get('never', '/api/never', {signal: controller.signal}); });
on('abort', () => { if (controller) controller.abort(); });
on('chain', async () => { for (let i = 1; i <= 3; i++) await get('chain ' + i, '/api/slow?ms=100&n=' + i); });
on('sse', () => {
  const source = new EventSource('/sse?ms=50');
  source.onmessage = (event) => log('sse ' + event.data);
});
</script>
</body></html>
)html";

}  // namespace bridle::site
