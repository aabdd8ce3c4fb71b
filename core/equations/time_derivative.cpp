#include "core/equations/time_derivative.hpp"

#include <array>
#include <vector>

#include "core/equations/first_order_system.hpp"
#include "core/equations/linearly_implicit_system.hpp"
#include "core/equations/mechanical_system.hpp"
#include "core/mechanism/recording_checks.hpp"

namespace daelab {
namespace time_derivative {

// Entry `row` of the derivative is `sign` times number `place` of the outputs, times y' of `column` where that is not
// negative.
struct Term {
  Index row;
  int sign;
  Index column;
};

}  // namespace time_derivative

namespace {

using time_derivative::Term;

// Derivatives of a form by time that do not vanish, and their places in F_t.
struct Derivatives {
  std::vector<Output> outputs;
  std::vector<Term> terms;

  void add(const Recording& r, const Expression& f, const Term& term) {
    const SparseExpressions by_t = jacobian(std::array{f}, std::array{r.t});
    for (const auto& entry : by_t.entries) {
      outputs.push_back({entry.value, 0, static_cast<int>(outputs.size())});
      terms.push_back(term);
    }
  }
};

constexpr const char* of_own_terms =
    "the problem depends on time, and this formulation adds terms of its own to its equations, whose derivative by "
    "time is not known; take index-1, for problems without coordinates ode";

// "" where the derivative can be made.
template <class T>
std::string refusal(System<T>& system, const Forms& forms) {
  if (!forms.recording().held.empty())
    return "the problem depends on time and has discrete-time blocks or rotations, whose outputs and bases the "
           "derivative by time does not know";
  if (!forms.facts().is_mechanical) return "";
  if (dynamic_cast<OneLevelSystem<T>*>(&system) == nullptr) return of_own_terms;
  if (forms.facts().has_linear_equations) return "";
  return "the problem depends on time and its forces depend on multipliers, or it has algebraic states beside "
         "coordinates: the derivative by time of these is not made";
}

Level level_of_index(int index) {
  return index >= 3 ? Level::position : index == 2 ? Level::velocity : Level::acceleration;
}

Derivatives of_mechanism(Forms& forms, int index) {
  const FormParts parts = forms.parts({FormKind::residual, static_cast<int>(level_of_index(index))});
  const Index n = forms.facts().extended;
  return forms.derive([&](const Recording& r) {
    Derivatives derivatives;
    for (std::size_t block = 0; block < 2; ++block)
      for (const auto& entry : parts[block].entries)
        derivatives.add(r, entry.value, {(block == 0 ? n : 2 * n) + static_cast<Index>(entry.row), 1, -1});
    return derivatives;
  });
}

// s' - f or M s' - f, and g.
Derivatives of_first_order(Forms& forms, int index, Index differential) {
  const bool implicit = forms.facts().is_linearly_implicit;
  const FormParts rates = forms.parts({FormKind::rates, implicit ? 0 : forms.facts().index - index});
  const FormParts mass = implicit ? forms.parts({FormKind::rates_mass}) : FormParts{};
  return forms.derive([&](const Recording& r) {
    Derivatives derivatives;
    for (const auto& entry : rates[0].entries)
      derivatives.add(r, entry.value, {static_cast<Index>(entry.row), entry.row < differential ? -1 : 1, -1});
    for (const FormPart& part : mass)
      for (const auto& entry : part.entries)
        derivatives.add(r, entry.value, {static_cast<Index>(entry.row), 1, static_cast<Index>(entry.column)});
    return derivatives;
  });
}

}  // namespace

template <class T>
struct TimeDerivative<T>::Mode {
  std::vector<time_derivative::Term> terms;
  std::unique_ptr<Program<T>> program;
  std::vector<T> values, work;
};

template <class T>
TimeDerivative<T>::TimeDerivative(System<T>& system) : system_(system) {}
template <class T>
TimeDerivative<T>::~TimeDerivative() = default;

template <class T>
bool TimeDerivative<T>::depends_on_time() {
  if (!looked_ || forms_ != system_.forms()) enter_mode();
  return mode_ != nullptr;
}

template <class T>
void TimeDerivative<T>::enter_mode() {
  looked_ = true, forms_ = system_.forms(), mode_.reset();
  if (forms_ == nullptr) throw NotApplicable("the derivative by time of equations that nobody recorded is not known");
  const bool is_mechanical = forms_->facts().is_mechanical;
  const Derivatives derivatives = is_mechanical ? of_mechanism(*forms_, system_.index())
                                                : of_first_order(*forms_, system_.index(), system_.differential());
  if (derivatives.terms.empty()) return;
  if (const std::string text = refusal(system_, *forms_); !text.empty()) throw NotApplicable(text);
  mode_ = std::make_unique<Mode>();
  mode_->terms = derivatives.terms;
  const std::vector<Output>& outputs = derivatives.outputs;
  mode_->program =
      forms_->derive([&outputs](const Recording& r) { return make_program<T>(make_tape(r.graph(), outputs)); });
  mode_->values.resize(derivatives.terms.size());
  mode_->work.resize(mode_->program->work_size());
}

template <class T>
Status TimeDerivative<T>::evaluate(Linearization<T>& linearization, const T& t, const Vector<T>& y,
                                   const Vector<T>& ydot, Vector<T>& F_t, Statistics& statistics) {
  F_t.setZero();
  if (!depends_on_time()) return {};
  const bool is_mechanical = forms_->facts().is_mechanical;
  const Index n = forms_->facts().extended, coordinates = forms_->facts().coordinates;
  const T *const v = y.data() + n, *const a = ydot.data() + n, *const lambda = y.data() + 2 * n;
  const std::array<const T*, 7> inputs{&t, y.data(), v, v + coordinates, nullptr, a, lambda};
  const std::array<T*, 1> outputs{mode_->values.data()};
  mode_->program->run(inputs.data(), outputs.data(), mode_->work.data());
  for (std::size_t k = 0; k < mode_->terms.size(); ++k) {
    const Term& term = mode_->terms[k];
    const T value = term.column < 0 ? mode_->values[k] : T(mode_->values[k] * ydot[term.column]);
    F_t[term.row] += T(term.sign) * value;
  }
  return is_mechanical && system_.index() <= 1 ? resolve(linearization, F_t, statistics) : Status{};
}

template <class T>
Status TimeDerivative<T>::resolve(Linearization<T>& linearization, Vector<T>& F_t, Statistics& statistics) {
  linearization.coupled(F_y_, F_ydot_);
  if (!lu_ || pattern_ != F_y_.pattern) {
    pattern_ = F_y_.pattern;
    lu_ = std::make_unique<BlockLu<T>>(system_.size());
    lu_->add(F_ydot_.pattern, 0, 0), lu_->add(F_y_.pattern, 0, 0);
    lu_->complete();
  }
  lu_->clear();
  const Index d = system_.differential();
  lu_->accumulate(0, F_ydot_);
  lu_->accumulate_entries(1, F_y_, [d](Index, Index j, const T& value) { return j < d ? T(0) : value; });
  ++statistics.factorizations, ++statistics.back_solves;
  if (const Status status = lu_->factorize(); !status.ok()) return status;
  lu_->solve(F_t);
  return {};
}

#define DAELAB_INSTANTIATE(T) template class TimeDerivative<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
