#include "browser/storage/storage_state.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "browser/chromium/browser.h"
#include "browser/storage/hidden_pages.h"
#include "browser/storage/storage_script.h"

namespace bridle {
namespace {

constexpr const char* kErased = "local_storage,indexeddb,service_workers,cache_storage";
constexpr std::size_t kFrames = 25;  // of one hidden page, beside its own document

// A state's part that can't come to differ from what the browser made of it.
bool is_plain(const Json& stored) {
  const Json& items = stored.at("localStorage");
  std::set<std::string_view> names;
  for (const Json& item : items) names.insert(item.at("name").get_ref<const std::string&>());
  return stored.at("indexedDB").empty() && names.size() == items.size();
}

// Where all sessions share the profile, what the others have opened is part of it.
std::vector<std::string> origins_seen(const Browser& browser, const BrowserContext& context) {
  return context.named_by_events() ? browser.seen_origins().of(context.id()) : browser.seen_origins().of_all();
}

std::vector<Json> cookies_of(const CallContext& ctx, Browser& browser, const BrowserContext& context) {
  const Json reply = browser.connection().call(ctx, "", "Storage.getCookies", context.address(Json::object()));
  std::vector<Json> cookies;
  for (const Json& cookie : reply.value("cookies", Json::array())) {
    Json kept;
    for (const char* name : {"name", "value", "domain", "path", "expires", "httpOnly", "secure"})
      kept[name] = cookie.at(name);
    kept["sameSite"] = cookie.value("sameSite", "Lax");
    if (cookie.contains("partitionKey")) {
      kept["partitionKey"] = cookie["partitionKey"].value("topLevelSite", "");
      kept["_crHasCrossSiteAncestor"] = cookie["partitionKey"].value("hasCrossSiteAncestor", false);
    }
    cookies.push_back(std::move(kept));
  }
  return cookies;
}

// As Storage.setCookies takes it.
Json cookie_param(const Json& cookie) {
  Json param;
  for (const char* name : {"name", "value", "url", "domain", "path", "httpOnly", "secure", "sameSite"}) {
    if (cookie.contains(name) && !cookie[name].is_null()) param[name] = cookie[name];
  }
  if (cookie.contains("expires") && cookie["expires"].is_number() && cookie["expires"] >= 0)
    param["expires"] = cookie["expires"];
  if (cookie.contains("partitionKey") && cookie["partitionKey"].is_string()) {
    param["partitionKey"] = {{"topLevelSite", cookie["partitionKey"]},
                             {"hasCrossSiteAncestor", cookie.value("_crHasCrossSiteAncestor", true)}};
  }
  return param;
}

void set_cookies(const CallContext& ctx, Browser& browser, const BrowserContext& context,
                 const std::vector<Json>& cookies) {
  if (cookies.empty()) return;
  Json params = Json::array();
  for (const Json& cookie : cookies) params.push_back(cookie_param(cookie));
  browser.connection().call(ctx, "", "Storage.setCookies", context.address({{"cookies", std::move(params)}}));
}

HiddenPages pages_of(Browser& browser, const BrowserContext& context) {
  return HiddenPages(browser.shared_connection(), context.address(Json::object()));
}

// "http://127.0.0.1" of http://127.0.0.1:8080: documents of one host have one process, and frames of one another's
// storage is their own.
std::string host_part(const std::string& origin) {
  const auto colon = origin.rfind(':');
  return colon > origin.find("://") && !origin.ends_with(']') ? origin.substr(0, colon) : origin;
}

// One visit for each host, with its origins as frames.
std::vector<HiddenPages::Visit> collecting_visits(const std::vector<std::string>& origins) {
  std::map<std::string, std::vector<std::string>> by_host;
  for (const auto& origin : origins) by_host[host_part(origin)].push_back(origin);
  const auto collecting = std::make_shared<const std::string>(collecting_html());
  std::vector<HiddenPages::Visit> visits;
  for (const auto& [host, all] : by_host) {
    for (std::size_t at = 0; at < all.size(); at += kFrames + 1) {
      const auto end = std::min(at + kFrames + 1, all.size());
      HiddenPages::Visit visit{.url = all[at] + "/", .html = {}, .texts = end - at};
      std::string top = *collecting;
      for (std::size_t i = at + 1; i < end; ++i) {
        top += "<iframe src=\"" + all[i] + "/\"></iframe>";
        visit.html.emplace(all[i] + "/", collecting);
      }
      visit.html.emplace(visit.url, std::make_shared<const std::string>(std::move(top)));
      visits.push_back(std::move(visit));
    }
  }
  return visits;
}

}  // namespace

SavedState save_storage_state(const CallContext& ctx, Browser& browser, const BrowserContext& context) {
  SavedState saved;
  saved.incomplete = browser.seen_origins().overflowed();
  saved.state.cookies = cookies_of(ctx, browser, context);
  std::size_t bytes = 0;
  const auto add_bytes = [&](std::size_t more) {
    bytes += more;
    if (bytes > limits::kStorageState)
      throw StorageStateError(fmt::format("the origins have stored more than {} bytes: too much for one file",
                                          std::size_t{limits::kStorageState}));
  };
  std::vector<std::string> origins;
  for (auto& origin : origins_seen(browser, context)) {
    const auto known = browser.seen_origins().stored(context.id(), origin);
    if (known == nullptr) {
      origins.push_back(std::move(origin));
      continue;
    }
    add_bytes(dump(*known).size());
    if (!known->at("localStorage").empty()) saved.state.origins[origin] = *known;
  }
  std::set<std::string> silent(origins.begin(), origins.end());
  auto pages = pages_of(browser, context);
  pages.visit_all(
      ctx, collecting_visits(origins),
      [&](const std::string& text) {
        Json told = parse_json(text);
        if (!told.is_object()) return;
        const auto origin = told.value("origin", "");
        if (silent.erase(origin) == 0) return;
        if (told.contains("error")) {
          saved.unreadable.push_back(origin + ": " + told.value("error", ""));
          return;
        }
        add_bytes(text.size());
        saved.lossy += told.value("lossy", 0);
        if (told["localStorage"].empty() && told["indexedDB"].empty()) return;
        saved.state.origins[origin] = {{"localStorage", std::move(told["localStorage"])},
                                       {"indexedDB", std::move(told["indexedDB"])}};
      },
      [](const HiddenPages::Visit&, const std::string&) {});
  for (const auto& origin : silent) saved.unreadable.push_back(origin + ": the browser opened no document there");
  return saved;
}

std::vector<std::string> load_storage_state(const CallContext& ctx, Browser& browser, const BrowserContext& context,
                                            const StorageState& state,
                                            const std::function<void(const std::string& words)>& done) {
  const auto before = cookies_of(ctx, browser, context);
  const auto put_back = [&] {
    try {
      set_cookies(ctx.shielded(limits::kCleanup), browser, context, before);
    } catch (const std::exception& error) {
      spdlog::warn("the cookies of before could not be put back: {}", error.what());
    }
  };
  ctx.signal.throw_if_aborted();
  try {
    browser.connection().call(ctx, "", "Storage.clearCookies", context.address(Json::object()));
    set_cookies(ctx, browser, context, state.cookies);
  } catch (const CdpError& error) {
    put_back();
    throw StorageStateError("the browser refused its cookies: " + error.message());
  } catch (...) {
    put_back();
    throw;
  }
  done(fmt::format("replaced {} cookies by {}", before.size(), state.cookies.size()));

  auto pages = pages_of(browser, context);
  std::vector<HiddenPages::Visit> visits;
  std::set<std::string> all;
  for (const auto& origin : origins_seen(browser, context)) all.insert(origin);
  for (const auto& [origin, stored] : state.origins) {
    all.insert(origin);
    const std::string url = origin + "/";
    visits.push_back(
        {.url = url, .html = {{url, std::make_shared<const std::string>(restoring_html(stored))}}, .texts = 1});
  }
  // Of a profile that all sessions share, others may change what is stored, and so may a person.
  const auto know = [&](const std::string& origin, const Json& stored) {
    if (context.named_by_events())
      browser.seen_origins().end_restoring(context.id(), origin, std::make_shared<const Json>(stored));
  };
  for (const auto& origin : all) {
    browser.seen_origins().begin_restoring(context.id(), origin);
    pages.call(ctx, "Storage.clearDataForOrigin", {{"origin", origin}, {"storageTypes", kErased}});
    if (!state.origins.contains(origin)) know(origin, {{"localStorage", Json::array()}, {"indexedDB", Json::array()}});
  }
  if (!all.empty()) done(fmt::format("cleared the storage of {} origins", all.size()));
  std::vector<std::string> refused;
  std::size_t restored = 0;
  std::size_t room = limits::kStorageKept;
  pages.visit_all(
      ctx, visits,
      [&](const std::string& text) {
        const Json told = parse_json(text);
        const auto origin = told.is_object() ? told.value("origin", "") : "";
        if (!state.origins.contains(origin)) return;
        if (told.contains("error")) {
          refused.push_back(origin + ": " + told.value("error", ""));
          return;
        }
        ++restored;
        const auto& stored = state.origins.at(origin);
        room -= std::min(room, dump(stored).size());
        if (room > 0 && is_plain(stored)) know(origin, stored);
      },
      [&](const HiddenPages::Visit& visit, const std::string& why) { refused.push_back(visit.url + ": " + why); });
  if (restored > 0) done(fmt::format("stored what {} origins had", restored));
  return refused;
}

}  // namespace bridle
