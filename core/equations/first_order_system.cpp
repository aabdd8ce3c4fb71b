#include "core/equations/first_order_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/mechanism/forms.hpp"

#include <algorithm>
#include <functional>

namespace daelab {
namespace {

// The derivative of the rates, f on top, and how many patterns it has had.
template <class T>
struct Rates {
  Index size, differential;
  int differentiations;                      // of algebraic equations
  SparseMatrix<T> by_s = {}, identity = {};  // of the differential states
  long patterns = 0;
  std::vector<bool> determines = {};  // whether an algebraic equation has algebraic states
  // Positions and velocities of index 3: equations whose first derivative has no algebraic states either, and the
  // differential states whose rates have some.
  std::vector<bool> holds_positions = {}, is_velocity = {};

  void evaluate(OrdinaryModel<T>& model, const T& t, const Vector<T>& s) {
    const auto before = by_s.pattern;
    model.rates_s(t, s, differentiations, by_s);
    if (patterns > 0 && before == by_s.pattern) return;
    ++patterns;
    identity.take(SparsePattern::diagonal(differential));
    identity.values.setOnes();
    classify();
  }

 private:
  void classify() {
    const auto at = [](Index i) { return static_cast<std::size_t>(i); };
    determines.assign(at(size - differential), false), is_velocity.assign(at(differential), false);
    by_s.visit([&](Index i, Index j, const T&) {
      if (j < differential) return;
      if (i >= differential)
        determines[at(i - differential)] = true;
      else
        is_velocity[at(i)] = true;
    });
    holds_positions = determines;
    holds_positions.flip();
    by_s.visit([&](Index i, Index j, const T&) {
      if (i >= differential && j < differential && is_velocity[at(j)]) holds_positions[at(i - differential)] = false;
    });
  }
};

template <class T, class S>
class FirstOrderMatrix final : public IterationMatrix<S> {
 public:
  explicit FirstOrderMatrix(const Rates<T>& rates) : rates_(rates), lu_(0) {}

  Status factorize(const S& kappa) override {
    if (patterns_ != rates_.patterns) arrange();
    lu_.clear();
    kappa_ = factorized_ = kappa;
    const Index d = rates_.differential;
    lu_.accumulate_entries(rates_by_s_, rates_.by_s, [&](Index i, Index j, const T& value) {
      if (is_divided(i)) return S(value);
      const T entry = i < d ? T(-value) : value;
      return j < d ? kappa * entry : S(entry);
    });
    lu_.accumulate(identity_, rates_.identity);
    return lu_.factorize();
  }
  void reuse(const S& kappa) override { kappa_ = kappa; }
  void solve(Vector<S>& r) override {
    for (Index i = rates_.differential; i < r.size(); ++i)
      if (is_divided(i)) r[i] /= kappa_;
    lu_.solve(r);
  }

  // With g_x f_s x in these equations, times the kappa that the matrix is factorised for, and 0 elsewhere, the solution
  // has the velocities that x has off the first derivatives g_x f = 0.
  void make_tangential(Vector<S>& x) override {
    const Index d = rates_.differential, size = rates_.size;
    if (std::ranges::none_of(rates_.holds_positions, std::identity())) return;
    along_.setZero(size), off_.setZero(size);
    rates_.by_s.visit([&](Index i, Index j, const T& value) {
      if (i < d && j < d) along_[i] += S(value) * x[j];
    });
    rates_.by_s.visit([&](Index i, Index j, const T& value) {
      if (i >= d && j < d && holds_positions(i)) off_[i] += factorized_ * (S(value) * along_[j]);
    });
    lu_.solve(off_);
    for (Index j = 0; j < d; ++j)
      if (rates_.is_velocity[static_cast<std::size_t>(j)]) x[j] -= off_[j];
  }

