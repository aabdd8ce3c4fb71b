// The change to another set of coordinates for the same motion.
#pragma once

#include "core/equations/mechanical_layout.hpp"
#include "core/integration/method.hpp"
#include "core/mechanism/mechanical_model.hpp"

namespace daelab {

/// Brings a state, and what the stepper keeps of the past, to another chart of the model, and the model into it. False
/// where the stepper cannot: the past is to be forgotten then. The derivatives in `state` are not consistent yet.
template <class T>
bool switch_chart(MechanicalModel<T>& model, Index next, const MechanicalLayout& layout, Stepper<T>& stepper,
                  State<T>& state);

/// The same for coordinates on Lie groups: the state becomes their base.
template <class T>
bool move_bases(MechanicalModel<T>& model, const MechanicalLayout& layout, Stepper<T>& stepper, State<T>& state);

}  // namespace daelab
