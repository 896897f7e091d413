#include "browser/page/world/questions.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "browser/page/world/world.h"

namespace bridle {
namespace {

constexpr Millis kAllAnswers{1000};  // of all questions together
constexpr const char* kGroup = "bridle-questions";

std::string session_of(const Tab& tab, const std::string& frame_id) {
  const auto frame = tab.frame(frame_id);
  return frame ? frame->session : std::string();
}

// An array of the page script's, which it has made for the browser to look at. Let go of at the end, with all its
// elements.
class ElementList {
 public:
  ElementList(const CallContext& ctx, Tab& tab, std::string session, std::string array)
      : tab_(tab), session_(std::move(session)), array_(std::move(array)) {
    const Json reply = tab.call(ctx, "Runtime.getProperties", {{"objectId", array_}, {"ownProperties", true}},
                                limits::kCdpCommand, session_);
    for (const auto& property : reply.at("result")) {
      const auto value = property.find("value");
      if (value == property.end()) continue;
      if (value->value("subtype", "") == "node") elements_.push_back(value->value("objectId", ""));
      if (property.value("name", "") == "roles") roles_ = value->value("value", std::size_t{0});
    }
  }
  ~ElementList() {
    for (const auto& element : elements_) tab_.post("Runtime.releaseObject", {{"objectId", element}}, session_);
    tab_.post("Runtime.releaseObject", {{"objectId", array_}}, session_);
  }
  ElementList(const ElementList&) = delete;
  ElementList& operator=(const ElementList&) = delete;

  const std::vector<std::string>& all() const { return elements_; }
  // Those at its beginning whose roles are asked for, and the rest.
  std::vector<std::string> for_roles() const { return {elements_.begin(), middle()}; }
  std::vector<std::string> for_listeners() const { return {middle(), elements_.end()}; }

 private:
  std::vector<std::string>::const_iterator middle() const {
    return elements_.begin() + static_cast<std::ptrdiff_t>(std::min(roles_, elements_.size()));
  }

