#include "core/base/input_error.hpp"

#include <gtest/gtest.h>

namespace daelab {
namespace TEST_FILE {

TEST(InputError, PlaceAndMessageAreApartAndTogetherTheText) {
  const InputError error("/method/s", "21 is out of range: 1 to 20");
  EXPECT_EQ(error.where(), "/method/s");
  EXPECT_EQ(error.message(), "21 is out of range: 1 to 20");
  EXPECT_STREQ(error.what(), "/method/s: 21 is out of range: 1 to 20");
}

TEST(InputError, WithoutPlaceTheMessageIsTheText) {
  const InputError error("no folder 'x: y'");
  EXPECT_EQ(error.where(), "");
  EXPECT_EQ(error.message(), "no folder 'x: y'");
  EXPECT_STREQ(error.what(), "no folder 'x: y'");
}

TEST(InputError, InADocumentThePlaceBeginsWithTheDocument) {
  const InputError inner("/runs/0/h", "is missing"), whole("a config is an object");
  EXPECT_EQ(inner.in("a.json").where(), "a.json: /runs/0/h");
  EXPECT_EQ(inner.in("a.json").message(), "is missing");
  EXPECT_STREQ(inner.in("a.json").what(), "a.json: /runs/0/h: is missing");
  EXPECT_STREQ(whole.in("a.json").what(), "a.json: a config is an object");
}

}  // namespace TEST_FILE
}  // namespace daelab
