#pragma once

namespace daelab {

/// t so that a variable of Student's distribution with so many degrees of freedom, > 0, is below it with `probability`.
double students_t_quantile(double degrees_of_freedom, double probability);

}  // namespace daelab
