#include "server/transports/modern_headers.h"
#include "tests/fuzz/targets.h"
#include "tools/contract/catalogue.h"

namespace bridle::fuzz {

// URIs and header values from a client.
void uri(std::string_view bytes) {
  for (const char* pattern : {"bridle://tab/{tab}/snapshot", "bridle://result/{id}", "x://{a}-{b}"}) {
    if (const auto variables = match_uri(pattern, bytes)) {
      for (const auto& [name, value] : *variables) require(!value.empty());
    }
  }
  // A template from nowhere must not harm either.
  const auto split = bytes.find('\n');
  if (split != std::string_view::npos) match_uri(bytes.substr(0, split), bytes.substr(split + 1));
  if (const auto value = decode_header_value(bytes)) require(value->size() <= bytes.size());
}

}  // namespace bridle::fuzz
