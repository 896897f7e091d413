#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/errors.h"
#include "base/text/json.h"
#include "tools/contract/live_tab.h"
#include "tools/contract/user_hold.h"

// What a tool is, and all that the server layer knows of the browser. A tool's name, schema and handler stand
// together, in one table (Toolbox); the server finds it there, checks the arguments and calls it.
namespace bridle {

// One content block of a result. `data` is base64 and is spliced into the answer as it is, never re-encoded.
struct Content {
  enum class Kind { text, image, audio, resource, resource_link };
  Kind kind = Kind::text;
  std::string text{};       // text; of a resource: its text
  std::string data{};       // image, audio, resource: base64
  std::string mime_type{};  // all but text
  std::string uri{};        // resource, resource_link
  std::string name{};       // resource_link
  long size = -1;           // resource_link: bytes; -1: not said
};

struct ToolResult {
  std::vector<Content> content{};
  Json structured{};  // null: none. Always fits the tool's output schema
  bool is_error = false;
  std::string whole{};    // the text as it was before it was cut; empty: it wasn't
  Json noted{};           // of a nested call: what it did, as an exported test tells it; null: nothing
  bool unlisted = false;  // the whole text is for those who know its URI: of a tab that others aren't told of
  Millis held{};          // of a nested call: how long it waited for a person who had taken over
  bool refused = false;   // of a nested call: its arguments don't fit, or there is no such tool; nothing was begun

  static ToolResult text(std::string words) {
    ToolResult result;
    result.content.push_back({.kind = Content::Kind::text, .text = std::move(words)});
    return result;
  }
  static ToolResult error(std::string words) {
    ToolResult result = text(std::move(words));
    result.is_error = true;
    return result;
  }
};

struct ToolSpec;

// What one client sees of the browser: its tabs, its current tab, what it was last told. One a session (legacy)
// or the default one (2026-07-28). Opaque to the server; its destructor closes what the session opened.
class ToolScope {
 public:
  virtual ~ToolScope() = default;
  // The tabs as /status and browser_status list them: [{id, index, url, title, current, crashed}]. Never waits.
  virtual Json tabs() const = 0;
  // Whether a tab of that id can be worked on, listed or not. Never waits.
  virtual bool knows_tab(const std::string& id) const;
  // Whether the tools of a set are listed to this client, and served [tool.sets]. Never waits.
  virtual bool has_set(const std::string& /*set*/) const { return false; }
  // The client's roots are others now (notifications/roots/list_changed). Never waits.
  virtual void roots_changed() {}
  // Tools of this client alone, which come and go with its pages; listed after the others. Never waits.
  virtual std::vector<std::shared_ptr<const ToolSpec>> own_tools() const;
  // Whether a person has taken over.
  UserHold& hold() { return hold_; }

