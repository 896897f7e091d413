#pragma once

#include <string>
#include <string_view>

namespace bridle {

// Keeps secrets out of what is told of the network [tool.snapshot.secrets]: the values of
// credentials in headers, and of fields that are named like a password, a one-time code, a card's code or a token in
// URLs and bodies. Each hidden value is replaced by kHidden.
inline constexpr const char* kHidden = "[value hidden]";

bool is_secret_name(std::string_view name);
std::string hide_in_header(const std::string& name, const std::string& value);
std::string hide_in_url(const std::string& url);
// Understands forms, multipart forms and JSON; any other body is returned unchanged.
std::string hide_in_body(const std::string& body, const std::string& content_type);

}  // namespace bridle
