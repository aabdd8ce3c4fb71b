// Alone because Boost's distributions take seconds to compile.
#include "analysis/students_t.hpp"

#include <boost/math/distributions/students_t.hpp>

namespace daelab {

double students_t_quantile(double degrees_of_freedom, double probability) {
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), probability);
}

}  // namespace daelab