 private:
  UserHold hold_{};
};

// The server's request registry, as browser_status and browser_stop see it.
class RequestControl {
 public:
  virtual ~RequestControl() = default;
  // {server, requests, recent, counters} of [tool.structured]; only the caller's session unless `all_sessions`.
  virtual Json status(bool all_sessions) = 0;
  // Aborts (stopped_by_user) one request, or all of the caller's but the call itself, waits up to 3 s and answers
  // {wasCancelled, timedOut, requests}. `request` null: all. `session` empty: the caller's.
  virtual Json stop(const CallContext& ctx, const Json& request, const std::string& session) = 0;
};

// The key of a question that who has taken over at the panel answers by handing back.
inline constexpr const char* kTakeOverQuestion = "take-over";

// Puts a question to the person behind the client (elicitation).
class UserPrompt {
 public:
  virtual ~UserPrompt() = default;
  struct Answer {
    std::string action;  // accept, decline, cancel
    Json content;        // the form's fields when accepted
  };
  // `key` names the question within this call (modern revisions retry the call with its answer). Throws ToolError
  // when the client can't be asked, Aborted when the call is.
  virtual Answer ask(const CallContext& ctx, std::string_view key, std::string_view message,
                     const Json& form_schema) = 0;
  // Puts several requests at once to the client: {key: {method, params}}, where a method is elicitation/create,
  // sampling/createMessage or roots/list. Returns {key: result}. `sealed`: in 2026-07-28 believe only answers that come
  // with our own requestState; false for questions whose answers decide nothing. Throws as ask() does.
  virtual Json ask_all(const CallContext& ctx, const Json& requests, bool sealed = true) = 0;
  // Whether the client declared what a request of this method needs.
  virtual bool can_ask(std::string_view method) const = 0;
};

// The server's side of a call while it runs. Never blocks.
class CallObserver {
 public:
  virtual ~CallObserver() = default;
  virtual void on_tab(std::string_view tab_id) = 0;  // the tab this call works on
  virtual void on_running() = 0;                     // left the queue: starting -> running. Idempotent
  // What the call had already done when it was aborted, in words.
  virtual void on_effects(const std::string& /*words*/) {}
  virtual void on_held(bool /*held*/) {}  // waits for a person who has taken over, or no more
  // A log message for the client, on the call's own stream, where the client takes that level (RFC 5424's name).
  virtual void log(std::string_view /*level*/, const Json& /*data*/) {}
  // Makes the call a task (io.modelcontextprotocol/tasks): the client gets the task's handle now and the result later.
  // False, with nothing changed, if the client knows no tasks or there are too many.
  virtual bool become_task() { return false; }
  // Ends the connection but not the stream, so that a client of 2025-11-25 resumes it (SEP-1699). In other revisions
  // nothing happens.
  virtual void let_client_poll() {}
};

class Response;

class NestedCalls;

struct OriginList;

// Everything one call gets. Valid for the call only.
struct ToolContext {
  CallContext call{};
  std::shared_ptr<ToolScope> scope{};
  RequestControl* requests = nullptr;
  UserPrompt* user = nullptr;
  CallObserver* observer = nullptr;
  NestedCalls* nested = nullptr;  // null: of a call that is nested itself
  // Of a step of browser_batch: what a page tool would answer goes here instead, without the page that it leads to,
  // which the batch tells once at its end; then its result has no content.
  Response* batch = nullptr;
  // Of a nested call: where a page tool notes what it has done, an array; null: nobody asks.
  Json* noted = nullptr;
  bool acts = false;  // on what a person may take over
  // Of a run: the only origins on whose pages it may act, which each page tool checks when it acts [agent.run.origins];
  // null: all. It outlives the call.
  const OriginList* act_on = nullptr;

  // What acts waits here while a person has taken over [panel.take-over].
  // That time is not the call's: its deadline comes so much later.
  void wait_for_person();
};

using ToolHandler = std::function<ToolResult(ToolContext& ctx, const Json& args)>;

struct ToolSpec {
  std::string name{};
  std::string set{};  // a name of kToolSets; empty: the core, which is always listed
  std::string title{};
  std::string description{};
  Json input_schema{};    // type object; see schema::object
  Json checked_schema{};  // set by add(): what the arguments are checked by (schema_check.h)
  Json output_schema{};   // null: none
  bool read_only = false;
  bool destructive = false;
  bool idempotent = false;
  bool open_world = true;
  bool queues = false;         // waits for a tab: stays `starting` until it calls observer->on_running()
  bool may_take_long = false;  // a call that does becomes a task, for clients that know tasks
  bool bounds_itself = false;  // has limits of its own in place of the deadline of calls
  bool needs_task = false;     // such clients only
  bool nestable = true;        // another call may make it (NestedCalls)
  // Works too while a person has taken over, though it isn't read_only: it doesn't touch the browser.
  bool goes_on = false;
  std::vector<std::string_view> reading_actions{};  // values of `action` that only read; string literals
  Json needs_capabilities{};  // null, or the ClientCapabilities without which a call of 2026-07-28 is refused (-32021)
  ToolHandler handler{};

