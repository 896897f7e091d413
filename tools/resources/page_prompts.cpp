// Prompts for work that people ask a browser's driver for. Each says in what order the tools serve, and what to report.
#include <utility>

#include "tools/resources/page_resources.h"

namespace bridle {
namespace {

std::string argument(const UriVariables& arguments, const char* name) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? std::string() : found->second;
}

std::vector<PromptMessage> asks(std::string words) { return {{.content = {.text = std::move(words)}}}; }

// "Open URL ..." or "Stay on the current page ...".
std::string beginning(const UriVariables& arguments) {
  const std::string url = argument(arguments, "url");
  return url.empty() ? "Stay on the page that is open (browser_snapshot shows it)."
                     : "Open " + url + " with browser_navigate.";
}

// URLs of the caller's tabs.
std::vector<std::string> complete_url(ToolScope* scope, const std::string& name, const std::string& typed) {
  if (scope == nullptr || name != "url") return {};
  std::vector<std::string> urls;
  for (const Json& tab : scope->tabs()) {
    const std::string url = tab.value("url", "");
    if (!url.empty() && url != "about:blank") urls.push_back(url);
  }
  return starting_with(urls, typed);
}

const PromptArgument kUrl{"url", "The page; without it the one that is open", false};

}  // namespace

void add_page_prompts(Catalogue& catalogue) {
  catalogue.add(PromptSpec{
      .name = "test_page",
      .title = "Test this page",
      .description = "Try what a page offers as a user would, and report what doesn't work",
      .arguments = {kUrl, {"focus", "What to look at first, such as: the checkout form", false}},
      .get =
          [](ToolContext&, const UriVariables& arguments) {
            const std::string focus = argument(arguments, "focus");
            return asks(
                beginning(arguments) + (focus.empty() ? "" : " Look first at: " + focus + ".") +
                "\nTest it as a careful user would. From the snapshot, list what the page lets one do. Try each: "
                "links, buttons, forms with good, empty and wrong input. After each action compare what happened "
                "(the result's Page and Events sections) with what the page promised. Don't submit what costs "
                "money, sends messages to people or deletes data: ask first.\nReport a table: what was tried, "
                "what should happen, what happened. Then the faults, the worst first, each with the steps that "
                "show it. Say what you didn't try.");
          },
      .complete = complete_url});
  catalogue.add(PromptSpec{
      .name = "fill_form",
      .title = "Fill this form",
      .description = "Fill in the form of a page with given data, and stop before it is sent",
      .arguments = {{"data", "What to fill in, in any words", true}, kUrl},
      .get =
          [](ToolContext&, const UriVariables& arguments) {
            return asks(beginning(arguments) + "\nFill in its form with this data:\n\n" + argument(arguments, "data") +
                        "\n\nTake a browser_snapshot, match each piece of data to a field by its label, and fill the "
                        "fields by their refs. Invent nothing: where a required field has no data, ask. Then take a "
                        "snapshot again and compare every field with the data. Don't submit the form: show what stands "
                        "in it and ask whether to send it.");
          },
      .complete = complete_url});
  catalogue.add(PromptSpec{
      .name = "why_slow",
      .title = "Find out why it is slow",
      .description = "Measure how a page loads and find what holds it up",
      .arguments = {kUrl},
      .get =
          [](ToolContext&, const UriVariables& arguments) {
            return asks(
                beginning(arguments) +
                "\nFind out why it is slow. Load it three times with browser_reload and note settledMs. Read with "
                "browser_evaluate: performance.getEntriesByType('navigation')[0], the slowest and the largest "
                "entries of performance.getEntriesByType('resource'), and the 'paint' entries. Tell apart: time "
                "to the first byte (the server), scripts and styles in the head that block, large images and "
                "scripts, chains of requests, work of scripts after loading.\nReport the figures, then the "
                "causes in the order of the time they cost, each with its evidence and a remedy. Say what you "
                "couldn't measure.");
          },
      .complete = complete_url});
}

}  // namespace bridle
