#include "methods/nystrom/nystrom_document.hpp"

#include <fmt/format.h>

#include "core/base/coefficient_document.hpp"
#include "core/base/coefficient_lists.hpp"
#include "core/base/options.hpp"
#include "methods/nystrom/nystrom_conditions.hpp"

namespace daelab {
namespace {

// What documents of both kinds say beside their coefficients.
struct Heading {
  std::string name, summary, source;
  std::vector<std::string> aliases;
  int order = 0;
  Json symplectic, symmetric;

  std::vector<Option> list() {
    return {option("name", name, "what records and errors call it"),
            option("summary", summary, "what it is"),
            option("source", source, "where it is from"),
            option("aliases", aliases, "other names"),
            option("order", order, "on q'' = f(t, q)", between(1, highest_nystrom_order)),
            option("symplectic", symplectic, "claimed", {{"type", "boolean"}}),
            option("symmetric", symmetric, "claimed", {{"type", "boolean"}})};
  }
  NystromClaims claims(const std::string& where) const {
    return {claim(symplectic, where + "/symplectic"), claim(symmetric, where + "/symmetric")};
  }

 private:
  static std::optional<bool> claim(const Json& json, const std::string& where) {
    if (json.is_null()) return std::nullopt;
    if (!json.is_boolean()) throw InputError(where, fmt::format("must be true or false, found {}", json.dump()));
    return json.get<bool>();
  }
};

Options with(std::vector<Option> list, std::initializer_list<Option> more) {
  list.insert(list.end(), more);
  return list;
}

Option coefficients(const char* name, Json& member) {
  return option(name, member, "numbers as exact texts", {{"type", "array"}});
}

// Order conditions of more stages would take minutes.
constexpr std::size_t most_stages = 64;

// The number of stages, of the list that has one row for each.
std::size_t stages_of(const Json& list, const std::string& where) {
  if (!list.is_array()) return 0;
  if (list.size() > most_stages)
    throw InputError(where, fmt::format("has {} entries, may have {} at most", list.size(), most_stages));
  return list.size();
}

void require(const Json& json, std::initializer_list<const char*> keys, const std::string& where) {
  for (const char* key : keys)
    if (!json.contains(key)) throw InputError(where + "/" + key, "is missing");
}

struct NystromDocument : Heading {
  Json c, A_bar, A, b_bar, b, b_bar_embedded, b_embedded;
  int embedded_order = 0;
  Options options() {
    return with(
        list(),
        {coefficients("c", c), coefficients("A_bar", A_bar), coefficients("A", A), coefficients("b_bar", b_bar),
         coefficients("b", b), coefficients("b_bar_embedded", b_bar_embedded), coefficients("b_embedded", b_embedded),
         option("embedded_order", embedded_order, "of the embedded weights", between(1, highest_nystrom_order))});
  }
};

struct HalfDocument {
  Json A, b;
  Options options() { return {coefficients("A", A), coefficients("b", b)}; }
};

struct PartitionedDocument : Heading {
  HalfDocument positions, velocities;
  Json kicks, drifts;
  int separable_order = 0;
  Options options() {
    return with(
        list(),
        {option("positions", positions, "A and b of q' = v"), option("velocities", velocities, "A and b of v' = f"),
         coefficients("kicks", kicks), coefficients("drifts", drifts),
         option("separable_order", separable_order, "on q' = f(p), p' = g(q)", between(1, highest_nystrom_order))});
  }
};

void take(const Heading& heading, const CoefficientLists& lists, NystromTableau& t) {
  t.name = heading.name, t.source = heading.source, t.order = heading.order;
  t.digits = lists.digits(), t.error += lists.error();
}

PartitionedPair pair_of_halves(const PartitionedDocument& document, const std::string& where, CoefficientLists& lists) {
  const std::string q = where + "/positions", v = where + "/velocities";
  const std::size_t s = stages_of(document.positions.A, q + "/A");
  return {lists.matrix(document.positions.A, q + "/A", s, s), lists.matrix(document.velocities.A, v + "/A", s, s),
          lists.vector(document.positions.b, q + "/b", s), lists.vector(document.velocities.b, v + "/b", s)};
}

// The velocity of stage i has kicks 1 to i, and its position the drifts before.
PartitionedPair pair_of_splitting(const PartitionedDocument& document, const std::string& where,
                                  CoefficientLists& lists) {
  const std::size_t s = stages_of(document.kicks, where + "/kicks"),
                    given = stages_of(document.drifts, where + "/drifts");
  if (s == 0) throw InputError(where + "/kicks", "must have at least one number");
  if (given != s && given + 1 != s)
    throw InputError(
        where + "/drifts",
        fmt::format("has {} entries, must have {} as kicks has, or one less if the step ends with a kick", given, s));
  PartitionedPair pair;
  pair.b_hat = lists.vector(document.kicks, where + "/kicks", s);
  pair.b.setZero(static_cast<Index>(s));
  pair.b.head(static_cast<Index>(given)) = lists.vector(document.drifts, where + "/drifts", given);
  pair.A.setZero(pair.b.size(), pair.b.size()), pair.A_hat = pair.A;
  for (Index i = 0; i < pair.b.size(); ++i) {
    pair.A.row(i).head(i) = pair.b.head(i).transpose();
    pair.A_hat.row(i).head(i + 1) = pair.b_hat.head(i + 1).transpose();
  }
  return pair;
}

void refuse(const NystromDefect& defect, int claimed, const std::string& equations, const std::string& where) {
  if (defect.order == 0) return;
  throw InputError(where, fmt::format("is {}, but a condition of order {} on {} does not hold: {} is off by {}",
                                      claimed, defect.order, equations, defect.condition, to_text(defect.residual, 3)));
}

constexpr const char* plain = "q'' = f(t, q)";
constexpr const char* with_velocities = "q'' = f(t, q, q')";

void verify_orders(NystromTableau& t, const std::string& where) {
  // The order 1 at least: what has none is no method.
  const int claimed = std::max(t.order, 1);
  refuse(nystrom_defect(t, claimed, false), claimed, plain, where + "/order");
  if (t.A.size() > 0 && !t.pair && !t.takes_velocities)
    refuse(nystrom_defect(t, claimed, true), claimed, with_velocities, where + "/order");
  if (t.embedded_order > 0)
    refuse(nystrom_defect(t, t.embedded_order, t.takes_velocities, NystromWeights::embedded), t.embedded_order,
           t.takes_velocities ? with_velocities : plain, where + "/embedded_order");
  if (t.separable_order > 0)
    refuse(separable_defect(t, t.separable_order), t.separable_order, "q' = f(p), p' = g(q)",
           where + "/separable_order");
}

enum class Verification { of_all_claims, none };

void verify_claim(const std::optional<bool>& claim, const std::string& defect, const std::string& where) {
  if (!claim || *claim == defect.empty()) return;
  throw InputError(where, *claim ? "is true, but " + defect : "is false, but all its conditions hold");
}

// What fails of them, "" where a tableau has them.
struct StructureDefects {
  std::string symplectic, symmetric;
};

// Sets what is found.
StructureDefects find_properties(NystromTableau& t) {
  t.takes_velocities = t.A.size() > 0 && nystrom_defect(t, std::max(t.order, 1), true).order == 0;
  StructureDefects defects{symplectic_defect(t), symmetry_defect(t)};
  t.is_symplectic = defects.symplectic.empty(), t.is_symmetric = defects.symmetric.empty();
  return defects;
}

}  // namespace

void verify(NystromTableau& t, const NystromClaims& claims, const std::string& where) {
  const StructureDefects defects = find_properties(t);
  verify_orders(t, where);
  verify_claim(claims.symplectic, defects.symplectic, where + "/symplectic");
  verify_claim(claims.symmetric, defects.symmetric, where + "/symmetric");
}

namespace {

NystromTableau read(const NystromDocument& document, const Json& json, const std::string& where) {
  require(json, {"order", "c", "A_bar", "b_bar", "b"}, where);
  CoefficientLists lists("A_bar");
  const std::size_t s = stages_of(document.A_bar, where + "/A_bar");
  const auto vector = [&](const char* key, const Json& list) { return lists.vector(list, where + "/" + key, s); };
  NystromTableau t;
  t.A_bar = lists.matrix(document.A_bar, where + "/A_bar", s, s);
  if (json.contains("A")) t.A = lists.matrix(document.A, where + "/A", s, s);
  t.c = vector("c", document.c), t.b_bar = vector("b_bar", document.b_bar), t.b = vector("b", document.b);
  t.embedded_order = document.embedded_order;
  if (t.embedded_order > 0 || json.contains("b_embedded") || json.contains("b_bar_embedded")) {
    require(json, {"embedded_order", "b_bar_embedded", "b_embedded"}, where);
    t.b_bar_embedded = vector("b_bar_embedded", document.b_bar_embedded);
    t.b_embedded = vector("b_embedded", document.b_embedded);
  }
  take(document, lists, t);
  return t;
}

NystromTableau read(const PartitionedDocument& document, const Json& json, const std::string& where) {
  require(json, {"order"}, where);
  const bool splits = json.contains("kicks") || json.contains("drifts");
  for (const char* key : {"positions", "velocities"})
    if (splits && json.contains(key))
      throw InputError(where + "/" + key, "is given twice: either two tableaus, or kicks and drifts");
  if (splits)
    require(json, {"kicks", "drifts"}, where);
  else
    require(json, {"positions", "velocities"}, where);
  CoefficientLists lists(splits ? "kicks" : "positions/A");
  NystromTableau t;
  t.pair = splits ? pair_of_splitting(document, where, lists) : pair_of_halves(document, where, lists);
  take_pair(*t.pair, t);
  t.separable_order = document.separable_order;
  take(document, lists, t);
  return t;
}

// q' = v is integrated with weights whose sum is 1.
void require_consistency(const NystromTableau& t, const std::string& where) {
  if (const Real100 off = positions_off(t); off != 0)
    throw InputError(
        where, fmt::format("sums up to {}, must be 1 (residual {})", to_text(t.pair->b.sum(), 20), to_text(off, 3)));
}

template <class Document>
NystromTableau read(const Json& json, const std::string& where, Verification verification) {
  Document document;
  document.options().read(json, where);
  NystromTableau t = read(document, json, where);
  if (verification == Verification::none) {
    find_properties(t);
    return t;
  }
  require_consistency(t, where + (json.contains("drifts") ? "/drifts" : "/positions/b"));
  verify(t, document.claims(where), where);
  return t;
}

}  // namespace

NystromTableau nystrom_from_json(const Json& json, const std::string& where) {
  return read<NystromDocument>(json, where, Verification::of_all_claims);
}

NystromTableau partitioned_from_json(const Json& json, const std::string& where) {
  return read<PartitionedDocument>(json, where, Verification::of_all_claims);
}

NystromTableau nystrom_as_printed(const Json& json, const std::string& where) {
  return holds<CoefficientKind::nystrom>(json) ? read<NystromDocument>(json, where, Verification::none)
                                               : read<PartitionedDocument>(json, where, Verification::none);
}

}  // namespace daelab
