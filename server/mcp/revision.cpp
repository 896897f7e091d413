#include "server/mcp/revision.h"

namespace bridle {

std::string_view to_string(Revision revision) noexcept {
  switch (revision) {
    case Revision::v2024_11_05:
      return "2024-11-05";
    case Revision::v2025_03_26:
      return "2025-03-26";
    case Revision::v2025_06_18:
      return "2025-06-18";
    case Revision::v2025_11_25:
      return "2025-11-25";
    case Revision::v2026_07_28:
      return "2026-07-28";
  }
  return "";
}

std::optional<Revision> parse_revision(std::string_view text) noexcept {
  for (const Revision revision : kRevisions) {
    if (to_string(revision) == text) return revision;
  }
  return std::nullopt;
}

}  // namespace bridle
