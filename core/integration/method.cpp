#include "core/integration/method.hpp"

namespace daelab {

std::shared_ptr<Method> explicit_runge_kutta(const std::string& tableau) {
  return Registry<Method>::instance().make({{"name", "runge-kutta"}, {"tableau", tableau}}, "");
}

}  // namespace daelab
