#pragma once

#include <string>

#include "base/text/json.h"
#include "server/status_board.h"

// What the panel shows of this moment: a projection of the status board, and of nothing else [panel.state].
namespace bridle::panel {

// Without `now`. It changes only when something does: times are when things began, not how long ago that was.
Json state_of(StatusBoard& board, const std::string& viewer);

// Answers a question by its id here. False when nothing waits for that any more.
bool answer(StatusBoard& board, const std::string& question, Json result);
// Answers those of the session that stand until somebody hands back.
void answer_handed_back(StatusBoard& board, const std::string& session);

// Where a download's file lies; "" if there is none.
std::string download_path(StatusBoard& board, const std::string& id);

// The scope of a session as the panel names it; null: unknown, ended, or without one so far. `opens`: then it gets one.
std::shared_ptr<ToolScope> scope_of(StatusBoard& board, const std::string& session, bool opens = false);

}  // namespace bridle::panel
