#pragma once

#include <string_view>

namespace bridle {

// What initialize and server/discover tell the model about using this server well. Briefly.
inline constexpr std::string_view kInstructions =
    "bridle drives a real Chromium. Start with browser_navigate, then read the page with browser_snapshot: it lists "
    "the page's elements with refs such as e12, which the other tools take as `target`, as they do CSS selectors, "
    "text=... and role=button[name=\"...\"]. Snapshot again after the page "
    "changed; a ref belongs to one element for as long as it lives. `tab` is an id that browser_tabs lists, by default "
    "that of your current tab. Results name only URLs that the "
    "page really committed. Every call can be cancelled at any time: the work in the browser ends with it and the tab "
    "stays usable. When a call reports that the user stopped it, don't repeat it unasked.";

}  // namespace bridle
