// Systems of forms that have a way of their own to accelerations, instead of the multiplier solver of the run.
#pragma once

#include <memory>
#include <utility>

#include "core/mechanism/mechanical_model.hpp"
#include "core/solvers/multiplier_solver.hpp"

namespace daelab {

/// A base that is made before the system that refers to it.
template <class T>
struct OwnMultipliers {
  std::unique_ptr<Multipliers<T>> own;
};

/// A System that takes a model, further arguments and multipliers, with multipliers that it owns.
template <class T, template <class> class Base>
class WithOwnMultipliers final : private OwnMultipliers<T>, public Base<T> {
 public:
  template <class... Arguments>
  WithOwnMultipliers(std::unique_ptr<Multipliers<T>> multipliers, MechanicalModel<T>& model, Arguments&&... arguments)
      : OwnMultipliers<T>{std::move(multipliers)},
        Base<T>(model, std::forward<Arguments>(arguments)..., *OwnMultipliers<T>::own) {}
};

}  // namespace daelab
