#include "tools/devtools/video/recording.h"

#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/concurrency/thread.h"
#include "base/errors.h"
#include "base/limits.h"
#include "base/text/codecs.h"
#include "base/text/log.h"

namespace bridle {
namespace {

constexpr Millis kVideoIdles{20'000};    // ffmpeg, at the end, without doing anything
constexpr double kBehind = 5;            // seconds of pictures that may be due at once
constexpr int kQuality = 80;             // of its JPEGs
constexpr Millis kQuiet{300};            // after which a page counts as still
constexpr std::size_t kUnanswered = 64;  // pictures
constexpr std::size_t kNoted = 256;      // commands between two pictures
constexpr std::size_t kChapters = 200;
constexpr std::size_t kChapterTitle = 200;  // characters

// A file, mapped to be read once.
class MappedFile {
 public:
  explicit MappedFile(const Fd& file) {
    struct stat info {};
    if (::fstat(file.get(), &info) != 0 || info.st_size <= 0) return;
    const auto size = static_cast<std::size_t>(info.st_size);
    void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (start == MAP_FAILED) return;
    ::madvise(start, size, MADV_SEQUENTIAL);
    bytes_ = {static_cast<const char*>(start), size};
  }
  ~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_{};
};

// The number of a picture, to answer for it: of two members of that name the one that is no text.
long frame_number(std::string_view message) {
  constexpr std::string_view kKey = "\"sessionId\":";
  for (auto at = message.rfind(kKey); at != std::string_view::npos && at > 0; at = message.rfind(kKey, at - 1)) {
    const auto rest = message.substr(at + kKey.size());
    long number = -1;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), number).ec == std::errc()) return number;
  }
  return -1;
}

bool is_drawn(std::string_view method) {
  return method.starts_with("Input.") || method == "Page.navigate" || method == "Page.reload";
}

}  // namespace

std::shared_ptr<VideoRecording> VideoRecording::start(const CallContext& ctx, const std::shared_ptr<Tab>& tab,
                                                      std::shared_ptr<const SessionFiles> files, VideoRequest request) {
  std::shared_ptr<VideoRecording> recording(new VideoRecording(std::move(files), std::move(request)));
  recording->begin(ctx, tab);
  return recording;
}

VideoRecording::VideoRecording(std::shared_ptr<const SessionFiles> files, VideoRequest request)
    : files_(std::move(files)),
      request_(std::move(request)),
      shows_actions_(request_.shows_actions),
      canvas_(request_.format.width, request_.format.height) {}

VideoRecording::~VideoRecording() {
  discard();
  if (thread_.joinable()) thread_.join();
}

void VideoRecording::begin(const CallContext& ctx, const std::shared_ptr<Tab>& tab) {
  tab_ = tab;
  cast_ = std::make_unique<SideSession>(ctx, *tab);
  const auto folder = files_->ensure();
  try {
    encoder_ = std::make_unique<VideoEncoder>(request_.format, folder, limits::kVideo);
  } catch (const std::system_error& error) {
    throw ToolError("The video can't be made: " + std::string(error.what()) + ".");
  }
  cast_->on_event([weak = weak_from_this()](std::string_view method, std::string_view message) {
    if (const auto self = weak.lock()) self->on_event(method, message);
  });
  // What another tab of the window covers isn't drawn, and so isn't cast.
  cast_->call(ctx, *tab, "Page.bringToFront");
  tab->note_front();
  cast_->call(ctx, *tab, "Page.startScreencast", cast_params());
  // A page that stands still may draw no picture for long.
  const auto shot = tab->call_raw(ctx, "Page.captureScreenshot", {{"format", "jpeg"}, {"quality", kQuality}},
                                  limits::kCdpSlowCommand);
  jpeg_ = from_base64(raw_string_value(shot, "data")).value_or("");
  if (jpeg_.empty())
    throw ToolError("The browser gave no picture of the page, so there is nothing to make a video of.");
  page_ = fit(request_.page_width, request_.page_height, canvas_.width(), canvas_.height());
  tab->command_watch().set([weak = weak_from_this()](std::string_view method, const Json& params) {
    if (!is_drawn(method)) return;
    if (const auto self = weak.lock()) self->note(method, params);
  });
  thread_ = start_thread("bridle-video", [this] { run(); });
}

void VideoRecording::on_event(std::string_view method, std::string_view message) {
  if (method != "Page.screencastFrame") return;
  const auto number = frame_number(message);
  MutexLock lock(mutex_);
  newest_.assign(message);
  if (unanswered_.size() < kUnanswered) unanswered_.push_back(number);
}

Json VideoRecording::cast_params() const {
  return {{"format", "jpeg"},
          {"quality", kQuality},
          {"maxWidth", request_.format.width},
          {"maxHeight", request_.format.height}};
}

void VideoRecording::note(std::string_view method, const Json& params) {
  // Of a text that is typed, which may be a secret, nothing is kept.
  Noted noted{.method = std::string(method),
              .params = method == "Input.insertText" ? Json::object() : params,
              .when = Clock::now()};
  MutexLock lock(mutex_);
  if (noted_.size() < kNoted) noted_.push_back(std::move(noted));
}

double VideoRecording::add_chapter(const std::string& title) {
  const double now = static_cast<double>(frames_) / request_.format.fps;
  MutexLock lock(mutex_);
  if (chapters_.size() >= kChapters) throw ToolError("A video has at most 200 chapters.");
  // What stands before the first chapter has none; two at one time are one.
  if (!chapters_.empty() && chapters_.back().seconds >= now) chapters_.pop_back();
  chapters_.push_back({.seconds = now, .title = loggable(title, kChapterTitle)});
  return now;
}

