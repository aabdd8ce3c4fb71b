// Nyström and partitioned Runge-Kutta methods by the names of their tableaus.
// core/integration/nystrom_tableau.hpp has equations and sources.
#include "core/base/coefficient_document.hpp"
#include "core/integration/method_documents.hpp"
#include "methods/nystrom/nystrom_method.hpp"

namespace daelab {
namespace {

// The tableau of this name, of one kind; a file of the user's own is read whatever it has.
template <CoefficientKind kind>
NystromTableau tableau_by_name(const std::string& name, const char* what, const std::string& where) {
  const NamedDocument found = document_by_name(name, "methods/nystrom", holds<kind>, what, where + "/tableau");
  return kind == CoefficientKind::nystrom ? nystrom_from_json(found.json, found.where)
                                          : partitioned_from_json(found.json, found.where);
}

struct Nystrom {
  static constexpr const char* name = "nystrom";
  static constexpr const char* summary =
      "Nyström method for q'' = f(t, q), or q'' = f(t, q, q'), by its tableau; of order 4 by default.";
  static constexpr const char* source = "Hairer, Nørsett, Wanner 1993, Sec. II.14";

  std::string tableau = "nystrom-4-velocities";

  Options options() {
    return {option("tableau", tableau, "name of a Nyström tableau of methods/nystrom/, or @file.json")};
  }
};

class NystromByName final : public NystromMethod {
 public:
  NystromByName(const Nystrom& definition, const std::string& where)
      : NystromMethod(tableau_by_name<CoefficientKind::nystrom>(definition.tableau, "Nyström tableau", where)) {}
};
const MethodEntry<Nystrom, NystromByName> nystrom_entry;

struct Partitioned {
  static constexpr const char* name = "partitioned";
  static constexpr const char* summary =
      "Partitioned Runge-Kutta method, a tableau for q' = v and one for v' = f; Störmer and Verlet's by default.";
  static constexpr const char* source = "Hairer, Lubich, Wanner 2006, Secs. II.2, VI.4";

  std::string tableau = "stormer-verlet";

  Options options() {
    return {option("tableau", tableau, "name of a partitioned tableau of methods/nystrom/, or @file.json")};
  }
};

class PartitionedByName final : public NystromMethod {
 public:
  PartitionedByName(const Partitioned& definition, const std::string& where)
      : NystromMethod(tableau_by_name<CoefficientKind::partitioned>(definition.tableau, "partitioned tableau", where)) {
  }
};
const MethodEntry<Partitioned, PartitionedByName> partitioned_entry;

}  // namespace
}  // namespace daelab
