#pragma once

#include <string>
#include <vector>

namespace bridle {

class PageCall;
struct ConsoleEntry;

// " @ http://site/page:12": where a console message comes from; "" when nobody knows.
std::string source_of(const ConsoleEntry& entry);

// Gives a list of a page's words that may be long, the oldest line first, under a summary of ours: all of it goes into
// the file of the output folder that `filename` names; without a name ("") the newest lines that fit go into the
// result, because they say most. Throws ToolError when the file can't be written, Aborted.
void add_lines(PageCall& call, const std::string& filename, std::string summary, const std::vector<std::string>& lines);

}  // namespace bridle
