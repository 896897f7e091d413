#include "browser/tab/request_filter.h"

#include <spdlog/spdlog.h>

namespace bridle {
namespace {

// What the browser is to hold back, in its notation: all requests where only some origins are allowed, else those to
// blocked ones. A blocked origin of this machine has many names, and which of them are meant is judged by answer().
Json patterns_of(const OriginRules& rules, bool holds_forms) {
  auto patterns = Json::array();
  const auto add = [&](const std::string& pattern) { patterns.push_back({{"urlPattern", pattern}}); };
  if (rules.has_allowed()) {
    add("*");
    return patterns;
  }
  for (const auto& origin : rules.blocked()) {
    for (const auto& name : OriginRules::names_of(origin)) add(name + "/*");
  }
  if (holds_forms) patterns.push_back({{"urlPattern", "*"}, {"resourceType", "Document"}});
  // No request has this scheme, but without any pattern Chromium doesn't ask for the proxy's credential.
  if (patterns.empty()) add("bridle-none:*");
  return patterns;
}

}  // namespace

RequestFilter::RequestFilter(OriginRules rules, ProxyCredential credential, bool holds_forms)
    : rules_(std::move(rules)), credential_(std::move(credential)), patterns_(patterns_of(rules_, holds_forms)) {}

void RequestFilter::watch(const CdpSession& session) const {
  session.post("Fetch.enable", {{"patterns", patterns_}, {"handleAuthRequests", !credential_.empty()}});
}

bool RequestFilter::posts_form(std::string_view method, const Json& params) {
  return method == "Fetch.requestPaused" && params.value("resourceType", "") == "Document" &&
         params.at("request").value("method", "") == "POST";
}

std::optional<RequestFilter::Refused> RequestFilter::answer(const CdpSession& session, std::string_view method,
                                                            const Json& params, const std::string& main_frame,
                                                            const std::string& objection) const {
  if (method == "Fetch.authRequired") {
    answer_challenge(session, params);
    return std::nullopt;
  }
  const auto& request = params.at("request");
  const Json& request_id = params.at("requestId");
  const auto url = request.value("url", "");
  auto why = rules_.reason(url);
  if (why.empty()) why = objection;
  if (why.empty()) {
    session.post("Fetch.continueRequest", {{"requestId", request_id}});
    return std::nullopt;
  }
  Refused refused{url, why, params.value("frameId", ""), params.value("resourceType", "") == "Document",
                  params.value("networkId", "")};
  const bool page = refused.document && refused.frame_id == main_frame;
  session.post("Fetch.failRequest", {{"requestId", request_id}, {"errorReason", page ? "Aborted" : "BlockedByClient"}});
  spdlog::debug("a request was blocked: {}", why);
  return refused;
}

// Only our own proxy is told: a user's proxy behind it has its credential from there, and a site's question stays
// unanswered, as without a filter.
void RequestFilter::answer_challenge(const CdpSession& session, const Json& params) const {
  Json answer{{"response", "Default"}};
  if (params.at("authChallenge").value("source", "") == "Proxy") {
    answer = {{"response", "ProvideCredentials"}, {"username", credential_.user}, {"password", credential_.password}};
  }
  session.post("Fetch.continueWithAuth",
               {{"requestId", params.at("requestId")}, {"authChallengeResponse", std::move(answer)}});
}

}  // namespace bridle
