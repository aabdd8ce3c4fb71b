// Machine code gives the bits of the interpreter: one lane and four, SSE2 and AVX2, for every operation and for numbers
// that are not numbers.
#include "core/expressions/machine_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sleef.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <string>

#include "core/base/context.hpp"
#include "core/base/json.hpp"
#include "core/expressions/operations.hpp"
#include "tests/tape_support.hpp"

#ifndef FP_FAST_FMA  // the header declares for the compiler's target only, which is older than this processor may be
extern "C" Sleef_double_2 Sleef_finz_sincosd1_u10purecfma(double);
#endif

namespace daelab {
namespace TEST_FILE {

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::vector<double> special_numbers = {0.0,  -0.0,     1.0,       -1.0,  0.5,    -0.5, 2.0,
                                             -3.0, infinity, -infinity, 1e300, 5e-324, -2.5, std::nan("")};
constexpr int first_operation = static_cast<int>(Operation::add);
constexpr int last_operation = static_cast<int>(Operation::select);

Tape tape_with_inputs(std::vector<Tape::Place> inputs) {
  Tape tape;
  tape.inputs = std::move(inputs);
  tape.slots = tape.first_result();
  return tape;
}

class RandomTapes {
 public:
  explicit RandomTapes(unsigned seed) : engine_(seed) {}

  int below(int bound) { return std::uniform_int_distribution<>(0, bound - 1)(engine_); }
  double number() {
    if (below(8) == 0) return special_numbers[below(static_cast<int>(special_numbers.size()))];
    return std::uniform_real_distribution<>(-4, 4)(engine_);
  }
  /// Mostly arithmetic on what is recent, with every other operation now and then, or none of them.
  Tape tape(int instructions, bool functions) {
    Tape tape;
    const int blocks = 1 + below(12), inputs = 1 + below(40), constants = below(10);
    for (int i = 0; i < inputs; ++i) tape.inputs.push_back({below(blocks), i});
    for (int i = 0; i < constants; ++i) tape.constants.push_back(Real100(number()));
    tape.slots = tape.first_result();
    for (int i = 0; i < instructions; ++i) append(tape, functions);
    const int results = 1 + static_cast<int>(tape.slots) / 3;
    for (int r = 0; r < results; ++r) tape.results.push_back({static_cast<Slot>(below(tape.slots)), below(blocks), r});
    return tape;
  }
  Blocks inputs_of(const Tape& tape) {
    return inputs_of_four(tape, [this] { return number(); });
  }

 private:
  Slot operand(const Tape& tape) {
    const int recent = std::min<int>(tape.slots, 12);
    return below(3) == 0 ? below(tape.slots) : tape.slots - 1 - below(recent);
  }
  void append(Tape& tape, bool functions) {
    if (functions && below(25) == 0) {
      std::array<Slot, 4> angles = {operand(tape), operand(tape), operand(tape), operand(tape)};
      for (int k = 4 - below(4); k < 4; ++k) angles[k] = angles[k - 1];
      tape.instructions.push_back({Operation::sines_and_cosines, tape.slots, static_cast<Slot>(tape.angles.size())});
      tape.angles.push_back(angles);
      tape.slots += 8;
      return;
    }
    const int last = functions && below(2) == 0 ? last_operation : static_cast<int>(Operation::negate);
    const auto operation = static_cast<Operation>(first_operation + below(last - first_operation + 1));
    tape.instructions.push_back({operation, tape.slots, operand(tape), operand(tape), operand(tape)});
    ++tape.slots;
  }

  std::mt19937 engine_;
};

class MachineCodeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string refusal = machine_code_refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
  }
};

