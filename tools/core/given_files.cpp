#include "tools/core/given_files.h"

#include "base/text/log.h"
#include "browser/page/world/world.h"
#include "config/network/origin_rules.h"
#include "tools/scope/page_call.h"

namespace bridle {

GivenFiles files_to_upload(PageCall& call, const std::vector<std::string>& paths) {
  GivenFiles files;
  for (const auto& path : paths)
    files.push_back(call.scope().files()->upload(path, "uploaded", [&] { return call.client_roots(); }));
  return files;
}

Json readable_paths(PageCall& call, const GivenFiles& files) {
  Json paths = Json::array();
  for (const auto& file : call.scope().readable_files(call.ctx(), files)) paths.push_back(file.string());
  return paths;
}

std::string file_names(const GivenFiles& files) {
  std::string names;
  for (const auto& file : files) names += (names.empty() ? "" : ", ") + loggable(file.filename().string(), 100);
  return names;
}

// A document without a URL of its own has its page's origin.
void confirm_upload(PageCall& call, const std::string& frame, const GivenFiles& files) {
  if (files.empty() || call.settings().confirm.empty()) return;
  const auto of_frame = content_origin(page_call(call.ctx(), call.tab(), frame, page::PageInfo{}).url);
  call.confirm(ConsentKind::upload, of_frame.empty() ? content_origin(call.tab().state().url) : of_frame);
}

}  // namespace bridle
