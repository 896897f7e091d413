// Ways to end up elsewhere: redirects, refreshes, scripts, statuses, and connections that break.
#include "tests/site/pages/pages.h"

namespace bridle::site {
namespace {

// The number at the end of /status/NNN. 1xx would need a second head, so it isn't offered.
int status_of_path(const Request& request) {
  const std::string digits = request.path.substr(request.path.rfind('/') + 1);
  if (digits.size() != 3 || digits.find_first_not_of("0123456789") != std::string::npos) return 400;
  const int value = std::stoi(digits);
  return value < 200 ? 400 : value;
}

void no_store(Response& response) { response.set_header("Cache-Control", "no-store"); }

}  // namespace

void redirect(const Request& request, Response& response) {
  no_store(response);
  if (!response.delay(request.query_int("ms", 0, 0, kMaxMs))) return;
  response.redirect(request.query_text("to", "/plain"), request.query_int("status", 302, 300, 399));
}

void redirect_chain(const Request& request, Response& response) {
  no_store(response);
  const int left = request.query_int("n", 3, 0, 1000);
  if (left > 0) return response.redirect("/redirect-chain?n=" + std::to_string(left - 1));
  response.html(make_page("Chain end", "<h1>Chain end</h1>\n<p id=\"text\">No further redirect.</p>"));
}

void redirect_loop(const Request&, Response& response) {
  no_store(response);
  response.redirect("/redirect-loop");
}

void cross_redirect(const Request& request, Response& response) {
  no_store(response);
  response.redirect(request.other_origin + request.query_text("path", "/plain"));
}

// /aba here, then there, then a page here again.
void aba(const Request& request, Response& response) {
  no_store(response);
  if (request.query_text("hop") != "1") return response.redirect(request.other_origin + "/aba?hop=1");
  response.redirect(request.other_origin + "/plain?title=ABA&text=Back+at+the+first+origin.");
}

void status(const Request& request, Response& response) {
  response.status = status_of_path(request);
  const std::string name = "Status " + std::to_string(response.status);
  response.html(make_page(name, "<h1>" + name + "</h1>\n<p id=\"text\">A body of its own.</p>"));
}

void status_empty(const Request& request, Response& response) {
  response.status = status_of_path(request);
  response.set_header("Content-Type", "text/html; charset=utf-8");
}

void no_content(const Request&, Response& response) { response.status = 204; }

void reset_content(const Request&, Response& response) { response.status = 205; }

void empty_500(const Request&, Response& response) { response.status = 500; }

void reset(const Request&, Response& response) { response.reset(); }

void auth(const Request& request, Response& response) {
  no_store(response);
  const std::string* credentials = request.header("Authorization");
  if (credentials != nullptr && *credentials == "Basic dXNlcjpwYXNz") {  // user:pass
    return response.html(make_page("Authenticated", "<h1>Authenticated</h1>\n<p id=\"text\">Hello, user.</p>"));
  }
  response.status = 401;
  response.set_header("WWW-Authenticate", "Basic realm=\"fixture\"");
  response.html(make_page("Unauthorized", "<h1>Unauthorized</h1>\n<p>user:pass, please.</p>"));
}

void meta_refresh(const Request& request, Response& response) {
  no_store(response);
  const std::string refresh = request.query_text("s", "0") + ";url=" + request.query_text("to", "/plain");
  response.html(make_page("Meta refresh", "<h1>Meta refresh</h1>",
                          "<meta http-equiv=\"refresh\" content=\"" + escape_html(refresh) + "\">"));
}

void header_refresh(const Request& request, Response& response) {
  no_store(response);
  response.set_header("Refresh", request.query_text("s", "0") + "; url=" + request.query_text("to", "/plain"));
  response.html(make_page("Header refresh", "<h1>Header refresh</h1>"));
}

// how: href, replace, assign; settimeout (after `ms`, a 0 too); onload. The first three wait only if ms isn't 0.
void js_redirect(const Request& request, Response& response) {
  no_store(response);
  const std::string how = request.query_text("how", "href");
  const int ms = request.query_int("ms", 0, 0, kMaxMs);
  const std::string to = json_string(request.query_text("to", "/plain"));
  std::string go = "location.href = " + to + ";";
  if (how == "replace") go = "location.replace(" + to + ");";
  if (how == "assign") go = "location.assign(" + to + ");";
  if (how == "settimeout" || ms > 0) go = "setTimeout(() => { " + go + " }, " + std::to_string(ms) + ");";
  if (how == "onload") go = "addEventListener('load', () => { " + go + " });";
  response.html(make_page("JS redirect", "<h1>JS redirect</h1>\n<script>" + go + "</script>"));
}

const char kPushState[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Push state</title></head>
<body>
<h1>Push state</h1>
<button id="push" type="button">Push</button>
<button id="replace" type="button">Replace</button>
<button id="hash" type="button">Hash</button>
<button id="push-late" type="button">Push after 50 ms</button>
<button id="back" type="button">Back</button>
<button id="flood" type="button">Push 50 times</button>
<p id="url"></p>
<p id="pops">0</p>
<script>
let count = 0;
let pops = 0;
const show = () => { document.getElementById('url').textContent = location.href; };
const on = (id, action) => document.getElementById(id).addEventListener('click', () => { action(); show(); });
const push = () => { count++; history.pushState({count}, '', '/push-state/pushed?n=' + count); };
on('push', push);
on('replace', () => { count++; history.replaceState({count}, '', '/push-state/replaced?n=' + count); });
on('hash', () => { location.hash = 'h' + ++count; });
on('push-late', () => setTimeout(() => { push(); show(); }, 50));
on('back', () => history.back());
on('flood', () => { for (let i = 0; i < 50; i++) push(); });
addEventListener('popstate', () => { document.getElementById('pops').textContent = ++pops; show(); });
addEventListener('hashchange', show);
show();
</script>
</body></html>
)html";

const char kHash[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Hash</title></head>
<body>
<h1>Hash</h1>
<a id="to-one" href="#one">To one</a>
<a id="to-two" href="#two">To two</a>
<a id="to-self" href="/hash">Without a hash</a>
<p id="current"></p>
<h2 id="one" style="margin-top: 1500px">One</h2>
<h2 id="two" style="margin-top: 1500px">Two</h2>
<script>
const show = () => { document.getElementById('current').textContent = location.hash || 'none'; };
addEventListener('hashchange', show);
show();
</script>
</body></html>
)html";

}  // namespace bridle::site
