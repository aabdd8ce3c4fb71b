#include "results/trajectory_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "core/base/json.hpp"
#include "core/base/write_file.hpp"
#include "results/csv.hpp"
#include "results/packed_file.hpp"
#include "results/provenance.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;

class TrajectoryStore : public testing::Test {
 protected:
  void SetUp() override {
    if (!packing_refusal().empty()) GTEST_SKIP() << packing_refusal();
  }
  std::string at(const std::string& key) const { return folder_.path() + "/" + key + ".csv"; }
  void put(const std::string& key, const std::string& csv) const { write_file(at(key), csv); }
  void flip_bit(const std::string& name, std::size_t byte) const {
    std::fstream file(folder_.path() + "/" + name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(byte));
    const char changed = static_cast<char>(file.get() ^ 4);
    file.seekp(static_cast<std::streamoff>(byte)).put(changed);
  }

  TemporaryFolder folder_;
};

TEST_F(TrajectoryStore, PackedTextComesBackBitForBit) {
  std::map<std::string, std::string> texts{
      {"numbers",
       "t,q1,angle'\n0,0.10000000000000001,-0\n1,4.9406564584124654e-324,nan\n2,-inf,1.7976931348623157e+308\n"},
      {"short", "t,q\n0,0.1\n"},                // not 17 digits
      {"quoted", "t,\"a,b\"\n0,1\n"},           // more columns than numbers
      {"comment", "# of the run\nt,q\n0,1\n"},  // no number
      {"header", "t,q\n"},
      {"torn", "t,q\n0,1\n1,"},
      {"empty", ""}};
  std::string many = "t,x\n";
  for (int i = 0; i < 200000; ++i) many += fmt::format("{:.17g},{:.17g}\n", i * 1e-3, std::sin(i * 1e-3));
  texts["many"] = many;
  for (const auto& [key, csv] : texts) put(key, csv);
  pack_trajectories(folder_.path(), 3);
  EXPECT_EQ(count_unpacked_trajectories(folder_.path()), 0u);
  EXPECT_TRUE(fs::exists(folder_.path() + "/3.h5"));
  for (const auto& [key, csv] : texts) {
    EXPECT_EQ(read_trajectory(at(key)), csv) << key;
    EXPECT_TRUE(has_trajectory_with(at(key), content_hash(csv))) << key;
    EXPECT_FALSE(has_trajectory_with(at(key), content_hash(csv + " "))) << key;
  }
  EXPECT_EQ(read_trajectory(at("other")), std::nullopt);
  const auto columns = read_csv_columns(at("numbers"), {"q1", "t"});
  EXPECT_EQ(columns[0][0], 0.1);
  EXPECT_EQ(columns[1], (std::vector<double>{0, 1, 2}));
}

TEST_F(TrajectoryStore, WhatIsWrittenLaterCountsAndIsPackedToo) {
  put("a", "t\n1\n"), put("b", "t\n2\n");
  pack_trajectories(folder_.path());
  put("a", "t\n3\n");
  EXPECT_EQ(read_trajectory(at("a")), "t\n3\n");
  pack_trajectories(folder_.path());
  EXPECT_EQ(count_unpacked_trajectories(folder_.path()), 0u);
  EXPECT_EQ(read_trajectory(at("a")), "t\n3\n");
  EXPECT_EQ(read_trajectory(at("b")), "t\n2\n");
}

TEST_F(TrajectoryStore, AnInterruptedPackingLosesNothing) {
  put("a", "t\n1\n");
  pack_trajectories(folder_.path());
  put("a", "t\n1\n");  // it was not removed yet
  pack_trajectories(folder_.path());
  EXPECT_FALSE(fs::exists(folder_.path() + "/2.h5"));
  EXPECT_EQ(read_trajectory(at("a")), "t\n1\n");
  // A batch that no index names is written again.
  put("b", "t\n2\n");
  write_file(folder_.path() + "/2.h5", "half a file");
  pack_trajectories(folder_.path());
  EXPECT_EQ(read_trajectory(at("b")), "t\n2\n");
}

TEST_F(TrajectoryStore, AChangedBitIsNoticed) {
  const std::string csv = "t,q\n0,1\n1,2\n";
  put("a", csv);
  pack_trajectories(folder_.path());
  ASSERT_TRUE(has_trajectory_with(at("a"), content_hash(csv)));
  const auto size = fs::file_size(folder_.path() + "/1.h5");
  for (std::size_t byte = 0; byte < size; byte += 41) {
    flip_bit("1.h5", byte);
    fs::last_write_time(folder_.path() + "/1.h5", fs::file_time_type::clock::now() + std::chrono::seconds(1 + byte));
    EXPECT_FALSE(has_trajectory_with(at("a"), content_hash(csv))) << byte;
    EXPECT_EQ(read_trajectory(at("a")), std::nullopt) << byte;
    flip_bit("1.h5", byte);
  }
  write_file(folder_.path() + "/packed.json", R"({"1.h5": {"hash": 3}})");
  EXPECT_FALSE(has_trajectory_with(at("a"), content_hash(csv)));
  put("a", csv);  // the run made again
  pack_trajectories(folder_.path());
  EXPECT_EQ(read_trajectory(at("a")), csv);
}

}  // namespace TEST_FILE
}  // namespace daelab