TEST_F(MachineCodeTest, EveryOperationOnSpecialNumbers) {
  const int numbers = static_cast<int>(special_numbers.size());
  for (int code = first_operation; code <= last_operation; ++code) {
    const auto operation = static_cast<Operation>(code);
    // Operands from inputs, from constants and from registers.
    Tape tape = tape_with_inputs({{0, 0}, {0, 1}, {0, 2}});
    for (const Slot operand : {0, 1, 2}) tape.instructions.push_back({Operation::negate, tape.slots++, operand});
    for (const Slot a : {0, 3})
      for (const Slot b : {1, 4})
        for (const Slot c : {2, 5}) {
          tape.results.push_back({tape.slots, 0, static_cast<int>(tape.results.size())});
          tape.instructions.push_back({operation, tape.slots++, a, b, c});
        }
    int triples = 1;
    for (int k = 0; k < operand_count(operation); ++k) triples *= numbers;
    for (int first = 0; first < triples; first += 4) {
      Blocks inputs(1, std::vector<double>(12));
      for (int lane = 0; lane < 4; ++lane) {
        const int triple = first + lane;
        inputs[0][lane] = special_numbers[triple % numbers];
        inputs[0][4 + lane] = special_numbers[triple / numbers % numbers];
        inputs[0][8 + lane] = special_numbers[triple / (numbers * numbers) % numbers];
      }
      ASSERT_EQ(differences(tape, inputs), 0) << "operation " << code << " on " << testing::PrintToString(inputs);
    }
  }
}

TEST_F(MachineCodeTest, RandomTapes) {
  RandomTapes random(1);
  int numbers = 0, others = 0;
  for (int sample = 0; sample < 600; ++sample) {
    const Tape tape = random.tape(1 + random.below(400), sample % 3 != 0);
    const Blocks inputs = random.inputs_of(tape);
    ASSERT_EQ(differences(tape, inputs), 0) << "sample " << sample;
    for (const double x : run(*make_interpreter<double>(tape), tape, lane_of(inputs, 0), 1))
      std::isfinite(x) && x != 0 ? ++numbers : ++others;
  }
  EXPECT_GT(numbers, 20000);  // not mostly zeros and NaN, which hide differences
  EXPECT_GT(numbers, others);
}

TEST_F(MachineCodeTest, PlacesOfWhatIsUsedNoMoreAreUsedAgain) {
  // Fifty times a hundred products, summed only when all of them are there, with a call between.
  std::vector<Tape::Place> inputs;
  for (int i = 0; i < 20; ++i) inputs.push_back({i % 3, i});
  Tape tape = tape_with_inputs(inputs);
  for (int round = 0; round < 50; ++round) {
    const Slot products = tape.slots;
    for (Slot i = 0; i < 100; ++i)
      tape.instructions.push_back({Operation::multiply, tape.slots++, i % 20, (7 * i + round) % 20});
    tape.instructions.push_back({Operation::exp, tape.slots++, products});
    for (Slot i = 0; i < 100; ++i) {
      tape.instructions.push_back({Operation::add, tape.slots, tape.slots - 1, products + 37 * i % 100});
      ++tape.slots;
    }
    tape.results.push_back({tape.slots - 1, 0, round});
  }
  EXPECT_EQ(differences(tape, RandomTapes(2).inputs_of(tape)), 0);
  EXPECT_LT(make_machine_code(tape)->work_size(), 120u);
}

TEST_F(MachineCodeTest, LongTapes) {
  RandomTapes random(3);
  const Tape tape = random.tape(120000, true);
  EXPECT_EQ(differences(tape, random.inputs_of(tape)), 0);
}

TEST_F(MachineCodeTest, ResultsThatAreInputsOrConstantsOrSeveralTimesTheSame) {
  Tape tape = tape_with_inputs({{2, 1}, {0, 0}});
  tape.constants = {Real100("1.5")};
  tape.slots = 5;
  tape.instructions = {{Operation::add, 3, 0, 1}, {Operation::sin, 4, 2}};
  tape.results = {{0, 1, 0}, {0, 4, 2}, {2, 1, 1}, {3, 1, 2}, {3, 3, 3}, {4, 4, 0}, {1, 4, 1}, {3, 1, 3}};
  EXPECT_EQ(differences(tape, RandomTapes(4).inputs_of(tape)), 0);
  const Tape nothing;
  EXPECT_EQ(differences(nothing, {}), 0);
}

TEST_F(MachineCodeTest, RepeatedAnglesMayBeUsed) {
  Tape tape = tape_with_inputs({{0, 0}, {0, 1}});
  tape.slots = 10;
  tape.instructions = {{Operation::sines_and_cosines, 2, 0}};
  tape.angles = {{0, 1, 1, 1}};
  for (Slot slot = 2; slot < 10; ++slot) tape.results.push_back({slot, 0, static_cast<int>(slot)});
  EXPECT_EQ(differences(tape, RandomTapes(5).inputs_of(tape)), 0);
}

