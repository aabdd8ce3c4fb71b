// Taylor series, in balls, of a motion and of its derivatives along directions.
//
// Coefficients follow one after the other: those of order k of the unknowns give those of all that the program
// computes, K w = r gives w_k = K_0^-1 (r_k - sum_j K_j w_(k-j)), j >= 1, and x_(k+1) = f_k / (k + 1). Along a direction
// all is linear. [GW08, Sec. 13.2]
//
// [GW08] Griewank, Walther, Evaluating Derivatives, 2nd ed., SIAM, 2008.
#pragma once

#include <optional>
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
  const EnclosureProgram& program() const { return program_; }
  int order() const { return order_; }
  slong precision() const { return precision_; }

 private:
  void find_degrees();
  int degree_of(const Instruction& x) const;
  void begin(std::size_t i);
  void choose(std::size_t i);
  void go_on(std::size_t i, int k);
  void go_on_with_function(std::size_t i, int k);

  const EnclosureProgram& program_;
  int order_;
  slong precision_;
  Balls memory_;
  std::vector<BallSeries> series_;  // of slots
  std::vector<BallSeries> aside_;   // of instructions that keep one beside their result
  std::vector<bool> is_along_;
  std::vector<int> choices_;
  Balls work_;
};

/// sum_j a_j b_(k-j), j = first, ..., last.
void add_products(arb_ptr y, const BallSeries& a, const BallSeries& b, int k, int first, int last, slong precision);

class MotionSeries {
 public:
  MotionSeries(const EnclosureEquations& equations, int order, slong precision);

  /// From balls of the unknowns, to the order of this object. Throws Refusal.
  void expand(arb_srcptr t, const Balls& x);
  /// Along this direction, after expand().
  void expand_along(const Balls& dx);
  /// w and its derivative at the start alone.
  void solve_at(arb_srcptr t, const Balls& x);

  const EnclosureEquations& equations() const { return equations_; }
  const ProgramSeries& program() const { return program_; }
  int order() const { return program_.order(); }
  slong precision() const { return program_.precision(); }
  std::size_t unknowns() const { return equations_.rates.size(); }
  std::size_t solved() const { return equations_.right.size(); }
  /// Coefficients of unknown i, 0 to the order; of w 0 to the order - 1.
  BallSeries unknown(std::size_t i, bool along) const { return part(along ? along_ : unknowns_, i); }
  BallSeries solved(std::size_t i, bool along) const { return part(along ? solved_along_ : solved_, i); }
  /// Middle of the inverse of K_0.
  double inverse(std::size_t i, std::size_t j) const { return middle(inverse_[i * solved() + j]); }

 private:
  BallSeries part(const Balls& all, std::size_t i) const {
    return {const_cast<arb_ptr>(all[i * static_cast<std::size_t>(order() + 1)]), order()};
  }
  void put_inputs(int k, bool along);
  void invert();
  void solve(int k, bool along);
  void integrate(int k, bool along);

  const EnclosureEquations& equations_;
  ProgramSeries program_;
  Balls unknowns_, along_, solved_, solved_along_, inverse_, time_, work_;
};

}  // namespace daelab
