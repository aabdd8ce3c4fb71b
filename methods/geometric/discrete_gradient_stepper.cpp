#include "methods/geometric/discrete_gradient_stepper.hpp"

#include <fmt/format.h>

#include <array>

#include "core/equations/mechanical_layout.hpp"
#include "core/mechanism/form_evaluator.hpp"
#include "core/solvers/sparse_lu.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {

std::vector<std::string> names_of(StepMultipliers) { return {"consistent", "step"}; }

namespace {

template <class T>
class DiscreteGradientStepper final : public Stepper<T>, private NewtonTarget<T> {
 public:
  DiscreteGradientStepper(DiscreteGradient gradient, StepMultipliers multipliers, Level level, System<T>& system,
                          MechanicalModel<T>& model, const NewtonOptions& newton)
      : gradient_(gradient),
        multipliers_(multipliers),
        level_(level),
        system_(system),
        model_(model),
        settings_(newton),
        layout_{model.coordinates(), model.constraints()} {
    settings_.set_tolerance(epsilon<T>());
    // At steps that do not resolve stiff springs a Jacobian of the start of a step leads nowhere.
    if (newton.iteration == NewtonIteration::automatic) settings_.full = settings_.quadratic = true;
    for (Vector<T>* x : {&X_, &R_, &increment_}) x->setZero(system.size());
    weights_.setZero(system.size());
    sizes_[static_cast<std::size_t>(StepSize::least)] = square_of_cube_root(epsilon<T>());
    enter_mode();
  }

  std::vector<std::string> newton_options() const override { return {"name", "test", "tolerance", "max_iterations"}; }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (forms_ != &model_.forms()) enter_mode();
    from_ = &from;
    middle_ = from.t + h / T(2);
    sizes_[static_cast<std::size_t>(StepSize::h)] = h;
    sizes_[static_cast<std::size_t>(StepSize::end_time)] = from.t + h;
    system_.correction_weights(h, from.y, weights_);
    const Index n = layout_.n, m = layout_.m;
    // From rest: velocities and accelerations of the start lead past stiff springs if steps do not resolve them.
    X_.head(2 * n).setZero();
    X_.tail(m) = layout_.lambda(from.y);
    if (const Status status = newton<T>(settings_, *this, false, this->statistics_); !status.ok()) return status;
    increment_ = h * X_ + from.compensation;
    add_increment(from, increment_, 2 * n, to);
    to.t = from.t + h;
    ++this->statistics_.steps;
    if (const Status status = system_.consistent_derivatives(to.t, to.y, to.ydot); !status.ok()) return status;
    if (multipliers_ == StepMultipliers::step) to.y.tail(m) = X_.tail(m);
    return {};
  }

 private:
  static T square_of_cube_root(const T& x) {
    using std::exp, std::log;
    return exp(log(x) * T(2) / T(3));
  }

  void enter_mode() {
    forms_ = &model_.forms();
    programs_ = make_step_programs<T>(*forms_, level_, gradient_);
    jacobian_.take(programs_.pattern);
    lu_ = std::make_unique<BlockLu<T>>(system_.size(), SolutionUse::correction);
    lu_->add(programs_.pattern, 0, 0);
    lu_->complete();
    work_.resize(std::max(programs_.residual->work_size(), programs_.jacobian->work_size()));
  }

  void run(const Program<T>& program, T* output) {
    const Index n = layout_.n;
    std::array<const T*, static_cast<std::size_t>(StepInput::count)> inputs{};
    const auto set = [&inputs](auto block, const T* numbers) { inputs[static_cast<std::size_t>(block)] = numbers; };
    set(InputBlock::time, &middle_);
    set(InputBlock::q, from_->y.data()), set(InputBlock::v, from_->y.data() + n);
    set(InputBlock::held, model_.evaluator().held.data());
    set(InputBlock::lambda, X_.data() + 2 * n);
    set(StepInput::sizes, sizes_.data());
    set(StepInput::u, X_.data()), set(StepInput::a, X_.data() + n);
    const std::array<T*, 1> outputs{output};
    program.run(inputs.data(), outputs.data(), work_.data());
  }

