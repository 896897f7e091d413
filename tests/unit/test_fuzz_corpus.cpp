// Every file of the fuzzers' corpus, through its target: what once was a finding stays fixed.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/targets.h"
#include "tests/support/catch.h"

using namespace bridle;

TEST_CASE("fuzz: the corpus passes", "[wire.hostile]") {
  struct Target {
    const char* name;
    void (*run)(std::string_view);
  };
  const Target targets[] = {
      {"http_head", fuzz::http_head},         {"jsonrpc", fuzz::jsonrpc}, {"sse", fuzz::sse},
      {"cdp_message", fuzz::cdp_message},     {"uri", fuzz::uri},         {"ws_frame", fuzz::ws_frame},
      {"heap_snapshot", fuzz::heap_snapshot}, {"trace", fuzz::trace}};
  const std::filesystem::path corpus = BRIDLE_SOURCE_DIR "/tests/fuzz/corpus";
  std::size_t folders = 0;
  for (const auto& folder : std::filesystem::directory_iterator(corpus)) folders += folder.is_directory() ? 1 : 0;
  CHECK(folders == std::size(targets));
  for (const Target& target : targets) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus / target.name)) {
      INFO(entry.path());
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(file), {});
      target.run(bytes);
      // Cut and doubled, too.
      for (const std::size_t size : {bytes.size() / 2, bytes.size() - std::min<std::size_t>(1, bytes.size())}) {
        target.run(std::string_view(bytes).substr(0, size));
      }
      target.run(bytes + bytes);
      ++files;
    }
    CAPTURE(target.name);
    CHECK(files >= 5);
  }
}
