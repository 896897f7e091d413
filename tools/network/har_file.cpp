#include "tools/network/har_file.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "base/text/codecs.h"
#include "base/text/secrets.h"
#include "base/text/text.h"
#include "browser/cdp/message.h"
#include "tools/scope/text/hidden_values.h"

namespace bridle {
namespace {

// ISO 8601 with ms, in UTC.
std::string date_time(double wall_time) {
  const auto ms = static_cast<long long>(std::llround(std::max(0.0, wall_time) * 1000));
  const auto seconds = static_cast<std::time_t>(ms / 1000);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec, ms % 1000);
}

Json har_headers(const Json& message) {
  Json list = Json::array();
  const auto headers = message.find("headers");
  if (headers == message.end() || !headers->is_object()) return list;
  for (const auto& [name, value] : headers->items()) {
    if (!value.is_string()) continue;
    // Several headers of one name come as one, with line breaks between.
    std::string_view rest = value.get_ref<const std::string&>();
    do {
      const auto end = std::min(rest.find('\n'), rest.size());
      list.push_back({{"name", name}, {"value", hide_in_header(name, std::string(rest.substr(0, end)))}});
      rest.remove_prefix(std::min(end + 1, rest.size()));
    } while (!rest.empty());
  }
  return list;
}

std::string har_header(const Json& headers, std::string_view name) {
  for (const auto& header : headers) {
    if (equals_ignoring_case(header["name"].get_ref<const std::string&>(), name))
      return header["value"].get<std::string>();
  }
  return {};
}

Json har_query(const std::string& url) {
  Json list = Json::array();
  const auto mark = url.find('?');
  if (mark == std::string::npos) return list;
  std::string_view rest = std::string_view(url).substr(mark + 1, url.find('#', mark) - mark - 1);
  while (!rest.empty()) {
    const auto end = std::min(rest.find('&'), rest.size());
    const auto pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.empty()) continue;
    const auto equals = std::min(pair.find('='), pair.size());
    const auto value = equals < pair.size() ? pair.substr(equals + 1) : std::string_view();
    list.push_back({{"name", percent_decode_leniently(pair.substr(0, equals), true)},
                    {"value", percent_decode_leniently(value, true)}});
  }
  return list;
}

double passed(double from, double to) { return from >= 0 && to >= from ? to - from : -1; }

// The phases of a request in ms, as HAR has them: `ssl` is a part of `connect`.
Json timings_of(const RecordedRequest& one, double total) {
  Json timings{{"blocked", -1}, {"dns", -1},     {"connect", -1}, {"ssl", -1},
               {"send", 0},     {"wait", total}, {"receive", 0}};
  const auto timing = one.response.is_object() ? one.response.find("timing") : one.response.end();
  if (!one.response.is_object() || timing == one.response.end()) return timings;
  const auto at = [&](const char* name) { return timing->value(name, -1.0); };
  const double before = (timing->value("requestTime", 0.0) - one.sent.value("timestamp", 0.0)) * 1000;
  double first = at("sendStart");
  for (const char* name : {"connectStart", "dnsStart"}) {
    if (at(name) >= 0) first = at(name);
  }
  timings["blocked"] = std::max(0.0, before + std::max(0.0, first));
  timings["dns"] = passed(at("dnsStart"), at("dnsEnd"));
  timings["connect"] = passed(at("connectStart"), at("connectEnd"));
  timings["ssl"] = passed(at("sslStart"), at("sslEnd"));
  timings["send"] = std::max(0.0, passed(at("sendStart"), at("sendEnd")));
  timings["wait"] = std::max(0.0, passed(at("sendEnd"), at("receiveHeadersEnd")));
  timings["receive"] = std::max(0.0, total - before - std::max(0.0, at("receiveHeadersEnd")));
  return timings;
}

double sum_of(const Json& timings) {
  double sum = 0;
  for (const auto& [name, ms] : timings.items()) {
    if (name != "ssl") sum += std::max(0.0, ms.get<double>());
  }
  return sum;
}

// With its secrets hidden, and still a URL.
std::string hidden_url(const std::string& url) {
  auto hidden = hide_in_url(url);
  const std::string words = kHidden;
  const auto escaped = percent_encode(words);
  for (auto at = hidden.find(words); at != std::string::npos; at = hidden.find(words, at + escaped.size()))
    hidden.replace(at, words.size(), escaped);
  return hidden;
}

