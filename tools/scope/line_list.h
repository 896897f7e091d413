#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bridle {

class PageCall;
struct ConsoleEntry;

// " @ http://site/page:12": where a console message comes from; "" when nobody knows.
std::string source_of(const ConsoleEntry& entry);

// The same message, so many times.
struct ConsoleRepeat {
  std::size_t first;  // its index among those that were looked at
  std::size_t times;
};
// Messages of one level, text and place are told once: those that follow one another, or, where the order is of no
// account, all that are alike. What failed at another place is another message.
std::vector<ConsoleRepeat> console_repeats(const std::vector<ConsoleEntry>& entries, bool in_order);

// Leaves out of `kinds`, which are of `entries`, what another document of the tab, or with `own_too` any, has said
// before: of `all` what is no newer than `told`, where that are several. -> how many of the entries that were.
std::size_t drop_told_of_others(const std::vector<ConsoleEntry>& entries, std::vector<ConsoleRepeat>& kinds,
                                const std::vector<ConsoleEntry>& all, int told, bool own_too);

// Gives a list of a page's words that may be long, the oldest line first, under a summary of ours: all of it goes into
// the file of the output folder that `filename` names; without a name ("") the newest lines that fit go into the
// result, because they say most. Throws ToolError when the file can't be written, Aborted.
void add_lines(PageCall& call, const std::string& filename, std::string summary, const std::vector<std::string>& lines);

}  // namespace bridle
