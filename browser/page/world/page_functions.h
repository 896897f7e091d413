#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "browser/cdp/message.h"

// The functions of the page's scripts as types: a struct for each entry of page_contract.def, whose members are the
// arguments and whose nested Result is what comes back. They are sent by page_call and its sisters (world.h):
//
//   const auto focus = page_call(ctx, tab, frame, page::FocusForTyping{.target = "e12", .clear = true});
//   if (focus.empty) ...
//
// A function, argument or field that the contract doesn't have does not compile; a missing argument is a warning, and
// warnings are errors in the tests' build.
//
// write() adds the arguments as JavaScript gets them. read() takes over what is there of a function's value: a field
// that is missing, null or of another type keeps its default. It moves strings out of `from`.
namespace bridle::page {

using Text = std::string;
using Flag = bool;
using Integer = std::int64_t;
using Number = double;
using Any = Json;
template <typename T>
using List = std::vector<T>;
template <typename T>
using Nullable = std::optional<T>;

// clang-format off
#define PAGE_RECORD(type) struct type { void read(Json& from);
#define PAGE_RECORD_OF(type, base) struct type : base { void read(Json& from);
#define PAGE_FUNCTION(type, name) struct type { static constexpr std::string_view kName = #name; void write(Json& args) const;
#define PAGE_ELEMENT_FUNCTION(type, name) PAGE_FUNCTION(type, name)
#define PAGE_HANDLE(type, name) PAGE_FUNCTION(type, name)
#define PAGE_OBJECT_FUNCTION(type, name) struct type { static constexpr std::string_view kName = #name;
#define PAGE_RESULT(type, base) struct Result; }; struct type::Result : base { void read(Json& from);
#define PAGE_END };
// clang-format on
#define REQUIRED(type, member, name) type member;
#define OPTIONAL(type, member, name) std::optional<type> member{};
#define FIELD(type, member, name) type member{};
#define MAYBE(type, member, name) type member{};
#include "browser/page/world/page_contract.def"
#undef PAGE_RECORD
#undef PAGE_RECORD_OF
#undef PAGE_FUNCTION
#undef PAGE_ELEMENT_FUNCTION
#undef PAGE_HANDLE
#undef PAGE_OBJECT_FUNCTION
#undef PAGE_RESULT
#undef PAGE_END
#undef REQUIRED
#undef OPTIONAL
#undef FIELD
#undef MAYBE

}  // namespace bridle::page
