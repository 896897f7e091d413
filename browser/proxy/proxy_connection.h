#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/concurrency/deadline.h"
#include "base/fd.h"
#include "browser/proxy/dialer.h"
#include "browser/proxy/proxy_request.h"
#include "browser/proxy/upstream_handshake.h"
#include "config/network/network_address.h"

namespace bridle {

class ProxyLoop;

// One connection of the browser to its forward proxy, and the connection to a server that it leads to. Belongs to the
// loop's thread. What either side sends is passed on as it comes; at most limits::kProxyBuffer of it is kept for a side
// that doesn't take it, and then the other side isn't read.
class ProxyConnection {
 public:
  ProxyConnection(ProxyLoop& loop, std::uint64_t id, Fd client);

  void begin();
  // Something may be read or written on one of the sockets.
  void on_ready();
  void on_addresses(const std::vector<NetworkAddress>& addresses, const std::string& error);
  void on_timer();
  bool closed() const { return state_ == State::closed; }

 private:
  enum class State {
    head,        // the browser's next request is read
    lookup,      // its host's address is looked up
    hop_lookup,  // the address of the user's own proxy is
    connecting,  // to the server, or to that proxy
    handshake,   // with that proxy
    forwarding,  // the request's bytes go to the server
    ending,      // what is left goes to the browser, then the connection is closed
    closed
  };
  enum class Moved { blocked, ended, failed, budget };

  // The request's way to a connection.
  void read_head();
  void take_head(std::string_view head);
  bool authorised(const ProxyRequest& request) const;
  void reach_server();
  void connect_to(const std::vector<NetworkAddress>& addresses);
  void continue_connecting();
  void use(Fd server);
  void continue_handshake();
  void begin_forwarding();

  // Its ends.
  void refuse(const std::string& why);
  void fail(const char* net_error, const std::string& words, const char* status);
  void reply_and_end(const std::string& reply);
  void reset();
  void close();

  // The bytes.
  void move_bytes();
  Moved move_up();
  Moved move_down();
  bool may_begin_with(char first);
  Moved pass_on(int from, int to, std::string& kept, std::uint64_t& left, bool first_bytes);

  bool chained() const;
  bool sends_connect() const;  // whether bytes reach the server through a tunnel of the user's proxy

  ProxyLoop& loop_;
  const std::uint64_t id_;
  Dialer dialer_;
  Fd client_;
  Fd server_;
  State state_ = State::head;
  ProxyRequest request_{};
  std::string reached_{};    // host:port that server_ leads to
  std::string received_{};   // of the browser: a head, and what came with it
  std::string to_server_{};  // what the server hasn't taken yet
  std::string to_client_{};
  std::uint64_t up_left_ = 0;      // bytes of the request that are still to come
  bool judge_first_byte_ = false;  // of a tunnel: it tells https from http
  bool client_ended_ = false;      // sends no more
  bool server_ended_ = false;
  bool told_server_ = false;  // that the browser sends no more
  bool told_client_ = false;
  Deadline connected_by_ = Deadline::none();
  std::optional<UpstreamHandshake> handshake_{};
  std::string said_by_proxy_{};
};

}  // namespace bridle
