#pragma once

#include "tools/contract/catalogue.h"
#include "tools/contract/tool.h"

namespace bridle {

// A red pixel, in base64.
inline constexpr const char* kRedPixelPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

// `--conformance`: what the official conformance suite expects of a server under test, in place of the browser's tools
// [wire.conformance]. Each fixture does what its name says; nothing here is reachable in bridle itself.
// The catalogue outlives the toolbox's use.
void add_conformance_tools(Toolbox& toolbox, Catalogue& catalogue);
void add_conformance_catalogue(Catalogue& catalogue);

}  // namespace bridle
