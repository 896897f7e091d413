#include "tools/devtools/video/video.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "config/options.h"
#include "tools/contract/schema.h"
#include "tools/devtools/video/video_store.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr int kLongSide = 1920;  // px, of a video whose size nobody has asked for
constexpr int kShortSide = 1080;
constexpr int kFps = 15;

int even(double length) { return std::max(2, static_cast<int>(std::lround(length / 2)) * 2); }

// `size`: what was asked for; of 0: as large as the view.
VideoFormat video_format(const page::PageInfo::Result& view, ViewSize size, int fps) {
  VideoFormat format{.width = even(size.width), .height = even(size.height), .fps = fps};
  if (size.width > 0) return format;
  const bool is_wide = view.width >= view.height;
  const double scale = std::min({1.0, (is_wide ? kLongSide : kShortSide) / std::max(view.width, 1.0),
                                 (is_wide ? kShortSide : kLongSide) / std::max(view.height, 1.0)});
  format.width = even(view.width * scale);
  format.height = even(view.height * scale);
  return format;
}

VideoFormat begin_video(PageCall& call, std::string filename, ViewSize size, int fps) {
  auto& videos = *call.settings().videos;
  const auto& tab = call.tab().id();
  videos.check_room(tab);
  VideoEncoder::program();  // says so at once when there is none
  const auto view = page_call(call.ctx(), call.tab(), "", page::PageInfo{});
  VideoRequest request{.filename = std::move(filename),
                       .format = video_format(view, size, fps),
                       .page_width = view.width,
                       .page_height = view.height,
                       .shows_actions = call.scope().films_actions()};
  if (!request.filename.ends_with(".webm")) request.filename += ".webm";
  call.scope().files()->check_name(request.filename);
  const auto format = request.format;
  videos.add(
      tab, VideoRecording::start(call.ctx(), call.tab().shared_from_this(), call.scope().files(), std::move(request)));
  return format;
}

void start_video(PageCall& call, const Arguments& args) {
  ViewSize size;
  if (args.has("size")) {
    const Arguments given(args.at("size"));
    size = {static_cast<int>(given.integer("width")), static_cast<int>(given.integer("height"))};
  }
  const auto format = begin_video(call, args.has("filename") ? args.text("filename") : "video.webm", size,
                                  static_cast<int>(args.has("fps") ? args.integer("fps") : kFps));
  call.response.result(
      fmt::format("a video of the tab is being made, {} x {} at {} frames a second, until action stop, "
                  "or the tab's or session's end",
                  format.width, format.height, format.fps));
}

void stop_video(PageCall& call, const std::shared_ptr<VideoRecording>& recording) {
  const auto result = recording->stop(call.ctx());
  call.settings().videos->remove(call.tab().id());
  if (!result.file) throw ToolError("There is no video: " + result.failure + ".");
  call.response.result(fmt::format("video of {:.1f} s, {} x {}, {} frames a second, {} chapters, {} bytes",
                                   result.seconds, recording->format().width, recording->format().height,
                                   recording->format().fps, result.chapters, result.bytes));
  if (result.skipped > 0)
    call.response.result(fmt::format("{:.1f} s are missing: the machine was too slow for them", result.skipped));
  call.response.result(saved_words(*result.file));
  call.response.structured = {
      {"path", result.file->path.string()}, {"bytes", result.bytes}, {"seconds", result.seconds}};
}

void show_actions(PageCall& call, bool shown) {
  call.scope().film_actions(shown);
  if (const auto recording = call.settings().videos->find(call.tab().id())) recording->show_actions(shown);
  call.response.result(shown ? "Pointer and actions are drawn into this session's videos."
                             : "Pointer and actions are no longer drawn into this session's videos.");
}

void video_tool(PageCall& call, const Arguments& args) {
  const auto action = args.text("action");
  const auto refuse = [&](const char* name, bool fits) {
    if (args.has(name) && !fits) throw ToolError(fmt::format("browser_video: action {} takes no {}.", action, name));
  };
  for (const char* name : {"filename", "size", "fps"}) refuse(name, action == "start");
  refuse("title", action == "chapter");
  refuse("position", action == "show_actions");
  if (action == "start") return start_video(call, args);
  if (action.ends_with("_actions")) return show_actions(call, action == "show_actions");
  const auto recording = call.settings().videos->find(call.tab().id());
  if (!recording) throw ToolError("No video of this tab is being made: begin one with action start.");
  if (action == "stop") return stop_video(call, recording);
  const auto title = args.needed("title", "browser_video", "action");
  call.response.result(fmt::format("chapter \"{}\" begins at {:.1f} s", title, recording->add_chapter(title)));
}

// What @playwright/mcp's names stand for, which the list needn't tell. Where the words stand is bridle's choice.
void add_unlisted(Json& schema) {
  auto& properties = schema["properties"];
  properties["action"]["x-unlisted"] = {
      {"enum", Json::array({"start", "stop", "chapter", "show_actions", "hide_actions"})}};
  properties["x-unlisted"] = {
      {"position", schema::choice({"top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"})}};
}

// That a tab was filmed: whoever ends its video doesn't get another one.
class Filmed : public TabExtra {};

}  // namespace

void film_tab(PageCall& call) {
  constexpr const char* kFilmed = "filmed";
  if (call.tab().extras().find(kFilmed)) return;
  call.tab().extras().keep(kFilmed, std::make_shared<Filmed>());
  try {
    begin_video(call, "video-" + call.tab().id() + ".webm", *call.settings().save_video, kFps);
    call.response.event("- a video of this tab is being made; its file is whole when the tab or the session ends");
  } catch (const ToolError& error) {
    call.response.event("- no video of this tab is made: " + std::string(error.what()));
  }
}

std::vector<ToolSpec> video_tools(const BrowserSettings&) {
  const auto side = [] {
    return schema::unlisted(schema::of_type("integer", nullptr),
                            {{"minimum", kLeastVideoSide}, {"maximum", kMostVideoSide}});
  };
  Json input =
      schema::object({{"action", schema::choice({"start", "stop", "chapter"}), true},
                      {"filename", schema::text()},
                      {"size", schema::unlisted(schema::of_type("object", "{width, height}; default the viewport's"),
                                                {{"properties", {{"width", side()}, {"height", side()}}},
                                                 {"required", Json::array({"width", "height"})}})},
                      {"fps", schema::integer("Default 15", 1, 30)},
                      {"title", schema::text("Of a chapter that begins now")},
                      schema::tab()});
  add_unlisted(input);
  return {{.name = "browser_video",
           .set = "devtools",
           .title = "Video",
           .description = "Make a WebM of the tab, with pointer and actions drawn in, and chapters.",
           .input_schema = std::move(input),
           .read_only = true,
           .queues = true,
           .may_take_long = true,
           .handler =
               page_tool("browser_video", {.settles = false, .on_crashed = true, .through_dialog = true}, video_tool)}};
}

void add_video_aliases(Toolbox& toolbox) {
  const auto add = [&](const char* name, const char* action, std::vector<std::pair<std::string, std::string>> renamed) {
    toolbox.add(
        ToolAlias{.name = name, .tool = "browser_video", .fixed = {{"action", action}}, .renamed = std::move(renamed)});
  };
  add("browser_start_video", "start", {});
  add("browser_stop_video", "stop", {});
  add("browser_video_chapter", "chapter", {{"description", ""}, {"duration", ""}});
  add("browser_video_show_actions", "show_actions", {{"duration", ""}, {"cursor", ""}});
  add("browser_video_hide_actions", "hide_actions", {});
}

}  // namespace bridle
