// Headers of 2026-07-28 that mirror the body [wire.headers] [wire.headers.mirrored].
#include <nlohmann/json.hpp>

#include "server/http/messages/message.h"
#include "server/transports/modern_headers.h"
#include "tests/support/catch.h"

using namespace bridle;
using Json = nlohmann::json;

namespace {

HttpRequest request_with(std::vector<std::pair<std::string, std::string>> headers) {
  HttpRequest request;
  request.headers = std::move(headers);
  return request;
}

const Json kSchema = {
    {"properties",
     {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}},
      {"count", {{"type", "integer"}, {"x-mcp-header", "Count"}}},
      {"dry", {{"type", "boolean"}, {"x-mcp-header", "Dry"}}},
      {"plain", {{"type", "string"}}},
      {"where", {{"type", "object"}, {"properties", {{"zone", {{"type", "string"}, {"x-mcp-header", "Zone"}}}}}}}}}};

bool passes(const HttpRequest& request, const Json& arguments) {
  return check_param_headers(request, kSchema, arguments).empty();
}

}  // namespace

TEST_CASE("mirrored headers: each must be its argument, and none is expected for what isn't there",
          "[wire.headers.mirrored]") {
  CHECK(passes(request_with({}), Json::object()));
  CHECK(passes(request_with({}), {{"region", nullptr}, {"plain", "x"}}));
  CHECK(passes(request_with({{"mcp-param-REGION", "eu"}}), {{"region", "eu"}}));  // names in any case
  CHECK_FALSE(passes(request_with({{"Mcp-Param-Region", "EU"}}), {{"region", "eu"}}));
  CHECK_FALSE(passes(request_with({}), {{"region", "eu"}}));
  CHECK_FALSE(passes(request_with({{"Mcp-Param-Region", "eu"}}), Json::object()));
  CHECK_FALSE(passes(request_with({{"Mcp-Param-Region", "eu"}, {"Mcp-Param-Region", "us"}}), {{"region", "eu"}}));
  CHECK(passes(request_with({{"Mcp-Param-Zone", "a"}}), {{"where", {{"zone", "a"}}}}));
  CHECK_FALSE(passes(request_with({}), {{"where", {{"zone", "a"}}}}));
}

TEST_CASE("mirrored headers: integers count as numbers, booleans as words, base64 strictly", "[wire.headers]") {
  CHECK(passes(request_with({{"Mcp-Param-Count", "7"}}), {{"count", 7}}));
  CHECK(passes(request_with({{"Mcp-Param-Count", "7.0"}}), {{"count", 7}}));
  CHECK_FALSE(passes(request_with({{"Mcp-Param-Count", "7x"}}), {{"count", 7}}));
  CHECK_FALSE(passes(request_with({{"Mcp-Param-Count", ""}}), {{"count", 7}}));
  CHECK(passes(request_with({{"Mcp-Param-Dry", "true"}}), {{"dry", true}}));
  CHECK_FALSE(passes(request_with({{"Mcp-Param-Dry", "True"}}), {{"dry", true}}));
  CHECK(passes(request_with({{"Mcp-Param-Region", "=?base64?w6Q=?="}}), {{"region", "\xC3\xA4"}}));
  CHECK_FALSE(passes(request_with({{"Mcp-Param-Region", "=?base64?w6Q?="}}), {{"region", "\xC3\xA4"}}));  // no padding
  CHECK_FALSE(
      passes(request_with({{"Mcp-Param-Region", "=?base64?w6R=?="}}), {{"region", "\xC3\xA4"}}));  // bits left over
  CHECK(passes(request_with({{"Mcp-Param-Region", "=?base64?w6Q="}}),
               {{"region", "=?base64?w6Q="}}));  // no sentinel: as it is
}
