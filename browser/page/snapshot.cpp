#include "browser/page/snapshot.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <optional>

#include "base/errors.h"
#include "browser/page/numbered_call.h"
#include "browser/page/target.h"
#include "browser/page/world/questions.h"
#include "browser/page/world/world.h"

namespace bridle {
namespace {

constexpr Millis kFrameLimit{2000};
constexpr int kFrameDepth = 8;
constexpr int kClosedRootDepth = 5;
constexpr int kQuestionRounds = 2;

std::string indent_lines(const std::string& yaml, const std::string& indent) {
  std::string out;
  out.reserve(yaml.size() + yaml.size() / 8);
  for (std::size_t at = 0; at < yaml.size();) {
    auto end = yaml.find('\n', at);
    if (end == std::string::npos) end = yaml.size();
    out += indent;
    out.append(yaml, at, end - at);
    if (end < yaml.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

// The frame that an iframe element holds; "" when it has none (yet).
std::string frame_in_element(const CallContext& ctx, Tab& tab, const std::string& parent_frame,
                             const std::string& ref) {
  const auto object = page_element(ctx, tab, parent_frame, ref);
  if (object.empty()) return {};
  const Json node =
      tab.call(ctx, "DOM.describeNode", {{"objectId", object}}, limits::kCdpCommand, tab.frame_session(parent_frame));
  release_object(tab, parent_frame, object);
  return node.at("node").value("frameId", "");
}

constexpr int kLeastBudget = 200;  // characters: less of a frame tells nothing

class Stitcher {
 public:
  Stitcher(const CallContext& ctx, Tab& tab, RefSpace& refs, const SnapshotOptions& options)
      : ctx_(ctx), tab_(tab), refs_(refs), options_(options), left_(options.budget_chars) {}

  Snapshot frame(const std::string& frame_id, const std::string& target, int depth_of_frames) {
    const bool main = frame_id == tab_.main_frame();
    page::Snapshot function{.ref_start = 0,
                            .frame_prefix = main ? "" : "f" + std::to_string(refs_.frame_number(frame_id)),
                            .mode = options_.delta ? "delta" : "full"};
    if (!target.empty()) function.target = target;
    // One of a target counts as no snapshot of the frame.
    if (options_.numbers_only) function.target = "html";
    if (options_.depth > 0) function.depth = options_.depth;
    if (options_.boxes) function.boxes = true;
    if (options_.again) function.again = true;
    if (options_.budget_chars > 0) function.budget_chars = std::max(left_, kLeastBudget);
    if (main && options_.whole_chars > 0) function.whole_chars = options_.whole_chars;
    if (main && options_.page_chars > 0) function.page_chars = options_.page_chars;
    // A page that was told whole since, or by a delta of its own, has nothing to compare with the document before it.
    if (main && target.empty() && !options_.numbers_only && !options_.again)
      if (auto told = tab_.take_told_by_last(); options_.delta && !told.empty()) function.before = std::move(told);
    const auto limited = main ? ctx_ : ctx_.within(kFrameLimit);
    auto result = numbered_call(limited, tab_, refs_, frame_id, function);
    // A closed root may hold hosts of further ones.
    for (int depth = 0; depth < kClosedRootDepth && result.closed_hosts > 0; ++depth) {
      if (!register_closed_roots(limited, tab_, frame_id)) break;
      function.again = true;
      result = numbered_call(limited, tab_, refs_, frame_id, function);
    }
    // An answer may lead to further questions: of a class of elements one is asked about first.
    for (int round = 0; round < kQuestionRounds && result.questions > 0; ++round) {
      if (!answer_questions(limited, tab_, frame_id)) break;
      function.again = true;
      function.asked = true;
      result = numbered_call(limited, tab_, refs_, frame_id, function);
    }

    Snapshot snapshot;
    snapshot.changed = result.changed;
    snapshot.yaml = std::move(result.yaml);
    snapshot.cut = result.cut;
    snapshot.shrunk = result.shrunk;
    snapshot.thinned = result.thinned;
    snapshot.under_way = result.under_way;
    if (main && result.fresh && options_.page_chars > 0) left_ += options_.page_chars - options_.budget_chars;
    if (main || snapshot.changed) left_ -= static_cast<int>(snapshot.yaml.size());
    for (const auto& child : result.frames) stitch(snapshot, frame_id, child, depth_of_frames);
    return snapshot;
  }

 private:
  void stitch(Snapshot& into, const std::string& parent_frame, const page::FrameLine& line, int depth_of_frames) {
    const auto& ref = line.ref;
    const auto token = line.token.value_or("");
    std::string inner;
    bool changed = false;
    try {
      const auto frame_id = frame_in_element(ctx_.within(kFrameLimit), tab_, parent_frame, ref);
      if (frame_id.empty() || depth_of_frames >= kFrameDepth) return splice(into, token, "");
      // All frames together keep to the budget. A delta looks into each, as most have no news.
      if (options_.budget_chars > 0 && !options_.delta && left_ < kLeastBudget) {
        into.cut = true;
        return splice(into, token, "- text: (left out for the budget: target " + ref + " shows this frame)");
      }
      Snapshot child = frame(frame_id, "", depth_of_frames + 1);
      inner = std::move(child.yaml);
      changed = child.changed;
      into.cut = into.cut || child.cut;
    } catch (const Aborted&) {
      throw;
    } catch (const DialogOpened&) {
      throw;
    } catch (const std::exception&) {
      inner = "- text: (this frame does not answer yet)";
      changed = !options_.delta;
    }
    if (options_.delta && !changed) return splice(into, token, "", " (children unchanged)");
    if (token.empty()) {
      // In a delta the frame's own line may be missing: its news stand under it.
      if (!into.changed) into.yaml.clear();  // it said that there are no changes
      into.yaml += (into.yaml.empty() ? "" : "\n") + ("- " + line.header + ":\n") + indent_lines(inner, "  ");
      into.changed = true;
      return;
    }
    into.changed = true;
    splice(into, token, inner);
  }

  // Puts `inner` where the token's line stands, at its indent. Without any, the line goes, and the frame's own says
  // `instead` of it.
  static void splice(Snapshot& into, const std::string& token, const std::string& inner,
                     const std::string& instead = {}) {
    if (token.empty()) return;
    const auto at = into.yaml.find(token);
    if (at == std::string::npos) return;
    auto line = into.yaml.rfind('\n', at);
    line = line == std::string::npos ? 0 : line + 1;
    auto end = into.yaml.find('\n', at);
    const auto first = into.yaml.find_first_not_of(' ', line);
    const std::string indent = into.yaml.substr(line, first - line);
    if (inner.empty()) {
      // Both with the line break before them: the frame's own line stands above.
      if (line > 0) --line;
      into.yaml.erase(line, (end == std::string::npos ? into.yaml.size() : end) - line);
      if (line > 0 && into.yaml[line - 1] == ':') {
        if (instead.empty()) {
          into.yaml.erase(line - 1, 1);
        } else {
          into.yaml.insert(line, instead);
        }
      }
      return;
    }
    if (end == std::string::npos) end = into.yaml.size();
    into.yaml.replace(line, end - line, indent_lines(inner, indent));
  }

  const CallContext ctx_;
  Tab& tab_;
  RefSpace& refs_;
  const SnapshotOptions& options_;
  int left_;  // characters of the budget
};

// Appends what one frame and those in it have; a frame that doesn't answer has nothing.
void find_in_frame(const CallContext& ctx, Tab& tab, RefSpace& refs, const page::Find& wanted,
                   const std::string& frame_id, int depth, int limit, Found& found) {
  const bool main = frame_id == tab.main_frame();
  page::Find function = wanted;
  function.frame_prefix = main ? "" : "f" + std::to_string(refs.frame_number(frame_id));
  function.limit = std::max<long>(limit - found.shown, 0);
  const auto limited = main ? ctx : ctx.within(kFrameLimit);
  const auto result = numbered_call(limited, tab, refs, frame_id, function);
  found.count += result.count;
  found.shown += result.shown;
  if (!result.yaml.empty()) found.yaml += (found.yaml.empty() ? "" : "\n") + result.yaml;
  if (depth >= kFrameDepth) return;
  for (const auto& child : result.frames) {
    const auto& ref = child.ref;
    Found inner;
    inner.shown = found.shown;
    try {
      const auto inside = frame_in_element(limited, tab, frame_id, ref);
      if (inside.empty()) continue;
      find_in_frame(ctx, tab, refs, wanted, inside, depth + 1, limit, inner);
    } catch (const Aborted&) {
      throw;
    } catch (const DialogOpened&) {
      throw;
    } catch (const std::exception&) {
      continue;
    }
    found.count += inner.count;
    found.shown = inner.shown;
    if (!inner.yaml.empty())
      found.yaml += (found.yaml.empty() ? "" : "\n") + ("- " + child.header + ":\n") + indent_lines(inner.yaml, "  ");
  }
}

// Held while the page is walked.
TabQueue::Turn turn_to_walk(const CallContext& ctx, Tab& tab) {
  try {
    if (auto turn = tab.walks().acquire(ctx, "a snapshot")) return turn;
  } catch (const TabQueue::Full&) {
    throw ToolError(
        fmt::format("{} snapshots of tab {} wait already. Wait for some of them.", limits::kTabQueue, tab.id()));
  }
  throw CdpTimeout("other snapshots of this tab took the whole time");
}

}  // namespace

Found find_in_page(const CallContext& ctx, Tab& tab, RefSpace& refs, const FindOptions& options) {
  const auto turn = turn_to_walk(ctx, tab);
  page::Find wanted{.ref_start = 0};
  if (options.regex.empty()) {
    wanted.text = options.text;
  } else {
    wanted.regex = options.regex;
    wanted.flags = options.flags;
  }
  Found found;
  find_in_frame(ctx, tab, refs, wanted, tab.main_frame(), 0, options.limit, found);
  return found;
}

std::uint64_t RefSpace::next() const {
  MutexLock lock(mutex_);
  return next_;
}

bool RefSpace::claim(std::uint64_t from, std::uint64_t to) {
  MutexLock lock(mutex_);
  if (next_ != from) return to <= from;
  next_ = std::max(next_, to);
  return true;
}

int RefSpace::frame_number(const std::string& frame_id) {
  MutexLock lock(mutex_);
  const auto [it, fresh] = numbers_.try_emplace(frame_id, static_cast<int>(numbers_.size()) + 1);
  if (fresh) frames_[it->second] = frame_id;
  return it->second;
}

std::string RefSpace::frame_id(int number) const {
  MutexLock lock(mutex_);
  const auto it = frames_.find(number);
  return it == frames_.end() ? std::string() : it->second;
}

Snapshot take_snapshot(const CallContext& ctx, Tab& tab, RefSpace& refs, const SnapshotOptions& options) {
  const auto turn = turn_to_walk(ctx, tab);
  const auto frame = options.target.empty() ? tab.main_frame() : locate_target(ctx, tab, refs, options.target).id;
  auto snapshot = Stitcher(ctx, tab, refs, options).frame(frame, options.target, 0);
  if (snapshot.yaml.empty()) snapshot.yaml = "- text: (the page is empty)";
  return snapshot;
}

}  // namespace bridle
