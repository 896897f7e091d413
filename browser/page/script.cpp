#include "browser/page/script.h"

#include <spdlog/spdlog.h>

#include <optional>

#include "base/errors.h"
#include "browser/page/world.h"

namespace bridle {
namespace {

// How long the page may take to hear its signal before a script is taken to be busy and terminated.
constexpr Millis kHearsSignal{5};

struct World {
  std::string session;
  std::string unique_id;
  int context_id = 0;
};

World main_world(const CallContext& ctx, Tab& tab, const std::string& frame_id) {
  World world;
  tab.wait(ctx.within(limits::kCdpCommand), [&] {
    if (const auto frame = tab.frame(frame_id)) world = {frame->session, frame->main_world, frame->main_context_id};
    const auto now = tab.state();
    return !world.unique_id.empty() || now.gone || now.crashed;
  });
  tab.throw_if_gone();
  if (world.unique_id.empty()) throw CdpTimeout("The page has no document yet that could run a script");
  return world;
}

[[noreturn]] void rethrow_lost(const CdpError& error) {
  const auto& words = error.message();
  if (words.find("ontext") != std::string::npos || words.find("navigated or closed") != std::string::npos ||
      words.find("Could not find object") != std::string::npos) {
    throw DocumentGone("The page went to another document before the script had ended; its result is lost.");
  }
  throw error;
}

// The script as a function of an AbortController, in the form that compiles.
std::string wrap(const CallContext& ctx, Tab& tab, const World& world, const std::string& source) {
  const std::string forms[] = {
      "async function(element){const signal=this.signal;const $f=(" + source +
          "\n);return typeof $f==='function'?$f.call(this,element):$f}",
      "async function(element){const signal=this.signal;" + source + "\n}",
  };
  std::string first_error;
  for (const auto& form : forms) {
    const Json compiled = tab.call(ctx, "Runtime.compileScript",
                                   {{"expression", "(" + form + ")"},
                                    {"sourceURL", ""},
                                    {"persistScript", false},
                                    {"executionContextId", world.context_id}},
                                   limits::kCdpCommand, world.session);
    const auto details = compiled.find("exceptionDetails");
    if (details == compiled.end()) return form;
    if (first_error.empty()) first_error = exception_text(*details);
  }
  throw ScriptError(first_error + " (in the function given)");
}

// The element in the page's own world: our isolated world's handle means nothing there.
std::string element_in_main_world(const CallContext& ctx, Tab& tab, const World& world, const std::string& target,
                                  const std::string& frame) {
  const auto ours = page_element(ctx, tab, frame, target);
  if (ours.empty()) throw ToolError("target \"" + target + "\" names no element.");
  const Json node = tab.call(ctx, "DOM.describeNode", {{"objectId", ours}}, limits::kCdpCommand, world.session);
  const Json resolved =
      tab.call(ctx, "DOM.resolveNode",
               {{"backendNodeId", node.at("node").at("backendNodeId")}, {"executionContextId", world.context_id}},
               limits::kCdpCommand, world.session);
  release_object(tab, frame, ours);
  return resolved.at("object").value("objectId", "");
}

// Ends the script that has this controller. Shielded; bounded by limits::kCleanup.
void end_script(const CallContext& ctx, Tab& tab, const World& world, const std::string& controller) {
  const auto shield = ctx.shielded(limits::kCleanup);
  const CdpSession session(tab.session().shared_connection(), world.session);
  try {
    session.call(shield.within(kHearsSignal), "Runtime.callFunctionOn",
                 {{"objectId", controller}, {"functionDeclaration", "function(){this.abort()}"}});
    return;  // heard: nothing runs now but what the script awaits
  } catch (const CdpTimeout&) {
    // Busy: it must be terminated.
  } catch (const std::exception& error) {
    spdlog::debug("ending a script: {}", error.what());
    return;
  }
  try {
    session.call(shield, "Runtime.terminateExecution", Json::object());
    // A termination that found nothing running would hit the next script: let it hit this one.
    session.call(shield, "Runtime.evaluate", {{"expression", "0"}, {"uniqueContextId", world.unique_id}});
  } catch (const std::exception& error) {
    spdlog::debug("terminating a script: {}", error.what());
  }
}

ScriptResult read_result(const CallContext& ctx, Tab& tab, const World& world, const Json& object) {
  ScriptResult result;
  const auto type = object.value("type", "");
  if (const auto plain = object.find("unserializableValue"); plain != object.end()) {
    result.text = plain->get<std::string>();
    return result;
  }
  if (const auto value = object.find("value"); value != object.end()) {
    result.value = *value;
    result.text = dump_pretty(*value);
    return result;
  }
  if (type == "undefined") {
    result.text = "undefined";
    return result;
  }
  const auto description = object.value("description", type);
  result.text = description;
  const bool plain_data = type == "object" && object.value("subtype", "") != "node";
  const auto id = object.value("objectId", "");
  if (!plain_data || id.empty()) return result;
  try {
    Json copy =
        tab.call(ctx, "Runtime.callFunctionOn",
                 {{"objectId", id}, {"functionDeclaration", "function(){return this}"}, {"returnByValue", true}},
                 limits::kCdpCommand, world.session);
    if (auto value = copy["result"].find("value"); value != copy["result"].end()) {
      result.value = std::move(*value);
      result.text = dump_pretty(result.value);
    }
  } catch (const CdpError&) {
    result.text = description + " (it refers to itself, so it has no JSON form: return the parts you need)";
  }
  return result;
}

}  // namespace

ScriptResult run_script(const CallContext& ctx, Tab& tab, const std::string& source, const std::string& element,
                        const std::string& element_frame, Millis limit) {
  const World world = main_world(ctx, tab, element.empty() ? std::string() : element_frame);
  std::string controller;
  try {
    const auto function = wrap(ctx, tab, world, source);
    const Json made = tab.call(ctx, "Runtime.evaluate",
                               {{"expression", "new AbortController()"}, {"uniqueContextId", world.unique_id}},
                               limits::kCdpCommand, world.session);
    controller = made.at("result").value("objectId", "");
    if (controller.empty()) throw ScriptError("the page has replaced AbortController, which scripts are given");
    Json arguments = Json::array();
    if (!element.empty())
      arguments.push_back({{"objectId", element_in_main_world(ctx, tab, world, element, element_frame)}});
    const Json reply = tab.call(ctx, "Runtime.callFunctionOn",
                                {{"objectId", controller},
                                 {"functionDeclaration", function},
                                 {"arguments", arguments},
                                 {"awaitPromise", true},
                                 {"userGesture", true}},
                                limit, world.session);
    if (const auto details = reply.find("exceptionDetails"); details != reply.end()) {
      throw ScriptError(exception_text(*details, true));
    }
    auto result = read_result(ctx, tab, world, reply.at("result"));
    tab.post("Runtime.releaseObject", {{"objectId", controller}}, world.session);
    return result;
  } catch (const Aborted&) {
    if (!controller.empty()) end_script(ctx, tab, world, controller);
    throw;
  } catch (const CdpTimeout&) {
    if (!controller.empty()) end_script(ctx, tab, world, controller);
    throw;
  } catch (const CdpError& error) {
    rethrow_lost(error);
  }
}

}  // namespace bridle
