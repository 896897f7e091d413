#include "browser/page/script.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "browser/page/script_stack.h"
#include "browser/page/world/script_kit.h"
#include "browser/page/world/termination.h"
#include "browser/page/world/world.h"

namespace bridle {
namespace {

// How long the page may take to answer before an aborted script is taken to keep it busy, and is terminated.
constexpr Millis kLastAnswers{5};
// How long the listeners of its signal may take together.
constexpr Millis kListens{500};
// How long an aborted script may wait for its turn behind the page's own scripts, before those are ended for it.
constexpr Millis kBegins{500};

// Between two looks at a promise whose settling the page keeps from being told.
constexpr Millis kLook{500};

// The world of the page's own scripts, pinned to the document that is there now.
FrameState main_world(const CallContext& ctx, Tab& tab, const std::string& frame_id) {
  FrameState world;
  tab.wait(ctx.within(limits::kCdpCommand), [&] {
    if (auto frame = tab.frame(frame_id)) world = std::move(*frame);
    const auto now = tab.state();
    return !world.main_world.empty() || now.gone || now.crashed;
  });
  tab.throw_if_gone();
  if (world.main_world.empty()) throw CdpTimeout("The page has no document yet that could run a script");
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

Json compile_params(const std::string& form, const FrameState& world) {
  return {{"expression", "(" + form + ")"},
          {"sourceURL", ""},
          {"persistScript", false},
          {"executionContextId", world.main_context_id}};
}

// The forms in which a script may compile, as functions of a handle (make_script_handle), which is their `this`. They
// leave the script's value in its `result` and return what tells of its settling. Of the page's built-ins they call
// none:
// `{run}.run()` is a call that gives `this`, `Function.prototype.call` would be the page's.
std::vector<std::string> forms_of(const std::string& source) {
  constexpr std::string_view kRun = "typeof $f==='function'?{__proto__:null,signal,run:$f}.run(element):$f";
  const std::string begin = "function(element){const signal=this.signal;";
  const std::string end = ";return this.watch(this.result)}";
  const std::string expression =
      begin + "const $f=(" + source + "\n);this.result=" + std::string(kRun) +
      ";const $t=this.result;this.thenable=$t!==null&&(typeof $t==='object'||typeof $t==='function')&&"
      "typeof $t.then==='function'" +
      end;
  const std::string awaiting =
      begin + "this.result=(async()=>{const $f=(" + source + "\n);return " + std::string(kRun) + "})()" + end;
  const std::string statements =
      begin + "this.result={__proto__:null,signal,run:async function(element){" + source + "\n}}.run(element)" + end;
  // Outside of an async function `await (x)` is a call of a function by that name.
  const auto first = source.find_first_not_of(" \t\r\n(");
  const bool awaits = source.find("await") != std::string::npos &&
                      (source.find("async") == std::string::npos || source.substr(first).starts_with("await"));
  if (awaits) return {awaiting, statements};
  return {expression, awaiting, statements};
}

// The form that compiles. `first_reply` is that of the first one, which was sent already.
std::string compiled_form(const CallContext& ctx, Tab& tab, const FrameState& world,
                          const std::vector<std::string>& forms, const Json& first_reply) {
  std::string first_error;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const Json compiled = i == 0 ? first_reply
                                 : tab.call(ctx, "Runtime.compileScript", compile_params(forms[i], world),
                                            limits::kCdpCommand, world.session);
    const auto details = compiled.find("exceptionDetails");
    if (details == compiled.end()) return forms[i];
    if (first_error.empty()) first_error = exception_text(*details);
  }
  throw ScriptError(first_error + " (in the function given)");
}

// The element in the page's own world: our isolated world's handle means nothing there.
std::string element_in_main_world(const CallContext& ctx, Tab& tab, const FrameState& world, const std::string& target,
                                  const std::string& frame, const std::string& object_group) {
  const auto ours = page_element(ctx, tab, frame, target);
  if (ours.empty()) throw ToolError("target \"" + target + "\" names no element.");
  const Json node = tab.call(ctx, "DOM.describeNode", {{"objectId", ours}}, limits::kCdpCommand, world.session);
  const Json resolved = tab.call(ctx, "DOM.resolveNode",
                                 {{"backendNodeId", node.at("node").at("backendNodeId")},
                                  {"executionContextId", world.main_context_id},
                                  {"objectGroup", object_group}},
                                 limits::kCdpCommand, world.session);
  release_object(tab, frame, ours);
  return resolved.at("object").value("objectId", "");
}

// Ends the script that has this handle. `begun` is answered once the renderer has come to it: until then it is busy
// with the page's own scripts, which are not ours to end. Whether the script is busy is asked with an expression of no
// consequence: what a termination may cut short, should the renderer only have been late, is that, and never a listener
// of the signal, which is told afterwards. Shielded; bounded by limits::kCleanup.
void end_script(const CallContext& ctx, Tab& tab, const FrameState& world, const std::string& handle,
                const PendingReply& begun) {
  const auto shield = ctx.shielded(limits::kCleanup);
  const CdpSession session(tab.session().shared_connection(), world.session);
  try {
    begun.wait(shield.within(kBegins));
    const PendingReply answered(session.connection(), session.id(), "Runtime.evaluate",
                                {{"expression", "0"}, {"uniqueContextId", world.main_world}});
    bool ended =
        answered.wait(shield.within(kLastAnswers)) || terminate_script(shield, session, answered, world.main_world);
    const PendingReply heard(session.connection(), session.id(), "Runtime.callFunctionOn",
                             {{"objectId", handle}, {"functionDeclaration", "function(){this.abort()}"}});
    ended =
        ended && (heard.wait(shield.within(kListens)) || terminate_script(shield, session, heard, world.main_world));
    if (!ended) spdlog::warn("{}: a script that was called off may still run: its page answers nothing", tab.label());
  } catch (const std::exception& error) {
    spdlog::debug("{}: ending a script: {}", tab.label(), error.what());
  }
}

// A property's value as the browser's own view of the object has it; null without one.
Json find_value(const Json& properties, const char* list, std::string_view name) {
  const auto all = properties.find(list);
  if (all == properties.end()) return nullptr;
  for (const Json& property : *all) {
    if (property.value("name", "") == name) return property.value("value", Json());
  }
  return nullptr;
}

// Runs one script and tells what it came to. What is believed is read by the browser from the objects themselves; what
// the page's built-ins would have a say in (a promise's `then`, a reply that awaits one) only says when to look
// [tool.evaluate.unforgeable].
class ScriptRun {
 public:
  // `limit` counts from here.
  ScriptRun(const CallContext& ctx, Tab& tab, const FrameState& world, ScriptHandle handle)
      : ctx_(ctx), tab_(tab), world_(world), handle_(std::move(handle)) {}

