// Forms and what they leave behind: echoes, a login, cookies, storage.
#include "base/text/codecs.h"
#include "tests/site/pages/pages.h"

namespace bridle::site {
namespace {

struct Part {
  std::string name;
  std::string filename;
  std::string content;
};

// The value of `key="..."` in a Content-Disposition line.
std::string quoted_parameter(std::string_view line, std::string_view key) {
  const std::string opening = std::string(key) + "=\"";
  std::size_t start = 0;
  // `filename=` must not pass for `name=`.
  do {
    start = line.find(opening, start);
    if (start == std::string_view::npos) return "";
    start += opening.size();
  } while (start > opening.size() && line[start - opening.size() - 1] != ' ');
  return std::string(line.substr(start, line.find('"', start) - start));
}

std::vector<Part> parse_multipart(const std::string& body, const std::string& content_type) {
  std::vector<Part> parts;
  const std::size_t at = content_type.find("boundary=");
  if (at == std::string::npos) return parts;
  const std::string boundary = "--" + content_type.substr(at + 9);
  std::size_t start = body.find(boundary);
  while (start != std::string::npos) {
    start += boundary.size() + 2;
    const std::size_t next = body.find("\r\n" + boundary, start);
    if (next == std::string::npos) break;
    const std::string_view part = std::string_view(body).substr(start, next - start);
    const std::size_t head_end = part.find("\r\n\r\n");
    if (head_end != std::string_view::npos) {
      const std::string_view head = part.substr(0, head_end);
      parts.push_back(
          {quoted_parameter(head, "name"), quoted_parameter(head, "filename"), std::string(part.substr(head_end + 4))});
    }
    start = next + 2;
  }
  return parts;
}

// One line a field, in the order sent.
std::string echo_fields(const Request& request) {
  std::string out;
  const std::string* type = request.header("Content-Type");
  if (type != nullptr && type->starts_with("multipart/form-data")) {
    for (const Part& part : parse_multipart(request.body, *type)) {
      out += part.name + '=';
      out +=
          part.filename.empty() ? part.content : part.filename + " (" + std::to_string(part.content.size()) + " bytes)";
      out += '\n';
    }
    return out;
  }
  const std::size_t question = request.target.find('?');
  const std::string query = question == std::string::npos ? "" : request.target.substr(question + 1);
  for (const auto& [name, value] : parse_form(request.method == "POST" ? request.body : query)) {
    out += name + '=' + value + '\n';
  }
  return out;
}

std::string login_form(std::string_view message) {
  return "<h1>Log in</h1>\n<p id=\"message\" role=\"alert\">" + escape_html(message) + R"html(</p>
<form action="/login" method="post">
<p><label>User <input id="user" name="user" autocomplete="username"></label></p>
<p><label>Password <input id="password" name="password" type="password" autocomplete="current-password"></label></p>
<p><button id="submit">Log in</button></p>
</form>)html";
}

}  // namespace

const char kForm[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Form</title></head>
<body>
<h1>Form</h1>
<form id="main" action="/submit" method="post" enctype="multipart/form-data">
<p><label>Text <input id="text" name="text" value="preset"></label></p>
<p><label>Email <input id="email" name="email" type="email" placeholder="you@example.com"></label></p>
<p><label>Password <input id="password" name="password" type="password"></label></p>
<p><label>Comment <textarea id="comment" name="comment" rows="3"></textarea></label></p>
<p><label><input id="subscribe" name="subscribe" type="checkbox" value="yes"> Subscribe</label>
<label><input id="terms" name="terms" type="checkbox" value="accepted" checked> Terms</label></p>
<fieldset><legend>Colour</legend>
<label><input id="red" name="colour" type="radio" value="red"> Red</label>
<label><input id="green" name="colour" type="radio" value="green" checked> Green</label>
<label><input id="blue" name="colour" type="radio" value="blue"> Blue</label></fieldset>
<p><label>Size <select id="size" name="size">
<option value="s">Small</option><option value="m" selected>Medium</option><option value="l">Large</option>
<option value="xl" disabled>Extra large</option></select></label></p>
<p><label>Toppings <select id="toppings" name="toppings" multiple size="4">
<optgroup label="Sweet"><option value="honey">Honey</option><option value="jam">Jam</option></optgroup>
<optgroup label="Salty"><option value="cheese" selected>Cheese</option><option value="olives">Olives</option></optgroup>
</select></label></p>
<p><label>File <input id="file" name="file" type="file"></label>
<label>Files <input id="files" name="files" type="file" multiple accept=".txt,image/png"></label></p>
<p><label>Date <input id="date" name="date" type="date"></label>
<label>Time <input id="time" name="time" type="time"></label>
<label>Number <input id="number" name="number" type="number" min="0" max="10" step="1" value="3"></label>
<label>Range <input id="range" name="range" type="range" min="0" max="100" value="50"></label>
<label>Paint <input id="paint" name="paint" type="color" value="#ff0000"></label></p>
<p><label>Read only <input id="readonly" name="readonly" value="fixed" readonly></label>
<label>Disabled <input id="disabled" name="disabled" value="off" disabled></label></p>
<input type="hidden" name="hidden" value="secret">
<p><button id="submit" name="via" value="submit">Submit</button>
<button id="reset" type="reset">Reset</button></p>
</form>
<form id="search" action="/submit" method="get" role="search">
<label>Search <input id="query" name="q" type="search"></label> <button id="search-go">Search</button>
</form>
<form id="encoded" action="/submit" method="post">
<label>Note <input id="note" name="note" required maxlength="20"></label> <button id="encoded-go">Send note</button>
</form>
<p id="events"></p>
<script>
for (const type of ['input', 'change', 'submit', 'reset', 'invalid']) {
  document.addEventListener(type, (event) => {
    document.getElementById('events').textContent += type + ':' + event.target.id + ' ';
  }, true);
}
</script>
</body></html>
)html";

