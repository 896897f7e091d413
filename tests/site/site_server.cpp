#include "tests/site/site_server.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/concurrency/thread.h"
#include "tests/site/control.h"
#include "tests/site/routes.h"

namespace bridle::site {
namespace {

std::string make_origin(std::string_view host, std::uint16_t port) {
  return "http://" + std::string(host) + ':' + std::to_string(port);
}

}  // namespace

SiteServer::SiteServer(std::uint16_t port)
    : listeners_{listen_on_loopback(port), listen_on_loopback(0)},
      ports_{local_port(listeners_[0].get()), local_port(listeners_[1].get())},
      service_{.log = log_,
               .releases = releases_,
               .find_handler = [this](const Request& request) { return find_handler(request); },
               .set_origins = [this](Request& request, std::uint16_t to) { set_origins(request, to); }},
      acceptor_([this] { accept_loop(); }) {}

void SiteServer::stop() {
  const std::scoped_lock lock(stop_mutex_);
  if (!acceptor_.joinable()) return;
  log_.close();
  stop_event_.wake();
  acceptor_.join();
  for (Peer& peer : peers_) peer.thread.join();
  peers_.clear();
  for (Fd& listener : listeners_) listener.reset();
}

std::string SiteServer::origin() const { return make_origin("127.0.0.1", ports_[0]); }
std::string SiteServer::other_origin() const { return make_origin("127.0.0.1", ports_[1]); }
std::string SiteServer::cross_site() const { return make_origin("localhost", ports_[1]); }

void SiteServer::set_page(std::string path, std::string html) {
  set_handler(std::move(path), [text = std::move(html)](const Request&, Response& response) { response.html(text); });
}

void SiteServer::set_handler(std::string path, Handler handler) {
  const std::scoped_lock lock(pages_mutex_);
  pages_.insert_or_assign(std::move(path), std::move(handler));
}

std::optional<Millis> SiteServer::wait_for_hangup(std::string_view path, Millis timeout, std::size_t count) const {
  const std::optional<HangupRecord> record = log_.wait_for_hangup(path, timeout, count);
  return record ? std::optional(record->at) : std::nullopt;
}

void SiteServer::reset_log() {
  log_.reset();
  releases_.clear();
}

void SiteServer::accept_loop() {
  for (;;) {
    std::array<pollfd, 3> fds{
        {{listeners_[0].get(), POLLIN, 0}, {listeners_[1].get(), POLLIN, 0}, {stop_event_.get(), POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return;
    if (fds[2].revents != 0) return;
    join_finished();
    for (std::size_t i = 0; i < listeners_.size(); ++i) {
      if (fds[i].revents != 0) accept_one(listeners_[i].get());
    }
  }
}

void SiteServer::accept_one(int listener) {
  Fd socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket) {
    if (errno != EMFILE && errno != ENFILE) return;
    // Out of descriptors, and the listener stays readable: wait a little for one to be closed, or for the stop.
    pollfd stop{stop_event_.get(), POLLIN, 0};
    ::poll(&stop, 1, 20);
    return;
  }
  try {
    Channel channel(std::move(socket), stop_event_.get());
    Peer& peer = peers_.emplace_back();
    peer.thread = start_thread(kConnectionThread, [this, &peer, moved = std::move(channel)]() mutable {
      Connection(std::move(moved), service_).run();
      peer.done = true;
    });
  } catch (const std::system_error&) {
    // No descriptor or no thread left: this peer is turned away, the others are served on.
    if (!peers_.empty() && !peers_.back().thread.joinable()) peers_.pop_back();
  }
}

void SiteServer::join_finished() {
  std::erase_if(peers_, [](Peer& peer) {
    if (!peer.done) return false;
    peer.thread.join();
    return true;
  });
}

Handler SiteServer::find_handler(const Request& request) {
  if (request.path.starts_with(kControlPrefix)) {
    return [this](const Request& asked, Response& response) { serve_control(*this, asked, response); };
  }
  {
    const std::scoped_lock lock(pages_mutex_);
    if (const auto found = pages_.find(request.path); found != pages_.end()) return found->second;
  }
  return find_route(request.path);
}

void SiteServer::set_origins(Request& request, std::uint16_t port) const {
  const std::size_t here = port == ports_[0] ? 0 : 1;
  request.origin = make_origin("127.0.0.1", ports_[here]);
  request.other_origin = make_origin("127.0.0.1", ports_[1 - here]);
  request.cross_site = make_origin("localhost", ports_[1 - here]);
}

}  // namespace bridle::site
