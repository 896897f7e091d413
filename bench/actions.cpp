#include <spdlog/fmt/fmt.h>

#include <stdexcept>

#include "bench/lab.h"

// The same action by turns on bare CDP and through bridle, each on its own page of the same site.
namespace bridle::bench {
namespace {

void want(const Answer& answer, const char* words) {
  if (answer.text().find(words) == std::string::npos) {
    throw std::runtime_error(fmt::format("the answer lacks \"{}\": {}", words, answer.text().substr(0, 500)));
  }
}

// Tells the page's state anew, so that the next answer's delta is about the action alone.
void look(Lab& lab) { lab.client().call("browser_snapshot"); }

void script(Lab& lab, const std::string& source) {
  lab.client().call("browser_evaluate", {{"function", "() => { " + source + " }"}});
}

// Two rows: the whole answer, which has a snapshot in it, against the load alone; and the same wait on both sides,
// which is the load and one round trip to the page.
void measure_navigation(Lab& lab, const std::string& page, const std::string& path) {
  const auto answer = "navigate, " + page + ": whole answer";
  const auto wait = "navigate, " + page + ": same wait";
  lab.section({answer, wait}, [&] {
    const auto url = lab.site().url(path);
    const Json arguments{{"url", url}};
    lab.compare(
        {.name = answer, .goal = Goal::ratio_at_most(1.3)}, lab.rounds(40), [&] { return lab.bare().navigate(url); },
        [&] { return lab.client().call("browser_navigate", arguments).ms; });
    lab.compare(
        {.name = wait, .goal = Goal::ratio_at_most(1.15)}, lab.rounds(40),
        [&] {
          const double load = lab.bare().navigate(url);
          return load + lab.bare().evaluate("location.href");
        },
        [&] {
          const auto result = lab.client().call("browser_navigate", arguments).result;
          // Whole milliseconds, rounded down.
          return result.at("structuredContent").at("settledMs").get<double>() + 0.5;
        });
  });
}

void measure_evaluate(Lab& lab) {
  const std::string name = "evaluate 1+1";
  lab.section({name}, [&] {
    lab.open("/plain");
    lab.compare(
        {.name = name, .goal = Goal::above_bare_at_most(2)}, lab.rounds(200),
        [&] { return lab.bare().evaluate("1+1"); },
        [&] {
          return lab.client().call("browser_evaluate", {{"function", "() => 1+1"}}).ms;
        });
  });
}

// A page tool that asks its page nothing costs what any request does, and the guard.
void measure_guard(Lab& lab) {
  const std::string name = "guard of a quiet page, above a ping";
  lab.section({name}, [&] {
    lab.open("/plain");
    lab.compare(
        {.name = name, .goal = Goal::above_bare_at_most(1)}, lab.rounds(200),
        [&] { return lab.client().request("ping").ms; },
        [&] { return lab.client().call("browser_console_messages").ms; });
  });
}

// A click that changes one text: `button` on a page, which writes `done` into `out`.
struct ClickPage {
  std::string name;
  std::string path;
  std::string button;
  std::string out;
  std::string done;
  Goal goal{};
};

void measure_dom_click(Lab& lab, const ClickPage& page) {
  lab.section({page.name}, [&] {
    lab.open(page.path);
    const auto element = [](const std::string& id) { return "document.getElementById('" + id + "')"; };
    const auto reset = element(page.out) + ".textContent = 'unchanged'";
    const auto middle = Json::parse(
        lab.bare().evaluate_text("(() => { const box = " + element(page.button) + ".getBoundingClientRect();" +
                                 " return JSON.stringify([box.x + box.width / 2, box.y + box.height / 2]) })()"));
    lab.compare(
        {.name = page.name, .goal = page.goal}, lab.rounds(80),
        [&] {
          lab.bare().evaluate(reset);
          const double ms = lab.bare().click(middle[0].get<double>(), middle[1].get<double>());
          if (lab.bare().evaluate_text(element(page.out) + ".textContent") != page.done) {
            throw std::runtime_error("the bare click did nothing");
          }
          return ms;
        },
        [&] {
          script(lab, reset);
          look(lab);
          const auto answer = lab.client().call("browser_click", {{"target", "#" + page.button}});
          want(answer, page.done.c_str());
          return answer.ms;
        });
  });
}

void measure_dom_clicks(Lab& lab) {
  measure_dom_click(lab, {"click, DOM only", "/click-lab", "dom", "dom-out", "changed", Goal::at_most(15)});
  for (const char* count : {"10", "2000", "10000"}) {
    measure_dom_click(lab, {fmt::format("click, DOM only, {} elements", count), fmt::format("/elements?n={}", count),
                            "e2", "out", "clicked e2"});
  }
}

void measure_fetch_click(Lab& lab) {
  const std::string name = "click whose fetch takes 800 ms, after the content";
  lab.section({name}, [&] {
    lab.open("/click-lab");
    lab.measure({.name = name, .goal = Goal::at_most(150)}, lab.rounds(12), [&] {
      script(lab, "document.getElementById('fetch-out').textContent = 'nothing fetched'");
      look(lab);
      lab.site().reset_log();
      const auto answer = lab.client().call("browser_click", {{"target", "#fetch"}});
      const auto returned = Clock::now();
      want(answer, "fetched after 800 ms");
      const auto requests = lab.site().requests("/api/slow");
      if (requests.empty() || !requests.back().finished) throw std::runtime_error("the click fetched nothing");
      return std::chrono::duration<double, std::milli>(returned.time_since_epoch() - *requests.back().finished).count();
    });
  });
}

void measure_keyboard(Lab& lab) {
  const std::string type = "type 20 characters";
  const std::string press = "press key";
  lab.section({type, press}, [&] {
    lab.open("/typing");
    const std::string text = "twenty characters ok";
    const std::string clear = "const field = document.getElementById('field'); field.value = ''; field.focus()";
    lab.compare(
        {.name = type, .goal = Goal::at_most(10)}, lab.rounds(80),
        [&] {
          lab.bare().evaluate("{ " + clear + " }");
          return lab.bare().insert_text(text);
        },
        [&] {
          script(lab, clear);
          return lab.client().call("browser_type", {{"target", "#field"}, {"text", text}}).ms;
        });
    lab.compare(
        {.name = press}, lab.rounds(80),
        [&] {
          lab.bare().evaluate("{ " + clear + " }");
          return lab.bare().press_key_a();
        },
        [&] {
          script(lab, clear);
          return lab.client().call("browser_press_key", {{"key", "a"}}).ms;
        });
  });
}

void measure_snapshot(Lab& lab, int elements, int rounds) {
  const auto name = fmt::format("snapshot, {} elements", elements);
  lab.section({name}, [&] {
    lab.open(fmt::format("/elements?n={}", elements));
    int change = 0;
    // Something is new each time, as it is when somebody looks again: neither side reads a layout it had read before.
    const auto touch = [&] { return fmt::format("document.getElementById('out').textContent = 'look {}'", ++change); };
    lab.compare(
        {.name = name, .goal = elements < 1000 ? Goal{} : Goal::ratio_at_most(2)}, lab.rounds(rounds),
        [&] {
          lab.bare().evaluate(touch());
          return lab.bare().walk();
        },
        [&] {
          script(lab, touch());
          const auto answer = lab.client().call("browser_snapshot");
          want(answer, fmt::format("look {}", change).c_str());
          return answer.ms;
        });
  });
}

void measure_screenshot(Lab& lab, const std::string& format) {
  const auto name = "screenshot " + format;
  lab.section({name}, [&] {
    lab.open("/elements?n=50");
    lab.compare(
        {.name = name}, lab.rounds(30), [&] { return lab.bare().screenshot(format); },
        [&] {
          return lab.client().call("browser_take_screenshot", {{"type", format}}).ms;
        });
  });
}

void measure_reads(Lab& lab) {
  const std::string tabs = "tabs list";
  const std::string wait = "wait for text that is there";
  lab.section({tabs, wait}, [&] {
    lab.open("/plain");
    lab.compare(
        {.name = tabs}, lab.rounds(200), [&] { return lab.bare().list_targets(); },
        [&] {
          return lab.client().call("browser_tabs", {{"action", "list"}}).ms;
        });
    lab.compare(
        {.name = wait}, lab.rounds(80),
        [&] { return lab.bare().evaluate("document.body.innerText.includes('A plain page.')"); },
        [&] {
          return lab.client().call("browser_wait_for", {{"text", "A plain page."}}).ms;
        });
  });
}

void measure_protocol(Lab& lab) {
  const std::string list = "tools/list";
  const std::string ping = "ping";
  lab.section({list, ping}, [&] {
    lab.measure({.name = list, .goal = Goal::at_most(1)}, lab.rounds(400),
                [&] { return lab.client().request("tools/list").ms; });
    lab.measure({.name = ping}, lab.rounds(400), [&] { return lab.client().request("ping").ms; });
  });
}

}  // namespace

void measure_actions(Lab& lab) {
  measure_navigation(lab, "tiny page", "/plain");
  measure_navigation(lab, "2000 elements", "/elements?n=2000");
  measure_evaluate(lab);
  measure_guard(lab);
  measure_dom_clicks(lab);
  measure_fetch_click(lab);
  measure_keyboard(lab);
  measure_reads(lab);
  measure_protocol(lab);
}

void measure_snapshots(Lab& lab) {
  measure_snapshot(lab, 50, 80);
  measure_snapshot(lab, 2000, 40);
  measure_snapshot(lab, 20'000, 12);
  measure_screenshot(lab, "png");
  measure_screenshot(lab, "jpeg");
}

}  // namespace bridle::bench