  // Returns the value as a RemoteObject. Throws ScriptError with what the script threw, ToolError when the value can't
  // be read because the page is on its way to another document, and as Tab::call.
  Json value_of(const std::string& function, const Json& arguments) {
    returned_.emplace(tab_.send("Runtime.callFunctionOn",
                                {{"objectId", handle_.object_id},
                                 {"functionDeclaration", function},
                                 {"arguments", arguments},
                                 {"awaitPromise", true},
                                 {"userGesture", true}},
                                world_.session));
    auto look = look_at(handle_.object_id);
    // What is asked after a navigation has begun is answered after its commit, but the reply comes, and is enough
    // mostly.
    if (handle_.from_kit) wait(ctx_, [&] { return returned_->has_come(); });
    Json reply;
    for (;;) {
      if (!ended_ && returned_->has_come()) {
        ended_ = true;
        reply = result_of(result_message(returned_->method(), returned_->take().value()));
        if (handle_.from_kit && tells_value(reply)) return std::move(reply["result"]);
      }
      const auto seen = answer_to(look);
      const Json result = find_value(seen, "result", "result");
      if (!result.is_null()) {
        if (result.value("subtype", "") != "promise") {
          const Json thenable = find_value(seen, "result", "thenable");
          return thenable.is_object() && thenable.value("value", false) && has_then_of_its_own(result)
                     ? await_thenable(result)
                     : result;
        }
        if (auto settled = settled_value(result); !settled.is_null()) return settled;
      } else if (ended_) {
        // It has returned nothing, so what it threw is all there is.
        const auto details = reply.find("exceptionDetails");
        if (details == reply.end()) throw ScriptError("the script did not run");
        if (const auto thrown = details->find("exception"); thrown != details->end()) *thrown = previewed(*thrown);
        throw ScriptError(exception_text(*details, true));
      }
      // For a while: also where it has replied and the promise is pending nevertheless, which is the page's doing.
      wait(ctx_.within(kLook), [&] { return !ended_ && returned_->has_come(); });
      look = look_at(handle_.object_id);
    }
  }

