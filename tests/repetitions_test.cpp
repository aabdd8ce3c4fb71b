// Loops of machine code give the bits of the interpreter, which knows none: random tapes that repeat themselves, and
// accelerations of chains.
#include "core/expressions/repetitions.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/mechanism/forms.hpp"
#include "core/mechanism/problem.hpp"
#include "tests/tape_support.hpp"

namespace daelab {
namespace TEST_FILE {

constexpr RepetitionLimits any_length{.least_tape = 0, .least_period = 1, .least_periods = 3, .least_instructions = 8};

std::vector<Repetition> repetitions_of(const Tape& tape) {
  return find_repetitions(tape, ResultsOfSlots(tape), any_length);
}

/// Straight code, periods of random instructions, straight code, other periods that read what the first ones wrote,
/// forwards or backwards, and so on.
class PeriodicTapes {
 public:
  explicit PeriodicTapes(unsigned seed) : engine_(seed) {}

  int below(int bound) { return std::uniform_int_distribution<>(0, bound - 1)(engine_); }
  double number() { return std::uniform_real_distribution<>(-1.5, 1.5)(engine_); }

  Tape tape() {
    tape_ = {}, stretches_.clear(), blocks_ = 2;
    for (int i = 0; i < 6; ++i) tape_.inputs.push_back({0, i});
    for (int i = 0; i < rows_of_inputs * most_periods; ++i)  // rows that move: one place on, three, or some back
      tape_.inputs.push_back({1, i < most_periods ? 100 + i : i < 2 * most_periods ? 3 * i : 4000 - 2 * i});
    for (int i = 0; i < 30; ++i) tape_.constants.push_back(Real100(number()));
    tape_.slots = tape_.first_result();
    append_straight(20 + below(100));
    for (int stretches = 1 + below(4); stretches > 0; --stretches) {
      append_stretch();
      append_straight(below(30));
    }
    return tape_;
  }
  Blocks inputs_of(const Tape& tape) {
    return inputs_of_four(tape, [this] { return number(); });
  }

 private:
  static constexpr int most_periods = 40, rows_of_inputs = 3;
  struct Source {
    Slot slot;
    int step;
  };
  struct Stretch {
    Slot first, slots;
    int periods;
  };
  struct Step {
    Operation operation;
    std::array<Source, 4> sources;
    std::vector<std::pair<int, int>> outputs;  // blocks, and how far results move in them
  };

  Operation random_operation() {
    constexpr std::array usual{Operation::add, Operation::subtract, Operation::multiply, Operation::negate};
    if (below(12) != 0) return usual[below(4)];
    if (below(4) == 0) return Operation::sines_and_cosines;
    const int first = static_cast<int>(Operation::add), last = static_cast<int>(Operation::select);
    return static_cast<Operation>(first + below(last - first + 1));
  }
  void append_straight(int count) {
    for (int i = 0; i < count; ++i) {
      std::array<Slot, 4> slots;
      for (Slot& slot : slots) slot = below(2) == 0 ? tape_.slots - 1 - below(10) : below(tape_.slots);
      append(random_operation(), slots);
      if (below(4) == 0) tape_.results.push_back({tape_.slots - 1, blocks_++, below(5)});
    }
  }
  void append(Operation operation, const std::array<Slot, 4>& slots) {
    if (operation == Operation::sines_and_cosines) {
      tape_.instructions.push_back({operation, tape_.slots, static_cast<Slot>(tape_.angles.size())});
      tape_.angles.push_back(slots);
    } else {
      tape_.instructions.push_back({operation, tape_.slots, slots[0], slots[1], slots[2]});
    }
    tape_.slots += result_count(operation);
  }
  // `written`: slots of the period so far.
  Source source(const Stretch& now, int written) {
    switch (below(10)) {
      case 0:
        return {static_cast<Slot>(below(now.first)), 0};
      case 1:
        return {tape_.first_constant() + static_cast<Slot>(below(10)), below(3) == 0 ? 0 : below(2)};
      case 2:
        return {6 + static_cast<Slot>(below(rows_of_inputs) * most_periods), 1};
      case 3:
      case 4: {
        if (stretches_.empty()) return {0, 0};
        const Stretch& other = stretches_[below(static_cast<int>(stretches_.size()))];
        const bool forwards = other.periods >= now.periods && below(2) == 0;
        if (!forwards && other.periods < now.periods) return {0, 0};
        const Slot slot = other.first + below(other.slots) + (forwards ? 0 : (other.periods - 1) * other.slots);
        return {slot, static_cast<int>(forwards ? other.slots : -other.slots)};
      }
      case 5:  // of a period before; the first ones read what was written by other instructions
        return {now.first + below(now.slots) - (1 + below(2)) * now.slots, static_cast<int>(now.slots)};
      default:
        return written == 0
                   ? Source{now.first - 1, 0}
                   : Source{now.first + written - 1 - below(std::min(written, 8)), static_cast<int>(now.slots)};
    }
  }
  void append_stretch() {
    std::vector<Step> period(1 + below(30));
    Stretch now{tape_.slots, 0, 3 + below(most_periods / 2)};
    if (!stretches_.empty() && below(2) == 0) now.periods = stretches_.back().periods;
    for (Step& step : period) now.slots += result_count(step.operation = random_operation());
    if (2 * now.slots > now.first) return;
    int written = 0, moving = 0;
    for (Step& step : period) {
      for (Source& x : step.sources) x = source(now, written);
      if (below(6) == 0 && ++moving < 4) step.outputs.emplace_back(blocks_++, below(5) - 2);
      if (!step.outputs.empty() && step.outputs[0].second == 0) step.outputs.clear();
      written += result_count(step.operation);
    }
    const int odd = below(3) == 0 ? below(now.periods) : -1;  // one may differ
    for (int k = 0; k < now.periods; ++k)
      for (const Step& step : period) {
        std::array<Slot, 4> slots;
        for (int i = 0; i < 4; ++i) slots[i] = step.sources[i].slot + k * step.sources[i].step;
        const bool differs = k == odd && result_count(step.operation) == 1;
        append(differs ? Operation::multiply : step.operation, slots);
        for (const auto& [block, stride] : step.outputs)
          tape_.results.push_back({tape_.slots - 1, block, 200 + k * stride});
      }
    stretches_.push_back(now);
  }

