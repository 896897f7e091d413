#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "base/limits.h"
#include "base/text/named_secrets.h"
#include "base/text/text.h"
#include "server/http/messages/sse.h"
#include "server/panel/panel.h"
#include "server/panel/replies.h"
#include "server/panel/state.h"

// The panel's events: hello, state, past [panel.events].
namespace bridle {
namespace {

std::string event_text(std::string_view name, const std::string& id, std::string_view data) {
  std::string text = "event: ";
  text.append(name).append("\nid: ").append(id).append("\ndata: ").append(data).append("\n\n");
  return text;
}

// The number in "SERVER-N"; -1 of another server or none.
long last_seen(const std::string& id, const std::string& server) {
  if (!id.starts_with(server + "-")) return -1;
  const auto digits = id.substr(server.size() + 1);
  const bool whole =
      !digits.empty() && digits.size() < 12 && digits.find_first_not_of("0123456789") == std::string::npos;
  return whole ? std::stol(digits) : -1;
}

bool is_viewer_id(std::string_view id) {
  constexpr std::size_t kShortest = 8, kLongest = 64;
  return id.size() >= kShortest && id.size() <= kLongest && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
         });
}

}  // namespace

class Panel::Presence {
 public:
  Presence(Panel& panel, std::string viewer) : panel_(panel), viewer_(std::move(viewer)) {
    const MutexLock lock(panel_.mutex_);
    ++panel_.viewers_[viewer_].streams;
  }
  ~Presence() {
    const MutexLock lock(panel_.mutex_);
    auto& viewer = panel_.viewers_[viewer_];
    if (--viewer.streams > 0) return;
    viewer.gone = Clock::now();
    panel_.gone_.set_by(viewer.gone + panel_.parts_.viewer_gone);
  }
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;

 private:
  Panel& panel_;
  const std::string viewer_;
};

HttpReply Panel::events(HttpRequest& request) {
  const auto viewer = request.query_param("viewer");
  if (!viewer.empty() && !is_viewer_id(viewer))
    return panel::refusal(400, "viewer must have 8 to 64 letters and digits");
  const auto* header = request.header("Last-Event-ID");
  const auto last = header != nullptr ? *header : request.query_param("last");
  auto& peer = *request.peer;
  // One that only watches has a name of its own, so that it holds nothing.
  return sse_reply([this, viewer, last, &peer](HttpStream& out) {
    try {
      stream_events(out, peer, viewer, last);
    } catch (const Aborted&) {
      // The server ends, and the stream with it.
    }
  });
}

void Panel::stream_events(HttpStream& out, HttpPeer& peer, const std::string& viewer, const std::string& last) {
  const StreamCount count(parts_.streams);
  std::optional<Presence> presence;
  if (!viewer.empty()) presence.emplace(*this, viewer);
  auto& board = parts_.board;
  auto& bell = board.changes();
  const auto leaves = peer.on_close([&bell] { bell.ring(); });

  const long seen = last_seen(last, server_);
  auto& timeline = board.timeline();
  const long oldest = timeline.oldest();
  const long newest = timeline.newest();
  const bool resumed = seen >= 0 && seen <= newest;
  const long shown = static_cast<long>(limits::kTimelineShown);
  long sent = resumed ? std::max(seen, oldest - 1) : std::max(newest - shown, oldest - 1);
  const auto id = [&] { return server_ + "-" + std::to_string(sent); };
  bool open = out.write(event_text("hello", id(),
                                   dump({{"server", server_},
                                         {"version", BRIDLE_VERSION},
                                         {"now", epoch_ms(Clock::now())},
                                         {"resumed", resumed},
                                         {"missed", resumed ? sent - seen : 0}})));
  const auto is_open = [&] { return !parts_.alive.aborted() && !peer.closed(); };
  std::string told;
  auto spoke = Clock::now();
  auto paced = Clock::time_point{};
  while (open && is_open()) {
    const auto rung = bell.count();
    Json state = panel::state_of(board, viewer);
    state["server"]["startedAt"] = epoch_ms(began_);
    hide_named_secrets(state);
    if (std::string now = dump(state); now != told) {
      told = std::move(now);
      state["now"] = epoch_ms(Clock::now());
      open = out.write(event_text("state", id(), dump(state)));
      spoke = paced = Clock::now();
    }
    for (const auto& entry : timeline.after(sent)) {
      sent = entry->n;
      open = open && out.write(event_text("past", id(), entry->json));
      spoke = Clock::now();
    }
    if (open && Clock::now() - spoke >= limits::kPanelAlive) {
      open = out.write(": alive\n\n");
      spoke = Clock::now();
    }
    // Calls ring; tabs are looked at.
    if (!open || !bell.wait(until(Deadline::after(limits::kPanelTabsTick)), rung)) continue;
    // Changes come in bursts: they are told of together.
    const auto next = until(Deadline::at(paced + limits::kPanelPace));
    while (is_open() && bell.wait(next, bell.count())) {
    }
  }
}

void Panel::hand_back_of_gone() {
  const auto long_ago = Clock::now() - parts_.viewer_gone;
  std::vector<std::string> gone;
  {
    const MutexLock lock(mutex_);
    for (auto at = viewers_.begin(); at != viewers_.end();) {
      const auto& [name, viewer] = *at;
      if (viewer.streams > 0 || viewer.gone > long_ago) {
        if (viewer.streams == 0) gone_.set_by(viewer.gone + parts_.viewer_gone);
        ++at;
        continue;
      }
      gone.push_back(name);
      at = viewers_.erase(at);
    }
  }
  for (const auto& name : gone) hand_back_all(name);
}

}  // namespace bridle
