#include "report/page/contents_page.hpp"

#include <fmt/format.h>

#include "report/layout/shown_text.hpp"
#include "report/page/page_assets.hpp"

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
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src 'self' file: data:; "
      "style-src "
      "'unsafe-inline'\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<header><h1>{0}</h1></"
      "header>\n<main>\n"
      "<ul class=\"cards\">\n",
      escape_html(title), page_style.text);
  for (const ContentsEntry& entry : entries) html += card_html(entry);
  return html + "</ul>\n</main>\n</body>\n</html>\n";
}

}  // namespace daelab
