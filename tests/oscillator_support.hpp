// Methods by name as what they do to the oscillator.
#pragma once

#include <string>

#include "analysis/oscillator.hpp"
#include "core/integration/method.hpp"

namespace daelab {

inline MethodForm form_of(const std::string& method) { return Registry<Method>::instance().make(method, "")->form(); }
inline Oscillator oscillator(const std::string& method) { return *Oscillator::of(form_of(method)); }
inline OscillatorForm oscillator_form(const std::string& method) { return std::get<OscillatorForm>(form_of(method)); }

}  // namespace daelab
