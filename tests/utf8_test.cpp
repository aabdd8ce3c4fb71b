#include "core/base/utf8.hpp"

#include <gtest/gtest.h>

namespace daelab {
namespace TEST_FILE {

TEST(Utf8, ControlCharactersAreSeenAndShown) {
  for (const auto& [text, shown] : {std::pair<std::string, std::string>{"\a", "\\x07"},
                                    {"\x1b[31m", "\\x1b[31m"},
                                    {std::string("a\0b", 3), "a\\x00b"},
                                    {"\x7f", "\\x7f"},
                                    {"\xc2\x80", "\\x80"},
                                    {"\xc2\x9f!", "\\x9f!"}}) {
    EXPECT_TRUE(has_controls(text)) << shown;
    EXPECT_EQ(with_visible_controls(text), shown);
  }
  for (const std::string text : {"", "two\nlines\tand\r\n", "ä λ \xc2\xa0 \xf0\x9f\x98\x80", "~ \\x07", "\xc2"}) {
    EXPECT_FALSE(has_controls(text)) << text;
    EXPECT_EQ(with_visible_controls(text), text);
  }
}

TEST(Utf8, WhatIsNoneIsReplaced) {
  EXPECT_EQ(as_utf8("a\xff"), "a\xef\xbf\xbd");
  EXPECT_EQ(as_utf8("ä"), "ä");
}

}  // namespace TEST_FILE
}  // namespace daelab
