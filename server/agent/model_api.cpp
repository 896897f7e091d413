#include "server/agent/model_api.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/concurrency/sync.h"
#include "base/text/log.h"
#include "base/text/random.h"
#include "base/text/text.h"
#include "server/agent/event_stream.h"

namespace bridle::agent {
namespace {

constexpr int kRetries = 3;
constexpr Millis kFirstPause{500};  // doubled for each further one
constexpr Millis kLongestPause{30'000};
constexpr std::size_t kErrorBody = 64 * 1024;

// What stands in the way of an answer; `passing`: another try may succeed.
struct Failure {
  std::string words{};
  bool passing = false;
  std::optional<Millis> retry_after{};
};

// `{"error": {"message": ...}}`, `{"error": "..."}` or `{"message": ...}` of an API's error, else its first line.
std::string words_of_error(const std::string& body) {
  const Json json = parse_json(body);
  if (json.is_object()) {
    const auto error = json.find("error");
    if (error != json.end() && error->is_string()) return error->get<std::string>();
    const Json& from = error != json.end() && error->is_object() ? *error : json;
    if (const auto words = string_in(from, "message"); !words.empty()) return words;
  }
  std::string_view rest = body;
  return std::string(take_until(rest, '\n'));
}

std::string cause_of(int status) {
  switch (status) {
    case 400:
      return "it refuses the request";
    case 401:
      return "it wants a valid key (BRIDLE_MODEL_KEY, or --model-key-file)";
    case 403:
      return "the key may not use this model";
    case 404:
      return "there is no such model, or --model-url is not the API's base";
    case 429:
      return "it is asked too often, or the quota is used up";
    default:
      return status >= 500 ? "it has a fault of its own" : "it does not answer as this API does";
  }
}

// What an API says, which may repeat the key that it was given, for people.
std::string said_by_api(std::string words, const std::string& key) {
  for (auto at = key.empty() ? words.npos : words.find(key); at != words.npos; at = words.find(key, at))
    words.replace(at, key.size(), "(the key)");
  return loggable(words, 300);
}

Failure failure_of(const net::Head& head, const std::string& body, const std::string& key) {
  const auto said = said_by_api(words_of_error(body), key);
  return {.words = fmt::format("it answers with status {}: {}{}", head.status, cause_of(head.status),
                               said.empty() ? "" : " (it says: " + said + ")"),
          .passing = head.status == 429 || head.status >= 500,
          .retry_after = retry_after(head)};
}

// One try. nullopt: the answer is complete.
std::optional<Failure> try_once(const CallContext& ctx, const net::Request& request, const StreamReader& reader,
                                const std::string& key) {
  net::Head head;
  std::string document;
  bool streams = false;
  EventStream events([&](std::string_view event, std::string_view data) { reader.feed(event, data); });
  try {
    net::transfer(
        ctx, request,
        [&](const net::Head& got) {
          head = got;
          streams = got.status < 300 && got.header("content-type").starts_with("text/event-stream");
        },
        [&](std::string_view piece) {
          if (streams) {
            events.feed(piece);
          } else if (head.status < 300 || document.size() < kErrorBody) {
            document += piece;
          }
        });
  } catch (const net::TransferError& error) {
    if (ctx.deadline.expired()) throw ModelError("The model did not answer in the time that was left.");
    return Failure{.words = error.what(), .passing = error.kind != net::TransferError::Kind::too_large};
  } catch (const std::length_error& error) {
    return Failure{.words = error.what()};
  }
  if (head.status >= 300) return failure_of(head, document, key);
  if (!streams) reader.feed("document", document);
  const auto result = reader.result();
  if (!result.error.empty()) {
    return Failure{.words = "it says: " + said_by_api(result.error, key), .passing = result.passing};
  }
  if (!result.complete) return Failure{.words = "its answer ended in the middle", .passing = true};
  return std::nullopt;
}

// Half to one and a half of it, so that many who wait don't come back together.
Millis with_jitter(Millis pause) {
  const auto byte = static_cast<unsigned char>(random_bytes(1)[0]);
  return pause / 2 + pause * byte / 255;
}

void pause(const CallContext& ctx, Millis span) {
  Mutex mutex;
  CondVar nobody_notifies;
  MutexLock lock(mutex);
  wait_until(ctx.within(span), nobody_notifies, lock, [] { return false; });
}

}  // namespace

std::optional<Millis> retry_after(const net::Head& head) {
  const std::string text(head.header("retry-after"));
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    const auto date = net::parse_date(text);
    if (!date) return std::nullopt;
    using std::chrono::system_clock;
    seconds = std::max<std::int64_t>(*date - system_clock::to_time_t(system_clock::now()), 0);
  }
  if (seconds < 0) return std::nullopt;
  const auto longest = std::chrono::duration_cast<std::chrono::seconds>(kLongestPause);
  return std::min(std::chrono::seconds(seconds), longest);
}

void read_arguments(const std::string& text, ModelCall& call) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return;
  Json parsed = parse_json(text);
  if (parsed.is_discarded()) {
    call.broken = "its arguments are not JSON: " + loggable(text, 200);
  } else if (!parsed.is_object()) {
    call.broken = "its arguments must be a JSON object";
  } else {
    call.arguments = std::move(parsed);
  }
}

net::Request api_request(const ModelEndpoint& endpoint, std::string_view path, const Json& body) {
  std::string url = endpoint.url;
  while (url.ends_with('/')) url.pop_back();
  return {.url = url.append(path),
          .headers = {"Content-Type: application/json", "Accept: text/event-stream, application/json"},
          .body = dump(body),
          .connect = endpoint.connect,
          .first_byte = endpoint.first_byte,
          .idle = endpoint.idle};
}

void ask_api(const CallContext& ctx, const ModelEndpoint& endpoint, const net::Request& request,
             const std::function<StreamReader()>& begin) {
  const auto parts = net::parse_url(request.url);
  const std::string where = parts ? parts->scheme + "://" + parts->host_and_port : "--model-url";
  for (int tries = 0;; ++tries) {
    const auto failure = try_once(ctx, request, begin(), endpoint.key);
    if (!failure) return;
    if (!failure->passing || tries == kRetries) {
      throw ModelError(fmt::format("The model {} at {} can't be asked{}: {}.", endpoint.model, where,
                                   tries == 0 ? "" : fmt::format(", after {} tries", tries + 1), failure->words));
    }
    const auto span = failure->retry_after.value_or(with_jitter(kFirstPause * (1 << tries)));
    spdlog::warn("the model at {} failed, try {} of {} follows in {} ms: {}", where, tries + 2, kRetries + 1,
                 span.count(), loggable(failure->words, 300));
    pause(ctx, span);
    if (ctx.deadline.expired()) throw ModelError("The model did not answer in the time that was left.");
  }
}

}  // namespace bridle::agent
