#pragma once

#include <string>
#include <string_view>

namespace bridle {

// The sets that tools belong to beside the core, which is always listed [tool.sets].
struct ToolSetRow {
  const char* name;
  const char* about;
  bool lazy;  // a client may turn it on by itself, unless --lazy-caps says otherwise
};
inline constexpr ToolSetRow kToolSets[] = {
    {"agent", "a task worked on by a model", false},
    {"config", "bridle's settings", false},
    {"devtools", "traces, heap, styles, audits, videos", true},
    {"emulation", "devices, locale, place, media", true},
    {"network", "mock and record requests", true},
    {"pdf", "save the page as a PDF", true},
    {"storage", "cookies, localStorage, sessionStorage, all of it as a file", false},
    {"testing", "checks, locators, the session as a Playwright test", true},
    {"vision", "the mouse at coordinates", true},
    {"webmcp", "tools that pages register", false},
};

inline bool is_tool_set(std::string_view name) {
  for (const auto& row : kToolSets) {
    if (name == row.name) return true;
  }
  return false;
}

// "pdf, vision"; of all sets, or of those alone that are lazy.
inline std::string tool_set_names(bool lazy_alone = false) {
  std::string names;
  for (const auto& row : kToolSets) {
    if (row.lazy || !lazy_alone) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

}  // namespace bridle
