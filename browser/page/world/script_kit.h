#pragma once

#include <string>
#include <string_view>

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"

namespace bridle {

// What a caller's script needs of the page's own world, taken from there before the page's scripts can touch it
// [why.script-kit]. The browser runs script_kit_source() in each new document; it keeps the built-ins in a closure and
// hangs that on a listener for an event whose name nobody knows: a page can't list listeners, the browser can.
// `alone`: nobody sees the browser's own dialogs, so a page that asks for a passkey or the like is told that none was
// given, and it is noted that it did, as it is of print() [nav.after-action.asks]. The source is constant for the life
// of the process.
std::string_view script_kit_source(bool alone);

// The object id of a document's kit, a function that has `timers` and `posts` (browser/page/input/timer_watch.h); ""
// without one. `frame_id` "" is the main frame. Throws as Tab::call, but for CdpError.
std::string script_kit_of(const CallContext& ctx, Tab& tab, const std::string& frame_id, const FrameState& frame);

// One run's object from the kit, in the page's world but out of the page's reach:
//   signal           an AbortSignal
//   abort()          aborts it
//   watch(value)     a promise that is fulfilled once `value` has settled, or at once if that is no promise: with what
//                    `value` has come to if that is no object, else with an object that tells nothing
//   plain(value)     the JSON text of what an object holds (plain_value.h)
// In a document without a kit (it was there before bridle, or has
// used document.open) the built-ins are the page's, as they are now: such a page can withhold the abort from the
// script, but the result is still read without them. `frame_id` "" is the main frame. Throws as Tab::call.
struct ScriptHandle {
  std::string object_id;  // of the object group; "" where the page has replaced what is needed
  bool from_kit = false;  // else what watch() gives is the page's word
};
ScriptHandle make_script_handle(const CallContext& ctx, Tab& tab, const std::string& frame_id, const FrameState& frame,
                                const std::string& object_group);

}  // namespace bridle
