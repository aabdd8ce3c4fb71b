#include "core/mechanism/implicit_rates.hpp"

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
Status ImplicitRates<T>::factorize(const T& t, const Vector<T>& s, Vector<T>& rates) {
  const auto pattern = W_.pattern;
  model_.implicit_rates(t, s, W_, rates);
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
  return {};
}

template <class T>
Status ImplicitRates<T>::solve(const T& t, const Vector<T>& s, Vector<T>& sdot) {
  if (Status status = factorize(t, s, sdot); !status.ok()) return status;
  lu_->solve(sdot);
  return {};
}

// W ds = (0, f_i), as the rows of W are M and -f_is.
template <class T>
Status ImplicitRates<T>::to_constraints(const T& t, const Vector<T>& s, Vector<T>& ds) {
  f_.resize(s.size()), ds.resize(s.size());
  if (Status status = factorize(t, s, ds); !status.ok()) return status;
  model_.rates(t, s, f_);
  ds.setZero();
  for (const int row : model_.constraint_rows()) ds[row] = f_[row];
  lu_->solve(ds);
  return {};
}

template <class T>
Status ImplicitRates<T>::meet_constraints(const T& t, Vector<T>& s) {
  constexpr int most_iterations = 20;
  moved_ = s;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (Status status = to_constraints(t, moved_, step_); !status.ok()) return status;
    moved_ += step_;
    if (step_.cwiseAbs().maxCoeff() > T(100) * epsilon<T>() * moved_.cwiseAbs().maxCoeff()) continue;
    s = moved_;
    return {};
  }
  return {StatusCode::newton_diverged, "no state near satisfies the equations without derivatives"};
}

#define DAELAB_INSTANTIATE(T) template class ImplicitRates<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
