// Plain pages: text, many elements, long ones, and ones that change by themselves.
#include "tests/site/pages/pages.h"

namespace bridle::site {
namespace {

constexpr int kMaxElements = 200'000;
constexpr int kMaxLarge = 64 * 1024 * 1024;

// One of ten kinds in turn. Wrappers that a kind needs (a list, a paragraph) don't count as elements.
void append_element(std::string& out, int index) {
  const std::string n = std::to_string(index);
  const std::string id = " id=\"e" + n + "\"";
  switch (index % 10) {
    case 0:
      out += "<h2" + id + ">Section " + n + "</h2>\n";
      break;
    case 1:
      out += "<p><a" + id + " href=\"/plain?title=Link+" + n + "\">Link " + n + "</a></p>\n";
      break;
    case 2:
      out += "<button" + id + " type=\"button\">Button " + n + "</button>\n";
      break;
    case 3:
      out += "<input" + id + " type=\"text\" name=\"field" + n + "\" placeholder=\"Field " + n + "\">\n";
      break;
    case 4:
      out += "<ul><li" + id + ">Item " + n + "</li></ul>\n";
      break;
    case 5:
      out += "<input" + id + " type=\"checkbox\" aria-label=\"Option " + n + "\"" +
             (index % 20 == 5 ? " checked" : "") + ">\n";
      break;
    case 6:
      out += "<p" + id + ">Paragraph " + n + ": the quick brown fox jumps over the lazy dog.</p>\n";
      break;
    case 7:
      out += "<select" + id + " aria-label=\"Choice " + n +
             "\"><option>One</option><option selected>Two</option></select>\n";
      break;
    case 8:
      out += "<div" + id + " role=\"button\" tabindex=\"0\">Role button " + n + "</div>\n";
      break;
    default:
      out += "<textarea" + id + " aria-label=\"Note " + n + "\">Text " + n + "</textarea>\n";
  }
}

}  // namespace

std::string make_page(std::string_view title, std::string_view body, std::string_view head) {
  std::string out = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>";
  out += escape_html(title);
  out.append("</title>").append(head).append("</head>\n<body>\n").append(body).append("\n</body></html>\n");
  return out;
}

void plain(const Request& request, Response& response) {
  const std::string title = request.query_text("title", "Plain");
  response.html(make_page(title, "<h1>" + escape_html(title) + "</h1>\n<p id=\"text\">" +
                                     escape_html(request.query_text("text", "A plain page.")) + "</p>"));
}

void elements(const Request& request, Response& response) {
  const int count = request.query_int("n", 50, 0, kMaxElements);
  std::string body = "<p id=\"out\">nothing clicked</p>\n";
  for (int i = 0; i < count; ++i) append_element(body, i);
  body += R"html(<script>
document.addEventListener('click', (event) => {
  if (event.target.id) document.getElementById('out').textContent = 'clicked ' + event.target.id;
});
</script>)html";
  response.html(make_page("Elements " + std::to_string(count), body));
}

void large(const Request& request, Response& response) {
  constexpr std::string_view kLine = "The fixture site repeats this line of sixty-four bytes, always.\n";
  static_assert(kLine.size() == 64);
  const auto size = static_cast<std::size_t>(request.query_int("bytes", 1'000'000, 0, kMaxLarge));
  response.set_header("Content-Type", "text/plain; charset=utf-8");
  if (response.begin(size)) response.write_repeated(kLine, size);
}

void not_found(const Request& request, Response& response) {
  response.status = 404;
  response.html(make_page("Not found", "<h1>Not found</h1>\n<p>No page at " + escape_html(request.path) +
                                           ".</p>\n<p><a href=\"/\">Index</a></p>"));
}

const char kIndex[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Fixture site</title></head>
<body>
<h1>Fixture site</h1>
<nav aria-label="Pages">
<ul>
<li><a href="/plain">Plain page</a></li>
<li><a href="/form">Form</a></li>
<li><a href="/click-lab">Click lab</a></li>
<li><a href="/spa">Single page app</a></li>
<li><a href="/shop">Shop</a></li>
<li><a href="/todo">To do</a></li>
<li><a href="/iframes">Frames</a></li>
<li><a href="/shadow">Shadow roots</a></li>
<li><a href="/popup">Popups</a></li>
<li><a href="/slow?ms=500">Slow page</a></li>
<li><a href="/cross-redirect?path=/plain">Redirect to the other origin</a></li>
<li><a href="{{other}}/">The other origin</a></li>
</ul>
</nav>
<button id="hello" type="button">Say hello</button>
<p id="out" role="status"></p>
<script>
document.getElementById('hello').addEventListener('click', () => {
  document.getElementById('out').textContent = 'hello';
});
</script>
</body></html>
)html";

