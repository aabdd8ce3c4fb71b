// Padé-matched block schemes: r nodes inside one step, stability function = the (k, j)-Padé
// approximant of exp. L-stable exactly for k < j <= k + 2 (Ehle; proved by Wanner, Hairer, Nørsett
// 1978). Stage order r; order min(quadrature order of the last row, k + j).
//
// [Li19] Li, Ding, Li, Applied Mathematics and Mechanics (Chinese) 40(7), 2019, 768-779.
#include <algorithm>
#include <sstream>
#include <string_view>

#include "methods/runge_kutta/block_coefficients.hpp"
#include "methods/runge_kutta/stage_count.hpp"

namespace daelab {
namespace {

Matrix<Real100> powers(const Vector<Real100>& nodes) {
  Matrix<Real100> result(nodes.size(), nodes.size());
  Vector<Real100> power = nodes;
  for (Index p = 0; p < nodes.size(); ++p) {
    result.col(p) = power;
    power = power.cwiseProduct(nodes);
  }
  return result;
}

Matrix<Real100> power_derivatives(const Vector<Real100>& nodes) {
  const Index r = nodes.size();
  Vector<Real100> points(r + 1);
  points << nodes, Real100(0);
  Matrix<Real100> result(r + 1, r + 1);
  Vector<Real100> power = Vector<Real100>::Ones(r + 1);  // points^(p - 1), 0^0 = 1
  for (Index p = 1; p <= r + 1; ++p) {
    result.col(p - 1) = power * Real100(p);
    power = power.cwiseProduct(points);
  }
  return result;
}

struct PadeBlock {
  static constexpr const char* name = "pade-block";
  static constexpr const char* summary =
      "Block schemes whose stability function is the (k, j)-Padé approximant of exp; L-stable for k < j <= k + 2.";
  static constexpr const char* source = "Li, Ding, Li 2019 (doi 10.21656/1000-0887.400038), eqs. (5)-(9)";

  StageCount r{4};
  std::optional<int> k, j;
  std::string nodes = "uniform";

  Options options() {
    return {stage_count_option("r", r, "nodes per step; auto: 3, 5 or 7, chosen step by step by error control",
                               between(1, 10)),
            option("k", k, "numerator degree of the Padé pair; null: r - 2 (0 for r = 1)", between(0, 10)),
            option("j", j, "denominator degree; null: r. j < r makes B singular: no index 2 or 3", between(0, 10)),
            nodes_option()};
  }

  // Each number of nodes has its own pair where it changes.
  void resolve() {
    if (!r) return;
    if (!k) k = std::max(*r - 2, 0);
    if (!j) j = *r;
  }

  // With an even number no eigenvalue is real: the estimate needs a factorisation of its own.
  TableauFamily tableau(const std::string& where) const {
    if (r) return family_of({of_one_order(where)});
    refuse_what_fixes_the_order(where);
    std::vector<Tableau> tableaus;
    for (const int nodes : {3, 5, 7}) {
      PadeBlock scheme = *this;
      scheme.r = nodes;
      scheme.resolve();
      tableaus.push_back(scheme.of_one_order(where));
    }
    return family_of(std::move(tableaus));
  }

  std::vector<Method::Coefficient> coefficients() const {
    if (!r) return {};
    const BlockCoefficients c = block("");
    return {{"c", "nodes", c.nodes},
            {"mu", "value of the formula for t^(r+1) at the nodes", c.mu},
            {"B", "weights of the derivatives at the nodes", c.B},
            {"d", "weight of the derivative at the start", c.d},
            {"powers", "c_i^p of the nodes, p = 1, ..., r; the first matrix of [Li19, (9)], whose last column is mu",
             powers(c.nodes)},
            {"derivatives", "p c_i^(p-1) of the nodes and of 0, p = 1, ..., r + 1; the second matrix of [Li19, (9)]",
             power_derivatives(c.nodes)}};
  }

