#include "browser/page/target.h"

#include <charconv>
#include <optional>

#include "base/errors.h"
#include "base/text/text.h"
#include "browser/page/world/world.h"

namespace bridle {
namespace {

constexpr Millis kSearchLimit{2000};

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// `e12` or `f1e3`.
bool is_ref(std::string_view text) {
  if (text.starts_with('f')) {
    const auto letter = text.find('e');
    return letter != std::string_view::npos && is_digits(text.substr(1, letter - 1)) &&
           is_digits(text.substr(letter + 1));
  }
  return text.starts_with('e') && is_digits(text.substr(1));
}

// The number in `f1e3`; nullopt for another ref.
std::optional<int> frame_number_of(std::string_view ref) {
  if (!ref.starts_with('f')) return std::nullopt;
  int number = 0;
  const auto digits = ref.substr(1, ref.find('e') - 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string ref_in(std::string_view target) {
  target = trimmed(target, " \t\r\n");
  constexpr std::string_view kMark = "[ref=";
  if (is_ref(target)) return std::string(target);
  if (target.starts_with('@') && is_ref(target.substr(1))) return std::string(target.substr(1));
  if (target.starts_with(kMark.substr(1)) && is_ref(target.substr(4))) return std::string(target.substr(4));
  const auto mark = target.rfind(kMark);
  if (mark == std::string_view::npos) return {};
  const auto rest = target.substr(mark + kMark.size());
  const auto ref = rest.substr(0, rest.find(']'));
  return ref.size() < rest.size() && is_ref(ref) ? std::string(ref) : std::string();
}

TargetFrame locate_target(const CallContext& ctx, Tab& tab, const RefSpace& refs, const std::string& target) {
  if (const auto ref = ref_in(target); !ref.empty()) {
    const auto number = frame_number_of(ref);
    if (!number) return {tab.main_frame(), true};
    auto frame = refs.frame_id(*number);
    if (frame.empty() || !tab.has_frame(frame))
      throw ToolError(ref + " was in a frame that is no longer on this page. Take a new snapshot.");
    return {std::move(frame), true};
  }
  const auto frames = tab.frames_below_main();
  if (frames.empty()) return {tab.main_frame(), true};
  const page::Describe function{.target = target};
  const auto in_main = page_call(ctx, tab, "", function);
  // Anything but an absence, an invalid selector for one, is the main frame's to tell.
  if (in_main.ok || !in_main.absent) return {tab.main_frame(), true};
  for (const auto& frame : frames) {
    try {
      const auto limited = ctx.within(kSearchLimit);
      if (page_call(limited, tab, frame, function, kSearchLimit).ok) return {frame, true};
    } catch (const Aborted&) {
      throw;
    } catch (const DialogOpened&) {
      throw;
    } catch (const std::exception&) {
      // A frame that doesn't answer has nothing to offer.
    }
  }
  return {tab.main_frame(), false};
}

}  // namespace bridle
