// SHAKE: the positions of RATTLE, with velocities that are made of them afterwards.
// methods/geometric/lobatto_pair_stepper.hpp has equations and sources.
#include "methods/geometric/lobatto_pair_method.hpp"

namespace daelab {
namespace {

struct ShakeOptions {
  static constexpr const char* name = "shake";
  static constexpr const char* summary =
      "SHAKE: position constraints to round-off, velocities by central differences of positions; order 2.";
  static constexpr const char* source = "Ryckaert, Ciccotti, Berendsen 1977; Leimkuhler, Skeel 1994";
  Options options() { return {}; }
};

LobattoPair shake() {
  LobattoPair pair = lobatto_pair(2);
  pair.last = LastConstraint::next_positions;
  return pair;
}

class Shake final : public LobattoPairMethod {
 public:
  Shake(const ShakeOptions& /*definition*/, const std::string& /*where*/)
      : LobattoPairMethod(shake(), "Leimkuhler, Skeel 1994") {}
};
const MethodEntry<ShakeOptions, Shake> shake_entry;

}  // namespace
}  // namespace daelab
