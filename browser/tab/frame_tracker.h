#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "browser/tab/tab_state.h"

namespace bridle {

// The tab's frames and their JavaScript worlds, over the sessions of all processes involved.
// A pure state machine: no thread, no CDP command; its owner serialises access.
class FrameTracker {
 public:
  static constexpr const char* kWorldName = "bridle";
  // The function in that world by which a document that is left gives what it has told
  // (browser/page/js/snapshot/carried.js).
  static constexpr const char* kLeavesBinding = "bridleLeaves";
  static Json leaves_binding() { return {{"name", kLeavesBinding}, {"executionContextName", kWorldName}}; }

  bool on_event(const std::string& session, std::string_view method, const Json& params);
  static bool wants(std::string_view method);
  // A frame that lives in another process has got its own session; its execution contexts are announced there.
  void set_session(const std::string& session, const std::string& frame_id, const std::string& parent);
  void drop_session(const std::string& session);

  // From now on the browser puts the page script into each new world of this session, before the page's own scripts.
  void expect_script(const std::string& session) { script_session_ = session; }

  // nullptr when unknown.
  const FrameState* find(const std::string& id) const;
  FrameState* find(const std::string& id);
  std::vector<FrameState> children(const std::string& parent) const;
  // Ids of all frames below it, parents first.
  std::vector<std::string> descendants(const std::string& id) const;
  // Adds the origins of all documents that are there, but for opaque ones; a document without an address of its own has
  // another's. False: of one it isn't known yet.
  bool add_origins(std::set<std::string>& origins) const;
  // Counts the documents and the processes that frames have had: a mark to compare with.
  std::uint64_t documents() const { return documents_; }
  std::size_t size() const { return frames_.size(); }

 private:
  FrameState& entry(const std::string& id);
  void remove_with_children(const std::string& id);
  void on_context_created(const std::string& session, const Json& context);
  void on_context_destroyed(const std::string& unique_id);

  std::map<std::string, FrameState> frames_;
  std::uint64_t documents_ = 0;
  std::string script_session_;
};

}  // namespace bridle
