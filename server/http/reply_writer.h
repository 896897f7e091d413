#pragma once

#include <memory>

#include "server/http/messages/head.h"
#include "server/http/messages/message.h"

namespace bridle {

class HttpConnection;

// Writes the answers of one connection, on that connection's thread. The connection outlives it.
class ReplyWriter {
 public:
  explicit ReplyWriter(HttpConnection& connection);
  ~ReplyWriter();
  ReplyWriter(const ReplyWriter&) = delete;
  ReplyWriter& operator=(const ReplyWriter&) = delete;

  // Sends `reply` to the request with `head`, and runs the reply's stream to its end. False when the connection cannot
  // serve another request: `keep_alive` is false, the peer is gone, or only the connection's end can end the body.
  bool write(const HttpHead& head, HttpReply& reply, bool keep_alive);

 private:
  class Framer;
  std::unique_ptr<Framer> framer_;
};

}  // namespace bridle
