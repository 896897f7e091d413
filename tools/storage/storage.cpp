#include "tools/storage/storage.h"

#include <spdlog/fmt/fmt.h>

#include <string>
#include <utility>
#include <vector>

#include "base/text/secrets.h"
#include "base/text/text.h"
#include "config/network/origin_rules.h"
#include "tools/contract/schema.h"
#include "tools/scope/line_list.h"
#include "tools/scope/page_tool.h"

namespace bridle {

namespace {

// ---- cookies

// The cookies of the tab's browser context, those of all sites, that fit the arguments.
std::vector<Json> cookies_of(PageCall& call, const Arguments& args) {
  // Deprecated, but the one that goes by the tab: Storage.getCookies means the default context unless it is given one.
  const Json all = call.tab().call(call.ctx(), "Network.getAllCookies").value("cookies", Json::array());
  const auto fits = [&](const Json& cookie, const char* member) {
    const auto wanted = args.text(member);
    if (wanted.empty()) return true;
    const auto value = cookie.value(member, "");
    return value == wanted || (member == std::string_view("domain") && value == "." + wanted);
  };
  std::vector<Json> found;
  for (const Json& cookie : all) {
    if (fits(cookie, "name") && fits(cookie, "domain") && fits(cookie, "path")) found.push_back(cookie);
  }
  return found;
}

// What a result tells of a cookie: `hides` the value where its name is a secret's.
Json told_cookie(const Json& cookie, bool hides) {
  const auto name = cookie.value("name", "");
  Json told{{"name", name},
            {"value", hides && is_secret_name(name) ? std::string(kHidden) : cookie.value("value", "")},
            {"domain", cookie.value("domain", "")},
            {"path", cookie.value("path", "")},
            {"expires", cookie.value("expires", -1.0)},
            {"httpOnly", cookie.value("httpOnly", false)},
            {"secure", cookie.value("secure", false)}};
  if (cookie.contains("sameSite")) told["sameSite"] = cookie["sameSite"];
  return told;
}

std::string cookie_line(const Json& cookie) {
  std::string marks;
  const auto mark = [&](const std::string& words) { marks += (marks.empty() ? "" : ", ") + words; };
  mark(cookie["domain"].get<std::string>() + cookie["path"].get<std::string>());
  const double expires = cookie["expires"];
  mark(expires < 0 ? "session" : fmt::format("expires {:.0f}", expires));
  if (cookie["httpOnly"]) mark("HttpOnly");
  if (cookie["secure"]) mark("Secure");
  if (cookie.contains("sameSite")) mark("SameSite=" + cookie["sameSite"].get<std::string>());
  return fmt::format("{}={} ({})", cookie["name"].get<std::string>(), cookie["value"].get<std::string>(), marks);
}

void list_cookies(PageCall& call, const Arguments& args, bool hides) {
  std::vector<std::string> lines;
  Json told = Json::array();
  for (const Json& cookie : cookies_of(call, args)) {
    told.push_back(told_cookie(cookie, hides));
    lines.push_back(cookie_line(told.back()));
  }
  const auto name = args.text("name");
  if (lines.empty()) {
    call.response.result(name.empty() ? "No cookies." : "There is no cookie \"" + name + "\".");
  } else {
    add_lines(call, args.text("filename"), counted(lines.size(), "cookie") + ":", lines);
  }
  call.response.structured = {{"cookies", std::move(told)}};
}

void set_cookie(PageCall& call, const Arguments& args) {
  Json params{{"name", args.text("name")}, {"value", args.text("value")}};
  if (args.has("domain")) {
    params["domain"] = args.text("domain");
    params["path"] = args.has("path") ? args.text("path") : "/";
  } else {
    const auto url = call.tab().state().url;
    if (network_origin(url).empty())
      throw ToolError("The page has no cookies of its own: open the site's page first, or name the domain.");
    params["url"] = url;
    if (args.has("path")) params["path"] = args.text("path");
  }
  for (const char* member : {"expires", "httpOnly", "secure", "sameSite"}) {
    if (args.has(member)) params[member] = args.at(member);
  }
  const std::string words = "set the cookie \"" + args.text("name") + "\"";
  call.effects.record(words);
  bool done = false;
  try {
    done = call.tab().call(call.ctx(), "Network.setCookie", params).value("success", false);
  } catch (const CdpError& error) {
    throw ToolError("The browser refused the cookie: " + std::string(error.what()) + ".");
  }
  if (!done) {
    throw ToolError(
        "The browser refused the cookie: its domain must be that of a site, and a name that begins with "
        "__Secure- or __Host-, or sameSite None, needs secure.");
  }
  call.response.result(words + (args.has("domain") ? " for " + args.text("domain") : ""));
}

void delete_cookies(PageCall& call, const Arguments& args) {
  const auto found = cookies_of(call, args);
  for (const Json& cookie : found) {
    Json params{{"name", cookie["name"]}, {"domain", cookie["domain"]}, {"path", cookie["path"]}};
    if (cookie.contains("partitionKey")) params["partitionKey"] = cookie["partitionKey"];
    call.tab().call(call.ctx(), "Network.deleteCookies", params);
    call.effects.record("deleted a cookie \"" + args.text("name") + "\"");
  }
  call.response.result(found.empty() ? "There is no cookie \"" + args.text("name") + "\"."
                                     : "deleted " + counted(found.size(), "cookie"));
}

void clear_cookies(PageCall& call, const Arguments& args) {
  if (args.has("domain") || args.has("path"))
    throw ToolError(
        "Action clear deletes all cookies of all sites: leave domain and path out, or use delete with a name.");
  const auto all = cookies_of(call, Arguments(Json::object()));
  call.effects.record("cleared the cookies");
  call.tab().call(call.ctx(), "Network.clearBrowserCookies");
  call.response.result("deleted all " + counted(all.size(), "cookie"));
}

void cookies_tool(PageCall& call, const Arguments& args) {
  const auto action = args.text("action");
  if (action == "get" || action == "set" || action == "delete") args.needed("name", "browser_cookies", "action");
  if (action == "list" || action == "get") return list_cookies(call, args, action == "list");
  if (action == "set") {
    args.needed("value", "browser_cookies", "action", Arguments::Empty::allowed);
    return set_cookie(call, args);
  }
  action == "delete" ? delete_cookies(call, args) : clear_cookies(call, args);
}

// ---- localStorage and sessionStorage

using Entries = std::vector<std::pair<std::string, std::string>>;

// One area of the page's origin, as the browser keeps it: no script of the page takes part.
class StorageArea {
 public:
  StorageArea(PageCall& call, bool local) : call_(call), origin_(network_origin(call.tab().state().url)) {
    if (origin_.empty()) throw ToolError("The page has no storage: open a page over http or https first.");
    id_ = {{"securityOrigin", origin_}, {"isLocalStorage", local}};
  }
  const std::string& origin() const { return origin_; }

