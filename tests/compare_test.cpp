#include "results/compare.hpp"

#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>

#include "core/base/input_error.hpp"
#include "core/base/write_file.hpp"
#include "results/compare_by.hpp"
#include "results/provenance.hpp"
#include "results/run_log.hpp"
#include "results/run_record.hpp"
#include "results/store.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

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
    auto changed = nlohmann::ordered_json::parse(b.dump());
    changed.merge_patch(nlohmann::ordered_json::parse(change.dump()));
    b = Json::parse(changed.dump());
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

// Relative to numbers that are small themselves.
TEST_F(Compare, ZeroToleranceSeesTheSmallestNumbers) {
  EXPECT_EQ(compare_with({{"q", {1.0, 2.0}}, {"tiny", 1e-31}}, 0).size(), 1u);
  EXPECT_FALSE(same_value(1e-31, 2e-31, 0));
  EXPECT_FALSE(same_value(1e-31, 2e-31, 0.4));
  EXPECT_FALSE(same_value("1e-40", "2e-40", 0));
  EXPECT_FALSE(same_value(0, 1e-300, 0));
  EXPECT_TRUE(same_value(1e-31, 2e-31, 0.5));
}

TEST_F(Compare, ListsOfDifferentLengthsAreOneDifference) {
  for (const Json& other : {Json{1.0}, Json{1.0, 2.0, 3.0}, Json::array()}) {
    const auto differences = compare_with({{"q", other}}, 1);
    ASSERT_EQ(differences.size(), 1u) << other;
    EXPECT_EQ(differences[0].pointer, "/q");
    EXPECT_EQ(differences[0].b, other);
    std::filesystem::remove_all(root_ + "/a"), std::filesystem::remove_all(root_ + "/b");
  }
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

// ----- trajectories -----

// Two sets with one run each.
class CompareTrajectories : public Compare {
 protected:
  void make(const std::string& name, const std::string& csv) const {
    ResultStore store = ResultStore::open(root_ + "/" + name, "table-1", Json::object());
    Json record = {{"key", "k"}, {"spec", {{"h", "0.01"}}}, {"status", "ok"}};
    if (!csv.empty()) record["trajectory_checksum"] = content_hash(csv);
    store.append_finished("k", run_line(record), csv);
  }
  void overwrite(const std::string& name, const std::string& csv) const {
    write_file(root_ + "/" + name + "/trajectories/k.csv", csv);
  }
  std::vector<Difference> differences(double rtol = 0) const { return compare(root_ + "/a", root_ + "/b", rtol); }

  const std::string csv_ = "# made by hand\nt,q1,q2\n0,1,2\n0.5,1.5,2.5\n";
};

TEST_F(CompareTrajectories, EqualOnesAreNoDifference) {
  make("a", csv_), make("b", csv_);
  EXPECT_TRUE(differences().empty());
}

TEST_F(CompareTrajectories, AChangedNumberIsNamedByRunRowAndColumn) {
  make("a", csv_), make("b", "t,q1,q2\n0,1,2\n0.5,1.5,2.25\n");
  const auto found = differences();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].spec, (Json{{"h", "0.01"}}));
  EXPECT_EQ(found[0].pointer, "/trajectory/2/q2");
  EXPECT_EQ(found[0].a, "2.5");
  EXPECT_EQ(found[0].b, "2.25");
  EXPECT_EQ(differences(0.09).size(), 1u);
  EXPECT_TRUE(differences(0.11).empty());
}

TEST_F(CompareTrajectories, ADamagedFileIsADifferenceWhateverTheTolerance) {
  make("a", csv_), make("b", csv_);
  overwrite("b", "t,q1,q2\n0,1,2\n0.5,1.5,2.6\n");
  auto found = differences(1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pointer, "/trajectory");
  EXPECT_EQ(found[0].a, "there");
  EXPECT_EQ(found[0].b, "damaged: not as it was written");
  found = differences();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].pointer, "/trajectory/2/q2");
  overwrite("a", "");  // both
  EXPECT_EQ(differences(1)[0].pointer, "/trajectory");
}

TEST_F(CompareTrajectories, AMissingFileIsADifference) {
  make("a", csv_), make("b", csv_);
  std::filesystem::remove(root_ + "/a/trajectories/k.csv");
  const auto found = differences(1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pointer, "/trajectory");
  EXPECT_EQ(found[0].a, "missing");
}

