#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

// Every bound of the server, in one place [cancel.limits].
// A limit that an option can change has its default here.
namespace bridle::limits {

using std::chrono::milliseconds;

// Cancellation.
inline constexpr milliseconds kAbortWarning{3000};      // a tool that hasn't ended this long after its abort is named
inline constexpr milliseconds kCleanup{1000};           // shielded clean-up after an abort
inline constexpr milliseconds kEarlyCancelTtl{2000};    // a cancel that overtook its request is kept this long
inline constexpr std::size_t kEarlyCancels = 64;        // ... and at most this many a session
inline constexpr std::size_t kKnownIds = 1024;          // finished ids remembered a session
inline constexpr std::size_t kTabQueue = 16;            // calls that wait for one tab, beside the one that runs
inline constexpr milliseconds kWaitMax{300'000};        // browser_wait_for
inline constexpr milliseconds kCdpCommand{10'000};      // one CDP command
inline constexpr milliseconds kCdpSlowCommand{30'000};  // screenshot, PDF
inline constexpr std::size_t kInFlight = 256;           // requests running or queued in the whole server
inline constexpr double kCallBurst = 2000;              // tool calls of one client at once, and then a second
inline constexpr double kCallsPerSecond = 1000;
inline constexpr std::size_t kRequestThreads = 512;  // their threads: one may still wind down where the next starts
inline constexpr milliseconds kKeepAlive{15'000};    // an SSE comment when nothing else was sent
inline constexpr milliseconds kStopWait{3000};       // browser_stop, POST /stop: how long they wait for the end
inline constexpr std::size_t kRecentRequests = 100;  // finished requests that /status shows
inline constexpr milliseconds kRequestDeadline{330'000};  // any tool call; above kWaitMax
inline constexpr std::size_t kCancelReasonLength = 200;   // of a cancel's reason in the log, characters

// Shutdown.
inline constexpr milliseconds kDrain{4000};  // clean end: all of it in 5 s

// Navigation.
inline constexpr milliseconds kNavigationTimeout{5000};
inline constexpr milliseconds kNavigationTimeoutMax{120'000};
inline constexpr milliseconds kLoadWait{2000};        // waitUntil load, after DOMContentLoaded
inline constexpr milliseconds kDomContentWait{5000};  // DOMContentLoaded after the commit
inline constexpr milliseconds kGuardWait{5000};       // the second guard on a transient tab
inline constexpr milliseconds kActionSettle{3000};    // the adaptive wait after an action
inline constexpr milliseconds kTimersWaitedFor{350};  // delay of a timer that an action's page has set
inline constexpr milliseconds kHoverPause{700};       // the same of a hover: until a tooltip comes
inline constexpr milliseconds kLateEffects{700};      // all waits together for an action's timers and animations
inline constexpr milliseconds kBlankPage{350};        // for a page that shows nothing to begin with what it shows
inline constexpr milliseconds kActionQuiet{100};      // quiet that ends it
inline constexpr milliseconds kSocketAnswer{1000};    // from what a page sends over a WebSocket to what comes back
inline constexpr milliseconds kActionTimeout{5000};   // actionability
inline constexpr std::size_t kUrlLength = 4096;
inline constexpr int kSliderPresses = 400;  // keys that one slider is moved by

// Pictures in results, by what models take as it is.
inline constexpr double kPictureSide = 1568;  // px of the longer side
inline constexpr std::size_t kPicturePixels = 1'150'000;

// HTTP.
inline constexpr std::size_t kHeadBytes = 64 * 1024;
inline constexpr std::size_t kTargetBytes = 8 * 1024;
inline constexpr std::size_t kBodyBytes = 4 * 1024 * 1024;
inline constexpr std::size_t kBodiesBytes = 64 * 1024 * 1024;  // of all request bodies that are held at once
inline constexpr milliseconds kHeadTime{20'000};               // the whole head of a request
inline constexpr milliseconds kBodyTime{30'000};               // the whole body of a request
inline constexpr milliseconds kIdleConnection{120'000};
inline constexpr milliseconds kWriteTime{20'000};  // a peer that takes no bytes for this long is gone
inline constexpr std::size_t kConnections = 1200;
inline constexpr std::size_t kStrangers = 600;    // of these, at most so many are not the owner's and show no token
inline constexpr std::size_t kOneStranger = 300;  // ... and at most so many of one user, or of one unknown address
inline constexpr std::size_t kConnectionThreads = 2 * kConnections;  // one may still wind down where the next starts

// The control panel.
inline constexpr std::size_t kTimeline = 500;            // past calls that it can be asked for
inline constexpr std::size_t kTimelineArguments = 8192;  // bytes of one's arguments that are kept
inline constexpr std::size_t kTimelineShown = 50;        // ... that it begins with
inline constexpr milliseconds kPanelToken{5 * 60'000};   // a link's token is good for this long
inline constexpr std::size_t kPanelTokens = 16;          // ... and so many of them at once
inline constexpr std::size_t kPanelCookies = 64;         // browsers that were let in
inline constexpr milliseconds kPanelAlive{5000};         // a comment when nothing else was sent
inline constexpr milliseconds kPanelTabsTick{40};        // how often tabs are looked at while somebody watches
inline constexpr milliseconds kPanelPace{20};            // between two states
inline constexpr milliseconds kHold{10 * 60'000};        // a call waits so long for the person who has taken over
inline constexpr milliseconds kViewerGone{30'000};       // without its stream a viewer hands back
inline constexpr std::size_t kPanelInputs = 100;         // input events of one request
inline constexpr double kViewRate = 15;                  // pictures a second
inline constexpr std::size_t kHandleShown = 10;          // characters of an isolated tab's handle, a secret
inline constexpr int kViewWidth = 2560;                  // px

// Sessions.
inline constexpr std::size_t kSessions = 1100;
inline constexpr std::size_t kCapabilities = 64 * 1024;      // a session keeps its client's, as JSON
inline constexpr milliseconds kSessionIdle{30 * 60 * 1000};  // of an isolated context, too
inline constexpr long kIsolatedContexts = 64;                // of all clients together

// The forward proxy that the browser's traffic goes through while there are rules for it.
inline constexpr std::size_t kProxyConnections = 4096;
inline constexpr std::size_t kProxyLookups = 16;          // threads that look names up
inline constexpr std::size_t kProxyBuffer = 64 * 1024;    // bytes read at once, and kept for a side that is slow
inline constexpr milliseconds kProxyConnectTime{30'000};  // from a request's head to its connection
inline constexpr milliseconds kProxyNextAddress{250};     // RFC 8305: until the next address is tried as well
inline constexpr std::size_t kProxyFailures = 256;        // why connections failed, for the words of an error

// Routes: what a session answers of its pages' requests, or changes.
inline constexpr std::size_t kRoutes = 100;                   // of one session
inline constexpr std::size_t kRouteBytes = 32 * 1024 * 1024;  // of all of them, with what they answer
inline constexpr std::size_t kRoutePattern = 2000;            // characters of a pattern
inline constexpr std::size_t kRoutedUrl = 64 * 1024;          // a request with a longer URL is never routed
inline constexpr milliseconds kRouteDelay{120'000};
inline constexpr std::size_t kHarFile = 64 * 1024 * 1024;    // bytes of a HAR file that is replayed
inline constexpr std::size_t kHarRequests = 10'000;          // of one recording
inline constexpr std::size_t kHarBody = 4 * 1024 * 1024;     // bytes of one body in a recording
inline constexpr std::size_t kHarBodies = 32 * 1024 * 1024;  // ... and of all of them
inline constexpr std::size_t kHarPostData = 64 * 1024;       // of one request's body
inline constexpr milliseconds kHarBodiesWait{2000};          // at the end, for the last bodies

// Results.
inline constexpr std::size_t kMaxOutput = 25'000;             // characters of one result's text
inline constexpr std::size_t kCdpMessage = 64 * 1024 * 1024;  // bytes of one CDP message; a longer one is dropped
inline constexpr std::size_t kCdpParsed = 16 * 1024 * 1024;   // the same of one that is parsed: events, plain answers

// What browser_export_test can tell of.
inline constexpr std::size_t kRecordedActions = 1000;
inline constexpr std::size_t kRecordedBytes = 4 * 1024 * 1024;  // of their arguments

// Storage states.
inline constexpr std::size_t kStorageState = 64 * 1024 * 1024;  // bytes of a file
inline constexpr std::size_t kSeenOrigins = 2000;               // of one browser context
inline constexpr std::size_t kStorageKept = 8 * 1024 * 1024;    // bytes of a given one that are remembered
// What the last document of an origin has stored as it went, the browser has by then: it gives it 500 ms to unload.
inline constexpr milliseconds kOriginLeft{600};
inline constexpr milliseconds kHiddenVisit{10'000};  // a document of ours that reads or writes an origin's

// Files and downloads.
inline constexpr std::uintmax_t kDownload = 256ULL * 1024 * 1024;        // bytes of one download
inline constexpr std::uintmax_t kSessionOutput = 1024ULL * 1024 * 1024;  // bytes of one session's folder
inline constexpr std::size_t kRunsKept = 1000;                           // histories of runs; older ones go
inline constexpr std::uintmax_t kRunsBytes = 256ULL * 1024 * 1024;       // of all of them
inline constexpr std::uintmax_t kOutput = 5ULL * 1024 * 1024 * 1024;     // bytes of the whole output folder
inline constexpr std::size_t kDownloadsAtOnce = 4;                       // of one session, and of one action
inline constexpr milliseconds kDownloadGrace{30'000};  // after an action: what begins until then is the action's
inline constexpr milliseconds kUnknownDownload{1000};  // a file that no download of ours has been told of is removed

// Videos.
inline constexpr std::size_t kVideos = 8;                       // made at once, in the whole server
inline constexpr std::uintmax_t kVideo = 512ULL * 1024 * 1024;  // bytes of one
inline constexpr milliseconds kVideoLength{60LL * 60 * 1000};

// The browser.
inline constexpr milliseconds kBrowserStart{30'000};
inline constexpr milliseconds kBrowserExit{3000};
inline constexpr milliseconds kBrowserIdle{60 * 60 * 1000};  // without a call; see --idle-timeout
inline constexpr milliseconds kCdpConnect{5000};             // to a browser that runs; see --cdp-timeout
inline constexpr milliseconds kCdpConnectMax{300'000};
inline constexpr std::size_t kShortestSecret = 4;  // characters; of --secrets
inline constexpr std::size_t kSecretsFile = 256 * 1024;
inline constexpr std::size_t kBrowsers = 32;  // at once, with one for each session

}  // namespace bridle::limits
