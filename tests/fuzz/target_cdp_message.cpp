#include "base/text/codecs.h"
#include "browser/cdp/message.h"
#include "tests/fuzz/targets.h"
#include "tools/devtools/parse/stream_piece.h"

namespace bridle::fuzz {

namespace {

std::string stream_data(const Json& reply) {
  const Json& result = reply.at("result");
  const auto data = string_field(result, "data");
  return result.value("base64Encoded", false) ? from_base64(data).value_or("") : data;
}

}  // namespace

// What the scan says of a message, a full parse says too; and a lone surrogate never costs the rest.
void cdp_message(std::string_view bytes) {
  const auto envelope = scan_cdp(bytes);
  const std::string repaired = repair_surrogates(bytes);
  require(repair_surrogates(repaired) == repaired);
  raw_string_value(bytes, "data");
  const auto piece = scan_stream_piece(bytes);
  Json parsed;
  try {
    parsed = parse_cdp(bytes);
  } catch (const Json::exception&) {
    return;  // not JSON: the scan may have believed its beginning
  }
  require(!dump(parsed).empty());
  if (piece) require(piece->data == stream_data(parsed));
  if (!envelope || !parsed.is_object()) return;
  if (envelope->kind == CdpEnvelope::Kind::event) {
    require(parsed.contains("method"));
  } else {
    require(parsed.contains("id"));
  }
}

}  // namespace bridle::fuzz
