#include "core/mechanism/recorded_model.hpp"

#include "core/mechanism/forms.hpp"

namespace daelab {

std::shared_ptr<RecordedProblem> record_problem(std::function<void(Recording&)> record, int start_mode) {
  return std::make_shared<RecordedProblem>(std::move(record), start_mode);
}

template <class T>
std::unique_ptr<Model<T>> make_model(std::shared_ptr<RecordedProblem> problem) {
  if (problem->mode(problem->start_mode()).facts().is_mechanical)
    return std::make_unique<MechanicalModel<T>>(std::move(problem));
  return std::make_unique<OrdinaryModel<T>>(std::move(problem));
}

#define DAELAB_INSTANTIATE(T) template std::unique_ptr<Model<T>> make_model<T>(std::shared_ptr<RecordedProblem>);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
