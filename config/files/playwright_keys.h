#pragma once

#include <span>
#include <string_view>

namespace bridle {

// A key of @playwright/mcp's configuration file by its path, and what it is here.
struct PlaywrightKey {
  enum class How {
    option,   // the option `what`
    when,     // sets the flag `what` where it says `instead`
    negated,  // true changes nothing, false sets the flag `what`
    proxy,    // a part of --proxy-server
    size,     // {width, height}, for the option `what`
    ignored,  // switches of bridle's own that the browser is started without
    video,    // {dir, size}, for the option `what`; a directory is bridle's own choice
    headers,  // {name: value}, for the option `what`
    paths,    // paths that count from the file's folder, for the option `what`
    emulate,  // the argument `what` of --emulate
    secrets,  // {name: value}
    foreign,  // as another server's flag `what`
    nothing,  // changes nothing here, whatever it says
    only,     // changes nothing where it says one of `what`, separated by commas; else `instead` says what to do
  };
  std::string_view path;
  How how;
  const char* what = "";
  const char* instead = "";
};
std::span<const PlaywrightKey> playwright_keys();

}  // namespace bridle
