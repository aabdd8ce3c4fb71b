// RADAU of Hairer and Wanner: Radau IIA of order 5, 9 and 13, chosen step by step, with its own step control, as
// Siconos has it (a copy of 2000). It is handed what RADAU5 is: methods/peers/radau5.cpp.
//
// [HW99] Hairer, Wanner, Stiff differential equations solved by Radau methods, Journal of Computational and Applied
// Mathematics 111, 1999, 93-111.
#include "methods/peers/radau_code.hpp"

namespace daelab {
namespace {

struct Radau : PeerVersion<Radau> {
  static constexpr const char* name = "radau";
  static constexpr const char* summary = "RADAU of Hairer and Wanner: Radau IIA of order 5, 9, 13, its own steps.";
  static constexpr const char* source = "Hairer, Wanner 1999, J. Comput. Appl. Math. 111; Siconos (BSD), in a module";
  static constexpr const char *module = "siconos",
                              *package = "libsiconos-numerics7 (Debian 12 alone) libboost-context-dev";

  Peer peer() const { return radau_code(module, package, name, 13, 7); }
};
const PeerEntry<Radau> radau_entry;

}  // namespace
}  // namespace daelab
