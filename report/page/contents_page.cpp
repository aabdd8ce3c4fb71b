#include "report/page/contents_page.hpp"

#include <fmt/format.h>

#include "report/layout/shown_text.hpp"
#include "report/page/page_parts.hpp"

namespace daelab {
namespace {

std::string card_html(const ContentsEntry& entry) {
  const std::string picture =
      entry.drawing.empty() ? ""
                            : fmt::format("<img src=\"{}\" alt=\"\" loading=\"lazy\">", escape_html(entry.drawing));
  return fmt::format("<li><a href=\"{}\">{}<b>{}</b></a><p>{}</p></li>\n", escape_html(entry.page), picture,
                     escape_html(entry.title), escape_html(entry.line));
}

}  // namespace

std::string contents_to_html(const std::string& title, const std::vector<ContentsEntry>& entries) {
  std::string html = "<ul class=\"cards\">\n";
  for (const ContentsEntry& entry : entries) html += card_html(entry);
  return still_document(title, html + "</ul>\n");
}

}  // namespace daelab
