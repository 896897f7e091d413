#include "server/transports/modern_envelope.h"

#include <spdlog/fmt/fmt.h>

#include <utility>

namespace bridle {
namespace {

constexpr const char* kVersion = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilities = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kLogLevel = "io.modelcontextprotocol/logLevel";

const Json* meta_member(const jsonrpc::Message& message, const char* name) {
  if (!message.params.is_object()) return nullptr;
  const auto meta = message.params.find("_meta");
  if (meta == message.params.end() || !meta->is_object()) return nullptr;
  const auto found = meta->find(name);
  return found == meta->end() ? nullptr : &*found;
}

}  // namespace

bool has_modern_claim(const jsonrpc::Message& message) { return meta_member(message, kVersion) != nullptr; }

std::string claimed_version(const jsonrpc::Message& message) {
  const Json* version = meta_member(message, kVersion);
  return version != nullptr && version->is_string() ? version->get<std::string>() : std::string();
}

std::string check_envelope(const jsonrpc::Message& message) {
  const Json* version = meta_member(message, kVersion);
  if (version == nullptr || !version->is_string()) return fmt::format("_meta needs the string {}", kVersion);
  const Json* capabilities = meta_member(message, kCapabilities);
  if (capabilities == nullptr || !capabilities->is_object())
    return fmt::format("_meta needs the object {}", kCapabilities);
  const Json* level = meta_member(message, kLogLevel);
  if (level != nullptr && (!level->is_string() || !parse_log_level(level->get_ref<const std::string&>()))) {
    return fmt::format("{} must be one of debug, info, notice, warning, error, critical, alert, emergency", kLogLevel);
  }
  return {};
}

std::string unsupported_version(const jsonrpc::Message& message) {
  Json supported = Json::array();
  for (const Revision revision : kRevisions) supported.push_back(to_string(revision));
  const std::string requested = claimed_version(message);
  return jsonrpc::error(message.id, jsonrpc::kUnsupportedVersion,
                        "Unsupported protocol version for a request without a session",
                        {{"supported", std::move(supported)}, {"requested", requested}});
}

Caller modern_caller(const jsonrpc::Message& message, std::string name) {
  Caller caller;
  caller.revision = Revision::v2026_07_28;
  caller.name = std::move(name);
  caller.one_shot = true;
  if (const Json* capabilities = meta_member(message, kCapabilities)) caller.capabilities = *capabilities;
  if (const Json* level = meta_member(message, kLogLevel)) {
    caller.log_level = parse_log_level(level->get_ref<const std::string&>());
  }
  return caller;
}

}  // namespace bridle
