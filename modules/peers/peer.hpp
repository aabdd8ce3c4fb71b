// Established codes beside ours: what the program and the modules of peers say to each other. Every library is in a
// module of its own (sundials, gsl, odeint, desolve, siconos), so that none of them, nor its licence, is part of the
// program. They are loaded when a method asks for them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/status.hpp"

namespace daelab {

/// A sparse matrix, column by column, rows ascending. The arrays are the program's, until it is asked for the next one.
struct PeerSparseMatrix {
  const int* start = nullptr;  // of each column among the entries, and the number of entries
  const int* row = nullptr;    // of each entry
  const double* value = nullptr;
};

/// The equations, as the program hands them out. Codes for ordinary differential equations see x' = f(t, x) of the
/// differential components alone, codes for differential-algebraic ones F(t, y, y') = 0. Arrays have as many entries
/// as the task has unknowns.
class PeerEquations {
 public:
  virtual ~PeerEquations() = default;
  /// False where they cannot be evaluated; the program remembers why.
  virtual bool rates(double t, const double* x, double* xdot) = 0;
  /// Resolved for the derivatives where it can be, but plain for codes with a solver of their own.
  virtual bool residual(double t, const double* y, const double* ydot, double* F) = 0;
  /// The exact Jacobians at this point. Of ordinary differential equations `ydot` is not looked at.
  virtual bool linearize(double t, const double* y, const double* ydot) = 0;
  /// 1 - gamma df/dx, or F_y + F_y' / gamma, there.
  virtual bool factorize(double gamma) = 0;
  /// With this matrix, in place.
  virtual void solve(double* r) = 0;
  /// For codes with a solver of their own: df/dx row by row, or F_y and F_y' column by column.
  virtual bool jacobian(double t, const double* x, double* J) = 0;
  virtual bool jacobians(double t, const double* y, const double* ydot, double* F_y, double* F_ydot) = 0;
  /// For sparse solvers of their own: F_y + c F_y'.
  virtual bool sparse_jacobian(double t, const double* y, const double* ydot, double c, PeerSparseMatrix& A) = 0;
};

struct PeerTask {
  std::string code, variant;          // what a module calls its integrators, and of them a formula, a table or a solver
  std::size_t size = 0;               // unknowns
  std::size_t differential = 0;       // the first so many are
  bool is_residual = false;           // F(t, y, y') = 0 instead of x' = f(t, x)
  int index = 0;                      // of the equations, 0 to 3
  std::size_t positions = 0;          // the first so many, q, of y = (q, v, ...); 0: it is not of second order
  bool has_plain_velocities = false;  // q' = v, without multipliers in it
  double relative = 0;                // tolerances: relative |y_i| + absolute_i
  std::vector<double> absolute;       // (size)
};

/// A step that went through, and the attempts at it that did not.
struct PeerStep {
  double t = 0;       // where it ended
  double next = 0;    // the size it proposes for the next one
  int order = 0;      // of the formula; 0: the one it always has
  long rejected = 0;  // for whatever reason
  long failed = 0;    // for the iteration
  long iterations = 0;
  long factorizations = 0, back_solves = 0;  // by a solver of its own
};

/// A code at work. The state is in arrays of the program, (size) each.
class PeerIntegrator {
 public:
  virtual ~PeerIntegrator() = default;
  /// Starts at (y, y') of the arrays, with nothing behind it. `h`: its first step; 0: its own choice, for codes that
  /// have one.
  virtual Status restart(double t, double h) = 0;
  virtual bool chooses_first_step() const = 0;
  /// One step, `stop` at the latest; at `stop` exactly where it gets there. Leaves y in the array, and y' where it
  /// says so. On failure `step` has the attempts, and the arrays hold nothing of use.
  virtual Status step(double stop, PeerStep& step) = 0;
  /// Whether step() leaves y', too: of codes for x' = f some interpolated derivative.
  virtual bool knows_slope() const { return false; }
  /// Its own solution at t within the last step. False where it has none.
  virtual bool interpolate(double /*t*/, double* /*y*/) { return false; }
};

class PeerLibrary {
 public:
  virtual ~PeerLibrary() = default;
  /// "SUNDIALS 6.4.1"
  virtual std::string version() const = 0;
  /// The equations, the arrays and this object outlive what is returned. Null where it has no such code or variant.
  virtual std::unique_ptr<PeerIntegrator> integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                                     double* ydot) const = 0;
};

/// The one symbol of a module.
constexpr const char* peer_library_symbol = "daelab_peer_library";
using PeerLibraryFunction = const PeerLibrary*();

}  // namespace daelab
