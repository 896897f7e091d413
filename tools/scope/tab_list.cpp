#include "tools/scope/tab_list.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/errors.h"
#include "base/text/secrets.h"

namespace bridle {

void TabList::add(std::shared_ptr<Tab> tab) { entries_.push_back({.tab = std::move(tab)}); }

void TabList::remove(const Tab& tab) {
  const auto it =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return one.tab.get() == &tab; });
  if (it == entries_.end()) return;
  const auto index = static_cast<std::size_t>(it - entries_.begin());
  entries_.erase(it);
  if (current_ != tab.id()) return;
  current_ = entries_.empty() ? "" : entries_[index == 0 ? 0 : index - 1].tab->id();
}

void TabList::drop_gone() {
  for (auto it = entries_.begin(); it != entries_.end();) {
    const auto now = it->tab->state();
    if (!now.gone) {
      ++it;
      continue;
    }
    if (it->tab->id() == current_) {
      lost_ = "The current tab (" + current_ + ") is gone: " + now.gone_why + ".";
      current_.clear();
    }
    it = entries_.erase(it);
  }
}

std::vector<std::shared_ptr<Tab>> TabList::clear() {
  auto tabs = all();
  *this = {};
  return tabs;
}

std::vector<std::shared_ptr<Tab>> TabList::all() const {
  std::vector<std::shared_ptr<Tab>> tabs;
  for (const auto& one : entries_) tabs.push_back(one.tab);
  return tabs;
}

const TabList::Entry* TabList::entry(const std::string& id) const {
  const auto it = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return one.tab->id() == id; });
  return it == entries_.end() ? nullptr : &*it;
}

TabList::Entry* TabList::entry(const std::string& id) {
  const auto it = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return one.tab->id() == id; });
  return it == entries_.end() ? nullptr : &*it;
}

std::shared_ptr<Tab> TabList::find(const std::string& id) const {
  const auto* found = entry(id);
  return found == nullptr ? nullptr : found->tab;
}

std::shared_ptr<Tab> TabList::current() {
  if (auto tab = find(current_)) return tab;
  const auto lost = std::exchange(lost_, "");
  if (entries_.empty()) return nullptr;
  current_ = entries_.back().tab->id();
  if (lost.empty()) return entries_.back().tab;
  throw ToolError(lost + " " + open_list() + " Without a choice the next call uses " + current_ + ".");
}

void TabList::select(const std::string& id) {
  if (entry(id) == nullptr) return;
  current_ = id;
  lost_.clear();
}

std::shared_ptr<Tab> TabList::opener_of(const Tab& popup) const {
  const auto& opener = popup.info().opener_id;
  if (opener.empty()) return nullptr;
  const auto it = std::find_if(entries_.begin(), entries_.end(),
                               [&](const Entry& one) { return one.tab->info().target_id == opener; });
  return it == entries_.end() ? nullptr : it->tab;
}

std::shared_ptr<Tab> TabList::take_place_of(const Tab& closed) {
  const bool was_current = current_ == closed.id();
  drop_gone();
  if (was_current) {
    lost_.clear();
    const auto opener = opener_of(closed);
    if (opener) current_ = opener->id();
  }
  return current();
}

std::string TabList::open_list() const {
  if (entries_.empty()) return "No tab is open; browser_navigate opens one.";
  std::string list = "Open tabs:";
  for (const auto& one : entries_) {
    list += " " + one.tab->id() + " (" + shown_url(one.tab->state().url) + ")";
  }
  return list + ". Choose one with browser_tabs select, or name it with tab.";
}

void TabList::mark_told(const std::string& id) {
  if (auto* found = entry(id)) found->told = true;
}

std::vector<std::shared_ptr<Tab>> TabList::take_popups(const std::string& opener_id) {
  std::vector<std::shared_ptr<Tab>> popups;
  const auto* opener = entry(opener_id);
  if (opener == nullptr) return popups;
  const auto opener_target = opener->tab->info().target_id;
  for (auto& one : entries_) {
    if (one.told || one.tab->info().opener_id != opener_target) continue;
    one.told = true;
    popups.push_back(one.tab);
  }
  return popups;
}

void TabList::note(const std::string& id, std::string line) {
  constexpr std::size_t kNotes = 20;
  auto* found = entry(id);
  if (found != nullptr && found->notes.size() < kNotes) found->notes.push_back(std::move(line));
}

std::vector<std::string> TabList::take_notes(const std::string& id) {
  auto* found = entry(id);
  return found == nullptr ? std::vector<std::string>() : std::exchange(found->notes, {});
}

DocumentOrigin TabList::told_origin(const std::string& id) const {
  const auto* found = entry(id);
  return found == nullptr ? DocumentOrigin() : found->told_origin;
}

void TabList::tell_origin(const std::string& id, const DocumentOrigin& origin) {
  if (auto* found = entry(id)) found->told_origin = origin;
}

int TabList::take_console_mark(const std::string& id, int newest) {
  auto* found = entry(id);
  return found == nullptr ? newest : std::exchange(found->told_console, newest);
}

}  // namespace bridle
