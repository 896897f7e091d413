#include "tools/core/network.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <optional>

#include "base/text/log.h"
#include "tools/contract/schema.h"
#include "tools/scope/hidden_values.h"
#include "tools/scope/line_list.h"
#include "tools/scope/page_tool.h"
#include "tools/scope/text_filter.h"

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
  auto summary = fmt::format("{} of {} requests of this page", shown, entries.size());
  if (left_out > 0)
    summary +=
        fmt::format("; {} for images, scripts, styles and the like left out (static: true shows them)", left_out);
  if (dropped > 0) summary += fmt::format("; the {} oldest were dropped", dropped);
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
      const auto& body = reply.at("body").get_ref<const std::string&>();
      const auto padding = std::count(body.end() - std::min<std::ptrdiff_t>(2, std::ssize(body)), body.end(), '=');
      const auto bytes = std::ssize(body) / 4 * 3 - padding;
      return {.absent = fmt::format("binary, {} bytes of {}", bytes, loggable(entry.mime_type, 80))};
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

void tell(PageCall& call, Body body, bool whole, const char* part) {
  if (!body.absent.empty()) return call.response.result("(" + body.absent + ")");
  const auto size = body.text.size();
  if (whole || size <= kBodyShown) return call.response.page_text(std::move(body.text));
  std::size_t end = kBodyShown;
  while (end > 0 && (static_cast<unsigned char>(body.text[end]) & 0xC0) == 0x80) --end;
  call.response.page_text(body.text.substr(0, end));
  call.response.result(fmt::format("({} of {} bytes; part: \"{}\" shows all)", end, size, part));
}

void network_request_tool(PageCall& call, const Arguments& args) {
  const int index = static_cast<int>(args.integer("index"));
  const auto part = args.text("part");
  const auto [entry, first, last] = call.tab().logged_request(index);
  if (!entry) {
    throw ToolError(last == 0 ? std::string("This tab has made no requests yet.")
                              : fmt::format("There is no request {}: browser_network_requests lists {} to {}.", index,
                                            first, last));
  }
  if (part == "request-headers") return call.response.page_text(header_lines(entry->request_headers));
  if (part == "response-headers") return call.response.page_text(header_lines(entry->response_headers));
  if (part == "request-body") return tell(call, request_body(call, *entry), true, "");
  if (part == "response-body") return tell(call, response_body(call, *entry), true, "");
  call.response.page_text(request_line(*entry));
  call.response.result("Request headers:");
  call.response.page_text(header_lines(entry->request_headers));
  call.response.result("Request body:");
  tell(call, request_body(call, *entry), false, "request-body");
  call.response.result("Response headers:");
  call.response.page_text(header_lines(entry->response_headers));
  call.response.result("Response body:");
  tell(call, response_body(call, *entry), false, "response-body");
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
                schema::tab()}),
           .read_only = true,
           .idempotent = true,
           .handler =
               page_tool("browser_network_request", {.queues = false, .through_dialog = true}, network_request_tool)}};
}

}  // namespace bridle
