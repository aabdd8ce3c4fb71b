// The same bits: whatever the number of threads, what runs the problems, the processor's vector instructions; with
// strict arithmetic whatever functions the C library chooses.
#include "core/base/json_file.hpp"
#include "core/expressions/machine_code.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// Mechanisms: index 3 and explicit forms, sparse, redundant constraints, events, samplings, charts, nonholonomic.
constexpr const char* mechanisms = R"({"name": "mechanisms", "experiment": "drift", "runs": [
  {"problem": "seven-body", "method": ["bdf", "radau-iia"], "rtol": "1e-6", "trajectory": 5, "history": true},
  {"problem": "seven-body-absolute", "formulation": "ggl", "method": "bdf", "rtol": "1e-5"},
  {"problem": "link-chain:links=120", "method": "bdf", "rtol": "1e-3", "t_end": "1/20"},
  {"problem": "rowing-boat", "formulation": "baumgarte", "method": "dormand-prince", "h": "1/100", "t_end": "1/2",
   "multiplier_solver": ["sr1", "complete-orthogonal"]},
  {"problem": "bouncing-pendulum", "method": "bdf", "rtol": "1e-6", "trajectory": 1},
  {"problem": "heavy-top", "method": "dormand-prince", "rtol": "1e-6", "t_end": 1},
  {"problem": "rolling-disc", "formulation": "baumgarte", "method": "rk4-classical", "h": "1/100", "t_end": 1},
  {"problem": "pendulum", "method": ["pade-block:r=3", "generalized-alpha", "hht"], "h": "1/50", "t_end": 1},
  {"problem": "pleiades", "method": "verner-87", "rtol": "1e-6", "t_end": "1/2"},
  {"problem": "motor-crank", "method": "bdf", "rtol": "1e-5", "t_end": "1/10"}REAL50]})";
constexpr const char* in_50_digits = R"(,
  {"problem": "pendulum", "method": ["radau-iia", "dormand-prince"], "h": "1/20", "t_end": "1/2", "scalar": "real50",
   "trajectory": 1}, {"problem": "seven-body", "method": "bdf", "rtol": "1e-4", "t_end": "1/1000", "scalar": "real50"})";
// Functions of the C library in the equations: exponentials of diodes.
constexpr const char* equations = R"({"name": "equations", "experiment": "step-history", "common": {"history": true},
  "runs": [
  {"problem": ["transistor-amplifier", "hires"], "method": "radau-iia", "rtol": "1e-7", "t_end": "1/100"},
  {"problem": "ring-modulator:Cs=1e-9", "method": "bdf", "rtol": "1e-7", "t_end": "1/2000"},
  {"problem": "van-der-pol", "method": ["rock4", "bdf", "extrapolation"], "rtol": "1e-5", "t_end": "1/10"}]})";

class Determinism : public Cli {
 protected:
  Determinism() {
    std::string text = mechanisms;
#ifdef DAELAB_DOUBLE_ONLY
    const char* more = "";
#else
    const char* more = in_50_digits;
#endif
    text.replace(text.find("REAL50"), 6, more);
    write(folder / "mechanisms.json", text);
    write(folder / "equations.json", equations);
  }
  ~Determinism() override { ::unsetenv("GLIBC_TUNABLES"); }

  void make(const std::string& out, const Arguments& options = {}) const {
    daelab_ok(with({"run", "mechanisms.json", "equations.json", "--out", out}, options));
    for (const char* set : {"mechanisms", "equations"})
      EXPECT_THAT(read(folder / out / set / "runs.jsonl"), testing::Not(HasSubstr(R"("status":"non-finite")")));
  }
  // Records and trajectories.
  void expect_equal(const std::string& a, const std::string& b) const {
    for (const std::string set : {"/mechanisms", "/equations"})
      EXPECT_THAT(daelab_ok({"compare", a + set, b + set}).out, testing::StartsWith("0 differences"));
  }
  std::string evaluation(const std::string& out) const {
    return read_json_file(folder / out / "mechanisms/manifest.json")["provenance"]["evaluation"];
  }
};

TEST_F(Determinism, AnyNumberOfThreads) {
  make("one", {"--jobs", "1"});
  make("two", {"--jobs", "2"});
  make("eight", {"--jobs", "8"});
  expect_equal("one", "two");
  expect_equal("one", "eight");
}

TEST_F(Determinism, InterpreterOrMachineCode) {
  if (!machine_code_refusal().empty()) GTEST_SKIP() << machine_code_refusal();
  make("interpreter", {"--evaluate", "interpreter"});
  make("machine-code", {"--evaluate", "machine-code"});
  EXPECT_THAT(evaluation("interpreter"), HasSubstr("interpreter"));
  EXPECT_THAT(evaluation("machine-code"), HasSubstr("machine code"));
  expect_equal("interpreter", "machine-code");
}

TEST_F(Determinism, Sse2OrAvx2) {
  if (machine_instructions() == Instructions::sse2) GTEST_SKIP() << "this processor has no AVX2";
  make("avx2", {"--evaluate", "machine-code"});
  make("sse2", {"--evaluate", "machine-code-sse2"});
  EXPECT_THAT(evaluation("avx2"), HasSubstr("machine code, AVX2"));
  EXPECT_THAT(evaluation("sse2"), HasSubstr("machine code, SSE2"));
  expect_equal("avx2", "sse2");
}

// What the C library would choose on an older processor. Without --strict the exponentials of `equations` differ there
// in last bits, and so do their results; a processor that has no fused multiply-add chooses the same either way.
TEST_F(Determinism, StrictDoesNotDependOnTheLibraryOfFunctions) {
  make("strict", {"--strict"});
  make("usual");
  ::setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4", 1);
  make("strict-older", {"--strict"});
  make("usual-older");
  ::unsetenv("GLIBC_TUNABLES");
  expect_equal("strict", "strict-older");
  EXPECT_THAT(evaluation("strict"), HasSubstr("SLEEF cinz; strict"));
#if defined(__x86_64__) && defined(__GLIBC__)
  const int different = __builtin_cpu_supports("fma") ? 1 : 0;
  EXPECT_EQ(daelab({"compare", "usual/equations", "usual-older/equations"}).code, different);
#endif
}

TEST_F(Determinism, StrictRunsAreOthersInTheStore) {
  const Arguments run{"run", "equations.json"}, strict = with(run, {"--strict"});
  daelab_ok(run);
  EXPECT_THAT(daelab_ok(strict).err, HasSubstr("6 runs computed, 0 reused"));
  EXPECT_THAT(daelab_ok(strict).err, HasSubstr("0 runs computed, 6 reused"));
  EXPECT_EQ(read_json_file(folder / "out/equations/manifest.json")["provenance"]["strict"], true);
  // A rerun is as strict as the set was.
  EXPECT_THAT(daelab_ok({"rerun", "out/equations"}).out,
              HasSubstr("0 differences\nprogram, machine and libraries are"));
  EXPECT_THAT(daelab_ok(run).err, HasSubstr("0 runs computed, 6 reused"));
}

}  // namespace TEST_FILE
}  // namespace daelab
