#include "tools/core/network.h"

#include <spdlog/fmt/fmt.h>

#include <optional>
#include <string_view>
#include <utility>

#include "base/text/codecs.h"
#include "base/text/log.h"
#include "base/text/named_secrets.h"
#include "base/text/text.h"
#include "tools/contract/schema.h"
#include "tools/files/downloads/download_resources.h"
#include "tools/scope/line_list.h"
#include "tools/scope/page_tool.h"
#include "tools/scope/text/hidden_values.h"
#include "tools/scope/text/text_filter.h"

// What the page asked of the network, as the tab's trackers keep it while events come in. A body is fetched from the
// browser only when it is asked for, so that the page pays nothing.
namespace bridle {
namespace {

// --- browser_network_requests

bool is_static(const NetworkRequest& entry) {
  return entry.type == "Image" || entry.type == "Font" || entry.type == "Stylesheet" || entry.type == "Script" ||
         entry.type == "Media" || entry.type == "Manifest" || entry.type == "Preflight";
}

bool has_failed(const NetworkRequest& entry) { return !entry.error.empty() || entry.status >= 400; }

std::string outcome_of(const NetworkRequest& entry) {
  if (!entry.error.empty()) return entry.error;
  std::string words = entry.status == 0 ? "" : std::to_string(entry.status);
  if (entry.status != 0 && !entry.status_text.empty()) words += " " + loggable(entry.status_text, 60);
  if (!entry.over() && entry.is_of_worker()) return "taken by a worker";
  if (!entry.over()) return words.empty() ? "pending" : words + ", still loading";
  return words.empty() ? "no response" : words;
}

long long took_ms(const NetworkRequest& entry) {
  return std::chrono::duration_cast<Millis>((entry.over() ? entry.ended : Clock::now()) - entry.started).count();
}

// `12. [POST] http://site/api => [200 OK] Fetch, 1,234 B, 56 ms`
std::string request_line(const NetworkRequest& entry) {
  auto line = fmt::format("{}. [{}] {} => [{}] {}", entry.index, entry.method, loggable(hide_in_url(entry.url), 500),
                          outcome_of(entry), entry.type);
  if (entry.encoded_bytes > 0) line += fmt::format(", {:.0f} B", entry.encoded_bytes);
  return line + fmt::format(", {} ms", took_ms(entry));
}

void network_requests_tool(PageCall& call, const Arguments& args) {
  const bool with_static = args.flag("static");
  const TextFilter filter(args.text("filter"));
  const auto [entries, dropped] = call.tab().requests_of_document();
  std::vector<std::string> lines;
  std::size_t shown = 0;
  std::size_t left_out = 0;
  for (const auto& entry : entries) {
    if (!filter.matches(entry.url)) continue;
    if (!with_static && is_static(entry) && !has_failed(entry)) {
      ++left_out;
      continue;
    }
    ++shown;
    lines.push_back(request_line(entry));
  }
  auto summary = fmt::format("{} of {} of this page", shown, counted(entries.size(), "request"));
  if (left_out > 0)
    summary +=
        fmt::format("; {} for images, scripts, styles and the like left out (static: true shows them)", left_out);
  if (dropped > 0)
    summary +=
        dropped == 1 ? std::string("; the oldest was dropped") : fmt::format("; the {} oldest were dropped", dropped);
  add_lines(call, args.text("filename"), summary, lines);
}

// --- browser_network_request

constexpr std::size_t kBodyShown = 2000;  // characters of each body, unless one part is asked for

std::string header_lines(const Json& headers) {
  std::string lines;
  if (!headers.is_object()) return "  (none)";
  for (const auto& [name, value] : headers.items()) {
    const auto text = value.is_string() ? value.get<std::string>() : value.dump();
    lines += (lines.empty() ? "  " : "\n  ") + name + ": " + loggable(hide_in_header(name, text), 2000);
  }
  return lines.empty() ? "  (none)" : lines;
}

struct Body {
  std::string text{};
  std::string absent{};  // why there is none
  std::string kind{};    // of what isn't text: its MIME type
};

// The page's process keeps the bodies, and answers nothing while a dialog is open.
constexpr const char* kDialogInTheWay =
    "can't be read while a dialog is open: answer that with browser_handle_dialog first";

Body request_body(PageCall& call, const NetworkRequest& entry) {
  if (!entry.has_post_data && entry.post_data.empty()) return {.absent = "none"};
  auto text = entry.post_data;
  if (text.empty()) {
    try {
      const Json reply = call.tab().call(call.ctx(), "Network.getRequestPostData", {{"requestId", entry.request_id}},
                                         limits::kCdpCommand, entry.session);
      text = reply.value("postData", "");
    } catch (const CdpError&) {
      return {.absent = "no longer kept by the browser"};
    } catch (const DialogOpened&) {
      return {.absent = kDialogInTheWay};
    }
  }
  const Json& headers = entry.request_headers;
  return {.text = hide_in_body(text, headers.is_object() ? headers.value("Content-Type", "") : "")};
}

Body response_body(PageCall& call, const NetworkRequest& entry) {
  if (!entry.error.empty()) return {.absent = "none (" + entry.error + ")"};
  if (!entry.finished) return {.absent = entry.whole ? "not read by the page" : "still loading"};
  if (entry.status >= 300 && entry.status < 400) return {.absent = "none (redirect)"};
  try {
    const Json reply = call.tab().call(call.ctx(), "Network.getResponseBody", {{"requestId", entry.request_id}},
                                       limits::kCdpCommand, entry.session);
    if (reply.value("base64Encoded", false)) {
      auto bytes = from_base64(reply.at("body").get_ref<const std::string&>());
      if (!bytes) return {.absent = "not understood: the browser sent it in an unknown form"};
      return {.text = std::move(*bytes), .kind = entry.mime_type.empty() ? "unknown type" : entry.mime_type};
    }
    auto text = reply.value("body", "");
    if (text.empty()) return {.absent = "empty"};
    return {.text = std::move(text)};
  } catch (const CdpError&) {
    return {.absent = "not kept by the browser (the page has gone on, or it was too large)"};
  } catch (const DialogOpened&) {
    return {.absent = kDialogInTheWay};
  }
}

std::string binary_words(const Body& body) {
  return fmt::format("binary, {} of {}", counted(body.text.size(), "byte"), loggable(body.kind, 80));
}

// A body among the parts of a request.
void tell(PageCall& call, Body body, const char* part) {
  if (!body.absent.empty()) return call.response.result("(" + body.absent + ")");
  if (!body.kind.empty())
    return call.response.result(fmt::format("({}; part: \"{}\" saves it)", binary_words(body), part));
  const auto size = body.text.size();
  if (size <= kBodyShown) return call.response.page_text(std::move(body.text));
  const auto shown = first_bytes(body.text, kBodyShown);
  call.response.page_text(std::string(shown));
  call.response.result(fmt::format("({} of {}; part: \"{}\" shows all)", shown.size(), counted(size, "byte"), part));
}

void save(PageCall& call, const std::string& filename, std::string_view what, std::string_view content) {
  const auto told = has_named_secrets() ? without_named_secrets(std::string(content)) : std::string();
  const auto saved = call.scope().files()->write(call.ctx(), filename, told.empty() ? content : told);
  call.response.result(fmt::format("{}, {}", what, counted(content.size(), "byte")));
  call.response.result(saved_words(saved));
  call.response.structured["path"] = saved.path.string();
}

// A body that was asked for alone: told, or saved as it is [tool.results-in-files]. `index` names the file of what
// nobody can read as text.
void give(PageCall& call, Body body, std::string filename, const std::string& part, int index) {
  if (filename.empty() && !body.kind.empty()) filename = fmt::format("{}-{}{}", part, index, extension_of(body.kind));
  if (!filename.empty()) {
    if (!body.absent.empty()) throw ToolError(part + ": " + body.absent + ", so nothing was saved.");
    return save(call, filename, body.kind.empty() ? part : part + " of " + loggable(body.kind, 80), body.text);
  }
  if (!body.absent.empty()) return call.response.result("(" + body.absent + ")");
  call.response.page_text(std::move(body.text));
}

void give(PageCall& call, std::string text, const std::string& filename, const std::string& part) {
  if (filename.empty()) return call.response.page_text(std::move(text));
  save(call, filename, part, text);
}

std::string body_text(const Body& body) {
  if (!body.absent.empty()) return "(" + body.absent + ")";
  return body.kind.empty() ? body.text : "(" + binary_words(body) + ")";
}

void network_request_tool(PageCall& call, const Arguments& args) {
  const int index = static_cast<int>(args.integer("index"));
  const auto part = args.text("part");
  const auto filename = args.text("filename");
  const auto [entry, first, last] = call.tab().logged_request(index);
  if (!entry) {
    throw ToolError(last == 0 ? std::string("This tab has made no requests yet.")
                              : fmt::format("There is no request {}: browser_network_requests lists {} to {}.", index,
                                            first, last));
  }
  if (part == "request-headers") return give(call, header_lines(entry->request_headers), filename, part);
  if (part == "response-headers") return give(call, header_lines(entry->response_headers), filename, part);
  if (part == "request-body") return give(call, request_body(call, *entry), filename, part, index);
  if (part == "response-body") return give(call, response_body(call, *entry), filename, part, index);
  auto sent = request_body(call, *entry);
  auto received = response_body(call, *entry);
  if (!filename.empty()) {
    const auto text = fmt::format(
        "{}\n\nRequest headers:\n{}\n\nRequest body:\n{}\n\nResponse headers:\n{}\n\n"
        "Response body:\n{}\n",
        request_line(*entry), header_lines(entry->request_headers), body_text(sent),
        header_lines(entry->response_headers), body_text(received));
    return save(call, filename, "the request", text);
  }
  call.response.page_text(request_line(*entry));
  call.response.result("Request headers:");
  call.response.page_text(header_lines(entry->request_headers));
  call.response.result("Request body:");
  tell(call, std::move(sent), "request-body");
  call.response.result("Response headers:");
  call.response.page_text(header_lines(entry->response_headers));
  call.response.result("Response body:");
  tell(call, std::move(received), "response-body");
}

}  // namespace

std::vector<ToolSpec> network_tools(const BrowserSettings&) {
  return {{.name = "browser_network_requests",
           .title = "Network",
           .description = "The requests since the page loaded, numbered.",
           .input_schema = schema::object({{"filter", schema::text("Part of the URL or regex")},
                                           {"static", schema::boolean("Images, scripts, ... too")},
                                           schema::filename(),
                                           schema::tab()}),
           .read_only = true,
           .idempotent = true,
           .handler = page_tool("browser_network_requests", kReadsLog, network_requests_tool)},
          {.name = "browser_network_request",
           .title = "Request",
           .description = "Headers and bodies of a request in the log.",
           .input_schema = schema::object(
               {{"index", schema::count(nullptr, 1, 1'000'000'000), true},
                {"part", schema::choice({"request-headers", "request-body", "response-headers", "response-body"})},
                schema::filename(),
                schema::tab()}),
           .read_only = true,
           .idempotent = true,
           .handler =
               page_tool("browser_network_request", {.queues = false, .through_dialog = true}, network_request_tool)}};
}

}  // namespace bridle
