#include "browser/cdp/message.h"
#include "tests/fuzz/targets.h"

namespace bridle::fuzz {

// What the scan says of a message, a full parse says too; and a lone surrogate never costs the rest.
void cdp_message(std::string_view bytes) {
  const auto envelope = scan_cdp(bytes);
  const std::string repaired = repair_surrogates(bytes);
  require(repair_surrogates(repaired) == repaired);
  raw_string_value(bytes, "data");
  Json parsed;
  try {
    parsed = parse_cdp(bytes);
  } catch (const Json::exception&) {
    return;  // not JSON: the scan may have believed its beginning
  }
  require(!dump(parsed).empty());
  if (!envelope || !parsed.is_object()) return;
  if (envelope->kind == CdpEnvelope::Kind::event) {
    require(parsed.contains("method"));
  } else {
    require(parsed.contains("id"));
  }
}

}  // namespace bridle::fuzz
