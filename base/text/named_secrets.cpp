#include "base/text/named_secrets.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "base/text/codecs.h"
#include "base/text/text.h"

namespace bridle {
namespace {

// Text in which a shorter run of base64 could stand by chance is too common: pictures.
constexpr std::size_t kShortestBase64 = 8;
constexpr std::size_t kShortestBeginning = 4;

struct Pattern {
  std::string text;
  std::string name;
};

// Finds patterns in one pass: those that begin with a byte are tried where it stands, the longest first.
class Patterns {
 public:
  void add(std::string text, const std::string& name) {
    if (text.empty()) return;
    auto& bucket = buckets_[static_cast<unsigned char>(text.front())];
    if (std::none_of(bucket.begin(), bucket.end(), [&](const Pattern& one) { return one.text == text; }))
      bucket.push_back({std::move(text), name});
  }
  void sort() {
    for (auto& bucket : buckets_) {
      std::stable_sort(bucket.begin(), bucket.end(),
                       [](const Pattern& a, const Pattern& b) { return a.text.size() > b.text.size(); });
    }
  }
  const Pattern* at(std::string_view rest) const {
    for (const auto& pattern : buckets_[static_cast<unsigned char>(rest.front())]) {
      if (rest.starts_with(pattern.text)) return &pattern;
    }
    return nullptr;
  }

 private:
  std::array<std::vector<Pattern>, 256> buckets_{};
};

struct NamedSecrets {
  std::map<std::string, std::string> values;
  Patterns patterns;
  Patterns base64;
};

// Set before other threads start; never changed afterwards but by tests.
std::unique_ptr<const NamedSecrets>& named() {
  static std::unique_ptr<const NamedSecrets> secrets;
  return secrets;
}

std::string in_json(const std::string& text) {
  const auto quoted = dump(text);
  return quoted.substr(1, quoted.size() - 2);
}

// What encodeURIComponent and forms leave as it is differs from RFC 3986.
std::string percent(const std::string& text, std::string_view kept, bool form) {
  std::string out;
  for (const char c : text) {
    const auto piece = percent_encode(std::string_view(&c, 1));
    if (form && c == ' ') {
      out += '+';
    } else if (kept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += form && c == '~' ? "%7E" : piece;
    }
  }
  return out;
}

// %2f in place of %2F.
std::string with_small_escapes(std::string text) {
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    if (text[i] != '%') continue;
    text[i + 1] = lower(text[i + 1]);
    text[i + 2] = lower(text[i + 2]);
  }
  return text;
}

std::string in_html(const std::string& text, bool quotes) {
  std::string out;
  for (const char c : text) {
    const char* entity = c == '&'              ? "&amp;"
                         : c == '<'            ? "&lt;"
                         : c == '>'            ? "&gt;"
                         : quotes && c == '"'  ? "&quot;"
                         : quotes && c == '\'' ? "&#39;"
                                               : nullptr;
    if (entity == nullptr) {
      out += c;
    } else {
      out += entity;
    }
  }
  return out;
}

// What of the value's base64 doesn't depend on what stands before and after it, for each place in a group of three.
std::vector<std::string> in_base64(const std::string& value) {
  std::vector<std::string> out;
  for (std::size_t before = 0; before < 3; ++before) {
    const std::size_t bits_before = 8 * before;
    const std::size_t bits_end = bits_before + 8 * value.size();
    const auto first = (bits_before + 5) / 6;
    const auto last = bits_end / 6;
    if (last < first + kShortestBase64) continue;
    for (const bool url : {false, true}) {
      const auto bytes = std::string(before, '\0') + value;
      out.push_back((url ? base64url(bytes) : base64(bytes)).substr(first, last - first));
    }
  }
  return out;
}

void add_forms(NamedSecrets& secrets, const std::string& name, const std::string& value) {
  std::vector<std::string> forms{value,
                                 percent(value, "", false),
                                 percent(value, "!'()*", false),
                                 percent(value, "*", true),
                                 in_html(value, false),
                                 in_html(value, true)};
  for (std::size_t i = 1; i < 4; ++i) forms.push_back(with_small_escapes(forms[i]));
  for (const auto& form : forms) {
    const auto once = in_json(form);
    for (const auto& text : {form, once, in_json(once)}) secrets.patterns.add(text, name);
  }
  for (const auto& form : in_base64(value)) {
    secrets.patterns.add(form, name);
    secrets.base64.add(form, name);
  }
}

struct Shown {
  std::string_view before = "<secret>";
  std::string_view after = "</secret>";
};

// The text with each pattern replaced; nothing is made while there is none.
void replace(std::string& text, const Patterns& patterns, const Shown& shown) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto* found = patterns.at(std::string_view(text).substr(i));
    if (found == nullptr) {
      ++i;
      continue;
    }
    out.append(text, done, i - done).append(shown.before).append(found->name).append(shown.after);
    i += found->text.size();
    done = i;
  }
  if (done > 0) text = out.append(text, done);
}

