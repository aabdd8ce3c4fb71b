// certify on the command line: what it prints and writes, and its exit codes.
#include "core/base/json_file.hpp"
#include "experiments/references/enclosure_certificate.hpp"
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

// Into a copy of the reference.
class CliCertifyStore : public CliCertify {
 protected:
  Outcome store(const std::string& t) const {
    return daelab({"certify", "pendulum", "--t", t, "--digits", "20", "--store", "kept"});
  }
  Json state_at(const std::string& t) const {
    const Json file = read_json_file(folder / "kept/pendulum.json");
    for (const Json& state : file["states"])
      if (state["t"] == t) return state;
    return {};
  }
  void keep(const std::string& q1) const {
    Json file = read_json_file(source_path("/results/reference/pendulum.json"));
    for (Json& state : file["states"])
      if (state["t"] == "1") state.erase("proved"), state["q"][0] = q1;
    fs::create_directories(folder / "kept");
    write(folder / "kept/pendulum.json", file.dump());
  }
  const std::string q1 = "0.98629175113187531935563895294544006202345029438195";
};

TEST_F(CliCertifyStore, ProvesWhatIsStored) {
  keep(q1);
  const Outcome result = store("1");
  ASSERT_EQ(result.code, 0) << result.err;
  const Json proof = state_at("1")["proved"];
  EXPECT_GE(proof["digits"].get<int>(), 20);
  EXPECT_EQ(proof["certificate"], "certificates/pendulum-1.json");
  const Json certificate = read_json_file(folder / "kept/certificates/pendulum-1.json");
  EXPECT_EQ(certificate["sha256"], certificate_hash(certificate));
  EXPECT_EQ(proof["steps"].get<std::size_t>(), certificate["steps"].size() - 1);
  EXPECT_EQ(proof["condition"], certificate["condition"]["largest"]);
  EXPECT_NEAR(std::stod(proof["relative_condition"].get<std::string>()), 3, 1);
}

TEST_F(CliCertifyStore, RefutesOneWrongDigit) {
  std::string wrong = q1;
  wrong[16] = wrong[16] == '9' ? '0' : static_cast<char>(wrong[16] + 1);
  keep(wrong);
  const Outcome result = store("1");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("refuted: t = 1: x = " + wrong + " is wrong from decimal 15 after the point on"));
  EXPECT_THAT(result.err, HasSubstr("proved is " + q1.substr(0, 25)));
  EXPECT_FALSE(state_at("1").contains("proved"));
  EXPECT_FALSE(fs::exists(folder / "kept/certificates"));
}

TEST_F(CliCertifyStore, AddsAStateWhereNoneIsStored) {
  ASSERT_EQ(store("0.5").code, 0);
  const Json state = state_at("0.5");
  EXPECT_EQ(state["route"], "enclosure in interval arithmetic");
  EXPECT_EQ(state["digits_trusted"], state["proved"]["digits"]);
  EXPECT_EQ(state["q"].size(), 2u);
  EXPECT_EQ(state["lambda"].size(), 1u);
  const Json file = read_json_file(folder / "kept/pendulum.json");
  EXPECT_EQ(file["states"][0]["t"], "0.5");
  EXPECT_EQ(file["states"].size(),
            read_json_file(source_path("/results/reference/pendulum.json"))["states"].size() + 1);
}

TEST_F(CliCertifyStore, GoesBesideAProblemOfOnesOwn) {
  write(folder / "decay.json",
        R"({"name": "decay", "summary": "It decays.", "states": {"y": "-y"}, "start": {"y": "1"}, "end_time": "1"})");
  const Outcome result = daelab({"certify", "@decay.json", "--digits", "20", "--store"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(fs::exists(folder / "certificates/decay-1.json"));
  const Json file = read_json_file(folder / "decay.reference.json");
  EXPECT_EQ(file["route"], "enclosure in interval arithmetic");
  EXPECT_EQ(file["states"][0]["y"][0].get<std::string>().substr(0, 20), "0.367879441171442321");
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
