#pragma once

#include <string>

#include "base/text/secrets.h"

namespace bridle {

// Keeps secrets out of what is told of the network [tool.secrets]: the values of credentials in headers, and of fields
// with a secret's name in bodies. Each hidden value is replaced by kHidden.
std::string hide_in_header(const std::string& name, const std::string& value);
// Understands forms, multipart forms and JSON; any other body is returned unchanged.
std::string hide_in_body(const std::string& body, const std::string& content_type);

}  // namespace bridle
