#include "browser/page/world/world.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "browser/cdp/remote_object.h"
#include "browser/page/world/page_script.h"
#include "browser/page/world/termination.h"

namespace bridle {
namespace {

constexpr Millis kFrameArrives{250};
// How long the page may take to hear that its function is cancelled, before that is taken to keep it busy.
constexpr Millis kHearsCancel{100};

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
  tab.post("Runtime.evaluate",
           {{"expression", tab.page_script().empty() ? bridle_page_script() : tab.page_script()},
            {"uniqueContextId", world.unique_id}},
           world.session);
  tab.set_scripted_world(frame_id, world.unique_id);
}

bool is_script_missing(const Json& details) {
  const auto exception = details.find("exception");
  return exception != details.end() &&
         exception->value("description", "").starts_with("ReferenceError: __bridle is not defined");
}

// Whether a page function is given a regular expression: alone or in a target, such as text=/re/ or
// role=button[name=/re/]. On a text of the page's choosing such an expression may never come to an end.
bool has_pattern(const Json& args) {
  const auto target = args.find("target");
  return args.contains("regex") || (target != args.end() && target->is_string() &&
                                    target->get_ref<const std::string&>().find("=/") != std::string::npos);
}

// How long a page function may run at a stretch: a little less than it is waited for, so that its end can be told. The
// renderer counts it from the function's start, so a page that is busy with its own scripts takes nothing away from it,
// and loses none of them.
Millis running_time(const CallContext& ctx, Millis limit) {
  const auto waited = std::min(limit, ctx.deadline.remaining());
  return std::max(waited - std::min(waited / 10, Millis(250)), Millis(1));
}

[[noreturn]] void throw_overrun(const PageExpression& expression, Millis ran) {
  throw ScriptError(fmt::format(
      "bridle's look at the page ({}) had not ended after {} ms, so it was ended; the tab can "
      "be used. {}",
      expression.name, ran.count(),
      has_pattern(expression.args) ? "Its regular expression takes too long on this page's text: write it without "
                                     "nested repetition, or search for plain text."
                                   : "The page is very large: ask for a smaller part of it with a target."));
}

// Where and how a page function is evaluated.
struct Evaluation {
  World world{};
  bool by_value = true;
  Millis limit{};
};

// What a page function throws for the caller to read, without the name of its class (dom/errors.js).
std::string words_of(std::string text) {
  for (const std::string_view name : {"PageError: ", "AbsentError: "})
    if (text.starts_with(name)) text.erase(0, name.size());
  return text;
}

Json evaluate_in(const CallContext& ctx, Tab& tab, const Evaluation& how, const PageExpression& expression,
                 const std::string& text) {
  const auto running = running_time(ctx, how.limit);
  const auto begun = Clock::now();
  try {
    Json reply = tab.call(ctx, "Runtime.evaluate",
                          {{"expression", text},
                           {"uniqueContextId", how.world.unique_id},
                           {"awaitPromise", true},
                           {"returnByValue", how.by_value},
                           {"timeout", running.count()}},
                          how.limit, how.world.session);
    if (const auto details = reply.find("exceptionDetails"); details != reply.end()) {
      if (is_script_missing(*details)) throw ScriptMissing();
      throw ScriptError(words_of(exception_text(*details)));
    }
    return std::move(reply["result"]);
  } catch (const CdpError& error) {
    // Chromium says so, or only "Internal error" of a function that is awaited.
    const bool ended = error.message().find("terminated") != std::string::npos ||
                       (error.message().starts_with("Internal error") && Clock::now() >= begun + running);
    if (ended) throw_overrun(expression, running);
    if (names_lost_context(error)) {
      throw DocumentGone("The page went to another document meanwhile. Take a new snapshot and try again.");
    }
    throw;
  }
}

// A call of the page script. The browser puts that into each document of the tab's process (Tab::post_setup) and we
// into others; where it is missing nevertheless, it is put and the call repeated, once.
Json evaluate_call(const CallContext& ctx, Tab& tab, const std::string& frame_id, const Evaluation& how,
                   const PageExpression& expression, const std::string& text) {
  if (!how.world.scripted) put_script(tab, frame_id, how.world);
  try {
    return evaluate_in(ctx, tab, how, expression, text);
  } catch (const ScriptMissing&) {
    put_script(tab, frame_id, how.world);
  }
  try {
    return evaluate_in(ctx, tab, how, expression, text);
  } catch (const ScriptMissing&) {
    throw ScriptError("bridle's page script can't be put into this page");
  }
}

std::string text_of(const PageExpression& expression) {
  return fmt::format("__bridle.call(\"{}\",{})", expression.name, dump(expression.args));
}

// Ends a page function that has a pattern and was not answered in time. `cancel` ends its poller. If the page doesn't
// even hear that, the pattern keeps the renderer busy, perhaps in a later turn of the poller, which no timeout bounds.
// Shielded; bounded by limits::kCleanup.
void end_pattern(const CallContext& ctx, Tab& tab, const World& world, const std::string& cancel) {
  const auto shield = ctx.shielded(limits::kCleanup);
  const CdpSession session(tab.session().shared_connection(), world.session);
  try {
    const PendingReply heard(session.connection(), session.id(), "Runtime.evaluate",
                             {{"expression", cancel}, {"uniqueContextId", world.unique_id}});
    if (heard.wait(shield.within(kHearsCancel))) return;
    if (!terminate_script(shield, session, heard, world.unique_id))
      spdlog::warn("{}: a page function that was called off may still run: its page answers nothing", tab.label());
  } catch (const std::exception& error) {
    spdlog::debug("{}: ending a page function: {}", tab.label(), error.what());
  }
}

// Evaluates a page function, and ends what it has begun if it isn't answered. `cancel` is the expression that ends its
// poller; "" where the function has none.
Json run_function(const CallContext& ctx, Tab& tab, const std::string& frame_id, const Evaluation& how,
                  const PageExpression& expression, const std::string& text, const std::string& cancel) {
  // Answered once the renderer has come to the function: until then it is busy with the page's own scripts, which are
  // not ours to end.
  std::optional<PendingReply> reached;
  if (has_pattern(expression.args)) {
    reached.emplace(tab.send("Runtime.evaluate", {{"expression", "0"}, {"uniqueContextId", how.world.unique_id}},
                             how.world.session));
  }
  const auto is_ours = [&] { return reached && reached->has_come(); };
  const std::string heard = cancel.empty() ? "0" : cancel;
  const auto begun = Clock::now();
  try {
    return evaluate_call(ctx, tab, frame_id, how, expression, text);
  } catch (const Aborted&) {
    if (is_ours()) {
      end_pattern(ctx, tab, how.world, heard);
    } else if (!cancel.empty()) {
      // Shielded by not waiting: the page's poller stops when it reads this [cancel.browser.wait].
      tab.post("Runtime.evaluate", {{"expression", cancel}, {"uniqueContextId", how.world.unique_id}},
               how.world.session);
    }
    throw;
  } catch (const CdpTimeout&) {
    if (!is_ours()) throw;
    end_pattern(ctx, tab, how.world, heard);
    throw_overrun(expression, std::chrono::duration_cast<Millis>(Clock::now() - begun));
  }
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
           {"returnByValue", true},
           {"timeout", limits::kActionSettle.count()}}};
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
  const Evaluation how{.world = find_world(ctx, tab, frame_id), .by_value = true, .limit = limit};
  const long long call_id = next_call++;
  expression.args["callId"] = call_id;
  const auto cancel = text_of({.name = page::Cancel::kName, .args = {{"callId", call_id}}});
  Json result = run_function(ctx, tab, frame_id, how, expression, text_of(expression), cancel);
  const auto value = result.find("value");
  return value == result.end() ? Json() : std::move(*value);
}

