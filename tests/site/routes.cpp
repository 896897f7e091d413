#include "tests/site/routes.h"

#include <algorithm>
#include <string>

#include "tests/site/pages/pages.h"

namespace bridle::site {
namespace {

struct Route {
  std::string_view path;  // one that ends in '/' stands for all below it, but "/" for itself alone
  void (*handler)(const Request&, Response&) = nullptr;
  const char* page = nullptr;
};

constexpr Route page_at(std::string_view path, const char* page) { return {path, nullptr, page}; }

const Route kRoutes[] = {
    page_at("/", kIndex),
    {"/plain", plain},
    {"/elements", elements},
    {"/large", large},
    page_at("/long", kLong),
    page_at("/scroll-lab", kScrollLab),
    page_at("/unicode", kUnicode),
    page_at("/title-change", kTitleChange),
    page_at("/console", kConsole),
    {"/favicon.ico", no_content},

    {"/slow", slow},
    {"/slow-body", slow_body},
    {"/never", never},
    {"/never-body", never_body},
    {"/held", held},
    {"/drip", drip},
    {"/sse", sse},
    {"/image.png", image},
    {"/slow-image", slow_image},
    {"/never-image", never},
    {"/with-slow-image", with_slow_image},
    page_at("/with-never-image", kWithNeverImage),
    {"/download", download},
    {"/download-slow", download_slow},
    {"/download-never", download_never},

    {"/redirect", redirect},
    {"/redirect-chain", redirect_chain},
    {"/redirect-loop", redirect_loop},
    {"/cross-redirect", cross_redirect},
    {"/aba", aba},
    {"/status/", status},
    {"/status-empty/", status_empty},
    {"/no-content", no_content},
    {"/reset-content", reset_content},
    {"/empty-500", empty_500},
    {"/reset", reset},
    {"/auth", auth},
    {"/meta-refresh", meta_refresh},
    {"/header-refresh", header_refresh},
    {"/js-redirect", js_redirect},
    page_at("/push-state", kPushState),
    page_at("/push-state/", kPushState),  // what it pushes can be reloaded
    page_at("/hash", kHash),

    page_at("/alert-on-load", kAlertOnLoad),
    page_at("/alert-on-click", kAlertOnClick),
    page_at("/confirm-on-click", kConfirmOnClick),
    page_at("/prompt-on-click", kPromptOnClick),
    page_at("/beforeunload", kBeforeunload),
    page_at("/print-on-click", kPrintOnClick),
    page_at("/popup", kPopup),

    page_at("/iframes", kIframes),
    page_at("/iframes-cross-site", kIframesCrossSite),
    page_at("/iframe-nested", kIframeNested),
    page_at("/iframe-never", kIframeNever),
    {"/never-frame", never},
    page_at("/frame", kFrame),
    page_at("/shadow", kShadow),

    page_at("/form", kForm),
    {"/submit", submit},
    {"/login", login},
    {"/account", account},
    {"/set-cookie", set_cookie},
    {"/cookies", cookies},
    page_at("/storage", kStorage),

    page_at("/click-lab", kClickLab),
    page_at("/keys", kKeys),
    page_at("/typing", kTyping),
    {"/busy", busy},
    page_at("/busy-forever", kBusyForever),
    page_at("/drag", kDrag),
    page_at("/hover", kHover),

    page_at("/surrogate", kSurrogate),
    page_at("/overrides", kOverrides),
    {"/csp", csp},
    {"/csp-sandbox", csp_sandbox},

    page_at("/fetch-lab", kFetchLab),
    {"/api/json", api_json},
    {"/api/slow", api_slow},
    {"/api/echo", api_echo},
    {"/api/never", never},
    {"/api/status/", api_status},
    {"/api/items", api_items},

    page_at("/spa", kSpa),
    page_at("/spa/", kSpa),
    page_at("/consent", kConsent),
    page_at("/todo", kTodo),
    page_at("/shop", kShop),
};

bool covers(const Route& route, std::string_view path) {
  if (route.path == path) return true;
  return route.path.size() > 1 && route.path.ends_with('/') && path.starts_with(route.path);
}

void send_page(const char* page, const Request& request, Response& response) {
  std::string text = replace_all(page, "{{origin}}", request.origin);
  text = replace_all(std::move(text), "{{other}}", request.other_origin);
  response.html(replace_all(std::move(text), "{{cross_site}}", request.cross_site));
}

}  // namespace

Handler find_route(std::string_view path) {
  const auto* const route = std::ranges::find_if(kRoutes, [&](const Route& each) { return covers(each, path); });
  if (route == std::ranges::end(kRoutes)) return not_found;
  if (route->page == nullptr) return route->handler;
  return [page = route->page](const Request& request, Response& response) { send_page(page, request, response); };
}

}  // namespace bridle::site
