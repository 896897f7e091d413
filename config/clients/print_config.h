#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/options.h"

namespace bridle {

// What `bridle print-config CLIENT` prints: `text` to put into the client's configuration, and where (`hint`, for
// stderr).
struct ClientConfig {
  std::string text{};  // JSON, or TOML for codex
  std::string hint{};
};
// `binary`: our own path, for clients that start us themselves. Throws std::runtime_error that lists the known clients.
ClientConfig client_config(const Options& options, const std::string& binary);

// The same for an entry that starts us with these arguments and variables.
ClientConfig client_entry(const std::string& client, const std::string& binary,
                          const std::vector<std::string>& arguments,
                          const std::map<std::string, std::string>& variables);

// The host to write into a URL for a server that listens on --host: an address as it is, in brackets if it is IPv6, and
// 127.0.0.1 for the loopback and for all addresses. Never localhost, which a client may take for another's IPv6
// loopback.
std::string url_host(const std::string& host);

// How to connect clients to a server that runs with `options`, `port` being the real one: lines for whoever started it.
// `binary` as above.
std::string connect_help(const Options& options, const std::string& binary);

}  // namespace bridle
