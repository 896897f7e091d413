#pragma once

#include <spdlog/spdlog.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/concurrency/call_context.h"
#include "browser/page/world/page_functions.h"
#include "browser/tab/tab.h"

namespace bridle {

// The document that a script was meant for was replaced before or while it ran. Scripts are pinned to their document:
// they fail rather than run in another [nav.origin.pinned].
class DocumentGone : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A script threw. what() is the exception's text.
class ScriptError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A function of the page's scripts with its arguments, ready to be sent: see page_functions.h.
struct PageExpression {
  std::string_view name{};
  Json args = Json::object();
};
template <typename Function>
PageExpression page_expression(const Function& function) {
  PageExpression expression{.name = Function::kName};
  function.write(expression.args);
  return expression;
}

// Calls a function of browser/page/js (see its README.md) in our isolated world of a frame, putting the scripts there
// first when needed, and returns its value. `frame_id` "" is the main frame. Waits for a world when the frame has none
// yet. On an abort the page's poller is cancelled. A function that runs for the whole of its time at a stretch is ended
// in the renderer, and is a ScriptError that says so [cancel.browser.page-function]; a page that is busy with its own
// scripts is a CdpTimeout, and none of those is ended. Throws Aborted, DocumentGone, ScriptError, CdpTimeout,
// DialogOpened, TabGone.
Json page_value(const CallContext& ctx, Tab& tab, const std::string& frame_id, PageExpression expression,
                Millis limit = limits::kCdpCommand);
template <typename Function>
typename Function::Result page_call(const CallContext& ctx, Tab& tab, const std::string& frame_id,
                                    const Function& function, Millis limit = limits::kCdpCommand) {
  Json value = page_value(ctx, tab, frame_id, page_expression(function), limit);
  typename Function::Result result;
  result.read(value);
  return result;
}
// The same for what a call can do without; nullopt where the page is on its way elsewhere, or doesn't answer as it
// should. Throws Aborted.
template <typename Function>
std::optional<typename Function::Result> try_page_call(const CallContext& ctx, Tab& tab, const Function& function,
                                                       const std::string& frame_id = {}) {
  try {
    return page_call(ctx, tab, frame_id, function);
  } catch (const Aborted&) {
    throw;
  } catch (const std::runtime_error& error) {
    spdlog::debug("{}: {}: {}", tab.label(), Function::kName, error.what());
    return std::nullopt;
  }
}

// The Runtime.evaluate of such a call, for whoever waits for more than its reply; null params while the frame's world
// isn't known. `frame_id` "" is the main frame. Never waits. A reply that names_missing_script() was of no effect:
// forget_page_script(), and ask again.
struct PageCommand {
  std::string session{};
  Json params{};
};
PageCommand page_command(Tab& tab, const PageExpression& expression, const std::string& frame_id = {});
bool names_missing_script(const CdpReply& reply);
// What the function has returned, by the reply to its command; nullopt when it returned nothing.
template <typename Function>
std::optional<typename Function::Result> page_result(const CdpReply& reply) {
  if (reply.kind != CdpReply::Kind::result) return std::nullopt;
  Json answer = result_of(reply.message);
  Json& result = answer.at("result");
  const auto value = result.find("value");
  if (value == result.end()) return std::nullopt;
  typename Function::Result read;
  read.read(*value);
  return read;
}
void forget_page_script(Tab& tab, const std::string& frame_id = {});

// Puts the page script into the main frame's world before the first call needs it, if that world is known and has no
// script yet. Never waits: the page compiles the script while it loads.
void prepare_page(Tab& tab);

// The object id of what a function returns that is declared as PAGE_HANDLE; release it with release_object.
std::string page_handle(const CallContext& ctx, Tab& tab, const std::string& frame_id,
                        const PageExpression& expression);
// The object id of the element that a target names in a frame; release it with release_object.
std::string page_element(const CallContext& ctx, Tab& tab, const std::string& frame_id, const std::string& target);
// The file input that a target means: the target itself, its label's input, or the only one near a styled button.
// Throws ScriptError with why there is none.
std::string page_file_input(const CallContext& ctx, Tab& tab, const std::string& frame_id, const std::string& target);
// The frame that has the focus and so gets the keys; "" is the main frame. Cheaper to ask first: `watchAction` says
// whether the focus is in another frame.
std::string focused_frame(const CallContext& ctx, Tab& tab);
// A DOM node as an object of our isolated world in the frame, where the page can't reach its properties.
std::string node_in_world(const CallContext& ctx, Tab& tab, const std::string& frame_id, const Json& backend_node_id);
// Calls a function of the page's scripts on an element, which is an object of that world, with further arguments as
// Runtime.callFunctionOn takes them; returns its value.
Json call_on_element(const CallContext& ctx, Tab& tab, const std::string& frame_id, const std::string& object_id,
                     std::string_view function, const Json& arguments);
template <typename Function>
typename Function::Result page_call_on(const CallContext& ctx, Tab& tab, const std::string& frame_id,
                                       const std::string& object_id, const Function& function) {
  Json value = call_on_element(ctx, tab, frame_id, object_id, Function::kName,
                               Json::array({{{"value", page_expression(function).args}}}));
  typename Function::Result result;
  result.read(value);
  return result;
}
void release_object(Tab& tab, const std::string& frame_id, const std::string& object_id);

// The text of an exceptionDetails object: the exception's description, first line only unless `full`.
std::string exception_text(const Json& details, bool full = false);

}  // namespace bridle
