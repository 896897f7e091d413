#include "tools/panel/live_tab.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/errors.h"
#include "base/limits.h"
#include "base/text/log.h"
#include "base/text/secrets.h"
#include "base/text/text.h"
#include "browser/page/input/held_input.h"
#include "tools/contract/live_tab.h"
#include "tools/panel/hand_input.h"
#include "tools/panel/live_cast.h"
#include "tools/scope/browser_scope.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr int kNarrowest = 200;  // px
constexpr std::size_t kLinesShown = 300;
constexpr std::size_t kLineShown = 2000;  // bytes

class CastView final : public LiveView {
 public:
  CastView(std::shared_ptr<Tab> tab, std::shared_ptr<LiveCast> cast) : tab_(std::move(tab)), cast_(std::move(cast)) {}

  Next next(const CallContext& ctx, Picture& last) override {
    if (tab_->state().gone) return Next::over;
    const auto got = cast_->next(ctx, last, sent_ + kPace);
    if (got == Next::picture) sent_ = Clock::now();
    return got;
  }

 private:
  static constexpr auto kPace =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / limits::kViewRate));
  const std::shared_ptr<Tab> tab_;
  const std::shared_ptr<LiveCast> cast_;
  Clock::time_point sent_{};
};

// Another one each time that a dialog opens in the tab.
std::string dialog_id(const JavaScriptDialog& dialog) { return "d" + std::to_string(dialog.seq); }

std::string shown_line(const std::string& text) {
  const auto first = first_bytes(text, kLineShown);
  return first.size() == text.size() ? text : std::string(first) + "…";
}

// Turns what the browser throws into words for the person.
void with_words(const std::function<void()>& body) {
  const auto result = with_browser_errors([&] {
    body();
    return ToolResult();
  });
  if (result.is_error) throw ToolError(result.content.front().text);
}

// Input that was on its way while the person handed back may have come after what released all: then it is released
// once more, before the tab's next call.
class HandedBack {
 public:
  HandedBack(Tab& tab, const std::vector<Tab::Command>& commands, const std::function<bool()>& may)
      : tab_(tab), commands_(commands), may_(may) {}
  ~HandedBack() {
    if (may_()) return;
    held_input(tab_)->note(commands_);
    release_held_input(tab_);
  }
  HandedBack(const HandedBack&) = delete;
  HandedBack& operator=(const HandedBack&) = delete;

 private:
  Tab& tab_;
  const std::vector<Tab::Command>& commands_;
  const std::function<bool()>& may_;
};

class BrowserLiveTab final : public LiveTab {
 public:
  BrowserLiveTab(std::shared_ptr<Tab> tab, std::shared_ptr<LiveCasts> casts)
      : tab_(std::move(tab)), casts_(std::move(casts)) {}

  std::shared_ptr<LiveView> view(const CallContext& ctx, int width) override {
    std::shared_ptr<LiveView> view;
    with_words([&] {
      view = std::make_shared<CastView>(tab_, casts_->of(ctx, tab_, std::clamp(width, kNarrowest, limits::kViewWidth)));
    });
    return view;
  }

  std::string input(const CallContext& ctx, const Json& events, const std::function<bool()>& may) override {
    const auto commands = input_commands(events);
    TabQueue::Turn turn;
    try {
      turn = tab_->queue().acquire(ctx, "what the user does");
    } catch (const TabQueue::Full& full) {
      return "The tab is busy with " + full.busy_with() + ".";
    }
    if (!turn) return "A call still works in this tab: stop it, or wait for its end.";
    if (!may()) return "The session has been handed back.";
    const HandedBack handed_back(*tab_, commands, may);
    try {
      with_words([&] { send_held_input(ctx, *tab_, commands); });
    } catch (const ToolError&) {
      // It had its effect, and the panel shows the dialog.
      if (!tab_->state().dialog) throw;
    }
    return {};
  }

  void answer_dialog(const CallContext& ctx, const std::string& id, bool accept, const std::string& text) override {
    const auto open = tab_->state().dialog;
    if (!open || (!id.empty() && id != dialog_id(*open)))
      throw ToolError("This dialog is not open in this tab any more.");
    with_words([&] { tab_->handle_dialog(ctx, accept, text); });
  }

