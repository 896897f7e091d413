#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/network/network_address.h"

namespace bridle {

// Looks host names up on threads of its own, as the system's resolver can only block. Lookups of one name at the same
// time are one. Any thread.
//
// A lookup can't be interrupted, so its thread is never joined: it holds only what it needs itself, and its result is
// dropped when the Resolver is gone.
class Resolver {
 public:
  // The addresses in the order in which they are to be tried; none, and why, when there are none. Called on a thread of
  // the resolver's, or at once for what needs no lookup (addresses, localhost); it must only hand the result on.
  using Done = std::function<void(std::vector<NetworkAddress> addresses, const std::string& error)>;

  Resolver();
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // `host` may be in brackets. No Done is called after the destructor has returned.
  void resolve(const std::string& host, Done done);

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace bridle
