// browser_video [tool.video]. What is in a file is asked of ffprobe and ffmpeg.
#include <dirent.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "base/limits.h"
#include "tests/browser/support/browser_fixture.h"
#include "tools/devtools/video/encoder.h"
#include "tools/devtools/video/layer.h"

using namespace bridle;
using namespace bridle::testing;
namespace fs = std::filesystem;

namespace {

// Moves all the time, and tells how often it has drawn.
constexpr const char* kMoving =
    "<!doctype html><title>Moving</title><style>body { margin: 0; background: #fff }"
    "#box { width: 60px; height: 60px; background: #00f; animation: go 2s infinite alternate linear }"
    "@keyframes go { to { transform: translateX(400px) } }</style><div id=box></div>"
    "<button style='position:fixed;left:100px;top:200px;width:120px;height:40px'>Press</button>"
    "<input aria-label=Field style='position:fixed;left:100px;top:300px'>";

void open_filmed(Session& session, const char* html = kMoving) {
  web().set_page("/video", html);
  session.navigate(web().url("/video"));
}

std::string film_output(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  REQUIRE(pipe);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) text.push_back(static_cast<char>(c));
  return text;
}

Json probe(const std::string& path) {
  return Json::parse(
      film_output("ffprobe -v error -count_frames -show_streams -show_format -show_chapters -of json '" + path + "'"));
}

// The ffmpeg processes that are children of this one.
std::vector<pid_t> encoders() {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const auto name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string stat;
    std::getline(file, stat);
    const auto end = stat.rfind(')');
    if (end == std::string::npos || stat.find("(ffmpeg)") == std::string::npos) continue;
    std::istringstream rest(stat.substr(end + 2));
    char state = 0;
    pid_t parent = 0;
    rest >> state >> parent;
    if (parent == ::getpid()) found.push_back(static_cast<pid_t>(std::stol(name)));
  }
  return found;
}

std::vector<std::string> film_files(Session& session) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(session.scope().files()->path(), none))
    names.push_back(entry.path().filename().string());
  return names;
}

Answer film(Session& session, const char* action, Json more = Json::object()) {
  more["action"] = action;
  return session.ok("browser_video", more);
}

// Until the video is so long. Each chapter tells where it is, and one that begins at the same time takes its place.
void await_seconds(Session& session, double seconds, const std::string& title = "Now") {
  REQUIRE(eventually([&] {
    const auto words = film(session, "chapter", {{"title", title}}).section("Result");
    return std::stod(words.substr(words.find(" at ") + 4)) >= seconds;
  }));
}

// The colour of a pixel of a frame, as ffmpeg decodes it: {r, g, b}.
std::vector<int> pixel(const std::string& path, double at, int x, int y) {
  std::ostringstream command;
  command << "ffmpeg -v error -i '" << path << "' -ss " << at << " -frames:v 1 -vf 'format=rgb24,crop=1:1:" << x << ":"
          << y << ":exact=1' -f rawvideo - | od -An -tu1";
  std::istringstream numbers(film_output(command.str()));
  std::vector<int> colour;
  for (int part = 0; numbers >> part;) colour.push_back(part);
  return colour;
}

}  // namespace

TEST_CASE("video: a WebM of the asked size and rate, with chapters, that ffprobe reads whole", "[tool.video]") {
  Session session;
  open_filmed(session);
  CHECK_THAT(film(session, "start", {{"filename", "walk"}, {"size", {{"width", 640}, {"height", 361}}}, {"fps", 10}})
                 .section("Result"),
             Contains("640 x 362 at 10 frames a second"));
  CHECK(encoders().size() == 1);
  CHECK_THAT(session.error("browser_video", {{"action", "start"}}).section("Error"), Contains("being made already"));
  CHECK_THAT(film(session, "chapter", {{"title", "First; = \\ #1"}}).section("Result"), Contains("begins at "));
  session.evaluate("() => new Promise((resolve) => setTimeout(resolve, 300))");
  await_seconds(session, 0.5, "First; = \\ #1");  // by another name it might take the first one's place
  session.ok("browser_click", at("button"));
  film(session, "chapter", {{"title", "Last"}});
  await_seconds(session, 1.2);
  const auto stopped = film(session, "stop");
  const auto path = stopped.structured["path"].get<std::string>();
  CHECK(path.ends_with("/walk.webm"));
  CHECK(encoders().empty());
  const auto about = probe(path);
  const auto& stream = about["streams"][0];
  CHECK(stream["codec_name"] == "vp8");
  CHECK(stream["width"] == 640);
  CHECK(stream["height"] == 362);
  CHECK(stream["r_frame_rate"] == "10/1");
  CHECK(about["format"]["format_name"].get<std::string>().find("webm") != std::string::npos);
  const double seconds = stopped.structured["seconds"].get<double>();
  CHECK(std::abs(std::stod(about["format"]["duration"].get<std::string>()) - seconds) < 0.15);
  CHECK(std::stol(stream["nb_read_frames"].get<std::string>()) == std::lround(seconds * 10));
  const auto& chapters = about["chapters"];
  REQUIRE(chapters.size() >= 2);
  CHECK(chapters[0]["tags"]["title"] == "First; = \\ #1");
  CHECK(film_files(session) == std::vector<std::string>{"walk.webm"});
  CHECK_THAT(session.error("browser_video", {{"action", "stop"}}).section("Error"), Contains("action start"));
}

