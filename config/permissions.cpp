#include "config/permissions.h"

namespace bridle {
namespace {

struct PermissionRow {
  const char* name;
  std::vector<std::string> chromium;
};

const std::vector<PermissionRow>& permission_table() {
  static const std::vector<PermissionRow> kTable{
      {"accelerometer", {"sensors"}},
      {"ambient-light-sensor", {"sensors"}},
      {"background-sync", {"backgroundSync"}},
      {"camera", {"videoCapture"}},
      {"clipboard-read", {"clipboardReadWrite"}},
      {"clipboard-write", {"clipboardSanitizedWrite"}},
      {"geolocation", {"geolocation"}},
      {"gyroscope", {"sensors"}},
      {"local-fonts", {"localFonts"}},
      {"local-network-access", {"localNetworkAccess", "localNetwork", "loopbackNetwork"}},
      {"magnetometer", {"sensors"}},
      {"microphone", {"audioCapture"}},
      {"midi", {"midi"}},
      {"midi-sysex", {"midiSysex"}},
      {"notifications", {"notifications"}},
      {"payment-handler", {"paymentHandler"}},
      {"screen-wake-lock", {"wakeLockScreen"}},
      {"storage-access", {"storageAccess"}},
  };
  return kTable;
}

}  // namespace

std::vector<std::string> chromium_permissions(std::string_view name) {
  for (const auto& row : permission_table()) {
    if (name == row.name) return row.chromium;
  }
  return {};
}

std::string permission_names() {
  std::string names;
  for (const auto& row : permission_table()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

}  // namespace bridle