  // On index 2 order conditions tell.
  std::optional<PredictedOrders> higher_index_orders(const FormulationTraits& formulation,
                                                     const FormOrders& orders) const {
    if (formulation.index != 3) return std::nullopt;
    const int r = *this->r;  // theory is not asked where it changes
    if (r == 1 && *k == 0) return PredictedOrders::everywhere(1, "implicit Euler method: Lötstedt, Petzold 1986");
    if (*k != r - 1 && *k != r - 2)
      return PredictedOrders::unknown("orders on index 3 were measured for the pairs (r - 1, r) and (r - 2, r) only");
    return PredictedOrders{order_of_q(orders.order), r, r - 1, r - 1,
                           "measured rule, not a theorem: fits runs in 40 digits of the schemes of Li, Ding, Li 2019"};
  }

 private:
  // On index 3 max(r, p - 1), unless the tangential drift vanishes by accident.
  std::optional<int> order_of_q(int p) const {
    const int r = *this->r;
    const auto& families = node_families();
    if (r > 6 || std::find(families.begin(), families.end(), nodes) == families.end()) return std::nullopt;
    struct Measured {
      std::string_view nodes;
      int r, k;
      std::optional<int> order;
    };
    static constexpr Measured exceptions[] = {
        {"lobatto", 5, 4, std::nullopt},  // the rule says 8, the slope seen is 9.1
        {"chebyshev", 3, 1, 4}};
    for (const Measured& found : exceptions)
      if (found.nodes == nodes && found.r == r && found.k == *k) return found.order;
    return std::max(r, p - 1);
  }

  Tableau of_one_order(const std::string& where) const {
    Tableau tableau = block(where).tableau();
    tableau.name = spec_name();
    return tableau;
  }

  void refuse_what_fixes_the_order(const std::string& where) const {
    for (const auto& [name, degree] : {std::pair{"k", k}, {"j", j}})
      if (degree) throw InputError(where + "/" + name, "each number of nodes that r = auto takes has its own pair");
    if (gives_numbers())
      throw InputError(where + "/nodes", "nodes that are given fix their number: r = auto needs a family");
  }
  bool gives_numbers() const { return nodes.find_first_of("0123456789") != std::string::npos; }

  BlockCoefficients block(const std::string& where) const {
    try {
      return pade_block(node_values(), *k, *j);
    } catch (const InputError& error) {
      throw InputError(where, error.what());
    }
  }

  // A family, or exact numbers separated by blanks: "1/3 2/3 1".
  Vector<Real100> node_values() const {
    if (!gives_numbers()) return node_family(nodes, *r);
    std::istringstream words(nodes);
    std::vector<Real100> values;
    for (std::string word; words >> word;) values.push_back(Exact(word).value());
    if (static_cast<int>(values.size()) != *r)
      throw InputError("nodes: " + std::to_string(values.size()) + " nodes given, but r = " + std::to_string(*r));
    return Eigen::Map<Vector<Real100>>(values.data(), *r);
  }

  std::string spec_name() const {
    return "pade-block (" + std::to_string(*k) + ", " + std::to_string(*j) + "), " + nodes + " nodes";
  }

  Option nodes_option() {
    static constexpr OptionType type = {[](void*, const Allowed&) {
                                          return Json{{"anyOf", {{{"type", "string"}}, {{"type", "array"}}}}};
                                        },
                                        [](void* member, const Json& value, const std::string& where, const Allowed&) {
                                          auto& nodes = *static_cast<std::string*>(member);
                                          if (value.is_string()) {
                                            nodes = value.get<std::string>();
                                            return;
                                          }
                                          if (!value.is_array())
                                            throw InputError(where, "expected a node family or a list of numbers");
                                          nodes.clear();
                                          for (std::size_t i = 0; i < value.size(); ++i)
                                            nodes += (i ? " " : "") +
                                                     exact_from_json(value[i], where + "/" + std::to_string(i)).text();
                                        },
                                        [](void* member) { return Json(*static_cast<std::string*>(member)); }};
    return {"nodes", &nodes, type,
            "uniform, chebyshev, legendre, lobatto, or r exact numbers in (0, 1], the last 1: "
            "\"1/3 2/3 1\" or a list"};
  }
};
const TableauEntry<PadeBlock> pade_block_entry;

}  // namespace
}  // namespace daelab
