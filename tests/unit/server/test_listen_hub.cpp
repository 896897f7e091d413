// subscriptions/listen: how many, what each is told, and the end [wire.listen].
#include <nlohmann/json.hpp>

#include "server/transports/listen_hub.h"
#include "tests/support/catch.h"

using namespace bridle;
using Json = nlohmann::json;
using Got = ReplyStream::Reader::Got;

TEST_CASE("listen hub: as many listeners as the limit, and room again when one leaves", "[wire.listen]") {
  ListenHub hub({.tools = true});
  std::vector<std::shared_ptr<ListenHub::Listener>> all;
  for (std::size_t i = 0; i < ListenHub::kMaxListeners; ++i)
    all.push_back(hub.listen(std::to_string(i), Json::object()));
  CHECK(all.back() != nullptr);
  CHECK(hub.listen("\"more\"", Json::object()) == nullptr);
  all.pop_back();
  CHECK(hub.listen("\"more\"", Json::object()) != nullptr);
}

TEST_CASE(
    "listen hub: acknowledged first, told of what was asked for alone, ended by a result, each tagged with the id",
    "[wire.listen]") {
  ListenHub hub({.tools = true, .prompts = true});
  const auto listener = hub.listen("\"7\"", {{"toolsListChanged", true}, {"resourcesListChanged", true}});
  REQUIRE(listener);
  const auto reader = std::make_shared<ReplyStream::Reader>(listener->stream());
  const auto next = [&] {
    Frame frame;
    return reader->next(Millis(0), frame) == Got::frame ? Json::parse(*frame.text) : Json();
  };
  const auto id_in = [](const Json& params) { return params.at("_meta").at("io.modelcontextprotocol/subscriptionId"); };
  const Json acknowledged = next();
  CHECK(acknowledged["method"] == "notifications/subscriptions/acknowledged");
  CHECK(acknowledged["params"]["notifications"] ==
        Json{{"toolsListChanged", true}});      // what we don't offer isn't honoured
  CHECK(id_in(acknowledged["params"]) == "7");  // a string stays one
  hub.list_changed("prompts");
  CHECK(next().is_null());
  hub.list_changed("tools");
  const Json changed = next();
  CHECK(changed["method"] == "notifications/tools/list_changed");
  CHECK(id_in(changed["params"]) == "7");
  hub.close_all();
  const Json result = next();
  CHECK(result["id"] == "7");
  CHECK(id_in(result["result"]) == "7");
  CHECK(hub.listen("8", Json::object()) == nullptr);  // closed
}
