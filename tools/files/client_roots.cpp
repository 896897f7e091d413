#include "tools/files/client_roots.h"

#include <spdlog/spdlog.h>

#include <system_error>
#include <utility>

#include "base/text/codecs.h"
#include "base/text/text.h"

namespace fs = std::filesystem;

namespace bridle {
namespace {

constexpr std::size_t kRoots = 100;
constexpr Millis kAnswer{10'000};

Folders folders_in(const Json& answer) {
  Folders folders;
  if (!answer.is_object() || !answer.contains("roots") || !answer["roots"].is_array()) return folders;
  for (const Json& root : answer["roots"]) {
    if (folders.size() == kRoots) break;
    if (!root.is_object() || !root.contains("uri") || !root["uri"].is_string()) continue;
    if (auto folder = folder_of_root(root["uri"].get<std::string>()); !folder.empty())
      folders.push_back(std::move(folder));
  }
  return folders;
}

}  // namespace

fs::path folder_of_root(const std::string& uri) {
  constexpr std::string_view kScheme = "file://";
  if (!equals_ignoring_case(std::string_view(uri).substr(0, kScheme.size()), kScheme)) return {};
  auto rest = std::string_view(uri).substr(kScheme.size());
  const auto slash = rest.find('/');
  if (slash == std::string_view::npos) return {};
  const auto host = rest.substr(0, slash);
  if (!host.empty() && !equals_ignoring_case(host, "localhost")) return {};
  rest.remove_prefix(slash);
  const auto path = percent_decode(rest.substr(0, rest.find_first_of("?#")));
  if (!path || path->find('\0') != std::string::npos) return {};
  std::error_code error;
  auto real = fs::canonical(*path, error);
  return !error && fs::is_directory(real, error) ? real : fs::path();
}

std::optional<Folders> KnownRoots::get() const {
  const MutexLock lock(mutex_);
  return folders_;
}

void KnownRoots::keep(Folders folders, int version) {
  const MutexLock lock(mutex_);
  if (version == version_) folders_ = std::move(folders);
}

int KnownRoots::version() const {
  const MutexLock lock(mutex_);
  return version_;
}

void KnownRoots::change() {
  const MutexLock lock(mutex_);
  folders_.reset();
  ++version_;
}

Folders client_roots(ToolContext& ctx, KnownRoots* known) {
  if (ctx.user == nullptr || !ctx.user->can_ask("roots/list")) return {};
  if (auto folders = known != nullptr ? known->get() : std::nullopt) return std::move(*folders);
  const int version = known != nullptr ? known->version() : 0;
  Folders folders;
  try {
    const auto answers = ctx.user->ask_all(ctx.call.within(kAnswer), {{"roots", {{"method", "roots/list"}}}});
    folders = folders_in(answers.value("roots", Json()));
  } catch (const ToolError& error) {
    spdlog::debug("roots/list: {}", error.what());
    return {};
  }
  if (known != nullptr) known->keep(folders, version);
  return folders;
}

}  // namespace bridle