void submit(const Request& request, Response& response) {
  response.set_header("Cache-Control", "no-store");
  response.html(make_page("Submitted", "<h1>Submitted</h1>\n<p id=\"method\">" + escape_html(request.method) +
                                           "</p>\n<pre id=\"echo\">" + escape_html(echo_fields(request)) +
                                           "</pre>\n<p><a href=\"/form\">Again</a></p>"));
}

void login(const Request& request, Response& response) {
  response.set_header("Cache-Control", "no-store");
  if (request.method != "POST") return response.html(make_page("Log in", login_form("")));
  std::string user;
  std::string password;
  for (const auto& [name, value] : parse_form(request.body)) {
    if (name == "user") user = value;
    if (name == "password") password = value;
  }
  if (password != "pass") return response.html(make_page("Log in", login_form("Wrong user or password.")));
  response.add_header("Set-Cookie", "session=" + percent_encode(user) + "; Path=/; HttpOnly; SameSite=Lax");
  response.redirect("/account", 303);
}

void account(const Request& request, Response& response) {
  response.set_header("Cache-Control", "no-store");
  const std::string user = percent_decode_leniently(request.cookie("session"), false);
  if (user.empty()) return response.redirect("/login");
  response.html(make_page("Account", "<h1>Account</h1>\n<p id=\"user\">Logged in as " + escape_html(user) + ".</p>"));
}

void set_cookie(const Request& request, Response& response) {
  const std::string name = request.query_text("name", "flavour");
  const std::string value = request.query_text("value", "chocolate");
  response.set_header("Cache-Control", "no-store");
  response.add_header("Set-Cookie", name + '=' + value + "; Path=/");
  response.add_header("Set-Cookie", name + "_http=" + value + "; Path=/; HttpOnly");
  response.html(make_page("Cookie set", "<h1>Cookie set</h1>\n<p id=\"text\">" + escape_html(name + '=' + value) +
                                            "</p>\n<p><a href=\"/cookies\">Cookies</a></p>"));
}

void cookies(const Request& request, Response& response) {
  const std::string* sent = request.header("Cookie");
  response.set_header("Cache-Control", "no-store");
  response.html(make_page("Cookies", "<h1>Cookies</h1>\n<pre id=\"cookies\">" +
                                         (sent == nullptr ? "none" : escape_html(*sent)) + "</pre>"));
}

const char kStorage[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Storage</title></head>
<body>
<h1>Storage</h1>
<button id="store" type="button">Store</button>
<button id="clear" type="button">Clear</button>
<p>Local: <span id="local"></span></p>
<p>Session: <span id="session"></span></p>
<p>Indexed: <span id="indexed">closed</span></p>
<script>
const show = () => {
  document.getElementById('local').textContent = localStorage.getItem('visits') || 'none';
  document.getElementById('session').textContent = sessionStorage.getItem('visits') || 'none';
};
const on = (id, action) => document.getElementById(id).addEventListener('click', () => { action(); show(); });
on('store', () => {
  for (const storage of [localStorage, sessionStorage]) {
    storage.setItem('visits', Number(storage.getItem('visits') || 0) + 1);
  }
});
on('clear', () => { localStorage.clear(); sessionStorage.clear(); });
const opening = indexedDB.open('fixture', 1);
opening.onupgradeneeded = () => { opening.result.createObjectStore('things').put('thing', 'key'); };
opening.onsuccess = () => { document.getElementById('indexed').textContent = 'open'; };
show();
</script>
</body></html>
)html";

}  // namespace bridle::site
