#include "results/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/input_error.hpp"
#include "results/store.hpp"
#include "tests/temporary_folder.hpp"

namespace daelab {
namespace {

class Compare : public testing::Test {
 protected:
  // Two sets that differ only where `change` makes them.
  std::vector<Difference> compare_with(const Json& change, double rtol) {
    Json a = {{"key", "a"},
              {"spec", {{"h", "0.01"}}},
              {"status", "ok"},
              {"q", {1.0, 2.0}},
              {"digits", "1.2345678901234567890123456789"},
              {"stats", {{"steps", 10}, {"cpu_seconds", 1.5}}}};
    Json b = a;
    b["key"] = "b";
    b["stats"]["cpu_seconds"] = 99;
    b.merge_patch(change);
    for (const auto& [name, record] : {std::pair("a", a), std::pair("b", b)})
      ResultStore::open(root_ + "/" + name, "table-1", Json::object()).append(record);
    return compare(root_ + "/a", root_ + "/b", rtol);
  }

  TemporaryFolder folder_;
  std::string root_ = folder_.path();
};

TEST_F(Compare, TimesAndKeysDoNotCount) { EXPECT_TRUE(compare_with(Json::object(), 0).empty()); }

TEST_F(Compare, NamesThePlaceAndBothValues) {
  const auto differences = compare_with({{"q", {1.0, 2.5}}}, 1e-3);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].pointer, "/q/1");
  EXPECT_EQ(differences[0].a, 2.0);
  EXPECT_EQ(differences[0].b, 2.5);
  EXPECT_EQ(differences[0].spec, (Json{{"h", "0.01"}}));
}

TEST_F(Compare, ToleranceIsRelative) { EXPECT_TRUE(compare_with({{"q", {1.0, 2.0001}}}, 1e-4).empty()); }

TEST_F(Compare, ZeroToleranceSeesTheLastBit) {
  EXPECT_EQ(compare_with({{"q", {1.0, std::nextafter(2.0, 3.0)}}}, 0).size(), 1u);
}

TEST_F(Compare, FiftyDigitTextIsComparedAsANumber) {
  EXPECT_EQ(compare_with({{"digits", "1.2345678901234567890123456780"}}, 1e-28).size(), 1u);
}

TEST_F(Compare, FiftyDigitTextWithinTheTolerance) {
  EXPECT_TRUE(compare_with({{"digits", "1.2345678901234567890123456780"}}, 1e-26).empty());
}

TEST_F(Compare, StatusAndMissingEntriesCount) {
  const auto differences = compare_with({{"status", "newton-diverged"}, {"q", nullptr}, {"new", 1}}, 1);
  std::vector<std::string> pointers;
  for (const Difference& d : differences) pointers.push_back(d.pointer);
  EXPECT_THAT(pointers, testing::UnorderedElementsAre("/status", "/q", "/new"));
}

TEST_F(Compare, RunInOneSetOnly) {
  const auto differences = compare_with({{"spec", {{"h", "0.02"}}}}, 1);
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].pointer, "");
  EXPECT_TRUE(differences[0].b.is_null());
  EXPECT_TRUE(differences[1].a.is_null());
}

TEST_F(Compare, NoResultsFolderIsBadInput) { EXPECT_THROW(compare(root_ + "/a", root_ + "/b", 0), InputError); }

}  // namespace
}  // namespace daelab
