#include "report/page_parts.hpp"

#include <fmt/format.h>

#include "report/text.hpp"

namespace daelab {

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

std::string base64_of_hex(std::string_view hex) {
  static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  unsigned bits = 0, count = 0;
  for (const char c : hex) {
    bits = bits << 4 | static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
    if ((count += 4) >= 6) text += digits[bits >> (count -= 6) & 63];
  }
  if (count > 0) text += digits[bits << (6 - count) & 63];
  text.resize((text.size() + 3) / 4 * 4, '=');
  return text;
}

}  // namespace daelab