TEST_F(MachineCodeTest, LanesAreOneOrFour) { EXPECT_THROW(make_machine_code(Tape(), 2), std::logic_error); }

std::vector<std::string> mappings_that_are(const std::string& permissions) {
  std::ifstream maps("/proc/self/maps");
  std::vector<std::string> result;
  for (std::string line; std::getline(maps, line);)
    if (line.find(" " + permissions) != std::string::npos) result.push_back(line);
  return result;
}

// Neighbouring mappings are merged: bytes are counted, not mappings.
std::size_t executable_bytes() {
  std::size_t bytes = 0;
  for (const std::string& line : mappings_that_are("r-xp")) {
    std::size_t dash = 0;
    const std::size_t begin = std::stoull(line, &dash, 16);
    bytes += std::stoull(line.substr(dash + 1), nullptr, 16) - begin;
  }
  return bytes;
}

TEST_F(MachineCodeTest, MemoryIsNeverWritableAndExecutable) {
  const std::size_t before = executable_bytes();
  if (before == 0) GTEST_SKIP() << "no /proc/self/maps";
  if (!mappings_that_are("rwx").empty()) GTEST_SKIP() << "under valgrind, which has such memory";
  RandomTapes random(6);
  std::vector<std::unique_ptr<Program<double>>> programs;
  for (int i = 0; i < 20; ++i) programs.push_back(make_machine_code(random.tape(100, true)));
  EXPECT_GE(executable_bytes(), before + 20 * 100);  // a byte for each of 20 times 100 operations at least
  EXPECT_THAT(mappings_that_are("rwx"), testing::IsEmpty());
  EXPECT_THAT(mappings_that_are("-wx"), testing::IsEmpty());
  programs.clear();
  EXPECT_EQ(executable_bytes(), before);
}

TEST_F(MachineCodeTest, TapesThatDifferInConstantsHaveOneCode) {
  const std::size_t before = executable_bytes();
  if (before == 0) GTEST_SKIP() << "no /proc/self/maps";
  RandomTapes random(8);
  for (int sample = 0; sample < 20; ++sample) {
    const Tape tape = random.tape(300, true);
    Tape other = tape;
    for (Real100& constant : other.constants) constant = Real100(random.number());
    const Blocks inputs = random.inputs_of(tape);
    for (const int lanes : {1, 4}) {
      auto first = make_machine_code(tape, lanes);
      const std::size_t with_one = executable_bytes();
      const auto second = make_machine_code(other, lanes);
      EXPECT_EQ(executable_bytes(), with_one);
      const Blocks given = lanes == 4 ? inputs : lane_of(inputs, 0);
      const std::vector<double> of_first = run(*first, tape, given, lanes);
      first.reset();
      const std::vector<double> of_second = run(*second, other, given, lanes);
      for (int lane = 0; lane < lanes; ++lane)
        for (const auto& [results, its] : {std::pair(&of_first, &tape), {&of_second, &other}}) {
          const auto expected = run(*make_interpreter<double>(*its), *its, lane_of(inputs, lane), 1);
          for (std::size_t r = 0; r < expected.size(); ++r)
            EXPECT_TRUE(same_bits((*results)[static_cast<std::size_t>(lanes) * r + static_cast<std::size_t>(lane)],
                                  expected[r]));
        }
    }
    Tape longer = tape;
    longer.instructions.push_back({Operation::negate, longer.slots++, 0});
    longer.results.front().slot = longer.slots - 1;
    EXPECT_NE(structure(longer), structure(tape));
    EXPECT_EQ(structure(other), structure(tape));
  }
  EXPECT_EQ(executable_bytes(), before);
}

// --- Programs.

