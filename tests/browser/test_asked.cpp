// What only the browser knows of a page's elements is in the snapshot [tool.snapshot.asked].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("roles and states that custom elements have by their ElementInternals", "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page("/internals", R"html(<!doctype html><title>Internals</title>
<script>
customElements.define('x-tab', class extends HTMLElement {
  constructor() {
    super();
    this.internals = this.attachInternals();
    this.internals.role = 'tab';
    this.addEventListener('click', () => {
      for (const tab of document.querySelectorAll('x-tab')) tab.internals.ariaSelected = String(tab === this);
    });
  }
});
customElements.define('x-plain', class extends HTMLElement {});
customElements.define('x-switch', class extends HTMLElement {
  constructor() {
    super();
    this.internals = this.attachInternals();
    this.internals.role = 'switch';
    this.internals.ariaLabel = 'Dark mode';
    this.internals.ariaChecked = 'true';
  }
});
</script>
<x-tab>Flights</x-tab> <x-tab>Trains</x-tab> <x-plain>words</x-plain> <x-switch><b></b></x-switch>)html");
  const auto opened = session.navigate(web().url("/internals")).section("Snapshot");
  CHECK_THAT(opened, Contains("tab \"Flights\" [ref=") && Contains("tab \"Trains\" [ref=") && Contains("words"));
  CHECK_THAT(opened, Contains("switch \"Dark mode\" [checked]") && !Contains("[selected]"));
  const auto clicked = session.ok("browser_click", {{"target", "tab \"Trains\""}}).section("Snapshot");
  CHECK_THAT(clicked, Contains("tab \"Trains\" [selected]"));
  const auto back = session.ok("browser_click", {{"target", "tab \"Flights\""}}).section("Snapshot");
  CHECK_THAT(back, Contains("tab \"Flights\" [selected]") && Contains("tab \"Trains\" [ref="));
}

TEST_CASE("shapes and swatches that scripts listen on have refs, and others have not",
          "[snapshot] [tool.snapshot.asked]") {
  Session session;
  web().set_page("/listeners", R"html(<!doctype html><title>Listeners</title>
<style>.box { width: 30px; height: 30px; display: inline-block }</style>
<svg width="200" height="60"><circle id="c" cx="20" cy="20" r="15" fill="red"/><rect x="60" y="5" width="30" height="30"
fill="green"/></svg>
<div><span class="box" id="s" style="background: blue"></span><span class="box" style="background: gold"></span></div>
<p id="out">nothing</p>
<script>
for (const el of [c, s]) el.addEventListener('mousedown', () => { out.textContent = 'pressed ' + el.id; });
</script>)html");
  const auto opened = session.navigate(web().url("/listeners")).section("Snapshot");
  CHECK_THAT(opened, Contains("red circle") && Contains("blue") && !Contains("green") && !Contains("gold"));
  const auto ref_of = [&](const std::string& name) {
    const auto at = opened.rfind("[ref=", opened.find(name)) + 5;
    return opened.substr(at, opened.find(']', at) - at);
  };
  CHECK_THAT(session.ok("browser_click", {{"target", ref_of("red circle")}}).section("Snapshot"),
             Contains("pressed c"));
  CHECK_THAT(session.ok("browser_click", {{"target", ref_of("blue")}}).section("Snapshot"), Contains("pressed s"));
}
