#pragma once

#include <string_view>

#include "config/options.h"

namespace bridle {

// What a dotenv file says: NAME=VALUE a line, `export` before it or not, comments after #, values in ', " or ` as they
// are, over several lines too (in " with \n, \r, \t, \" and \\). The last of equal names counts. Throws
// std::invalid_argument with the line's number, never its text.
//
// A comment `# origins: https://a.example https://b.example` says for the lines after it, up to the next such comment,
// where their values may be typed, which goes to `places` if given; `# origins: *` says everywhere, as without any
// [tool.secrets.origins]. One that is misplaced or misspelt (`# origin:`, behind a value, above no value) is refused,
// as its values would be typed everywhere.
Secrets parse_dotenv(std::string_view text, SecretPlaces* places = nullptr);

// Throws std::invalid_argument where no secret can have that name or value: what is too short would be found in text
// that is none. The words hold no value.
void check_secret(std::string_view name, std::string_view value);

}  // namespace bridle