TEST(EvaluationTest, BothGiveTheSameBits) {
  RandomTapes random(7);
  for (int sample = 0; sample < 20; ++sample) {
    const Tape tape = random.tape(200, true);
    const Blocks inputs = random.inputs_of(tape);
    std::vector<std::vector<double>> ones, fours;
    for (const Evaluator choice : {Evaluator::automatic, Evaluator::interpreter}) {
      const Context context{.evaluator = choice};
      const Context::Scope scope(context);
      ones.push_back(run(*make_program<double>(tape), tape, lane_of(inputs, 2), 1));
      fours.push_back(run(*make_program_of_lanes(tape), tape, inputs, 4, 1));
    }
    EXPECT_TRUE(std::ranges::equal(ones[0], ones[1], same_bits));
    EXPECT_TRUE(std::ranges::equal(fours[0], fours[1], same_bits));
    for (std::size_t r = 0; r < ones[0].size(); ++r) EXPECT_TRUE(same_bits(fours[0][4 * r + 2], ones[0][r]));
  }
}

TEST(EvaluationTest, MachineCodeIsRefusedWhereThereIsNone) {
  if (machine_code_refusal().empty())
    EXPECT_EQ(evaluator_of("machine-code"), Evaluator::machine_code);
  else
    EXPECT_THROW(evaluator_of("machine-code"), InputError);
}

#ifdef __linux__
constexpr int set_memory_deny_write_execute = 65;  // PR_SET_MDWE of Linux 6.3

/// In a process of its own: 0 where the interpreter runs and says why, 77 where the kernel is too old to refuse.
int run_where_the_system_refuses() {
  if (prctl(set_memory_deny_write_execute, 1, 0, 0, 0) != 0) return 77;
  Tape tape = tape_with_inputs({{0, 0}});
  tape.instructions = {{Operation::add, tape.slots++, 0, 0}};
  tape.results = {{1, 0, 0}};
  const bool is_refused = !machine_code_refusal().empty();
  const bool is_right = run(*make_program<double>(tape), tape, {{1.5}}, 1) == std::vector<double>{3};
  const auto is_an_error = [](const auto& ask) {
    try {
      ask();
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  const Context context{.evaluator = Evaluator::machine_code};
  const Context::Scope scope(context);
  const bool is_told =
      is_an_error([] { evaluator_of("machine-code"); }) && is_an_error([&] { make_program<double>(tape); });
  return is_refused && is_right && is_told ? 0 : 1;
}

TEST(EvaluationDeathTest, TheInterpreterRunsWhereTheSystemRefuses) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // starts anew: nothing has been asked of the system yet
  const auto is_passed_or_unknown = [](int status) {
    return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77);
  };
  EXPECT_EXIT(std::exit(run_where_the_system_refuses()), is_passed_or_unknown, "");
}
#endif

// --- Sines and cosines.

double any_angle(std::mt19937_64& engine, int kind) {
  const auto scaled = [&](int exponent) {
    return std::ldexp(std::uniform_real_distribution<>(-1, 1)(engine), exponent);
  };
  if (kind == 0) return std::bit_cast<double>(engine());  // every exponent, infinities and NaN
  if (kind == 1) return scaled(static_cast<int>(engine() % 60));
  return scaled(3);
}

TEST(SinesAndCosinesTest, AreTheSameBitsInVectorsAndAlone) {
#ifdef __x86_64__
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "no fused multiply-add";
#endif
  std::mt19937_64 engine(1);
  std::vector<double> angles = {0.0,          -0.0, infinity, -infinity,
                                std::nan(""), 1e22, 5e-324,   std::numeric_limits<double>::max()};
  while (angles.size() < 1000000) angles.push_back(any_angle(engine, static_cast<int>(angles.size() % 3)));
  int different = 0, wrong = 0;
  for (std::size_t i = 0; i < angles.size(); i += 4) {
    double s[4], c[4];
    sines_and_cosines(&angles[i], s, c);
    for (int k = 0; k < 4; ++k) {
      const Sleef_double_2 alone = Sleef_finz_sincosd1_u10purecfma(angles[i + k]);
      different += !same_bits(s[k], alone.x) + !same_bits(c[k], alone.y);
      if (std::isfinite(angles[i + k]))
        wrong +=
            !(std::abs(s[k] - std::sin(angles[i + k])) < 3e-16) + !(std::abs(c[k] - std::cos(angles[i + k])) < 3e-16);
      else
        wrong += !std::isnan(s[k]) + !std::isnan(c[k]);
    }
  }
  EXPECT_EQ(different, 0);
  EXPECT_EQ(wrong, 0);
}

}  // namespace TEST_FILE
}  // namespace daelab
