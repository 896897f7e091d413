#include "tools/network/route.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/text/log.h"
#include "base/text/text.h"
#include "tools/contract/arguments.h"
#include "tools/contract/response.h"
#include "tools/contract/schema.h"
#include "tools/network/network_scope.h"

namespace bridle {
namespace {

[[noreturn]] void refuse_route(const std::string& words) { throw ToolError("browser_route: " + words); }

// The arguments of which none may be given, as the words say.
void check_absent(const Arguments& args, std::initializer_list<const char*> names, const std::string& why) {
  for (const char* name : names) {
    if (args.has(name)) refuse_route(std::string(name) + " " + why);
  }
}

// What a header of a request may not say: where the request goes, and how it is framed, is the browser's to say
// [tool.route.lists].
bool is_forbidden(const std::string& name) {
  const auto small = lower(name);
  for (const char* fixed : {"host", "connection", "content-length", "keep-alive", "te", "trailer", "transfer-encoding",
                            "upgrade", "expect", "via"}) {
    if (small == fixed) return true;
  }
  return small.starts_with("proxy-");
}

std::pair<std::string, std::string> header_line(const std::string& line, bool of_request) {
  const auto colon = line.find(':');
  const std::string name(trimmed(std::string_view(line).substr(0, colon)));
  if (colon == std::string::npos || !is_token(name))
    refuse_route("a header is written \"Name: value\", not \"" + line + "\".");
  const std::string value(trimmed(std::string_view(line).substr(colon + 1)));
  if (value.find_first_of("\r\n") != std::string::npos || value.find('\0') != std::string::npos)
    refuse_route("the value of the header " + name + " has a line break in it.");
  if (of_request && is_forbidden(name)) refuse_route("the header " + name + " is the browser's own to set.");
  return {name, value};
}

// What a body is that nobody named the type of.
std::string guessed_type(const std::string& body) {
  const auto first = body.find_first_not_of(" \t\r\n");
  const char begins = first == std::string::npos ? '\0' : body[first];
  if ((begins == '{' || begins == '[') && !parse_json(body).is_discarded()) return "application/json";
  return begins == '<' ? "text/html" : "text/plain";
}

// A body is sent as UTF-8, so a text says so unless it says something else.
std::string with_charset(const std::string& type) {
  const bool text = lower(type).starts_with("text/") && lower(type).find("charset") == std::string::npos;
  return text ? type + "; charset=utf-8" : type;
}

Route::Reply reply_of(const Arguments& args) {
  Route::Reply reply;
  if (args.has("status")) reply.status = static_cast<int>(args.integer("status"));
  reply.body = args.text("body");
  for (const auto& line : args.texts("headers")) reply.headers.push_back(header_line(line, false));
  const auto has = [&](const char* name) {
    return std::any_of(reply.headers.begin(), reply.headers.end(),
                       [&](const auto& one) { return equals_ignoring_case(one.first, name); });
  };
  if (args.has("contentType")) {
    if (args.text("contentType").find_first_of("\r\n") != std::string::npos)
      refuse_route("contentType has a line break in it.");
    std::erase_if(reply.headers, [](const auto& one) { return equals_ignoring_case(one.first, "content-type"); });
    reply.headers.emplace_back("Content-Type", with_charset(args.text("contentType")));
  } else if (!has("content-type") && !reply.body.empty()) {
    reply.headers.emplace_back("Content-Type", with_charset(guessed_type(reply.body)));
  }
  std::erase_if(reply.headers, [](const auto& one) { return equals_ignoring_case(one.first, "content-length"); });
  reply.headers.emplace_back("Content-Length", std::to_string(reply.body.size()));
  return reply;
}

std::string reply_type(const Route::Reply& reply) {
  for (const auto& [name, value] : reply.headers) {
    if (equals_ignoring_case(name, "content-type")) return value;
  }
  return {};
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string all;
  for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

// "after 500 ms 200 application/json, 18 bytes"; values of headers are not told, as they may be secrets.
std::string route_words(const Route& route) {
  std::vector<std::string> parts;
  if (route.reply) {
    auto words = std::to_string(route.reply->status);
    if (const auto type = reply_type(*route.reply); !type.empty()) words += " " + loggable(type, 100);
    parts.push_back(words +
                    fmt::format(", {} byte{}", route.reply->body.size(), route.reply->body.size() == 1 ? "" : "s"));
  } else if (route.replay) {
    parts.push_back(fmt::format("the file's {} answers; what it hasn't fails", route.replay->requests()));
  } else if (!route.error.empty()) {
    parts.push_back("fails: " + lower(route.error));
  } else {
    std::vector<std::string> added;
    for (const auto& [name, value] : route.added) added.push_back(name);
    std::string words = "goes on";
    if (!added.empty()) words += " with " + joined_names(added);
    if (!route.removed.empty()) words += " without " + joined_names(route.removed);
    parts.push_back(words);
  }
  std::string words = parts.front();
  if (route.delay > Millis{0}) words += fmt::format(", after {} ms", route.delay.count());
  return words;
}

// The file's bytes, as far as a file to replay may have them.
std::string read_har(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(limits::kHarFile + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad() || (!in.eof() && in.fail())) refuse_route("the file to replay can't be read.");
  if (text.size() > limits::kHarFile)
    refuse_route(fmt::format("the file to replay has more than {} MiB.", limits::kHarFile >> 20));
  return text;
}

Route route_of(const Arguments& args, const SessionFiles& files) {
  const auto pattern = args.has("replay") && !args.has("pattern") ? std::string("**") : args.text("pattern");
  if (pattern.empty()) refuse_route("action add needs pattern, such as \"**/api/users\".");
  Route route(pattern);
  route.method = upper(args.text("method"));
  if (args.has("method") && !is_token(route.method)) refuse_route("method is one of HTTP's, such as POST.");
  route.delay = Millis{args.integer("delay")};
  route.times = args.integer("times");
  if (args.has("replay")) {
    check_absent(args, {"status", "body", "headers", "removeHeaders", "contentType", "abort"},
                 "can't go with replay: the file says what is answered.");
    route.replay = std::make_shared<const HarReplay>(read_har(files.upload(args.text("replay"))));
  } else if (args.has("abort")) {
    check_absent(args, {"status", "body", "headers", "removeHeaders", "contentType"},
                 "can't go with abort: the request gets no answer.");
    route.error = error_reason(lower(args.text("abort")));
    if (route.error.empty()) refuse_route("abort is one of " + error_names() + ".");
  } else if (args.has("status") || args.has("body")) {
    check_absent(args, {"removeHeaders"}, "can't go with status or body: the request is answered and goes nowhere.");
    route.reply = reply_of(args);
  } else {
    check_absent(args, {"contentType"}, "needs status or body: it is the answer's.");
    for (const auto& line : args.texts("headers")) route.added.push_back(header_line(line, true));
    for (const auto& name : split(args.text("removeHeaders"), ',')) {
      const std::string bare(trimmed(name));
      if (!is_token(bare)) refuse_route("removeHeaders is a list of names with commas between, not \"" + bare + "\".");
      if (is_forbidden(bare)) refuse_route("the header " + bare + " is the browser's own to set.");
      route.removed.push_back(lower(bare));
    }
    if (route.added.empty() && route.removed.empty() && route.delay == Millis{0})
      refuse_route(
          "say what becomes of the requests: status or body (an answer), abort, replay, headers, removeHeaders or "
          "delay.");
  }
  route.words = route_words(route);
  return route;
}

std::string which_requests(const std::string& method, const std::string& pattern) {
  return (method.empty() ? "" : method + " ") + loggable(pattern, 300);
}

void add_route(ToolContext& ctx, BrowserScope& scope, const Arguments& args, Response& response) {
  auto route = route_of(args, *scope.files());
  const auto words = which_requests(route.method, route.pattern) + " => " + route.words;
  const auto number = scope.routes()->add(std::move(route));
  try {
    scope.await_posted(ctx.call);
  } catch (...) {  // a cancelled call leaves no route
    scope.routes()->remove(number);
    throw;
  }
  response.result(
      fmt::format("Route {} added: {}. It holds for all tabs of this session until it is removed.", number, words));
  response.structured["route"] = number;
}

void list_routes(BrowserScope& scope, Response& response) {
  Json rows = Json::array();
  for (const auto& route : scope.routes()->list()) {
    auto line = fmt::format("route {}: {} => {}; {} so far", route.number, which_requests(route.method, route.pattern),
                            route.words, route.taken);
    if (route.left >= 0) line += fmt::format(", {} to go", route.left);
    response.result(line);
    rows.push_back({{"route", route.number}, {"pattern", route.pattern}, {"taken", route.taken}});
  }
  if (rows.empty()) response.result("No routes.");
  response.structured["routes"] = std::move(rows);
}

void remove_routes(ToolContext& ctx, BrowserScope& scope, const Arguments& args, Response& response) {
  const auto pattern = args.text("pattern");
  const auto count = args.has("pattern") ? scope.routes()->remove(pattern) : scope.routes()->remove_all();
  if (count == 0 && args.has("pattern"))
    refuse_route("there is no route for \"" + pattern + "\"; action list shows those there are.");
  scope.await_posted(ctx.call);
  response.result(fmt::format("removed {} route{}", count, count == 1 ? "" : "s"));
  response.structured["removed"] = count;
}

ToolResult route_tool(ToolContext& ctx, const Json& values) {
  const Arguments args(values);
  return in_network_scope(ctx, args, [&](BrowserScope& scope, Response& response) {
    const auto action = args.text("action");
    if (action == "add") return add_route(ctx, scope, args, response);
    check_absent(
        args,
        {"method", "status", "body", "headers", "removeHeaders", "contentType", "abort", "delay", "times", "replay"},
        "is for action add alone.");
    if (action == "remove") return remove_routes(ctx, scope, args, response);
    check_absent(args, {"pattern"}, "can't go with action list, which shows all.");
    list_routes(scope, response);
  });
}

}  // namespace

std::vector<ToolSpec> route_tools(const BrowserSettings&) {
  return {
      {.name = "browser_route",
       .set = "network",
       .title = "Route",
       .description = "Answer (status, body), fail (abort) or change requests before the network sees them.",
       .input_schema = schema::object(
           {{"action", schema::choice({"add", "list", "remove"}), false, "add"},
            {"pattern", schema::text("Glob over the URL: **/api/*")},
            {"method", schema::text()},
            {"status", schema::integer(nullptr, 200, 599)},
            {"body", schema::text()},
            {"headers", schema::list(schema::text(), "\"Name: value\", of the answer; without one, of the request")},
            {"removeHeaders", schema::text("Of the request: names, commas")},
            {"contentType", schema::text()},
            {"abort", schema::text("failed, timedout, connectionrefused, ...")},
            {"delay", schema::integer("ms", 0, limits::kRouteDelay.count())},
            {"times", schema::count(nullptr, 1, 1'000'000)},
            {"replay", schema::text("HAR file to answer from")},
            schema::tab()}),
       .idempotent = false,
       .reading_actions = {"list"},
       .handler = route_tool}};
}

void add_route_aliases(Toolbox& toolbox) {
  toolbox.add(ToolAlias{.name = "browser_unroute", .tool = "browser_route", .fixed = {{"action", "remove"}}});
  toolbox.add(ToolAlias{.name = "browser_route_list", .tool = "browser_route", .fixed = {{"action", "list"}}});
}

}  // namespace bridle
