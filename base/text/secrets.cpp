#include "base/text/secrets.h"

#include <algorithm>
#include <vector>

#include "base/text/codecs.h"
#include "base/text/text.h"

namespace bridle {
namespace {

enum class Kind { part, head, ending, whole, url_head, qualifier, benign, exception };
struct Listed {
  Kind kind;
  std::string_view words;
};

constexpr Listed kListed[] = {
#define SECRET_PARTS(words) {Kind::part, words},
#define SECRET_HEADS(words) {Kind::head, words},
#define SECRET_ENDINGS(words) {Kind::ending, words},
#define SECRET_WHOLES(words) {Kind::whole, words},
#define SECRET_URL_HEADS(words) {Kind::url_head, words},
#define SECRET_QUALIFIERS(words) {Kind::qualifier, words},
#define SECRET_BENIGN(words) {Kind::benign, words},
#define SECRET_EXCEPTIONS(words) {Kind::exception, words},
#define SECRET_AUTOCOMPLETE(words)
#define PLAIN_AUTOCOMPLETE(words)
#include "base/secret_names.def"
#undef SECRET_PARTS
#undef SECRET_HEADS
#undef SECRET_ENDINGS
#undef SECRET_WHOLES
#undef SECRET_URL_HEADS
#undef SECRET_QUALIFIERS
#undef SECRET_BENIGN
#undef SECRET_EXCEPTIONS
#undef SECRET_AUTOCOMPLETE
#undef PLAIN_AUTOCOMPLETE
};

template <class Fits>
bool any_listed(Kind kind, Fits fits) {
  for (const auto& listed : kListed) {
    if (listed.kind != kind) continue;
    for (auto rest = listed.words; !rest.empty();) {
      if (fits(take_until(rest, ' '))) return true;
    }
  }
  return false;
}

bool is_listed(Kind kind, std::string_view word) {
  return any_listed(kind, [&](std::string_view listed) { return listed == word; });
}

enum class Letter { none, digit, lower, upper };

// Bytes beyond ASCII are letters.
Letter letter_of(char c) {
  if (c >= '0' && c <= '9') return Letter::digit;
  if (c >= 'A' && c <= 'Z') return Letter::upper;
  if ((c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80) return Letter::lower;
  return Letter::none;
}

// "newPIN_2" is new, pin and 2; "APIKey" is api and key.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  Letter before = Letter::none;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto now = letter_of(name[i]);
    if (now != Letter::none) {
      const auto next = i + 1 < name.size() ? letter_of(name[i + 1]) : Letter::none;
      const bool capital = now == Letter::upper && (before == Letter::lower || next == Letter::lower);
      const bool begins =
          before == Letter::none || capital || (now == Letter::digit) != (before == Letter::digit) || words.empty();
      if (begins) words.emplace_back();
      words.back() += lower(name[i]);
    }
    before = now;
  }
  return words;
}

std::string joined(const std::vector<std::string>& words, std::size_t from = 0) {
  std::string all;
  for (std::size_t i = from; i < words.size(); ++i) all += words[i];
  return all;
}

bool ends_with_listed(const std::vector<std::string>& words, Kind kind) {
  constexpr std::size_t kWordsOfAHead = 3;
  const auto first = words.size() > kWordsOfAHead ? words.size() - kWordsOfAHead : 0;
  for (std::size_t from = first; from < words.size(); ++from) {
    if (is_listed(kind, joined(words, from))) return true;
  }
  return false;
}

bool is_secret(std::string_view name, bool in_url) {
  auto words = words_of(name);
  if (words.empty()) return false;
  const auto all = joined(words);
  if (is_listed(Kind::whole, all)) return true;
  while (words.size() > 1 && (words.back().size() == 1 || letter_of(words.back().front()) == Letter::digit ||
                              is_listed(Kind::qualifier, words.back()))) {
    words.pop_back();
  }
  if (in_url && ends_with_listed(words, Kind::url_head)) return true;
  if (is_listed(Kind::benign, words.back()) || is_listed(Kind::exception, joined(words))) return false;
  if (any_listed(Kind::part, [&](std::string_view part) { return all.find(part) != std::string::npos; })) return true;
  if (any_listed(Kind::ending, [&](std::string_view ending) { return words.back().ends_with(ending); })) return true;
  return ends_with_listed(words, Kind::head);
}

constexpr int kNested = 4;  // URLs in parameters of URLs; what lies deeper is hidden whole

std::string hide_in_nested_url(std::string_view url, int nested);
std::string hide_in_pairs(std::string_view pairs, char separator, int nested);

// Whether a value may name something to hide: a URL or a query, or "ann:secret@host".
bool may_name_a_secret(std::string_view value) {
  if (value.find_first_of("=?#") != std::string_view::npos || value.find("//") != std::string_view::npos) return true;
  const auto at = value.rfind('@');
  return at != std::string_view::npos && value.substr(0, at).find(':') != std::string_view::npos;
}

// The value of a parameter that is no secret itself, but may be a URL or a query with one, escaped or not.
std::string hide_in_value(std::string_view value, int nested) {
  if (value.find_first_of("=%@") == std::string_view::npos) return std::string(value);
  const auto plain = percent_decode_leniently(value);
  if (plain.find_first_of("=%@") == std::string::npos) return std::string(value);
  if (plain == value && !may_name_a_secret(value)) return std::string(value);  // an address, "100%"
  if (nested == 0) return kHidden;
  const bool is_url = plain.find_first_of("?#") != std::string::npos || plain.find("//") != std::string::npos;
  auto hidden = is_url ? hide_in_nested_url(plain, nested - 1) : hide_in_pairs(plain, '&', nested - 1);
  return hidden == plain ? std::string(value) : hidden;
}

std::string hide_in_pairs(std::string_view pairs, char separator, int nested) {
  std::string out;
  while (!pairs.empty()) {
    const auto end = std::min(pairs.find(separator), pairs.size());
    const auto pair = pairs.substr(0, end);
    const auto equals = std::min(pair.find('='), pair.size());
    const auto value = pair.substr(std::min(equals + 1, pair.size()));
    if (equals == pair.size()) {
      out += hide_in_value(pair, nested);
    } else {
      out += pair.substr(0, equals + 1);
      const bool secret = !value.empty() && is_secret(percent_decode_leniently(pair.substr(0, equals), true), true);
      out += secret ? kHidden : hide_in_value(value, nested);
    }
    if (end < pairs.size()) out += separator;
    pairs.remove_prefix(std::min(end + 1, pairs.size()));
  }
  return out;
}

// A fragment is a query, or a path of the page's own with one.
std::string hide_in_fragment(std::string_view fragment, int nested) {
  const auto question = fragment.find('?');
  if (question == std::string_view::npos) return hide_in_pairs(fragment, '&', nested);
  return std::string(fragment.substr(0, question + 1)) + hide_in_pairs(fragment.substr(question + 1), '&', nested);
}

// "/shop;jsessionid=1/cart".
std::string hide_in_path(std::string_view path, int nested) {
  if (path.find('=') == std::string_view::npos) return std::string(path);
  std::string out;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    out += hide_in_pairs(path.substr(0, end), ';', nested);
    if (end < path.size()) out += '/';
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return out;
}

// "https://ann:secret@host", of the path that it stands before.
std::string take_authority(std::string_view& path) {
  const auto slashes = path.find("//");
  if (slashes == std::string_view::npos || (slashes > 0 && path[slashes - 1] != ':')) return {};
  const auto begin = slashes + 2;
  const auto end = std::min(path.find_first_of("/\\", begin), path.size());
  const auto at = path.substr(0, end).rfind('@');
  std::string out(path.substr(0, begin));
  const bool has_user = at != std::string_view::npos && at > begin;
  if (has_user) out += kHidden;
  out += path.substr(has_user ? at : begin, end - (has_user ? at : begin));
  path.remove_prefix(end);
  return out;
}

std::string hide_in_nested_url(std::string_view url, int nested) {
  const auto hash = std::min(url.find('#'), url.size());
  const auto question = std::min(url.substr(0, hash).find('?'), hash);
  auto path = url.substr(0, question);
  auto out = take_authority(path);
  out += hide_in_path(path, nested);
  if (question < hash) out += "?" + hide_in_pairs(url.substr(question + 1, hash - question - 1), '&', nested);
  if (hash < url.size()) out += "#" + hide_in_fragment(url.substr(hash + 1), nested);
  return out;
}

}  // namespace

