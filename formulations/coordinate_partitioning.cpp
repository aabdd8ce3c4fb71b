// Generalized coordinate partitioning: independent coordinates are integrated, dependent ones and their velocities
// follow from the constraints. Which are dependent, QR of C_q with column pivoting finds at the start of each step.
// [HY90]
//
// [HY90] Haug, Yen, Generalized coordinate partitioning methods for numerical integration of differential-algebraic
// equations of dynamics, in: Real-Time Integration Methods for Mechanical System Simulation, Springer, 1990, 97-114.
#include "core/equations/formulation.hpp"
#include "core/equations/local_coordinates_system.hpp"

namespace daelab {
namespace {

struct CoordinatePartitioning {
  static constexpr const char* name = "coordinate-partitioning";
  static constexpr const char* summary =
      "Independent coordinates integrated, dependent ones from the constraints; the partition follows the motion.";
  static constexpr const char* source = "Wehage, Haug 1982; Haug, Yen 1990";

  Options options() { return {}; }
  FormulationTraits traits() const { return local_coordinates_traits; }

  template <class T>
  std::string refusal(MechanicalModel<T>& model) const {
    return local_coordinates_refusal(model);
  }
  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    return std::make_unique<LocalCoordinatesSystem<T>>(model, LocalBasis::partition, multipliers);
  }
};
const FormulationEntry<CoordinatePartitioning> coordinate_partitioning_entry;

}  // namespace
}  // namespace daelab