  Tab& tab_;
  const std::string session_;
  const std::string array_;
  std::vector<std::string> elements_;
  std::size_t roles_ = 0;
};

// The states of an accessibility node in the words of a snapshot: " [selected] [expanded]".
std::string states_in(const Json& node) {
  static constexpr std::array kStates{"checked",  "disabled", "expanded", "pressed",
                                      "selected", "invalid",  "required", "readonly"};
  std::string states;
  const auto properties = node.find("properties");
  if (properties == node.end()) return states;
  for (const auto* name : kStates) {
    for (const auto& property : *properties) {
      if (property.value("name", "") != name) continue;
      const auto& value = property.at("value").value("value", Json());
      if (value == "mixed")
        states += std::string(" [") + name + "=mixed]";
      else if (value == true || value == "true")
        states += std::string(" [") + name + "]";
    }
  }
  return states;
}

// { role, name, states } of an element's accessibility node; null where it has no role that says anything. Chromium's
// own roles, of elements that have none in ARIA, begin with a capital.
Json role_in(const Json& tree) {
  const auto nodes = tree.find("nodes");
  if (nodes == tree.end() || nodes->empty()) return nullptr;
  const auto& node = nodes->front();
  const auto text = [&](const char* field) {
    const auto found = node.find(field);
    return found == node.end() ? std::string() : string_field(*found, "value");
  };
  const auto role = text("role");
  const bool says = !role.empty() && role != "generic" && role != "none" && role != "presentation" &&
                    std::all_of(role.begin(), role.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (node.value("ignored", false) || !says) return nullptr;
  return {{"role", role}, {"name", text("name")}, {"states", states_in(node)}};
}

using EventTypes = std::span<const std::string_view>;
constexpr std::array<std::string_view, 7> kPresses{"click",     "dblclick",    "mousedown", "mouseup",
                                                   "pointerup", "pointerdown", "touchstart"};
constexpr std::array<std::string_view, 2> kWheels{"wheel", "mousewheel"};

// Whether one of the listeners is for events of these types.
bool listens_in(const Json& reply, EventTypes types) {
  const auto listeners = reply.find("listeners");
  if (listeners == reply.end()) return false;
  return std::any_of(listeners->begin(), listeners->end(), [&](const Json& listener) {
    return std::find(types.begin(), types.end(), listener.value("type", "")) != types.end();
  });
}

// Puts questions to the browser, all at once. Of one that it refuses the answer is an empty object.
class Questions {
 public:
  Questions(const CallContext& ctx, Tab& tab, std::string session)
      : ctx_(ctx.within(kAllAnswers)), tab_(tab), session_(std::move(session)) {}

  std::vector<Json> ask(std::string_view method, const std::vector<Json>& all_params) const {
    std::vector<PendingReply> replies;
    replies.reserve(all_params.size());
    for (const auto& params : all_params) replies.push_back(tab_.send(method, params, session_));
    tab_.wait(ctx_, [&] {
      return tab_.state().interrupted() ||
             std::all_of(replies.begin(), replies.end(), [](const auto& reply) { return reply.has_come(); });
    });
    tab_.throw_if_gone();
    std::vector<Json> answers;
    answers.reserve(replies.size());
    for (auto& reply : replies) {
      const auto come = reply.take();
      answers.push_back(come && come->kind == CdpReply::Kind::result ? result_of(come->message) : Json::object());
    }
    return answers;
  }

 private:
  const CallContext ctx_;
  Tab& tab_;
  const std::string session_;
};

// { objectId } of each, and what else is asked for of all.
std::vector<Json> params_of(const std::vector<std::string>& objects, const Json& more = Json::object()) {
  std::vector<Json> params(objects.size(), more);
  for (std::size_t i = 0; i < objects.size(); ++i) params[i]["objectId"] = objects[i];
  return params;
}

Json roles_of(const Questions& questions, const std::vector<std::string>& elements) {
  Json roles = Json::array();
  const auto trees = questions.ask("Accessibility.getPartialAXTree", params_of(elements, {{"fetchRelatives", false}}));
  for (const auto& tree : trees) roles.push_back(role_in(tree));
  return roles;
}

// The browser tells the listeners of the world that an object belongs to: of the page's own, by an object of that.
Json listeners_of(const Questions& questions, const std::vector<std::string>& elements, EventTypes types,
                  int main_context) {
  std::vector<Json> params;
  params.reserve(elements.size());
  for (const auto& node : questions.ask("DOM.describeNode", params_of(elements))) {
    params.push_back({{"backendNodeId", node.value("/node/backendNodeId"_json_pointer, 0)},
                      {"executionContextId", main_context},
                      {"objectGroup", kGroup}});
  }
  std::vector<std::string> objects;
  objects.reserve(elements.size());
  for (const auto& object : questions.ask("DOM.resolveNode", params))
    objects.push_back(object.value("/object/objectId"_json_pointer, std::string()));
  Json listeners = Json::array();
  for (const auto& reply : questions.ask("DOMDebugger.getEventListeners", params_of(objects)))
    listeners.push_back(listens_in(reply, types));
  return listeners;
}

bool any_true(const Json& answers) {
  return std::any_of(answers.begin(), answers.end(), [](const Json& answer) { return answer == true; });
}

bool listens_around(const CallContext& ctx, Tab& tab, const std::string& frame_id, const page::ElementsAround& function,
                    EventTypes types) {
  const auto array = page_handle(ctx, tab, frame_id, page_expression(function));
  if (array.empty()) return false;
  const auto frame = tab.frame(frame_id);
  const auto session = frame ? frame->session : std::string();
  const ElementList elements(ctx, tab, session, array);
  const auto answers =
      listeners_of(Questions(ctx, tab, session), elements.all(), types, frame ? frame->main_context_id : 0);
  tab.post("Runtime.releaseObjectGroup", {{"objectGroup", kGroup}}, session);
  return any_true(answers);
}

// Of the page's own objects that the expressions name.
bool document_listens(const CallContext& ctx, Tab& tab, const std::string& frame_id,
                      std::initializer_list<const char*> expressions, EventTypes types) {
  const auto frame = tab.frame(frame_id);
  if (!frame || frame->main_world.empty()) return false;
  const Questions questions(ctx, tab, frame->session);
  std::vector<Json> params;
  for (const auto* expression : expressions)
    params.push_back({{"expression", expression}, {"uniqueContextId", frame->main_world}, {"objectGroup", kGroup}});
  std::vector<std::string> objects;
  for (const auto& reply : questions.ask("Runtime.evaluate", params))
    objects.push_back(reply.value("/result/objectId"_json_pointer, std::string()));
  const auto replies = questions.ask("DOMDebugger.getEventListeners", params_of(objects));
  tab.post("Runtime.releaseObjectGroup", {{"objectGroup", kGroup}}, frame->session);
  return std::any_of(replies.begin(), replies.end(), [&](const Json& reply) { return listens_in(reply, types); });
}

// The closed roots of a host, as DOM.describeNode tells of it.
std::vector<Json> closed_roots_in(const Json& host) {
  std::vector<Json> roots;
  for (const auto& root : host.value("/node/shadowRoots"_json_pointer, Json::array())) {
    if (root.value("shadowRootType", "") == "closed") roots.push_back(root.at("backendNodeId"));
  }
  return roots;
}

}  // namespace

bool register_closed_roots(const CallContext& ctx, Tab& tab, const std::string& frame_id) {
  const auto array = page_handle(ctx, tab, frame_id, page_expression(page::TakeClosedHosts{}));
  if (array.empty()) return false;
  const auto session = session_of(tab, frame_id);
  const ElementList hosts(ctx, tab, session, array);
  const auto described = Questions(ctx, tab, session).ask("DOM.describeNode", params_of(hosts.all()));
  bool registered = false;
  for (std::size_t i = 0; i < described.size(); ++i) {
    for (const auto& root : closed_roots_in(described[i])) {
      try {
        const auto object = node_in_world(ctx, tab, frame_id, root);
        call_on_element(ctx, tab, frame_id, hosts.all()[i], page::RegisterClosedRoot::kName,
                        Json::array({{{"objectId", object}}}));
        release_object(tab, frame_id, object);
        registered = true;
      } catch (const CdpError&) {
        // The host is gone meanwhile.
      }
    }
  }
  return registered;
}

bool answer_questions(const CallContext& ctx, Tab& tab, const std::string& frame_id) {
  const auto array = page_handle(ctx, tab, frame_id, page_expression(page::TakeQuestions{}));
  if (array.empty()) return false;
  const auto frame = tab.frame(frame_id);
  const auto session = frame ? frame->session : std::string();
  const ElementList elements(ctx, tab, session, array);
  const Questions questions(ctx, tab, session);
  Json roles = roles_of(questions, elements.for_roles());
  Json listeners = listeners_of(questions, elements.for_listeners(), kPresses, frame ? frame->main_context_id : 0);
  tab.post("Runtime.releaseObjectGroup", {{"objectGroup", kGroup}}, session);
  const bool is_news =
      std::any_of(roles.begin(), roles.end(), [](const Json& role) { return !role.is_null(); }) || any_true(listeners);
  const Json answers{{"roles", std::move(roles)}, {"listeners", std::move(listeners)}};
  call_on_element(ctx, tab, frame_id, array, page::AnswerQuestions::kName, Json::array({{{"value", answers}}}));
  return is_news;
}

bool listens_to_wheel(const CallContext& ctx, Tab& tab, const std::string& frame_id, const std::string& target) {
  return listens_around(ctx, tab, frame_id, page::ElementsAround{.target = target}, kWheels);
}

bool page_listens_to_wheel(const CallContext& ctx, Tab& tab, const std::string& frame_id) {
  return document_listens(ctx, tab, frame_id, {"window", "document", "document.documentElement", "document.body"},
                          kWheels) ||
         listens_around(ctx, tab, frame_id, page::ElementsAround{}, kWheels);
}

std::optional<PendingReply> ask_release_listeners(Tab& tab, const std::string& frame_id) {
  const auto frame = tab.frame(frame_id);
  if (!frame || frame->main_world.empty()) return std::nullopt;
  // In one message, where the browser's command line is at hand.
  constexpr auto kCount =
      "(() => { let n = 0; for (const at of [window, document]) { const all = getEventListeners(at); "
      "n += (all.pointerup?.length ?? 0) + (all.mouseup?.length ?? 0); } return n; })()";
  const Json params{{"expression", kCount},
                    {"uniqueContextId", frame->main_world},
                    {"includeCommandLineAPI", true},
                    {"returnByValue", true},
                    {"silent", true}};
  return tab.send("Runtime.evaluate", params, frame->session);
}

int release_listeners_of(const std::optional<CdpReply>& reply) {
  if (!reply || reply->kind != CdpReply::Kind::result) return 0;
  const Json answer = result_of(reply->message);
  const auto count = "/result/value"_json_pointer;
  return answer.contains(count) && answer[count].is_number() ? answer[count].get<int>() : 0;
}

}  // namespace bridle
