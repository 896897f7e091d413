#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/contract/tool.h"

// Resources and prompts: what they are, apart from the tools, and all that the server layer knows of them.
namespace bridle {

// A resource as resources/list shows it.
struct Resource {
  std::string uri{};
  std::string name{};
  std::string title{};
  std::string description{};
  std::string mime_type{};
  long size = -1;  // bytes before base64; -1: not known
};

// Thrown by a reader if the URI names nothing, or nothing any more; the text says what to do.
class ResourceNotFound : public ToolError {
 public:
  using ToolError::ToolError;
};

using UriVariables = std::map<std::string, std::string>;
// Reads a resource: one content of Kind::resource, or several. May wait and be aborted, as a tool may. Throws
// ResourceNotFound, ToolError, Aborted.
using ResourceReader =
    std::function<std::vector<Content>(ToolContext& ctx, const std::string& uri, const UriVariables& variables)>;
// The values that an argument may take and that start with `typed`, most likely first. `scope` may be null. Never
// waits.
using Completer =
    std::function<std::vector<std::string>(ToolScope* scope, const std::string& argument, const std::string& typed)>;

struct ResourceSpec {
  enum class Changes {
    by_itself,          // whoever changes it says so
    with_acting_calls,  // with each tool call of its client that isn't read-only
    with_every_call,
  };
  Resource resource{};
  ResourceReader read{};
  Changes changes = Changes::by_itself;
};

struct ResourceTemplate {
  std::string uri_template{};  // RFC 6570, level 1: {name} stands for one path segment
  std::string name{};
  std::string title{};
  std::string description{};
  std::string mime_type{};
  ResourceReader read{};
  Completer complete{};                                           // empty: no suggestions
  std::function<std::vector<Resource>(ToolScope& scope)> list{};  // those that exist just now; empty: not listed
};

struct PromptArgument {
  std::string name{};
  std::string description{};
  bool required = false;
};

struct PromptMessage {
  std::string role = "user";  // user, assistant
  Content content{};
};

struct PromptSpec {
  std::string name{};
  std::string title{};
  std::string description{};
  std::vector<PromptArgument> arguments{};
  std::function<std::vector<PromptMessage>(ToolContext& ctx, const UriVariables& arguments)> get{};
  Completer complete{};
};

// The one table of them. Filled at the start, read-only afterwards (then any thread may read).
class Catalogue {
 public:
  void add(ResourceSpec spec);
  void add(ResourceTemplate spec);
  void add(PromptSpec spec);

  const std::vector<ResourceSpec>& resources() const { return resources_; }
  const std::vector<ResourceTemplate>& templates() const { return templates_; }
  const std::vector<PromptSpec>& prompts() const { return prompts_; }

  const PromptSpec* find_prompt(std::string_view name) const;
  const ResourceTemplate* find_template(std::string_view uri_template) const;
  // Who reads `uri`, with the template's variables. Empty: nobody.
  struct Match {
    const ResourceReader* read = nullptr;
    UriVariables variables{};
  };
  Match match(const std::string& uri) const;
  // Everything that can be read just now, for resources/list.
  std::vector<Resource> list(ToolScope* scope) const;

  bool has_resources() const { return !resources_.empty() || !templates_.empty(); }
  bool has_prompts() const { return !prompts_.empty(); }

  // Lists that may change while the server runs, and whether resources can be subscribed to.
  bool tools_change = false;
  bool prompts_change = false;
  bool resources_change = false;
  bool resources_notify = false;

  // Called by whoever changes something, on any thread and with no lock held; set by the server before it serves.
  // `list` is tools, prompts or resources. A null scope means that the change concerns everybody.
  std::function<void(const std::string& list, const ToolScope* scope)> list_changed{};
  std::function<void(const std::string& uri, const ToolScope* scope)> resource_updated{};

 private:
  std::vector<ResourceSpec> resources_;
  std::vector<ResourceTemplate> templates_;
  std::vector<PromptSpec> prompts_;
};

// The variables of a URI that fits the template, or nullopt. Values are percent-decoded.
std::optional<UriVariables> match_uri(std::string_view uri_template, std::string_view uri);
// Those of `values` that start with `typed`, in their order; case doesn't count.
std::vector<std::string> starting_with(const std::vector<std::string>& values, std::string_view typed);

}  // namespace bridle
