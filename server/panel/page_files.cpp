#include "server/panel/page_files.h"

#include "base/text/codecs.h"
#include "base/text/digest.h"

namespace bridle::panel {

std::string_view content_type(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "application/octet-stream";
}

std::string etag_of(std::string_view text) {
  constexpr std::size_t kDigestBytes = 12;
  return '"' + base64url(sha256(text).substr(0, kDigestBytes)) + '"';
}

}  // namespace bridle::panel
