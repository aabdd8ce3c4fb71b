#include "core/mechanism/mechanical_model.hpp"

#include <cmath>
#include <stdexcept>

#include "core/mechanism/form_evaluator.hpp"

namespace daelab {

template <class T>
MechanicalModel<T>::MechanicalModel(std::shared_ptr<RecordedProblem> problem) : Model<T>(std::move(problem)) {
  if (!forms().facts().is_mechanical) throw std::logic_error("the model is an ordinary differential equation");
  zero_.setZero(coordinates());
}

template <class T>
Index MechanicalModel<T>::coordinates() const {
  return forms().facts().extended;
}

template <class T>
Index MechanicalModel<T>::constraints() const {
  return forms().facts().constraints;
}

template <class T>
Index MechanicalModel<T>::nonholonomic() const {
  return forms().facts().nonholonomic;
}

template <class T>
Index MechanicalModel<T>::integrated_states() const {
  return forms().facts().differential_states;
}

template <class T>
Index MechanicalModel<T>::algebraic_states() const {
  return forms().facts().algebraic_states;
}

template <class T>
Level MechanicalModel<T>::algebraic_level() const {
  return forms().facts().algebraic_level;
}

template <class T>
bool MechanicalModel<T>::has_linear_equations() const {
  return forms().facts().has_linear_equations;
}

template <class T>
Vector<T> MechanicalModel<T>::initial_multipliers() const {
  Vector<T> multipliers = Vector<T>::Zero(this->multipliers());
  multipliers.tail(algebraic_states()) = evaluator().constants(forms().recording().start_s).tail(algebraic_states());
  return multipliers;
}

template <class T>
Vector<T> MechanicalModel<T>::recorded_y() const {
  const Index n = coordinates(), given = forms().facts().coordinates;
  Vector<T> y = Vector<T>::Zero(2 * n);
  y.head(given) = evaluator().constants(forms().recording().start_q);
  y.segment(n, given) = evaluator().constants(forms().recording().start_v);
  y.tail(integrated_states()) = evaluator().constants(forms().recording().start_s).head(integrated_states());
  return y;
}

template <class T>
bool MechanicalModel<T>::constant_mass() const {
  return forms().has_constant_mass();
}

template <class T>
std::optional<T> MechanicalModel<T>::least_mass_pivot(const T& t, const Vector<T>& q) {
  if (!forms().recording().mass_inverse) return {};
  Vector<T> pivots = Vector<T>::Ones(coordinates());
  evaluator().run(FormKind::mass_pivots, 0, t, q, zero_, {pivots.data()});
  return pivots.template minCoeff<Eigen::PropagateNaN>();
}

template <class T>
void MechanicalModel<T>::mass(const T& t, const Vector<T>& q, Matrix<T>& M) {
  M.setZero();
  evaluator().run(FormKind::mass, 0, t, q, zero_, {M.data()});
}

template <class T>
void MechanicalModel<T>::force(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& Q) {
  evaluator().run(FormKind::force, 0, t, q, v, {Q.data()});
}

template <class T>
void MechanicalModel<T>::constraint(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) {
  C_q.topRows(forms().facts().holonomic).setZero();
  evaluator().run(FormKind::constraint, 0, t, q, zero_, {C.data(), C_q.data()});
}

template <class T>
void MechanicalModel<T>::velocity_constraint(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& G,
                                             Matrix<T>& G_v) {
  if (nonholonomic() == 0) return;
  G_v.bottomRows(nonholonomic()).setZero();
  evaluator().run(FormKind::velocity_constraint, 0, t, q, v, {G.data(), G_v.data()});
}

template <class T>
void MechanicalModel<T>::constraint_level(Level level, const T& t, const Vector<T>& q, const Vector<T>& v,
                                          const Vector<T>& a, Vector<T>& r) {
  evaluator().run(FormKind::level, static_cast<int>(level), t, q, v, {r.data()}, &a);
}

template <class T>
void MechanicalModel<T>::curvature(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) {
  evaluator().run(FormKind::curvature, 0, t, q, v, {h.data()});
}

template <class T>
void MechanicalModel<T>::constraint_level_q(Level level, const T& t, const Vector<T>& q, const Vector<T>& v,
                                            const Vector<T>& a, Matrix<T>& R_q) {
  R_q.setZero();
  evaluator().run(FormKind::level_q, static_cast<int>(level), t, q, v, {R_q.data()}, &a);
}

template <class T>
void MechanicalModel<T>::acceleration_level_v(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                                              Matrix<T>& R_v) {
  R_v.setZero();
  evaluator().run(FormKind::acceleration_level_v, 0, t, q, v, {R_v.data()}, &a);
}

template <class T>
void MechanicalModel<T>::motion_jacobians(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                                          const Vector<T>& lambda, Matrix<T>& K, Matrix<T>& D) {
  K.setZero(), D.setZero();
  evaluator().run(FormKind::motion_jacobians, 0, t, q, v, {K.data(), D.data()}, &a, &lambda);
}

template <class T>
void MechanicalModel<T>::data(const T& t, const Vector<T>& q, const Vector<T>& v, Matrix<T>& M, Vector<T>& Q,
                              Matrix<T>& J, Vector<T>& h) {
  M.setZero(), J.setZero();
  evaluator().run(FormKind::data, 0, t, q, v, {M.data(), Q.data(), J.data(), h.data()});
}

template <class T>
void MechanicalModel<T>::residual(Level level, const T& t, const T* q, const T* v, const T* a, const T* lambda,
                                  T* motion, T* row) {
  evaluator().run(evaluator().dense(FormKind::residual, static_cast<int>(level)), t, q, v, {motion, row}, a, lambda);
}

template <class T>
void MechanicalModel<T>::levels(Level highest, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                                const Vector<T>& lambda, ConstraintLevels<T>& x) {
  const auto& form = evaluator().sparse(FormKind::levels, static_cast<int>(highest));
  x.J.take((*form.patterns)[4]);
  x.motion.resize(coordinates()), x.position.resize(multipliers());
  x.velocity.resize(constraints()), x.acceleration.resize(highest == Level::acceleration ? constraints() : 0);
  evaluator().run(form, t, q, v,
                  {x.motion.data(), x.position.data(), x.velocity.data(), x.acceleration.data(), x.J.values.data()}, &a,
                  &lambda);
}

template <class T>
void MechanicalModel<T>::blocks(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                                const Vector<T>& lambda, MechanicalBlocks<T>& x) {
  for (Matrix<T>* block : {&x.M, &x.K, &x.D, &x.J, &x.R_q, &x.R_v, &x.R_a, &x.Q_mu, &x.g_q, &x.g_v, &x.g_mu})
    block->setZero();
  evaluator().run(FormKind::blocks, static_cast<int>(level), t, q, v,
                  {x.M.data(), x.K.data(), x.D.data(), x.J.data(), x.R_q.data(), x.R_v.data(), x.R_a.data(),
                   x.Q_mu.data(), x.g_q.data(), x.g_v.data(), x.g_mu.data()},
                  &a, &lambda);
}

template <class T>
void MechanicalModel<T>::jacobian(const T& t, const Vector<T>& q, const Vector<T>& v, SparseMatrix<T>& J) {
  const auto& form = evaluator().sparse(FormKind::jacobian);
  J.take(form.patterns->front());
  evaluator().run(form, t, q, v, {J.values.data()});
}

template <class T>
void MechanicalModel<T>::data(const T& t, const Vector<T>& q, const Vector<T>& v, SparseData<T>& x) {
  const auto& form = evaluator().sparse(FormKind::data);
  x.M.take((*form.patterns)[0]), x.J.take((*form.patterns)[2]);
  x.Q.resize(coordinates()), x.h.resize(constraints());
  evaluator().run(form, t, q, v, {x.M.values.data(), x.Q.data(), x.J.values.data(), x.h.data()});
}

template <class T>
void MechanicalModel<T>::blocks(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                                const Vector<T>& lambda, SparseBlocks<T>& x) {
  const auto& form = evaluator().sparse(FormKind::blocks, static_cast<int>(level));
  typename FormEvaluator<T>::Outputs outputs;
  std::size_t part = 0;
  for (SparseMatrix<T>* block : {&x.M, &x.K, &x.D, &x.J, &x.R_q, &x.R_v, &x.R_a, &x.Q_mu, &x.g_q, &x.g_v, &x.g_mu}) {
    block->take((*form.patterns)[part]);
    outputs[part++] = block->values.data();
  }
  evaluator().run(form, t, q, v, outputs, &a, &lambda);
}

template <class T>
const std::vector<GroupCoordinates>& MechanicalModel<T>::groups() const {
  return forms().recording().groups;
}

template <class T>
Index MechanicalModel<T>::charts() const {
  return forms().recording().charts;
}

template <class T>
Index MechanicalModel<T>::chart() const {
  return evaluator().mode();
}

template <class T>
Index MechanicalModel<T>::chart_after(Index event) const {
  const Expression& mode = forms().recording().events[static_cast<std::size_t>(event)].after.mode;
  const auto next = static_cast<Index>(forms().value(mode));
  return next != chart() ? next : (chart() + 1) % charts();
}

template <class T>
void MechanicalModel<T>::set_chart(Index chart) {
  evaluator().enter(static_cast<int>(chart));
}

template <class T>
void MechanicalModel<T>::to_chart(Index chart, const Vector<T>& near, Vector<T>& q, Vector<T>& v, Vector<T>& a) {
  using std::round;
  Vector<T> there_q = zero_, there_v = zero_, there_a = zero_;
  const T t(0);
  evaluator().run(FormKind::to_chart, static_cast<int>(chart), t, q, v,
                  {there_q.data(), there_v.data(), there_a.data()}, &a);
  q = there_q, v = there_v, a = there_a;
  const Vector<T> periods = evaluator().constants(forms().recording().periods[static_cast<std::size_t>(chart)]);
  for (Index i = 0; i < periods.size(); ++i)
    if (periods[i] > T(0)) q[i] += periods[i] * round(T((near[i] - q[i]) / periods[i]));
}

template <class T>
bool MechanicalModel<T>::has_energy() const {
  return forms().recording().kinetic_energy.has_value();
}

template <class T>
Energy<T> MechanicalModel<T>::energy(const T& t, const Vector<T>& q, const Vector<T>& v) {
  if (!has_energy()) return {};
  T both[2];
  evaluator().run(FormKind::energy, 0, t, q, v, {both});
  return {both[0], both[1]};
}

template <class T>
Energy<T> MechanicalModel<T>::invariants(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                                         std::array<Vector<T>, 3>& levels) {
  T both[2] = {T(0), T(0)};
  evaluator().run(FormKind::invariants, 0, t, q, v, {both, levels[0].data(), levels[1].data(), levels[2].data()}, &a);
  return {both[0], both[1]};
}

#define DAELAB_INSTANTIATE(T) template class MechanicalModel<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
