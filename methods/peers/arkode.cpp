// ARKODE of SUNDIALS, its ARKStep: embedded Runge-Kutta pairs, explicit or diagonally implicit, on y' = f(t, y).
//
// [RGRW23] Reynolds, Gardner, Woodward, Chinomona, ARKODE: A flexible IVP solver infrastructure for one-step methods,
// ACM Transactions on Mathematical Software 49(2), 2023, 19.
#include <algorithm>
#include <array>

#include "methods/peers/peer_stepper.hpp"

namespace daelab {
namespace {

// Stages, order of the embedded formula and of the pair are in the name, as in the library.
struct Table {
  const char* name;
  int order;
  bool is_implicit;
};
constexpr std::array tables = {Table{"heun-euler-2-1-2", 2, false},  Table{"bogacki-shampine-4-2-3", 3, false},
                               Table{"zonneveld-5-3-4", 4, false},   Table{"cash-karp-6-4-5", 5, false},
                               Table{"fehlberg-6-4-5", 5, false},    Table{"dormand-prince-7-4-5", 5, false},
                               Table{"verner-8-5-6", 6, false},      Table{"fehlberg-13-7-8", 8, false},
                               Table{"sdirk-2-1-2", 2, true},        Table{"trbdf2-3-3-2", 2, true},
                               Table{"kvaerno-4-2-3", 3, true},      Table{"cash-5-3-4", 4, true},
                               Table{"sdirk-5-3-4", 4, true},        Table{"kvaerno-5-3-4", 4, true},
                               Table{"kvaerno-7-4-5", 5, true},      Table{"ark548l2sa-dirk-8-4-5", 5, true},
                               Table{"esdirk547l2sa-7-4-5", 5, true}};

std::vector<std::string> names_of_tables() {
  std::vector<std::string> names;
  for (const Table& table : tables) names.emplace_back(table.name);
  return names;
}

struct Arkode : PeerVersion<Arkode> {
  static constexpr const char* name = "arkode";
  static constexpr const char* summary = "ARKODE of SUNDIALS: Runge-Kutta pairs, explicit or DIRK, its own steps.";
  static constexpr const char* source = "Reynolds et al. 2023, ACM TOMS 49(2); SUNDIALS (BSD licence)";
  static constexpr const char *module = "sundials", *package = "libsundials-dev";

  std::string table = "dormand-prince-7-4-5";

  Options options() {
    return {option("table", table, "stages, order of the estimate, order; from sdirk-2-1-2 on they are implicit",
                   one_of(names_of_tables())),
            peer_version_option(version)};
  }
  Peer peer() const {
    const Table& chosen = *std::ranges::find_if(tables, [&](const Table& t) { return t.name == table; });
    return {.module = module,
            .package = package,
            .code = chosen.is_implicit ? "arkode-dirk" : "arkode-erk",
            .variant = table,
            .order = chosen.order,
            .interpolates = std::min(chosen.order, 5),  // of degree 5 at most
            .note = sundials_note};
  }
};
const PeerEntry<Arkode> arkode_entry;

}  // namespace
}  // namespace daelab
