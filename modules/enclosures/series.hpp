// Taylor series, in balls, of what a program computes, from those of its inputs: one coefficient after the other, as in
// core/expressions/taylor_series.hpp. [GW08, Sec. 13.2]
//
// [GW08] Griewank, Walther, Evaluating Derivatives, 2nd ed., SIAM, 2008.
#pragma once

#include <vector>

#include "modules/enclosures/balls.hpp"
#include "modules/enclosures/enclosures.hpp"

namespace daelab {

/// Coefficients of one quantity; those beyond `degree` are zero by structure.
struct BallSeries {
  arb_ptr x = nullptr;
  int degree = 0;
};

/// What a program computes, as series.
class ProgramSeries {
 public:
  using Instruction = EnclosureProgram::Instruction;
  ProgramSeries(const EnclosureProgram& program, int order, slong precision);
  ProgramSeries(const ProgramSeries&) = delete;
  ProgramSeries& operator=(const ProgramSeries&) = delete;

  const BallSeries& operator[](EnclosureSlot slot) const { return series_[slot]; }
  /// Coefficients k of all that does not depend on a direction, or of all that does. Throws Refusal where a condition
  /// is not certain or something is divided by what may be zero.
  void advance(int k, bool along_direction);
  bool depends_on_direction(std::size_t instruction) const { return is_along_[instruction]; }
  /// Which operand an absolute value, a minimum, a maximum or a choice has taken: 1 or 2, -1 and 1 for signs.
  int choice(std::size_t instruction) const { return choices_[instruction]; }
  /// Statements, 1 or 0: comparisons and what is made of them alone.
  bool is_statement(EnclosureSlot slot) const { return is_statement_[slot]; }
  /// Whether a statement may be true or false, or a value depends on such a one.
  bool is_uncertain(EnclosureSlot slot) const { return is_uncertain_[slot]; }
  bool is_certainly(bool truth, EnclosureSlot slot) const;
  const EnclosureProgram& program() const { return program_; }
  int order() const { return order_; }
  slong precision() const { return precision_; }

 private:
  void find_degrees();
  void begin(std::size_t i);
  void find_statements();
  void decide(std::size_t i);
  void choose(std::size_t i);
  void go_on(std::size_t i, int k);
  void go_on_with_function(std::size_t i, int k);

  const EnclosureProgram& program_;
  int order_;
  slong precision_;
  Balls memory_;
  std::vector<BallSeries> series_;  // of slots
  std::vector<BallSeries> aside_;   // of instructions that keep one beside their result
  std::vector<bool> is_along_, is_uncertain_, is_statement_;
  std::vector<int> choices_;
  Balls work_;
};

/// sum_j a_j b_(k-j), j = first, ..., last.
void add_products(arb_ptr y, const BallSeries& a, const BallSeries& b, int k, int first, int last, slong precision);

}  // namespace daelab
