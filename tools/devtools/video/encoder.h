#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/wake_fd.h"
#include "base/fd.h"
#include "base/spawn.h"

namespace bridle {

struct VideoFormat {
  int width = 0;  // px, both even
  int height = 0;
  int fps = 0;
};

struct Chapter {
  double seconds = 0;  // at which it begins
  std::string title{};
};

// A file without a name, so that nothing is left of it however this process ends. Throws std::system_error.
Fd nameless_file(const std::filesystem::path& folder);

// Debian's ffmpeg, as a process that makes a WebM of pictures [why.video-by-ffmpeg]. It reads from pipes of ours and
// may open nothing but files that it is handed; it is killed when this ends. Used by one thread at a time.
class VideoEncoder {
 public:
  // `folder`: on whose disk the unfinished video is. Throws ToolError when there is no ffmpeg, std::system_error.
  VideoEncoder(const VideoFormat& format, const std::filesystem::path& folder, std::uintmax_t most_bytes);
  VideoEncoder(const VideoEncoder&) = delete;
  VideoEncoder& operator=(const VideoEncoder&) = delete;

  // Its path, or a ToolError that says how to get one.
  static std::string program();

  // Gives it one picture of the page, a JPEG, and one to lay over it (Canvas::qoi), `count` times. Waits while it is
  // busy, until `quit` is woken. False: it has ended, or was told to quit.
  bool write(const WakeFd& quit, std::string_view jpeg, std::string_view layer, long count);
  // No more pictures: waits until the video is whole, as long as ffmpeg works on it: it may do nothing, which is to say
  // have no processor time and not wait for any, for `idle` at most. False when the video isn't whole: complaint() has
  // why.
  bool finish(const WakeFd& quit, Millis idle);
  void kill() { process_->kill(); }
  const Fd& video() const { return video_; }
  const std::string& complaint() const { return complaint_; }

 private:
  void hear();

  Fd video_;
  Fd frames_;
  Fd layers_;
  Fd errors_;
  std::string complaint_{};
  std::unique_ptr<ChildProcess> process_;
};

// The same video with chapters, `seconds` long; an empty Fd when it can't be made: the one without is whole.
// `idle` as in VideoEncoder::finish.
Fd with_chapters(const Fd& video, const std::vector<Chapter>& chapters, double seconds,
                 const std::filesystem::path& folder, const WakeFd& quit, Millis idle);

}  // namespace bridle