  // What the value is to the caller. Throws as value_of.
  ScriptResult read(const Json& object) {
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
    auto asked = tab_.send("Runtime.callFunctionOn",
                           {{"objectId", handle_.object_id},
                            {"functionDeclaration", "function(value){return this.plain(value)}"},
                            {"arguments", {{{"objectId", id}}}},
                            {"returnByValue", true}},
                           world_.session);
    try {
      Json copy = answer_to(asked);
      if (!copy.contains("exceptionDetails")) {
        result.text = copy["result"].value("value", "");
        result.value = Json::parse(result.text, nullptr, false);
        if (!result.value.is_discarded()) return result;
      }
    } catch (const CdpError&) {
    }
    result.value = nullptr;
    result.text = description + " (it refers to itself, so it has no JSON form: return the parts you need)";
    return result;
  }

 private:
  // Whether a reply that comes from the kit's watch() holds the value itself.
  static bool tells_value(const Json& reply) {
    if (reply.contains("exceptionDetails")) return false;
    const Json& result = reply.at("result");
    return result.value("type", "") != "object" || result.value("subtype", "") == "null";
  }

  PendingReply look_at(const std::string& object) {
    return tab_.send("Runtime.getProperties", {{"objectId", object}, {"ownProperties", true}}, world_.session);
  }

  Json properties_of(const std::string& object) {
    auto look = look_at(object);
    return answer_to(look);
  }

  // The object, as `how` asks for it.
  Json call_on(const std::string& object, const Json& how) {
    Json params{{"objectId", object}, {"functionDeclaration", "function(){return this}"}};
    params.update(how);
    auto called = tab_.send("Runtime.callFunctionOn", params, world_.session);
    return answer_to(called);
  }

  Json answer_to(PendingReply& asked) {
    while (!asked.has_come()) {
      wait(ctx_.within(limits::kGuardWait), [&] { return asked.has_come(); });
      const auto now = tab_.state();
      const bool over = ended_ || returned_->has_come();
      if (asked.has_come() || !over || now.started_seq == 0) continue;
      throw ToolError(fmt::format(
          "The script has ended, but the page is on its way to {}, which has not committed within {} s, and until then "
          "the objects that the script has returned cannot be read. What it has done stands. Let it return a text or "
          "a number, or wait with browser_wait_for {{\"url\": ...}}.",
          now.pending_url, limits::kGuardWait.count() / 1000));
    }
    return result_of(result_message(asked.method(), asked.take().value()));
  }

  // Throws DialogOpened, TabGone, and CdpTimeout when the script's time is over.
  template <typename Predicate>
  void wait(const CallContext& limited, Predicate&& over) {
    TabState now;
    bool is_over = false;
    tab_.wait(limited, [&] {
      now = tab_.state();
      is_over = over();
      return is_over || now.blocked();
    });
    if (is_over) return;
    tab_.throw_if_gone();
    if (now.dialog) throw DialogOpened(*now.dialog);
    if (ctx_.deadline.expired()) throw CdpTimeout("Runtime.callFunctionOn: the script did not end in time");
  }

  // A promise's value; null while it is pending. Throws what it was rejected with.
  Json settled_value(const Json& promise) {
    const Json seen = properties_of(promise.value("objectId", ""));
    const auto state = find_value(seen, "internalProperties", "[[PromiseState]]").value("value", "");
    Json result = find_value(seen, "internalProperties", "[[PromiseResult]]");
    if (state == "rejected") throw ScriptError(exception_text({{"exception", previewed(result)}}, true));
    return state == "fulfilled" ? result : Json();
  }

