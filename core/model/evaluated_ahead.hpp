// Results of programs that are known before they are asked for: of what several models were evaluated for together.
#pragma once

#include <utility>

#include "core/expressions/program.hpp"

namespace daelab {

/// While a scope of it lives, models of this thread look here before they run a program. The same program gives the
/// same results for the same inputs, so nothing depends on whether they find them.
class EvaluatedAhead {
 public:
  virtual ~EvaluatedAhead() = default;
  /// Writes the outputs where the results of this program are known for these very inputs; false: they are not.
  virtual bool give(const Program<double>& program, const double* const* inputs, double* const* outputs) const = 0;

  /// That of this thread; null: there is none.
  static const EvaluatedAhead* current() { return current_; }

  class Scope;

 private:
  [[gnu::tls_model("initial-exec")]] static constinit thread_local const EvaluatedAhead* current_;
};

class EvaluatedAhead::Scope {
 public:
  explicit Scope(const EvaluatedAhead* ahead) : before_(std::exchange(current_, ahead)) {}
  ~Scope() { current_ = before_; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  const EvaluatedAhead* before_;
};

}  // namespace daelab
