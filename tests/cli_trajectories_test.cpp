// Trajectories of large sets: packed into HDF5, read by everything that reads trajectories, exported as they were.
#include "results/packed_file.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

class PackedTrajectories : public Cli {
 protected:
  void SetUp() override {
    if (!packing_refusal().empty()) GTEST_SKIP() << packing_refusal();
    write(folder / "c.json", R"({"name": "set", "experiment": "drift", "common": {"problem": "pendulum", "t_end": 1,
      "trajectory": 1}, "runs": {"method": ["bdf:k=2", "radau-iia"], "h": ["1/20", "1/40"]},
      "figures": [{"id": "path", "caption": "path", "panels": [{"x": "t", "y": ["q1"]}]}]})");
  }
  std::vector<fs::path> files(const fs::path& in, const std::string& extension) const {
    std::vector<fs::path> list;
    for (const auto& entry : fs::directory_iterator(folder / in))
      if (entry.path().extension() == extension) list.push_back(entry.path());
    return list;
  }
};

TEST_F(PackedTrajectories, AreTheSameToEveryReader) {
  daelab_ok({"run", "c.json", "--out", "plain", "--trajectories", "csv"});
  daelab_ok({"run", "c.json", "--out", "packed", "--trajectories", "hdf5"});
  EXPECT_EQ(files("plain/set/trajectories", ".csv").size(), 4u);
  EXPECT_TRUE(files("packed/set/trajectories", ".csv").empty());
  EXPECT_EQ(files("packed/set/trajectories", ".h5").size(), 1u);

  EXPECT_THAT(daelab_ok({"compare", "plain/set", "packed/set"}).out, HasSubstr("0 differences"));
  EXPECT_THAT(daelab_ok({"run", "c.json", "--out", "packed"}).err, HasSubstr("0 runs computed, 4 reused"));
  daelab_ok({"report", "packed/set", "--to", "report", "--format", "csv"});
  daelab_ok({"merge", "packed/set", "--to", "merged"});
  EXPECT_THAT(daelab_ok({"compare", "plain/set", "merged"}).out, HasSubstr("0 differences"));

  EXPECT_EQ(daelab_ok({"export", "packed/set", "--to", "text"}).out, "4 trajectories in text\n");
  for (const fs::path& file : files("plain/set/trajectories", ".csv"))
    EXPECT_EQ(read(folder / "text" / file.filename()), read(file));
  const std::string key = files("text", ".csv").front().stem();
  EXPECT_EQ(daelab_ok({"export", "packed/set", key, "--to", "one"}).out, "1 trajectories in one\n");
  expect_refused({"export", "packed/set", "nothing", "--to", "one"}, {"has no run 'nothing' with a trajectory"});
  expect_refused({"run", "c.json", "--trajectories", "binary"}, {"--trajectories", "allowed: automatic, csv, hdf5"});
}

// A limit of file sizes does what a full disk does.
TEST_F(PackedTrajectories, AFullDiskIsSaid) {
  daelab_ok({"run", "c.json", "--no-report", "--trajectories", "csv", "--set", "/runs/h=[\"1/500\", \"1/1000\"]"});
  const std::size_t csv = files("out/set/trajectories", ".csv").size();
  // 100 blocks of 512 bytes: a quarter of the packed file, and enough for the files written before it.
  const std::string limited = "trap '' XFSZ && ulimit -f 100 && " + built_program() +
                              " run c.json --set '/runs/h=[\"1/500\", \"1/1000\"]' --trajectories hdf5";
  const int status = std::system(("cd " + folder.string() + " && " + limited + " >out.txt 2>err.txt").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2) << read(folder / "err.txt");
  EXPECT_THAT(read(folder / "err.txt"), HasSubstr("HDF5: cannot write"));
  EXPECT_EQ(files("out/set/trajectories", ".csv").size(), csv);
  EXPECT_TRUE(files("out/set/trajectories", ".h5").empty());
}

TEST_F(PackedTrajectories, ADamagedFileIsNoticedAndItsRunsAreMadeAgain) {
  daelab_ok({"run", "c.json", "--trajectories", "hdf5"});
  const fs::path file = files("out/set/trajectories", ".h5").front();
  std::string bytes = read(file);
  bytes[bytes.size() / 2] ^= 1;
  write(file, bytes);
  expect_refused({"report", "out/set"}, {"daelab run makes it again"});
  expect_refused({"export", "out/set", "--to", "text"}, {"missing or not as it was written"});
  EXPECT_THAT(daelab_ok({"run", "c.json", "--trajectories", "hdf5"}).err, HasSubstr("4 runs computed, 0 reused"));
  EXPECT_EQ(daelab_ok({"export", "out/set", "--to", "text"}).out, "4 trajectories in text\n");
}

TEST_F(PackedTrajectories, OtherToolsReadThem) {
  if (std::system("command -v h5dump >/dev/null 2>&1") != 0) GTEST_SKIP() << "no h5dump: install hdf5-tools";
  daelab_ok({"run", "c.json", "--trajectories", "hdf5"});
  const fs::path file = files("out/set/trajectories", ".h5").front(), text = folder / "dump";
  ASSERT_EQ(std::system(("h5dump -m %.17g '" + file.string() + "' > '" + text.string() + "'").c_str()), 0);
  const std::string dump = read(text);
  const auto shows = [&](const std::string& part) { return dump.find(part) != std::string::npos; };
  EXPECT_TRUE(shows("H5T_IEEE_F64LE"));
  EXPECT_TRUE(shows("ATTRIBUTE \"columns\""));
  EXPECT_TRUE(shows("\"energy_error\""));
  daelab_ok({"export", "out/set", "--to", "csv"});
  std::string line = read(files("csv", ".csv").front());
  line = line.substr(line.find('\n') + 1);                      // the first row
  const std::string second = line.substr(line.find('\n') + 1);  // at the end of the first step
  EXPECT_TRUE(shows(second.substr(0, second.find(',')))) << second;
}

}  // namespace TEST_FILE
}  // namespace daelab
