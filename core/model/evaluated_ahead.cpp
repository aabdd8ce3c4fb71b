#include "core/model/evaluated_ahead.hpp"

namespace daelab {

constinit thread_local const EvaluatedAhead* EvaluatedAhead::current_ = nullptr;

}  // namespace daelab
