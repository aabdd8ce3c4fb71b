#include "methods/lie_group/lie_scheme.hpp"

#include <algorithm>

#include "methods/lie_group/ordered_trees.hpp"

namespace daelab {
namespace {

class SchemeSeries {
 public:
  SchemeSeries(const LieScheme& scheme, const OrderedTreeWords& words) : scheme_(scheme), words_(words) {
    for (std::size_t i = 0; i < scheme.stages.size(); ++i) add_slope(i);
  }
  WordSeries step() const { return point(scheme_.step); }

 private:
  void add_slope(std::size_t i) {
    const LieProduct& stage = scheme_.stages[i];
    const WordSeries v = words_.slope(point(stage), scheme_.in_space.c[static_cast<Index>(i)]);
    slopes_.push_back(scheme_.inverse_tangent && !stage.empty() ? rate(exponent(stage.front()), v) : v);
  }
  // T^-1(w) v. Powers beyond the order of all words are zero.
  WordSeries rate(const WordSeries& w, const WordSeries& v) const {
    WordSeries sum = v, power = v;
    for (const Real100& c : inverse_tangent_series(std::min(*scheme_.inverse_tangent, highest_lie_order))) {
      power = words_.commutator(w, power);
      add(c, power, sum);
    }
    return sum;
  }
  WordSeries exponent(const LieExponent& x) const {
    WordSeries sum = words_.zero();
    for (std::size_t j = 0; j < slopes_.size(); ++j)
      if (const Real100& weight = x.weights[static_cast<Index>(j)]; weight != 0) add(weight, slopes_[j], sum);
    for (const auto& [first, second, weight] : x.commutators)
      add(weight,
          words_.commutator(slopes_[static_cast<std::size_t>(first)], slopes_[static_cast<std::size_t>(second)]), sum);
    return sum;
  }
  WordSeries point(const LieProduct& product) const {
    WordSeries series = words_.identity();
    for (const LieExponent& x : product) series = words_.product(series, words_.exponential(exponent(x)));
    return series;
  }

  const LieScheme& scheme_;
  const OrderedTreeWords& words_;
  std::vector<WordSeries> slopes_;
};

Vector<Real100> sum_of(const LieProduct& product, Index stages) {
  Vector<Real100> sum = Vector<Real100>::Zero(stages);
  for (const LieExponent& exponent : product) sum += exponent.weights;
  return sum;
}

}  // namespace

Tableau tableau_in_space(const LieScheme& scheme, int digits) {
  const Index s = static_cast<Index>(scheme.stages.size());
  Tableau t;
  t.A.setZero(s, s);
  for (Index i = 0; i < s; ++i) t.A.row(i) = sum_of(scheme.stages[static_cast<std::size_t>(i)], s).transpose();
  t.b = sum_of(scheme.step, s);
  t.c = t.A.rowwise().sum();
  t.digits = digits;
  if (digits == 0) return t;
  const Real100 error = pow(Real100(10), 1 - digits);
  t.A_error = Matrix<Real100>::Constant(s, s, error);
  t.b_error = t.c_error = Vector<Real100>::Constant(s, error);
  return t;
}

LieScheme munthe_kaas_scheme(const Tableau& tableau, int inverse_tangent) {
  LieScheme scheme;
  scheme.in_space = tableau, scheme.inverse_tangent = inverse_tangent;
  for (Index i = 0; i < tableau.stages(); ++i) scheme.stages.push_back({{tableau.A.row(i).transpose()}});
  scheme.step = {{tableau.b}};
  if (tableau.digits > 0) scheme.tolerance += tableau.A_error.sum() + tableau.b_error.sum();
  return scheme;
}

LieOrderDefect lie_order_defect(const LieScheme& scheme, int highest, LieEquation equation) {
  const OrderedTreeWords words(highest, equation == LieEquation::with_time);
  const WordSeries step = SchemeSeries(scheme, words).step(), flow = words.flow();
  LieOrderDefect found;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const OrderedTreeWords::Word& word = words.all()[i];
    if (found.order > 0 && word.order > found.order) break;
    const Real100 residual = step[i] - flow[i];
    if (abs(residual) > std::max(scheme.tolerance, Real100(abs(found.residual))))
      found = {word.order, word.text, residual};
  }
  return found;
}

}  // namespace daelab