const char kLong[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Long page</title>
<style>p { height: 60px; margin: 0 }</style></head>
<body>
<h1>Long page</h1>
<a href="#bottom">To the bottom</a>
<div id="content"></div>
<button id="bottom" type="button">Bottom button</button>
<p id="out"></p>
<script>
const content = document.getElementById('content');
for (let i = 1; i <= 1000; i++) {
  const line = document.createElement('p');
  line.id = 'line' + i;
  line.textContent = 'Line ' + i + ' of 1000.';
  content.append(line);
}
document.getElementById('bottom').addEventListener('click', () => {
  document.getElementById('out').textContent = 'bottom clicked';
});
</script>
</body></html>
)html";

const char kScrollLab[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Scroll lab</title>
<style>
body { margin: 0; width: 3000px }
header { position: sticky; top: 0; height: 50px; background: #eee; z-index: 1; width: 100vw }
.box { width: 300px; height: 150px; overflow: auto; border: 1px solid; margin: 10px }
.tall { height: 1500px }
</style></head>
<body>
<header>Sticky header <span id="position">0,0</span></header>
<h1>Scroll lab</h1>
<div class="box" id="inner" tabindex="0" aria-label="Inner scroller">
<div class="tall">Inner top</div><button id="inner-button" type="button">Inner button</button>
</div>
<div class="box" aria-label="Outer of two"><div class="tall">
<div class="box" id="nested"><div class="tall">Nested top</div><button id="nested-button" type="button">Nested button</button></div>
</div></div>
<ul id="feed" aria-label="Endless feed"></ul>
<div id="end" style="height: 40px">loading more</div>
<button id="right" type="button" style="position: absolute; left: 2600px; top: 400px">Far right</button>
<p id="out" style="position: fixed; bottom: 0; left: 0; margin: 0"></p>
<script>
const feed = document.getElementById('feed');
const more = () => {
  for (let i = 0; i < 20; i++) {
    const item = document.createElement('li');
    item.style.height = '40px';
    item.textContent = 'Feed item ' + (feed.children.length + 1);
    feed.append(item);
  }
};
more();
new IntersectionObserver((entries) => {
  if (entries.some((entry) => entry.isIntersecting) && feed.children.length < 500) more();
}).observe(document.getElementById('end'));
addEventListener('scroll', () => {
  document.getElementById('position').textContent = Math.round(scrollX) + ',' + Math.round(scrollY);
});
document.addEventListener('click', (event) => {
  if (event.target.id) document.getElementById('out').textContent = 'clicked ' + event.target.id;
});
</script>
</body></html>
)html";

const char kUnicode[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Ünïcödé – 日本語 🎉</title></head>
<body>
<h1>Ünïcödé – 日本語 🎉</h1>
<p id="german">Größe, Straße, Äpfel</p>
<p id="greek">Καλημέρα κόσμε</p>
<p id="russian">Привет, мир</p>
<p id="hebrew" lang="he" dir="rtl">שלום עולם</p>
<p id="arabic" lang="ar" dir="rtl">مرحبا بالعالم</p>
<p id="chinese">你好，世界 𠮷</p>
<p id="hindi">नमस्ते दुनिया</p>
<p id="emoji">👩‍👩‍👧‍👦 🇩🇪 👍🏽 🎉</p>
<p id="combining">e&#x301; a&#x308; (combining), &#x200B;zero&#x200D;width&#xFEFF;, nb&nbsp;space, soft&shy;hyphen</p>
<p id="controls">bell:&#x7f; line separator:&#x2028; paragraph separator:&#x2029; override:&#x202e;cba</p>
<label>Name <input id="name" value="Zoë 🎈"></label>
<button id="go" type="button">Los geht’s →</button>
<a id="link" href="/plain?title=日本語">リンク</a>
</body></html>
)html";

const char kTitleChange[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Title 0</title></head>
<body>
<h1>Title change</h1>
<button id="once" type="button">Change once</button>
<button id="often" type="button">Change every 20 ms</button>
<script>
let count = 0;
const change = () => { document.title = 'Title ' + ++count; };
addEventListener('load', change);
document.getElementById('once').addEventListener('click', change);
document.getElementById('often').addEventListener('click', () => setInterval(change, 20));
</script>
</body></html>
)html";

const char kConsole[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Console</title></head>
<body>
<h1>Console</h1>
<button id="log" type="button">Log</button>
<button id="throw" type="button">Throw</button>
<button id="reject" type="button">Reject</button>
<button id="flood" type="button">Log 5000 lines</button>
<script>
console.log('log on load', 1, {a: [1, 2], b: 'two'});
console.info('info on load');
console.warn('warn on load');
console.error('error on load');
console.debug('debug on load');
const on = (id, action) => document.getElementById(id).addEventListener('click', action);
on('log', () => console.log('log on click'));
on('throw', () => { throw new Error('thrown on click'); });
on('reject', () => { Promise.reject(new TypeError('rejected on click')); });
on('flood', () => { for (let i = 0; i < 5000; i++) console.log('flood ' + i); });
</script>
<script>throw new Error('thrown on load');</script>
</body></html>
)html";

}  // namespace bridle::site
