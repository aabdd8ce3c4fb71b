#include "experiments/measures/sampled_system.hpp"

#include <algorithm>
#include <cmath>

#include "core/mechanism/problem.hpp"
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

/// At one sample.
struct SampledSystem::Matrices {
  Matrices(MechanicalModel<double>& model, const StateRecord& state)
      : A(system_matrix(model, static_cast<double>(state.t), state.q.cast<double>(), state.v.cast<double>())) {
    dense::SymmetricEigenpairs eigen = dense::symmetric_eigenpairs(A);
    eigenvalues = eigen.values.reverse(), vectors = std::move(eigen.vectors);
  }
  /// Orthonormal (m, rank).
  Matrix<double> range(Index rank) const { return vectors.rightCols(rank); }

  Matrix<double> A, vectors;   // (m, m)
  Vector<double> eigenvalues;  // (m)
};

SampledSystem::SampledSystem(const FinishedRun& run, double rank_tolerance)
    : label(run.label), spec(run.run->json()), status(run.record.status), cause(run.record.cause) {
  if (!run.record.samples || run.record.samples->empty()) return;
  const auto model = run.run->problem().mechanical_model(As<double>{});
  const Matrices start(*model, run.record.samples->front());
  rank_ = (start.eigenvalues.array() > rank_tolerance * start.eigenvalues[0]).count();
  Matrices last = start;
  for (const StateRecord& sample : *run.record.samples) {
    Matrices now(*model, sample);
    add(now, start, sample);
    if (const std::size_t n = samples_.size(); n > 1)
      changes_.push_back(change(last, now, samples_[n - 1].t - samples_[n - 2].t));
    last = std::move(now);
  }
}

void SampledSystem::add(const Matrices& now, const Matrices& start, const StateRecord& state) {
  SystemSample s;
  s.t = static_cast<double>(state.t), s.q = state.q.cast<double>(), s.eigenvalues = now.eigenvalues;
  const Matrix<double> range = now.range(rank_);
  if (!empty()) s.cosine = smallest_cosine(start.range(rank_), range);
  const Vector<double> lambda = state.lambda.cast<double>(), shortest = range * (range.transpose() * lambda);
  s.length = lambda.norm(), s.shortest = shortest.norm();
  if (s.shortest > 0) s.gap = (lambda - shortest).norm() / s.shortest;
  samples_.push_back(std::move(s));
}

SystemChange SampledSystem::change(const Matrices& from, const Matrices& to, double h) const {
  const Vector<double> eigenvalues = dense::symmetric_eigenvalues(to.A - from.A);
  const double norm = eigenvalues.cwiseAbs().maxCoeff(), small = negligible_change * norm;
  SystemChange change;
  if (norm == 0 || rank() == 0) return change;
  change.norm_per_h = norm / h / start_spectrum()[rank() - 1];
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

// ----- as JSON -----

void members(JsonMembers& json, SystemSample& s) {
  json("t", s.t)("q", s.q)("eigenvalues", s.eigenvalues)("cosine", s.cosine)("length", s.length);
  json("shortest", s.shortest)("gap", s.gap);
}

void members(JsonMembers& json, SystemChange& change) {
  json("norm_per_h", change.norm_per_h)("trace", change.trace)("positive", change.positive);
  json("negative", change.negative);
}

namespace {

Json range_json(const std::optional<SampledSystem::Range>& range) {
  if (!range) return nullptr;
  return {{"least", range->least}, {"most", range->most}};
}

// What follows from the samples.
void add_summary(JsonMembers& json, const SampledSystem& system) {
  json.derived("spectrum", [&system]() -> Json {
    const Vector<double> deviations = system.deviations();
    return {{"start", numbers(system.start_spectrum())},
            {"deviations", numbers(deviations)},
            {"largest_deviation", deviations.maxCoeff()}};
  });
  json.derived("smallest_cosine", [&system] { return system.most_turned().cosine; });
  json.derived("turned", [&system]() -> Json {
    return {{"at_t", system.most_turned().t}, {"at_q", numbers(system.most_turned().q)}};
  });
  if (const SystemSample* longest = system.longest()) {
    json.derived("ratio", [longest]() -> Json {
      return {{"max", longest->ratio()}, {"at_t", longest->t}, {"at_q", numbers(longest->q)}};
    });
    json.derived("gap", [&system]() -> Json { return {{"max", system.largest_gap()}}; });
  }
  json.derived("difference", [&system]() -> Json {
    return {{"norm_per_h", system.largest_change(&SystemChange::norm_per_h)},
            {"trace", system.largest_change(&SystemChange::trace)},
            {"positive", range_json(system.range_of(&SystemChange::positive))},
            {"negative", range_json(system.range_of(&SystemChange::negative))}};
  });
}

}  // namespace

void members(JsonMembers& json, SampledSystem& system) {
  json("label", system.label)("spec", system.spec)("status", system.status)("cause", system.cause);
  json.derived("samples", [&system] { return system.samples_.size(); });
  json("rank", system.rank_)("motion", system.samples_)("changes", system.changes_);
  if (!system.empty()) add_summary(json, system);
}

}  // namespace daelab
