#pragma once

#include <array>
#include <optional>
#include <string_view>

// The protocol's revisions and what each knows [wire.revisions]. Everything that differs between revisions asks
// one of these predicates; nobody compares version strings elsewhere.
namespace bridle {

enum class Revision { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 };

inline constexpr Revision kLatestLegacy = Revision::v2025_11_25;
inline constexpr std::array kRevisions = {Revision::v2026_07_28, Revision::v2025_11_25, Revision::v2025_06_18,
                                          Revision::v2025_03_26, Revision::v2024_11_05};

std::string_view to_string(Revision revision) noexcept;
std::optional<Revision> parse_revision(std::string_view text) noexcept;

// 2026-07-28: no sessions, each request describes itself.
constexpr bool is_modern(Revision r) { return r == Revision::v2026_07_28; }
constexpr bool has_batches(Revision r) { return r == Revision::v2025_03_26; }
constexpr bool has_annotations(Revision r) { return r >= Revision::v2025_03_26; }
constexpr bool has_audio(Revision r) { return r >= Revision::v2025_03_26; }
constexpr bool has_progress_message(Revision r) { return r >= Revision::v2025_03_26; }
constexpr bool has_completions_capability(Revision r) { return r >= Revision::v2025_03_26; }
constexpr bool has_titles(Revision r) { return r >= Revision::v2025_06_18; }
constexpr bool has_structured_content(Revision r) { return r >= Revision::v2025_06_18; }
constexpr bool has_resource_links(Revision r) { return r >= Revision::v2025_06_18; }
constexpr bool has_elicitation(Revision r) { return r >= Revision::v2025_06_18; }
constexpr bool has_implementation_details(Revision r) { return r >= Revision::v2025_11_25; }  // description, websiteUrl
// Event ids, priming events and `retry` (SEP-1699). Older clients parse an event's empty data as JSON.
constexpr bool has_resumable_streams(Revision r) { return r == Revision::v2025_11_25; }

}  // namespace bridle
