#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bridle {

// What IO.read brings of a stream.
struct StreamPiece {
  std::string data{};  // as it is in the stream: neither JSON's escapes nor base64
  bool eof = false;
};

// From the message of a reply to IO.read. Any order of members is understood; the one that Chromium writes is read
// without a general parser, which takes 8 ms for a megabyte of which all but a few bytes are one string. Throws
// nlohmann's exceptions for what is no such reply.
StreamPiece stream_piece(std::string_view message);

// The short way of it: nullopt where the message has any other form, or characters beyond the Basic Multilingual Plane
// that are escaped.
std::optional<StreamPiece> scan_stream_piece(std::string_view message);

}  // namespace bridle
