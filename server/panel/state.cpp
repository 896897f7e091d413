#include "server/panel/state.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/limits.h"
#include "tools/contract/user_hold.h"

namespace bridle::panel {
namespace {

const char* state_words(const CallRow& row) {
  if (row.state == CallState::aborting) return row.overdue ? "overdue" : "stopping";
  if (row.held) return "held";
  return row.state == CallState::starting ? "queued" : "running";
}

Json progress_of(const CallRow& row) {
  if (!row.progress) return nullptr;
  const auto& [done, total, words] = *row.progress;
  return {{"done", done}, {"total", total < 0 ? Json() : Json(total)}, {"words", words}};
}

Json call_row(const CallRow& row) {
  const Json shown = row_json(row);
  return {{"id", call_name(row.traits.number)},
          {"session", shown_session(row.key.session)},
          {"request", shown.at("id")},
          {"tool", row.tool},
          {"target", row.traits.target},
          {"tab", shown.at("tab")},
          {"state", state_words(row)},
          {"since", epoch_ms(row.began)},
          {"parent", row.traits.maker == 0 ? Json() : Json(call_name(row.traits.maker))},
          {"progress", progress_of(row)}};
}

// `waiting`: calls that wait for its end.
Json held_by(const UserHold& hold, const std::string& viewer, int waiting) {
  const auto state = hold.state();
  if (!state) return nullptr;
  return {
      {"by", state->who == viewer ? "you" : "another viewer"}, {"since", epoch_ms(state->since)}, {"waiting", waiting}};
}

Json session_row(const Toolbox& toolbox, const std::string& id, const std::string& client, std::string_view revision,
                 const std::shared_ptr<ToolScope>& scope, const std::string& viewer, int waiting) {
  Json row = {{"id", id}, {"client", client}, {"revision", revision}, {"held", nullptr}, {"tabs", Json::array()}};
  if (!scope) return row;
  row["held"] = held_by(scope->hold(), viewer, waiting);
  auto dialogs = toolbox.dialogs ? toolbox.dialogs(*scope) : std::map<std::string, Json>();
  for (Json& tab : scope->tabs()) {
    const auto tab_id = tab.value("id", "");
    if (tab.value("isolated", false)) tab["id"] = tab_id.substr(0, limits::kHandleShown);
    tab["dialog"] = std::move(dialogs[tab_id]);
    row["tabs"].push_back(std::move(tab));
  }
  return row;
}

// A question's id is unique in its session alone.
std::string question_name(const Session& session, const std::string& id) {
  return session.label() + ":" + parse_json(id).get<std::string>();
}

void add_questions(Json& rows, Session& session) {
  for (const auto& [id, shown] : session.questions().shown()) {
    rows.push_back({{"id", question_name(session, id)},
                    {"session", session.label()},
                    {"call", call_name(shown.call)},
                    {"message", shown.message},
                    {"schema", shown.schema},
                    {"takeOver", shown.take_over},
                    {"since", epoch_ms(shown.since)}});
  }
}

}  // namespace

bool answer(StatusBoard& board, const std::string& question, Json result) {
  for (const auto& session : board.sessions().all()) {
    for (const auto& [id, shown] : session->questions().shown()) {
      if (question_name(*session, id) == question) return session->questions().answer_elsewhere(id, std::move(result));
    }
  }
  return false;
}

void answer_handed_back(StatusBoard& board, const std::string& label) {
  for (const auto& session : board.sessions().all()) {
    if (session->label() != label) continue;
    for (const auto& [id, shown] : session->questions().shown()) {
      if (!shown.take_over) continue;
      session->questions().answer_elsewhere(
          id, {{"action", "accept"}, {"content", {{"answer", "the user took over and has handed back"}}}});
    }
  }
}

Json state_of(StatusBoard& board, const std::string& viewer) {
  Json server = board.server_state ? board.server_state() : Json::object();
  server.erase("uptimeMs");
  Json calls = Json::array();
  std::map<std::string, int> waiting;
  bool sessionless = false;
  for (const auto& call : board.calls().live()) {
    const CallRow row = call->snapshot();
    calls.push_back(call_row(row));
    const auto session = shown_session(row.key.session);
    waiting[session] += row.held ? 1 : 0;
    sessionless = sessionless || session == kSessionless;
  }
  Json sessions = Json::array();
  Json questions = Json::array();
  Json downloads = Json::array();
  const auto add_downloads = [&](const std::string& id, const std::shared_ptr<ToolScope>& scope) {
    if (!scope || !board.toolbox().downloads) return;
    for (Json& row : board.toolbox().downloads(*scope)) {
      row["session"] = id;
      downloads.push_back(std::move(row));
    }
  };
  auto all = board.sessions().all();
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->created() < b->created(); });
  for (const auto& session : all) {
    if (!session->negotiated()) continue;
    const auto id = session->label();
    sessions.push_back(session_row(board.toolbox(), id, session->client_name(), to_string(session->revision()),
                                   session->scope_if_open(), viewer, waiting[id]));
    add_questions(questions, *session);
    add_downloads(id, session->scope_if_open());
  }
  const bool has_tabs = board.default_scope && !board.default_scope->tabs().empty();
  add_downloads(kSessionless, board.default_scope);
  if (sessionless || has_tabs) {
    sessions.push_back(session_row(board.toolbox(), kSessionless, "", to_string(Revision::v2026_07_28),
                                   board.default_scope, viewer, waiting[kSessionless]));
  }
  return {{"server", std::move(server)},
          {"sessions", std::move(sessions)},
          {"calls", std::move(calls)},
          {"questions", std::move(questions)},
          {"downloads", std::move(downloads)}};
}

std::string download_path(StatusBoard& board, const std::string& id) {
  const auto& find = board.toolbox().download_path;
  if (!find) return {};
  std::string path = board.default_scope ? find(*board.default_scope, id) : "";
  for (const auto& session : board.sessions().all()) {
    const auto scope = session->scope_if_open();
    if (path.empty() && scope) path = find(*scope, id);
  }
  return path;
}

std::shared_ptr<ToolScope> scope_of(StatusBoard& board, const std::string& session, bool opens) {
  if (session == kSessionless) return board.default_scope;
  for (const auto& one : board.sessions().all()) {
    if (one->label() == session) return opens ? one->scope(board.toolbox()) : one->scope_if_open();
  }
  return nullptr;
}

}  // namespace bridle::panel