Json request_of(const RecordedRequest& one, const std::string& protocol) {
  const auto& sent = one.sent.at("request");
  const auto url = hidden_url(string_field(sent, "url"));
  Json headers = har_headers(sent);
  Json request{{"method", string_field(sent, "method")},
               {"url", url},
               {"httpVersion", protocol},
               {"cookies", Json::array()},
               {"headers", headers},
               {"queryString", har_query(url)},
               {"headersSize", -1},
               {"bodySize", 0}};
  if (const auto body = string_field(sent, "postData"); !body.empty()) {
    const auto type = har_header(headers, "content-type");
    request["bodySize"] = body.size();
    request["postData"] = {{"mimeType", type}, {"params", Json::array()}, {"text", hide_in_body(body, type)}};
  } else if (sent.value("hasPostData", false)) {
    request["bodySize"] = -1;
    request["postData"] = {{"mimeType", har_header(headers, "content-type")},
                           {"params", Json::array()},
                           {"text", ""},
                           {"comment", "too large to be kept"}};
  }
  return request;
}

Json har_content(const RecordedRequest& one) {
  Json content{{"size", one.received}, {"mimeType", "x-unknown"}};
  if (one.response.is_object()) content["mimeType"] = string_field(one.response, "mimeType");
  if (one.body.empty()) {
    content["comment"] = "no body: " + (one.no_body.empty() ? std::string("it was still under way") : one.no_body);
    return content;
  }
  try {
    Json reply = result_of(one.body);
    // A body that the page takes as a blob or a stream passes by what Chromium keeps for its tools.
    const bool is_missing =
        reply.value("body", "").empty() && one.received == 0 && one.response.is_object() &&
        har_header(har_headers(one.response), "content-length").find_first_of("123456789") != std::string::npos;
    if (is_missing) {
      content["comment"] = "no body: the browser did not keep what the page took";
      return content;
    }
    content["text"] = std::move(reply["body"]);
    if (reply.value("base64Encoded", false)) content["encoding"] = "base64";
  } catch (const CdpError&) {
    content["comment"] = "no body: too large to be kept";
  }
  return content;
}

Json response_of(const RecordedRequest& one, const std::string& protocol) {
  const Json none = Json::object();
  const Json& got = one.response.is_object() ? one.response : none;
  Json headers = har_headers(got);
  Json response{{"status", got.value("status", 0)},
                {"statusText", string_field(got, "statusText")},
                {"httpVersion", protocol},
                {"cookies", Json::array()},
                {"headers", headers},
                {"content", har_content(one)},
                {"redirectURL", har_header(headers, "location")},
                {"headersSize", -1},
                {"bodySize", -1},
                {"_transferSize", std::max(-1.0, one.transferred)}};
  if (!one.error.empty()) response["_error"] = one.error;
  return response;
}

Json entry_of(const RecordedRequest& one) {
  const double begun = one.sent.value("timestamp", 0.0);
  const double total = one.ended > begun ? (one.ended - begun) * 1000 : 0;
  auto protocol = one.response.is_object() ? string_field(one.response, "protocol") : std::string();
  if (protocol.empty()) protocol = "unknown";
  Json timings = timings_of(one, total);
  Json entry{{"startedDateTime", date_time(one.sent.value("wallTime", 0.0))},
             {"time", sum_of(timings)},
             {"request", request_of(one, protocol)},
             {"response", response_of(one, protocol)},
             {"cache", Json::object()},
             {"timings", std::move(timings)},
             {"_resourceType", lower(string_field(one.sent, "type"))}};
  if (one.page > 0) entry["pageref"] = fmt::format("page_{}", one.page);
  return entry;
}

Json page_of(const RecordedPage& page, std::size_t number) {
  const auto since = [&](double at) { return at > page.began ? (at - page.began) * 1000 : -1; };
  return {{"startedDateTime", date_time(page.wall_time)},
          {"id", fmt::format("page_{}", number)},
          {"title", hide_in_url(page.url)},
          {"pageTimings", {{"onContentLoad", since(page.content_load)}, {"onLoad", since(page.load)}}}};
}

}  // namespace

std::string har_file(const CallContext& ctx, const Recording& recording) {
  // Written piece by piece: the whole as one value would take several times its size.
  std::string file = R"({"log":{"version":"1.2","creator":{"name":"bridle","version":")" + std::string(BRIDLE_VERSION) +
                     R"("},"pages":[)";
  std::size_t number = 0;
  for (const auto& page : recording.pages) {
    if (number > 0) file += ',';
    file += dump(page_of(page, ++number));
  }
  file += "],\"entries\":[";
  bool is_first = true;
  for (const auto& one : recording.requests) {
    ctx.signal.throw_if_aborted();
    file += is_first ? "\n" : ",\n";
    file += dump(entry_of(one));
    is_first = false;
  }
  return file + "\n]}}\n";
}

}  // namespace bridle
