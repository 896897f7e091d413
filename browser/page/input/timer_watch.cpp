#include "browser/page/input/timer_watch.h"

#include <spdlog/spdlog.h>

#include <sstream>
#include <utility>

#include "browser/page/world/script_kit.h"

namespace bridle {
namespace {

constexpr Millis kAnswer{250};  // of a renderer that is not busy

Json params_of_call(const std::string& kit, const std::string& function) {
  return {{"objectId", kit}, {"functionDeclaration", function}, {"returnByValue", true}, {"silent", true}};
}

}  // namespace

TimerWatch::TimerWatch(const CallContext& ctx, Tab& tab, std::string frame_id, Before next)
    : tab_(tab), frame_id_(std::move(frame_id)) {
  const auto frame = tab.frame(frame_id_);
  if (!frame || frame->main_world.empty()) return;
  try {
    const auto limited = ctx.within(kAnswer);
    const auto kit = script_kit_of(limited, tab, frame_id_, *frame);
    if (kit.empty()) return;
    session_ = frame->session;
    kit_ = kit;
    const auto begin = call_params(next == Before::dialog_answer ? "function(){this.timers.resume()}"
                                                                 : "function(){this.timers.begin()}");
    if (next == Before::input) {
      tab.call(limited, "Runtime.callFunctionOn", begin, kAnswer, session_);
    } else {
      tab.post("Runtime.callFunctionOn", begin, session_);
    }
  } catch (const CdpError& error) {
    kit_.clear();
    spdlog::debug("{}: its timers are not watched: {}", tab.label(), error.what());
  } catch (const CdpTimeout&) {
    // It may begin late: then finish() ends it.
  } catch (const DialogOpened&) {
    kit_.clear();
  }
}

TimerWatch::~TimerWatch() {
  if (watching()) tab_.post("Runtime.callFunctionOn", call_params("function(){this.timers.finish()}"), session_);
}

Json TimerWatch::call_params(const std::string& function) const { return params_of_call(kit_, function); }

PendingReply TimerWatch::until_fired(Millis most, Which which) {
  auto params = call_params("function(){return this.timers.fired(" + std::to_string(most.count()) +
                            (which == Which::late_too ? ",true)}" : ",false)}"));
  params["awaitPromise"] = true;
  return tab_.send("Runtime.callFunctionOn", params, session_);
}

bool TimerWatch::note_fired(const CdpReply& reply) {
  none_ = false;
  if (reply.kind != CdpReply::Kind::result) return false;
  const Json answer = result_of(reply.message);
  const auto result = answer.find("result");
  const auto said = result == answer.end() ? std::string() : string_field(*result, "value");
  none_ = said.starts_with("none");
  if (none_) note_asked(said);
  workers_ = workers_ || said.ends_with("workers");
  return said.starts_with("fired");
}

PendingReply TimerWatch::ask_posts(const std::string& what) {
  auto params = call_params("function(){return this.posts." + what + "()}");
  params["awaitPromise"] = true;
  return tab_.send("Runtime.callFunctionOn", params, session_);
}

TimerWatch::Answered TimerWatch::answered_of(const CdpReply& reply) {
  if (reply.kind != CdpReply::Kind::result) return Answered::none_owed;
  const Json answer = result_of(reply.message);
  const auto result = answer.find("result");
  const auto said = result == answer.end() ? std::string() : string_field(*result, "value");
  return said == "later" ? Answered::later : said == "before" ? Answered::before : Answered::none_owed;
}

void TimerWatch::give_up_workers() {
  if (watching()) tab_.post("Runtime.callFunctionOn", call_params("function(){this.posts.giveUp()}"), session_);
}

void TimerWatch::look() {
  if (watching() && !none_)
    tab_.post("Runtime.callFunctionOn", call_params("function(){this.timers.look()}"), session_);
}

// Of what the kit says, the words behind question marks.
void TimerWatch::note_asked(const std::string& said) {
  std::istringstream words(said);
  for (std::string word; words >> word;)
    if (word.starts_with('?')) asked_for_.insert(word.substr(1));
}

TimerWatch::Rest TimerWatch::finish(const CallContext& ctx) {
  Rest rest{.asked_for = asked_for_};
  if (!watching() || (none_ && !workers_)) return rest;
  try {
    const Json answer = tab_.call(ctx.within(kAnswer), "Runtime.callFunctionOn",
                                  call_params("function(){return this.timers.finish()}"), kAnswer, session_);
    const std::string said = answer.at("result").value("value", "");
    std::istringstream delays(said);
    for (double delay = 0; delays >> delay;) rest.delays.push_back(delay);
    rest.owed = said.find("owed") != std::string::npos;
    rest.fired = said.find("ran") != std::string::npos;
    note_asked(said);
    rest.asked_for = asked_for_;
    rest.answered = true;
  } catch (const CdpError&) {
    // Another document has taken its place.
  } catch (const CdpTimeout&) {
    return rest;  // the destructor asks again, without waiting
  } catch (const DialogOpened&) {
    return rest;
  }
  kit_.clear();
  return rest;
}

bool timer_is_due(const CallContext& ctx, Tab& tab, const std::string& frame_id, Millis most) {
  const auto frame = tab.frame(frame_id);
  if (!frame || frame->main_world.empty()) return false;
  try {
    const auto limited = ctx.within(kAnswer);
    const auto kit = script_kit_of(limited, tab, frame_id, *frame);
    if (kit.empty()) return false;
    const auto ask = "function(){return this.timers.isDue(" + std::to_string(most.count()) + ")}";
    const Json answer = tab.call(limited, "Runtime.callFunctionOn", params_of_call(kit, ask), kAnswer, frame->session);
    return answer.at("result").value("value", false);
  } catch (const CdpError&) {
    return false;  // another document has taken its place
  } catch (const CdpTimeout&) {
    return false;
  } catch (const DialogOpened&) {
    return false;
  }
}

}  // namespace bridle
