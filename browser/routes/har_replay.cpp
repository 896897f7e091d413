#include "browser/routes/har_replay.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text/codecs.h"
#include "base/text/secrets.h"
#include "base/text/text.h"
#include "browser/cdp/message.h"

namespace bridle {
namespace {

[[noreturn]] void refuse_har(const std::string& words) {
  throw ToolError("The HAR file can't be replayed: " + words + ".");
}

const Json& har_member(const Json& object, const char* name, Json::value_t type, std::string_view where) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (!object.is_object() || found == object.end()) refuse_har(std::string(where) + " has no " + name);
  if (found->type() != type && !(type == Json::value_t::number_integer && found->is_number()))
    refuse_har(std::string(where) + "." + name + " is of another type than HAR 1.2 says");
  return *found;
}

RouteHeaders recorded_headers(const Json& message, const std::string& where) {
  RouteHeaders headers;
  for (const auto& header : har_member(message, "headers", Json::value_t::array, where)) {
    if (header.is_object()) headers.emplace_back(string_field(header, "name"), string_field(header, "value"));
  }
  return headers;
}

// What describes the bytes on the wire and not the body, which a HAR file has decoded; HTTP/2's own; what was hidden.
bool is_replayed(const std::pair<std::string, std::string>& header) {
  const auto name = lower(header.first);
  return is_token(name) && name != "content-encoding" && name != "content-length" && name != "transfer-encoding" &&
         name != "connection" && header.second.find(kHidden) == std::string::npos &&
         header.second.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos;
}

std::string boundary_of(const std::string& content_type) {
  const auto at = content_type.find("boundary=");
  if (!content_type.starts_with("multipart/form-data") || at == std::string::npos) return {};
  return content_type.substr(at + 9, content_type.find_first_of("; ", at) - at - 9);
}

std::string without_part(std::string text, const std::string& part) {
  for (auto at = text.find(part); !part.empty() && at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
  return text;
}

std::string recorded_header(const RouteHeaders& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (equals_ignoring_case(key, name)) return value;
  }
  return {};
}

}  // namespace

HarReplay::HarReplay(std::string_view file) {
  const Json har = parse_json(file);
  if (har.is_discarded()) refuse_har("it is no JSON");
  const auto& log = har_member(har, "log", Json::value_t::object, "the file");
  for (const auto& entry : har_member(log, "entries", Json::value_t::array, "log")) {
    const auto where = "log.entries[" + std::to_string(count_++) + "]";
    const auto& request = har_member(entry, "request", Json::value_t::object, where);
    const auto& url =
        har_member(request, "url", Json::value_t::string, where + ".request").get_ref<const std::string&>();
    auto& same = entries_[hide_in_url(url.substr(0, url.find('#')))];
    same.push_back(read(entry, where));
    constexpr std::size_t kItself = 512;
    size_ += kItself + url.size() + same.back().body.size();
  }
}

HarReplay::Entry HarReplay::read(const Json& entry, const std::string& where) {
  const auto& request = entry.at("request");
  const auto& response = har_member(entry, "response", Json::value_t::object, where);
  Entry one;
  one.method = upper(har_member(request, "method", Json::value_t::string, where + ".request").get<std::string>());
  one.request_headers = recorded_headers(request, where + ".request");
  if (const auto post = request.find("postData"); post != request.end() && post->is_object() && post->contains("text"))
    one.post_data = string_field(*post, "text");
  one.status = har_member(response, "status", Json::value_t::number_integer, where + ".response").get<int>();
  if (one.status != 0 && (one.status < 200 || one.status > 599)) one.status = 0;
  one.headers = recorded_headers(response, where + ".response");
  std::erase_if(one.headers, [](const auto& header) { return !is_replayed(header); });
  const auto& content = har_member(response, "content", Json::value_t::object, where + ".response");
  if (content.contains("_file"))
    refuse_har(where + " keeps its body in a file beside it; record it again with bodies in the file");
  one.body = string_field(content, "text");
  if (string_field(content, "encoding") == "base64") {
    auto bytes = from_base64(one.body);
    if (!bytes) refuse_har(where + ".response.content.text is no base64");
    one.body = std::move(*bytes);
  }
  const auto type = string_field(content, "mimeType");
  if (!type.empty() && type != "x-unknown" && recorded_header(one.headers, "content-type").empty() &&
      is_replayed({"content-type", type}))
    one.headers.emplace_back("Content-Type", type);
  return one;
}

const HarReplay::Entry* HarReplay::find(const Json& request) const {
  const auto found = entries_.find(hide_in_url(request.value("url", "")));
  if (found == entries_.end()) return nullptr;
  const auto method = request.value("method", "");
  const auto sent = request.find("postData");
  const Entry* best = nullptr;
  long most = -1;
  for (const auto& entry : found->second) {
    if (entry.method != method) continue;
    const bool compares = method == "POST" && sent != request.end() && sent->is_string() && entry.post_data &&
                          entry.post_data->find(kHidden) == std::string::npos;
    if (compares && *entry.post_data != sent->get_ref<const std::string&>()) {
      const auto now = boundary_of(request_header(request, "content-type"));
      const auto then = boundary_of(recorded_header(entry.request_headers, "content-type"));
      if (now.empty() || then.empty() ||
          without_part(sent->get<std::string>(), now) != without_part(*entry.post_data, then))
        continue;
    }
    const auto same =
        std::count_if(entry.request_headers.begin(), entry.request_headers.end(), [&](const auto& header) {
          return !header.second.empty() && request_header(request, header.first) == header.second;
        });
    if (same > most) {
      most = same;
      best = &entry;
    }
  }
  return best;
}

std::optional<RouteAnswer> HarReplay::answer(const Json& request) const {
  const Entry* entry = find(request);
  if (entry == nullptr) return std::nullopt;
  if (entry->status == 0) return failed("Failed");
  return fulfilled(request, entry->status, entry->headers, entry->body);
}

}  // namespace bridle
