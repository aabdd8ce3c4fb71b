#include "core/model/implicit_rates.hpp"

#include <fmt/format.h>

namespace daelab {
namespace {

template <class T>
std::string cause_of_singularity(const OrdinaryModel<T>& model) {
  if (model.index() == 0)
    return "the matrix of the rates is singular: write equations that need no derivatives with rows of zeros";
  return fmt::format(
      "the matrix of the rates is singular, and the equations without derivatives, of {}, do not make up for it: the "
      "index is above 1. Write the problem in Hessenberg form, with algebraic states",
      model.algebraic_equations());
}

}  // namespace

// A matrix that does not change is factorised once.
template <class T>
Status ImplicitRates<T>::solve(const T& t, const Vector<T>& s, Vector<T>& sdot) {
  const auto pattern = W_.pattern;
  model_.implicit_rates(t, s, W_, sdot);
  if (!lu_ || pattern != W_.pattern) {
    lu_ = std::make_unique<BlockLu<T>>(model_.states());
    lu_->add(W_.pattern, 0, 0);
    lu_->complete();
    factorized_.resize(0);
  }
  if (factorized_.size() != W_.values.size() || factorized_ != W_.values) {
    lu_->clear();
    lu_->accumulate(0, W_);
    if (Status status = lu_->factorize(); !status.ok()) {
      factorized_.resize(0);
      if (status.code == StatusCode::singular) status.cause = cause_of_singularity(model_);
      return status;
    }
    factorized_ = W_.values;
  }
  lu_->solve(sdot);
  return {};
}

#define DAELAB_INSTANTIATE(T) template class ImplicitRates<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
