#include "config/files/toml.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/text/text.h"

namespace bridle {
namespace {

using Value = nlohmann::json;

class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {}

  Value read() {
    Value root = Value::object();
    Value* table = &root;
    for (skip_lines(); !done(); skip_lines()) {
      if (front() != '[') {
        assign(*table);
        continue;
      }
      const bool array = text_.substr(at_).starts_with("[[");
      at_ += array ? 2 : 1;
      table = &below(root, key());
      if (array) {
        if (table->is_null()) *table = Value::array();
        if (!table->is_array()) fail();
        table->push_back(Value::object());
        table = &table->back();
      }
      expect(']');
      if (array) expect(']');
      if (table->is_null()) *table = Value::object();
    }
    return root;
  }

 private:
  static constexpr int kDeepest = 32;

  bool done() const { return at_ >= text_.size(); }
  char front() const { return done() ? '\0' : text_[at_]; }
  [[noreturn]] void fail() const {
    const auto lines =
        std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())), '\n');
    throw std::invalid_argument("line " + std::to_string(lines + 1) + " can't be read");
  }
  void skip_blanks() {
    while (front() == ' ' || front() == '\t') ++at_;
  }
  void skip_lines() {
    for (; !done(); ++at_) {
      if (front() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (done() || std::string_view(" \t\r\n").find(front()) == std::string_view::npos) return;
    }
  }
  void expect(char c) {
    skip_blanks();
    if (front() != c) fail();
    ++at_;
  }

  static Value& below(Value& table, const std::vector<std::string>& path) {
    Value* at = &table;
    for (const auto& part : path) {
      if (at->is_array() && !at->empty()) at = &at->back();
      if (at->is_null()) *at = Value::object();
      if (!at->is_object()) throw std::invalid_argument("\"" + part + "\" stands below a value");
      at = &(*at)[part];
    }
    return *at;
  }

  std::vector<std::string> key() {
    std::vector<std::string> parts;
    for (;;) {
      skip_blanks();
      if (front() == '"' || front() == '\'') {
        parts.push_back(quoted());
      } else {
        const auto end = std::min(text_.find_first_of(" \t.=]\r\n", at_), text_.size());
        if (end == at_) fail();
        parts.emplace_back(text_.substr(at_, end - at_));
        at_ = end;
      }
      skip_blanks();
      if (front() != '.') return parts;
      ++at_;
    }
  }

  void assign(Value& table, int depth = 0) {
    auto& place = below(table, key());
    expect('=');
    place = value(depth);
  }

  std::string quoted() {
    const char quote = front();
    if (text_.substr(at_).starts_with(std::string(3, quote))) fail();  // over several lines
    auto end = at_ + 1;
    for (; end < text_.size() && text_[end] != quote; ++end) {
      if (text_[end] == '\n') fail();
      if (quote == '"' && text_[end] == '\\') ++end;
    }
    if (end >= text_.size()) fail();
    const auto whole = text_.substr(at_, end + 1 - at_);
    at_ = end + 1;
    if (quote == '\'') return std::string(whole.substr(1, whole.size() - 2));
    const auto json = Value::parse(whole, nullptr, false);  // the escapes that matter are the same
    if (!json.is_string()) fail();
    return json.get<std::string>();
  }

  Value value(int depth) {
    if (depth > kDeepest) fail();
    skip_blanks();
    if (front() == '"' || front() == '\'') return quoted();
    if (front() == '[') {
      Value list = Value::array();
      ++at_;
      for (skip_lines(); front() != ']'; skip_lines()) {
        list.push_back(value(depth + 1));
        skip_lines();
        if (front() == ',') {
          ++at_;
        } else if (front() != ']') {
          fail();
        }
      }
      ++at_;
      return list;
    }
    if (front() == '{') {
      Value table = Value::object();
      ++at_;
      for (skip_lines(); front() != '}'; skip_lines()) {
        assign(table, depth + 1);
        skip_lines();
        if (front() == ',') {
          ++at_;
        } else if (front() != '}') {
          fail();
        }
      }
      ++at_;
      return table;
    }
    const auto end = std::min(text_.find_first_of(",]}#\r\n", at_), text_.size());
    const auto bare = trimmed(text_.substr(at_, end - at_));
    if (bare.empty()) fail();
    at_ = end;
    return std::string(bare);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

nlohmann::json parse_toml(std::string_view text) { return TomlReader(text).read(); }

}  // namespace bridle
