#include "core/mechanism/ordinary_model.hpp"

#include <stdexcept>

#include "core/mechanism/form_evaluator.hpp"

namespace daelab {

template <class T>
OrdinaryModel<T>::OrdinaryModel(std::shared_ptr<RecordedProblem> problem) : Model<T>(std::move(problem)) {
  if (forms().facts().is_mechanical) throw std::logic_error("the model is a mechanism");
}

template <class T>
Index OrdinaryModel<T>::states() const {
  return forms().facts().states;
}

template <class T>
Index OrdinaryModel<T>::algebraic_states() const {
  return forms().facts().algebraic_states;
}

template <class T>
Vector<T> OrdinaryModel<T>::recorded_y() const {
  return evaluator().constants(forms().recording().start_s);
}

template <class T>
int OrdinaryModel<T>::index() const {
  return forms().facts().index;
}

template <class T>
std::string OrdinaryModel<T>::algebraic_equations() const {
  return forms().first_order()->algebraic_equations();
}

template <class T>
void OrdinaryModel<T>::rates(const T& t, const Vector<T>& s, int differentiations, Vector<T>& r) {
  evaluator().run(FormKind::rates, differentiations, t, s, {r.data()});
}

template <class T>
void OrdinaryModel<T>::rates_s(const T& t, const Vector<T>& s, int differentiations, Matrix<T>& R_s) {
  R_s.setZero();
  evaluator().run(FormKind::rates_s, differentiations, t, s, {R_s.data()});
}

template <class T>
void OrdinaryModel<T>::rates_s(const T& t, const Vector<T>& s, int differentiations, SparseMatrix<T>& R_s) {
  const auto& form = evaluator().sparse(FormKind::rates_s, differentiations);
  R_s.take(form.patterns->front());
  evaluator().run(form, t, nullptr, s.data(), {R_s.values.data()});
}

template <class T>
bool OrdinaryModel<T>::is_linearly_implicit() const {
  return forms().facts().is_linearly_implicit;
}

template <class T>
const std::vector<int>& OrdinaryModel<T>::constraint_rows() const {
  return forms().facts().constraint_rows;
}

template <class T>
void OrdinaryModel<T>::rates_mass(const T& t, const Vector<T>& s, SparseMatrix<T>& M) {
  const auto& form = evaluator().sparse(FormKind::rates_mass);
  M.take(form.patterns->front());
  evaluator().run(form, t, nullptr, s.data(), {M.values.data()});
}

template <class T>
void OrdinaryModel<T>::rates_mass_s(const T& t, const Vector<T>& s, const Vector<T>& sdot, SparseMatrix<T>& K) {
  const auto& form = evaluator().sparse(FormKind::rates_mass_s);
  K.take(form.patterns->front());
  evaluator().run(form, t, nullptr, s.data(), {K.values.data()}, sdot.data());
}

template <class T>
void OrdinaryModel<T>::implicit_rates(const T& t, const Vector<T>& s, SparseMatrix<T>& W, Vector<T>& b) {
  const auto& form = evaluator().sparse(FormKind::implicit_rates);
  W.take(form.patterns->front());
  evaluator().run(form, t, nullptr, s.data(), {W.values.data(), b.data()});
}

template <class T>
Index OrdinaryModel<T>::hidden_constraints() const {
  return forms().facts().hidden_constraints;
}

template <class T>
std::string OrdinaryModel<T>::hidden_constraint(Index i) const {
  return forms().first_order()->hidden_constraint(i);
}

template <class T>
void OrdinaryModel<T>::hidden_constraints(const T& t, const Vector<T>& s, Vector<T>& H, Matrix<T>& H_s) {
  H_s.setZero();
  evaluator().run(FormKind::hidden_constraints, 0, t, s, {H.data(), H_s.data()});
}

#define DAELAB_INSTANTIATE(T) template class OrdinaryModel<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
