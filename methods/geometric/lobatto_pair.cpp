// Lobatto IIIA-IIIB pairs of any number of stages.
// methods/geometric/lobatto_pair_stepper.hpp has equations and sources.
#include "methods/geometric/lobatto_pair_method.hpp"

namespace daelab {
namespace {

struct LobattoPairOptions {
  static constexpr const char* name = "lobatto-pair";
  static constexpr const char* summary =
      "Lobatto IIIA-IIIB pairs: position and velocity constraints to round-off, order 2s - 2; symmetric.";
  static constexpr const char* source = "Jay 1996";

  int s = 3;

  Options options() { return {option("s", s, "stages; 2: RATTLE", between(2, 6))}; }
};

class LobattoPairOfStages final : public LobattoPairMethod {
 public:
  LobattoPairOfStages(const LobattoPairOptions& definition, const std::string& /*where*/)
      : LobattoPairMethod(lobatto_pair(definition.s), "Jay 1996") {}
};
const MethodEntry<LobattoPairOptions, LobattoPairOfStages> lobatto_pair_entry;

}  // namespace
}  // namespace daelab