TEST_CASE("video: the pointer and a press are in the picture, and not in the page", "[tool.video]") {
  Session session;
  open_filmed(session,
              "<!doctype html><title>Still</title><body style='margin:0;background:#fff'>"
              "<button style='position:fixed;left:200px;top:200px;width:100px;height:100px;border:0;"
              "background:#fff'></button>");
  session.ok("browser_resize", {{"width", 640}, {"height", 360}});
  const auto dom = session.evaluate("document.documentElement.outerHTML");
  film(session, "start", {{"fps", 15}});
  session.ok("browser_click", at("button"));
  await_seconds(session, 2);
  CHECK(session.evaluate("document.documentElement.outerHTML") == dom);
  const auto path = film(session, "stop").structured["path"].get<std::string>();
  // At its end the arrow stands where the click was: dark within, its tip at 250, 250.
  const auto within = pixel(path, 1.9, 253, 257);
  REQUIRE(within.size() == 3);
  CHECK(std::max({within[0], within[1], within[2]}) < 120);
  const auto beside = pixel(path, 1.9, 270, 230);
  REQUIRE(beside.size() == 3);
  CHECK(std::min({beside[0], beside[1], beside[2]}) > 200);
}

TEST_CASE("video: what is done is drawn no longer when the session says so", "[tool.video]") {
  Session session;
  open_filmed(session,
              "<!doctype html><title>Still</title><body style='margin:0;background:#fff'>"
              "<button style='position:fixed;left:200px;top:200px;width:100px;height:100px;border:0;"
              "background:#fff'></button>");
  session.ok("browser_resize", {{"width", 640}, {"height", 360}});
  film(session, "start", {{"fps", 15}});
  session.ok("browser_click", at("button"));
  CHECK_THAT(film(session, "hide_actions").text, Contains("no longer drawn"));
  await_seconds(session, 2);
  const auto path = film(session, "stop").structured["path"].get<std::string>();
  const auto within = pixel(path, 1.9, 253, 257);
  REQUIRE(within.size() == 3);
  CHECK(std::min({within[0], within[1], within[2]}) > 200);
  const auto& tool = session.house().tool("browser_video");
  CHECK_THAT(check_arguments(tool, {{"action", "show_actions"}, {"position", "middle"}}).problem,
             Contains("bottom-right"));
  CHECK_THAT(session.error("browser_video", {{"action", "stop"}, {"position", "top"}}).section("Error"),
             Contains("action stop takes no position"));
  film(session, "show_actions", {{"position", "top"}});
  film(session, "start", {{"fps", 15}});
  session.ok("browser_click", at("button"));
  await_seconds(session, 1);
  const auto shown = pixel(film(session, "stop").structured["path"].get<std::string>(), 0.9, 253, 257);
  REQUIRE(shown.size() == 3);
  CHECK(std::max({shown[0], shown[1], shown[2]}) < 120);
}

TEST_CASE("video: a page that stands still has as many frames as one that moves", "[tool.video]") {
  Session session;
  open_filmed(session, "<!doctype html><title>Still</title><p>Still</p>");
  film(session, "start", {{"fps", 20}});
  await_seconds(session, 1.5);
  const auto stopped = film(session, "stop");
  const auto about = probe(stopped.structured["path"].get<std::string>());
  CHECK(std::stol(about["streams"][0]["nb_read_frames"].get<std::string>()) ==
        std::lround(stopped.structured["seconds"].get<double>() * 20));
}

