// The tests' remote control of the fixture server: what SiteServer's members do, over HTTP and in JSON.
//
//   GET  /__origins                             {origin, other, crossSite, now}
//   GET  /__log?path=P                          {requests:[...], hangups:[{path, target, ms, afterMs}], open, now}
//   GET  /__wait_request?path=P&timeout=MS&count=N    the N-th such request, or 504
//   GET  /__wait_hangup?path=P&timeout=MS&count=N     the N-th such hang-up, or 504
//   GET  /__wait_open?path=P&timeout=MS&count=N       {open} once N answers are unfinished, or 504
//   any  /__release?key=K  or  ?path=/P         {}
//   POST /__set_page?path=P                     {}; the body is the page
//   POST /__reset                               {}
//
// Times are milliseconds of CLOCK_MONOTONIC, as process.hrtime in node has it; `now` is the server's, at the answer.
#pragma once

#include "tests/site/response.h"

namespace bridle::site {

class SiteServer;

void serve_control(SiteServer& server, const Request& request, Response& response);

}  // namespace bridle::site
