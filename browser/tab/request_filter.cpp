#include "browser/tab/request_filter.h"

#include <spdlog/spdlog.h>

namespace bridle {

// Chromium asks for the proxy's credential only where it would hold the request back, so until it has it, it is all of
// them, whichever lists there are.
void RequestFilter::watch(const CdpSession& session, const Json& routed) const {
  hold(session, rules_.empty() && !has_proxy() ? Held::documents : Held::all, routed);
}

void RequestFilter::leave_to_proxy(const CdpSession& session, const Json& routed) const {
  if (holds_forms_) return hold(session, Held::documents, routed);
  if (routed.empty()) return free_documents(session);
  hold(CdpSession(session.shared_connection(), ""), Held::documents);
  hold(session, Held::nothing, routed);
}

// A document's requests pass through an interceptor for as long as it lives if its session or the browser's held
// anything when it was committed, or when the session's Fetch was last set: even those that no pattern names, at half a
// millisecond each. Setting the browser's leaves the documents that are there alone. So for a moment nothing is held;
// what is held already stays so. In that moment a form would pass, which the proxy could not make up for.
void RequestFilter::free_documents(const CdpSession& session) const {
  if (holds_forms_) return;
  const CdpSession browser(session.shared_connection(), "");
  hold(browser, Held::nothing);
  hold(session, Held::nothing);
  hold(browser, Held::documents);
}

void RequestFilter::hold(const CdpSession& session, Held held, const Json& routed) const {
  Json patterns = held == Held::all ? Json::array() : routed;
  if (held != Held::nothing) patterns.push_back({{"urlPattern", "*"}});
  if (held == Held::documents) patterns.back()["resourceType"] = "Document";
  const bool challenges = held != Held::nothing && has_proxy();
  session.post("Fetch.enable", {{"patterns", std::move(patterns)}, {"handleAuthRequests", challenges}});
}

bool RequestFilter::posts_form(std::string_view method, const Json& params) {
  return method == "Fetch.requestPaused" && params.value("resourceType", "") == "Document" &&
         params.at("request").value("method", "") == "POST";
}

std::optional<RequestFilter::Refused> RequestFilter::answer(const CdpSession& session, std::string_view method,
                                                            const Json& params, const std::string& main_frame,
                                                            const std::string& objection, RouteTable* routes) const {
  if (method == "Fetch.authRequired") {
    answer_challenge(session, params);
    return std::nullopt;
  }
  const auto& request = params.at("request");
  const Json& request_id = params.at("requestId");
  const auto url = request.value("url", "");
  auto why = rules_.reason(url);
  if (why.empty()) why = objection;
  if (why.empty() && routes != nullptr && routes->serve(session, params)) return std::nullopt;
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
  if (has_proxy() && params.at("authChallenge").value("source", "") == "Proxy") {
    answer = {{"response", "ProvideCredentials"}, {"username", credential_.user}, {"password", credential_.password}};
  }
  session.post("Fetch.continueWithAuth",
               {{"requestId", params.at("requestId")}, {"authChallengeResponse", std::move(answer)}});
}

}  // namespace bridle