 private:
  bool holds_positions(Index i) const {
    return rates_.holds_positions[static_cast<std::size_t>(i - rates_.differential)];
  }
  // The rows kappa g_s of equations without algebraic states.
  bool is_divided(Index i) const {
    return i >= rates_.differential && !rates_.determines[static_cast<std::size_t>(i - rates_.differential)];
  }
  void arrange() {
    patterns_ = rates_.patterns;
    lu_ = BlockLu<S>(rates_.size, SolutionUse::correction);
    rates_by_s_ = lu_.add(rates_.by_s.pattern, 0, 0), identity_ = lu_.add(rates_.identity.pattern, 0, 0);
    lu_.complete();
  }
  const Rates<T>& rates_;
  S kappa_{1}, factorized_{1};
  long patterns_ = 0;  // the weights of lu_
  BlockLu<S> lu_;
  std::size_t rates_by_s_ = 0, identity_ = 0;
  Vector<S> along_, off_;
};

template <class T>
class FirstOrderLinearization final : public Linearization<T> {
 public:
  FirstOrderLinearization(OrdinaryModel<T>& model, Index differential, int differentiations)
      : model_(model), rates_{model.states(), differential, differentiations} {}
  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& /*ydot*/) override { rates_.evaluate(model_, t, y); }
  void coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) override {
    if (coupled_patterns_ != rates_.patterns) {
      coupled_patterns_ = rates_.patterns;
      identity_ = SparseSum<T>(rates_.size, rates_.size);
      identity_.add(rates_.identity.pattern, 0, 0);
      identity_.complete();
      identity_.accumulate(0, rates_.identity);
    }
    F_y = rates_.by_s;
    Index k = 0;
    rates_.by_s.visit(
        [&](Index i, Index, const T& value) { F_y.values[k++] = i < rates_.differential ? T(-value) : value; });
    F_ydot = identity_.matrix();
  }
  std::unique_ptr<IterationMatrix<T>> real_matrix() override {
    return std::make_unique<FirstOrderMatrix<T, T>>(rates_);
  }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<FirstOrderMatrix<T, std::complex<T>>>(rates_);
  }

 private:
  OrdinaryModel<T>& model_;
  Rates<T> rates_;
  long coupled_patterns_ = 0;
  SparseSum<T> identity_{0, 0};  // in a matrix of all states
};

}  // namespace

template <class T>
FirstOrderSystem<T>::FirstOrderSystem(OrdinaryModel<T>& model, int index)
    : model_(model), newton_(NewtonOptions::full()) {
  this->facts_ = {.size = model.states(), .differential = model.states() - model.algebraic_states(), .index = index};
  if (index > 1)
    this->facts_.explicit_form_refusal = fmt::format(
        "the form has index {}: explicit methods need the algebraic states as functions of the others, as ode:index=1 "
        "has them",
        index);
  s_.setZero(this->facts_.size), r_.setZero(this->facts_.size),
      z_.setZero(this->facts_.size - this->facts_.differential);
}

template <class T>
void FirstOrderSystem<T>::residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  model_.rates(t, y, model_.index() - this->facts_.index, F);
  F.head(this->facts_.differential) = ydot.head(this->facts_.differential) - F.head(this->facts_.differential);
}

template <class T>
std::unique_ptr<Linearization<T>> FirstOrderSystem<T>::linearization() {
  return std::make_unique<FirstOrderLinearization<T>>(model_, this->facts_.differential,
                                                      model_.index() - this->facts_.index);
}

template <class T>
Status FirstOrderSystem<T>::consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  const Index algebraic = this->facts_.size - this->facts_.differential;
  if (algebraic > 0) {
    t_ = t, s_ = y;
    if (Status status = newton<T>(newton_, *this, false, statistics_); !status.ok()) {
      status.cause = "the algebraic equations: " + status.cause;
      return status;
    }
    y.tail(algebraic) = s_.tail(algebraic);
  }
  model_.rates(t, y, all_differentiations(), r_);
  ydot.head(this->facts_.differential) = r_.head(this->facts_.differential);
  return {};
}

