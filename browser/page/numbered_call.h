#pragma once

#include <cstdint>
#include <string>

#include "base/errors.h"
#include "browser/page/snapshot.h"
#include "browser/page/world/world.h"

namespace bridle {

// A page function that hands out refs, from the session's next number on. A problem it names is thrown as ToolError.
template <typename Function>
typename Function::Result numbered_call(const CallContext& ctx, Tab& tab, RefSpace& refs, const std::string& frame_id,
                                        Function function) {
  const auto number = [](page::Integer ref) { return static_cast<std::uint64_t>(ref); };
  function.ref_start = static_cast<page::Integer>(refs.next());
  auto result = page_call(ctx, tab, frame_id, function);
  // Another tab of the session may have taken the same numbers meanwhile: number again, from where it ended.
  while (result.ok && !refs.claim(number(function.ref_start), number(result.next))) {
    function.reassign_from = function.ref_start;
    function.ref_start = static_cast<page::Integer>(refs.next());
    result = page_call(ctx, tab, frame_id, function);
  }
  if (!result.ok) throw ToolError(result.error);
  return result;
}

}  // namespace bridle
