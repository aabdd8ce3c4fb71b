// Data of pages as tests read them.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstddef>
#include <string>

#include "core/base/json.hpp"

namespace daelab {

/// What packed() of report/page/packed_text.hpp has packed.
inline std::string unpacked(const std::string& text) {
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  std::string whole(8 * bytes.size() + 1000, '\0');
  int code = Z_BUF_ERROR;
  uLongf size = 0;
  for (; code == Z_BUF_ERROR; whole.resize(2 * whole.size())) {
    size = whole.size();
    code = uncompress(reinterpret_cast<Bytef*>(whole.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                      bytes.size());
    if (code == Z_OK) break;
  }
  EXPECT_EQ(code, Z_OK);
  whole.resize(size);
  return whole;
}

/// The data that the scripts of a page read.
inline Json data_of_page(const std::string& html) {
  const std::string begin = "id=\"data\">";
  const std::size_t from = html.find(begin) + begin.size();
  return Json::parse(unpacked(html.substr(from, html.find("</script>", from) - from)));
}

}  // namespace daelab