  Json send(const char* method, Json params = Json::object()) const {
    params["storageId"] = id_;
    try {
      return call_.tab().call(call_.ctx(), method, params);
    } catch (const CdpError& error) {
      throw ToolError("The page's storage can't be reached: " + std::string(error.what()) + ".");
    }
  }
  Entries entries() const {
    Entries all;
    for (const Json& entry : send("DOMStorage.getDOMStorageItems").value("entries", Json::array()))
      all.emplace_back(entry.at(0).get<std::string>(), entry.at(1).get<std::string>());
    return all;
  }
  const std::string* find(const Entries& entries, const std::string& key) const {
    for (const auto& [name, value] : entries) {
      if (name == key) return &value;
    }
    return nullptr;
  }

 private:
  PageCall& call_;
  const std::string origin_;
  Json id_;
};

void list_items(PageCall& call, const Arguments& args, const StorageArea& area) {
  std::vector<std::string> lines;
  Json told = Json::object();
  for (const auto& [key, value] : area.entries()) {
    const std::string shown = is_secret_name(key) ? std::string(kHidden) : value;
    told[key] = shown;
    lines.push_back(key + "=" + shown);
  }
  if (lines.empty()) {
    call.response.result("No items of " + area.origin() + ".");
  } else {
    add_lines(call, args.text("filename"), counted(lines.size(), "item") + " of " + area.origin() + ":", lines);
  }
  call.response.structured = {{"items", std::move(told)}};
}

void get_item(PageCall& call, const Arguments& args, const StorageArea& area) {
  const auto entries = area.entries();
  const auto key = args.text("key");
  const auto* value = area.find(entries, key);
  if (value == nullptr) {
    call.response.result("There is no item \"" + key + "\" of " + area.origin() + ".");
  } else {
    add_lines(call, args.text("filename"), "\"" + key + "\" of " + area.origin() + ":", {*value});
  }
  call.response.structured = {{"value", value == nullptr ? Json() : Json(*value)}};
}

void storage_tool(PageCall& call, const Arguments& args) {
  const auto action = args.text("action");
  const StorageArea area(call, args.text("area") == "local");
  call.check_may_act();  // the area is that of the page that is there now
  if (action == "get" || action == "set" || action == "delete") args.needed("key", "browser_storage", "action");
  if (action == "list") return list_items(call, args, area);
  if (action == "get") return get_item(call, args, area);
  const auto key = args.text("key");
  if (action == "set") {
    const auto value = args.needed("value", "browser_storage", "action", Arguments::Empty::allowed);
    call.effects.record("set the item \"" + key + "\"");
    area.send("DOMStorage.setDOMStorageItem", {{"key", key}, {"value", value}});
    // The browser says nothing where an area is full.
    const auto entries = area.entries();
    const auto* kept = area.find(entries, key);
    if (kept == nullptr || *kept != value)
      throw ToolError("The browser did not keep the item \"" + key + "\": the storage of " + area.origin() +
                      " is full.");
    call.response.result("set the item \"" + key + "\" of " + area.origin());
  } else if (action == "delete") {
    const auto entries = area.entries();
    const bool was_there = area.find(entries, key) != nullptr;
    call.effects.record("deleted the item \"" + key + "\"");
    area.send("DOMStorage.removeDOMStorageItem", {{"key", key}});
    call.response.result((was_there ? "deleted the item \"" + key : "There was no item \"" + key) + "\" of " +
                         area.origin());
  } else {
    const auto count = area.entries().size();
    call.effects.record("cleared the storage");
    area.send("DOMStorage.clear");
    call.response.result("deleted all " + counted(count, "item") + " of " + area.origin());
  }
}

}  // namespace

std::vector<ToolSpec> storage_tools(const BrowserSettings& settings) {
  const auto actions = [] { return schema::choice({"list", "get", "set", "delete", "clear"}); };
  Json expires = schema::of_type("number", "Seconds since 1970; a session's without");
  std::vector<ToolSpec> tools{
      {.name = "browser_cookies",
       .set = "storage",
       .title = "Cookies",
       .description = "List, read, set or delete the cookies of all sites.",
       .input_schema = schema::object({{"action", actions(), true},
                                       {"name", schema::text()},
                                       {"value", schema::text()},
                                       {"domain", schema::text("Default: the page's")},
                                       {"path", schema::text()},
                                       {"expires", std::move(expires)},
                                       {"httpOnly", schema::boolean()},
                                       {"secure", schema::boolean()},
                                       {"sameSite", schema::choice({"Strict", "Lax", "None"})},
                                       schema::filename(),
                                       schema::tab()}),
       .destructive = true,
       .queues = true,
       .reading_actions = {"list", "get"},
       .handler = page_tool("browser_cookies", kActs, cookies_tool)},
      {.name = "browser_storage",
       .set = "storage",
       .title = "Web storage",
       .description = "List, read, set or delete what the page's origin keeps in localStorage or sessionStorage.",
       .input_schema = schema::object({{"area", schema::choice({"local", "session"}), true},
                                       {"action", actions(), true},
                                       {"key", schema::text()},
                                       {"value", schema::text()},
                                       schema::filename(),
                                       schema::tab()}),
       .destructive = true,
       .queues = true,
       .reading_actions = {"list", "get"},
       .handler = page_tool("browser_storage", kActs, storage_tool)}};
  for (auto& tool : storage_state_tools(settings)) tools.push_back(std::move(tool));
  return tools;
}

void add_storage_aliases(Toolbox& toolbox) {
  for (const char* action : {"list", "get", "set", "delete", "clear"}) {
    const std::string name = action;
    toolbox.add(ToolAlias{.name = "browser_cookie_" + name, .tool = "browser_cookies", .fixed = {{"action", name}}});
    for (const char* area : {"local", "session"}) {
      toolbox.add(ToolAlias{.name = fmt::format("browser_{}storage_{}", area, name),
                            .tool = "browser_storage",
                            .fixed = {{"area", area}, {"action", name}}});
    }
  }
  toolbox.add(ToolAlias{.name = "browser_set_storage_state",
                        .tool = "browser_storage_state",
                        .fixed = {{"action", "load"}},
                        .renamed = {}});
}

}  // namespace bridle
