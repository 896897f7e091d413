#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// The project's own files, for tests that read the tree instead of running it.
namespace bridle::source_tree {

inline std::filesystem::path root() { return BRIDLE_SOURCE_DIR; }

inline std::string text_of(const std::string& name) {
  std::ifstream file(root() / name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Every text file, by its name relative to root(); without what builds, packages and fuzzers keep there.
inline std::vector<std::string> text_files() {
  namespace fs = std::filesystem;
  static const std::set<std::string> kTexts{".cpp", ".h",     ".def", ".js",   ".mjs", ".md",
                                            ".txt", ".cmake", ".sh",  ".json", ""};
  static const std::set<std::string> kForeign{"build", ".git", "node_modules", "corpus"};
  std::vector<std::string> names;
  for (auto at = fs::recursive_directory_iterator(root()); at != fs::recursive_directory_iterator(); ++at) {
    if (at->is_directory() && kForeign.contains(at->path().filename().string())) at.disable_recursion_pending();
    if (!at->is_regular_file() || !kTexts.contains(at->path().extension().string())) continue;
    names.push_back(fs::relative(at->path(), root()).generic_string());
  }
  return names;
}

}  // namespace bridle::source_tree