void VideoRecording::end() {
  {
    MutexLock lock(mutex_);
    if (ending_ == Ending::none) ending_ = Ending::whole;
  }
  changed_.notify_all();
}

void VideoRecording::discard() {
  {
    MutexLock lock(mutex_);
    ending_ = Ending::discarded;
  }
  changed_.notify_all();
  quit_.wake();
}

bool VideoRecording::has_ended() const {
  MutexLock lock(mutex_);
  return done_;
}

bool VideoRecording::await(const CallContext& ctx) {
  MutexLock lock(mutex_);
  return wait_until(ctx, changed_, lock, [this]() REQUIRES(mutex_) { return done_; });
}

VideoResult VideoRecording::stop(const CallContext& ctx) {
  end();
  try {
    if (!await(ctx)) throw ToolError("The video was not finished in time. Call action stop again.");
  } catch (const Aborted&) {
    discard();
    await(ctx.shielded(limits::kCleanup));
    throw;
  }
  MutexLock lock(mutex_);
  return result_;
}

bool VideoRecording::tab_is_gone() const {
  const auto tab = tab_.lock();
  return !tab || tab->state().gone;
}

bool VideoRecording::await_tick(Clock::time_point due) {
  if (tab_is_gone()) return false;
  MutexLock lock(mutex_);
  changed_.wait_until(lock, due, [this]() REQUIRES(mutex_) { return ending_ != Ending::none; });
  return ending_ == Ending::none;
}

// Takes the newest picture, if there is a new one, and draws what was done over it.
void VideoRecording::take_picture() {
  std::string message;
  std::vector<Noted> noted;
  long answered = -1;
  {
    MutexLock lock(mutex_);
    message.swap(newest_);
    noted.swap(noted_);
    if (!unanswered_.empty()) {
      answered = unanswered_.front();
      unanswered_.pop_front();
    }
  }
  // The browser sends a few pictures ahead of our answers: one answer a tick, and it casts no more than are needed.
  if (answered >= 0) cast_->post("Page.screencastFrameAck", {{"sessionId", answered}});
  const auto now = Clock::now();
  if (!message.empty()) {
    const Json params = parse_cdp(message).at("params");
    jpeg_ = from_base64(params.at("data").get_ref<const std::string&>()).value_or(jpeg_);
    const Json& about = params.at("metadata");
    page_ = fit(about.value("deviceWidth", 0.0), about.value("deviceHeight", 0.0), canvas_.width(), canvas_.height());
    last_picture_ = now;
    is_stale_ = !is_refreshing_;
    is_refreshing_ = false;
  } else if (is_stale_ && now - last_picture_ > kQuiet) {
    refresh();
  }
  trace_.show(shows_actions_);
  for (const auto& one : noted) trace_.note(one.method, one.params, one.when);
  if (trace_.draw(canvas_, page_, now) || layer_.empty()) layer_ = canvas_.qoi();
}

// A picture that the page draws while the browser waits for our answers is not cast, and it may be the last one for
// long. A cast begins with what is there.
void VideoRecording::refresh() {
  is_stale_ = false;
  is_refreshing_ = true;
  cast_->post("Page.stopScreencast");
  cast_->post("Page.startScreencast", cast_params());
}

void VideoRecording::record() {
  const double fps = request_.format.fps;
  const auto longest = static_cast<long>(std::chrono::duration<double>(limits::kVideoLength).count() * fps);
  const auto seconds = [](double span) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(span));
  };
  auto begun = Clock::now();
  do {
    take_picture();
    const double passed = std::chrono::duration<double>(Clock::now() - begun).count();
    long count = static_cast<long>(passed * fps) + 1 - frames_;
    if (const auto most = static_cast<long>(kBehind * fps); count > most) {
      const double lost = static_cast<double>(count - most) / fps;
      skipped_ += lost;
      begun += seconds(lost);
      count = most;
    }
    if (count < 1) continue;
    if (!encoder_->write(quit_, jpeg_, layer_, count)) {
      encoder_ended_ = true;
      return;
    }
    frames_ += count;
  } while (frames_ < longest && await_tick(begun + seconds(static_cast<double>(frames_) / fps)));
}

VideoResult VideoRecording::save() {
  VideoResult result{.seconds = static_cast<double>(frames_) / request_.format.fps, .skipped = skipped_};
  if (!encoder_->finish(quit_, kVideoIdles) || frames_ == 0) {
    result.failure = "ffmpeg made no video: " + loggable(encoder_->complaint(), 500);
    return result;
  }
  std::vector<Chapter> chapters;
  {
    MutexLock lock(mutex_);
    if (ending_ == Ending::discarded) return {.failure = "it was cancelled"};
    chapters = chapters_;
  }
  Fd chaptered;
  if (!chapters.empty())
    chaptered = with_chapters(encoder_->video(), chapters, result.seconds, files_->ensure(), quit_, kVideoIdles);
  const MappedFile file(chaptered ? chaptered : encoder_->video());
  {
    MutexLock lock(mutex_);
    if (ending_ == Ending::discarded) return {.failure = "it was cancelled"};
  }
  result.file = files_->write({}, request_.filename, file.bytes());
  result.bytes = file.bytes().size();
  result.chapters = chaptered ? chapters.size() : 0;
  return result;
}

void VideoRecording::run() {
  VideoResult result;
  try {
    record();
    if (const auto tab = tab_.lock()) tab->command_watch().set(nullptr);
    cast_.reset();
    result = save();
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
  encoder_.reset();
  if (!result.failure.empty()) spdlog::info("a video came to nothing: {}", result.failure);
  MutexLock lock(mutex_);
  result_ = std::move(result);
  done_ = true;
  changed_.notify_all();
}

}  // namespace bridle
