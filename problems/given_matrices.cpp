// A linear problem written out: counterexamples, and systems from elsewhere.
#include <fmt/format.h>

#include <vector>

#include "core/solvers/linear_problem.hpp"

namespace daelab {
namespace {

using Rows = std::vector<std::vector<Exact>>;

// Rows of numbers as an option.
const OptionType matrix_type = {[](void*, const Allowed&) {
                                  std::vector<Exact> row;
                                  return Json{{"type", "array"}, {"items", option("row", row, "").schema()}};
                                },
                                [](void* member, const Json& value, const std::string& where, const Allowed&) {
                                  auto& rows = *static_cast<Rows*>(member);
                                  if (!value.is_array())
                                    throw InputError(where, "expected a list of rows, each a list of numbers");
                                  rows.assign(value.size(), {});
                                  for (std::size_t i = 0; i < value.size(); ++i)
                                    option("row", rows[i], "").read(value[i], where + "/" + std::to_string(i));
                                },
                                [](void* member) {
                                  Json rows = Json::array();
                                  for (std::vector<Exact>& row : *static_cast<Rows*>(member))
                                    rows.push_back(option("row", row, "").write());
                                  return rows;
                                }};

Vector<Real100> vector(const std::vector<Exact>& entries) {
  Vector<Real100> x(static_cast<Index>(entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) x[static_cast<Index>(i)] = entries[i].value();
  return x;
}

// Throws for rows of different lengths.
Matrix<Real100> matrix(const Rows& rows, const std::string& where) {
  Matrix<Real100> A(static_cast<Index>(rows.size()), rows.empty() ? 0 : static_cast<Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != rows[0].size())
      throw InputError(fmt::format("{}/{}", where, i),
                       fmt::format("has {} entries, the first row {}", rows[i].size(), rows[0].size()));
    A.row(static_cast<Index>(i)) = vector(rows[i]).transpose();
  }
  return A;
}

struct GivenMatrices {
  static constexpr const char* name = "given-matrices";
  static constexpr const char* summary = "System and perturbed system written out as rows of numbers.";
  static constexpr const char* source =
      "own; default: a perturbation of any size that stalls the iteration of Ivanov 2023";

  Rows A0 = {{1, 0}, {0, 1}}, A = {{1, "1/2"}, {"1/2", 1}};
  std::vector<Exact> b = {1, 0}, b0;

  Options options() {
    return {Option("A0", &A0, matrix_type, "rows of A0, whose pseudo-inverse is known"),
            Option("A", &A, matrix_type, "rows of A, regular on the range of A0"),
            option("b", b, "right-hand side of A x = b"), option("b0", b0, "right-hand side of A0 x = b0; empty: b")};
  }
  void resolve() {
    if (b0.empty()) b0 = b;
  }
  void validate(const std::string& where) const {
    matrix(A0, where + "/A0"), matrix(A, where + "/A");
    check_linear_pair(pair(), where);
  }
  LinearPair pair() const { return {matrix(A0, ""), matrix(A, ""), vector(b0), vector(b)}; }
};
const LinearProblemEntry<GivenMatrices> given_matrices_entry;

}  // namespace
}  // namespace daelab
