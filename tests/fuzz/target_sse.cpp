#include <nlohmann/json.hpp>
#include <string>

#include "server/calls/stream/replay_store.h"
#include "server/http/messages/sse.h"
#include "server/mcp/jsonrpc.h"
#include "tests/fuzz/targets.h"

namespace bridle::fuzz {
namespace {

// The data of the events in a stream, read as a client does (HTML, 9.2.6): a field ends at CR, LF or CRLF.
std::vector<std::string> events_of(std::string_view stream) {
  std::vector<std::string> events;
  std::string data;
  bool any = false;
  while (!stream.empty()) {
    const auto end = stream.find_first_of("\r\n");
    const auto line = stream.substr(0, end);
    const std::size_t skip = end == std::string_view::npos ? 0 : stream.substr(end).starts_with("\r\n") ? 2 : 1;
    stream.remove_prefix(end == std::string_view::npos ? stream.size() : end + skip);
    if (line.empty() && any) {
      events.push_back(data);
      data.clear();
      any = false;
    }
    if (line.starts_with("data: ")) {
      data += line.substr(6);
      any = true;
    }
  }
  return events;
}

}  // namespace

// A message with any text in it is one event, and comes out as it went in; an event id from a client, any bytes, finds
// its own stream or none.
void sse(std::string_view bytes) {
  const std::string message =
      jsonrpc::notification("notifications/message", {{"data", std::string(bytes)}, {"level", "info"}});
  Frame frame;
  frame.text = std::make_shared<const std::string>(message);
  const auto events = events_of(sse_event(frame, ReplayStore::event_id("s-1", 7)) + sse_event(frame, ""));
  require(events.size() == 2 && events[0] == message && events[1] == message);

  ReplayStore store("s");
  const std::string name = store.add(std::make_shared<ReplyStream>(ReplyStream::Options{}));
  const auto found = store.find(bytes);
  if (found.what == ReplayStore::Found::What::stream) require(found.name == name && found.stream != nullptr);
  const auto known = store.find(ReplayStore::event_id(name, 0));
  require(known.what == ReplayStore::Found::What::stream && known.after == 0);
}

}  // namespace bridle::fuzz
