#include "methods/lie_group/commutator_free_tableau.hpp"

#include <fmt/format.h>

#include "core/base/options.hpp"
#include "methods/lie_group/lie_document.hpp"

namespace daelab {
namespace {

struct CommutatorFreeDocument {
  std::string name, summary, source;
  std::vector<std::string> aliases;
  int order = 0;

  Options options() {
    return {option("name", name, "what records call it"), option("summary", summary, "what it is"),
            option("source", source, "where it is from"),
            option("order", order, "on any Lie group", between(1, highest_lie_order))};
  }
};

void check_order(const CommutatorFreeTableau& t, const std::string& where) {
  const LieOrderDefect defect = lie_order_defect(lie_scheme_of(t), t.order, LieEquation::autonomous);
  if (defect.order == 0) return;
  throw InputError(
      where + "/order",
      fmt::format("is {}, but a condition of order {} does not hold: the coefficient of the ordered trees {} is off by "
                  "{}, so the method has order {} on Lie groups",
                  t.order, defect.order, defect.trees, to_text(defect.residual, 3), defect.order - 1));
}

ExponentialProduct weights_of(const LieProduct& product) {
  ExponentialProduct weights;
  for (const LieExponent& exponent : product) weights.push_back(exponent.weights);
  return weights;
}

LieProduct exponents_of(const ExponentialProduct& product) {
  LieProduct exponents;
  for (const Vector<Real100>& row : product) exponents.push_back({row});
  return exponents;
}

}  // namespace

LieScheme lie_scheme_of(const CommutatorFreeTableau& tableau) {
  LieScheme scheme;
  for (const ExponentialProduct& stage : tableau.stages) scheme.stages.push_back(exponents_of(stage));
  scheme.step = exponents_of(tableau.step);
  scheme.in_space = tableau_in_space(scheme, tableau.digits);
  scheme.in_space.name = tableau.name, scheme.in_space.source = tableau.source;
  scheme.in_space.claimed_order = tableau.order;
  scheme.tolerance += tableau.tolerance;
  return scheme;
}

Tableau CommutatorFreeTableau::tableau() const { return lie_scheme_of(*this).in_space; }

CommutatorFreeTableau commutator_free_from_json(const Json& json, const std::string& where) {
  CommutatorFreeDocument document;
  document.options().read(json, where, {"exponentials", "step", "aliases"});
  if (!json.contains("order")) throw InputError(where + "/order", "is missing");
  ExponentialReader reader(ExponentialReader::Commutators::refused);
  const ExponentialReader::Products products = reader.products(json, where);
  CommutatorFreeTableau t{document.name, document.source, document.order, reader.digits(), reader.error(), {}, {}};
  for (const LieProduct& stage : products.stages) t.stages.push_back(weights_of(stage));
  t.step = weights_of(products.step);
  check_order(t, where);
  return t;
}

}  // namespace daelab
