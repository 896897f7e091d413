#include "browser/page/world/questions.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "browser/page/world/world.h"

namespace bridle {
namespace {

constexpr Millis kAnswers{1000};  // of all questions together
constexpr const char* kGroup = "bridle-questions";

std::string session_of(const Tab& tab, const std::string& frame_id) {
  const auto frame = tab.frame(frame_id);
  return frame ? frame->session : std::string();
}

// The elements of an array of the page script's, as object ids.
std::vector<std::string> elements_of(const CallContext& ctx, Tab& tab, const std::string& session,
                                     const std::string& array) {
  const Json properties = tab.call(ctx, "Runtime.getProperties", {{"objectId", array}, {"ownProperties", true}},
                                   limits::kCdpCommand, session);
  std::vector<std::string> elements;
  for (const auto& property : properties.at("result")) {
    const auto value = property.find("value");
    if (value == property.end() || value->value("subtype", "") != "node") continue;
    elements.push_back(value->value("objectId", ""));
  }
  return elements;
}

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

// Whether one of the listeners is for a press or a click.
bool listens_in(const Json& reply) {
  static constexpr std::array<std::string_view, 7> kPresses{"click",     "dblclick",    "mousedown", "mouseup",
                                                            "pointerup", "pointerdown", "touchstart"};
  const auto listeners = reply.find("listeners");
  if (listeners == reply.end()) return false;
  return std::any_of(listeners->begin(), listeners->end(), [](const Json& listener) {
    return std::find(kPresses.begin(), kPresses.end(), listener.value("type", "")) != kPresses.end();
  });
}

// Puts questions to the browser, all at once. Of one that it refuses the answer is an empty object.
class Questions {
 public:
  Questions(const CallContext& ctx, Tab& tab, std::string session)
      : ctx_(ctx.within(kAnswers)), tab_(tab), session_(std::move(session)) {}

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

Json roles_of(const Questions& questions, const std::vector<std::string>& elements) {
  std::vector<Json> params;
  params.reserve(elements.size());
  for (const auto& element : elements) params.push_back({{"objectId", element}, {"fetchRelatives", false}});
  Json roles = Json::array();
  for (const auto& tree : questions.ask("Accessibility.getPartialAXTree", params)) roles.push_back(role_in(tree));
  return roles;
}

// The browser tells the listeners of the world that an object belongs to: of the page's own, by an object of that.
Json listeners_of(const Questions& questions, const std::vector<std::string>& elements, int main_context) {
  std::vector<Json> params;
  params.reserve(elements.size());
  for (const auto& element : elements) params.push_back({{"objectId", element}});
  const auto nodes = questions.ask("DOM.describeNode", params);
  params.clear();
  for (const auto& node : nodes) {
    params.push_back({{"backendNodeId", node.value("/node/backendNodeId"_json_pointer, 0)},
                      {"executionContextId", main_context},
                      {"objectGroup", kGroup}});
  }
  const auto objects = questions.ask("DOM.resolveNode", params);
  params.clear();
  for (const auto& object : objects)
    params.push_back({{"objectId", object.value("/object/objectId"_json_pointer, std::string())}});
  Json listeners = Json::array();
  for (const auto& reply : questions.ask("DOMDebugger.getEventListeners", params))
    listeners.push_back(listens_in(reply));
  return listeners;
}

}  // namespace

bool register_closed_roots(const CallContext& ctx, Tab& tab, const std::string& frame_id) {
  const auto hosts = page_handle(ctx, tab, frame_id, page_expression(page::TakeClosedHosts{}));
  if (hosts.empty()) return false;
  const auto session = session_of(tab, frame_id);
  const auto call = [&](std::string_view method, const Json& params) {
    return tab.call(ctx, method, params, limits::kCdpCommand, session);
  };
  bool registered = false;
  const Json properties = call("Runtime.getProperties", {{"objectId", hosts}, {"ownProperties", true}});
  for (const auto& property : properties.at("result")) {
    const auto value = property.find("value");
    if (value == property.end() || value->value("subtype", "") != "node") continue;
    const auto host = value->value("objectId", "");
    try {
      const Json node = call("DOM.describeNode", {{"objectId", host}});
      const auto roots = node.at("node").find("shadowRoots");
      if (roots != node.at("node").end()) {
        for (const auto& root : *roots) {
          if (root.value("shadowRootType", "") != "closed") continue;
          const auto object = node_in_world(ctx, tab, frame_id, root.at("backendNodeId"));
          call_on_element(ctx, tab, frame_id, host, page::RegisterClosedRoot::kName,
                          Json::array({{{"objectId", object}}}));
          release_object(tab, frame_id, object);
          registered = true;
        }
      }
    } catch (const CdpError&) {
      // The host is gone meanwhile.
    }
    release_object(tab, frame_id, host);
  }
  release_object(tab, frame_id, hosts);
  return registered;
}

bool answer_questions(const CallContext& ctx, Tab& tab, const std::string& frame_id, std::size_t role_questions) {
  const auto list = page_handle(ctx, tab, frame_id, page_expression(page::TakeQuestions{}));
  if (list.empty()) return false;
  const auto frame = tab.frame(frame_id);
  const auto session = frame ? frame->session : std::string();
  const auto elements = elements_of(ctx, tab, session, list);
  const auto middle = elements.begin() + static_cast<std::ptrdiff_t>(std::min(role_questions, elements.size()));
  const Questions questions(ctx, tab, session);
  Json roles = roles_of(questions, {elements.begin(), middle});
  Json listeners = listeners_of(questions, {middle, elements.end()}, frame ? frame->main_context_id : 0);
  tab.post("Runtime.releaseObjectGroup", {{"objectGroup", kGroup}}, session);
  const bool is_news = std::any_of(roles.begin(), roles.end(), [](const Json& role) { return !role.is_null(); }) ||
                       std::any_of(listeners.begin(), listeners.end(), [](const Json& any) { return any == true; });
  const Json answers{{"roles", std::move(roles)}, {"listeners", std::move(listeners)}};
  call_on_element(ctx, tab, frame_id, list, page::AnswerQuestions::kName, Json::array({{{"value", answers}}}));
  for (const auto& element : elements) release_object(tab, frame_id, element);
  release_object(tab, frame_id, list);
  return is_news;
}

}  // namespace bridle
