#pragma once

#include <string>
#include <string_view>
#include <vector>

// The panel's page: the files of server/panel/page/, which cmake/embed_files.cmake puts into the program.
namespace bridle::panel {

struct PageFile {
  std::string_view name;
  std::string_view text;
};
// All of them, by name.
const std::vector<PageFile>& page_files();

// The Content-Type of a file by its name's end.
std::string_view content_type(std::string_view name);
// The ETag of a text: it changes with every byte.
std::string etag_of(std::string_view text);

}  // namespace bridle::panel
