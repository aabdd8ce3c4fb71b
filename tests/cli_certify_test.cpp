// certify on the command line: what it prints and writes, and its exit codes.
#include "tests/cli_support.hpp"

#ifndef DAELAB_DOUBLE_ONLY

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

class CliCertify : public Cli {};

TEST_F(CliCertify, PrintsWhatIsProvedAndWritesTheCertificate) {
  const Outcome result = daelab_ok({"certify", "pendulum", "--t", "0.5", "--digits", "20", "--to", "proof.json"});
  EXPECT_THAT(result.out, HasSubstr("pendulum at t = 0.5: proved to"));
  EXPECT_THAT(result.out, HasSubstr("from y, y', the others by the constraints"));
  const Json json = Json::parse(read(folder / "proof.json"));
  EXPECT_EQ(json["certificate"], "daelab enclosure 1");
  EXPECT_EQ(json["sha256"].get<std::string>().size(), 64u);
}

TEST_F(CliCertify, FailsWhereNothingIsProved) {
  const Outcome result = daelab({"certify", "bouncing-pendulum", "--t", "1", "--digits", "8", "--to", "proof.json"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("not enclosed: t = 0.538"));
  EXPECT_THAT(result.err, HasSubstr("what would help"));
  EXPECT_FALSE(fs::exists(folder / "proof.json"));
}

TEST_F(CliCertify, RefusesBadInput) {
  expect_refused({"certify", "pendulm"}, {"no problem 'pendulm'", "did you mean 'pendulum'?"});
  expect_refused({"certify", "pendulum", "--t", "1/3"}, {"--t", "no decimal number"});
  expect_refused({"certify", "pendulum", "--digits", "0"}, {"--digits", "200"});
  expect_refused({"certify", "pendulum", "--start", "project"}, {"--start", "consistent"});
  expect_refused({"certify"}, {"PROBLEM is missing"});
}

}  // namespace TEST_FILE
}  // namespace daelab

#endif
