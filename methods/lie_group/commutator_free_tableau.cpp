#include "methods/lie_group/commutator_free_tableau.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/base/exact.hpp"
#include "core/base/options.hpp"

namespace daelab {
namespace {

constexpr std::size_t most_stages = 64;  // each exponential has a weight of each
constexpr int rounded_places = 14;       // and more: of rounded decimals

// A word of ordered trees: the forest that a vertex below it makes a tree.
struct Word {
  std::string text;  // [] for each vertex around what is above it
  int vertices = 0;
  std::vector<std::size_t> trees;  // from the left, of each the word above its root
  std::vector<std::size_t> parts;  // of each the word of the trees before it
};

// All words up to a number of vertices, by it; the first is empty.
class Words {
 public:
  explicit Words(int most) {
    add("", 0, {}, {});
    for (int vertices = 1; vertices <= most; ++vertices)
      for (int last = 1; last <= vertices; ++last)  // vertices of the last tree
        for (const std::size_t before : of(vertices - last))
          for (const std::size_t above : of(last - 1)) append(before, above, vertices);
  }
  const std::vector<Word>& all() const { return list_; }

 private:
  std::vector<std::size_t> of(int vertices) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < list_.size(); ++i)
      if (list_[i].vertices == vertices) found.push_back(i);
    return found;
  }
  void append(std::size_t before, std::size_t above, int vertices) {
    std::vector<std::size_t> trees = list_[before].trees, parts = list_[before].parts;
    trees.push_back(above), parts.push_back(before);
    add(fmt::format("{}[{}]", list_[before].text, list_[above].text), vertices, std::move(trees), std::move(parts));
  }
  void add(std::string text, int vertices, std::vector<std::size_t> trees, std::vector<std::size_t> parts) {
    list_.push_back({std::move(text), vertices, std::move(trees), std::move(parts)});
  }
  std::vector<Word> list_;
};

using Series = std::vector<Real100>;  // a coefficient for each word

Series identity(const Words& words) {
  Series series(words.all().size(), Real100(0));
  series[0] = 1;
  return series;
}

// Coefficients of the flow: the derivative of a word is that of the words before its last tree, times that tree.
Series exact_flow(const Words& words) {
  Series flow = identity(words);
  for (std::size_t i = 1; i < flow.size(); ++i) {
    const Word& word = words.all()[i];
    flow[i] = flow[word.parts.back()] * flow[word.trees.back()] / word.vertices;
  }
  return flow;
}

// Behind it the exponential of a velocity, which has for each tree the coefficient of the word above its root.
void multiply_by_exponential(const Words& words, const Series& velocity, Series& series) {
  for (std::size_t i = series.size(); i-- > 1;) {  // parts of a word come before it
    const Word& word = words.all()[i];
    Real100 power(1), sum = series[i];
    for (std::size_t behind = 1; behind <= word.trees.size(); ++behind) {
      const std::size_t place = word.trees.size() - behind;
      power *= velocity[word.trees[place]] / Real100(static_cast<int>(behind));
      sum += series[word.parts[place]] * power;
    }
    series[i] = sum;
  }
}

Series product_series(const Words& words, const ExponentialProduct& product, const std::vector<Series>& slopes) {
  Series series = identity(words);
  for (const Vector<Real100>& row : product) {
    Series velocity(series.size(), Real100(0));
    for (std::size_t j = 0; j < slopes.size(); ++j)
      for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] += row[static_cast<Index>(j)] * slopes[j][i];
    multiply_by_exponential(words, velocity, series);
  }
  return series;
}

Vector<Real100> sum_of(const ExponentialProduct& product, Index stages) {
  Vector<Real100> sum = Vector<Real100>::Zero(stages);
  for (const Vector<Real100>& row : product) sum += row;
  return sum;
}

// Entries of the document, each with its place in errors.
class Reader {
 public:
  explicit Reader(std::size_t stages) : stages_(stages) {}
  Real100 tolerance{"1e-80"};
  int digits = 0;

  /// `slopes`: how many of them it may use.
  ExponentialProduct product(const Json& json, const std::string& where, std::size_t slopes) {
    if (!json.is_array()) throw InputError(where, "expected a list of exponentials, each a list of numbers");
    ExponentialProduct product;
    for (std::size_t k = 0; k < json.size(); ++k)
      product.push_back(row(json[k], fmt::format("{}/{}", where, k), slopes));
    return product;
  }

