#include "tools/core/console.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

#include "base/text/secrets.h"
#include "base/text/text.h"
#include "tools/contract/schema.h"
#include "tools/scope/line_list.h"
#include "tools/scope/page_tool.h"

// What the page wrote to its console, as the tab's trackers keep it while events come in.
namespace bridle {
namespace {

constexpr std::array<std::string_view, 4> kLevels{"error", "warning", "info", "debug"};  // the most severe first

std::size_t severity(std::string_view level) {
  return static_cast<std::size_t>(std::find(kLevels.begin(), kLevels.end(), level) - kLevels.begin());
}

// `[ERROR] text @ http://site/page:12`, further lines of the text indented.
std::string console_line(const ConsoleEntry& entry, std::size_t times) {
  std::string line = "[" + upper(entry.level) + "] ";
  for (const char c : hide_in_urls_of(entry.text)) {
    line += c;
    if (c == '\n') line += "  ";
  }
  line += source_of(entry);
  if (times > 1) line += fmt::format(" ({} times)", times);
  return line;
}

void console_messages_tool(PageCall& call, const Arguments& args) {
  const auto least = severity(args.text("level"));
  const bool all = args.flag("all");
  const auto [entries, dropped] = call.tab().console(all);
  std::array<std::size_t, kLevels.size()> counts{};
  std::vector<std::string> lines;
  std::size_t shown = 0;
  for (const auto& [first, times] : console_repeats(entries, true)) {
    const auto level = severity(entries[first].level);
    if (level >= kLevels.size()) continue;
    counts[level] += times;
    if (level > least) continue;
    lines.push_back(console_line(entries[first], times));
    shown += times;
  }
  auto summary =
      fmt::format("{}{}: {}, {}, {} info, {} debug", counted(entries.size(), "message"), all ? "" : " of this page",
                  counted(counts[0], "error"), counted(counts[1], "warning"), counts[2], counts[3]);
  if (shown < entries.size()) summary += fmt::format("; {} shown, of level {} and above", shown, kLevels[least]);
  if (dropped > 0)
    summary += dropped == 1 ? std::string("; the oldest of this tab was dropped")
                            : fmt::format("; the {} oldest of this tab were dropped", dropped);
  add_lines(call, args.text("filename"), summary, lines);
}

}  // namespace

void record_console(const BrowserScope& scope, const BrowserSettings& settings, SessionRecord& record) {
  const auto least = severity(settings.console_level);
  for (const auto& tab : scope.listed_tabs()) {
    const auto [entries, dropped] = tab->console(true);
    std::vector<SessionRecord::ConsoleLine> lines;
    for (const auto& entry : entries) {
      if (severity(entry.level) <= least) lines.push_back({entry.index, entry.loader_id, console_line(entry, 1)});
    }
    record.add_console(tab->id(), lines);
  }
}

std::vector<ToolSpec> console_tools(const BrowserSettings& settings) {
  const std::string by_itself = "Default: " + settings.console_level;
  return {{.name = "browser_console_messages",
           .title = "Console",
           .description = "The page's console messages and uncaught errors.",
           .input_schema =
               schema::object({{"level", schema::choice({"error", "warning", "info", "debug"}, by_itself.c_str()),
                                false, settings.console_level},
                               {"all", schema::boolean("Earlier pages' too")},
                               schema::filename(),
                               schema::tab()}),
           .read_only = true,
           .idempotent = true,
           .handler = page_tool("browser_console_messages", kReadsLog, console_messages_tool)}};
}

}  // namespace bridle
