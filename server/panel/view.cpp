#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/errors.h"
#include "base/limits.h"
#include "base/text/codecs.h"
#include "base/text/named_secrets.h"
#include "server/http/messages/sse.h"
#include "server/panel/panel.h"
#include "server/panel/replies.h"
#include "server/panel/state.h"
#include "tools/contract/live_tab.h"

// A tab to look at: its pictures as they come, and what it has logged [panel.view] [panel.logs].
namespace bridle {
namespace {

constexpr Millis kViewBegins{5000};
constexpr Millis kViewTick{200};  // how soon a view notices that its viewer has left
constexpr std::size_t kFilePiece = 64 * 1024;
constexpr int kWidthByDefault = 1280;

std::string with_length(std::string_view bytes) {
  std::string out;
  const auto size = static_cast<std::uint32_t>(bytes.size());
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>((size >> shift) & 0xFF);
  return out.append(bytes);
}

// A file in pieces; `path` "": there is none.
HttpReply file_reply(const std::string& path, decltype(HttpReply::headers) headers) {
  const auto file = std::make_shared<std::ifstream>(path, std::ios::binary);
  if (path.empty() || !*file) return panel::refusal(404, "There is no such file any more");
  HttpReply reply;
  reply.headers = std::move(headers);
  reply.stream = [file](HttpStream& out) {
    std::string piece(kFilePiece, '\0');
    while (*file) {
      file->read(piece.data(), static_cast<std::streamsize>(piece.size()));
      const auto got = static_cast<std::size_t>(file->gcount());
      if (got == 0 || !out.write(std::string_view(piece).substr(0, got))) return;
    }
  };
  return reply;
}

}  // namespace

std::shared_ptr<LiveTab> Panel::live_tab(const std::string& session, const std::string& tab) const {
  const auto scope = panel::scope_of(parts_.board, session);
  const auto& find = parts_.board.toolbox().live_tab;
  return scope && find ? find(*scope, tab) : nullptr;
}

// An endless answer of parts: the length of a JSON text, that text, the length of a JPEG, the JPEG.
HttpReply Panel::view(HttpRequest& request) {
  const auto tab = live_tab(request.query_param("session"), request.query_param("tab"));
  if (!tab) return panel::refusal(404, "There is no such tab any more");
  const auto width = request.query_param("width");
  const bool digits = !width.empty() && width.size() < 6 && width.find_first_not_of("0123456789") == std::string::npos;
  HttpReply reply;
  reply.headers = {{"Content-Type", "application/octet-stream"}, {"X-Accel-Buffering", "no"}};
  auto& peer = *request.peer;
  reply.stream = [this, tab, px = digits ? std::stoi(width) : kWidthByDefault, &peer](HttpStream& out) {
    try {
      stream_view(out, peer, *tab, px);
    } catch (const Aborted&) {
      // The server ends, and the stream with it.
    }
  };
  return reply;
}

void Panel::stream_view(HttpStream& out, HttpPeer& peer, LiveTab& tab, int width) {
  const StreamCount count(parts_.streams);
  const auto end = [&](const std::string& why) { out.write(with_length(dump({{"end", why}})) + with_length("")); };
  std::shared_ptr<LiveView> view;
  try {
    view = tab.view(until(Deadline::after(kViewBegins)), width);
  } catch (const ToolError& error) {
    return end(error.what());
  }
  LiveView::Picture last;
  while (!peer.closed()) {
    const auto got = view->next(until(Deadline::after(kViewTick)), last);
    if (got == LiveView::Next::over) return end("The tab has ended.");
    if (got == LiveView::Next::none) continue;
    Json about = last.about;
    about["at"] = epoch_ms(Clock::now());
    if (!out.write(with_length(dump(about)) + with_length(*last.jpeg))) return;
  }
}

// A browser saves it, whatever it is, and never shows it here [panel.downloads].
HttpReply Panel::download(const std::string& id) {
  const auto path = panel::download_path(parts_.board, id);
  const auto name = std::filesystem::path(path).filename().string();
  return file_reply(path, {{"Content-Type", "application/octet-stream"},
                           {"Content-Disposition", "attachment; filename*=UTF-8''" + percent_encode(name)}});
}

HttpReply Panel::picture(const std::string& name) {
  return file_reply(parts_.board.timeline().picture(name), {{"Content-Type", "image/jpeg"}});
}

HttpReply Panel::log_of(HttpRequest& request, Json (LiveTab::*log)() const) const {
  const auto tab = live_tab(request.query_param("session"), request.query_param("tab"));
  if (!tab) return panel::refusal(404, "There is no such tab any more");
  Json entries = ((*tab).*log)();
  hide_named_secrets(entries);
  return HttpReply::json(200, dump(entries));
}

HttpReply Panel::console(HttpRequest& request) { return log_of(request, &LiveTab::console); }
HttpReply Panel::network(HttpRequest& request) { return log_of(request, &LiveTab::network); }

}  // namespace bridle
