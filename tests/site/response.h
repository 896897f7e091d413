// One answer of the fixture server, as its pages write it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tests/site/http.h"
#include "tests/site/releases.h"
#include "tests/site/socket.h"

namespace bridle::site {

// Belongs to the thread of its connection. A handler sets status, headers and body and returns; or it calls begin()
// and write()s the body in pieces. Whatever returns bool is false once the peer left or the server stops: the handler
// then just returns.
class Response {
 public:
  // How the answer ended.
  enum class Ending {
    complete,   // all of it was sent
    peer_gone,  // the peer hung up before that
    stopped,    // the server stopped before that
    reset,      // the handler closed the connection
  };

  Response(const Request& request, Channel& channel, const Releases::Ticket& ticket);

  int status = 200;
  std::string body;

  void set_header(std::string_view name, std::string value);
  void add_header(std::string_view name, std::string value);  // keeps others of the same name
  // Each sets the body, with its content type.
  void html(std::string text);
  void text(std::string text);
  void json(std::string text);
  void redirect(std::string location, int with_status = 302);

  // Waits, until released, at most so long.
  bool delay(Millis time);
  bool delay(int ms) { return delay(Millis(ms)); }
  // Waits until released: by the request's path, or by `key`.
  bool hold(const std::string& key = "");

  // Sends the head at once; the body follows by write(), chunked, or of the length named here.
  bool begin();
  bool begin(std::size_t content_length);
  bool write(std::string_view piece);
  // So many bytes of `pattern`, over and over, in pieces: a large body isn't built first, and a stop comes through.
  bool write_repeated(std::string_view pattern, std::size_t size);
  // Closes the connection with RST.
  void reset();

  // For the connection: sends what is left, and says how it ended.
  Ending end();
  bool keep_alive() const { return keep_alive_; }
  bool begun() const { return begun_; }

 private:
  bool note(Wait wait);
  bool wait_released(const std::string& key, Channel::Deadline deadline);
  std::string head_text() const;
  bool bodiless() const;

  Channel& channel_;
  const Releases::Ticket& ticket_;
  Headers headers_;
  bool head_only_;
  bool http_1_0_;
  bool keep_alive_;
  bool begun_ = false;
  bool chunked_ = false;
  std::size_t promised_ = 0;  // what is left of a named length
  Ending ending_ = Ending::complete;
};

using Handler = std::function<void(const Request&, Response&)>;

}  // namespace bridle::site