TEST_F(CompareTrajectories, OfOneRunOnlyOrOfOtherRowsAndColumns) {
  make("a", csv_), make("b", "");
  ASSERT_EQ(differences(1).size(), 1u);
  EXPECT_EQ(differences(1)[0].a, "there");
  EXPECT_TRUE(differences(1)[0].b.is_null());

  make("b", "t,q1,v2\n0,1,2\n0.5,1.5,2.5\n1,2,3\n");
  std::vector<std::string> places;
  for (const Difference& d : differences(1)) places.push_back(d.pointer);
  EXPECT_THAT(places, testing::ElementsAre("/trajectory/header/q2", "/trajectory/3"));
}

TEST_F(CompareTrajectories, OfManyTheFirstTenAreGiven) {
  std::string a = "t,q1\n", b = a;
  for (int i = 0; i < 1000; ++i) {
    a += std::to_string(i) + ",1\n";
    b += std::to_string(i) + ",2\n";
  }
  make("a", a), make("b", b);
  const auto found = differences();
  ASSERT_EQ(found.size(), 11u);
  EXPECT_EQ(found[9].pointer, "/trajectory/10/q1");
  EXPECT_EQ(found[10].a, "and 990 further differences");
}

TEST_F(Compare, NoResultsFolderIsBadInput) { EXPECT_THROW(compare(root_ + "/a", root_ + "/b", 0), InputError); }

// As the program takes them: of a large set neither the runs nor the differences are in memory together.
TEST_F(Compare, HandsOverDifferencesOneByOneInTheOrderOfSpecifications) {
  const auto record = [](const std::string& key, int h, double q) {
    return Json{{"key", key}, {"spec", {{"h", h}}}, {"status", "ok"}, {"q", {q}}};
  };
  {
    ResultStore a = ResultStore::open(root_ + "/a", "set", Json::object());
    ResultStore b = ResultStore::open(root_ + "/b", "set", Json::object());
    for (const int h : {3, 1, 2}) {
      a.append(record("a" + std::to_string(h), h, 1));
      b.append(record("b" + std::to_string(h), h, h));
    }
    a.append(record("a4", 4, 1));
    b.append(record("b5", 5, 1));
  }
  std::vector<std::string> seen;
  compare(root_ + "/a", root_ + "/b", 0, [&seen](const Difference& difference) {
    seen.push_back(difference.spec["h"].dump() + difference.pointer + (difference.a.is_null() ? " b" : ""));
  });
  EXPECT_THAT(seen, testing::ElementsAre("2/q/0", "3/q/0", "4", "5 b"));
}

// ----- ratios -----

// Two methods over a grid of several hundred steps, a set each: pairs by their steps, whichever order they came in.
TEST_F(Compare, RatiosOfManyRunsAreThoseOfTheirPairs) {
  constexpr int count = 300;
  for (const std::string method : {"a", "b"}) {
    ResultStore store = ResultStore::open(root_ + "/" + method, "set", Json::object());
    for (int i = 0; i < count; ++i) {
      const int h = 1000 + (method == "a" ? i : i * 7 % count);
      RunRecord record;
      record.spec = {{"problem", {{"name", "pendulum"}}}, {"formulation", "index-1"}, {"method", {{"name", method}}},
                     {"multiplier_solver", nullptr},      {"h", std::to_string(h)},   {"samples", Json::array()}};
      record.stats.steps = method == "a" ? h : 2L * h + i % 2;
      Json json(record);
      json["key"] = method + std::to_string(h);
      store.append(json);
    }
  }
  const Table table = ratios_by("method", {root_ + "/a", root_ + "/b"});
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.columns[2].label, "steps");
  ASSERT_EQ(table.rows.size(), count + 1u);  // and the mean
  for (int row = 0; row < count; ++row) {
    const int h = 1000 + count - 1 - row;  // the larger first
    EXPECT_EQ(table.rows[row][0], TableCell(std::to_string(h)));
    EXPECT_EQ(table.rows[row][1], TableCell("2/1"));
    int i = 0;
    while (1000 + i * 7 % count != h) ++i;
    EXPECT_EQ(table.rows[row][2], TableCell((2. * h + i % 2) / h));
  }
  EXPECT_THROW(ratios_by("samples", {root_ + "/a"}), InputError);
}

}  // namespace TEST_FILE
}  // namespace daelab
