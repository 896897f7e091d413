// Answers that take their time: slow, held, dripping, or never complete.
#include <algorithm>

#include "base/text/codecs.h"
#include "tests/site/pages/pages.h"

namespace bridle::site {
namespace {

int milliseconds(const Request& request, int fallback) { return request.query_int("ms", fallback, 0, kMaxMs); }

// 8 by 8 pixels of one blue.
constexpr unsigned char kPng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x08, 0x00, 0x00, 0x00, 0x08, 0x08, 0x02, 0x00, 0x00, 0x00, 0x4b, 0x6d, 0x29, 0xdc, 0x00, 0x00, 0x00, 0x11, 0x49,
    0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xd0, 0xca, 0xbf, 0x8d, 0x15, 0x31, 0x0c, 0x2d, 0x09, 0x00, 0x2a, 0xa4, 0x5d,
    0x01, 0xb6, 0x60, 0x8c, 0x7f, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

// Everything here must be asked of the server each time.
void begin_html(Response& response) {
  response.set_header("Content-Type", "text/html; charset=utf-8");
  response.set_header("Cache-Control", "no-store");
}

void set_attachment(const Request& request, Response& response) {
  std::string name = request.query_text("name", "file.bin");
  std::erase_if(name, [](char c) { return c == '"' || c == '\\'; });
  response.set_header("Content-Type", "application/octet-stream");
  response.set_header("Cache-Control", "no-store");
  // Both forms, as RFC 6266 has it: the second holds names that aren't ASCII.
  response.set_header("Content-Disposition",
                      "attachment; filename=\"" + name + "\"; filename*=UTF-8''" + percent_encode(name));
}

constexpr std::string_view kDownloadPattern = "abcdefghijklmnopqrstuvwxyz";

std::size_t download_size(const Request& request) {
  return static_cast<std::size_t>(request.query_int("size", 1024, 0, 256 * 1024 * 1024));
}

// The head and the first half.
bool begin_download(std::size_t size, Response& response) {
  return response.begin(size) && response.write_repeated(kDownloadPattern, size / 2);
}

}  // namespace

void slow(const Request& request, Response& response) {
  begin_html(response);
  if (!response.delay(milliseconds(request, 1000))) return;
  response.html(make_page("Slow", "<h1>Slow</h1>\n<p id=\"text\">It came in the end.</p>"));
}

void slow_body(const Request& request, Response& response) {
  begin_html(response);
  if (!response.begin() || !response.delay(milliseconds(request, 1000))) return;
  response.write(make_page("Slow body", "<h1>Slow body</h1>\n<p id=\"text\">The body came in the end.</p>"));
}

void never(const Request&, Response& response) {
  begin_html(response);
  if (!response.hold()) return;
  response.html(make_page("Released", "<h1>Released</h1>\n<p id=\"text\">The test let this answer go.</p>"));
}

void never_body(const Request&, Response& response) {
  begin_html(response);
  if (!response.begin() || !response.hold()) return;
  response.write(make_page("Released", "<h1>Released</h1>\n<p id=\"text\">The test let this body go.</p>"));
}

void held(const Request& request, Response& response) {
  begin_html(response);
  const std::string key = request.query_text("key");
  if (!response.hold(key)) return;
  response.html(make_page("Held " + key, "<h1>Held</h1>\n<p id=\"text\">Released by " + escape_html(key) + ".</p>"));
}

void drip(const Request& request, Response& response) {
  begin_html(response);
  const int chunks = request.query_int("chunks", 5, 0, 100'000);
  const int ms = milliseconds(request, 100);
  if (!response.begin()) return;
  if (!response.write("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Drip</title></head>\n"
                      "<body><h1>Drip</h1>\n")) {
    return;
  }
  for (int i = 1; i <= chunks; ++i) {
    if (!response.delay(ms)) return;
    if (!response.write("<p>Drop " + std::to_string(i) + "</p>\n")) return;
  }
  response.write("<p id=\"done\">All dropped.</p></body></html>\n");
}

void sse(const Request& request, Response& response) {
  response.set_header("Content-Type", "text/event-stream");
  response.set_header("Cache-Control", "no-store");
  // A release would otherwise make it spin.
  const int ms = std::max(milliseconds(request, 100), 1);
  if (!response.begin()) return;
  for (int i = 1; response.write("id: " + std::to_string(i) + "\ndata: event " + std::to_string(i) + "\n\n"); ++i) {
    const Millis before = steady_now();
    if (!response.delay(ms)) return;
    if (steady_now() - before < Millis(ms)) return;  // released: the stream ends
  }
}

void image(const Request&, Response& response) {
  response.set_header("Content-Type", "image/png");
  response.body.assign(reinterpret_cast<const char*>(kPng), sizeof kPng);
}

void slow_image(const Request& request, Response& response) {
  response.set_header("Cache-Control", "no-store");
  if (response.delay(milliseconds(request, 1000))) image(request, response);
}

void with_slow_image(const Request& request, Response& response) {
  const std::string ms = std::to_string(milliseconds(request, 1000));
  response.html(
      make_page("With slow image",
                "<h1>With slow image</h1>\n<img id=\"image\" alt=\"slow\" src=\"/slow-image?ms=" + ms + R"html(">
<p id="state">loading</p>
<button id="button" type="button">Ready</button>
<script>
addEventListener('load', () => { document.getElementById('state').textContent = 'loaded'; });
</script>)html"));
}

const char kWithNeverImage[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>With never image</title></head>
<body>
<h1>With never image</h1>
<img id="image" alt="never" src="/never-image">
<p id="state">loading</p>
<button id="button" type="button">Ready</button>
<a href="/plain">Plain</a>
<script>
addEventListener('load', () => { document.getElementById('state').textContent = 'loaded'; });
document.getElementById('button').addEventListener('click', (event) => { event.target.textContent = 'Clicked'; });
</script>
</body></html>
)html";

void download(const Request& request, Response& response) {
  set_attachment(request, response);
  const std::size_t size = download_size(request);
  if (response.begin(size)) response.write_repeated(kDownloadPattern, size);
}

// The first half at once, the second after `ms`.
void download_slow(const Request& request, Response& response) {
  set_attachment(request, response);
  const std::size_t size = download_size(request);
  if (!begin_download(size, response) || !response.delay(milliseconds(request, 1000))) return;
  response.write_repeated(kDownloadPattern, size - size / 2);
}

void download_never(const Request& request, Response& response) {
  set_attachment(request, response);
  const std::size_t size = download_size(request);
  if (!begin_download(size, response) || !response.hold()) return;
  response.write_repeated(kDownloadPattern, size - size / 2);
}

}  // namespace bridle::site
