#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/limits.h"
#include "browser/storage/storage_state.h"
#include "config/network/origin_rules.h"

namespace bridle {
namespace {

// One value of the file and the way to it, for the words of an error.
struct At {
  const Json& value;
  std::string path;

  [[noreturn]] void fail(const std::string& what) const {
    throw StorageStateError(path.empty() ? what : path + " " + what);
  }
  At object() const {
    if (!value.is_object()) fail("must be an object");
    return *this;
  }
  bool has(const char* name) const { return value.contains(name) && !value[name].is_null(); }
  At member(const char* name) const {
    object();
    const auto found = value.find(name);
    if (found == value.end()) fail(fmt::format("lacks \"{}\"", name));
    return {*found, path.empty() ? name : path + "." + name};
  }
  std::vector<At> items() const {
    if (!value.is_array()) fail("must be an array");
    std::vector<At> all;
    for (std::size_t i = 0; i < value.size(); ++i) all.push_back({value[i], fmt::format("{}[{}]", path, i)});
    return all;
  }
  std::vector<At> optional_items(const char* name) const {
    return object().has(name) ? member(name).items() : std::vector<At>();
  }
  std::string text(bool empty = true) const {
    if (!value.is_string()) fail("must be a string");
    if (!empty && value.get_ref<const std::string&>().empty()) fail("must not be empty");
    return value.get<std::string>();
  }
  void boolean() const {
    if (!value.is_boolean()) fail("must be true or false");
  }
};

void check_cookie(const At& cookie) {
  cookie.member("name").text(false);
  cookie.member("value").text();
  if (cookie.has("url")) {
    if (cookie.has("domain") || cookie.has("path")) cookie.fail("has a url, so it can't have domain and path too");
    if (network_origin(cookie.member("url").text()).empty()) cookie.member("url").fail("must be an http or https URL");
  } else {
    cookie.member("domain").text(false);
    if (!cookie.member("path").text().starts_with('/')) cookie.member("path").fail("must begin with /");
  }
  for (const char* name : {"httpOnly", "secure", "_crHasCrossSiteAncestor"}) {
    if (cookie.has(name)) cookie.member(name).boolean();
  }
  if (cookie.has("expires")) {
    const auto expires = cookie.member("expires");
    if (!expires.value.is_number() || (expires.value < 0 && expires.value != -1))
      expires.fail("must be seconds since 1970, or -1 for a session's cookie");
  }
  if (cookie.has("sameSite")) {
    const auto same_site = cookie.member("sameSite").text();
    if (same_site != "Strict" && same_site != "Lax" && same_site != "None")
      cookie.member("sameSite").fail("must be one of Strict, Lax, None");
  }
  if (cookie.has("partitionKey")) cookie.member("partitionKey").text(false);
}

// A value in Playwright's tagged form: each object has one tag, and what the tag wants.
void check_encoded(const At& at, int depth) {
  constexpr int kDepth = 500;
  if (depth > kDepth) at.fail("is nested too deeply");
  if (at.value.is_string() || at.value.is_boolean() || at.value.is_number()) return;
  at.object();
  static const std::set<std::string> kConstants{"undefined", "null", "NaN", "Infinity", "-Infinity", "-0"};
  static const std::set<std::string> kKinds{"i8",   "ui8", "ui8c", "i16",  "ui16", "i32",
                                            "ui32", "f32", "f64",  "bi64", "bui64"};
  if (at.has("ref")) {
    if (!at.member("ref").value.is_number_integer()) at.member("ref").fail("must be a number");
  } else if (at.has("v")) {
    if (!kConstants.contains(at.member("v").text())) at.member("v").fail("is no value that is known");
  } else if (at.has("d") || at.has("u") || at.has("bi")) {
    at.member(at.has("d") ? "d" : at.has("u") ? "u" : "bi").text();
  } else if (at.has("r")) {
    at.member("r").member("p").text();
    at.member("r").member("f").text();
  } else if (at.has("e")) {
    for (const char* part : {"n", "m", "s"}) at.member("e").member(part).text();
  } else if (at.has("ab")) {
    at.member("ab").member("b").text();
  } else if (at.has("ta")) {
    at.member("ta").member("b").text();
    if (!kKinds.contains(at.member("ta").member("k").text())) at.member("ta").member("k").fail("is no kind of array");
  } else if (at.has("a")) {
    for (const auto& item : at.member("a").items()) check_encoded(item, depth + 1);
  } else if (at.has("o")) {
    for (const auto& item : at.member("o").items()) {
      item.member("k").text();
      check_encoded(item.member("v"), depth + 1);
    }
  } else {
    at.fail("is no encoded value");
  }
}

void check_key_path(const At& at, bool needed) {
  if (at.has("keyPath")) at.member("keyPath").text();
  for (const auto& part : at.optional_items("keyPathArray")) part.text();
  if (needed && !at.has("keyPath") && !at.has("keyPathArray")) at.fail("lacks \"keyPath\" or \"keyPathArray\"");
}

void check_record(const At& record, bool has_key_path, bool makes_keys) {
  record.object();
  if (record.has("valueEncoded")) {
    check_encoded(record.member("valueEncoded"), 0);
  } else if (!record.value.contains("value")) {
    record.fail("lacks \"value\" or \"valueEncoded\"");
  }
  if (record.has("keyEncoded")) check_encoded(record.member("keyEncoded"), 0);
  const bool has_key = record.has("key") || record.has("keyEncoded");
  if (has_key && has_key_path) record.fail("has a key, though its store takes keys from the values");
  if (!has_key && !has_key_path && !makes_keys) record.fail("lacks \"key\" or \"keyEncoded\"");
}

void check_database(const At& database) {
  database.member("name").text();
  const auto version = database.member("version");
  if (!version.value.is_number_integer() || version.value < 1) version.fail("must be a whole number from 1 on");
  std::set<std::string> names;
  for (const auto& store : database.member("stores").items()) {
    if (!names.insert(store.member("name").text()).second) store.fail("has the name of another store");
    store.member("autoIncrement").boolean();
    check_key_path(store, false);
    const bool has_key_path = store.has("keyPath") || store.has("keyPathArray");
    for (const auto& index : store.member("indexes").items()) {
      index.member("name").text();
      index.member("unique").boolean();
      index.member("multiEntry").boolean();
      check_key_path(index, true);
    }
    for (const auto& record : store.member("records").items())
      check_record(record, has_key_path, store.value["autoIncrement"].get<bool>());
  }
}

}  // namespace

StorageState parse_storage_state(std::string_view text) {
  if (text.size() > limits::kStorageState)
    throw StorageStateError(
        fmt::format("it has {} bytes; at most {} are read", text.size(), std::size_t{limits::kStorageState}));
  const Json json = parse_json(text);
  if (json.is_discarded()) throw StorageStateError("it is no JSON");
  const At file{json, ""};
  if (!json.is_object() || (!json.contains("cookies") && !json.contains("origins")))
    throw StorageStateError("it is no storage state: that is a JSON object with \"cookies\" and \"origins\"");
  if (!file.optional_items("credentials").empty())
    throw StorageStateError("it has credentials (passkeys), which are not supported: take them out");
  StorageState state;
  for (const auto& cookie : file.optional_items("cookies")) {
    check_cookie(cookie);
    state.cookies.push_back(cookie.value);
  }
  for (const auto& stored : file.optional_items("origins")) {
    const auto given = stored.member("origin").text();
    const auto origin = network_origin(given);
    if (origin.empty() || (given != origin && given != origin + "/"))
      stored.member("origin").fail("must be an origin, such as https://example.com");
    for (const auto& item : stored.member("localStorage").items()) {
      item.member("name").text();
      item.member("value").text();
    }
    for (const auto& database : stored.optional_items("indexedDB")) check_database(database);
    Json kept{{"localStorage", stored.value["localStorage"]}, {"indexedDB", Json::array()}};
    if (stored.has("indexedDB")) kept["indexedDB"] = stored.value["indexedDB"];
    if (!state.origins.emplace(origin, std::move(kept)).second) stored.fail("is there twice: " + origin);
  }
  return state;
}

StorageState read_storage_state(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw StorageStateError("it can't be read");
  std::string text(limits::kStorageState + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return parse_storage_state(text);
}

std::string to_text(const StorageState& state) {
  nlohmann::ordered_json origins = nlohmann::ordered_json::array();
  for (const auto& [origin, stored] : state.origins) {
    nlohmann::ordered_json one;
    one["origin"] = origin;
    one["localStorage"] = stored.at("localStorage");
    one["indexedDB"] = stored.at("indexedDB");
    origins.push_back(std::move(one));
  }
  nlohmann::ordered_json all;
  all["cookies"] = state.cookies;
  all["origins"] = std::move(origins);
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace bridle
