#include "report/page/page_parts.hpp"

#include <fmt/format.h>

#include "report/layout/shown_text.hpp"
#include "report/page/packed_text.hpp"
#include "report/page/page_assets.hpp"

namespace daelab {

namespace {

// The page runs its own scripts alone: those of these hashes, whatever names and texts of results hold.
std::string policy(const std::vector<const Asset*>& scripts) {
  std::string sources;
  for (const Asset* script : scripts) sources += fmt::format(" 'sha256-{}'", base64_of_hex(script->sha256));
  return "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
         "script-src" +
         sources;
}

std::string packed_block(const char* id, const std::string& text) {
  return fmt::format("<script type=\"application/octet-stream\" id=\"{}\">{}</script>\n", id, text);
}

}  // namespace

std::string file_links(const std::string& folder, const std::vector<std::string>& files) {
  std::string html;
  for (const std::string& file : files) {
    const std::string extension = file.substr(file.rfind('.') + 1);
    html += fmt::format("{}<a href=\"{}\">{}</a>", html.empty() ? "" : " · ",
                        escape_html(folder.empty() ? file : folder + "/" + file), escape_html(extension));
  }
  return html.empty() ? "" : "<p class=\"files\">Files: " + html + "</p>\n";
}

std::string scrolled(const std::string& label, const std::string& table) {
  return fmt::format("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">{}</div>\n",
                     escape_html(label), table);
}

std::string folded(const std::string& summary, const std::string& html, bool open) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open" : "", escape_html(summary),
                     html);
}

std::string drawing_source(const std::string& svg) {
  static constexpr std::string_view special = "%#\"&\n\r\t";
  std::string source = "data:image/svg+xml,";
  for (const char c : svg)
    if (special.find(c) == std::string_view::npos)
      source += c;
    else
      source += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return source;
}

std::string command_html(const std::string& command) {
  return command.empty() ? "" : "<pre tabindex=\"0\">" + escape_html(command) + "</pre>\n";
}

std::string origin_html(const Origin& origin) {
  constexpr std::size_t in_line = 4;
  if (origin.empty()) return "";
  std::string line, all;
  for (std::size_t i = 0; i < origin.size(); ++i) {
    const auto& [name, value] = origin[i];
    if (i < in_line)
      line += fmt::format("{}{} {}", i ? " · " : "", escape_html(name), escape_html(shortened(value, 24)));
    all += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(name), escape_html(value));
  }
  return fmt::format(
      "<details class=\"provenance\"><summary>Made by {}</summary>\n<dl class=\"origin\">\n{}</dl></details>\n", line,
      all);
}

std::string html_document(const std::string& title, const std::string& body, const std::string& data, bool plots) {
  std::vector<const Asset*> scripts = {&page_script};
  if (plots) scripts.insert(scripts.begin(), &plotly_script);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}",
      policy(scripts), escape_html(title), page_style.text, body);
  // Blocks of data, which run nothing: the page's script unpacks them, plotly.js as the text that the policy allows.
  std::string end = packed_block("data", packed(data));
  if (plots) {
    static const std::string plotly = packed(plotly_script.text);
    end += packed_block("plotly", plotly);
  }
  end += fmt::format("<script>{}</script>\n", page_script.text);
  html += fmt::format("<footer class=\"note\">One file of {:.1f} MB, which opens offline.</footer>\n",
                      static_cast<double>(html.size() + end.size()) / 1e6);
  return html + end + "</body>\n</html>\n";
}

std::string still_document(const std::string& title, const std::string& content) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src 'self' file: data:; "
      "style-src "
      "'unsafe-inline'\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<header><h1>{0}</h1></"
      "header>\n<main>\n{2}</main>\n</body>\n</html>\n",
      escape_html(title), page_style.text, content);
}

}  // namespace daelab