 private:
  Vector<Real100> row(const Json& json, const std::string& where, std::size_t slopes) {
    if (!json.is_array()) throw InputError(where, "expected a list of numbers: the weights of slopes 1, 2, ...");
    if (json.size() > stages_) throw InputError(where, fmt::format("has {} entries, more than stages", json.size()));
    Vector<Real100> row = Vector<Real100>::Zero(static_cast<Index>(stages_));
    for (std::size_t j = 0; j < json.size(); ++j) {
      const std::string place = fmt::format("{}/{}", where, j);
      const Exact number = exact_from_json(json[j], place);
      if (j >= slopes && number.value() != 0)
        throw InputError(place,
                         fmt::format("must be 0: the slope {} is not known there, allowed are {}", j + 1, slopes));
      row[static_cast<Index>(j)] = number.value();
      if (const auto places = decimal_places(number.text()); places && *places >= rounded_places) {
        digits = digits == 0 ? *places : std::min(digits, *places);
        tolerance += pow(Real100(10), 1 - *places);
      }
    }
    return row;
  }
  std::size_t stages_;
};

struct CommutatorFreeDocument {
  std::string name, summary, source;
  std::vector<std::string> aliases;
  int order = 0;

  Options options() {
    return {option("name", name, "what records call it"), option("summary", summary, "what it is"),
            option("source", source, "where it is from"),
            option("order", order, "on any Lie group", between(1, highest_lie_order))};
  }
};

void check_order(const CommutatorFreeTableau& t, const Real100& tolerance, const std::string& where) {
  const LieOrderDefect defect = lie_order_defect(t, t.order, tolerance);
  if (defect.order == 0) return;
  throw InputError(
      where + "/order",
      fmt::format("is {}, but a condition of order {} does not hold: the coefficient of the ordered trees {} is off by "
                  "{}, so the method has order {} on Lie groups",
                  t.order, defect.order, defect.trees, to_text(defect.residual, 3), defect.order - 1));
}

}  // namespace

Tableau CommutatorFreeTableau::tableau() const {
  const Index s = static_cast<Index>(stages.size());
  Tableau t;
  t.name = name, t.source = source, t.claimed_order = order;
  t.A.setZero(s, s);
  for (Index i = 0; i < s; ++i) t.A.row(i) = sum_of(stages[static_cast<std::size_t>(i)], s).transpose();
  t.b = sum_of(step, s);
  t.c = t.A.rowwise().sum();
  if (digits > 0) {
    t.digits = digits;
    const Real100 error = pow(Real100(10), 1 - digits);
    t.A_error = Matrix<Real100>::Constant(s, s, error);
    t.b_error = t.c_error = Vector<Real100>::Constant(s, error);
  }
  return t;
}

LieOrderDefect lie_order_defect(const CommutatorFreeTableau& tableau, int highest, const Real100& tolerance) {
  const Words words(highest);
  std::vector<Series> slopes;
  for (const ExponentialProduct& stage : tableau.stages) slopes.push_back(product_series(words, stage, slopes));
  const Series step = product_series(words, tableau.step, slopes), flow = exact_flow(words);
  LieOrderDefect found;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const Word& word = words.all()[i];
    if (found.order > 0 && word.vertices > found.order) break;
    const Real100 residual = step[i] - flow[i];
    if (abs(residual) > std::max(tolerance, Real100(abs(found.residual)))) found = {word.vertices, word.text, residual};
  }
  return found;
}

CommutatorFreeTableau commutator_free_from_json(const Json& json, const std::string& where) {
  CommutatorFreeDocument document;
  document.options().read(json, where, {"exponentials", "step", "aliases"});
  for (const char* key : {"step", "order"})
    if (!json.contains(key)) throw InputError(where + "/" + key, "is missing");
  const Json& exponentials = json["exponentials"];
  const std::size_t s = exponentials.size();
  if (s == 0 || !exponentials[0].is_array() || !exponentials[0].empty())
    throw InputError(where + "/exponentials",
                     "must have a list for each stage, the first one empty: it is the start of the step");
  if (s > most_stages)
    throw InputError(where + "/exponentials", fmt::format("has {} stages, allowed are {}", s, most_stages));
  Reader reader(s);
  CommutatorFreeTableau t{document.name, document.source, document.order, 0, {}, {}};
  for (std::size_t i = 0; i < s; ++i)
    t.stages.push_back(reader.product(exponentials[i], fmt::format("{}/exponentials/{}", where, i), i));
  t.step = reader.product(json["step"], where + "/step", s);
  t.digits = reader.digits;
  check_order(t, reader.tolerance, where);
  return t;
}

}  // namespace daelab
