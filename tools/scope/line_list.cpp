#include "tools/scope/line_list.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text/log.h"
#include "base/text/named_secrets.h"
#include "base/text/secrets.h"
#include "base/text/text.h"
#include "tools/scope/page_call.h"

namespace bridle {

std::string source_of(const ConsoleEntry& entry) {
  if (entry.url.empty()) return {};
  const auto line = entry.line > 0 ? ":" + std::to_string(entry.line) : std::string();
  return " @ " + loggable(shown_url(entry.url), 300) + line;
}

namespace {

bool says_the_same(const ConsoleEntry& one, const ConsoleEntry& other) {
  return one.text == other.text && one.level == other.level && one.url == other.url && one.line == other.line;
}

}  // namespace

std::vector<ConsoleRepeat> console_repeats(const std::vector<ConsoleEntry>& entries, bool in_order) {
  std::vector<ConsoleRepeat> found;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto is_same = [&](const ConsoleRepeat& one) { return says_the_same(entries[one.first], entries[i]); };
    const auto from = in_order && !found.empty() ? found.end() - 1 : found.begin();
    const auto same = std::find_if(from, found.end(), is_same);
    if (same == found.end())
      found.push_back({i, 1});
    else
      ++same->times;
  }
  return found;
}

std::size_t drop_told_of_others(const std::vector<ConsoleEntry>& entries, std::vector<ConsoleRepeat>& kinds,
                                const std::vector<ConsoleEntry>& all, int told, bool own_too) {
  const auto is_news = [&](const ConsoleRepeat& kind) {
    const auto& entry = entries[kind.first];
    return std::none_of(all.begin(), all.end(), [&](const ConsoleEntry& other) {
      return other.index <= told && (own_too || other.loader_id != entry.loader_id) && says_the_same(other, entry);
    });
  };
  std::vector<ConsoleRepeat> news;
  std::copy_if(kinds.begin(), kinds.end(), std::back_inserter(news), is_news);
  if (kinds.size() - news.size() < 2) return 0;  // a single one takes no more room than saying so
  std::size_t repeated = entries.size();
  for (const auto& kind : news) repeated -= kind.times;
  kinds = std::move(news);
  return repeated;
}

void add_lines(PageCall& call, const std::string& filename, std::string summary,
               const std::vector<std::string>& lines) {
  const auto room = filename.empty() ? call.settings().max_output / 10 * 8 : std::string::npos;
  std::size_t size = 0;
  std::size_t from = lines.size();
  while (from > 0 && size + lines[from - 1].size() < room) size += lines[--from].size() + 1;
  if (from > 0) summary += fmt::format("; the first {} left out (filename saves all)", counted(from, "line"));
  std::string text;
  text.reserve(size);
  for (std::size_t i = from; i < lines.size(); ++i) text += lines[i] + "\n";
  if (filename.empty()) {
    call.response.result(summary);
    if (!text.empty()) call.response.page_text(std::move(text));
    return;
  }
  const auto saved = call.scope().files()->write(call.ctx(), filename, without_named_secrets(summary + "\n" + text));
  call.response.result(summary + "\n" + saved_words(saved));
}

}  // namespace bridle
