// Order and step size of a multistep method from the sizes of its differences. [Ren20, Sec. 4]
//
// With e^j = |nabla^(j+1) x_(n+1)| in error tolerances, a step of order j has the error c_e^j e^j, so that
// h / E_j, E_j = (c_e^j e^j)^(1/(j+1)), is the step it may take.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace daelab {

/// After a step of order k.
struct DifferenceSizes {
  int order = 1;                  // k
  std::array<double, 9> nabla{};  // nabla[j] = |nabla^j x_(n+1)|, j = OrderSelector::lowest_difference(k), ..., k + 2
  std::array<double, 9> error{};  // error[j] = c_e^j, j = 1, ..., k + 1
  double growth = 1;              // ell = h_n (h_n + h_(n-1)) / (h_(n-1) (h_(n-1) + h_(n-2)))

  /// (c_e^j e^j)^(1/(j+1)); above 0 even where the solution is a polynomial.
  double E(int j) const;
};

struct StepChoice {
  int order;
  double ratio;  // next h / this h
};

class OrderSelector {
 public:
  /// plain, difsub, dassl, skelboe, stewart, combined, skelboe-stewart.
  static const std::vector<std::string>& names();
  /// One of names(); orders 1 to `highest`; `growth_caps`: table 1 bounds the ratio.
  OrderSelector(const std::string& name, int highest, bool growth_caps);

  /// The lowest j whose |nabla^j x_(n+1)| the rules look at after a step of order k; at least 1.
  int lowest_difference(int k) const;
  /// For the step after an accepted one.
  StepChoice next(const DifferenceSizes& sizes) const;
  /// For another attempt at a step rejected by its error: never a higher order, never a larger step.
  StepChoice again(const DifferenceSizes& sizes) const;

 private:
  enum class Rule { plain, difsub, dassl, skelboe, stewart, combined, skelboe_stewart };
  double ratio(const DifferenceSizes& sizes, int j) const;
  bool must_lower(const DifferenceSizes& sizes) const;
  bool may_raise(const DifferenceSizes& sizes) const;
  StepChoice best(const DifferenceSizes& sizes, int lowest, int highest) const;

  Rule rule_;
  int highest_;
  bool growth_caps_;
};

}  // namespace daelab