TEST_CASE("video: the viewport may change and the page navigate meanwhile", "[tool.video]") {
  Session session;
  open_filmed(session);
  film(session, "start");
  await_seconds(session, 0.3);
  session.ok("browser_resize", {{"width", 500}, {"height", 700}});
  session.navigate(web().url("/video?again"));
  await_seconds(session, 1);
  const auto about = probe(film(session, "stop").structured["path"].get<std::string>());
  CHECK(about["streams"][0]["width"] == 1280);
  CHECK(std::stod(about["format"]["duration"].get<std::string>()) > 0.9);
}

TEST_CASE("video: it is whole when its tab or its session ends", "[tool.video]") {
  Session session;
  open_filmed(session);
  film(session, "start", {{"filename", "tab.webm"}});
  await_seconds(session, 0.5);
  const auto folder = session.scope().files()->path();
  session.ok("browser_tabs", {{"action", "close"}});
  REQUIRE(eventually([&] { return fs::exists(folder / "tab.webm") && fs::file_size(folder / "tab.webm") > 0; }));
  CHECK(probe((folder / "tab.webm").string())["format"].contains("duration"));
  fs::path others;
  {
    Session other;
    open_filmed(other);
    film(other, "start", {{"filename", "session.webm"}});
    await_seconds(other, 0.5);
    others = other.scope().files()->path();
  }
  REQUIRE(
      eventually([&] { return fs::exists(others / "session.webm") && fs::file_size(others / "session.webm") > 0; }));
  CHECK(probe((others / "session.webm").string())["format"].contains("duration"));
  CHECK(eventually([] { return encoders().empty(); }));
}

TEST_CASE("video: after an abort of its end, and when ffmpeg is killed, there is no file and no process",
          "[tool.video] [cancel.browser]") {
  Session session;
  open_filmed(session);
  film(session, "start");
  await_seconds(session, 0.3);
  const auto running = encoders();
  REQUIRE(running.size() == 1);
  ::kill(running[0], SIGSTOP);  // so that it never ends
  CHECK(eventually([&] {
    const auto stop = session.start("browser_video", {{"action", "stop"}});
    const auto behind = session.start("browser_video", {{"action", "chapter"}, {"title", "late"}});
    // Behind the stop, which then has the tab; or a round before has ended the video, a little late.
    eventually([] { return TabQueue::queued() > 0 || encoders().empty(); });
    stop->abort_and_get();
    return encoders().empty();
  }));
  CHECK(film_files(session).empty());

  CHECK(eventually([&] { return !session.call("browser_video", {{"action", "start"}}).is_error; }));
  await_seconds(session, 0.3);
  const auto killed = encoders();
  REQUIRE(killed.size() == 1);
  ::kill(killed[0], SIGKILL);
  CHECK_THAT(session.error("browser_video", {{"action", "stop"}}).section("Error"), Contains("There is no video"));
  CHECK(film_files(session).empty());
  CHECK(encoders().empty());
}

TEST_CASE("video: an encoder that has much to do may take its time, one that does nothing may not", "[tool.video]") {
  constexpr Millis kIdle{250};
  const auto jpeg = film_output("ffmpeg -v error -f lavfi -i color=red:s=64x64 -frames:v 1 -f mjpeg -");
  const auto layer = Canvas(16, 16).qoi();  // so small that the pipes hold all that is written
  const auto folder = fs::temp_directory_path();
  const WakeFd quit;
  VideoEncoder busy({.width = 1280, .height = 720, .fps = 25}, folder, limits::kVideo);
  REQUIRE(busy.write(quit, jpeg, layer, 200));
  const auto begun = Clock::now();
  CHECK(busy.finish(quit, kIdle));
  CHECK(Clock::now() - begun > kIdle);  // so that it was the work that counted

  VideoEncoder stopped({.width = 1280, .height = 720, .fps = 25}, folder, limits::kVideo);
  REQUIRE(stopped.write(quit, jpeg, layer, 1));
  const auto running = encoders();
  REQUIRE(running.size() == 1);
  ::kill(running[0], SIGSTOP);
  CHECK_FALSE(stopped.finish(quit, kIdle));
  CHECK_THAT(stopped.complaint(), Contains("did nothing any more"));
}

