#include "browser/page/world/page_functions.h"

#include <type_traits>
#include <utility>

namespace bridle::page {
namespace {

void take(Text& to, Json& from) {
  if (from.is_string()) to = std::move(from.get_ref<std::string&>());
}
void take(Flag& to, Json& from) {
  if (from.is_boolean()) to = from.get<bool>();
}
void take(Integer& to, Json& from) {
  if (from.is_number()) to = from.get<Integer>();
}
void take(Number& to, Json& from) {
  if (from.is_number()) to = from.get<Number>();
}
void take(Any& to, Json& from) { to = std::move(from); }

template <typename Record>
auto take(Record& to, Json& from) -> decltype(to.read(from)) {
  to.read(from);
}

template <typename T>
void take(std::optional<T>& to, Json& from) {
  if (!from.is_null()) take(to.emplace(), from);
}

template <typename T>
void take(std::vector<T>& to, Json& from) {
  if (!from.is_array()) return;
  for (auto& one : from) take(to.emplace_back(), one);
}

template <typename T>
void take_field(T& to, Json& from, const char* name) {
  if (!from.is_object()) return;
  if (const auto field = from.find(name); field != from.end()) take(to, *field);
}

}  // namespace

// An empty body uses neither its parameter nor a member.
// clang-format off
#define PAGE_RECORD(type) void type::read([[maybe_unused]] Json& from) {
#define PAGE_RECORD_OF(type, base) PAGE_RECORD(type) base::read(from);
#define PAGE_FUNCTION(type, name) void type::write([[maybe_unused]] Json& args) const {
#define PAGE_ELEMENT_FUNCTION(type, name) PAGE_FUNCTION(type, name)
#define PAGE_HANDLE(type, name) PAGE_FUNCTION(type, name)
#define PAGE_OBJECT_FUNCTION(type, name) namespace {
#define PAGE_RESULT(type, base) } PAGE_RECORD_OF(type::Result, base)
#define PAGE_END }
// clang-format on
#define REQUIRED(type, member, name) args[#name] = member;
#define OPTIONAL(type, member, name) \
  if (member) args[#name] = *member;
#define FIELD(type, member, name) take_field(member, from, #name);
#define MAYBE(type, member, name) take_field(member, from, #name);
#include "browser/page/world/page_contract.def"

}  // namespace bridle::page
