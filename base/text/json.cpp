#include "base/text/json.h"

namespace bridle {

std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string dump_pretty(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace); }

Json parse_json(std::string_view text) { return Json::parse(text, nullptr, false); }

}  // namespace bridle
