#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "config/options.h"

// `bridle doctor`: what protects this installation, and what doesn't, each with what to do [tool.doctor]. It starts no
// browser and no server, and changes nothing.
namespace bridle {

// What the machine is, as far as the options don't say it. look_at_machine() fills in what needs no browser code.
struct Machine {
  uid_t user = 0;
  uid_t browser_user = 0;            // as root: who Chromium runs as, with its sandbox; 0: root, without one
  std::string no_sandbox_because{};  // then: why; the rest of a sentence
  std::string no_sandbox_remedy{};   // and what to do
  bool user_namespaces = false;      // this user may make them: Chromium's sandbox stands on them
  bool sandbox_helper = false;       // or on this one, which is setuid root
  std::string chromium{};            // "": none was found
  std::string chromium_problem{};    // then: why
  std::string chromium_version{};    // "": it did not tell
  std::string program{};             // our own path
  std::string home{};
  std::string temp{};                  // where profiles that aren't kept lie
  std::string output{};                // --output-dir, or its default
  std::uintmax_t output_bytes = 0;     // that lie there
  std::uintmax_t output_free = 0;      // on its disk
  std::vector<std::string> proxies{};  // variables of the environment that name one
};
// `chromium` "": none, because of `problem`. May take some seconds, as Chromium is asked for its version.
Machine look_at_machine(const std::string& chromium, const std::string& problem);

struct Finding {
  enum class Grade { good, note, warning, serious };
  Grade grade = Grade::good;
  std::string subject{};  // one word or two
  std::string words{};    // a sentence
  std::string remedy{};   // what to do; "" where nothing is to be done
};
// Looks at the files that the options name, too.
std::vector<Finding> examine(const Options& options, const Machine& machine);

// As it is printed.
std::string doctors_report(const std::vector<Finding>& findings);
// The exit code: 0 when nothing is serious, else 1.
int doctors_verdict(const std::vector<Finding>& findings);

}  // namespace bridle
