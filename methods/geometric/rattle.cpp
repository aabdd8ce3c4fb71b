// RATTLE: leapfrog steps whose multipliers keep positions and velocities on their constraints.
// methods/geometric/lobatto_pair_stepper.hpp has equations and sources.
#include "methods/geometric/lobatto_pair_method.hpp"

namespace daelab {
namespace {

struct RattleOptions {
  static constexpr const char* name = "rattle";
  static constexpr const char* summary =
      "RATTLE: position and velocity constraints to round-off, order 2, symmetric; symplectic if M is constant.";
  static constexpr const char* source = "Andersen 1983; Leimkuhler, Skeel 1994; Jay 1996";
  Options options() { return {}; }
};

class Rattle final : public LobattoPairMethod {
 public:
  Rattle(const RattleOptions& /*definition*/, const std::string& /*where*/)
      : LobattoPairMethod(lobatto_pair(2), "Jay 1996, s = 2") {}
};
const MethodEntry<RattleOptions, Rattle> rattle_entry;

}  // namespace
}  // namespace daelab