// The beginning of a value, where a text was cut.
void hide_beginnings(std::string& text, std::string_view mark) {
  for (auto cut = text.find(mark); cut != std::string::npos; cut = text.find(mark, cut + mark.size())) {
    for (const auto& [name, value] : named()->values) {
      for (auto length = std::min(value.size() - 1, cut); length >= kShortestBeginning; --length) {
        if (text.compare(cut - length, length, value, 0, length) != 0) continue;
        const auto shown = "<secret>" + name + "</secret>";
        text.replace(cut - length, length, shown);
        cut = cut - length + shown.size();
        break;
      }
    }
  }
}

// A text with the values in place of their names, each of which `on_name` is told.
template <typename OnName>
std::string expanded(std::string text, const OnName& on_name) {
  if (named() == nullptr) return text;
  const auto& values = named()->values;
  if (const auto whole = values.find(text); whole != values.end()) {
    on_name(whole->first);
    return whole->second;
  }
  std::string out;
  std::size_t done = 0;
  for (auto open = text.find("{{"); open != std::string::npos; open = text.find("{{", open + 2)) {
    const auto close = text.find("}}", open);
    if (close == std::string::npos) break;
    const auto value = values.find(std::string(trimmed(std::string_view(text).substr(open + 2, close - open - 2))));
    if (value == values.end()) continue;
    on_name(value->first);
    out.append(text, done, open - done).append(value->second);
    done = close + 2;
    open = close;
  }
  return out.append(text, done);
}

}  // namespace

void set_named_secrets(const std::map<std::string, std::string>& secrets) {
  if (secrets.empty()) {
    named().reset();
    return;
  }
  auto made = std::make_unique<NamedSecrets>();
  made->values = secrets;
  for (const auto& [name, value] : secrets) add_forms(*made, name, value);
  made->patterns.sort();
  made->base64.sort();
  named() = std::move(made);
}

bool has_named_secrets() noexcept { return named() != nullptr; }

std::string with_named_secrets(std::string text) {
  return expanded(std::move(text), [](const std::string&) {});
}

std::vector<std::string> named_secrets_in(const std::string& text) {
  std::vector<std::string> names;
  expanded(text, [&](const std::string& name) { names.push_back(name); });
  return names;
}

std::string shown_for_named_secret(const std::string& text) {
  const auto names = named_secrets_in(text);
  if (names.size() != 1) return "";
  const bool is_all = named()->values.at(names.front()) == with_named_secrets(text);
  return is_all ? "<secret>" + names.front() + "</secret>" : "";
}

void hide_named_secrets(std::string& text) {
  if (!has_named_secrets()) return;
  replace(text, named()->patterns, {});
  hide_beginnings(text, "…");
  hide_beginnings(text, "\n\n(cut at ");
}

std::string without_named_secrets(std::string content) {
  if (has_named_secrets() && content.find('\0') == std::string::npos) hide_named_secrets(content);
  return content;
}

void hide_named_secrets(Json& value) {
  if (!has_named_secrets()) return;
  if (value.is_string()) return hide_named_secrets(value.get_ref<std::string&>());
  if (value.is_array()) {
    for (auto& item : value) hide_named_secrets(item);
  }
  if (!value.is_object()) return;
  std::vector<std::pair<std::string, std::string>> renamed;
  for (auto& [name, item] : value.items()) {
    hide_named_secrets(item);
    std::string shown = name;
    hide_named_secrets(shown);
    if (shown != name) renamed.emplace_back(name, std::move(shown));
  }
  for (auto& [name, shown] : renamed) {
    Json item = std::move(value[name]);
    value.erase(name);
    value[shown] = std::move(item);
  }
}

void hide_named_secrets_in_message(std::string& json) {
  if (!has_named_secrets()) return;
  std::string out;
  std::string_view rest = json;
  while (!rest.empty()) {
    const auto bytes = std::min({rest.find("\"blob\":\""), rest.find("\"data\":\""), rest.size()});
    const auto begin = std::min(bytes + 8, rest.size());
    std::string text(rest.substr(0, begin));
    hide_named_secrets(text);
    out += text;
    rest.remove_prefix(begin);
    if (rest.empty()) break;
    std::string inside(rest.substr(0, rest.find('"')));
    rest.remove_prefix(inside.size());
    // A string by that name that isn't base64 is text.
    const bool is_base64 =
        inside.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") ==
            std::string::npos &&
        inside.size() % 4 == 0 && inside.size() > 256;
    if (is_base64) {
      replace(inside, named()->base64, {});
    } else {
      hide_named_secrets(inside);
    }
    out += inside;
  }
  json = std::move(out);
}

std::string file_name_without_secrets(std::string name) {
  if (has_named_secrets()) replace(name, named()->patterns, {.before = "(", .after = ")"});
  return name;
}

}  // namespace bridle
