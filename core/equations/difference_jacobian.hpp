// Iteration matrices by differences of the residual, in place of exact derivatives.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/options.hpp"
#include "core/equations/system.hpp"

namespace daelab {

enum class JacobianSource { exact, differences };
inline std::vector<std::string> names_of(JacobianSource) { return {"exact", "differences"}; }

/// Source of the matrices of Newton's method. [Ren20, Sec. 5.1]
struct JacobianOptions {
  JacobianSource source = JacobianSource::exact;  // "name" in JSON
  std::optional<Exact> step;                      // of differences, relative; none: the root of the unit of round-off
  Exact scale{1};                                 // smaller values count as one of this size

  Options options();
};

/// A system whose linearisations are forward differences of its residual, column by column,
///
///   F_y e_j = (F(y + eta e_j) - F(y)) / eta,  eta = step max(|y_j|, scale),
///
/// and the same of y'. Matrices are dense, and the residual is not resolved (System::resolved_residual). Everything
/// else is that of the system within: consistent derivatives, projections, what methods ask of the model.
template <class T>
class DifferencedSystem final : public System<T> {
 public:
  DifferencedSystem(std::unique_ptr<System<T>> exact, const JacobianOptions& options);
  ~DifferencedSystem() override;

  /// Throws NotApplicable for more than most_dense_unknowns unknowns.
  std::unique_ptr<Linearization<T>> linearization() override;
  /// Linearisations evaluated so far; each takes a residual for each unknown, one for each y', and one more.
  long evaluations() const { return evaluations_; }

  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override {
    exact_->residual(t, y, ydot, F);
  }
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override {
    return exact_->consistent_derivatives(t, y, ydot);
  }
  Status consistent_start(const T& t, Vector<T>& y, Vector<T>& ydot) override {
    return exact_->consistent_start(t, y, ydot);
  }
  Status start_step(const T& t, const T& h, const Vector<T>& y) override { return exact_->start_step(t, h, y); }
  Status project(const T& t, Vector<T>& y) override { return exact_->project(t, y); }
  MechanicalModel<T>* mechanical_model() override { return exact_->mechanical_model(); }
  Forms* forms() override { return exact_->forms(); }
  void correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const override {
    exact_->correction_weights(h, y, w);
  }

 private:
  std::unique_ptr<System<T>> exact_;
  T step_, scale_;
  long evaluations_ = 0;
};

}  // namespace daelab
