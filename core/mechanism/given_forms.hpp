// Forms whose values do not come from expressions: the slot for problems that are functions of somebody else.
#pragma once

#include <memory>
#include <string>

#include "core/expressions/program.hpp"
#include "core/mechanism/form_parts.hpp"

namespace daelab {

class Problem;
class RecordedProblem;

/// In double, of a mechanism in one mode without first-order states, discrete-time blocks and events. Its recording has
/// names, start values and the sizes of everything; its expressions say only what depends on what. Thread-safe.
class GivenForms {
 public:
  virtual ~GivenForms() = default;
  /// The parts of a form, each full or without entries: both layouts are the same. The values of entries mean nothing.
  virtual FormParts parts(FormKind kind, int detail) const = 0;
  virtual std::unique_ptr<Program<double>> program(FormKind kind, int detail) const = 0;
  /// What is not finite at these inputs, in words; "": all is.
  virtual std::string domain_error(const double* const* inputs) const = 0;
};

/// Base, beside Problem, of a problem that has such forms.
class HasGivenForms {
 public:
  virtual ~HasGivenForms() = default;
  virtual std::shared_ptr<const GivenForms> given_forms() const = 0;
};

/// Throws InputError for a problem that has no expressions to `purpose`, "write", with.
void require_expressions(const Problem& problem, const std::string& purpose);

}  // namespace daelab
