#include "tools/scope/page_tool.h"

#include <utility>

#include "browser/page/world/world.h"

namespace bridle {

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
    return error_result(std::string(error.what()) +
                        ". The page may be busy; browser_navigate or browser_reload ends what keeps it so.");
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
      try {
        body(call, args);
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
