#pragma once

#include <string>

// Small helpers for the sockets of the forward proxy. None of them blocks.
namespace bridle {

// Small pieces leave at once (TCP_NODELAY).
void send_at_once(int fd);
// Sends what the peer takes of `kept`, and leaves the rest in it. False when the peer is gone.
bool send_kept(int fd, std::string& kept);
// The peer will see a reset instead of an end when the socket is closed.
void end_with_reset(int fd);

}  // namespace bridle
