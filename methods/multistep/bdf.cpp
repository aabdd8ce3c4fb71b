// BDF, orders 1 to 6, for every form of a mechanical system. [Ren20, Sec. 4]
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "methods/multistep/bdf_options.hpp"

namespace daelab {
namespace {

struct BdfOptions : BdfFamily {
  static constexpr const char* name = "bdf";
  static constexpr const char* summary =
      "Backward differentiation formulas of order 1 to 5, and 6 where asked for; order and step selection with error "
      "control.";
  static constexpr const char* source = "Gear 1971; Ren, Zhou 2020 (doi 10.6052/1672-6553-2020-098), algorithm 4";

  BdfFormula formula = BdfFormula::variable;

  Options options() {
    std::vector<Option> all = list(bdf_highest_order);
    all.insert(all.begin() + 1, option("formula", formula,
                                       "changing steps: divided differences on the true grid, or backward differences "
                                       "resampled for each step"));
    return all;
  }
  BdfSettings settings() const { return settings_of(formula, false); }
};
const MethodEntry<BdfOptions, BdfMethod> bdf_entry;

}  // namespace
}  // namespace daelab