  Status evaluate() override {
    run(*programs_.residual, R_.data());
    ++this->statistics_.residuals;
    return {};
  }

  Status linearize() override {
    run(*programs_.jacobian, jacobian_.values.data());
    lu_->clear();
    lu_->accumulate(0, jacobian_);
    ++this->statistics_.jacobians, ++this->statistics_.factorizations;
    Status status = lu_->factorize();
    if (status.code == StatusCode::singular)
      status.cause = "the matrix of a step is singular: dependent constraints, or a step that is too long";
    return status;
  }

  void correct(const T& relaxation) override {
    lu_->solve(R_);
    ++this->statistics_.back_solves;
    X_ -= relaxation * R_;
  }

  T residual_size() override { return R_.size() == 0 ? T(0) : R_.cwiseAbs().maxCoeff(); }
  // Multipliers are linear in the equations: they are right when all else is.
  T correction_size() override {
    using std::abs;
    NormOf<T> norm;
    for (Index i = 0; i < 2 * layout_.n; ++i) norm.add(T(weights_[i] * abs(R_[i])));
    return norm.value();
  }

  const DiscreteGradient gradient_;
  const StepMultipliers multipliers_;
  const Level level_;
  System<T>& system_;
  MechanicalModel<T>& model_;
  NewtonSettings<T> settings_;
  MechanicalLayout layout_;
  Forms* forms_ = nullptr;  // that the programs are of
  StepPrograms<T> programs_;
  SparseMatrix<T> jacobian_;
  std::unique_ptr<BlockLu<T>> lu_;
  std::vector<T> work_;
  const State<T>* from_ = nullptr;
  T middle_{0};
  std::array<T, 3> sizes_{};   // as StepSize has them
  Vector<T> X_, R_, weights_;  // (2n + m): u, a, lambda; residual or correction
  Vector<T> increment_;
};

template <class T>
void refuse_model(System<T>& system, MechanicalModel<T>& model) {
  if (!model.has_energy())
    throw NotApplicable("the method needs kinetic_energy and potential_energy of the problem, which states none");
  if (!model.forms().has_expressions())
    throw NotApplicable("the method needs energies as expressions; the problem is given by functions");
  if (model.nonholonomic() > 0)
    throw NotApplicable(
        "the method needs holonomic constraints: choose a Runge-Kutta method, bdf or generalized-alpha for others");
  if (model.integrated_states() > 0)
    throw NotApplicable(
        "the problem has first-order states beside coordinates, and the energy of the method is one of coordinates and "
        "velocities: choose a Runge-Kutta method or bdf");
  const SystemFacts& facts = system.facts();
  const Index n = model.coordinates(), m = model.constraints();
  if (facts.size != 2 * n + m || (m > 0 && facts.index < 2) || facts.stabilizes || facts.depends_on_step_size)
    throw NotApplicable("the method imposes one level of the constraints itself: use index-3 or index-2");
  if (const auto rank = analyse_start(model, model.initial_q(), model.initial_v()).rank; rank < m)
    throw NotApplicable(fmt::format("the method needs independent constraints, and C_q has rank {} of {}", rank, m));
}

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_discrete_gradient(DiscreteGradient gradient, StepMultipliers multipliers,
                                                   System<T>& system, MechanicalModel<T>& model,
                                                   const NewtonOptions& newton) {
  refuse_model(system, model);
  const Level level = system.index() == 2 ? Level::velocity : Level::position;
  return std::make_unique<DiscreteGradientStepper<T>>(gradient, multipliers, level, system, model, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                                   \
  template std::unique_ptr<Stepper<T>> make_discrete_gradient<T>(DiscreteGradient, StepMultipliers, System<T>&, \
                                                                 MechanicalModel<T>&, const NewtonOptions&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
