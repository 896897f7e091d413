#include "browser/tab/request_filter.h"

#include <spdlog/spdlog.h>

namespace bridle {

void RequestFilter::watch(const CdpSession& session) const {
  session.post("Fetch.enable", {{"patterns", Json::array({{{"urlPattern", "*"}}})}});
}

std::optional<RequestFilter::Refused> RequestFilter::answer(const CdpSession& session, const Json& params,
                                                            const std::string& main_frame) const {
  const auto& request = params.at("request");
  const Json& request_id = params.at("requestId");
  const auto url = request.value("url", "");
  const auto why = rules_.reason(url);
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

}  // namespace bridle
