#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/text/json.h"

namespace bridle {

class Browser;
class BrowserContext;

// What a browser context has stored, as the files hold it that Playwright calls storage states: cookies, and each
// origin's localStorage and IndexedDB. A value type.
struct StorageState {
  std::vector<Json> cookies{};            // as the file has them
  std::map<std::string, Json> origins{};  // {localStorage: [...], indexedDB: [...]}, by origin
};

// A text that is no storage state; what() says where and what should be there.
class StorageStateError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// Checks all of it. Throws StorageStateError.
StorageState parse_storage_state(std::string_view text);
// The same of a file; can't read it: the same error.
StorageState read_storage_state(const std::string& path);
std::string to_text(const StorageState& state);

// The state of a context, also of origins that no tab shows, and what it lacks.
struct SavedState {
  StorageState state{};
  int lossy = 0;                          // values that the format has no form for
  std::vector<std::string> unreadable{};  // "origin: why"
  bool incomplete = false;                // more origins than are remembered
};
// Throws Aborted, CdpError, CdpClosed, CdpTimeout.
SavedState save_storage_state(const CallContext& ctx, Browser& browser, const BrowserContext& context);

// Puts the state in place of all that the context has stored; `done` is told of each thing that has been done. Returns
// what the browser refused: "origin: why". Where it refuses a cookie nothing has changed. Throws Aborted, CdpError,
// CdpClosed, CdpTimeout.
std::vector<std::string> load_storage_state(const CallContext& ctx, Browser& browser, const BrowserContext& context,
                                            const StorageState& state,
                                            const std::function<void(const std::string& words)>& done);

}  // namespace bridle
