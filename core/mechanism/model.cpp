#include "core/mechanism/model.hpp"

#include <cmath>
#include <stdexcept>

#include "core/mechanism/form_evaluator.hpp"

namespace daelab {
namespace {

// With the multipliers behind (q, v), where events hold some.
template <class T>
void run_event(FormEvaluator<T>& evaluator, FormKind kind, int detail, const T& t, const Vector<T>& y,
               const typename FormEvaluator<T>::Outputs& outputs) {
  const Forms& forms = evaluator.forms();
  const Index n = forms.facts().extended;
  const bool holds_some = forms.facts().is_mechanical && forms.facts().events_hold_multipliers;
  evaluator.run(evaluator.dense(kind, detail), t, y.data(), y.data() + n, outputs, nullptr,
                holds_some ? y.data() + 2 * n : nullptr);
}

}  // namespace

template <class T>
Model<T>::Model(std::shared_ptr<RecordedProblem> problem)
    : evaluator_(std::make_unique<FormEvaluator<T>>(std::move(problem))), jumped_held_(evaluator_->held) {
  jumped_.setZero(forms().facts().is_mechanical ? 2 * forms().facts().extended : forms().facts().states);
}
template <class T>
Model<T>::~Model() = default;

template <class T>
MechanicalModel<T>* Model<T>::charted() {
  const Recording& recording = evaluator().recording();
  return recording.charts > 1 || !recording.groups.empty() ? mechanical() : nullptr;
}

template <class T>
Forms& Model<T>::forms() const {
  return evaluator().forms();
}

template <class T>
T Model<T>::initial_t() const {
  return static_cast<T>(forms().value(forms().recording().start_t));
}

template <class T>
Vector<T> Model<T>::initial_y() const {
  if (start_.size() > 0) return start_;
  const auto& missing = forms().recording().missing_starts;
  if (!missing.empty()) throw InputError(missing.front().cause);
  return recorded_y();
}

template <class T>
T Model<T>::sampling_period() const {
  return static_cast<T>(forms().value(forms().recording().sampling_period));
}
template <class T>
void Model<T>::sample(const T& t, const Vector<T>& y) {
  evaluator().run(FormKind::sampled, 0, t, y, {jumped_held_.data()});
  evaluator().held = jumped_held_;
}
template <class T>
const Vector<T>& Model<T>::held() const {
  return evaluator().held;
}

template <class T>
void Model<T>::hold(const Vector<T>& outputs) {
  evaluator().held = outputs;
}

template <class T>
std::vector<Event> Model<T>::events() const {
  std::vector<Event> list;
  for (const RecordedEvent& event : forms().recording().events) list.push_back(event.event);
  return list;
}
template <class T>
bool Model<T>::events_hold_multipliers() const {
  return forms().facts().events_hold_multipliers;
}
template <class T>
void Model<T>::event_functions(const T& t, const Vector<T>& y, Vector<T>& g) {
  run_event(evaluator(), FormKind::event_functions, 0, t, y, {g.data()});
}
template <class T>
void Model<T>::carry_out(Index event, const T& t, Vector<T>& y) {
  T next;
  run_event(evaluator(), FormKind::jump, static_cast<int>(event), t, y,
            {jumped_.data(), jumped_.data() + forms().facts().extended, jumped_held_.data(), &next});
  y.head(jumped_.size()) = jumped_, evaluator().held = jumped_held_;
  evaluator().enter(static_cast<int>(std::lround(static_cast<double>(next))));
}

template <class T>
void Model<T>::seek_domain_error() {
  evaluator().seek_domain_error();
}
template <class T>
bool Model<T>::seeks_domain_error() const {
  return evaluator().seeks_domain_error();
}
template <class T>
std::string Model<T>::domain_error() {
  return evaluator().domain_error();
}

template <class T>
std::vector<std::string> Model<T>::observable_names() const {
  return forms().recording().observable_names;
}
template <class T>
void Model<T>::observables(const T& t, const Vector<T>& y, Vector<T>& out) {
  const Index n = forms().facts().extended;
  const T* const lambda = forms().facts().observes_multipliers ? y.data() + 2 * n : nullptr;
  if (lambda != nullptr && y.size() < 2 * n + forms().facts().multipliers)
    throw std::logic_error("observables that hold multipliers need them behind (q, v)");
  evaluator().run(evaluator().dense(FormKind::observables), t, y.data(), y.data() + n, {out.data()}, nullptr, lambda);
}

#define DAELAB_INSTANTIATE(T) template class Model<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
