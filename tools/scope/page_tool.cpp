#include "tools/scope/page_tool.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <optional>
#include <utility>

#include "browser/page/world/world.h"

namespace bridle {
namespace {

constexpr const char* kBusy = ". The page may be busy; browser_navigate or browser_reload ends what keeps it so.";

// The tab that opened the one of a call, as it was before the call acted: where an action closes its own tab, as the
// button of a window to sign in with does, its effect is to be seen there.
struct Opener {
  std::shared_ptr<Tab> tab{};
  std::optional<ActionMark> mark{};
};

Opener opener_before(PageCall& call) {
  auto tab = call.scope().opener_of(call.tab());
  if (!tab) return {};
  auto mark = mark_action(*tab, Marked::bystander);
  return {std::move(tab), std::move(mark)};
}

// Of an action that has closed its own tab: that it did, which tab is the current one now, and what has changed there.
ToolResult tell_closed(ToolContext& ctx, PageCall& call, const std::string& name, Opener opener) {
  const auto& id = call.tab().id();
  const auto did = call.effects.empty() ? name + " began" : call.effects.text();
  const auto current = call.scope().take_place_of(call.tab());
  const auto words = fmt::format(
      "{}; the page closed its tab {}{}", did, id,
      current ? "; the current tab is " + current->id() : ": no tab is left, browser_navigate opens another");
  const bool tells = current && current == opener.tab && ctx.batch == nullptr && !call.scope().is_isolated();
  if (tells) {
    try {
      PageCall there(ctx, current->id(), name, {.through_dialog = true});
      there.response.result(words);
      there.finish_action_elsewhere(std::move(*opener.mark));
      there.add_events();
      return there.response.build(there.settings().max_output);
    } catch (const ToolError& error) {
      spdlog::debug("{}: nothing is told of {}: {}", call.tab().label(), current->id(), error.what());
    } catch (const TabGone&) {
      // It was closed as well: the next call says so.
    }
  }
  Response response;
  response.result(words);
  if (ctx.batch != nullptr) {
    ctx.batch->add_step(std::move(response));
    return {};
  }
  return response.build(call.settings().max_output);
}

}  // namespace

ToolResult with_browser_errors(const std::function<ToolResult()>& body) {
  try {
    return body();
  } catch (const ToolError& error) {
    return error_result(error.what());
  } catch (const DialogOpened& opened) {
    return error_result(describe_dialog(opened.dialog) +
                        " opened and blocks the page. Answer it with browser_handle_dialog.");
  } catch (const TabGone& error) {
    return error_result(error.what());
  } catch (const DocumentGone& error) {
    return error_result(error.what());
  } catch (const ScriptError& error) {
    return error_result(error.what());
  } catch (const CdpTimeout& error) {
    return error_result(std::string(error.what()) + kBusy);
  } catch (const CdpClosed& error) {
    return error_result(std::string(error.what()) + ". The next call starts a new browser or uses another tab.");
  } catch (const CdpError& error) {
    return error_result("The browser refused: " + std::string(error.what()) + ".");
  } catch (const LaunchError& error) {
    return error_result(error.what());
  }
}

ToolHandler page_tool(std::string name, PageToolOptions options, PageHandler body) {
  return [name = std::move(name), options, body = std::move(body)](ToolContext& ctx, const Json& values) {
    return with_browser_errors([&] {
      const Arguments args(values);
      PageCall call(ctx, args.text("tab"), name, options);
      auto opener = options.mutates ? opener_before(call) : Opener();
      try {
        body(call, args);
        if (call.has_acted()) call.tab().throw_if_gone(true);
      } catch (const Aborted&) {
        call.end_action();
        const auto url = call.tab().state().url;
        if (auto note = call.effects.cancel_note(url); !note.empty()) {
          if (ctx.observer != nullptr) ctx.observer->on_effects(note);
          call.scope().note(call.tab().id(), std::move(note));
        }
        throw;
      } catch (const DialogOpened&) {
        // The input had its effect, and the dialog came of it; add_events() reports the dialog.
        call.leave_timers_to_dialog();
        call.response.result(call.effects.empty() ? "The page opened a dialog before " + name + " was done."
                                                  : call.effects.text() + ".");
      } catch (const CdpTimeout& error) {
        throw ToolError(error.what() + (kBusy + call.refuse_challenges()));
      } catch (const TabGone& gone) {
        if (gone.crashed || !call.has_acted()) throw;
        call.record(name, values);
        return tell_closed(ctx, call, name, std::move(opener));
      } catch (const ToolError& error) {
        call.response.error(error.what());
      } catch (const DocumentGone& error) {
        call.response.error(error.what());
      } catch (const ScriptError& error) {
        call.response.error(error.what());
      }
      if (!call.response.is_error()) call.record(name, values);
      call.add_events();
      if (ctx.batch != nullptr) {
        ctx.batch->add_step(std::move(call.response));
        return ToolResult();
      }
      auto result = call.response.build(call.settings().max_output);
      result.unlisted = call.scope().is_isolated();
      return result;
    });
  };
}

}  // namespace bridle
