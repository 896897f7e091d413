#include "tools/sets/pdf.h"

#include <spdlog/fmt/fmt.h>

#include <map>
#include <string>

#include "base/text/codecs.h"
#include "base/text/text.h"
#include "tools/contract/schema.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr Millis kPrint{60'000};  // a long page takes seconds

struct Paper {
  double width = 0;  // inches
  double height = 0;
};

Paper paper(const std::string& format) {
  static const std::map<std::string, Paper> kPapers = {
      {"Letter", {8.5, 11}},      {"Legal", {8.5, 14}},       {"Tabloid", {11, 17}},      {"Ledger", {17, 11}},
      {"A0", {33.1102, 46.8110}}, {"A1", {23.3858, 33.1102}}, {"A2", {16.5354, 23.3858}}, {"A3", {11.6929, 16.5354}},
      {"A4", {8.2677, 11.6929}},  {"A5", {5.8268, 8.2677}},   {"A6", {4.1339, 5.8268}}};
  return kPapers.at(format);
}

void pdf_tool(PageCall& call, const Arguments& args) {
  const auto size = paper(args.text("format"));
  const Json params{{"landscape", args.flag("landscape")},
                    {"printBackground", args.flag("background")},
                    {"paperWidth", size.width},
                    {"paperHeight", size.height}};
  const auto reply = call.tab().call_raw(call.ctx(), "Page.printToPDF", params, kPrint);
  const auto bytes = from_base64(raw_string_value(reply, "data"));
  if (!bytes || bytes->empty()) throw ToolError("The browser gave no PDF of the page.");
  auto name = args.text("filename");
  if (!name.ends_with(".pdf") && !name.ends_with(".PDF")) name += ".pdf";
  const auto saved = call.scope().files()->write(call.ctx(), name, *bytes);
  call.response.result(fmt::format("PDF of the page, {}{}, {}", args.text("format"),
                                   args.flag("landscape") ? " landscape" : "", counted(bytes->size(), "byte")));
  call.response.result(saved_words(saved));
  call.response.structured = {{"path", saved.path.string()}, {"bytes", bytes->size()}};
}

}  // namespace

std::vector<ToolSpec> pdf_tools(const BrowserSettings&) {
  return {{.name = "browser_pdf_save",
           .set = "pdf",
           .title = "Save as PDF",
           .description = "Save the page as a PDF file.",
           .input_schema = schema::object(
               {{"filename", schema::text(), false, "page.pdf"},
                {"format",
                 schema::choice({"Letter", "Legal", "Tabloid", "Ledger", "A0", "A1", "A2", "A3", "A4", "A5", "A6"}),
                 false, "A4"},
                {"landscape", schema::boolean()},
                {"background", schema::boolean("Print backgrounds; default true"), false, true},
                schema::tab()}),
           .output_schema = schema::output({"path"}),
           .read_only = true,
           .queues = true,
           .may_take_long = true,
           .handler = page_tool("browser_pdf_save", {}, pdf_tool)}};
}

}  // namespace bridle
