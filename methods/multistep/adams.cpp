#include "methods/multistep/adams.hpp"

#include <algorithm>

#include "core/integration/explicit_stepper.hpp"
#include "core/solvers/quadrature.hpp"

namespace daelab {
namespace {

// int_0^1 of the Lagrange basis on the nodes first, first - 1, ...
Vector<Real100> adams_weights(int first, int k) {
  Vector<Real100> nodes(k);
  for (int j = 0; j < k; ++j) nodes[j] = first - j;
  return interpolatory_weights(nodes, 1);
}

int order_of(const AdamsFormulas& formulas) {
  return static_cast<int>(std::max(formulas.predictor.size(), formulas.corrector.size()));
}

template <class T>
struct AdamsSlopes {
  Matrix<T> slopes;  // (N, past): f_(n-1), ..., f_(n-k+1)
  Index known = 0;   // how many of them there are
  bool operator==(const AdamsSlopes&) const = default;
};

template <class T>
class Adams final : public TypedStepper<T, AdamsSlopes<T>, ExplicitStepper<T>> {
 public:
  Adams(const AdamsFormulas& formulas, System<T>& system)
      : TypedStepper<T, AdamsSlopes<T>, ExplicitStepper<T>>(system, order_of(formulas), {.is_multistep = true}),
        N_(system.size()),
        past_(formulas.predictor.size() - 1),
        predictor_(formulas.predictor.template cast<T>()),
        corrector_(formulas.corrector.template cast<T>()),
        start_(formulas.start->stepper(system, {})),
        predicted_(Vector<T>::Zero(N_)),
        slope_(Vector<T>::Zero(N_)),
        increment_(Vector<T>::Zero(N_)) {
    for (const Warning& warning : start_->warnings()) this->warn(warning.kind, warning.text);
  }

  HeldMemory make_memory() const override { return HeldMemory::of(AdamsSlopes<T>{Matrix<T>::Zero(N_, past_)}); }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = this->start(from, h); !status.ok()) return status;
    const Index known = from.memory_step == h ? this->past(from).known : 0;
    const Status status = known < past_            ? this->step_by(*start_, from, h, to)
                          : corrector_.size() == 0 ? predict(from, h, to)
                                                   : predict_and_correct(from, h, to);
    if (status.ok()) remember(from, h, std::min(known + 1, past_), to);
    return status;
  }

 private:
  Status predict(const State<T>& from, const T& h, State<T>& to) {
    increment_ = from.compensation;
    add_past(from, h, predictor_, 0, increment_);
    return this->finish(from, h, increment_, to);
  }

  Status predict_and_correct(const State<T>& from, const T& h, State<T>& to) {
    predicted_ = from.y;
    add_past(from, h, predictor_, 0, predicted_);
    const Status status = this->slope(from.t + h, predicted_, slope_);
    if (!status.ok()) return status;
    increment_ = from.compensation;
    increment_ += (h * corrector_[0]) * slope_;
    add_past(from, h, corrector_, 1, increment_);
    return this->finish(from, h, increment_, to);
  }

  // sum += h (weights[first] f_n + weights[first + 1] f_(n-1) + ...)
  void add_past(const State<T>& from, const T& h, const Vector<T>& weights, Index first, Vector<T>& sum) const {
    const Matrix<T>& past = this->past(from).slopes;
    for (Index j = first; j < weights.size(); ++j) {
      if (j == first)
        sum += (h * weights[j]) * from.ydot;
      else
        sum += (h * weights[j]) * past.col(j - first - 1);
    }
  }

  void remember(const State<T>& from, const T& h, Index known, State<T>& to) const {
    AdamsSlopes<T>& memory = this->past(to);
    if (past_ > 0) {
      memory.slopes.rightCols(past_ - 1) = this->past(from).slopes.leftCols(past_ - 1);
      memory.slopes.col(0) = from.ydot;
    }
    memory.known = known;
    to.memory_step = h;
  }

  Index N_, past_;
  Vector<T> predictor_, corrector_;
  std::unique_ptr<Stepper<T>> start_;
  Vector<T> predicted_, slope_, increment_;
};

}  // namespace

Vector<Real100> adams_bashforth(int k) { return adams_weights(0, k); }
Vector<Real100> adams_moulton(int k) { return adams_weights(1, k); }

void AdamsStart::resolve_start(int order) {
  if (start == AdamsStart{}.start)
    start = order <= 4 ? "rk4-classical" : order == 5 ? "dormand-prince" : "cooper-verner";
}

std::shared_ptr<Method> AdamsStart::start_method(const std::string& where) const {
  if (const Tableau tableau = tableau_by_name(start, where + "/start"); !tableau.is_explicit())
    throw InputError(where + "/start", tableau.name + " is implicit; the start must be explicit");
  return make<"runge-kutta">({{"tableau", start}}, "");
}

MethodForm adams_form(const AdamsFormulas& formulas) {
  const Vector<Real100>&predictor = formulas.predictor, &corrector = formulas.corrector;
  const Index k = std::max(predictor.size(), corrector.size() - 1);
  // y_(n+1) - y_n = h (weights of f_(n+1-first), f_(n-first), ...)
  const auto adams = [k](const Vector<Real100>& weights, Index first) {
    MultistepFormula formula{Vector<Real100>::Zero(k + 1), Vector<Real100>::Zero(k + 1)};
    formula.alpha[0] = 1, formula.alpha[1] = -1;
    formula.beta.segment(first, weights.size()) = weights;
    return formula;
  };
  MultistepForm form{adams(predictor, 1), {}};
  if (corrector.size() > 0) form = {adams(corrector, 0), adams(predictor, 1)};
  const Tableau start = std::get<Tableau>(formulas.start->form());
  if (k > 1 && start.claimed_order + 1 < order_of(formulas)) form.start = start;
  return form;
}
MethodForm AdamsMethod::form() const { return adams_form(formulas_); }

// Start values of order p - 1 are enough, and those chosen automatically have them.
PredictedOrders adams_orders(const FormulationTraits& formulation, const FormOrders& orders) {
  if (!formulation.state_space) return PredictedOrders::only_with_state_space();
  if (orders.start_order && *orders.start_order + 1 < orders.order)
    return PredictedOrders::everywhere(*orders.start_order + 1, "order of the start, and one more");
  return PredictedOrders::everywhere(orders.order, "order of the formula: a, lambda are functions of (q, v)");
}
PredictedOrders AdamsMethod::predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const {
  return adams_orders(formulation, orders);
}

DenseOrder AdamsMethod::dense_order() const { return bootstrapped_order(order_of(formulas_)); }

std::vector<Method::Coefficient> adams_coefficients(const AdamsFormulas& formulas) {
  std::vector<Method::Coefficient> list{{"beta", "Adams-Bashforth weights of f_n, f_(n-1), ...", formulas.predictor}};
  if (formulas.corrector.size() > 0)
    list.push_back({"beta_corrector", "Adams-Moulton weights of f_(n+1), f_n, ...", formulas.corrector});
  return list;
}
std::vector<Method::Coefficient> AdamsMethod::coefficients() const { return adams_coefficients(formulas_); }

#define DAELAB_INSTANTIATE(T)                                                                       \
  std::unique_ptr<Stepper<T>> AdamsMethod::stepper(System<T>& system, const NewtonOptions&) const { \
    return std::make_unique<Adams<T>>(formulas_, system);                                           \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
