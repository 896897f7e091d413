#include "base/text/random.h"

#include <sys/random.h>

#include <cerrno>
#include <system_error>

#include "base/text/codecs.h"

namespace bridle {
std::string random_bytes(std::size_t bytes) {
  std::string out(bytes, '\0');
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::getrandom(out.data() + done, bytes - done, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::system_error(errno, std::generic_category(), "getrandom");
    done += static_cast<std::size_t>(got);
  }
  return out;
}

std::string random_token(std::size_t bytes) { return base64url(random_bytes(bytes)); }

}  // namespace bridle