  // Whether a call with these arguments waits while a person has taken over [panel.take-over].
  bool acts(const Json& arguments) const;
};

// Makes further tool calls in the name of a call's client, as if that had made them: the same list of tools, checks,
// guards and queues. Each is registered as a call of its own, which ends with the call that makes it at the latest
// [agent.run.calls].
class NestedCalls {
 public:
  virtual ~NestedCalls() = default;
  using Tool = std::shared_ptr<const ToolSpec>;
  // The tools that the client is listed now, those of its pages too, but those that may not be nested.
  virtual std::vector<Tool> listed() const = 0;
  // The tool that such a call means, which may be an alias: then `arguments`, if given, become the tool's own. Null:
  // none.
  virtual Tool find(const std::string& name, Json* arguments = nullptr) const = 0;
  // Runs a tool that find() or listed() told, to its end in the calling thread. `act_on`: see ToolContext. What went
  // wrong is a result with is_error. Throws Aborted when the call that makes it is aborted; a nested call that is
  // stopped alone yields a result that says so.
  virtual ToolResult call(const CallContext& ctx, const Tool& tool, Json arguments, const OriginList* act_on) = 0;
};

// Another server's name for one of our tools. It is served, but not listed [tool.accepted-names].
struct ToolAlias {
  std::string name{};
  std::string tool{};
  Json fixed = Json::object();                                 // arguments that the name stands for
  std::vector<std::pair<std::string, std::string>> renamed{};  // its arguments' names, and ours; "": ignored
};

// The one table of tools. Filled at the start, read-only afterwards (then any thread may read).
class Toolbox {
 public:
  void add(ToolSpec spec);    // std::logic_error on a name that is taken
  void add(ToolAlias alias);  // std::logic_error on a name that is taken, and when there is no such tool
  const ToolSpec* find(std::string_view name) const;
  // The tool of a call by that name, which may be an alias: then `arguments`, if there are any, become the tool's own.
  // What an alias' fixed arguments say, they say in place of the caller.
  const ToolSpec* resolve(std::string_view name, Json* arguments = nullptr) const;
  const std::vector<ToolSpec>& all() const { return specs_; }  // in the order of tools/list

  // Makes the scope of a new session; "" stands for all callers without a session. Called from any thread; must not
  // start the browser.
  std::function<std::shared_ptr<ToolScope>(const std::string& session_id)> open_scope;
  // Gauges of the browser layer for /status: {tabs, cdp_pending, waiters, ...}. Never waits.
  std::function<Json()> counters;
  // Whether that client is listed a tool and may call it. `scope` null: one that has no scope yet.
  bool lists(const ToolSpec& spec, const ToolScope* scope) const;
  // What to do about a tool that isn't.
  std::function<std::string(const ToolSpec& spec)> how_to_list;
  // Names of other servers' tools that are not served, and the words for who calls one.
  std::map<std::string, std::string, std::less<>> refused;
  // Called before each call of a scope; what it returns lives as long as the call. Throws what tools may. May be empty.
  std::function<std::shared_ptr<void>(const CallContext&, ToolScope&)> before_call;
  // Called with each call's result as its client will get it, which it may still change. May be empty.
  std::function<void(ToolScope&, const ToolSpec&, const Json& arguments, ToolResult&)> after_call;
  std::vector<std::string> sets;  // that every scope has from its start

  // For the panel: the dialogs that are open in the scope's tabs, by the tab's id, {id, type, message, defaultPrompt}.
  // Never waits. May be empty.
  std::function<std::map<std::string, Json>(ToolScope&)> dialogs;
  // The same: releases the keys and mouse buttons that a person's input holds down in the scope's tabs [panel.input].
  // Waits a moment at most for each tab where something is down. Throws nothing. May be empty.
  std::function<void(ToolScope&)> release_input;
  // The same: what the scope's pages have downloaded and are downloading, [{id, name, url, bytes, state}]; and where
  // one of its whole files lies, "" for none.
  std::function<Json(const ToolScope&)> downloads;
  std::function<std::string(const ToolScope&, const std::string& id)> download_path;
  // The same: a tab to look at and to handle; null: there is none.
  std::function<std::shared_ptr<LiveTab>(ToolScope&, const std::string& tab_id)> live_tab;

  // The same: what who looks at the tab sees now, a JPEG; null when nobody looks. `tab_id` "": the current one. Never
  // waits.
  std::function<std::shared_ptr<const std::string>(ToolScope&, const std::string& tab_id)> picture;
  // Keeps a picture among the scope's files: where, or "" when that can't be. May be empty.
  std::function<std::string(ToolScope&, const std::string& name, const std::string& jpeg)> keep_picture;

  // A row for each browser that runs, for /status: {version, pid, uid, sandbox, words, remedy}, as far as it is known.
  // Never waits. May be empty.
  std::function<Json()> browsers;

 private:
  std::vector<ToolSpec> specs_;
  std::vector<ToolAlias> aliases_;
};

}  // namespace bridle