  std::mt19937 engine_;
  Tape tape_;
  std::vector<Stretch> stretches_;
  int blocks_ = 0;
};

class RepetitionsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string refusal = machine_code_refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
  }
};

TEST_F(RepetitionsTest, RandomTapesThatRepeatThemselves) {
  PeriodicTapes random(1);
  int numbers = 0, others = 0, repetitions = 0, that_read_periods_before = 0;
  for (int sample = 0; sample < 500; ++sample) {
    const Tape tape = random.tape();
    const Blocks inputs = random.inputs_of(tape);
    ASSERT_EQ(differences(tape, inputs, any_length), 0) << "sample " << sample;
    for (const Repetition& x : repetitions_of(tape)) ++repetitions, that_read_periods_before += x.rows_before > 0;
    for (const double x : run(*make_interpreter<double>(tape), tape, lane_of(inputs, 0), 1))
      std::isfinite(x) && x != 0 ? ++numbers : ++others;
  }
  // A tape has 2.5 stretches in the mean; many have too many movements, or operands that become one.
  EXPECT_GT(repetitions, 200);
  EXPECT_GT(that_read_periods_before, 50);
  EXPECT_GT(numbers, others);  // not mostly zeros and NaN, which hide differences
}

Tape accelerations_of_chain(int links) {
  const auto problem = Registry<Problem>::instance().make("link-chain:links=" + std::to_string(links), "");
  const auto recorded = record_problem(problem->recorder(), problem->start_mode());
  Forms& forms = recorded->mode(problem->start_mode());
  std::vector<Output> outputs;
  const FormParts parts = forms.parts({FormKind::accelerations, 0});
  for (std::size_t block = 0; block < parts.size(); ++block)
    for (const auto& entry : parts[block].entries)
      outputs.push_back({entry.value, static_cast<int>(block), static_cast<int>(entry.row)});
  return make_tape(forms.recording().graph(), outputs);
}

TEST_F(RepetitionsTest, ChainsOfManyLengths) {
  PeriodicTapes random(2);
  for (int links : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 30, 31, 32, 33, 64, 99, 250}) {
    const Tape tape = accelerations_of_chain(links);
    EXPECT_EQ(differences(tape, random.inputs_of(tape), any_length), 0) << links << " links";
  }
}

// Sines, elimination, substitution back, accelerations, multipliers, pivots: all of it loops where links are equal, and
// what is left does not grow with the chain.
TEST_F(RepetitionsTest, OfAChainOnlyItsEndsStayStraight) {
  for (const int links : {250, 403, 1000}) {
    const Tape tape = accelerations_of_chain(links);
    std::size_t straight = tape.instructions.size();
    for (const Repetition& x : find_repetitions(tape, ResultsOfSlots(tape))) straight -= x.count * x.length;
    EXPECT_LT(straight, 1700u) << links << " links";  // five periods of four links at 85 instructions
  }
}

TEST_F(RepetitionsTest, ShortTapesStayStraight) {
  const Tape tape = accelerations_of_chain(64);
  EXPECT_TRUE(find_repetitions(tape, ResultsOfSlots(tape)).empty());
  EXPECT_FALSE(repetitions_of(tape).empty());
}

}  // namespace TEST_FILE
}  // namespace daelab