  // The same object with what a console shows of it: an internal property's value comes without.
  Json previewed(const Json& object) {
    const auto id = object.value("objectId", "");
    // While the page is on its way to another document no object is read.
    if (id.empty() || object.contains("preview") || tab_.state().started_seq != 0) return object;
    Json reply = call_on(id, {{"generatePreview", true}});
    return std::move(reply["result"]);
  }

  // Whether a `then` is the object's or its class's, and not one that the page has given to all objects.
  bool has_then_of_its_own(const Json& object) {
    constexpr int kDepth = 8;
    auto id = object.value("objectId", "");
    for (int depth = 0; depth < kDepth && !id.empty(); ++depth) {
      const Json seen = properties_of(id);
      const Json prototype = find_value(seen, "internalProperties", "[[Prototype]]");
      const auto next = prototype.is_object() ? prototype.value("objectId", "") : std::string();
      const auto& own = seen.at("result");
      const bool there =
          std::any_of(own.begin(), own.end(), [](const Json& p) { return p.value("name", "") == "then"; });
      if (there) return depth == 0 || !next.empty();
      id = next;
    }
    return false;
  }

  // What a thenable that is no promise says it is.
  Json await_thenable(const Json& object) {
    Json reply = call_on(object.value("objectId", ""), {{"awaitPromise", true}});
    if (const auto details = reply.find("exceptionDetails"); details != reply.end())
      throw ScriptError(exception_text(*details, true));
    return std::move(reply["result"]);
  }

  const CallContext ctx_;
  Tab& tab_;
  const FrameState& world_;
  const ScriptHandle handle_;
  std::optional<PendingReply> returned_;  // the script's reply, which comes once what it has returned has settled
  bool ended_ = false;                    // and has been taken
};

}  // namespace

ScriptResult run_script(const CallContext& ctx, Tab& tab, const std::string& source, const std::string& element,
                        const std::string& element_frame, Millis limit) {
  static std::atomic<long long> next_run{1};
  const auto frame_id = element.empty() ? std::string() : element_frame;
  const FrameState world = main_world(ctx, tab, frame_id);
  const auto group = "bridle-script-" + std::to_string(next_run++);
  const auto release = [&] { tab.post("Runtime.releaseObjectGroup", {{"objectGroup", group}}, world.session); };
  ScriptHandle handle;
  std::string function;
  std::optional<PendingReply> begun;
  const auto end = [&] {
    if (begun) end_script(ctx, tab, world, handle.object_id, *begun);
    release();
  };
  try {
    // Both in one round trip.
    const auto forms = forms_of(source);
    auto compiling = tab.send("Runtime.compileScript", compile_params(forms.front(), world), world.session);
    handle = make_script_handle(ctx, tab, frame_id, world, group);
    if (handle.object_id.empty()) throw ScriptError("the page has replaced AbortController, which scripts are given");
    if (!compiling.wait(ctx.within(limits::kCdpCommand))) throw CdpTimeout("Runtime.compileScript: no answer");
    auto reply = result_of(result_message(compiling.method(), compiling.take().value()));
    function = compiled_form(ctx, tab, world, forms, reply);
    Json arguments = Json::array();
    if (!element.empty())
      arguments.push_back({{"objectId", element_in_main_world(ctx, tab, world, element, element_frame, group)}});
    const auto bounded = ctx.within(limit);
    begun.emplace(
        tab.send("Runtime.evaluate", {{"expression", "0"}, {"uniqueContextId", world.main_world}}, world.session));
    ScriptRun run(bounded, tab, world, handle);
    auto result = run.read(run.value_of(function, arguments));
    release();
    return result;
  } catch (const Aborted&) {
    end();
    throw;
  } catch (const CdpTimeout&) {
    end();
    throw;
  } catch (const ScriptError& error) {
    release();
    throw ScriptError(own_stack(error.what(), function, source));
  } catch (const CdpError& error) {
    rethrow_lost(error);
  }
}

}  // namespace bridle
