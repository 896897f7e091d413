#pragma once

#include <memory>
#include <string>
#include <vector>

#include "browser/tab/tab.h"

namespace bridle {

// The tabs of one scope in the order they opened, which of them is the current one, and what the caller was last told
// of each [nav.closed-tab] [nav.popup]. It has no lock of its own: its scope guards it.
class TabList {
 public:
  // A tab that no result has named yet.
  void add(std::shared_ptr<Tab> tab);
  // Takes a tab out; when it is the current one, the tab before it becomes current.
  void remove(const Tab& tab);
  // Takes out those that are gone; of the current one, current() tells.
  void drop_gone();
  // Forgets all of them, and what was told.
  std::vector<std::shared_ptr<Tab>> clear();

  bool empty() const { return entries_.empty(); }
  std::vector<std::shared_ptr<Tab>> all() const;
  std::shared_ptr<Tab> find(const std::string& id) const;  // nullptr: not one of these

  // The current tab; without one the newest becomes it, nullptr when there is none. Throws ToolError, once, when the
  // current tab went away by itself and others remain: the caller should choose among them.
  std::shared_ptr<Tab> current();
  const std::string& current_id() const { return current_; }  // "" before the first
  void select(const std::string& id);
  // The tab whose page opened this one; nullptr: none of these.
  std::shared_ptr<Tab> opener_of(const Tab& popup) const;
  // Takes out a tab that has gone. When it was the current one, its opener becomes that, or the newest, and current()
  // tells nothing of it. Returns the current one; nullptr when none is left.
  std::shared_ptr<Tab> take_place_of(const Tab& closed);
  // "Open tabs: ...", and how to choose one: for a ToolError.
  std::string open_list() const;

  // From now on a result has named the tab, so it is no news.
  void mark_told(const std::string& id);
  // Tabs that `opener` opened and no result has named; from now on one has.
  std::vector<std::shared_ptr<Tab>> take_popups(const std::string& opener_id);
  // Lines for the next result on a tab. At most 20 are kept, the first.
  void note(const std::string& id, std::string line);
  std::vector<std::string> take_notes(const std::string& id);
  // The document's that the caller was last told of; empty when never.
  DocumentOrigin told_origin(const std::string& id) const;
  void tell_origin(const std::string& id, const DocumentOrigin& origin);
  // The index of the newest console entry that a result has told of; `newest` takes its place.
  int take_console_mark(const std::string& id, int newest);

 private:
  struct Entry {
    std::shared_ptr<Tab> tab;
    bool told = false;  // a result has named it
    DocumentOrigin told_origin{};
    int told_console = 0;
    std::vector<std::string> notes{};
  };
  const Entry* entry(const std::string& id) const;
  Entry* entry(const std::string& id);

  std::vector<Entry> entries_;
  std::string current_;  // a tab's id
  std::string lost_;     // what to say of a current tab that went away
};

}  // namespace bridle
