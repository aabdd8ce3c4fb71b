#include "methods/nystrom/nystrom_method.hpp"

#include <cmath>

#include "core/base/coefficient_document.hpp"
#include "core/integration/bootstrapped_output.hpp"
#include "core/integration/method_documents.hpp"

namespace daelab {
namespace {

template <class T>
std::unique_ptr<Stepper<T>> make_stepper(const std::shared_ptr<const NystromTableau>& tableau, System<T>& system,
                                         const NewtonOptions& newton) {
  auto stepper = make_nystrom<T>(tableau, system, newton);
  Tableau told;
  told.name = tableau->name, told.digits = tableau->digits;
  const auto digits = static_cast<int>(std::lround(-std::log10(static_cast<double>(epsilon<T>()))));
  if (const std::string text = coefficient_warning(told, digits); !text.empty())
    stepper->warn("coefficient-digits", text);
  return stepper;
}

const bool documents_are_methods = [] {
  accept_method_documents(holds<CoefficientKind::nystrom>, method_of_document<NystromMethod, nystrom_from_json>);
  accept_method_documents(holds<CoefficientKind::partitioned>,
                          method_of_document<NystromMethod, partitioned_from_json>);
  return true;
}();

}  // namespace

MethodForm NystromMethod::form() const { return *tableau_; }

DenseOrder NystromMethod::dense_order() const { return bootstrapped_order(tableau_->order); }

std::vector<Method::Coefficient> NystromMethod::coefficients() const {
  const NystromTableau& t = *tableau_;
  if (t.pair)
    return {{"A", "stages of positions", t.pair->A},
            {"b", "weights of positions", t.pair->b},
            {"A_hat", "stages of velocities", t.pair->A_hat},
            {"b_hat", "weights of velocities", t.pair->b_hat}};
  std::vector<Coefficient> all{{"c", "nodes", t.c}, {"A_bar", "stages of positions, of h^2", t.A_bar}};
  if (t.A.size() > 0) all.push_back({"A", "stages of velocities", t.A});
  all.push_back({"b_bar", "weights of positions, of h^2", t.b_bar});
  all.push_back({"b", "weights of velocities", t.b});
  if (t.b_embedded.size() > 0) {
    all.push_back({"b_bar_embedded", "those of the embedded method", t.b_bar_embedded});
    all.push_back({"b_embedded", "those of the embedded method", t.b_embedded});
  }
  return all;
}

#define DAELAB_INSTANTIATE(T)                                                                                \
  std::unique_ptr<Stepper<T>> NystromMethod::stepper(System<T>& system, const NewtonOptions& newton) const { \
    return make_stepper<T>(tableau_, system, newton);                                                        \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
