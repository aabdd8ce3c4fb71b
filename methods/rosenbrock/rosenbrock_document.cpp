// Rosenbrock and W-methods as JSON documents: {"name", "alpha", "gamma", "weights", ...}.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/coefficient_document.hpp"
#include "core/base/coefficient_lists.hpp"
#include "core/base/exact.hpp"
#include "core/base/input_error.hpp"
#include "core/integration/method_documents.hpp"
#include "methods/rosenbrock/rosenbrock_method.hpp"

namespace daelab {
namespace {

const std::vector<std::string> known_keys{
    "name",    "summary",      "source",      "aliases", "order", "embedded_order", "index_1_order",
    "w_order", "dense_output", "dense_order", "alpha",   "gamma", "weights",        "embedded_weights"};

// Entries of the document, each with its place in errors.
class Reader {
 public:
  Reader(const Json& json, std::string where, int rounded)
      : json_(json), where_(std::move(where)), lists_("alpha", rounded) {}

  int digits() const { return lists_.digits(); }
  bool has(const char* key) const { return json_.contains(key); }
  std::string at(const std::string& key) const { return where_ + "/" + key; }

  void check_keys() const {
    for (const auto& [key, value] : json_.items())
      if (std::ranges::find(known_keys, key) == known_keys.end())
        throw InputError(at(key), fmt::format("a Rosenbrock tableau has no such key; known: {}{}",
                                              fmt::join(known_keys, ", "), did_you_mean(key, known_keys)));
  }
  std::string text(const char* key) const {
    if (!has(key)) return "";
    if (!json_[key].is_string()) throw InputError(at(key), "must be text");
    return json_[key].get<std::string>();
  }
  void check_aliases() const {
    if (!has("aliases")) return;
    const Json& aliases = json_["aliases"];
    if (!aliases.is_array()) throw InputError(at("aliases"), "must be a list of names");
    for (std::size_t i = 0; i < aliases.size(); ++i)
      if (!aliases[i].is_string()) throw InputError(fmt::format("{}/{}", at("aliases"), i), "must be text");
  }
  int order(const char* key, int most) const {
    if (!has(key)) return 0;
    const Json& order = json_[key];
    if (!order.is_number_integer() || order.get<double>() < 1 || order.get<double>() > most)
      throw InputError(at(key), fmt::format("must be a whole number from 1 to {}", most));
    return order.get<int>();
  }
  const Json& required(const char* key) const {
    if (!has(key)) throw InputError(at(key), "is missing");
    return json_[key];
  }
  Vector<Real100> vector(const char* key, std::size_t size) { return lists_.vector(required(key), at(key), size); }
  /// `rows`: 0 for any number.
  Matrix<Real100> matrix(const char* key, std::size_t rows, std::size_t columns) {
    return lists_.matrix(required(key), at(key), rows, columns);
  }

 private:
  const Json& json_;
  std::string where_;
  CoefficientLists lists_;
};

// Stage by stage with one factorisation: alpha is strictly lower triangular, gamma has one diagonal entry.
void check_triangles(const RosenbrockTableau& t, const Reader& reader) {
  const auto refuse = [&](const char* key, Index i, Index j, const std::string& text) {
    throw InputError(fmt::format("{}/{}/{}", reader.at(key), i, j), text);
  };
  const Index s = t.stages();
  for (Index i = 0; i < s; ++i)
    for (Index j = i; j < s; ++j) {
      if (t.alpha(i, j) != 0)
        refuse("alpha", i, j, "must be 0: a stage is linear in itself and in no later one, through gamma alone");
      if (j > i && t.gamma(i, j) != 0) refuse("gamma", i, j, "must be 0: no stage depends on a later one");
      if (j == i && t.gamma(i, i) == 0) refuse("gamma", i, i, "must not be 0: the stage would be explicit");
      if (j == i && t.gamma(i, i) != t.gamma(0, 0))
        refuse("gamma", i, i,
               fmt::format("is {}, must be {} as all diagonal entries: one factorisation serves all stages",
                           exact_text(t.gamma(i, i)), exact_text(t.gamma(0, 0))));
    }
}

const bool documents_are_methods = [] {
  accept_method_documents(holds<CoefficientKind::rosenbrock>,
                          method_of_document<RosenbrockMethod, rosenbrock_from_json>);
  return true;
}();

}  // namespace

std::vector<RosenbrockCheck>& rosenbrock_checks() {
  static std::vector<RosenbrockCheck> checks;
  return checks;
}

namespace {

RosenbrockTableau read(const Json& json, const std::string& where, int rounded) {
  Reader reader(json, where, rounded);
  reader.check_keys();
  reader.check_aliases();
  reader.text("summary");
  RosenbrockTableau t;
  t.name = reader.text("name"), t.source = reader.text("source");
  t.order = reader.order("order", 8), t.embedded_order = reader.order("embedded_order", 8);
  t.index_1_order = reader.order("index_1_order", 8), t.w_order = reader.order("w_order", 4);
  const Json& alpha = reader.required("alpha");
  const std::size_t s = alpha.is_array() ? alpha.size() : 0;
  t.alpha = reader.matrix("alpha", s, s), t.gamma = reader.matrix("gamma", s, s);
  t.b = reader.vector("weights", s);
  if (t.embedded_order > 0 || reader.has("embedded_weights")) t.b_embedded = reader.vector("embedded_weights", s);
  t.digits = reader.digits();
  if (reader.has("dense_output")) t.dense_output = reader.matrix("dense_output", 0, s);
  t.dense_order = reader.order("dense_order", 8);
  if ((t.dense_order > 0) != (t.dense_output.rows() > 0))
    throw InputError(reader.at(t.dense_order > 0 ? "dense_output" : "dense_order"),
                     "is missing: dense_output and its dense_order are given together");
  check_triangles(t, reader);
  return t;
}

}  // namespace

RosenbrockTableau rosenbrock_as_printed(const Json& json, const std::string& where,
                                        const std::function<int(const RosenbrockTableau&)>& quality) {
  RosenbrockTableau strict = read(json, where, surely_rounded_places),
                    rounded = read(json, where, possibly_rounded_places);
  const bool is_another = rounded.digits != strict.digits;
  return is_another && quality(rounded) > quality(strict) ? rounded : strict;
}

RosenbrockTableau rosenbrock_from_json(const Json& json, const std::string& where) {
  RosenbrockTableau t = read(json, where, surely_rounded_places);
  for (const RosenbrockCheck check : rosenbrock_checks()) check(t, where);
  return t;
}

}  // namespace daelab
