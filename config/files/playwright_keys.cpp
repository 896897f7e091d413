#include "config/files/playwright_keys.h"

#include <array>

namespace bridle {
namespace {

using How = PlaywrightKey::How;

constexpr const char* kNotBuilt = "bridle has no such setting; leave it out";
constexpr const char* kDevice = "--device or --mobile set it, with all that belongs to it";

constexpr std::array kKeys{
    PlaywrightKey{"browser.browserName", How::foreign, "browser"},
    PlaywrightKey{"browser.isolated", How::option, "isolated"},
    PlaywrightKey{"browser.userDataDir", How::option, "user-data-dir"},
    PlaywrightKey{"browser.cdpEndpoint", How::option, "cdp-endpoint"},
    PlaywrightKey{"browser.cdpHeaders", How::headers, "cdp-header"},
    PlaywrightKey{"browser.cdpTimeout", How::option, "cdp-timeout"},
    PlaywrightKey{"browser.remoteEndpoint", How::foreign, "endpoint"},
    PlaywrightKey{"browser.remoteHeaders", How::foreign, "remote-header"},
    PlaywrightKey{"browser.initPage", How::foreign, "init-page"},
    PlaywrightKey{"browser.initScript", How::paths, "init-script"},

    PlaywrightKey{"browser.launchOptions.args", How::option, "browser-arg"},
    PlaywrightKey{"browser.launchOptions.executablePath", How::option, "executable-path"},
    PlaywrightKey{"browser.launchOptions.headless", How::option, "headless"},
    PlaywrightKey{"browser.launchOptions.channel", How::option, "channel"},
    PlaywrightKey{"browser.launchOptions.chromiumSandbox", How::negated, "no-sandbox"},
    PlaywrightKey{"browser.launchOptions.proxy.server", How::proxy},
    PlaywrightKey{"browser.launchOptions.proxy.username", How::proxy},
    PlaywrightKey{"browser.launchOptions.proxy.password", How::proxy},
    PlaywrightKey{"browser.launchOptions.proxy.bypass", How::option, "proxy-bypass"},
    PlaywrightKey{"browser.launchOptions.downloadsPath", How::nothing},
    PlaywrightKey{"browser.launchOptions.tracesDir", How::nothing},
    PlaywrightKey{"browser.launchOptions.artifactsDir", How::nothing},
    PlaywrightKey{"browser.launchOptions.handleSIGHUP", How::nothing},
    PlaywrightKey{"browser.launchOptions.handleSIGINT", How::nothing},
    PlaywrightKey{"browser.launchOptions.handleSIGTERM", How::nothing},
    PlaywrightKey{"browser.launchOptions.timeout", How::nothing},
    PlaywrightKey{"browser.launchOptions.firefoxUserPrefs", How::nothing},
    PlaywrightKey{"browser.launchOptions.assistantMode", How::nothing},
    PlaywrightKey{"browser.launchOptions.devtools", How::only, "false", kNotBuilt},
    PlaywrightKey{"browser.launchOptions.slowMo", How::only, "0", kNotBuilt},
    PlaywrightKey{"browser.launchOptions.env", How::only, "",
                  "the browser has bridle's own environment; set it where bridle is started"},
    PlaywrightKey{"browser.launchOptions.ignoreDefaultArgs", How::ignored},

    PlaywrightKey{"browser.contextOptions.viewport", How::size, "viewport-size"},
    PlaywrightKey{"browser.contextOptions.ignoreHTTPSErrors", How::option, "ignore-https-errors"},
    PlaywrightKey{"browser.contextOptions.userAgent", How::option, "user-agent"},
    PlaywrightKey{"browser.contextOptions.storageState", How::paths, "storage-state"},
    PlaywrightKey{"browser.contextOptions.permissions", How::option, "grant-permissions"},
    PlaywrightKey{"browser.contextOptions.serviceWorkers", How::when, "block-service-workers", "block"},
    PlaywrightKey{"browser.contextOptions.proxy.server", How::proxy},
    PlaywrightKey{"browser.contextOptions.proxy.username", How::proxy},
    PlaywrightKey{"browser.contextOptions.proxy.password", How::proxy},
    PlaywrightKey{"browser.contextOptions.proxy.bypass", How::option, "proxy-bypass"},
    PlaywrightKey{"browser.contextOptions.acceptDownloads", How::only, "true,accept",
                  "--max-download 0 refuses all downloads"},
    PlaywrightKey{"browser.contextOptions.javaScriptEnabled", How::emulate, "javaScript"},
    PlaywrightKey{"browser.contextOptions.strictSelectors", How::nothing},
    PlaywrightKey{"browser.contextOptions.bypassCSP", How::emulate, "bypassCSP"},
    PlaywrightKey{"browser.contextOptions.baseURL", How::only, "", "bridle takes whole URLs; leave it out"},
    PlaywrightKey{"browser.contextOptions.colorScheme", How::emulate, "colorScheme"},
    PlaywrightKey{"browser.contextOptions.contrast", How::emulate, "contrast"},
    PlaywrightKey{"browser.contextOptions.forcedColors", How::emulate, "forcedColors"},
    PlaywrightKey{"browser.contextOptions.reducedMotion", How::emulate, "reducedMotion"},
    PlaywrightKey{"browser.contextOptions.deviceScaleFactor", How::emulate, "scale"},
    PlaywrightKey{"browser.contextOptions.hasTouch", How::emulate, "touch"},
    PlaywrightKey{"browser.contextOptions.isMobile", How::emulate, "mobile"},
    PlaywrightKey{"browser.contextOptions.locale", How::emulate, "locale"},
    PlaywrightKey{"browser.contextOptions.timezoneId", How::emulate, "timezone"},
    PlaywrightKey{"browser.contextOptions.geolocation", How::emulate, "geolocation"},
    PlaywrightKey{"browser.contextOptions.offline", How::emulate, "network"},
    PlaywrightKey{"browser.contextOptions.extraHTTPHeaders", How::emulate, "headers"},
    PlaywrightKey{"browser.contextOptions.httpCredentials", How::emulate, "credentials"},
    PlaywrightKey{"browser.contextOptions.screen", How::only, "", kDevice},
    PlaywrightKey{"browser.contextOptions.clientCertificates", How::only, "", kNotBuilt},
    PlaywrightKey{"browser.contextOptions.recordHar", How::only, "", "browser_har, of the set network, records one"},
    PlaywrightKey{"browser.contextOptions.recordVideo", How::video, "save-video"},

    PlaywrightKey{"server.port", How::option, "port"},
    PlaywrightKey{"server.host", How::option, "host"},
    PlaywrightKey{"server.allowedHosts", How::option, "allowed-hosts"},
    PlaywrightKey{"extension", How::foreign, "extension"},
    PlaywrightKey{"profileDirName", How::foreign, "profile-dir-name"},
    PlaywrightKey{"capabilities", How::option, "caps"},
    PlaywrightKey{"saveSession", How::option, "save-session"},
    PlaywrightKey{"saveVideo", How::size, "save-video"},
    PlaywrightKey{"saveTrace", How::only, "false", "browser_trace, of the set devtools, records one"},
    PlaywrightKey{"sharedBrowserContext", How::option, "shared-browser-context"},
    PlaywrightKey{"secrets", How::secrets},
    PlaywrightKey{"outputDir", How::option, "output-dir"},
    PlaywrightKey{"outputMaxSize", How::option, "output-max-size"},
    PlaywrightKey{"outputMode", How::only, "stdout", kNotBuilt},
    PlaywrightKey{"console.level", How::option, "console-level"},
    PlaywrightKey{"network.allowedOrigins", How::option, "allowed-origins"},
    PlaywrightKey{"network.blockedOrigins", How::option, "blocked-origins"},
    PlaywrightKey{"testIdAttribute", How::option, "test-id-attribute"},
    PlaywrightKey{"timeouts.action", How::option, "timeout-action"},
    PlaywrightKey{"timeouts.navigation", How::option, "timeout-navigation"},
    PlaywrightKey{"timeouts.idle", How::option, "idle-timeout"},
    PlaywrightKey{"timeouts.expect", How::nothing},
    PlaywrightKey{"timeouts.settle", How::nothing},
    PlaywrightKey{"imageResponses", How::option, "image-responses"},
    PlaywrightKey{"snapshot.mode", How::option, "snapshot-mode"},
    PlaywrightKey{"snapshot.boxes", How::option, "snapshot-boxes"},
    PlaywrightKey{"allowUnrestrictedFileAccess", How::foreign, "allow-unrestricted-file-access"},
    PlaywrightKey{"codegen", How::foreign, "codegen"},
};

}  // namespace

std::span<const PlaywrightKey> playwright_keys() { return kKeys; }

}  // namespace bridle
