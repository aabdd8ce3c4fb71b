#include "experiments/measures/sampled_system.hpp"

#include <algorithm>
#include <cmath>

#include "core/model/problem.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {
namespace {

// A change of A below this, relative to the largest, counts as zero: violated constraints alone change A by about
// their own size.
constexpr double negligible_change = 1e-3;

// q and v without first-order states, which enter neither mass nor constraints.
Matrix<double> system_matrix(MechanicalModel<double>& model, double t, const Vector<double>& q,
                             const Vector<double>& v) {
  const Index n = model.coordinates(), m = model.constraints();
  Matrix<double> M(n, n), J(m, n);
  Vector<double> C(m), all_q = Vector<double>::Zero(n), all_v = Vector<double>::Zero(n);
  all_q.head(q.size()) = q, all_v.head(v.size()) = v;
  model.mass(t, all_q, M);
  model.constraints_and_jacobian(t, all_q, all_v, C, J);
  const Matrix<double> W = dense::solve_cholesky_factor(M, J.transpose());
  return W.transpose() * W;
}

// The cosines of the angles between two ranges with orthonormal bases U and V are the singular values of U^T V.
double smallest_cosine(const Matrix<double>& U, const Matrix<double>& V) {
  if (U.cols() == 0) return 1;
  const Matrix<double> X = U.transpose() * V;
  return std::sqrt(std::max(0.0, dense::symmetric_eigenvalues(X.transpose() * X).minCoeff()));
}

}  // namespace

SampledSystem::SampledSystem(const FinishedRun& run, double rank_tolerance)
    : label(run.label), spec(run.run->json()), status(run.record.status), cause(run.record.cause) {
  const auto model = run.run->problem().mechanical_model(As<double>{});
  if (!run.record.samples) return;
  for (const StateRecord& sample : *run.record.samples) add(*model, sample, rank_tolerance);
  for (std::size_t i = 0; i + 1 < samples_.size(); ++i) changes_.push_back(change(samples_[i], samples_[i + 1]));
}

void SampledSystem::add(MechanicalModel<double>& model, const StateRecord& state, double rank_tolerance) {
  SystemSample s;
  s.t = static_cast<double>(state.t), s.q = state.q.cast<double>();
  s.A = system_matrix(model, s.t, s.q, state.v.cast<double>());
  const dense::SymmetricEigenpairs eigen = dense::symmetric_eigenpairs(s.A);
  s.eigenvalues = eigen.values.reverse();
  const Index rank = empty() ? (s.eigenvalues.array() > rank_tolerance * s.eigenvalues[0]).count() : this->rank();
  s.range = eigen.vectors.rightCols(rank);
  if (!empty()) s.cosine = smallest_cosine(samples_.front().range, s.range);
  const Vector<double> lambda = state.lambda.cast<double>(), shortest = s.range * (s.range.transpose() * lambda);
  s.length = lambda.norm(), s.shortest = shortest.norm();
  if (s.shortest > 0) s.gap = (lambda - shortest).norm() / s.shortest;
  samples_.push_back(std::move(s));
}

SystemChange SampledSystem::change(const SystemSample& from, const SystemSample& to) const {
  const Vector<double> eigenvalues = dense::symmetric_eigenvalues(to.A - from.A);
  const double norm = eigenvalues.cwiseAbs().maxCoeff(), small = negligible_change * norm;
  SystemChange change;
  if (norm == 0 || rank() == 0) return change;
  change.norm_per_h = norm / (to.t - from.t) / start_spectrum()[rank() - 1];
  change.trace = std::abs(eigenvalues.sum()) / norm;
  change.positive = static_cast<int>((eigenvalues.array() > small).count());
  change.negative = static_cast<int>((eigenvalues.array() < -small).count());
  return change;
}

Vector<double> SampledSystem::deviations() const {
  Vector<double> largest = Vector<double>::Zero(start_spectrum().size());
  for (const SystemSample& s : samples_) largest = largest.cwiseMax((s.eigenvalues - start_spectrum()).cwiseAbs());
  return largest;
}

const SystemSample& SampledSystem::most_turned() const {
  return *std::min_element(samples_.begin(), samples_.end(),
                           [](const auto& a, const auto& b) { return a.cosine < b.cosine; });
}

const SystemSample* SampledSystem::longest() const {
  const SystemSample* longest = nullptr;
  for (const SystemSample& s : samples_)
    if (s.shortest > 0 && (!longest || s.ratio() > longest->ratio())) longest = &s;
  return longest;
}

double SampledSystem::largest_gap() const {
  double largest = 0;
  for (const SystemSample& s : samples_) largest = std::max(largest, s.gap);
  return largest;
}

double SampledSystem::largest_change(double SystemChange::*member) const {
  double largest = 0;
  for (const SystemChange& change : changes_) largest = std::max(largest, change.*member);
  return largest;
}

std::optional<SampledSystem::Range> SampledSystem::range_of(int SystemChange::*member) const {
  if (changes_.empty()) return {};
  const auto [least, most] = std::minmax_element(changes_.begin(), changes_.end(),
                                                 [&](const auto& a, const auto& b) { return a.*member < b.*member; });
  return Range{*least.*member, *most.*member};
}

}  // namespace daelab
