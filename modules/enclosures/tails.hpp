// Bounds of what a Taylor polynomial of a motion leaves out.
//
// Functions that are analytic on a disc |z| <= rho have the norm sum_k |c_k| rho^k, with |a b| <= |a| |b|. Each
// quantity is its coefficients below the order L, which are known, and a tail with a bounded norm. What a
// product leaves behind L is bounded by the coefficients, and so are reciprocals, roots and solutions of linear
// equations by their residuals. The polynomial p of degree L of a motion misses e of order L + 1 with
//
//   e = I(tail of f(p + e)),   |I g| <= rho / (L + 1) |g|   for g of order L and above.
//
// Where this maps a box of norms |e_i| <= E_i into itself, the motion exists on the disc and differs from p by no more
// than E_i (h / rho)^(L + 1) at h (Schauder: the map is compact). No bound on rho times a Lipschitz constant is needed,
// as it would be without the factor 1 / (L + 1). For derivatives along a direction the same holds.
#pragma once

#include <vector>

#include "modules/enclosures/motion_series.hpp"
#include "modules/enclosures/norms.hpp"

namespace daelab {

class MotionTails {
 public:
  /// For a series that is expanded, on the disc of this radius.
  MotionTails(const MotionSeries& series, double rho);

  /// Bounds of e, of each unknown; false if none is found.
  bool bound();
  /// The same along the direction that the series was last expanded along, after bound().
  bool bound_along();
  /// Of unknown i, after bound() or bound_along().
  double error(std::size_t i, bool along) const { return (along ? errors_along_ : errors_)[i]; }
  double rho() const { return rho_; }
  /// Whether K was not proved to be regular on the disc.
  bool may_be_singular() const { return may_be_singular_; }

  /// What the value of a slot differs from its start by, at times 0 to h.
  double variation(EnclosureSlot slot, double h) const;
  /// The same of the difference of two slots.
  double variation(EnclosureSlot a, EnclosureSlot b, double h) const;

 private:
  bool find(bool along);
  std::vector<double> image(bool along);
  void put_inputs(bool along);
  void add_tail(std::size_t instruction);
  void add_tail_of_product(NormSeries& y, const NormSeries& a, const NormSeries& b) const;
  void add_tail_of_quotient(const EnclosureProgram::Instruction& x);
  void add_tail_of_root(const EnclosureProgram::Instruction& x);
  void add_tail_of_logarithm(std::size_t instruction);
  void add_tails_of_sines(const EnclosureProgram::Instruction& x);
  void bound_inverse();
  void add_tails_of_solved(bool along);

  const MotionSeries& series_;
  DiscNorms disc_;
  double rho_;
  bool may_be_singular_ = false;
  int L_;
  std::vector<NormSeries> slots_, unknowns_, along_, solved_, solved_along_;
  std::vector<double> errors_, errors_along_;
  std::vector<double> inverse_, contraction_;  // |C| of an approximate inverse C of K, |1 - C K| without tails of K
};

}  // namespace daelab
