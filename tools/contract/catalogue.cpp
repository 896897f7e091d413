#include "tools/contract/catalogue.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/text/codecs.h"
#include "base/text/text.h"

namespace bridle {

void Catalogue::add(ResourceSpec spec) {
  if (match(spec.resource.uri).read != nullptr) throw std::logic_error("Catalogue: two of " + spec.resource.uri);
  resources_.push_back(std::move(spec));
}

void Catalogue::add(ResourceTemplate spec) {
  if (find_template(spec.uri_template) != nullptr) throw std::logic_error("Catalogue: two of " + spec.uri_template);
  templates_.push_back(std::move(spec));
}

void Catalogue::add(PromptSpec spec) {
  if (find_prompt(spec.name) != nullptr) throw std::logic_error("Catalogue: two prompts named " + spec.name);
  prompts_.push_back(std::move(spec));
}

const PromptSpec* Catalogue::find_prompt(std::string_view name) const {
  const auto found = std::find_if(prompts_.begin(), prompts_.end(), [&](const auto& one) { return one.name == name; });
  return found == prompts_.end() ? nullptr : &*found;
}

const ResourceTemplate* Catalogue::find_template(std::string_view uri_template) const {
  const auto found = std::find_if(templates_.begin(), templates_.end(),
                                  [&](const auto& one) { return one.uri_template == uri_template; });
  return found == templates_.end() ? nullptr : &*found;
}

Catalogue::Match Catalogue::match(const std::string& uri) const {
  for (const ResourceSpec& spec : resources_) {
    if (spec.resource.uri == uri) return {.read = &spec.read};
  }
  for (const ResourceTemplate& spec : templates_) {
    if (auto variables = match_uri(spec.uri_template, uri)) {
      return {.read = &spec.read, .variables = std::move(*variables)};
    }
  }
  return {};
}

std::vector<Resource> Catalogue::list(ToolScope* scope) const {
  std::vector<Resource> all;
  for (const ResourceSpec& spec : resources_) all.push_back(spec.resource);
  if (scope == nullptr) return all;
  for (const ResourceTemplate& spec : templates_) {
    if (!spec.list) continue;
    for (Resource& one : spec.list(*scope)) all.push_back(std::move(one));
  }
  return all;
}

std::optional<UriVariables> match_uri(std::string_view uri_template, std::string_view uri) {
  UriVariables variables;
  for (;;) {
    const auto open = uri_template.find('{');
    const auto literal = uri_template.substr(0, open);
    if (!uri.starts_with(literal)) return std::nullopt;
    uri.remove_prefix(literal.size());
    if (open == std::string_view::npos) return uri.empty() ? std::optional(std::move(variables)) : std::nullopt;
    const auto close = uri_template.find('}', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string name(uri_template.substr(open + 1, close - open - 1));
    uri_template.remove_prefix(close + 1);
    // A variable ends where a segment does, or at the literal character that follows it.
    const auto end = uri.find_first_of(uri_template.empty() ? "/" : std::string("/") + uri_template.front());
    const auto value = uri.substr(0, end);
    if (value.empty()) return std::nullopt;
    variables[name] = percent_decode_leniently(value);
    uri.remove_prefix(value.size());
  }
}

std::vector<std::string> starting_with(const std::vector<std::string>& values, std::string_view typed) {
  std::vector<std::string> out;
  for (const std::string& value : values) {
    const bool fits = equals_ignoring_case(std::string_view(value).substr(0, typed.size()), typed);
    if (fits) out.push_back(value);
  }
  return out;
}

}  // namespace bridle
