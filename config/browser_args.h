#pragma once

#include <string>

#include "config/options.h"

namespace bridle {

// Adds a switch of the browser (--browser-arg). What an option of ours says is said by that option: --no-sandbox sets
// it. Throws std::invalid_argument for what is no switch, and for what would break a promise: who else may drive the
// browser, where its profile is, which way its traffic goes.
void add_browser_arg(Options& options, const std::string& arg);

// "Name: value", as a request to --cdp-endpoint may carry it. Throws std::invalid_argument; the words hold no value.
std::string checked_cdp_header(const std::string& header);

// Takes a switch that bridle itself gives the browser, such as --mute-audio, away from it; one that it doesn't give
// changes nothing. Throws std::invalid_argument for what is no switch, and for one that keeps a promise.
void ignore_browser_arg(Options& options, const std::string& arg);

}  // namespace bridle
