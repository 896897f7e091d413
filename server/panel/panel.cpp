#include "server/panel/panel.h"

#include <utility>

#include "base/errors.h"
#include "base/text/codecs.h"
#include "base/text/random.h"
#include "base/text/text.h"
#include "server/http/messages/refusals.h"
#include "server/panel/page_files.h"
#include "server/panel/replies.h"
#include "server/panel/state.h"

namespace bridle {
namespace {

constexpr std::string_view kBelow = "/panel/";
constexpr std::string_view kDownloads = "/panel/downloads/";
constexpr std::string_view kPictures = "/panel/pictures/";
constexpr std::size_t kServerBytes = 6;
constexpr std::size_t kPastAtOnce = 200;

}  // namespace

struct Panel::Route {
  std::string_view path;
  std::string_view method;
  HttpReply (Panel::*handler)(HttpRequest&);
};

Panel::Panel(Parts parts)
    : parts_(parts),
      entry_(parts.port),
      server_(random_token(kServerBytes)),
      gone_(parts.background, [this] { hand_back_of_gone(); }) {}

Panel::~Panel() = default;

const Panel::Route* Panel::find(std::string_view path) {
  static constexpr Route kRoutes[] = {
      {"/panel/link", "POST", &Panel::link},
      {"/panel/enter", "GET", &Panel::enter},
      {"/panel/events", "GET", &Panel::events},
      {"/panel/past", "GET", &Panel::past},
      {"/panel/stop", "POST", &Panel::stop},
      {"/panel/take-over", "POST", &Panel::take_over},
      {"/panel/hand-back", "POST", &Panel::hand_back},
      {"/panel/input", "POST", &Panel::input},
      {"/panel/dialog", "POST", &Panel::dialog},
      {"/panel/answer", "POST", &Panel::answer_question},
      {"/panel/view", "GET", &Panel::view},
      {"/panel/console", "GET", &Panel::console},
      {"/panel/network", "GET", &Panel::network},
  };
  for (const Route& one : kRoutes) {
    if (one.path == path) return &one;
  }
  return nullptr;
}

bool Panel::serves(const HttpRequest& request) {
  if (request.path.starts_with(kBelow)) return true;
  const auto* accept = request.header("Accept");
  return request.path == "/" && request.method == "GET" && accept != nullptr &&
         accept->find("text/html") != std::string::npos;
}

std::optional<HttpReply> Panel::check(const HttpRequest& request) const {
  std::optional<HttpReply> refused;
  if (asks_for_link(request)) {
    // A browser says that it is one, in ways that its pages can't leave out.
    const bool browser = request.header("Origin") != nullptr || request.header("Sec-Fetch-Site") != nullptr;
    if (browser) refused = panel::refusal(403, "Only `bridle panel` may ask for a link");
  } else if (request.path != "/panel/enter") {
    if (!entry_.knows(request)) refused = panel::locked(request);
    // What changes something comes from our own page, whatever the cookie says [panel.entry.same-origin].
    if (!refused && request.method != "GET" && !panel::is_same_origin(request))
      refused = panel::refusal(403, "Only the panel's own page may do this");
  }
  if (!refused) return std::nullopt;
  panel::add_headers(*refused);
  refused->close = true;
  return refused;
}

HttpReply Panel::handle(HttpRequest& request) {
  HttpReply reply;
  try {
    reply = answer(request);
  } catch (const Aborted&) {
    reply = panel::refusal(503, "The server is ending");
  }
  panel::add_headers(reply);
  return reply;
}

HttpReply Panel::answer(HttpRequest& request) {
  if (!asks_for_link(request) && request.path != "/panel/enter" && request.peer != nullptr) request.peer->trust();
  if (const Route* const wanted = find(request.path)) {
    return request.method == wanted->method ? (this->*wanted->handler)(request) : method_not_allowed(wanted->method);
  }
  if (request.method != "GET") return panel::refusal(404, "Not found");
  if (request.path.starts_with(kPictures)) return picture(request.path.substr(kPictures.size()));
  if (request.path.starts_with(kDownloads)) return download(request.path.substr(kDownloads.size()));
  return file(request, request.path == "/" ? "index.html" : std::string_view(request.path).substr(kBelow.size()));
}

HttpReply Panel::file(const HttpRequest& request, std::string_view name) {
  for (const auto& one : panel::page_files()) {
    if (one.name != name) continue;
    const auto tag = panel::etag_of(one.text);
    HttpReply reply;
    const auto* known = request.header("If-None-Match");
    if (known != nullptr && known->find(tag) != std::string::npos) {
      reply.status = 304;
    } else {
      reply.body = one.text;
      reply.headers.emplace_back("Content-Type", panel::content_type(name));
    }
    reply.headers.emplace_back("ETag", tag);
    reply.headers.emplace_back("Cache-Control", "no-cache");
    return reply;
  }
  return panel::refusal(404, "Not found");
}

// ---- entry

HttpReply Panel::link(HttpRequest& request) {
  const auto* host = request.header("Host");
  return panel::ok({{"url", "http://" + *host + "/panel/enter?token=" + entry_.make_token(request.peer->owner())}});
}

HttpReply Panel::enter(HttpRequest& request) {
  const auto cookie = entry_.enter(request.query_param("token"), request.peer->owner());
  if (cookie.empty()) return panel::locked(request);
  HttpReply reply = HttpReply::empty(303);
  reply.headers.emplace_back("Location", "/");
  reply.headers.emplace_back("Set-Cookie", cookie);
  return reply;
}

// ---- what the person does

HttpReply Panel::past(HttpRequest& request) {
  const auto number = [&](const char* name, long otherwise) {
    const auto given = request.query_param(name);
    const bool digits =
        !given.empty() && given.size() < 12 && given.find_first_not_of("0123456789") == std::string::npos;
    return digits ? std::stol(given) : otherwise;
  };
  const auto most = std::min(static_cast<std::size_t>(number("limit", limits::kTimelineShown)), kPastAtOnce);
  bool more = false;
  std::string body = "{\"entries\":[";
  for (const auto& entry :
       parts_.board.timeline().before(number("before", 0), request.query_param("query"), most, more)) {
    if (body.back() != '[') body += ',';
    body += entry->json;
  }
  body += "],\"more\":" + std::string(more ? "true" : "false") +
          ",\"oldest\":" + std::to_string(parts_.board.timeline().oldest()) + "}";
  return HttpReply::json(200, std::move(body));
}

// {call} | {session} | {all: true} [panel.stop].
HttpReply Panel::stop(HttpRequest& request) {
  std::optional<HttpReply> refused;
  const Json body = panel::body_of(request, refused);
  if (refused) return std::move(*refused);
  const std::string call = string_in(body, "call");
  const std::string session = string_in(body, "session");
  const bool all = body.contains("all") && body["all"] == true;
  if (body.size() != 1 || (call.empty() && session.empty() && !all))
    return panel::refusal(400, "Exactly one of: call, session, all: true");
  const auto reached = parts_.board.begin_stop(
      [&](const Call& one) {
        return all || (!session.empty() && shown_session(one.key().session) == session) ||
               (!call.empty() && call == call_name(one.traits().number));
      },
      "stopped at the control panel");
  return panel::ok({{"reached", reached}});
}

}  // namespace bridle
