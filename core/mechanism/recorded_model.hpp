// From a recording to the model that formulations, methods and observers see of it.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>

#include "core/mechanism/mechanical_model.hpp"
#include "core/mechanism/ordinary_model.hpp"
#include "core/mechanism/recording.hpp"

namespace daelab {

/// Recordings of the modes of one problem and the programs of their forms, each made when it is asked for first. Any
/// number of models share one, on any threads.
class RecordedProblem;

/// record: fills in a Recording; called once for each mode that is entered, at once for start_mode. Throws
/// std::logic_error where counts do not fit together: a coordinate without its start, rates without states, ...
std::shared_ptr<RecordedProblem> record_problem(std::function<void(Recording&)> record, int start_mode = 0);

/// A model in its start mode: mechanical where there are coordinates, else ordinary.
template <class T>
std::unique_ptr<Model<T>> make_model(std::shared_ptr<RecordedProblem> problem);

/// Casts a model to what it is; throws std::logic_error if it is of the other kind.
template <class T>
std::unique_ptr<MechanicalModel<T>> as_mechanical(std::unique_ptr<Model<T>> model) {
  if (model->mechanical() == nullptr) throw std::logic_error("the model is an ordinary differential equation");
  return std::unique_ptr<MechanicalModel<T>>(model.release()->mechanical());
}
template <class T>
std::unique_ptr<OrdinaryModel<T>> as_ordinary(std::unique_ptr<Model<T>> model) {
  if (model->ordinary() == nullptr) throw std::logic_error("the model is a mechanism");
  return std::unique_ptr<OrdinaryModel<T>>(model.release()->ordinary());
}

}  // namespace daelab
