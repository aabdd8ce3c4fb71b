#include "report/page/motion_page.hpp"

#include <fmt/format.h>

#include "report/layout/shown_text.hpp"
#include "report/page/page_parts.hpp"

namespace daelab {
namespace {

// "4 runs, 3 of them in motion"
std::string runs_text(std::size_t runs, std::size_t moving) {
  std::string text = fmt::format("{} run{}", runs, runs == 1 ? "" : "s");
  if (moving == runs) return text;
  return text + (moving == 0 ? ", none in motion" : fmt::format(", {} of them in motion", moving));
}

}  // namespace

std::string motion_page_to_html(const MotionPage& page, const CommandOfRun& command_of) {
  std::string missing;
  PageSection section;
  section.folder = "runs";
  section.data = {{"name", "runs"},
                  {"title", page.title},
                  {"experiment", "animate"},
                  {"command", page.command},
                  {"figures", Json::array()},
                  {"longTables", Json::object()},
                  {"motions", motions_json(page.motions)},
                  {"runs", runs_data(page.records, command_of, missing)}};
  Page whole;
  whole.sections = {section};

  std::string body =
      fmt::format("<header id=\"top\"><h1>{}</h1></header>\n<main class=\"talk\">\n", escape_html(page.title));
  for (const std::string& warning : page.warnings) body += "<p class=\"warning\">" + escape_html(warning) + "</p>\n";
  body += "<noscript><p>The motion needs scripts; this is the start.</p>";
  if (!page.drawing.empty())
    body += fmt::format("<figure><img src=\"{}\" alt=\"The mechanism at its start\"></figure>",
                        drawing_source(page.drawing));
  body += "</noscript>\n<div class=\"motions\" id=\"moving\" data-set=\"0\"></div>\n";
  if (!page.errors_against.empty()) body += "<p>" + escape_html(page.errors_against) + "</p>\n";
  body += fmt::format(
      "<details class=\"scripted runtable\" id=\"table-of-runs\" data-set=\"0\"><summary>{}: status, numbers, the "
      "command of each</summary><div class=\"runs\"></div></details>\n",
      runs_text(page.records.size(), moving_count(page.motions)));
  body += command_html(page.command) + origin_html(page.origin) + "</main>\n";
  return html_document(page.title, body, page_data(whole), true);
}

}  // namespace daelab