// The lower right corner of R_s.
template <class T>
void FirstOrderSystem<T>::arrange() {
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = pattern->columns = this->facts_.size - this->facts_.differential;
  pattern->start.assign(static_cast<std::size_t>(pattern->columns) + 1, 0);
  g_z_entries_.clear();
  Index k = 0;
  R_s_.visit([&](Index i, Index j, const T&) {
    if (i >= this->facts_.differential && j >= this->facts_.differential) {
      pattern->row.push_back(static_cast<int>(i - this->facts_.differential));
      ++pattern->start[static_cast<std::size_t>(j - this->facts_.differential) + 1];
      g_z_entries_.push_back(k);
    }
    ++k;
  });
  for (std::size_t j = 1; j < pattern->start.size(); ++j) pattern->start[j] += pattern->start[j - 1];
  g_z_.take(pattern);
  algebraic_lu_ = std::make_unique<BlockLu<T>>(pattern->columns);
  algebraic_lu_->add(pattern, 0, 0);
  algebraic_lu_->complete();
}

template <class T>
Status FirstOrderSystem<T>::linearize() {
  const auto pattern = R_s_.pattern;
  model_.rates_s(t_, s_, all_differentiations(), R_s_);
  if (!algebraic_lu_ || pattern != R_s_.pattern) arrange();
  for (std::size_t k = 0; k < g_z_entries_.size(); ++k)
    g_z_.values[static_cast<Index>(k)] = R_s_.values[g_z_entries_[k]];
  algebraic_lu_->clear();
  algebraic_lu_->accumulate(0, g_z_);
  Status status = algebraic_lu_->factorize();
  if (status.code == StatusCode::singular) status.cause = cause_of_singularity();
  return status;
}

// An equation that has algebraic states, but not to first order where they are sought from, as 0 = z^2 - y at z = 0.
template <class T>
std::string FirstOrderSystem<T>::cause_of_singularity() const {
  Vector<T> largest = Vector<T>::Constant(g_z_.rows(), T(-1));
  g_z_.visit([&](Index i, Index, const T& value) {
    using std::abs;
    largest[i] = std::max(largest[i], T(abs(value)));
  });
  const std::vector<std::string>& names = model_.forms().recording().state_names;
  for (Index i = 0; i < largest.size(); ++i) {
    if (largest[i] != T(0)) continue;
    std::vector<std::string> values;
    g_z_.visit([&](Index row, Index column, const T&) {
      const Index state = this->facts_.differential + column;
      if (row == i)
        values.push_back(
            fmt::format("{} = {:.6g}", names[static_cast<std::size_t>(state)], static_cast<double>(s_[state])));
    });
    return fmt::format(
        "g_z is singular: at t = {:.6g} and {} all derivatives of the equation of {} by algebraic states are 0. These "
        "are sought from their start values by Newton's method: give others",
        static_cast<double>(t_), fmt::join(values, ", "),
        names[static_cast<std::size_t>(this->facts_.differential + i)]);
  }
  return fmt::format(
      "g_z is singular: those of {} do not determine the algebraic states. Equations of index 2 and 3 must be in "
      "Hessenberg form: differentiate or substitute until each new one has algebraic states of its own",
      model_.algebraic_equations());
}

template <class T>
Status FirstOrderSystem<T>::evaluate() {
  model_.rates(t_, s_, all_differentiations(), r_);
  z_ = r_.tail(this->facts_.size - this->facts_.differential);
  return {};
}

template <class T>
void FirstOrderSystem<T>::correct(const T& relaxation) {
  algebraic_lu_->solve(z_);
  s_.tail(this->facts_.size - this->facts_.differential) -= relaxation * z_;
}

template <class T>
T FirstOrderSystem<T>::residual_size() {
  return max_norm(z_);
}

template <class T>
T FirstOrderSystem<T>::correction_size() {
  using std::abs;
  NormOf<T> norm;
  for (Index i = 0; i < z_.size(); ++i) norm.add(z_[i] / (T(1) + abs(s_[this->facts_.differential + i])));
  return norm.value();
}

template <class T>
void FirstOrderSystem<T>::correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const {
  using std::abs;
  const T algebraic = this->facts_.index == 3 ? T(h * h) : this->facts_.index == 2 ? h : T(1);
  for (Index i = 0; i < this->facts_.size; ++i)
    w[i] = (i < this->facts_.differential ? h : algebraic) / (T(1) + abs(y[i]));
}

#define DAELAB_INSTANTIATE(T) template class FirstOrderSystem<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
