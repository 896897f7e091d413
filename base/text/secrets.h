#pragma once

#include <string>
#include <string_view>

namespace bridle {

// Keeps secrets out of what is told, by the names that they bear [tool.secrets]: base/secret_names.def lists the names,
// and the page's scripts read the same list. What is hidden is replaced by kHidden, so that a reader knows that a value
// is there. Pure functions.
inline constexpr const char* kHidden = "[value hidden]";

// Whether a field, a header or a parameter of that name holds a secret.
bool is_secret_name(std::string_view name);
// The same for a parameter of a URL, where some names more are a secret's.
bool is_secret_parameter(std::string_view name);

// name=value&name=value with the values of secrets hidden; so are those within a value that is itself a URL or a query,
// escaped or not.
std::string hide_in_query(std::string_view query);
// A URL, absolute or relative, with what stands before its host's '@', and the secrets of its path's parameters, its
// query and its fragment, hidden. A data: URL stays as it is.
std::string hide_in_url(std::string_view url);
// The same as a result tells it: a data: URL, which may be a whole document, is cut after its first characters, with
// its length.
std::string shown_url(std::string_view url);
// As hide_in_url, for each absolute URL in a text.
std::string hide_in_urls_of(std::string_view text);

}  // namespace bridle
