#pragma once

#include <string>

namespace bridle {

// The start has failed, and a client waits at the other end of `in` and `out`: answers its requests with an error that
// has the words, so that it can show them, instead of a connection that just ends [tool.cli.start-error]. Returns soon
// after the first, when the input ends, or when no request comes.
void refuse_over_stdio(const std::string& words, int in, int out);

}  // namespace bridle
