#include "browser/tab/request_filter.h"

#include <spdlog/spdlog.h>

namespace bridle {

// Chromium asks for the proxy's credential only where it would hold the request back, so until it has it, it is all of
// them, whichever lists there are.
void RequestFilter::watch(const CdpSession& session) const { hold(session, rules_.empty() && !has_proxy()); }

void RequestFilter::watch_documents(const CdpSession& session) const { hold(session, true); }

void RequestFilter::hold(const CdpSession& session, bool documents_alone) const {
  Json pattern{{"urlPattern", "*"}};
  if (documents_alone) pattern["resourceType"] = "Document";
  session.post("Fetch.enable", {{"patterns", Json::array({std::move(pattern)})}, {"handleAuthRequests", has_proxy()}});
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
