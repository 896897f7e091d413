#pragma once

#include <cstdlib>
#include <string_view>

// What the fuzzers call with any bytes, and ./test with the files of tests/fuzz/corpus/NAME. A target must neither
// crash nor read outside its input; what must hold beyond that, it requires.
namespace bridle::fuzz {

void http_head(std::string_view bytes);
void jsonrpc(std::string_view bytes);
void sse(std::string_view bytes);
void cdp_message(std::string_view bytes);
void uri(std::string_view bytes);
void ws_frame(std::string_view bytes);
void heap_snapshot(std::string_view bytes);
void trace(std::string_view bytes);

inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace bridle::fuzz
