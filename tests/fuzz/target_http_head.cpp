#include "server/http/messages/chunked.h"
#include "server/http/messages/head.h"
#include "tests/fuzz/targets.h"

namespace bridle::fuzz {
namespace {

// Cuts the input at every `step` bytes: the verdict must not depend on how bytes arrive.
HttpHeadScanner::State scan(std::string_view bytes, std::size_t step, HttpHeadScanner& scanner) {
  auto state = HttpHeadScanner::State::incomplete;
  for (std::size_t size = 0; size < bytes.size() && state == HttpHeadScanner::State::incomplete;) {
    size = std::min(bytes.size(), size + step);
    state = scanner.scan(bytes.substr(0, size));
  }
  return state;
}

void head(std::string_view bytes) {
  HttpHeadLimits limits;
  limits.head_bytes = 512;
  limits.target_bytes = 64;
  HttpHeadScanner whole(limits), bitwise(limits);
  const auto state = scan(bytes, bytes.size(), whole);
  require(scan(bytes, 1, bitwise) == state && bitwise.refusal().status == whole.refusal().status);
  const auto parsed = parse_http_head(bytes, limits);  // any bytes: must not crash
  if (state != HttpHeadScanner::State::complete) return;
  require(whole.size() == bitwise.size() && whole.size() <= limits.head_bytes);
  const auto result = parse_http_head(bytes.substr(0, whole.size()), limits);
  if (const auto* accepted = std::get_if<HttpHead>(&result)) {
    require(!(accepted->chunked && accepted->content_length > 0));
    require(accepted->content_length <= limits.body_bytes);
    for (const auto& [name, value] : accepted->headers) {
      require(!name.empty() && value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
    }
  }
}

void chunks(std::string_view bytes) {
  constexpr std::size_t most = 100;
  ChunkedDecoder whole(most), bitwise(most);
  std::string body, bitwise_body;
  auto rest = bytes;
  const auto state = whole.decode(rest, body);
  auto bitwise_state = ChunkedDecoder::State::incomplete;
  for (std::size_t i = 0; i < bytes.size() && bitwise_state == ChunkedDecoder::State::incomplete; ++i) {
    auto one = bytes.substr(i, 1);
    bitwise_state = bitwise.decode(one, bitwise_body);
  }
  require(state == bitwise_state && body == bitwise_body && body.size() <= most);
}

}  // namespace

void http_head(std::string_view bytes) {
  head(bytes);
  chunks(bytes);
}

}  // namespace bridle::fuzz
