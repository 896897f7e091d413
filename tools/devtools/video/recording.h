#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "base/concurrency/wake_fd.h"
#include "browser/page/side_session.h"
#include "tools/devtools/video/encoder.h"
#include "tools/devtools/video/layer.h"
#include "tools/files/session_files.h"

namespace bridle {

struct VideoRequest {
  std::string filename{};
  VideoFormat format{};
  double page_width = 0;  // CSS px of the viewport when it begins
  double page_height = 0;
  bool shows_actions = true;
};

// What a recording came to.
struct VideoResult {
  std::optional<SessionFiles::Written> file{};  // nullopt: there is none
  std::string failure{};                        // and why
  double seconds = 0;
  double skipped = 0;  // seconds that the machine was too slow for
  std::size_t bytes = 0;
  std::size_t chapters = 0;
};

// A video of one tab while it is made [tool.video]. The browser casts the page's pictures, when it draws them, to a
// session of its own; a thread hands the newest one to ffmpeg, as often as the frame rate asks for, with what was done
// drawn over it. It ends by stop(), with its tab, at a limit or at close(), and then the file is whole; or by
// discard(), and there is none. Any thread.
class VideoRecording : public std::enable_shared_from_this<VideoRecording> {
 public:
  // Returns once it has the page's first picture. Throws ToolError, Aborted, and what Tab::call throws; then nothing
  // is left.
  static std::shared_ptr<VideoRecording> start(const CallContext& ctx, const std::shared_ptr<Tab>& tab,
                                               std::shared_ptr<const SessionFiles> files, VideoRequest request);
  ~VideoRecording();
  VideoRecording(const VideoRecording&) = delete;
  VideoRecording& operator=(const VideoRecording&) = delete;

  // Where the video is, in seconds. Throws ToolError when there are too many.
  double add_chapter(const std::string& title);
  // Whether what is done is drawn over the pictures from now on.
  void show_actions(bool shown) { shows_actions_ = shown; }
  // Ends it and waits for its file. An abort discards it.
  VideoResult stop(const CallContext& ctx);
  void end();      // asks for its end, without waiting
  void discard();  // the same, without a file
  // Waits until it has ended, or until ctx's deadline. False: it hasn't. Throws Aborted.
  bool await(const CallContext& ctx);
  bool has_ended() const;
  const VideoFormat& format() const { return request_.format; }

 private:
  VideoRecording(std::shared_ptr<const SessionFiles> files, VideoRequest request);
  void begin(const CallContext& ctx, const std::shared_ptr<Tab>& tab);
  void on_event(std::string_view method, std::string_view message);  // reader thread
  void note(std::string_view method, const Json& params);
  void run();
  void record();
  bool tab_is_gone() const;
  // What the next pictures are; false: it is to end.
  bool await_tick(Clock::time_point due);
  void take_picture();
  void refresh();
  Json cast_params() const;
  VideoResult save();

  const std::shared_ptr<const SessionFiles> files_;
  const VideoRequest request_;
  std::weak_ptr<Tab> tab_;
  std::unique_ptr<SideSession> cast_;
  std::unique_ptr<VideoEncoder> encoder_;
  const WakeFd quit_{};
  std::atomic<long> frames_{0};
  std::atomic<bool> shows_actions_;

  // Of the thread alone.
  std::string jpeg_{};
  std::string layer_{};
  Fitted page_{};
  Canvas canvas_;
  bool encoder_ended_ = false;
  double skipped_ = 0;
  ActionTrace trace_{};
  Clock::time_point last_picture_{};
  bool is_stale_ = false;       // the page has drawn since it was refreshed
  bool is_refreshing_ = false;  // the next picture is of no change

  mutable Mutex mutex_;
  CondVar changed_;
  enum class Ending { none, whole, discarded };
  Ending ending_ GUARDED_BY(mutex_) = Ending::none;
  bool done_ GUARDED_BY(mutex_) = false;
  std::deque<long> unanswered_ GUARDED_BY(mutex_);
  std::string newest_ GUARDED_BY(mutex_);  // the event with the newest picture; "" when it is taken
  struct Noted {
    std::string method{};
    Json params{};
    Clock::time_point when{};
  };
  std::vector<Noted> noted_ GUARDED_BY(mutex_);  // that the thread hasn't drawn yet
  std::vector<Chapter> chapters_ GUARDED_BY(mutex_);
  VideoResult result_ GUARDED_BY(mutex_);

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace bridle
