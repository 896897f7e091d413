#include "browser/page/world.h"

#include <spdlog/fmt/fmt.h>

#include <atomic>

#include "browser/page/page_script.h"

namespace bridle {
namespace {

constexpr Millis kFrameArrives{250};

struct World {
  std::string session;
  std::string unique_id;
  bool scripted = false;
};

// The page script isn't in the world after all: nothing of the call has run.
class ScriptMissing : public std::exception {};

World world_of(const FrameState& frame) {
  return {frame.session, frame.bridle_world, frame.scripted_world == frame.bridle_world};
}

// The main frame's world, or one without a unique_id. Never waits.
World frame_world(Tab& tab, const std::string& frame_id) {
  const auto frame = tab.frame(frame_id);
  return frame && !frame->bridle_world.empty() ? world_of(*frame) : World{};
}

World find_world(const CallContext& ctx, Tab& tab, const std::string& frame_id) {
  World world;
  bool known = true;
  bool arriving = false;
  const auto decided = [&] {
    const auto now = tab.state();
    if (now.gone || now.crashed) return true;
    const auto found = tab.frame(frame_id);
    known = found.has_value();
    if (!known) return true;
    arriving = found->navigating && found->id != tab.main_frame();
    if (found->bridle_world.empty()) return false;
    world = world_of(*found);
    return true;
  };
  // A frame inside the page whose server keeps it waiting must not keep the page waiting.
  const bool there =
      tab.wait(ctx.within(kFrameArrives), decided) || (!arriving && tab.wait(ctx.within(limits::kCdpCommand), decided));
  tab.throw_if_gone();
  if (!there && arriving) throw CdpTimeout("That frame has not begun to load its document yet.");
  if (!there) throw CdpTimeout("The page has not begun to load its document, so nothing can be read from it yet.");
  if (!known) throw DocumentGone("That frame is no longer on the page.");
  return world;
}

bool names_lost_context(const CdpError& error) {
  const auto& words = error.message();
  return words.find("context") != std::string::npos || words.find("Context") != std::string::npos ||
         words.find("navigated or closed") != std::string::npos || words.find("frame") != std::string::npos;
}

void put_script(Tab& tab, const std::string& frame_id, const World& world) {
  // Nobody waits for the reply: the next command of the same session runs after this one.
  tab.post("Runtime.evaluate", {{"expression", bridle_page_script()}, {"uniqueContextId", world.unique_id}},
           world.session);
  tab.set_scripted_world(frame_id, world.unique_id);
}

bool is_script_missing(const Json& details) {
  const auto exception = details.find("exception");
  return exception != details.end() &&
         exception->value("description", "").starts_with("ReferenceError: __bridle is not defined");
}

Json evaluate_in(const CallContext& ctx, Tab& tab, const World& world, const std::string& expression, bool by_value,
                 Millis limit) {
  try {
    Json reply = tab.call(ctx, "Runtime.evaluate",
                          {{"expression", expression},
                           {"uniqueContextId", world.unique_id},
                           {"awaitPromise", true},
                           {"returnByValue", by_value}},
                          limit, world.session);
    if (const auto details = reply.find("exceptionDetails"); details != reply.end()) {
      if (is_script_missing(*details)) throw ScriptMissing();
      throw ScriptError(exception_text(*details));
    }
    return std::move(reply["result"]);
  } catch (const CdpError& error) {
    if (names_lost_context(error)) {
      throw DocumentGone("The page went to another document meanwhile. Take a new snapshot and try again.");
    }
    throw;
  }
}

// A call of the page script. The browser puts that into each document of the tab's process (Tab::post_setup) and we
// into others; where it is missing nevertheless, it is put and the call repeated, once.
Json evaluate_call(const CallContext& ctx, Tab& tab, const std::string& frame_id, const World& world,
                   const std::string& expression, bool by_value, Millis limit) {
  if (!world.scripted) put_script(tab, frame_id, world);
  try {
    return evaluate_in(ctx, tab, world, expression, by_value, limit);
  } catch (const ScriptMissing&) {
    put_script(tab, frame_id, world);
  }
  try {
    return evaluate_in(ctx, tab, world, expression, by_value, limit);
  } catch (const ScriptMissing&) {
    throw ScriptError("bridle's page script can't be put into this page");
  }
}

std::string text_of(const PageExpression& expression) {
  return fmt::format("__bridle.call(\"{}\",{})", expression.name, dump(expression.args));
}

}  // namespace

void prepare_page(Tab& tab) {
  const World world = frame_world(tab, "");
  if (!world.unique_id.empty() && !world.scripted) put_script(tab, "", world);
}

PageCommand page_command(Tab& tab, const PageExpression& expression, const std::string& frame_id) {
  const World world = frame_world(tab, frame_id);
  if (world.unique_id.empty()) return {};
  if (!world.scripted) put_script(tab, frame_id, world);
  return {world.session,
          {{"expression", text_of(expression)},
           {"uniqueContextId", world.unique_id},
           {"awaitPromise", true},
           {"returnByValue", true}}};
}

void forget_page_script(Tab& tab, const std::string& frame_id) { tab.set_scripted_world(frame_id, ""); }

bool names_missing_script(const CdpReply& reply) {
  if (reply.kind != CdpReply::Kind::result || reply.message.find("exceptionDetails") == std::string::npos) return false;
  const Json result = parse_cdp(reply.message).at("result");
  const auto details = result.find("exceptionDetails");
  return details != result.end() && is_script_missing(*details);
}

Json page_value(const CallContext& ctx, Tab& tab, const std::string& frame_id, PageExpression expression,
                Millis limit) {
  static std::atomic<long long> next_call{1};
  const World world = find_world(ctx, tab, frame_id);
  const long long call_id = next_call++;
  expression.args["callId"] = call_id;
  try {
    Json result = evaluate_call(ctx, tab, frame_id, world, text_of(expression), true, limit);
    const auto value = result.find("value");
    return value == result.end() ? Json() : std::move(*value);
  } catch (const Aborted&) {
    // Shielded by not waiting: the page's poller stops when it reads this [cancel.browser.wait].
    tab.post("Runtime.evaluate",
             {{"expression", text_of({.name = page::Cancel::kName, .args = {{"callId", call_id}}})},
              {"uniqueContextId", world.unique_id}},
             world.session);
    throw;
  }
}

namespace {

std::string object_of(const CallContext& ctx, Tab& tab, const std::string& frame_id, const PageExpression& expression) {
  const World world = find_world(ctx, tab, frame_id);
  const auto text = fmt::format("__bridle.{}({})", expression.name, dump(expression.args));
  return evaluate_call(ctx, tab, frame_id, world, text, false, limits::kCdpCommand).value("objectId", "");
}

}  // namespace

std::string page_element(const CallContext& ctx, Tab& tab, const std::string& frame_id, const std::string& target) {
  return object_of(ctx, tab, frame_id, page_expression(page::Element{.target = target}));
}

std::string page_file_input(const CallContext& ctx, Tab& tab, const std::string& frame_id, const std::string& target) {
  return object_of(ctx, tab, frame_id, page_expression(page::FileInput{.target = target}));
}

std::string focused_frame(const CallContext& ctx, Tab& tab) {
  constexpr int kDepth = 8;
  std::string frame;
  for (int depth = 0; depth < kDepth; ++depth) {
    const auto element = object_of(ctx, tab, frame, page_expression(page::FocusedFrame{}));
    if (element.empty()) break;
    const auto session = find_world(ctx, tab, frame).session;
    const Json node = tab.call(ctx, "DOM.describeNode", {{"objectId", element}}, limits::kCdpCommand, session);
    release_object(tab, frame, element);
    const auto inner = node.at("node").value("frameId", "");
    if (inner.empty()) break;
    frame = inner;
  }
  return frame;
}

bool register_closed_roots(const CallContext& ctx, Tab& tab, const std::string& frame_id) {
  const auto hosts = object_of(ctx, tab, frame_id, page_expression(page::TakeClosedHosts{}));
  if (hosts.empty()) return false;
  const World world = find_world(ctx, tab, frame_id);
  const auto call = [&](std::string_view method, const Json& params) {
    return tab.call(ctx, method, params, limits::kCdpCommand, world.session);
  };
  bool registered = false;
  const Json properties = call("Runtime.getProperties", {{"objectId", hosts}, {"ownProperties", true}});
  for (const auto& property : properties.at("result")) {
    const auto value = property.find("value");
    if (value == property.end() || value->value("subtype", "") != "node") continue;
    const auto host = value->value("objectId", "");
    try {
      const Json node = call("DOM.describeNode", {{"objectId", host}});
      const auto roots = node.at("node").find("shadowRoots");
      if (roots != node.at("node").end()) {
        for (const auto& root : *roots) {
          if (root.value("shadowRootType", "") != "closed") continue;
          const auto object = node_in_world(ctx, tab, frame_id, root.at("backendNodeId"));
          call_on_element(ctx, tab, frame_id, host, page::RegisterClosedRoot::kName,
                          Json::array({{{"objectId", object}}}));
          release_object(tab, frame_id, object);
          registered = true;
        }
      }
    } catch (const CdpError&) {
      // The host is gone meanwhile.
    }
    release_object(tab, frame_id, host);
  }
  release_object(tab, frame_id, hosts);
  return registered;
}

std::string node_in_world(const CallContext& ctx, Tab& tab, const std::string& frame_id, const Json& backend_node_id) {
  const World world = find_world(ctx, tab, frame_id);
  if (!world.scripted) put_script(tab, frame_id, world);
  const auto frame = tab.frame(frame_id);
  const int context = frame && frame->bridle_world == world.unique_id ? frame->bridle_context_id : 0;
  try {
    const Json reply =
        tab.call(ctx, "DOM.resolveNode", {{"backendNodeId", backend_node_id}, {"executionContextId", context}},
                 limits::kCdpCommand, world.session);
    return reply.at("object").value("objectId", "");
  } catch (const CdpError& error) {
    if (names_lost_context(error)) throw DocumentGone("The page went to another document meanwhile.");
    throw;
  }
}

Json call_on_element(const CallContext& ctx, Tab& tab, const std::string& frame_id, const std::string& object_id,
                     std::string_view function, const Json& arguments) {
  const World world = find_world(ctx, tab, frame_id);
  Json reply =
      tab.call(ctx, "Runtime.callFunctionOn",
               {{"functionDeclaration", fmt::format("function(arg) {{ return __bridle.{}(this, arg); }}", function)},
                {"objectId", object_id},
                {"arguments", arguments},
                {"returnByValue", true}},
               limits::kCdpCommand, world.session);
  if (const auto details = reply.find("exceptionDetails"); details != reply.end())
    throw ScriptError(exception_text(*details));
  Json& result = reply.at("result");
  const auto value = result.find("value");
  return value == result.end() ? Json() : std::move(*value);
}

void release_object(Tab& tab, const std::string& frame_id, const std::string& object_id) {
  const auto frame = tab.frame(frame_id);
  if (frame && !frame->session.empty()) tab.post("Runtime.releaseObject", {{"objectId", object_id}}, frame->session);
}

Json evaluate_main(const CallContext& ctx, Tab& tab, const std::string& expression, Millis limit) {
  Json reply = tab.call(ctx, "Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}}, limit);
  if (const auto details = reply.find("exceptionDetails"); details != reply.end()) {
    throw ScriptError(exception_text(*details));
  }
  return std::move(reply["result"]);
}

std::string exception_text(const Json& details, bool full) {
  std::string words;
  if (const auto exception = details.find("exception"); exception != details.end()) {
    if (const auto it = exception->find("description"); it != exception->end() && it->is_string()) {
      words = it->get<std::string>();
    } else if (const auto value = exception->find("value"); value != exception->end()) {
      words = value->is_string() ? value->get<std::string>() : dump(*value);
    }
  }
  if (words.empty()) words = details.value("text", "the script failed");
  if (!full) {
    if (const auto end = words.find("\n    at "); end != std::string::npos) words.resize(end);
  }
  return words;
}

}  // namespace bridle