std::string page_handle(const CallContext& ctx, Tab& tab, const std::string& frame_id,
                        const PageExpression& expression) {
  const Evaluation how{.world = find_world(ctx, tab, frame_id), .by_value = false, .limit = limits::kCdpCommand};
  const auto text = fmt::format("__bridle.{}({})", expression.name, dump(expression.args));
  return run_function(ctx, tab, frame_id, how, expression, text, "").value("objectId", "");
}

std::string page_element(const CallContext& ctx, Tab& tab, const std::string& frame_id, const std::string& target) {
  return page_handle(ctx, tab, frame_id, page_expression(page::Element{.target = target}));
}

std::string page_file_input(const CallContext& ctx, Tab& tab, const std::string& frame_id, const std::string& target) {
  return page_handle(ctx, tab, frame_id, page_expression(page::FileInput{.target = target}));
}

std::string focused_frame(const CallContext& ctx, Tab& tab) {
  constexpr int kDepth = 8;
  std::string frame;
  for (int depth = 0; depth < kDepth; ++depth) {
    const auto element = page_handle(ctx, tab, frame, page_expression(page::FocusedFrame{}));
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
    throw ScriptError(words_of(exception_text(*details)));
  Json& result = reply.at("result");
  const auto value = result.find("value");
  return value == result.end() ? Json() : std::move(*value);
}

void release_object(Tab& tab, const std::string& frame_id, const std::string& object_id) {
  const auto frame = tab.frame(frame_id);
  if (frame && !frame->session.empty()) tab.post("Runtime.releaseObject", {{"objectId", object_id}}, frame->session);
}

std::string exception_text(const Json& details, bool full) {
  std::string words;
  if (const auto exception = details.find("exception"); exception != details.end()) {
    // An error's description is its stack, to which a preview adds its cause. What else is thrown says nothing but its
    // class there.
    const bool is_error = string_field(*exception, "subtype") == "error" && !exception->contains("preview");
    words = is_error ? string_field(*exception, "description") : describe_remote_object(*exception);
  }
  if (words.empty()) words = details.value("text", "the script failed");
  if (!full) {
    if (const auto end = words.find("\n    at "); end != std::string::npos) words.resize(end);
  }
  return words;
}

}  // namespace bridle
