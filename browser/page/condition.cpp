#include "browser/page/condition.h"

#include "browser/page/world/world.h"

namespace bridle {
namespace {

constexpr Millis kLongest{500};

}  // namespace

bool condition_holds(const CallContext& ctx, Tab& tab, const std::string& source) {
  std::string world;
  tab.wait(ctx.within(limits::kCdpCommand), [&] {
    if (const auto frame = tab.frame("")) world = frame->main_world;
    return !world.empty() || tab.state().interrupted();
  });
  tab.throw_if_gone();
  if (world.empty()) throw DocumentGone("The page has no document that could be asked.");
  // A line of its own, as the source may end with a comment.
  const std::string expression =
      "((value) => value instanceof Promise ? 'promise' : !!value)(((given) => "
      "typeof given === 'function' ? given() : given)(" +
      source + "\n))";
  Json result;
  try {
    result = tab.call(ctx, "Runtime.evaluate",
                      {{"expression", expression},
                       {"uniqueContextId", world},
                       {"returnByValue", true},
                       {"throwOnSideEffect", true},
                       {"silent", true},
                       {"timeout", kLongest.count()}});
  } catch (const CdpError& error) {
    if (error.message().find("terminated") != std::string::npos)
      throw ScriptError("it ran for longer than " + std::to_string(kLongest.count()) + " ms, and was ended");
    if (error.message().find("ontext") != std::string::npos || error.message().find("navigated") != std::string::npos)
      throw DocumentGone("The page went to another document.");
    throw;
  }
  if (result.contains("exceptionDetails")) throw ScriptError(exception_text(result["exceptionDetails"]));
  const Json value = result.at("result").value("value", Json());
  if (value == "promise") throw ScriptError("it returns a promise: it has to answer at once, and is asked again");
  return value == true;
}

}  // namespace bridle
