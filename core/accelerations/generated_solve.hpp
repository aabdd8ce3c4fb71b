// Accelerations of a mechanism by code that is generated for it: eliminations with fixed pivots, which are watched. The
// only place that knows these programs, the thresholds of their pivots, and several points per instruction.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/accelerations/form_lanes.hpp"
#include "core/expressions/program.hpp"
#include "core/mechanism/form_evaluator.hpp"
#include "core/mechanism/mechanical_model.hpp"

namespace daelab {

/// What became of a solve.
enum class GeneratedOutcome {
  absent,  // the mode has no generated elimination
  solved,
  weak_pivot  // a pivot is below its threshold: nothing is known of the result
};

/// In the mode that the model is in. Numbers of a vector are in a row; the first solve in a new mode allocates.
template <class T>
class GeneratedSolve {
 public:
  /// `form`: accelerations; or accelerations_between, which has no multipliers.
  GeneratedSolve(MechanicalModel<T>& model, FormKind form) : evaluator_(model.evaluator()), form_(form) {}

  /// a (n), lambda (m). `other`: the block of inputs of another point that accelerations_between has.
  GeneratedOutcome operator()(const T& t, const T* q, const T* v, T* a, T* lambda, const T* other = nullptr);

  /// Accelerations at lane_count points, number lane_count i + k of a vector being entry i at point k: the same bits.
  /// False where points must be solved one by one.
  bool at_lanes(const T* t, const T* q, const T* v, T* a, T* lambda);

  /// Which pivot was below its threshold last, in words.
  std::string weak_pivot() const;

 private:
  void enter_mode();
  bool finds_program_of_lanes();
  bool are_above_threshold_at_lanes() const;

  FormEvaluator<T>& evaluator_;
  FormKind form_;
  Forms* forms_ = nullptr;  // of the mode that the rest belongs to
  const std::vector<GeneratedAccelerations>* eliminations_ = nullptr;
  std::vector<const Program<T>*> programs_;  // of these
  std::vector<T> pivots_, work_;
  FormKind ingredients_{};  // where an operation may have left its domain, first of all

  bool has_lanes_ = false;  // the mode is one for FormLanes
  const Program<double>* program_of_lanes_ = nullptr;
  long without_program_of_lanes_ = 0;
  std::vector<double> pivots_of_lanes_, work_of_lanes_;
};

}  // namespace daelab
