#include "tools/devtools/video/encoder.h"

#include <fcntl.h>
#include <poll.h>
#include <spdlog/fmt/fmt.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/concurrency/deadline.h"
#include "base/errors.h"

namespace bridle {
namespace {

constexpr std::size_t kComplaint = 1000;  // characters that are kept of what ffmpeg says
constexpr int kNice = 5;                  // the page goes first
constexpr int kVideoFd = 4;
// What a pipe holds. On a busy machine all of it is still to be encoded when the video ends, and somebody waits.
constexpr int kPipeBytes = 1 << 18;
constexpr int kTakesNothing = 10'000;  // ms

// What ffmpeg may open: pipes and files, named by us alone. No address of a network gets by that.
constexpr const char* kProtocols = "pipe,file";

std::vector<std::string> quiet_ffmpeg() {
  return {VideoEncoder::program(), "-hide_banner", "-nostdin", "-loglevel", "error", "-y"};
}

void append(std::vector<std::string>& command, std::initializer_list<std::string> more) {
  command.insert(command.end(), more);
}

void append_input(std::vector<std::string>& command, std::initializer_list<std::string> more, const char* url) {
  append(command, {"-protocol_whitelist", kProtocols});
  // It must not look at seconds of one input before it opens the next one, for which we would wait meanwhile.
  append(command, {"-probesize", "32", "-analyzeduration", "0", "-fpsprobesize", "0"});
  append(command, more);
  append(command, {"-i", url});
}

std::string file_url(int fd) { return "file:/proc/self/fd/" + std::to_string(fd); }

std::vector<std::string> encode_command(const VideoFormat& format, std::uintmax_t most_bytes) {
  const auto rate = std::to_string(format.fps);
  const auto size = fmt::format("{}:{}", format.width, format.height);
  auto command = quiet_ffmpeg();
  append_input(command, {"-f", "image2pipe", "-c:v", "mjpeg", "-framerate", rate}, "pipe:0");
  append_input(command, {"-f", "qoi_pipe", "-framerate", rate}, "pipe:3");
  append(command,
         {"-filter_complex",
          fmt::format("[0:v]scale={0}:force_original_aspect_ratio=decrease,pad={0}:(ow-iw)/2:(oh-ih)/2,setsar=1,"
                      "format=yuv420p[page];[1:v]format=yuva420p[layer];[page][layer]overlay=format=yuv420[video]",
                      size),
          "-map",
          "[video]",
          "-c:v",
          "libvpx",
          "-deadline",
          "realtime",
          "-cpu-used",
          "16",
          "-threads",
          "1",
          "-lag-in-frames",
          "0",
          "-b:v",
          "2M",
          "-crf",
          "10",
          "-qmax",
          "50",
          "-g",
          std::to_string(10 * format.fps),
          "-fs",
          std::to_string(most_bytes),
          "-f",
          "webm",
          file_url(kVideoFd)});
  return command;
}

// https://ffmpeg.org/ffmpeg-formats.html#Metadata-1
std::string chapter_list(const std::vector<Chapter>& chapters, double seconds) {
  std::string text = ";FFMETADATA1\n";
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    const double end = i + 1 < chapters.size() ? chapters[i + 1].seconds : seconds;
    text += fmt::format("[CHAPTER]\nTIMEBASE=1/1000\nSTART={:.0f}\nEND={:.0f}\ntitle=", chapters[i].seconds * 1000,
                        end * 1000);
    for (const char letter : chapters[i].title) {
      if (std::string_view("=;#\\\n").find(letter) != std::string_view::npos) text += '\\';
      text += letter;
    }
    text += '\n';
  }
  return text;
}

void write_whole(const Fd& file, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw std::system_error(errno, std::generic_category(), "cannot write");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Processor time that a process has had.
std::chrono::nanoseconds cpu_time(const ChildProcess& process) {
  clockid_t clock = 0;
  timespec used{};
  if (::clock_getcpuclockid(process.pid(), &clock) != 0 || ::clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// Whether one of its threads is ready to run, and only waits for a processor to be free.
bool wants_processor(const ChildProcess& process) {
  std::error_code gone;
  const auto tasks = std::filesystem::path("/proc") / std::to_string(process.pid()) / "task";
  for (std::filesystem::directory_iterator task(tasks, gone), end; !gone && task != end; task.increment(gone)) {
    if (task_state(task->path()) == 'R') return true;
  }
  return false;
}

// Waits until the process has ended; false once it has neither had processor time for `idle` nor waits for any, or
// `quit` is woken. On a busy machine it goes on slowly, and a video that is nearly there must not be lost for that.
bool await_end(ChildProcess& process, const WakeFd& quit, Millis idle, int& status) {
  auto deadline = Deadline::after(idle);
  auto used = cpu_time(process);
  while (!process.has_ended(status)) {
    const auto left = deadline.remaining();
    if (left <= Millis(0)) {
      const auto now = cpu_time(process);
      if (now <= used && !wants_processor(process)) return false;
      used = now;
      deadline = Deadline::after(idle);
      continue;
    }
    std::array<pollfd, 2> fds{{{process.pidfd(), POLLIN, 0}, {quit.get(), POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) return false;
    if (fds[1].revents != 0) return false;
  }
  return true;
}

// What is still to be written to a pipe.
struct Feed {
  const Fd& pipe;
  std::string_view picture;
  long count;
  std::size_t done = 0;

  bool is_over() const { return count == 0; }
  // Writes what the pipe takes. False: nobody reads it any more.
  bool go_on() {
    while (count > 0) {
      const auto written = ::write(pipe.get(), picture.data() + done, picture.size() - done);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno == EAGAIN;
      done += static_cast<std::size_t>(written);
      if (done < picture.size()) continue;
      done = 0;
      --count;
    }
    return true;
  }
};

}  // namespace

Fd nameless_file(const std::filesystem::path& folder) {
  static std::atomic<unsigned> next{0};
  const auto path = folder / fmt::format(".bridle-{}-video-{}", ::getpid(), next++);
  Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) throw std::system_error(errno, std::generic_category(), "cannot write " + path.string());
  ::unlink(path.c_str());
  return above_standard(file.get());
}

std::string VideoEncoder::program() {
  auto path = find_program("ffmpeg");
  if (path.empty())
    throw ToolError("Videos are made by ffmpeg, which is not installed: apt install ffmpeg, then call this again.");
  return path;
}

VideoEncoder::VideoEncoder(const VideoFormat& format, const std::filesystem::path& folder, std::uintmax_t most_bytes) {
  auto command = encode_command(format, most_bytes);
  video_ = nameless_file(folder);
  auto frames = make_pipe();
  auto layers = make_pipe();
  auto errors = make_pipe();
  for (const Fd* ours : {&frames.write_end, &layers.write_end, &errors.read_end})
    ::fcntl(ours->get(), F_SETFL, O_NONBLOCK);
  for (const Fd* ours : {&frames.write_end, &layers.write_end}) ::fcntl(ours->get(), F_SETPIPE_SZ, kPipeBytes);
  process_ =
      std::make_unique<ChildProcess>(std::move(command), std::vector<std::pair<int, int>>{{frames.read_end.get(), 0},
                                                                                          {errors.write_end.get(), 2},
                                                                                          {layers.read_end.get(), 3},
                                                                                          {video_.get(), kVideoFd}});
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(process_->pid()), kNice);
  frames_ = std::move(frames.write_end);
  layers_ = std::move(layers.write_end);
  errors_ = std::move(errors.read_end);
}

// Takes what ffmpeg says, so that it never waits for us to read it.
void VideoEncoder::hear() {
  std::array<char, 4096> words;
  for (;;) {
    const auto got = ::read(errors_.get(), words.data(), words.size());
    if (got <= 0) return;
    complaint_.append(words.data(), static_cast<std::size_t>(got));
    if (complaint_.size() > kComplaint) complaint_.erase(0, complaint_.size() - kComplaint);
  }
}

bool VideoEncoder::write(const WakeFd& quit, std::string_view jpeg, std::string_view layer, long count) {
  std::array<Feed, 2> feeds{{{frames_, jpeg, count}, {layers_, layer, count}}};
  for (;;) {
    for (auto& feed : feeds) {
      if (feed.go_on()) continue;
      hear();
      return false;
    }
    if (feeds[0].is_over() && feeds[1].is_over()) return true;
    const auto events = [](const Feed& feed) { return static_cast<short>(feed.is_over() ? 0 : POLLOUT); };
    std::array<pollfd, 4> fds{{{feeds[0].pipe.get(), events(feeds[0]), 0},
                               {feeds[1].pipe.get(), events(feeds[1]), 0},
                               {errors_.get(), POLLIN, 0},
                               {quit.get(), POLLIN, 0}}};
    const int ready = ::poll(fds.data(), fds.size(), kTakesNothing);
    if (ready == 0) complaint_ = "it took no picture for 10 s";
    if (ready == 0 || (ready < 0 && errno != EINTR)) return false;
    if (fds[3].revents != 0) return false;
    if (fds[2].revents != 0) hear();
  }
}

bool VideoEncoder::finish(const WakeFd& quit, Millis idle) {
  frames_.reset();
  layers_.reset();
  int status = -1;
  const bool ended = await_end(*process_, quit, idle, status);
  hear();
  if (!ended) {
    process_->kill();
    if (complaint_.empty()) complaint_ = "it did nothing any more, and did not end";
  }
  return ended && status == 0;
}

Fd with_chapters(const Fd& video, const std::vector<Chapter>& chapters, double seconds,
                 const std::filesystem::path& folder, const WakeFd& quit, Millis idle) {
  constexpr int kSourceFd = 3;
  constexpr int kListFd = 5;
  const auto list = nameless_file(folder);
  write_whole(list, chapter_list(chapters, seconds));
  auto result = nameless_file(folder);
  auto command = quiet_ffmpeg();
  append_input(command, {"-f", "matroska"}, file_url(kSourceFd).c_str());
  append_input(command, {"-f", "ffmetadata"}, file_url(kListFd).c_str());
  append(command, {"-map", "0", "-map_chapters", "1", "-c", "copy", "-f", "webm", file_url(kVideoFd)});
  ChildProcess process(std::move(command), {{video.get(), kSourceFd}, {result.get(), kVideoFd}, {list.get(), kListFd}});
  int status = -1;
  if (!await_end(process, quit, idle, status) || status != 0) return {};
  return result;
}

}  // namespace bridle