  Json console() const override {
    auto lines = tab_->console(true);
    Json entries = Json::array();
    const auto skipped = lines.entries.size() > kLinesShown ? lines.entries.size() - kLinesShown : 0;
    for (std::size_t i = skipped; i < lines.entries.size(); ++i) {
      const auto& line = lines.entries[i];
      entries.push_back({{"n", line.index},
                         {"level", line.level},
                         {"text", shown_line(line.text)},
                         {"url", shown_url(line.url)},
                         {"line", line.line}});
    }
    return {{"entries", std::move(entries)}, {"dropped", static_cast<std::size_t>(lines.dropped) + skipped}};
  }

  Json network() const override {
    auto requests = tab_->requests_of_document();
    Json entries = Json::array();
    const auto skipped = requests.entries.size() > kLinesShown ? requests.entries.size() - kLinesShown : 0;
    for (std::size_t i = skipped; i < requests.entries.size(); ++i) {
      const auto& one = requests.entries[i];
      entries.push_back(
          {{"n", one.index},
           {"method", one.method},
           {"url", shown_url(one.url)},
           {"status", one.status},
           {"type", one.type},
           {"ms", one.over() ? Json(std::chrono::duration_cast<Millis>(one.ended - one.started).count()) : Json()},
           {"bytes", one.encoded_bytes},
           {"failed", one.error}});
    }
    return {{"entries", std::move(entries)}, {"dropped", static_cast<std::size_t>(requests.dropped) + skipped}};
  }

 private:
  const std::shared_ptr<Tab> tab_;
  const std::shared_ptr<LiveCasts> casts_;
};

Json download_row(const DownloadStore::Download& one) {
  const bool done = one.state == DownloadStore::State::done;
  return {{"id", one.id},
          {"name", one.name},
          {"url", shown_url(one.url)},
          {"bytes", one.received},
          {"state", done         ? "done"
                    : one.over() ? "failed"
                                 : "running"}};
}

// By its id, or of a secret one by what is shown of it.
std::shared_ptr<Tab> tab_of(ToolScope& scope, const std::string& id) {
  for (auto& tab : static_cast<BrowserScope&>(scope).listed_tabs()) {
    if (tab->id() == id || tab->label() == id || (id.size() >= limits::kHandleShown && tab->id().starts_with(id)))
      return tab;
  }
  return nullptr;
}

}  // namespace

void add_live_tabs(Toolbox& toolbox, const std::shared_ptr<DownloadStore>& downloads) {
  toolbox.downloads = [downloads](const ToolScope& scope) {
    Json rows = Json::array();
    for (const auto& one : downloads->kept(&scope)) rows.push_back(download_row(one));
    for (const auto& one : static_cast<const BrowserScope&>(scope).downloads()) rows.push_back(download_row(one));
    return rows;
  };
  toolbox.download_path = [downloads](const ToolScope& scope, const std::string& id) {
    const auto found = downloads->find(id, &scope);
    return found && found->state == DownloadStore::State::done ? found->path : std::string();
  };
  const auto casts = std::make_shared<LiveCasts>();
  toolbox.picture = [casts](ToolScope& scope, const std::string& id) -> std::shared_ptr<const std::string> {
    const auto tab = tab_of(scope, id.empty() ? static_cast<BrowserScope&>(scope).current_id() : id);
    return tab ? casts->newest(tab->id()) : nullptr;
  };
  toolbox.keep_picture = [](ToolScope& scope, const std::string& name, const std::string& jpeg) -> std::string {
    try {
      return static_cast<BrowserScope&>(scope).files()->write({}, name, jpeg).path;
    } catch (const std::exception& error) {
      spdlog::info("a picture for the panel was not kept: {}", error.what());
      return {};
    }
  };
  toolbox.live_tab = [casts](ToolScope& scope, const std::string& id) -> std::shared_ptr<LiveTab> {
    auto tab = tab_of(scope, id);
    return tab ? std::make_shared<BrowserLiveTab>(std::move(tab), casts) : nullptr;
  };
  toolbox.release_input = [](ToolScope& scope) {
    for (const auto& tab : static_cast<BrowserScope&>(scope).listed_tabs()) release_held_input(*tab);
  };
  toolbox.dialogs = [](ToolScope& scope) {
    std::map<std::string, Json> open;
    for (const auto& tab : static_cast<BrowserScope&>(scope).listed_tabs()) {
      const auto dialog = tab->state().dialog;
      if (!dialog) continue;
      open[tab->id()] = {{"id", dialog_id(*dialog)},
                         {"type", dialog->type},
                         {"message", dialog->message},
                         {"defaultPrompt", dialog->default_prompt}};
    }
    return open;
  };
}

}  // namespace bridle
