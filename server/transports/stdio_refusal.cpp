#include "server/transports/stdio_refusal.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "base/concurrency/deadline.h"
#include "base/limits.h"
#include "server/mcp/jsonrpc.h"

namespace bridle {
namespace {

constexpr Millis kFirst{10'000};  // for the first request: a client sends it at once
// A client that knows several revisions asks once more when the first is refused.
constexpr Millis kFurther{500};

bool write_line(int out, std::string text) {
  text += '\n';
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t count = ::write(out, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

void refuse_over_stdio(const std::string& words, int in, int out) {
  auto until = Deadline::after(kFirst);
  std::string buffer;
  char bytes[4096];
  while (!until.expired() && buffer.size() <= limits::kBodyBytes) {
    pollfd polled{in, POLLIN, 0};
    const int ready = ::poll(&polled, 1, static_cast<int>(until.remaining().count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return;
    const ssize_t count = ::read(in, bytes, sizeof(bytes));
    if (count <= 0) return;
    buffer.append(bytes, static_cast<std::size_t>(count));
    for (std::size_t end; (end = buffer.find('\n')) != std::string::npos; buffer.erase(0, end + 1)) {
      for (const auto& message : jsonrpc::parse(std::string_view(buffer).substr(0, end)).messages) {
        if (!message.is_request()) continue;
        if (!write_line(out, jsonrpc::error(message.id, jsonrpc::kInternalError, words))) return;
        until = Deadline::after(kFurther);
      }
    }
  }
}

}  // namespace bridle