TEST_CASE("video: an encoder that gets no processor isn't one that does nothing", "[tool.video]") {
  constexpr Millis kIdle{100};
  const auto jpeg = film_output("ffmpeg -v error -f lavfi -i color=red:s=64x64 -frames:v 1 -f mjpeg -");
  const auto layer = Canvas(16, 16).qoi();
  const WakeFd quit;
  VideoEncoder starved({.width = 1280, .height = 720, .fps = 25}, fs::temp_directory_path(), limits::kVideo);
  REQUIRE(starved.write(quit, jpeg, layer, 100));
  const auto running = encoders();
  REQUIRE(running.size() == 1);
  // All its threads run when nobody else wants the one processor, and for a while somebody does.
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  const sched_param none{};
  for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(running[0]) + "/task")) {
    const auto id = static_cast<pid_t>(std::stol(task.path().filename().string()));
    REQUIRE(::sched_setaffinity(id, sizeof(first), &first) == 0);
    REQUIRE(::sched_setscheduler(id, SCHED_IDLE, &none) == 0);
  }
  std::atomic<bool> over{false};
  std::vector<std::thread> others;
  for (int i = 0; i < 4; ++i) {
    others.emplace_back([&] {
      ::sched_setaffinity(0, sizeof(first), &first);
      const auto until = Clock::now() + 10 * kIdle;
      while (!over && Clock::now() < until) continue;
    });
  }
  CHECK(starved.finish(quit, kIdle));
  over = true;
  for (auto& other : others) other.join();
}

TEST_CASE("video: two sessions make their own at once", "[tool.video]") {
  Session one;
  Session two;
  open_filmed(one);
  open_filmed(two);
  film(one, "start", {{"filename", "one"}});
  film(two, "start", {{"filename", "two"}});
  CHECK(encoders().size() == 2);
  await_seconds(one, 0.3);
  await_seconds(two, 0.3);
  CHECK(film(one, "stop").structured["path"].get<std::string>().ends_with("/one.webm"));
  CHECK(film(two, "stop").structured["path"].get<std::string>().ends_with("/two.webm"));
}

TEST_CASE("video: arguments that don't fit, and no ffmpeg", "[tool.video]") {
  Session session;
  open_filmed(session);
  CHECK_THAT(session.error("browser_video", {{"action", "stop"}, {"fps", 5}}).section("Error"),
             Contains("action stop takes no fps"));
  CHECK_THAT(session.error("browser_video", {{"action", "start"}, {"title", "T"}}).section("Error"),
             Contains("action start takes no title"));
  CHECK_THAT(session.error("browser_video", {{"action", "chapter"}, {"title", "T"}}).section("Error"),
             Contains("begin one with action start"));
  CHECK_THAT(session.error("browser_video", {{"action", "start"}, {"filename", "../out"}}).section("Error"),
             Contains("outside"));
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const auto answer = session.error("browser_video", {{"action", "start"}});
  ::setenv("PATH", path.c_str(), 1);
  CHECK_THAT(answer.section("Error"), Contains("apt install ffmpeg"));
  CHECK(encoders().empty());
}

TEST_CASE("video: with --save-video every tab has one from its first call on, and no second", "[tool.save-video]") {
  BrowserSettings settings;
  settings.save_video = ViewSize{320, 240};
  House house(settings);
  std::string folder;
  {
    Session session(house);
    web().set_page("/video", kMoving);
    CHECK_THAT(session.navigate(web().url("/video")).section("Events"), Contains("a video of this tab is being made"));
    CHECK_THAT(session.ok("browser_click", at("button")).text, !Contains("a video of this tab"));
    CHECK(encoders().size() == 1);
    CHECK_THAT(session.ok("browser_tabs", {{"action", "new"}, {"url", web().url("/video")}}).text,
               !Contains("no video"));
    session.ok("browser_click", at("button"));
    CHECK(encoders().size() == 2);
    folder = session.scope().files()->path().string();
    // A user of browser_video ends it, and there it ends.
    const auto stopped = film(session, "stop").structured["path"].get<std::string>();
    session.ok("browser_click", at("button"));
    CHECK(encoders().size() == 1);
    CHECK(probe(stopped)["streams"][0]["width"] == 320);
    session.ok("browser_close");
    // Each is written beside its place, and moved there when it is whole.
    const auto is_whole = [](const std::string& name) { return name.starts_with("video-"); };
    REQUIRE(eventually([&] {
      const auto files = film_files(session);
      return encoders().empty() && files.size() == 2 && std::all_of(files.begin(), files.end(), is_whole);
    }));
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    CAPTURE(entry.path().string());
    CHECK(entry.path().filename().string().starts_with("video-"));
    CHECK(probe(entry.path().string())["streams"][0]["height"] == 240);
  }
}