bool is_secret_name(std::string_view name) { return is_secret(name, false); }
bool is_secret_parameter(std::string_view name) { return is_secret(name, true); }

std::string hide_in_query(std::string_view query) { return hide_in_pairs(query, '&', kNested); }

std::string hide_in_url(std::string_view url) {
  if (url.find_first_of("=@%") == std::string_view::npos) return std::string(url);  // nearly all
  if (equals_ignoring_case(url.substr(0, 5), "data:")) return std::string(url);
  return hide_in_nested_url(url, kNested);
}

std::string shown_url(std::string_view url) {
  constexpr std::size_t kDataShown = 120;
  if (url.empty()) return "about:blank";
  if (!equals_ignoring_case(url.substr(0, 5), "data:") || url.size() <= 2 * kDataShown) return hide_in_url(url);
  return std::string(first_bytes(url, kDataShown)) + "... (" + std::to_string(characters(url)) + " characters)";
}

namespace {

// Where the URL in a text ends. What was hidden in it before has a space of its own.
std::size_t end_of_url(std::string_view text, std::size_t from) {
  constexpr std::string_view kHiddenText = kHidden;
  constexpr auto kFirstWord = kHiddenText.find(' ');
  for (;;) {
    const auto end = std::min(text.find_first_of(" \t\r\n\f\v\"'`<>", from), text.size());
    const bool within = end >= kFirstWord && text.substr(end - kFirstWord).starts_with(kHiddenText);
    if (!within) return end;
    from = end - kFirstWord + kHiddenText.size();
  }
}

}  // namespace

std::string hide_in_urls_of(std::string_view text) {
  std::string out;
  for (;;) {
    const auto colon = text.find("://");
    if (colon == std::string_view::npos) break;
    auto begin = colon;
    while (begin > 0 && (letter_of(text[begin - 1]) != Letter::none || text[begin - 1] == '+' ||
                         text[begin - 1] == '-' || text[begin - 1] == '.'))
      --begin;
    auto end = end_of_url(text, colon);
    while (end > colon + 3 && std::string_view(")].,;:!").find(text[end - 1]) != std::string_view::npos &&
           !text.substr(0, end).ends_with(kHidden))
      --end;
    out += text.substr(0, begin);
    out += hide_in_url(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
  return out += text;
}

}  // namespace bridle
