#include "tools/files/session_record.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "base/text/codecs.h"
#include "base/text/named_secrets.h"
#include "tools/contract/page_text.h"

namespace bridle {

void SessionRecord::add(const std::string& tool, const Json& arguments, const ToolResult& result) {
  const auto block = [](std::string_view text, std::string_view language) {
    const auto parts = fenced(text, language);
    return parts.opening + parts.body + parts.closing + "\n";
  };
  auto told = arguments;  // a client may have come by a value otherwise
  hide_named_secrets(told);
  std::string entry = "\n### Tool call: " + tool + "\n- Args\n" + block(dump_pretty(told), "json") + "- Result" +
                      (result.is_error ? " (error)" : "") + "\n";
  const MutexLock lock(mutex_);  // one after another, as they ended
  try {
    for (const auto& content : result.content) {
      if (content.kind == Content::Kind::text) entry += block(content.text, "");
      if (content.kind != Content::Kind::image || arguments.contains("filename")) continue;
      const auto type = content.mime_type.substr(content.mime_type.find('/') + 1);
      const auto saved = files_->write({}, "picture." + type, from_base64(content.data).value_or(""));
      entry += "- Picture: " + saved.path.filename().string() + "\n";
    }
    if (file_.empty()) file_ = files_->reserve("session.md");
    files_->append(file_, entry);
  } catch (const std::exception& error) {
    spdlog::warn("--save-session: {}", error.what());
  }
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
