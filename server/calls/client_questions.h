#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/concurrency/bell.h"
#include "base/concurrency/call_context.h"
#include "server/calls/stream/reply_stream.h"
#include "server/mcp/caller.h"
#include "tools/contract/tool.h"

namespace bridle {

class Task;

// The questions that one call puts to its client: up to 2025-11-25 requests of ours on the call's own stream; in
// 2026-07-28 the call ends by saying what it needs, and is made again with the answers; a task asks through tasks/get.
// Used by the call's own thread.
class ClientQuestions : public UserPrompt {
 public:
  // What the panel needs to show a question, and to answer it first [panel.questions].
  struct Shown {
    Bell& changes;  // rung when a question is put, and when it is over
    long call = 0;  // the number of the call that asks
  };
  // `answers`: what earlier rounds asked for; `unsealed`: answers that came without a requestState. `task` tells the
  // call's task, or null. All that is referred to outlives it.
  ClientQuestions(const Caller& caller, ReplyStream::Lane& lane, Json answers, const Json& unsealed,
                  std::function<std::shared_ptr<Task>()> task, Shown shown);

  Answer ask(const CallContext& ctx, std::string_view key, std::string_view message, const Json& form_schema) override;
  // Throws InputRequired and MissingCapability beside what UserPrompt says.
  Json ask_all(const CallContext& ctx, const Json& requests, bool sealed) override;
  bool can_ask(std::string_view method) const override;

  // Puts what a call could not ask to its task's client, for the next round of the call. False when it was aborted.
  bool ask_as_task(const CallContext& ctx, const Json& wanted);
  // The answers so far that a requestState seals.
  const Json& answers() const { return answers_; }

 private:
  void check_askable(const Json& requests) const;
  Json ask_session(const CallContext& ctx, std::string_view key, const Json& request);

  const Caller& caller_;
  ReplyStream::Lane& lane_;
  Json answers_;
  const Json& unsealed_;
  const std::function<std::shared_ptr<Task>()> task_;
  const Shown shown_;
};

}  // namespace bridle
