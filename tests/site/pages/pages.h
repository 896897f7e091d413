// Every page and handler of the fixture site, by the file that holds it. routes.cpp gives them their paths.
//
// The constants are whole pages; in them {{origin}}, {{other}} and {{cross_site}} stand for the origins of the request.
#pragma once

#include <string>
#include <string_view>

#include "tests/site/response.h"

namespace bridle::site {

// The longest delay that a request can ask for.
inline constexpr int kMaxMs = 600'000;

// A small page around `body`, which is HTML; the title is text.
std::string make_page(std::string_view title, std::string_view body, std::string_view head = "");

// pages_basic.cpp
extern const char kIndex[];
extern const char kLong[];
extern const char kScrollLab[];
extern const char kUnicode[];
extern const char kTitleChange[];
extern const char kConsole[];
void plain(const Request& request, Response& response);
void elements(const Request& request, Response& response);
void large(const Request& request, Response& response);
void not_found(const Request& request, Response& response);

// pages_loading.cpp
void slow(const Request& request, Response& response);
void slow_body(const Request& request, Response& response);
void never(const Request& request, Response& response);
void never_body(const Request& request, Response& response);
void held(const Request& request, Response& response);
void drip(const Request& request, Response& response);
void sse(const Request& request, Response& response);
void image(const Request& request, Response& response);
void slow_image(const Request& request, Response& response);
void with_slow_image(const Request& request, Response& response);
extern const char kWithNeverImage[];
void download(const Request& request, Response& response);
void download_slow(const Request& request, Response& response);
void download_never(const Request& request, Response& response);

// pages_navigation.cpp
void redirect(const Request& request, Response& response);
void redirect_chain(const Request& request, Response& response);
void redirect_loop(const Request& request, Response& response);
void cross_redirect(const Request& request, Response& response);
void aba(const Request& request, Response& response);
void status(const Request& request, Response& response);
void status_empty(const Request& request, Response& response);
void no_content(const Request& request, Response& response);
void reset_content(const Request& request, Response& response);
void empty_500(const Request& request, Response& response);
void reset(const Request& request, Response& response);
void auth(const Request& request, Response& response);
void meta_refresh(const Request& request, Response& response);
void header_refresh(const Request& request, Response& response);
void js_redirect(const Request& request, Response& response);
extern const char kPushState[];
extern const char kHash[];

// pages_dialogs.cpp
extern const char kAlertOnLoad[];
extern const char kAlertOnClick[];
extern const char kConfirmOnClick[];
extern const char kPromptOnClick[];
extern const char kBeforeunload[];
extern const char kPrintOnClick[];
extern const char kPopup[];

// pages_frames.cpp
extern const char kIframes[];
extern const char kIframesCrossSite[];
extern const char kIframeNested[];
extern const char kIframeNever[];
extern const char kFrame[];
extern const char kShadow[];

// pages_forms.cpp
extern const char kForm[];
void submit(const Request& request, Response& response);
void login(const Request& request, Response& response);
void account(const Request& request, Response& response);
void set_cookie(const Request& request, Response& response);
void cookies(const Request& request, Response& response);
extern const char kStorage[];

// pages_input.cpp
extern const char kClickLab[];
extern const char kKeys[];
extern const char kTyping[];
extern const char kBusyForever[];
extern const char kDrag[];
extern const char kHover[];
void busy(const Request& request, Response& response);

// pages_hostile.cpp
extern const char kSurrogate[];
extern const char kOverrides[];
void csp(const Request& request, Response& response);
void csp_sandbox(const Request& request, Response& response);

// pages_api.cpp
extern const char kFetchLab[];
void api_json(const Request& request, Response& response);
void api_slow(const Request& request, Response& response);
void api_echo(const Request& request, Response& response);
void api_status(const Request& request, Response& response);
void api_items(const Request& request, Response& response);

// pages_apps.cpp
extern const char kSpa[];
extern const char kConsent[];
extern const char kTodo[];
extern const char kShop[];

}  // namespace bridle::site
