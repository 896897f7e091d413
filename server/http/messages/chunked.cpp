#include "server/http/messages/chunked.h"

#include <algorithm>

namespace bridle {
namespace {

constexpr std::size_t kOverheadBytes = 16 * 1024;  // of extensions and trailers in one body
constexpr std::size_t kSizeDigits = 15;            // of a chunk's size; cannot overflow 64 bits

bool is_printable(char c) { return static_cast<unsigned char>(c) >= 0x20 || c == '\t'; }

}  // namespace

ChunkedDecoder::State ChunkedDecoder::refuse(int status, std::string_view text) {
  refusal_ = {status, text};
  return State::refused;
}

ChunkedDecoder::State ChunkedDecoder::decode(std::string_view& bytes, std::string& body) {
  if (refusal_.text.data() != nullptr) return State::refused;
  while (!complete_ && !bytes.empty()) {
    if (at_ == At::data) {
      const auto size = std::min(chunk_bytes_, bytes.size());
      body.append(bytes.substr(0, size));
      bytes.remove_prefix(size);
      chunk_bytes_ -= size;
      if (chunk_bytes_ == 0) at_ = At::data_cr;
      continue;
    }
    const char c = bytes.front();
    bytes.remove_prefix(1);
    if (!step(c)) return refuse(400, "The chunked body is malformed.");
    if (overhead_ > kOverheadBytes) return refuse(413, "The chunked body's extensions and trailers are too large.");
    // Refused by the chunk's own word, before its bytes are read.
    if (chunk_bytes_ > max_body_bytes_ - total_) return refuse(413, "The request body is too large.");
    if (at_ == At::data) total_ += chunk_bytes_;
  }
  return complete_ ? State::complete : State::incomplete;
}

bool ChunkedDecoder::in_size(char c) {
  const bool digit = c >= '0' && c <= '9';
  const char letter = static_cast<char>(c | 0x20);
  if (digit || (letter >= 'a' && letter <= 'f')) {
    chunk_bytes_ = chunk_bytes_ * 16 + static_cast<std::size_t>(digit ? c - '0' : letter - 'a' + 10);
    return ++size_digits_ <= kSizeDigits;
  }
  if (size_digits_ == 0) return false;
  if (c == ';' || c == ' ' || c == '\t') {
    at_ = At::extension;
    ++overhead_;
    return true;
  }
  at_ = At::size_lf;
  return c == '\r';
}

// Takes one byte outside of chunk data. False if it is malformed.
bool ChunkedDecoder::step(char c) {
  switch (at_) {
    case At::size:
      return in_size(c);
    case At::extension:
      ++overhead_;
      if (c == '\r') {
        at_ = At::size_lf;
        return true;
      }
      return is_printable(c);
    case At::size_lf:
      last_ = chunk_bytes_ == 0;
      at_ = last_ ? At::trailer : At::data;
      size_digits_ = 0;
      return c == '\n';
    case At::data_cr:
      at_ = At::data_lf;
      return c == '\r';
    case At::data_lf:
      at_ = At::size;
      return c == '\n';
    case At::trailer:
      ++overhead_;
      if (c == '\r') {
        at_ = At::trailer_lf;
        return true;
      }
      ++line_bytes_;
      return is_printable(c);
    case At::trailer_lf:
      complete_ = line_bytes_ == 0;
      line_bytes_ = 0;
      at_ = At::trailer;
      return c == '\n';
    case At::data:
      break;
  }
  return false;
}

}  // namespace bridle
