#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/http/messages/head.h"

namespace bridle {

// Decodes a chunked body (RFC 9112, 7.1). Extensions and trailers are checked, bounded and dropped.
class ChunkedDecoder {
 public:
  explicit ChunkedDecoder(std::size_t max_body_bytes) : max_body_bytes_(max_body_bytes) {}

  enum class State { incomplete, complete, refused };
  // Takes what it can from the front of `bytes` (and leaves the next request there) and appends to `body`.
  State decode(std::string_view& bytes, std::string& body);
  const HttpRefusal& refusal() const { return refusal_; }

 private:
  enum class At { size, extension, size_lf, data, data_cr, data_lf, trailer, trailer_lf };
  State refuse(int status, std::string_view text);
  bool step(char c);
  bool in_size(char c);

  std::size_t max_body_bytes_;
  At at_ = At::size;
  std::size_t chunk_bytes_ = 0;  // left of the current chunk
  std::size_t size_digits_ = 0;
  std::size_t total_ = 0;
  std::size_t overhead_ = 0;  // bytes of extensions and trailers
  std::size_t line_bytes_ = 0;
  bool last_ = false;
  bool complete_ = false;
  HttpRefusal refusal_;
};

}  // namespace bridle
