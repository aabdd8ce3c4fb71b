#include "analysis/structure.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/affine_hull.hpp"
#include "analysis/rounded_coefficients.hpp"

namespace daelab {
namespace {

// Phi(t) with its text, the leaves first: "c * A(c)".
struct Weight {
  Rounded Phi;
  std::string text;
};

std::string joined_weights(const std::string& first, const std::string& second) {
  return first == "1" ? second : first + " * " + second;
}

// Looks at a basis of the vectors Phi, whose combinations with coefficients of sum 1 are all others: products of each
// with A and another. `speaks(weights)` is asked when the last one is new, and ends the search where it finds
// something.
enum class SearchEnd { found, complete, too_long };
constexpr std::size_t most_weights = 120;

SearchEnd search_weights(const RoundedCoefficients& t, const std::function<bool(const std::vector<Weight>&)>& speaks) {
  std::vector<Weight> weights;
  AffineHull hull;
  const auto take = [&](Weight weight) {
    if (!hull.take_in(weight.Phi, t.exact())) return false;
    weights.push_back(std::move(weight));
    return speaks(weights);
  };
  const auto grafted = [&](std::size_t i, std::size_t j) -> Weight {
    const std::string branch = weights[j].text == "1" ? "c" : fmt::format("A({})", weights[j].text);
    return {t.times(weights[i].Phi, t.A(weights[j].Phi)), joined_weights(weights[i].text, branch)};
  };
  if (take({t.ones(), "1"})) return SearchEnd::found;
  for (std::size_t last = 0; last < weights.size(); ++last)
    for (std::size_t other = 0; other <= last; ++other) {
      if (weights.size() >= most_weights) return SearchEnd::too_long;
      if (take(grafted(other, last)) || (other != last && take(grafted(last, other)))) return SearchEnd::found;
    }
  return SearchEnd::complete;
}

std::string evidence(const Tableau& t) {
  return t.digits == 0 ? "exact" : fmt::format("numerical, to {} digits", t.digits);
}

Vector<Real100> zeros_of(Index n) { return Vector<Real100>::Zero(n); }
Vector<Real100> error_of_b(const Tableau& t) { return t.digits > 0 ? t.b_error : zeros_of(t.stages()); }
Matrix<Real100> error_of_A(const Tableau& t) {
  return t.digits > 0 ? t.A_error : Matrix<Real100>(Matrix<Real100>::Zero(t.stages(), t.stages()));
}

// ----- symplectic -----

struct Bilinear {
  Matrix<Real100> M, error;
  bool is_zero() const {
    for (Index i = 0; i < M.rows(); ++i)
      for (Index j = 0; j < M.cols(); ++j)
        if (!vanishes(M(i, j), error(i, j))) return false;
    return true;
  }
};

Bilinear symplectic_defect(const Tableau& t) {
  const Index s = t.stages();
  const Vector<Real100> db = error_of_b(t);
  const Matrix<Real100> dA = error_of_A(t);
  Bilinear defect{Matrix<Real100>(s, s), Matrix<Real100>::Zero(s, s)};
  for (Index i = 0; i < s; ++i)
    for (Index j = 0; j < s; ++j) {
      defect.M(i, j) = t.b[i] * t.A(i, j) + t.b[j] * t.A(j, i) - t.b[i] * t.b[j];
      if (t.digits == 0) continue;
      defect.error(i, j) = db[i] * (abs(t.A(i, j)) + abs(t.b[j])) + db[j] * (abs(t.A(j, i)) + abs(t.b[i])) +
                           abs(t.b[i]) * dA(i, j) + abs(t.b[j]) * dA(j, i);
    }
  return defect;
}

// What the last of these vectors and those before it see of M; "": nothing.
std::string symplectic_witness(const Bilinear& defect, const std::vector<Weight>& weights) {
  const Rounded& v = weights.back().Phi;
  const Vector<Real100> image = defect.M * v.value, size = defect.error * v.value.cwiseAbs();
  const Vector<Real100> moved = defect.M.cwiseAbs() * v.error;
  for (const Weight& weight : weights) {
    const Rounded& u = weight.Phi;
    const Real100 value = u.value.dot(image),
                  error = u.value.cwiseAbs().dot(size + moved) + u.error.dot(image.cwiseAbs());
    if (!vanishes(value, error))
      return fmt::format("Phi(u)^T M Phi(v) = {} for the trees with Phi(u) = {}, Phi(v) = {}", to_text(value, 6),
                         weight.text, weights.back().text);
  }
  return "";
}

// ----- symmetric -----

// Whether this order of the stages turns the tableau into its adjoint.
bool adjoint_by(const Tableau& t, const std::vector<Index>& place) {
  const Vector<Real100> db = error_of_b(t);
  const Matrix<Real100> dA = error_of_A(t);
  const Index s = t.stages();
  const auto at = [&](Index i) { return place[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < s; ++i) {
    if (!vanishes(t.b[i] - t.b[at(i)], db[i] + db[at(i)])) return false;
    for (Index j = 0; j < s; ++j)
      if (!vanishes(t.A(i, j) + t.A(at(i), at(j)) - t.b[j], dA(i, j) + dA(at(i), at(j)) + db[j])) return false;
  }
  return true;
}

// Pairs each stage with one of node 1 - c_i and the same weight, each taken once; nothing if a stage finds none.
std::optional<std::vector<Index>> mirrored_stages(const Tableau& t) {
  const Vector<Real100> c = t.A.rowwise().sum(), db = error_of_b(t), dc = error_of_A(t).rowwise().sum();
  const Index s = t.stages();
  std::vector<Index> place;
  std::vector<bool> taken(static_cast<std::size_t>(s), false);
  for (Index i = 0; i < s; ++i) {
    Index found = -1;
    for (Index j = s - 1; j >= 0 && found < 0; --j)
      if (!taken[static_cast<std::size_t>(j)] && vanishes(c[i] + c[j] - 1, dc[i] + dc[j] + db.sum()) &&
          vanishes(t.b[i] - t.b[j], db[i] + db[j]))
        found = j;
    if (found < 0) return {};
    taken[static_cast<std::size_t>(found)] = true, place.push_back(found);
  }
  return place;
}

// The method beside its adjoint, with weights whose sums are the difference of both.
Tableau beside_adjoint(const Tableau& t) {
  const Index s = t.stages();
  Tableau both;
  both.digits = t.digits;
  both.A = Matrix<Real100>::Zero(2 * s, 2 * s), both.b.resize(2 * s);
  both.A.topLeftCorner(s, s) = t.A;
  both.A.bottomRightCorner(s, s) = t.b.transpose().replicate(s, 1) - t.A;
  both.b << t.b, -t.b;
  if (t.digits == 0) return both;
  both.A_error = Matrix<Real100>::Zero(2 * s, 2 * s), both.b_error.resize(2 * s);
  both.A_error.topLeftCorner(s, s) = t.A_error;
  both.A_error.bottomRightCorner(s, s) = t.b_error.transpose().replicate(s, 1) + t.A_error;
  both.b_error << t.b_error, t.b_error;
  return both;
}

}  // namespace

Property symmetric(const Tableau& t) {
  std::vector<Index> reversed;
  for (Index i = t.stages(); i-- > 0;) reversed.push_back(i);
  const std::optional<std::vector<Index>> mirrored = mirrored_stages(t);
  if (adjoint_by(t, reversed) || (mirrored && adjoint_by(t, *mirrored)))
    return {true, evidence(t) + ": a_ij + a_kl = b_j = b_l, k and l the stages at 1 - c_i and 1 - c_j"};
  const RoundedCoefficients both(beside_adjoint(t));
  std::string witness;
  const SearchEnd end = search_weights(both, [&](const std::vector<Weight>& weights) {
    const auto difference = both.sum(weights.back().Phi);
    if (vanishes(difference)) return false;
    witness = fmt::format("b^T({}) differs by {} from that of the adjoint method", weights.back().text,
                          to_text(difference.first, 6));
    return true;
  });
  if (end == SearchEnd::found) return {false, fmt::format("{}: {}", evidence(t), witness)};
  if (end == SearchEnd::complete && t.digits == 0)
    return {true, "exact: b^T Phi(t) is that of the adjoint method for a basis of all trees"};
  return not_applicable("undecided: no order of the stages shows it, and no tree that was looked at speaks against it");
}

Property symplectic(const Tableau& t) {
  const Bilinear defect = symplectic_defect(t);
  if (defect.is_zero()) return {true, evidence(t) + ": b_i a_ij + b_j a_ji = b_i b_j for all stages"};
  std::string witness;
  const SearchEnd end = search_weights(RoundedCoefficients(t), [&](const std::vector<Weight>& weights) {
    witness = symplectic_witness(defect, weights);
    return !witness.empty();
  });
  if (end == SearchEnd::found)
    return {false, fmt::format("{}: {}, M = (b_i a_ij + b_j a_ji - b_i b_j)", evidence(t), witness)};
  if (end == SearchEnd::complete && t.digits == 0)
    return {true, "exact: Phi(u)^T (b_i a_ij + b_j a_ji - b_i b_j) Phi(v) = 0 for a basis of all trees"};
  return not_applicable("undecided: M is not 0, and no tree that was looked at sees it");
}

Property first_same_as_last(const Tableau& t) {
  if (!t.explicit_first_stage())
    return {false, evidence(t) + ": the first stage is not explicit, so that no slope is known at the start"};
  if (t.stages() < 2) return {false, evidence(t) + ": there is one stage"};
  const bool holds = t.stiffly_accurate();
  return {holds, fmt::format("{}: the last row of A {} b", evidence(t), holds ? "is" : "is not")};
}

}  // namespace daelab
