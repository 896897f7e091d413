#include "tools/files/session_record.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include "base/text/codecs.h"
#include "base/text/named_secrets.h"
#include "tools/contract/page_text.h"

namespace bridle {

namespace {

// page-2026-07-31T09-05-00-123Z.png: as @playwright/mcp names what a session keeps.
std::string name_of_now(const std::string& kind, const std::string& ending) {
  const auto now = std::chrono::system_clock::now();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  const std::time_t seconds = ms / 1000;
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  return fmt::format("{}-{:04}-{:02}-{:02}T{:02}-{:02}-{:02}-{:03}Z.{}", kind, utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, ms % 1000, ending);
}

}  // namespace

void SessionRecord::add_console(const std::string& tab, const std::vector<ConsoleLine>& lines) {
  const MutexLock lock(mutex_);
  auto& console = consoles_[tab];
  std::string text;
  const auto write = [&]() REQUIRES(mutex_) {
    if (text.empty()) return;
    try {
      if (console.file.empty()) console.file = files_->reserve(name_of_now("console", "log"));
      files_->append(console.file, without_named_secrets(std::exchange(text, {})));
    } catch (const std::exception& error) {
      spdlog::warn("--save-session: {}", error.what());
    }
  };
  for (const auto& line : lines) {
    if (line.index <= console.last) continue;
    if (line.document != console.document) {
      write();
      console.document = line.document;
      console.file.clear();
    }
    console.last = line.index;
    text += line.text + "\n";
  }
  write();
}

void SessionRecord::add(const std::string& tool, const Json& arguments, ToolResult& result) {
  const auto block = [](std::string_view text, std::string_view language) {
    const auto parts = fenced(text, language);
    return parts.opening + parts.body + parts.closing + "\n";
  };
  auto told = arguments;  // a client may have come by a value otherwise
  hide_named_secrets(told);
  std::string entry = "\n### Tool call: " + tool + "\n- Args\n" + block(dump_pretty(told), "json") + "- Result" +
                      (result.is_error ? " (error)" : "") + "\n";
  const auto name = arguments.find("filename");
  const bool has_file = name != arguments.end() && *name != "";
  std::string kept;
  const MutexLock lock(mutex_);  // one after another, as they ended
  try {
    for (const auto& content : result.content) {
      if (content.kind == Content::Kind::text) entry += block(content.text, "");
      if (content.kind != Content::Kind::image || has_file) continue;
      const auto type = content.mime_type.substr(content.mime_type.find('/') + 1);
      const auto saved = files_->write({}, name_of_now("page", type), from_base64(content.data).value_or(""));
      entry += "- Picture: " + saved.path.filename().string() + "\n";
      kept += (kept.empty() ? "Kept as " : ", ") + saved.path.string();
    }
    if (file_.empty()) file_ = files_->reserve("session.md");
    files_->append(file_, entry);
  } catch (const std::exception& error) {
    spdlog::warn("--save-session: {}", error.what());
  }
  if (!kept.empty()) result.content.push_back({.kind = Content::Kind::text, .text = kept});
}

void shape_pictures(ToolResult& result, const std::string& mode) {
  const auto is_picture = [](const Content& one) { return one.kind == Content::Kind::image; };
  if (mode == "allow" || std::none_of(result.content.begin(), result.content.end(), is_picture)) return;
  if (mode == "only") {
    std::erase_if(result.content, [&](const Content& one) { return !is_picture(one); });
    return;
  }
  std::erase_if(result.content, is_picture);
  result.content.push_back({.kind = Content::Kind::text,
                            .text = "(The picture is not sent: bridle runs with --image-responses omit. With filename "
                                    "it is saved to a file.)"});
}

}  // namespace bridle
