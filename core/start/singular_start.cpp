// Whether the start is a singular configuration.
#include <algorithm>
#include <random>

#include "core/start/start_analysis.hpp"

namespace daelab {
namespace {

// Random neighbours of a configuration, the same in every call: the standard fixes mt19937, but no distribution.
template <class T>
class Neighbours {
 public:
  Neighbours(const Vector<T>& centre, double distance) : centre_(centre), distance_(distance) {}
  Vector<T> next() {
    using std::abs;
    Vector<T> q = centre_;
    for (T& x : q) {
      const double random = (static_cast<double>(engine_()) + 0.5) / 2147483648.0 - 1;
      x += T(distance_ * random) * (T(1) + abs(x));
    }
    return q;
  }

 private:
  std::mt19937 engine_{20098};
  const Vector<T>& centre_;
  double distance_;
};

// Far above the rank tolerance, and small enough for the accelerations to change little.
constexpr double perturbation = 1e-4;
constexpr int nearby_configurations = 5;

// Accelerations of nearby configurations on the constraints, and how far they are apart.
template <class T>
void compare_neighbours(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v, SingularityReport& report) {
  Neighbours<T> neighbours(q, report.perturbation);
  Vector<T> first, lambda(model.multipliers());
  double size = 0, difference = 0;
  for (int k = 0; k < nearby_configurations; ++k) {
    Vector<T> x = neighbours.next(), w = v, a = Vector<T>::Zero(q.size());
    if (!project_start(model, x, w).ok() || !solve_accelerations(model, model.initial_t(), x, w, a, lambda).ok())
      continue;
    if (report.configurations++ == 0) first = a;
    size = std::max(size, static_cast<double>(max_norm(a)));
    difference = std::max(difference, static_cast<double>(max_norm(Vector<T>(a - first))));
  }
  report.spread = size > 0 ? difference / size : 0;
  report.agree = report.configurations == nearby_configurations && report.spread <= 100 * report.perturbation;
}

}  // namespace

template <class T>
SingularityReport analyse_singularity(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v,
                                      double rank_tolerance) {
  SingularityReport report;
  if (model.constraints() == 0) return report;
  report.perturbation = perturbation;
  const Index rank = analyse_redundancy(model, q, v, rank_tolerance).rank();
  Vector<T> nearby = Neighbours<T>(q, perturbation).next();
  report.perturbed_rank = report.nearby_rank = analyse_redundancy(model, nearby, v, rank_tolerance).rank();
  if (report.perturbed_rank != rank && restore_positions(model, nearby).ok())
    report.nearby_rank = analyse_redundancy(model, nearby, v, rank_tolerance).rank();
  report.is_singular = report.nearby_rank != rank;
  if (report.is_singular) compare_neighbours(model, q, v, report);
  return report;
}

#define DAELAB_INSTANTIATE(T) \
  template SingularityReport analyse_singularity<T>(MechanicalModel<T>&, const Vector<T>&, const Vector<T>&, double);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
