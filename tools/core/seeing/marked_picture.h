#pragma once

#include <string>
#include <vector>

namespace bridle {

class PageCall;

// Boxes with refs, drawn onto a picture of the page [tool.screenshot.marks]: the refs of all that a snapshot would show
// and a person sees now, in frames too. The page itself stays as it is. All throw as page_call does.

// A rectangle of the page, in CSS px of the main document.
struct PageArea {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};
struct Mark {
  std::string ref{};
  PageArea box{};
};

// Gives a ref to what has come since the last snapshot. That goes on being what a delta compares with.
void number_elements(PageCall& call);

// The marks within `area`. `beyond`: the picture will show more than the viewport.
struct Marks {
  std::vector<Mark> marks{};
  long more = 0;  // that there was no room for
};
Marks marks_in(PageCall& call, const PageArea& area, bool beyond);

// The picture of `area` (base64; `type` png, jpeg, webp) with the marks on it. Throws ToolError when it is too large.
std::string with_marks(PageCall& call, std::string picture, const std::string& type, const PageArea& area,
                       const std::vector<Mark>& marks);

}  // namespace bridle
