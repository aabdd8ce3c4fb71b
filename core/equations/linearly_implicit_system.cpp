#include "core/equations/linearly_implicit_system.hpp"

#include <fmt/format.h>

#include "core/equations/first_order_system.hpp"

namespace daelab {
namespace {

// The blocks of the equations at one point, and how many patterns they have had.
template <class T>
struct ImplicitBlocks {
  SparseMatrix<T> M, M_ydot_y, f_y;
  std::vector<bool> is_constraint;  // by rows
  long patterns = 0;

  void evaluate(OrdinaryModel<T>& model, const T& t, const Vector<T>& y, const Vector<T>& ydot) {
    const auto before = f_y.pattern;
    model.rates_mass(t, y, M);
    model.rates_mass_s(t, y, ydot, M_ydot_y);
    model.rates_s(t, y, 0, f_y);
    if (patterns > 0 && before == f_y.pattern) return;
    ++patterns;
    is_constraint.assign(static_cast<std::size_t>(model.states()), false);
    for (const int row : model.constraint_rows()) is_constraint[static_cast<std::size_t>(row)] = true;
  }
};

// Places of the blocks in a sum of them.
struct Places {
  std::size_t M = 0, M_ydot_y = 0, f_y = 0;
  template <class Sum, class T>
  static Places in(Sum& sum, const ImplicitBlocks<T>& x) {
    const Places places{sum.add(x.M.pattern, 0, 0), sum.add(x.M_ydot_y.pattern, 0, 0), sum.add(x.f_y.pattern, 0, 0)};
    sum.complete();
    return places;
  }
};

template <class T, class S>
class LinearlyImplicitMatrix final : public IterationMatrix<S> {
 public:
  explicit LinearlyImplicitMatrix(const ImplicitBlocks<T>& blocks) : x_(blocks), lu_(0) {}

  Status factorize(const S& kappa) override {
    if (patterns_ != x_.patterns) {
      patterns_ = x_.patterns;
      lu_ = BlockLu<S>(x_.M.rows(), SolutionUse::correction);
      places_ = Places::in(lu_, x_);
    }
    kappa_ = kappa;
    lu_.clear();
    lu_.accumulate(places_.M, x_.M);
    lu_.accumulate(places_.M_ydot_y, x_.M_ydot_y, kappa);
    lu_.accumulate_rows(places_.f_y, x_.f_y, [&](Index i) { return is_constraint(i) ? S(-1) : S(-kappa); });
    return lu_.factorize();
  }
  void reuse(const S& kappa) override { kappa_ = kappa; }
  void solve(Vector<S>& r) override {
    for (Index i = 0; i < r.size(); ++i)
      if (is_constraint(i)) r[i] /= kappa_;
    lu_.solve(r);
  }

 private:
  bool is_constraint(Index i) const { return x_.is_constraint[static_cast<std::size_t>(i)]; }

  const ImplicitBlocks<T>& x_;
  S kappa_{1};
  long patterns_ = 0;  // those of lu_
  BlockLu<S> lu_;
  Places places_;
};

template <class T>
class ImplicitLinearization final : public Linearization<T> {
 public:
  explicit ImplicitLinearization(OrdinaryModel<T>& model) : model_(model) {}
  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) override { x_.evaluate(model_, t, y, ydot); }
  void coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) override {
    if (patterns_ != x_.patterns) {
      patterns_ = x_.patterns;
      by_y_ = SparseSum<T>(x_.M.rows(), x_.M.rows());
      places_ = Places::in(by_y_, x_);
    }
    by_y_.clear();
    by_y_.accumulate(places_.M_ydot_y, x_.M_ydot_y);
    by_y_.accumulate(places_.f_y, x_.f_y, T(-1));
    F_y = by_y_.matrix(), F_ydot = x_.M;
  }
  std::unique_ptr<IterationMatrix<T>> real_matrix() override {
    return std::make_unique<LinearlyImplicitMatrix<T, T>>(x_);
  }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<LinearlyImplicitMatrix<T, std::complex<T>>>(x_);
  }

 private:
  OrdinaryModel<T>& model_;
  ImplicitBlocks<T> x_;
  long patterns_ = 0;  // those of by_y_
  SparseSum<T> by_y_{0, 0};
  Places places_;
};

}  // namespace

template <class T>
void LinearlyImplicitSystem<T>::residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  model_.rates_mass(t, y, M_);
  model_.rates(t, y, F);
  F = -F;
  M_.add_product(ydot, F, T(1));
}

template <class T>
std::unique_ptr<Linearization<T>> LinearlyImplicitSystem<T>::linearization() {
  return std::make_unique<ImplicitLinearization<T>>(model_);
}

template <class T>
LinearlyImplicitSystem<T>::LinearlyImplicitSystem(OrdinaryModel<T>& model) : model_(model), rates_(model) {
  this->facts_ = {.size = model.states(), .differential = model.states(), .index = model.index()};
  if (model.index() > 0)
    this->facts_.explicit_form_refusal = fmt::format(
        "the matrix M of M y' = f is singular: the equations of {} have no derivatives, and explicit methods need y' "
        "as a function of y; choose an implicit one",
        model.algebraic_equations());
}

template <class T>
void LinearlyImplicitSystem<T>::correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const {
  using std::abs;
  for (Index i = 0; i < y.size(); ++i) w[i] = h / (T(1) + abs(y[i]));
}

template <class T>
std::unique_ptr<System<T>> make_ordinary_system(OrdinaryModel<T>& model, int index) {
  if (model.is_linearly_implicit()) return std::make_unique<LinearlyImplicitSystem<T>>(model);
  return std::make_unique<FirstOrderSystem<T>>(model, index);
}

#define DAELAB_INSTANTIATE(T)               \
  template class LinearlyImplicitSystem<T>; \
  template std::unique_ptr<System<T>> make_ordinary_system<T>(OrdinaryModel<T>&, int);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
